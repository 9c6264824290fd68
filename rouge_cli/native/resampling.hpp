// Bootstraps: the draws and the additions of scoring/bootstrap.py and dialects/google/scoring.py, in their order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <future>
#include <new>
#include <vector>

#include "bits.hpp"

namespace rouge {

// Samples are drawn and added by twos: each draw, and each addition, waits for the one before it in its sample.
constexpr std::size_t TWO = 2;

// Rows of figures, of which some are drawn and added up, one after the other.
//
// Figures stand in blocks: a block's sums stay in registers, and its rows, no wider than they need be, in the cache.
class Rows {
public:
    // `rows` holds `size` rows of `width` figures.
    Rows(const std::vector<double>& rows, std::size_t size, std::size_t width) : size_(size), width_(width) {
        for (std::size_t start = 0; start < width; start += WIDEST) {
            const std::size_t figures = std::min(WIDEST, width - start);
            std::size_t padded = 1;
            while (padded < figures) padded *= 2;
            blocks_.push_back({start, figures, padded, std::vector<double>(size * padded + WIDEST, 0.0)});
            double* const cells = blocks_.back().first();
            for (std::size_t row = 0; row < size; ++row) {
                std::copy_n(rows.data() + row * width + start, figures, cells + row * padded);
            }
        }
    }

    std::size_t size() const { return size_; }

    // The sums of two samples, as rows from `sums` on. drawn: a row of the one, a row of the other, and so on.
    void add(const std::vector<std::uint32_t>& drawn, double* sums) const {
        for (const Block& block : blocks_) {
            const bool far = block.cells.size() > IN_CACHE;
            switch (block.padded) {
            case 1: add<1, 0>(block, drawn, sums); break;
            case 2: add<2, 0>(block, drawn, sums); break;
            case 4: far ? add<4, AHEAD>(block, drawn, sums) : add<4, 0>(block, drawn, sums); break;
            default: far ? add<WIDEST, AHEAD>(block, drawn, sums) : add<WIDEST, 0>(block, drawn, sums);
            }
        }
    }

private:
    static constexpr std::size_t WIDEST = 8, LINE = WIDEST * sizeof(double);
    static constexpr std::size_t IN_CACHE = 1 << 17;   // cells; rows of larger blocks are fetched from memory,
    static constexpr std::size_t AHEAD = 24;           // so many rows before they are added

    struct Block {
        std::size_t start, figures, padded;
        std::vector<double> cells;

        double* first() { return cells.data() + (LINE - reinterpret_cast<std::uintptr_t>(cells.data()) % LINE) / sizeof(double); }
        const double* first() const { return const_cast<Block*>(this)->first(); }
    };

    template <std::size_t WIDTH, std::size_t FETCHED>
    void add(const Block& block, const std::vector<std::uint32_t>& drawn, double* sums) const {
        const double* const cells = block.first();
        double sum[TWO][WIDTH] = {};
        for (std::size_t row = 0; row < size_; ++row) {
            for (std::size_t each = 0; each < TWO; ++each) {
                if (FETCHED > 0) fetch(cells + drawn[std::min(row + FETCHED, size_ - 1) * TWO + each] * WIDTH);
                const double* const figures = cells + drawn[row * TWO + each] * WIDTH;
                for (std::size_t figure = 0; figure < WIDTH; ++figure) sum[each][figure] += figures[figure];
            }
        }
        for (std::size_t each = 0; each < TWO; ++each) {
            std::copy_n(sum[each], block.figures, sums + each * width_ + block.start);
        }
    }

    std::size_t size_, width_;
    std::vector<Block> blocks_;
};

// Rows of `width` figures for so many samples, and for one more if their number is odd.
inline std::vector<double> rows_of_pairs(std::size_t samples, std::size_t width) {
    // More would overflow, not only fill the memory.
    if (width > 0 && samples > SIZE_MAX / sizeof(double) / (2 * TWO) / width) throw std::bad_alloc();
    return std::vector<double>((samples + 1) / TWO * TWO * width);
}

// The rows of two samples, by turns, of which one has this seed and the other the next.
inline void draw_two(std::uint32_t seed, std::size_t size, std::vector<std::uint32_t>& drawn) {
    constexpr std::uint64_t MASK = (std::uint64_t(1) << 48) - 1;
    std::uint64_t states[TWO];
    for (std::size_t each = 0; each < TWO; ++each) {
        states[each] = (static_cast<std::uint64_t>(seed + static_cast<std::uint32_t>(each)) << 16) + 0x330E;
    }
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t each = 0; each < TWO; ++each) {
            states[each] = (states[each] * 0x5DEECE66DULL + 0xB) & MASK;
            const double fraction = static_cast<double>(states[each]) / 281474976710656.0;
            drawn[row * TWO + each] = static_cast<std::uint32_t>(fraction * static_cast<double>(size));
        }
    }
}

