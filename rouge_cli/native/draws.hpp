// The draws of studies/draws.py, as numpy's default generator makes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"

namespace rouge {

// Rows of a score in each column, a row to a unit.
struct Scores {
    const double* rows;
    std::size_t units, columns;
};

// How often each of a few units occurs, by the value of random bits.
struct Occurrences {
    const std::uint16_t* numbers;  // in ascending order; their digits are how often units occur
    std::size_t size;
    const double* chances;         // of all numbers of 16 bits for larger values, cumulative
};

// PCG64 (O'Neill 2014), whose 64 bits numpy uses as two numbers of 32 bits: the lower half, then the upper.
class Pcg64 {
public:
    // The state, and the increment: upper and lower halves of 128 bits.
    Pcg64(std::uint64_t state_high, std::uint64_t state_low, std::uint64_t high, std::uint64_t low)
        : state_{state_high, state_low}, increment_{high, low} {}

    // Adds the sums of units to each trial, which has a row of sums. BITS: of a digit. Bits for as many units as they have
    // digits select the sum of these units from a table.
    template <std::size_t BITS> void add(const Occurrences& occurrences, const Scores& scores, std::size_t trials, double* sums) {
        if (scores.columns > 4) return add<BITS, 8>(occurrences, scores, trials, sums);
        if (scores.columns > 2) return add<BITS, 4>(occurrences, scores, trials, sums);
        add<BITS, 2>(occurrences, scores, trials, sums);
    }

    // Draws more units for each trial, by Lemire's method (2019), until it has as many as there are. The last column counts them.
    void complete(const Scores& scores, std::size_t trials, double* sums) {
        const std::uint32_t size = static_cast<std::uint32_t>(scores.units), least = (0U - size) % size;
        std::vector<const double*> rows;
        for (std::size_t trial = 0; trial < trials; ++trial, sums += scores.columns) {
            const double missing = static_cast<double>(scores.units) - sums[scores.columns - 1];
            for (rows.clear(); static_cast<double>(rows.size()) < missing;) {
                const std::uint64_t product = std::uint64_t(next_half()) * size;
                if (static_cast<std::uint32_t>(product) < least) continue;
                rows.push_back(scores.rows + (product >> 32) * scores.columns);
                fetch(rows.back());
                fetch(rows.back() + scores.columns - 1);
            }
            std::size_t column = 0;
            for (; column + 4 <= scores.columns; column += 4) add_rows<4>(rows, column, sums);
            for (; column < scores.columns; ++column) add_rows<1>(rows, column, sums);
        }
    }

private:
    struct Wide {
        std::uint64_t high, low;
    };

    static constexpr std::size_t WORD = 64;

    template <std::size_t BITS, std::size_t WIDTH>
    void add(const Occurrences& occurrences, const Scores& scores, std::size_t trials, double* sums) {
        constexpr std::size_t UNITS = BITS == 1 ? 8 : 4, GROUPS = WORD / (UNITS * BITS), TOGETHER = UNITS * GROUPS;
        const std::size_t blocks = (scores.columns + WIDTH - 1) / WIDTH;
        std::vector<double> totals(blocks * trials * WIDTH), tables[GROUPS];
        std::vector<std::uint32_t> places(trials * GROUPS);
        std::vector<std::uint16_t> numbers[GROUPS], values;
        for (std::size_t value = 0; value < occurrences.size; ++value) {  // the same numbers are neighbours
            if (value == 0 || occurrences.numbers[value] != numbers[0].back()) numbers[0].push_back(occurrences.numbers[value]);
            values.push_back(static_cast<std::uint16_t>(numbers[0].size() - 1));
        }
        const std::size_t frequent = numbers[0].size();
        values.resize(std::size_t(1) << UNITS * BITS, static_cast<std::uint16_t>(frequent));
        for (std::size_t group = 1; group < GROUPS; ++group) numbers[group] = numbers[0];
        const auto each_sum = [&](auto function) {
            for (std::size_t trial = 0; trial < trials; ++trial) {
                for (std::size_t column = 0; column < scores.columns; ++column) {
                    function(totals[(column / WIDTH * trials + trial) * WIDTH + column % WIDTH], sums[trial * scores.columns + column]);
                }
            }
        };
        each_sum([](double& total, double sum) { total = sum; });
        for (std::size_t start = 0; start < scores.units; start += TOGETHER) {
            draw<GROUPS>(values, frequent, occurrences.chances, places, numbers);
            for (std::size_t block = 0; block < blocks; ++block) {
                const std::size_t first = block * WIDTH, columns = std::min(WIDTH, scores.columns - first);
                double units[TOGETHER][WIDTH] = {};
                for (std::size_t unit = 0; unit < std::min(TOGETHER, scores.units - start); ++unit) {
                    std::copy_n(scores.rows + (start + unit) * scores.columns + first, columns, units[unit]);
                }
                const double* of_group[GROUPS];
                for (std::size_t group = 0; group < GROUPS; ++group) {
                    tabulate<BITS, UNITS, WIDTH>(numbers[group], units + group * UNITS, tables[group]);
                    of_group[group] = tables[group].data();
                }
                double* total = totals.data() + block * trials * WIDTH;
                for (std::size_t place = 0; place < places.size(); place += GROUPS, total += WIDTH) {
                    double sum[WIDTH];
                    std::copy_n(total, WIDTH, sum);
                    for (std::size_t group = 0; group < GROUPS; ++group) {
                        const double* const selected = of_group[group] + places[place + group] * WIDTH;
                        for (std::size_t column = 0; column < WIDTH; ++column) sum[column] += selected[column];
                    }
                    std::copy_n(sum, WIDTH, total);
                }
            }
        }
        each_sum([](double total, double& sum) { sum = total; });
    }

