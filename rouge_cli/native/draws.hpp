// The draws of studies/draws.py, as numpy's default generator makes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"

namespace rouge {

// PCG64 (O'Neill 2014), whose 64 bits numpy uses as two numbers of 32 bits: the lower half, then the upper.
class Pcg64 {
public:
    // The state, and the increment: upper and lower halves of 128 bits.
    Pcg64(std::uint64_t state_high, std::uint64_t state_low, std::uint64_t high, std::uint64_t low)
        : state_{state_high, state_low}, increment_{high, low} {}

    // Fills rows with how often each of the units is drawn: as many numbers as units, by Lemire's method (2019).
    void count(double* weights, std::size_t rows, std::size_t units) {
        const std::uint32_t size = static_cast<std::uint32_t>(units), least = (0U - size) % size;
        std::vector<std::int32_t> times(units);  // smaller than the row, for the cache
        for (std::size_t row = 0; row < rows; ++row, weights += units) {
            std::fill(times.begin(), times.end(), units == 1 ? 1 : 0);
            std::size_t left = units == 1 ? 0 : units;  // of one unit, nothing is drawn
            const auto add = [&](std::uint32_t number) {
                const std::uint64_t product = std::uint64_t(number) * size;
                const bool is_drawn = static_cast<std::uint32_t>(product) >= least;
                if (is_drawn) ++times[product >> 32];
                return is_drawn;
            };
            if (left > 0 && is_kept_) left -= add(upper());
            while (left > 1) {
                const std::uint64_t bits = next();
                left -= add(static_cast<std::uint32_t>(bits));
                left -= add(static_cast<std::uint32_t>(bits >> 32));
            }
            while (left > 0) left -= add(is_kept_ ? upper() : lower());
            std::copy(times.begin(), times.end(), weights);
        }
    }

    // Fills an array with 1 and -1.
    void sign(double* weights, std::size_t size) {
        static constexpr double SIGNS[2] = {-1.0, 1.0};  // a branch could not be predicted
        double* const end = weights + size;
        if (size > 0 && is_kept_) *weights++ = SIGNS[upper() >> 31];
        for (; end - weights > 1; weights += 2) {
            const std::uint64_t bits = next();
            weights[0] = SIGNS[bits >> 31 & 1];
            weights[1] = SIGNS[bits >> 63];
        }
        if (weights < end) *weights = SIGNS[lower() >> 31];
    }

private:
    struct Wide {
        std::uint64_t high, low;
    };

    std::uint64_t next() {
        constexpr Wide FACTOR = {2549297995355413924U, 4865540595714422341U};
        const std::uint64_t low = state_.low * FACTOR.low + increment_.low;
        state_.high = upper_product(state_.low, FACTOR.low) + state_.low * FACTOR.high + state_.high * FACTOR.low +
                      increment_.high + (low < increment_.low ? 1 : 0);
        state_.low = low;
        const std::uint64_t mixed = state_.high ^ state_.low, times = state_.high >> 58;
        return mixed >> times | mixed << (-times & 63);
    }

    std::uint32_t lower() {
        kept_ = next();
        is_kept_ = true;
        return static_cast<std::uint32_t>(kept_);
    }

    std::uint32_t upper() {
        is_kept_ = false;
        return static_cast<std::uint32_t>(kept_ >> 32);
    }

    Wide state_, increment_;
    std::uint64_t kept_ = 0;
    bool is_kept_ = false;  // whether the upper half is left
};

}  // namespace rouge