// Calls `part(start, end)` for parts of what is numbered from 0, each in a thread: as many as there are jobs and work for.
template <typename Part>
void in_parts(std::size_t size, std::size_t jobs, std::size_t work, const Part& part) {
    constexpr std::size_t WORTH_A_THREAD = 1 << 19;  // of work in nanoseconds
    jobs = std::max<std::size_t>(1, std::min({jobs, size, work / WORTH_A_THREAD}));
    std::vector<std::future<void>> parts;
    for (std::size_t job = 0; job < jobs; ++job) {
        // The last part is this thread's own; so are those for which the system has no thread.
        const auto own = std::launch::deferred;
        const auto how = job + 1 < jobs ? std::launch::async | own : own;
        parts.push_back(std::async(how, part, size * job / jobs, size * (job + 1) / jobs));
    }
    for (std::size_t job = jobs; job-- > 0;) parts[job].get();
}

// The sums of so many samples, a row each. Each sample has a seed of its own, so that threads share them out.
inline std::vector<double> resampled(const std::vector<double>& figures, std::size_t size, std::size_t width,
                                     std::size_t times, std::uint32_t first, std::size_t jobs) {
    std::vector<double> sums = rows_of_pairs(times, width);
    const Rows rows(figures, size, width);
    const auto sample = [&](std::size_t pair, std::size_t end) {
        std::vector<std::uint32_t> drawn(size * TWO);
        for (; pair < end; ++pair) {
            draw_two(first + static_cast<std::uint32_t>(pair * TWO), size, drawn);
            rows.add(drawn, sums.data() + pair * TWO * width);
        }
    };
    const std::size_t of_a_draw = 4 + width / 8;  // nanoseconds
    in_parts((times + 1) / TWO, jobs, size * times * of_a_draw, sample);
    sums.resize(times * width);
    return sums;
}

// Sorts in ascending order, undefined values last.
//
// Sampled means lie so evenly that few have the same whole number of as many bits as two digits. These are sorted digit by
// digit, without a branch that could not be predicted.
inline void sort_means(std::vector<double>& means) {
    constexpr std::size_t BITS = 10, SIZE = std::size_t(1) << BITS;  // of a digit
    double least = means[0], most = means[0];
    bool are_numbers = true;
    for (double mean : means) {
        least = std::min(least, mean);
        most = std::max(most, mean);
        are_numbers &= !std::isnan(mean);
    }
    const double width = most - least, scale = static_cast<double>(SIZE * SIZE - 1) / width;
    if (are_numbers && width == 0) return;
    if (!are_numbers || !std::isfinite(scale) || !std::isfinite(width)) {
        std::sort(means.begin(), means.end(), [](double one, double other) {
            return one < other || (std::isnan(other) && !std::isnan(one));
        });
        return;
    }
    const auto number = [&](double mean) { return static_cast<std::size_t>(static_cast<std::int64_t>((mean - least) * scale)); };
    std::size_t places[2][SIZE + 1] = {};  // by digit, where the next mean goes that has it; first how many have the one before
    for (double mean : means) {
        ++places[0][number(mean) % SIZE + 1];
        ++places[1][number(mean) / SIZE + 1];
    }
    std::vector<double> sorted(means.size());
    for (std::size_t each = 0; each < 2; ++each) {
        for (std::size_t digit = 1; digit < SIZE; ++digit) places[each][digit] += places[each][digit - 1];
        for (double mean : means) sorted[places[each][number(mean) >> each * BITS & (SIZE - 1)]++] = mean;
        means.swap(sorted);
    }
    for (auto start = means.begin(), end = start; start != means.end(); start = end) {
        while (++end != means.end() && number(*end) == number(*start)) {}
        if (end - start > 1) std::sort(start, end);
    }
}

struct Interval {
    double value;
    double low;
    double high;
};

// The interval of so many sampled means with this total, given a function from rank to mean.
template <typename Mean>
Interval percentiles(const Mean& mean, double total, std::size_t times, double samples, double confidence) {
    const double outside = samples * ((100 - confidence) / 2) / 100;
    const double upper = std::trunc(samples - outside - 1), lower = std::trunc(outside);
    const double weight = samples - outside - 1 - upper;
    auto at = [&](double index) { return index < static_cast<double>(times) ? mean(static_cast<std::size_t>(index)) : 0.0; };
    auto between = [&](double index) { return at(index) + (at(index + 1) - at(index)) * weight; };
    return {total / static_cast<double>(times), between(lower), between(upper)};
}

// The mean of one column's sampled means, and their percentile interval.
inline Interval interval(std::vector<double>& means, double samples, double confidence) {
    sort_means(means);
    double total = 0.0;
    for (double mean : means) total += mean;
    return percentiles([&](std::size_t rank) { return means[rank]; }, total, means.size(), samples, confidence);
}

// The intervals of columns of one figure, which is the mean of every sample.
inline std::vector<Interval> intervals_of_one(const std::vector<double>& figures, std::size_t times, double samples, double confidence) {
    std::vector<double> totals(figures.size(), 0.0);
    for (std::size_t sample = 0; sample < times; ++sample) {
        for (std::size_t column = 0; column < figures.size(); ++column) totals[column] += figures[column];
    }
    std::vector<Interval> intervals;
    for (std::size_t column = 0; column < figures.size(); ++column) {
        intervals.push_back(percentiles([&](std::size_t) { return figures[column]; }, totals[column], times, samples, confidence));
    }
    return intervals;
}