    // Adds the sums of WIDTH columns of the rows, which stay in registers.
    template <std::size_t WIDTH> static void add_rows(const std::vector<const double*>& rows, std::size_t first, double* sums) {
        double sum[WIDTH] = {};
        for (const double* row : rows) {
            for (std::size_t column = 0; column < WIDTH; ++column) sum[column] += row[first + column];
        }
        for (std::size_t column = 0; column < WIDTH; ++column) sums[first + column] += sum[column];
    }

    // Draws the places of the numbers of each trial's groups. A group's numbers are the frequent ones, and then its rare ones.
    template <std::size_t GROUPS>
    void draw(const std::vector<std::uint16_t>& values, std::size_t frequent, const double* chances, std::vector<std::uint32_t>& places,
              std::vector<std::uint16_t> (&numbers)[GROUPS]) {
        for (std::vector<std::uint16_t>& of_group : numbers) of_group.resize(frequent);
        std::vector<std::size_t> rare;
        for (std::size_t place = 0; place < places.size(); place += GROUPS) {
            std::uint64_t word = next();
            for (std::size_t group = 0; group < GROUPS; ++group, word >>= WORD / GROUPS) {
                places[place + group] = values[word & ((std::uint64_t(1) << WORD / GROUPS) - 1)];
                if (places[place + group] == frequent) rare.push_back(place + group);
            }
        }
        for (std::size_t place : rare) {
            const double chance = static_cast<double>(next() >> 11) / 9007199254740992.0;
            std::size_t number = 0;
            for (std::size_t step = 1 << 15; step > 0; step /= 2) {  // without a branch, which could not be predicted
                number += chances[number + step - 1] <= chance ? step : 0;
            }
            std::vector<std::uint16_t>& of_group = numbers[place % GROUPS];
            places[place] = static_cast<std::uint32_t>(of_group.size());
            of_group.push_back(static_cast<std::uint16_t>(number));
        }
    }

    // The sums of a few units, as often as each number has them: of the first half, and of the second.
    template <std::size_t BITS, std::size_t UNITS, std::size_t WIDTH>
    static void tabulate(const std::vector<std::uint16_t>& numbers, const double (*units)[WIDTH], std::vector<double>& table) {
        constexpr std::size_t HALF = UNITS / 2, NUMBERS = std::size_t(1) << HALF * BITS;
        double halves[2][NUMBERS][WIDTH];
        bool is_known[2][NUMBERS] = {};
        table.resize(numbers.size() * WIDTH);
        double* sum = table.data();
        for (std::uint16_t number : numbers) {
            const std::size_t digits[2] = {number % NUMBERS, number / NUMBERS};
            for (std::size_t half = 0; half < 2; ++half) {
                if (is_known[half][digits[half]]) continue;
                is_known[half][digits[half]] = true;
                weigh<BITS, HALF, WIDTH>(digits[half], units + half * HALF, halves[half][digits[half]]);
            }
            for (std::size_t column = 0; column < WIDTH; ++column) {
                *sum++ = halves[0][digits[0]][column] + halves[1][digits[1]][column];
            }
        }
    }

    // The sum of units, as often as the digits of a number.
    template <std::size_t BITS, std::size_t UNITS, std::size_t WIDTH>
    static void weigh(std::size_t number, const double (*units)[WIDTH], double* sum) {
        double total[WIDTH] = {};
        for (std::size_t unit = 0; unit < UNITS; ++unit, number >>= BITS) {
            const double times = static_cast<double>(number % (1 << BITS));
            for (std::size_t column = 0; column < WIDTH; ++column) total[column] += times * units[unit][column];
        }
        std::copy_n(total, WIDTH, sum);
    }

    std::uint64_t next() {
        constexpr Wide FACTOR = {2549297995355413924U, 4865540595714422341U};
        const std::uint64_t low = state_.low * FACTOR.low + increment_.low;
        state_.high = upper_product(state_.low, FACTOR.low) + state_.low * FACTOR.high + state_.high * FACTOR.low +
                      increment_.high + (low < increment_.low ? 1 : 0);
        state_.low = low;
        const std::uint64_t mixed = state_.high ^ state_.low, times = state_.high >> 58;
        return mixed >> times | mixed << (-times & 63);
    }

    // The lower half of a word, then its upper half.
    std::uint32_t next_half() {
        word_ = has_half_ ? word_ >> 32 : next();
        has_half_ = !has_half_;
        return static_cast<std::uint32_t>(word_);
    }

    Wide state_, increment_;
    std::uint64_t word_ = 0;
    bool has_half_ = false;  // whether the upper half is left
};

}  // namespace rouge
