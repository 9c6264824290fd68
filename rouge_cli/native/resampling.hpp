// Bootstraps: the draws and the additions of scoring/bootstrap.py and dialects/google/scoring.py, in their order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rouge {

// `rows` holds `size` rows of `width` figures. For each sample: the sums of `size` rows drawn with
// replacement, added in drawing order; as rows again, one a sample. `first`: the first sample's seed.
inline std::vector<double> resampled(const std::vector<double>& rows, std::size_t size, std::size_t width,
                                     std::size_t times, std::uint32_t first) {
    // Eight figures at a time: their sums stay in registers, and their rows in the cache.
    constexpr std::size_t BLOCK = 8;
    constexpr std::uint64_t MASK = (std::uint64_t(1) << 48) - 1;
    const std::size_t blocks = (width + BLOCK - 1) / BLOCK;
    std::vector<double> blocked(blocks * size * BLOCK, 0.0), sums(times * width);
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t figure = 0; figure < width; ++figure) {
            blocked[(figure / BLOCK * size + row) * BLOCK + figure % BLOCK] = rows[row * width + figure];
        }
    }
    std::vector<std::uint32_t> drawn(size);
    for (std::size_t sample = 0; sample < times; ++sample) {
        std::uint64_t state = (static_cast<std::uint64_t>(first + static_cast<std::uint32_t>(sample)) << 16) + 0x330E;
        for (std::uint32_t& row : drawn) {
            state = (state * 0x5DEECE66DULL + 0xB) & MASK;
            const double fraction = static_cast<double>(state) / 281474976710656.0;
            row = static_cast<std::uint32_t>(fraction * static_cast<double>(size));
        }
        for (std::size_t block = 0; block < blocks; ++block) {
            const double* from = blocked.data() + block * size * BLOCK;
            double sum[BLOCK] = {};
            for (std::uint32_t row : drawn) {
                const double* figures = from + row * BLOCK;
                for (std::size_t figure = 0; figure < BLOCK; ++figure) sum[figure] += figures[figure];
            }
            std::copy_n(sum, std::min(BLOCK, width - block * BLOCK), sums.data() + sample * width + block * BLOCK);
        }
    }
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
