// ROUGE-W's table and path: the twin of metrics/_lcs.py. No fused multiply-add may be used
// (-ffp-contract=off): ties between doubles decide the path.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bags.hpp"
#include "lcs.hpp"

namespace rouge {

// f(k) = k^W for every k that is needed, each computed once.
class Weights {
public:
    void set(double exponent) {
        if (exponent != exponent_) values_.clear();
        exponent_ = exponent;
    }

    double operator()(std::size_t length) { return upto(length)[length]; }

    // f(0) to f(length).
    const double* upto(std::size_t length) {
        while (values_.size() <= length) values_.push_back(std::pow(static_cast<double>(values_.size()), exponent_));
        return values_.data();
    }

private:
    double exponent_ = 1.0;
    std::vector<double> values_;
};

// The table of one sentence pair. Memory grows with the length of the sentences: of a large table only some rows are
// kept on the way down, and the rows between two of them are filled again when the path comes up to them.
class WeightedTable {
public:
    // Marks the rows on the weighted path. tokens: of the reference's sentence; below `distinct`.
    void mark(const Columns& pair, const Id* tokens, std::size_t distinct, Weights& weights, Word* marks) {
        collapse_columns(pair.columns, pair.width);
        collapse_rows(pair.columns, tokens, pair.rows, distinct);
        weight_ = weights.upto(std::min(rows_.size(), columns_.size()) + 1);
        cells_.assign(columns_.size() + 1, Cell());
        next_ = columns_.size();
        follow(0, rows_.size(), marks);
    }

private:
    // Beyond so many words of bits a table is divided into so many parts.
    static constexpr std::size_t MOST_KEPT = std::size_t(1) << 18;
    static constexpr std::size_t PARTS = 8;

    // The best weight up to a row and a column, and the run of matches that ends there.
    struct Cell {
        Word bits = 0;
        std::size_t run = 0;

        double value() const {
            double value;
            std::memcpy(&value, &bits, sizeof value);
            return value;
        }
    };

    static Word bits_of(double value) {
        Word bits;
        std::memcpy(&bits, &value, sizeof bits);
        return bits;
    }

    // Replaces runs of tokens that match nothing by one NOTHING.
    void collapse_columns(const std::vector<Column>& columns, std::size_t width) {
        columns_.clear();
        std::size_t next = 0;
        for (const Column& column : columns) {
            if (column.place > next) columns_.push_back(NOTHING);
            columns_.push_back(column.token);
            next = column.place + 1;
        }
        if (next < width) columns_.push_back(NOTHING);
    }

    void collapse_rows(const std::vector<Column>& columns, const Id* tokens, std::size_t rows, std::size_t distinct) {
        if (in_prediction_.size() < distinct) in_prediction_.resize(distinct);
        for (const Column& column : columns) in_prediction_[static_cast<std::size_t>(column.token)] = 1;
        rows_.resize(rows);
        positions_.resize(rows);
        std::size_t size = 0;
        bool nothing = false;
        for (std::size_t row = 0; row < rows; ++row) {  // without a branch, which could not be predicted
            const bool shared = in_prediction_[static_cast<std::size_t>(tokens[row])] != 0;
            size -= nothing && !shared;
            nothing = !shared;
            rows_[size] = shared ? tokens[row] : NOTHING;
            positions_[size++] = row;
        }
        rows_.resize(size);
        for (const Column& column : columns) in_prediction_[static_cast<std::size_t>(column.token)] = 0;
    }

    // Follows the path up from row `to` to row `from`. cells_: the row above `from`.
    void follow(std::size_t from, std::size_t to, Word* marks) {
        const std::size_t stride = next_ / 64 + 1;
        if (to - from <= PARTS || (to - from) * stride <= MOST_KEPT) {
            left_.assign((to - from) * stride, 0);
            fill(from, to, stride);
            trace(from, to, stride, marks);
            return;
        }
        const std::size_t size = (to - from + PARTS - 1) / PARTS;
        std::vector<std::vector<Cell>> starts;
        left_.assign(stride, 0);
        for (std::size_t start = from; start < to; start += size) {
            if (start > from) fill(start - size, start, 0);
            starts.emplace_back(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(next_ + 1));
        }
        for (; !starts.empty() && next_ > 0; starts.pop_back()) {
            const std::size_t start = from + (starts.size() - 1) * size;
            std::copy_n(starts.back().begin(), next_ + 1, cells_.begin());
            follow(start, std::min(start + size, to), marks);
        }
    }

    // Advances cells_ over rows [from, to), up to column next_. One bit a cell for "left"; matches are seen from the
    // tokens, all other cells go up. stride: words of a row of left_; 0 if the bits are not needed. Which cells match, or
    // go left, cannot be predicted: there is no branch on it, and values, which are not negative, are compared as bits.
    void fill(std::size_t from, std::size_t to, std::size_t stride) {
        constexpr Id NONE = NOTHING - 1;  // is in no column
        const double* weight = weight_;
        for (std::size_t i = from; i < to; ++i) {
            const Id token = rows_[i] == NOTHING ? NONE : rows_[i];
            Word* lefts = left_.data() + (i - from) * stride;
            Cell before, diagonal;  // of this row, and of the one above
            for (std::size_t start = 0; start < next_; start += 64) {
                Word bits = 0;
                const std::size_t end = std::min(next_, start + 64);
                for (std::size_t j = start; j < end; ++j) {
                    Cell& cell = cells_[j + 1];
                    const Cell above = cell;
                    const Word match = Word(0) - (columns_[j] == token);  // all bits, or none
                    const double matched = diagonal.value() + weight[diagonal.run + 1] - weight[diagonal.run];
                    const Word here = (bits_of(matched) & match) | (above.bits & ~match), there = before.bits & ~match;
                    const Word left = here < there;
                    bits |= left << j % 64;
                    before.bits = left ? there : here;
                    before.run = (diagonal.run + 1) & match;
                    cell = before;
                    diagonal = above;
                }
                lefts[start / 64] = bits;
            }
        }
    }

    void trace(std::size_t from, std::size_t to, std::size_t stride, Word* marks) {
        std::size_t i = to, j = next_;
        while (i > from && j > 0) {
            if (rows_[i - 1] != NOTHING && rows_[i - 1] == columns_[j - 1]) {
                const std::size_t row = positions_[--i];
                marks[row / 64] |= Word(1) << row % 64;
                --j;
            } else if ((left_[(i - 1 - from) * stride + (j - 1) / 64] >> (j - 1) % 64 & 1) != 0) {
                --j;
            } else {
                --i;
            }
        }
        next_ = j;
    }

    std::vector<char> in_prediction_;
    Ids columns_, rows_;
    std::vector<std::size_t> positions_;
    std::vector<Word> left_;
    std::vector<Cell> cells_;
    const double* weight_ = nullptr;
    std::size_t next_ = 0;  // the path is left of this column
};

}  // namespace rouge
