// A batch divided among threads: what runs/parallel.py does, inside of one batch.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <future>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

#include "program.hpp"

namespace rouge {

constexpr std::size_t MOST_AT_ONCE = 1000;  // evals: files that several of them use are kept in memory

// The cores that this process may use, which are fewer than the machine's where it is pinned (taskset, batch systems).
inline std::size_t usable_cores() {
#ifdef __linux__
    ::cpu_set_t cores;
    if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<std::size_t>(CPU_COUNT(&cores));
#endif
    return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

// The number of threads that a batch is worth, up to `most`.
inline std::size_t threads_of(const Batch& batch, std::size_t most) {
    constexpr std::size_t WORTH_A_THREAD = 64;  // texts, a millisecond or more
    return std::max<std::size_t>(1, std::min({most, batch.evals.size(), batch.sources.size() / WORTH_A_THREAD + 1}));
}

// The batch in parts: for several threads large ones first, so that evals that share files are mostly in one part, and
// small ones at the end, so that no thread waits long for the others.
inline std::vector<Batch> divided(const Batch& batch, std::size_t threads) {
    constexpr std::size_t FEWEST = 4;  // evals
    std::vector<Batch> parts;
    auto eval = batch.evals.begin();
    auto source = batch.sources.begin();
    while (eval != batch.evals.end()) {
        const std::size_t left = static_cast<std::size_t>(batch.evals.end() - eval);
        const std::size_t share = threads > 1 ? std::max(left / (2 * threads), FEWEST) : left;
        Batch part;
        part.folders = batch.folders;
        part.stops = batch.stops;
        part.evals.assign(eval, eval + static_cast<std::ptrdiff_t>(std::min({share, left, MOST_AT_ONCE})));
        std::size_t sources = 0;
        for (const EvalSources& each : part.evals) sources += each.references + each.predictions;
        part.sources.assign(source, source + static_cast<std::ptrdiff_t>(sources));
        eval += static_cast<std::ptrdiff_t>(part.evals.size());
        source += static_cast<std::ptrdiff_t>(sources);
        parts.push_back(std::move(part));
    }
    return parts;
}

// Adds what a part of the batch has become, after the parts before it.
inline void add_scored(Batch& batch, const Batch& part) {
    for (std::size_t side = 0; side < 2; ++side) {
        batch.tallies[side].add(part.tallies[side]);
        if (batch.first_cut[side] != Batch::NONE || part.first_cut[side] == Batch::NONE) continue;
        batch.first_cut[side] = batch.scored.size() + part.first_cut[side];
        batch.text_of_cut[side] = part.text_of_cut[side];
    }
    batch.scored.insert(batch.scored.end(), part.scored.begin(), part.scored.end());
    batch.rows.insert(batch.rows.end(), part.rows.begin(), part.rows.end());
}

inline bool all_scored(const Batch& batch) { return std::find(batch.scored.begin(), batch.scored.end(), 0) == batch.scored.end(); }

// Scores a batch by programs of the same set-up, each in a thread and with a vocabulary of its own. Which thread scores
// which part changes nothing in the batch.
inline void run_in_threads(const std::vector<Program*>& programs, Batch& batch) {
    const std::size_t threads = threads_of(batch, programs.size());
    std::vector<std::string_view> paths;
    for (const Source& source : batch.sources) if (source.is_path) paths.push_back(source.bytes);
    batch.folders = std::make_shared<const Folders>(paths);
    if (threads == 1 && batch.evals.size() <= MOST_AT_ONCE) return programs[0]->run(batch);
    std::vector<Batch> parts = divided(batch, threads);
    std::atomic<std::size_t> next(0);
    const auto score = [&](Program& program) {
        try {
            for (std::size_t place; (place = next++) < parts.size();) {
                program.run(parts[place]);
                if (batch.stops && !all_scored(parts[place])) next = parts.size();
            }
        } catch (...) {
            next = parts.size();
            throw;
        }
    };
    std::vector<std::future<void>> others;  // last: they end before what they use
    for (std::size_t other = 1; other < threads; ++other) {
        // Where the system has no thread, the parts are left to the threads that there are.
        others.push_back(std::async(std::launch::async | std::launch::deferred, score, std::ref(*programs[other])));
    }
    score(*programs[0]);
    for (std::future<void>& other : others) other.get();
    for (const Batch& part : parts) add_scored(batch, part);
}

}  // namespace rouge
