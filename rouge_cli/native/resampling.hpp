// Bootstraps: the draws and the additions of scoring/bootstrap.py and dialects/google/scoring.py, in their order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <future>
#include <vector>

namespace rouge {

// Sums of rows that are drawn with replacement, as many as there are, added in drawing order.
//
// Figures stand in blocks: a block's sums stay in registers, and its rows, no wider than they need be, in the cache.
class Resampling {
public:
    // `rows` holds `size` rows of `width` figures. `first`: the first sample's seed.
    Resampling(const std::vector<double>& rows, std::size_t size, std::size_t width, std::uint32_t first)
        : size_(size), width_(width), first_(first) {
        for (std::size_t start = 0; start < width; start += WIDEST) {
            const std::size_t figures = std::min(WIDEST, width - start);
            std::size_t padded = 1;
            while (padded < figures) padded *= 2;
            blocks_.push_back({start, figures, padded, std::vector<double>(size * padded, 0.0)});
            std::vector<double>& cells = blocks_.back().cells;
            for (std::size_t row = 0; row < size; ++row) {
                std::copy_n(rows.data() + row * width + start, figures, cells.data() + row * padded);
            }
        }
    }

    // The sums of some samples, as rows from `sums` on.
    void draw(std::size_t sample, std::size_t end, double* sums) const {
        std::vector<std::uint32_t> drawn(size_);
        for (; sample < end; ++sample, sums += width_) {
            constexpr std::uint64_t MASK = (std::uint64_t(1) << 48) - 1;
            std::uint64_t state = (static_cast<std::uint64_t>(first_ + static_cast<std::uint32_t>(sample)) << 16) + 0x330E;
            for (std::uint32_t& row : drawn) {
                state = (state * 0x5DEECE66DULL + 0xB) & MASK;
                const double fraction = static_cast<double>(state) / 281474976710656.0;
                row = static_cast<std::uint32_t>(fraction * static_cast<double>(size_));
            }
            for (const Block& block : blocks_) {
                switch (block.padded) {
                case 1: add<1>(block, drawn, sums); break;
                case 2: add<2>(block, drawn, sums); break;
                case 4: add<4>(block, drawn, sums); break;
                default: add<WIDEST>(block, drawn, sums);
                }
            }
        }
    }

private:
    static constexpr std::size_t WIDEST = 8;

    struct Block {
        std::size_t start, figures, padded;
        std::vector<double> cells;
    };

    template <std::size_t WIDTH>
    static void add(const Block& block, const std::vector<std::uint32_t>& drawn, double* sums) {
        const double* const cells = block.cells.data();
        double sum[WIDTH] = {};
        for (std::uint32_t row : drawn) {
            const double* const figures = cells + row * WIDTH;
            for (std::size_t figure = 0; figure < WIDTH; ++figure) sum[figure] += figures[figure];
        }
        std::copy_n(sum, block.figures, sums + block.start);
    }

