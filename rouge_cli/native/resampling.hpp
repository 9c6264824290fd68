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
        std::vector<std::uint32_t> drawn(size_ * TOGETHER);
        for (; sample + TOGETHER <= end; sample += TOGETHER, sums += width_ * TOGETHER) draw<TOGETHER>(sample, drawn, sums);
        for (; sample < end; ++sample, sums += width_) draw<1>(sample, drawn, sums);
    }

private:
    // Samples are drawn by twos: each draw, and each addition, waits for the one before it in its sample.
    static constexpr std::size_t WIDEST = 8, TOGETHER = 2;

    struct Block {
        std::size_t start, figures, padded;
        std::vector<double> cells;
    };

    template <std::size_t SAMPLES>
    void draw(std::size_t sample, std::vector<std::uint32_t>& drawn, double* sums) const {
        constexpr std::uint64_t MASK = (std::uint64_t(1) << 48) - 1;
        std::uint64_t states[SAMPLES];
        for (std::size_t each = 0; each < SAMPLES; ++each) {
            states[each] = (static_cast<std::uint64_t>(first_ + static_cast<std::uint32_t>(sample + each)) << 16) + 0x330E;
        }
        for (std::size_t row = 0; row < size_; ++row) {
            for (std::size_t each = 0; each < SAMPLES; ++each) {
                states[each] = (states[each] * 0x5DEECE66DULL + 0xB) & MASK;
                const double fraction = static_cast<double>(states[each]) / 281474976710656.0;
                drawn[row * SAMPLES + each] = static_cast<std::uint32_t>(fraction * static_cast<double>(size_));
            }
        }
        for (const Block& block : blocks_) {
            switch (block.padded) {
            case 1: add<SAMPLES, 1>(block, drawn, sums); break;
            case 2: add<SAMPLES, 2>(block, drawn, sums); break;
            case 4: add<SAMPLES, 4>(block, drawn, sums); break;
            default: add<SAMPLES, WIDEST>(block, drawn, sums);
            }
        }
    }

    template <std::size_t SAMPLES, std::size_t WIDTH>
    void add(const Block& block, const std::vector<std::uint32_t>& drawn, double* sums) const {
        const double* const cells = block.cells.data();
        double sum[SAMPLES][WIDTH] = {};
        for (std::size_t row = 0; row < size_; ++row) {
            for (std::size_t each = 0; each < SAMPLES; ++each) {
                const double* const figures = cells + drawn[row * SAMPLES + each] * WIDTH;
                for (std::size_t figure = 0; figure < WIDTH; ++figure) sum[each][figure] += figures[figure];
            }
        }
        for (std::size_t each = 0; each < SAMPLES; ++each) {
            std::copy_n(sum[each], block.figures, sums + each * width_ + block.start);
        }
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

// Sorts in ascending order, undefined values last.
//
// Sampled means lie so evenly that buckets of equal width hold a few each, which is several times as fast as a sort.
inline void sort_means(std::vector<double>& means) {
    const bool are_numbers = std::none_of(means.begin(), means.end(), [](double mean) { return std::isnan(mean); });
    const auto range = std::minmax_element(means.begin(), means.end());
    const double least = *range.first, width = *range.second - least;
    const double scale = static_cast<double>(means.size()) / width;
    if (!are_numbers || !std::isfinite(scale) || !std::isfinite(width)) {
        std::sort(means.begin(), means.end(), [](double one, double other) {
            return one < other || (std::isnan(other) && !std::isnan(one));
        });
        return;
    }
    const auto bucket = [&](double mean) { return static_cast<std::size_t>((mean - least) * scale); };
    std::vector<std::size_t> ends(means.size() + 2, 0);  // of each bucket; first their starts
    for (double mean : means) ++ends[bucket(mean) + 1];
    for (std::size_t place = 1; place < ends.size(); ++place) ends[place] += ends[place - 1];
    std::vector<double> sorted(means.size());
    for (double mean : means) sorted[ends[bucket(mean)]++] = mean;
    auto start = sorted.begin();
    for (std::size_t end : ends) {
        const auto next = sorted.begin() + static_cast<std::ptrdiff_t>(end);
        if (next - start > 1) std::sort(start, next);
        start = next;
    }
    means.swap(sorted);
}

struct Interval {
    double value;
    double low;
    double high;
};

// The mean of one column's sampled means, and their percentile interval.
inline Interval interval(std::vector<double>& means, double samples, double confidence) {
    sort_means(means);
    double total = 0.0;
    for (double mean : means) total += mean;
    const double outside = samples * ((100 - confidence) / 2) / 100;
    const double upper = std::trunc(samples - outside - 1), lower = std::trunc(outside);
    const double weight = samples - outside - 1 - upper;
    auto at = [&](double index) {
        return index < static_cast<double>(means.size()) ? means[static_cast<std::size_t>(index)] : 0.0;
    };
    auto between = [&](double index) { return at(index) + (at(index + 1) - at(index)) * weight; };
    return {total / static_cast<double>(means.size()), between(lower), between(upper)};
}

// The intervals of the columns of `sums`, which holds a row of `width` sums for each sample.
inline std::vector<Interval> intervals(const std::vector<double>& sums, std::size_t width, std::size_t size, double samples,
                                       double confidence) {
    constexpr std::size_t TOGETHER = 8;  // as many as share a cache line
    std::vector<Interval> intervals;
    std::vector<double> means[TOGETHER];
    for (std::size_t column = 0; column < width; column += TOGETHER) {
        const std::size_t columns = std::min(TOGETHER, width - column);
        for (std::size_t each = 0; each < columns; ++each) means[each].clear();
        for (std::size_t row = column; row < sums.size(); row += width) {
            for (std::size_t each = 0; each < columns; ++each) means[each].push_back(sums[row + each] / static_cast<double>(size));
        }
        for (std::size_t each = 0; each < columns; ++each) intervals.push_back(interval(means[each], samples, confidence));
    }
    return intervals;
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
