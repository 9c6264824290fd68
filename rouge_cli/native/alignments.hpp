// Alignments of days, as in dialects/tilse/counts.py: the costs, and the two ways to align by them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

namespace rouge {

// The days of a side, in order.
struct Days {
    std::vector<std::int64_t> dates;
    std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> words;  // of each day: (word, frequency)

    std::int64_t total(std::size_t day) const {
        std::int64_t total = 0;
        for (const auto& word : words[day]) total += word.second;
        return total;
    }
};

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;  // (row, column), sorted by row

constexpr double INFINITE = std::numeric_limits<double>::infinity();

// A matrix of costs. Ties must be equal to the last bit, so do not change the order of operations.
class Costs {
public:
    Costs(std::size_t rows, std::size_t columns) : rows(rows), columns(columns), costs_(rows * columns) {}

    // Equation 9.
    Costs(const Days& predicted, const Days& references) : Costs(predicted.dates.size(), references.dates.size()) {
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < columns; ++column) {
                const std::int64_t days = std::abs(predicted.dates[row] - references.dates[column]);
                at(row, column) = 1 - 1 / static_cast<double>(days + 1);
            }
        }
    }

    // Equation 10: costs fall by the F1 of common words. `words` is the number of different words, and `times` the number
    // of references.
    void reduce(const Days& predicted, const Days& references, std::size_t words, std::size_t times) {
        std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> columns_of(words);
        std::vector<std::int64_t> totals(columns), shared(columns);
        for (std::size_t column = 0; column < columns; ++column) {
            totals[column] = references.total(column);
            for (const auto& word : references.words[column]) columns_of[word.first].emplace_back(column, word.second);
        }
        for (std::size_t row = 0; row < rows; ++row) {
            std::fill(shared.begin(), shared.end(), 0);
            for (const auto& word : predicted.words[row]) {
                for (const auto& day : columns_of[word.first]) shared[day.first] += std::min(word.second, day.second);
            }
            const double total = static_cast<double>(static_cast<std::int64_t>(times) * predicted.total(row));
            for (std::size_t column = 0; column < columns; ++column) {
                if (shared[column] == 0) continue;
                const double match = static_cast<double>(shared[column]);
                const double precision = match / total, recall = match / static_cast<double>(totals[column]);
                at(row, column) *= 1 - 2 * precision * recall / (precision + recall);
            }
        }
    }

    Costs transposed() const {
        Costs costs(columns, rows);
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < columns; ++column) costs.at(column, row) = at(row, column);
        }
        return costs;
    }

    double& at(std::size_t row, std::size_t column) { return costs_[row * columns + column]; }
    const double& at(std::size_t row, std::size_t column) const { return costs_[row * columns + column]; }

    const std::size_t rows, columns;

private:
    std::vector<double> costs_;
};

// The first column of least cost for each row.
inline Pairs many_to_one(const Costs& costs) {
    Pairs pairs;
    for (std::size_t row = 0; row < costs.rows && costs.columns > 0; ++row) {
        const double* const first = &costs.at(row, 0);
        pairs.emplace_back(row, std::min_element(first, first + costs.columns) - first);
    }
    return pairs;
}

// The assignment of least total cost, for at most as many rows as columns: the same paths as in Python.
//
// A path ends at the latest at the nearest free column that is known, whose distance is the bound. Columns beyond it are
// not looked at: rounding keeps order, so that a block's least cost gives a lower limit of its computed distances.
class Assignment {
public:
    explicit Assignment(const Costs& costs)
        : costs_(costs), blocks_((costs.columns + BLOCK - 1) / BLOCK), least_(costs.rows * blocks_, INFINITE), potential_(costs.rows, 0.0),
          prices_(costs.columns, 0.0), highest_(blocks_, 0.0), of_row_(costs.rows, FREE), of_column_(costs.columns, FREE), before_(costs.columns), index_(costs.columns) {
        for (std::size_t row = 0; row < costs.rows; ++row) {
            for (std::size_t column = 0; column < costs.columns; ++column) {
                double& least = least_[row * blocks_ + column / BLOCK];
                least = std::min(least, costs.at(row, column));
            }
        }
        for (std::size_t row = 0; row < costs.rows; ++row) extend(row);
    }

    Pairs pairs() const {
        Pairs pairs;
        for (std::size_t row = 0; row < of_row_.size(); ++row) pairs.emplace_back(row, of_row_[row]);
        return pairs;
    }

private:
    static constexpr std::size_t BLOCK = 24, FREE = SIZE_MAX;

