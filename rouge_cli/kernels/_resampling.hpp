// The bootstrap, compiled: the same draws and the same additions in the same order as scoring/bootstrap.py.
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

}  // namespace rouge
