// The Poisson bootstrap: the draws and sums of scoring/poisson.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace rouge {

// A word of 64 bits whose bits all depend on all bits of the word (SplitMix64).
inline std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9U;
    word = (word ^ word >> 27) * 0x94D049BB133111EBU;
    return word ^ word >> 31;
}

// The state from which an eval draws: FNV-1a of the bytes of its ID, mixed with the seed.
inline std::uint64_t key_of(const char* bytes, std::size_t size, std::uint64_t seed) {
    std::uint64_t word = 0xCBF29CE484222325U;
    for (std::size_t place = 0; place < size; ++place) word = (word ^ static_cast<unsigned char>(bytes[place])) * 0x100000001B3U;
    return mixed(word ^ mixed(seed));
}

// Adds evals to sums of samples. Sums are of whole numbers: doubles hold them until a tile of samples is done.
class PoissonSums {
public:
    // limits: of the draws, eight of them. numbers: a whole number of each eval in each column, one column after the other.
    PoissonSums(const std::uint16_t* limits, const std::vector<std::uint64_t>& keys, const std::vector<double>& numbers)
        : limits_(limits), keys_(keys), numbers_(numbers), columns_(keys.empty() ? 0 : numbers.size() / keys.size()) {}

    // False for numbers whose sums may need more than 53 bits.
    bool fits() const {
        for (std::size_t column = 0; column < columns_; ++column) {
            double sum = 0;
            for (std::size_t eval = 0; eval < keys_.size(); ++eval) sum += std::abs(numbers_[column * keys_.size() + eval]);
            if (!(sum < 9007199254740992.0 / LIMITS)) return false;
        }
        return true;
    }

    // sums: the numbers of evals in each sample, and then of each column. Throws overflow_error if one does not fit.
    void add(std::int64_t* sums, std::size_t samples) const {
        std::vector<double> totals((columns_ + 1) * TILE);
        for (std::size_t first = 0; first < samples; first += TILE) {
            std::fill(totals.begin(), totals.end(), 0.0);
            for (std::size_t eval = 0; eval < keys_.size(); eval += TOGETHER) add_to(totals.data(), first, eval);
            const std::size_t drawn = std::min(TILE, samples - first);
            for (std::size_t column = 0; column <= columns_; ++column) {
                for (std::size_t sample = 0; sample < drawn; ++sample) {
                    add_checked(sums[column * samples + first + sample], totals[column * TILE + sample]);
                }
            }
        }
    }

private:
    // Samples and evals at once: their occurrences stay in the cache.
    static constexpr std::size_t TILE = 256, TOGETHER = 8, DRAWS = 4, LIMITS = 8;

    void add_to(double* totals, std::size_t first, std::size_t eval) const {
        double times[TOGETHER][TILE];
        const std::size_t evals = std::min(TOGETHER, keys_.size() - eval);
        for (std::size_t place = 0; place < TOGETHER; ++place) {
            if (place < evals) {
                draw(keys_[eval + place], first, times[place]);
                if (first == 0) times[place][0] = 1;  // the first sample has every eval once
            } else {
                std::fill_n(times[place], TILE, 0.0);
            }
        }
        double numbers[TOGETHER];
        std::fill_n(numbers, TOGETHER, 1.0);
        add_column(times, numbers, totals);
        for (std::size_t column = 0; column < columns_; ++column) {
            std::fill_n(numbers, TOGETHER, 0.0);
            std::copy_n(numbers_.data() + column * keys_.size() + eval, evals, numbers);
            add_column(times, numbers, totals + (column + 1) * TILE);
        }
    }

    static void add_column(const double (&times)[TOGETHER][TILE], const double (&numbers)[TOGETHER], double* totals) {
        const double n0 = numbers[0], n1 = numbers[1], n2 = numbers[2], n3 = numbers[3];
        const double n4 = numbers[4], n5 = numbers[5], n6 = numbers[6], n7 = numbers[7];
        for (std::size_t sample = 0; sample < TILE; ++sample) {
            totals[sample] += ((times[0][sample] * n0 + times[1][sample] * n1) + (times[2][sample] * n2 + times[3][sample] * n3)) +
                              ((times[4][sample] * n4 + times[5][sample] * n5) + (times[6][sample] * n6 + times[7][sample] * n7));
        }
    }

    // How often an eval occurs in each sample of a tile.
    void draw(std::uint64_t key, std::size_t first, double* times) const {
        std::uint16_t draws[TILE];
        for (std::size_t place = 0; place < TILE / DRAWS; ++place) {
            const std::uint64_t word = mixed(key + (first / DRAWS + place + 1) * 0x9E3779B97F4A7C15U);
            for (std::size_t draw = 0; draw < DRAWS; ++draw) draws[place * DRAWS + draw] = static_cast<std::uint16_t>(word >> 16 * draw);
        }
        std::uint16_t numbers[TILE] = {};
        for (std::size_t limit = 0; limit < LIMITS; ++limit) {
            const std::uint16_t least = limits_[limit];
            for (std::size_t sample = 0; sample < TILE; ++sample) {
                numbers[sample] = static_cast<std::uint16_t>(numbers[sample] + (draws[sample] >= least ? 1 : 0));
            }
        }
        for (std::size_t sample = 0; sample < TILE; ++sample) times[sample] = static_cast<double>(static_cast<std::int32_t>(numbers[sample]));
    }

    static void add_checked(std::int64_t& sum, double total) {
        constexpr std::int64_t LARGEST = std::numeric_limits<std::int64_t>::max(), LOWEST = std::numeric_limits<std::int64_t>::min();
        const std::int64_t whole = static_cast<std::int64_t>(total);
        if (whole > 0 ? sum > LARGEST - whole : sum < LOWEST - whole) throw std::overflow_error("a sum does not fit in 64 bits");
        sum += whole;
    }

    const std::uint16_t* limits_;
    const std::vector<std::uint64_t>& keys_;
    const std::vector<double>& numbers_;
    std::size_t columns_;
};

}  // namespace rouge