    // Assigns the row, along the shortest path to a free column.
    void extend(std::size_t start) {
        const std::size_t columns = costs_.columns;
        distances_.assign(columns, INFINITE);
        left_.resize(columns);
        for (std::size_t index = 0; index < columns; ++index) index_[left_[index] = columns - 1 - index] = index;
        seen_.clear();
        open_.clear();
        bound_ = INFINITE;
        std::size_t column = FREE;
        level_ = 0.0;
        for (std::size_t row = start; row != FREE; row = of_column_[column]) {
            look_from(row, level_);
            column = next();
        }
        potential_[start] += level_;
        for (const auto& [passed, distance] : seen_) {
            if (passed != column) potential_[of_column_[passed]] += level_ - distance;
            prices_[passed] -= level_ - distance;
        }
        for (const auto& [passed, distance] : seen_) {
            const std::size_t block = passed / BLOCK, end = std::min((block + 1) * BLOCK, columns);
            highest_[block] = *std::max_element(prices_.begin() + block * BLOCK, prices_.begin() + end);
        }
        while (column != FREE) {
            const std::size_t row = of_column_[column] = before_[column];
            std::swap(of_row_[row], column);
        }
    }

    // Updates the distances of the columns that the row leads to.
    void look_from(std::size_t row, const double reached) {
        const double *const costs = &costs_.at(row, 0), *const prices = prices_.data(), *const least = least_.data() + row * blocks_, *const highest = highest_.data();
        double* const distances = distances_.data();
        const double potential = potential_[row];
        double bound = bound_;
        for (std::size_t block = 0; block < blocks_; ++block) {
            if (reached + least[block] - potential - highest[block] > bound) continue;
            const std::size_t end = std::min((block + 1) * BLOCK, costs_.columns);
            for (std::size_t column = block * BLOCK; column < end; ++column) {
                const double distance = reached + costs[column] - potential - prices[column];
                if (distance > bound || !(distance < distances[column])) continue;
                distances[column] = distance;
                before_[column] = row;
                if (of_column_[column] == FREE) bound = distance;
                open_.emplace_back(column, distance);
            }
        }
        bound_ = bound;
    }

    // Passes the nearest column: on ties the last free one in `left_`, or else the first. Drops columns beyond the bound, and
    // former distances.
    std::size_t next() {
        std::size_t kept = 0, best = 0;
        for (const auto& [column, distance] : open_) {
            if (distance > bound_ || distances_[column] != distance) continue;
            open_[kept] = {column, distance};
            const auto& [nearest, level] = open_[best];
            const bool is_free = of_column_[column] == FREE, is_later = index_[column] > index_[nearest];
            if (distance < level || (distance == level && (is_free != (of_column_[nearest] == FREE) ? is_free : is_free == is_later))) best = kept;
            ++kept;
        }
        const auto [column, level] = open_[best];
        level_ = level;
        open_[best] = open_[kept - 1];
        open_.resize(kept - 1);
        const std::size_t last = left_.back();
        seen_.emplace_back(column, level_);
        distances_[column] = -INFINITE;  // never looked at again
        index_[last] = index_[column];
        left_[index_[column]] = last;
        left_.pop_back();
        return column;
    }

    const Costs& costs_;
    const std::size_t blocks_;
    std::vector<double> least_;  // costs by row and block of columns
    std::vector<double> potential_, prices_, highest_;  // `highest_`: the prices of a block
    std::vector<std::size_t> of_row_, of_column_;
    // Of the path: the row before each column, `left_` as in Python and the indices in it, and the distances.
    std::vector<std::size_t> before_, index_, left_;
    std::vector<double> distances_;
    std::vector<std::pair<std::size_t, double>> seen_, open_;  // columns with their distances
    double bound_ = INFINITE, level_ = 0.0;
};

// The pairs of least total cost.
inline Pairs one_to_one(const Costs& costs) {
    if (costs.rows == 0 || costs.columns == 0) return {};
    if (costs.rows <= costs.columns) return Assignment(costs).pairs();
    Pairs pairs = Assignment(costs.transposed()).pairs();
    for (auto& [row, column] : pairs) std::swap(row, column);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

// The aligned days, for precision sorted by rows and for recall sorted by columns. `many`: whether several days may share one.
inline void both_directions(const Costs& costs, bool many, Pairs& precision, Pairs& recall) {
    precision = many ? many_to_one(costs) : one_to_one(costs);
    if (many || costs.rows == costs.columns) {
        const Costs back = costs.transposed();
        recall = many ? many_to_one(back) : one_to_one(back);
        for (auto& [column, row] : recall) std::swap(column, row);
    } else {  // an oblong matrix has one assignment, but on ties a square one may have two (QUIRKS 40)
        recall = precision;
        std::sort(recall.begin(), recall.end(), [](const auto& one, const auto& other) { return one.second < other.second; });
    }
}

}  // namespace rouge