    std::size_t size_, width_;
    std::uint32_t first_;
    std::vector<Block> blocks_;
};

// The sums of so many samples, a row each. Each sample has a seed of its own, so that threads share them out.
inline std::vector<double> resampled(const std::vector<double>& rows, std::size_t size, std::size_t width,
                                     std::size_t times, std::uint32_t first, std::size_t jobs) {
    const Resampling resampling(rows, size, width, first);
    std::vector<double> sums(times * width);
    constexpr std::size_t WORTH_A_THREAD = 1 << 20;  // draws, some milliseconds
    jobs = std::max<std::size_t>(1, std::min({jobs, times, size * times / WORTH_A_THREAD}));
    std::vector<std::future<void>> parts;
    for (std::size_t job = 0; job < jobs; ++job) {
        const std::size_t start = times * job / jobs, end = times * (job + 1) / jobs;
        // The last part is this thread's own.
        const auto how = job + 1 < jobs ? std::launch::async : std::launch::deferred;
        parts.push_back(std::async(how, [&, start, end] { resampling.draw(start, end, sums.data() + start * width); }));
    }
    for (std::size_t job = jobs; job-- > 0;) parts[job].get();
    return sums;
}

struct Interval {
    double value;
    double low;
    double high;
};

// The mean of the sampled means of one column, and their percentile interval.
inline Interval interval(const std::vector<double>& sums, std::size_t column, std::size_t width, std::size_t size,
                         double samples, double confidence, std::vector<double>& ordered) {
    ordered.clear();
    for (std::size_t place = column; place < sums.size(); place += width) {
        ordered.push_back(sums[place] / static_cast<double>(size));
    }
    std::sort(ordered.begin(), ordered.end(), [](double one, double other) {
        return one < other || (std::isnan(other) && !std::isnan(one));  // undefined values come last
    });
    double total = 0.0;
    for (double value : ordered) total += value;
    const double outside = samples * ((100 - confidence) / 2) / 100;
    const double upper = std::trunc(samples - outside - 1), lower = std::trunc(outside);
    const double weight = samples - outside - 1 - upper;
    auto at = [&](double index) {
        return index < static_cast<double>(ordered.size()) ? ordered[static_cast<std::size_t>(index)] : 0.0;
    };
    auto between = [&](double index) { return at(index) + (at(index + 1) - at(index)) * weight; };
    return {total / static_cast<double>(ordered.size()), between(lower), between(upper)};
}

// The Mersenne Twister (Matsumoto and Nishimura 1998), seeded and read as numpy.random.RandomState does it.
class MersenneTwister {
public:
    explicit MersenneTwister(std::uint32_t seed) {
        for (std::uint32_t place = 0; place < SIZE; ++place) {
            state_[place] = seed;
            seed = 1812433253U * (seed ^ seed >> 30) + place + 1;
        }
    }

    // A number from 0 to `most`, by rejection of what is larger among the bits that it needs.
    std::uint32_t draw(std::uint32_t most, std::uint32_t mask) {
        for (;;) {
            const std::uint32_t drawn = next() & mask;
            if (drawn <= most) return drawn;
        }
    }

private:
    static constexpr std::uint32_t SIZE = 624, SHIFT = 397;

    std::uint32_t next() {
        if (next_ == SIZE) twist();
        std::uint32_t bits = state_[next_++];
        bits ^= bits >> 11;
        bits ^= bits << 7 & 0x9D2C5680U;
        bits ^= bits << 15 & 0xEFC60000U;
        return bits ^ bits >> 18;
    }

    void twist() {
        for (std::uint32_t place = 0; place < SIZE; ++place) {
            const std::uint32_t joined = (state_[place] & 0x80000000U) | (state_[(place + 1) % SIZE] & 0x7FFFFFFFU);
            state_[place] = state_[(place + SHIFT) % SIZE] ^ joined >> 1 ^ (joined & 1 ? 0x9908B0DFU : 0);
        }
        next_ = 0;
    }

    std::uint32_t state_[SIZE];
    std::uint32_t next_ = SIZE;
};

// `rows` holds rows of `width` figures. For each sample: the means of as many rows drawn with replacement, added in
// drawing order; as rows again.
inline std::vector<double> resampled_means(const std::vector<double>& rows, std::size_t width, std::size_t samples,
                                           MersenneTwister& twister) {
    const std::size_t size = rows.size() / width;
    const std::uint32_t most = static_cast<std::uint32_t>(size - 1);
    std::uint32_t mask = most;
    for (int shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
    std::vector<double> means(samples * width, 0.0);
    for (std::size_t sample = 0; sample < samples; ++sample) {
        double* const sums = means.data() + sample * width;
        for (std::size_t row = 0; row < size; ++row) {
            const double* const figures = rows.data() + (most == 0 ? 0 : twister.draw(most, mask)) * width;
            for (std::size_t figure = 0; figure < width; ++figure) sums[figure] += figures[figure];
        }
        for (std::size_t figure = 0; figure < width; ++figure) sums[figure] /= static_cast<double>(size);
    }
    return means;
}

}  // namespace rouge