// The intervals of the columns of `sums`, which holds a row of `width` sums for each sample.
inline std::vector<Interval> intervals(const std::vector<double>& sums, std::size_t width, std::size_t size, double samples,
                                       double confidence, std::size_t jobs) {
    constexpr std::size_t TOGETHER = 8, OF_A_MEAN = 10;  // as many as share a cache line, and nanoseconds
    std::vector<Interval> intervals(width);
    const auto estimate = [&](std::size_t group, std::size_t end) {
        std::vector<double> means[TOGETHER];
        for (; group < end; ++group) {
            const std::size_t column = group * TOGETHER, columns = std::min(TOGETHER, width - column);
            for (std::size_t each = 0; each < columns; ++each) means[each].resize(sums.size() / width);
            for (std::size_t row = 0; row < sums.size() / width; ++row) {
                const double* const of_row = sums.data() + row * width + column;
                for (std::size_t each = 0; each < columns; ++each) means[each][row] = of_row[each] / static_cast<double>(size);
            }
            for (std::size_t each = 0; each < columns; ++each) intervals[column + each] = interval(means[each], samples, confidence);
        }
    };
    in_parts((width + TOGETHER - 1) / TOGETHER, jobs, sums.size() * OF_A_MEAN, estimate);
    return intervals;
}

// The Mersenne Twister (Matsumoto and Nishimura 1998), read as numpy.random.RandomState does it.
class MersenneTwister {
public:
    // With the 624 words of a state, of which those before `next` have been used.
    MersenneTwister(const std::uint32_t* state, std::size_t next) : next_(std::min(next, SIZE)) {
        std::copy(state, state + SIZE, state_);
        temper();
    }

    const std::uint32_t* state() const { return state_; }
    std::size_t next() const { return next_; }

    // Numbers from 0 to `most`, at every `step`th place: what is not larger, of the bits that it needs.
    void draw(std::uint32_t most, std::uint32_t mask, std::size_t count, std::uint32_t* drawn, std::size_t step) {
        for (std::size_t left = count; left > 0;) {
            if (next_ == SIZE) twist();
            // Without a branch for each number: which are too large cannot be predicted.
            for (const std::size_t end = next_ + std::min<std::size_t>(SIZE - next_, left); next_ < end; ++next_) {
                *drawn = numbers_[next_] & mask;
                const bool is_drawn = *drawn <= most;
                drawn += is_drawn ? step : 0;
                left -= is_drawn;
            }
        }
    }

    static constexpr std::size_t SIZE = 624;

private:
    static constexpr std::size_t SHIFT = 397;

    static std::uint32_t mixed(std::uint32_t high, std::uint32_t low) {
        const std::uint32_t joined = (high & 0x80000000U) | (low & 0x7FFFFFFFU);
        return joined >> 1 ^ ((0U - (joined & 1)) & 0x9908B0DFU);
    }

    void twist() {
        for (std::size_t place = 0; place < SIZE - SHIFT; ++place) {
            state_[place] = state_[place + SHIFT] ^ mixed(state_[place], state_[place + 1]);
        }
        for (std::size_t place = SIZE - SHIFT; place < SIZE - 1; ++place) {
            state_[place] = state_[place + SHIFT - SIZE] ^ mixed(state_[place], state_[place + 1]);
        }
        state_[SIZE - 1] = state_[SHIFT - 1] ^ mixed(state_[SIZE - 1], state_[0]);
        temper();
        next_ = 0;
    }

    void temper() {
        for (std::size_t place = 0; place < SIZE; ++place) {
            std::uint32_t bits = state_[place];
            bits ^= bits >> 11;
            bits ^= bits << 7 & 0x9D2C5680U;
            bits ^= bits << 15 & 0xEFC60000U;
            numbers_[place] = bits ^ bits >> 18;
        }
    }

    std::uint32_t state_[SIZE], numbers_[SIZE];
    std::size_t next_;
};

// `figures` holds rows of `width` figures, at least one. For each sample: the means of as many rows drawn with
// replacement, added in drawing order; as rows again.
inline std::vector<double> resampled_means(const std::vector<double>& figures, std::size_t width, std::size_t samples,
                                           MersenneTwister& twister) {
    const Rows rows(figures, figures.size() / width, width);
    const std::uint32_t most = static_cast<std::uint32_t>(rows.size() - 1);
    std::uint32_t mask = most;
    for (int shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
    std::vector<std::uint32_t> drawn(rows.size() * TWO, 0);
    std::vector<double> means = rows_of_pairs(samples, width);
    for (std::size_t sample = 0; sample < samples; sample += TWO) {
        // One generator makes all draws, so that an odd last sample is the last.
        for (std::size_t each = 0; each < std::min(TWO, samples - sample) && most > 0; ++each) {
            twister.draw(most, mask, rows.size(), drawn.data() + each, TWO);
        }
        rows.add(drawn, means.data() + sample * width);
    }
    means.resize(samples * width);
    for (double& mean : means) mean /= static_cast<double>(rows.size());
    return means;
}

}  // namespace rouge
