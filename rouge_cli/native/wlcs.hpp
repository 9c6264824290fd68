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
        if (last_.size() < distinct) last_.resize(distinct);
        collapse_columns(pair.columns, pair.width);
        collapse_rows(tokens, pair.rows);
        weight_ = weights.upto(std::min(rows_.size(), columns_.size()) + 1);
        cells_.assign(columns_.size() + 1, Cell());
        next_ = columns_.size();
        follow(0, mark_common_end(marks), marks);
        for (const Column& column : pair.columns) last_[static_cast<std::size_t>(column.token)] = 0;
    }

private:
    // Beyond so many words of bits a table is divided into so many parts.
    static constexpr std::size_t MOST_KEPT = std::size_t(1) << 18;
    static constexpr std::size_t PARTS = 8;

    // The best weight up to a row and a column, as bits, which have the order of weights: these are not negative, and
    // finite. If the row and the column match, the run of matches that ends there, and the next row.
    struct Cell {
        Word bits = 0;
        std::uint32_t run = 0, next = 0;
    };

    static double value_of(Word bits) {
        double value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }

    static Word bits_of(double value) {
        Word bits;
        std::memcpy(&bits, &value, sizeof bits);
        return bits;
    }

    // Replaces runs of tokens that match nothing by one NOTHING.
    void collapse_columns(const std::vector<Column>& columns, std::size_t width) {
        columns_.clear();
        earlier_.assign(1, 0);
        std::size_t next = 0;
        for (const Column& column : columns) {
            if (column.place > next) add(NOTHING, 0);
            std::uint32_t& last = last_[static_cast<std::size_t>(column.token)];
            add(column.token, last);
            last = static_cast<std::uint32_t>(columns_.size());
            next = column.place + 1;
        }
        if (next < width) add(NOTHING, 0);
    }

    void add(Id token, std::uint32_t earlier) {
        columns_.push_back(token);
        earlier_.push_back(earlier);
    }

    void collapse_rows(const Id* tokens, std::size_t rows) {
        rows_.resize(rows);
        positions_.resize(rows);
        std::size_t size = 0;
        bool nothing = false;
        for (std::size_t row = 0; row < rows; ++row) {  // without a branch, which could not be predicted
            const bool shared = last_[static_cast<std::size_t>(tokens[row])] != 0;
            size -= nothing && !shared;
            nothing = !shared;
            rows_[size] = shared ? tokens[row] : NOTHING;
            positions_[size++] = row;
        }
        rows_.resize(size);
    }

    // Marks the rows of the sentences' common end, where the path is diagonal whatever the table holds; the number of
    // rows before it. All of two runs of one word, or of two equal sentences, is such an end.
    std::size_t mark_common_end(Word* marks) {
        std::size_t row = rows_.size();
        while (row > 0 && next_ > 0 && rows_[row - 1] != NOTHING && rows_[row - 1] == columns_[next_ - 1]) {
            const std::size_t position = positions_[--row];
            marks[position / 64] |= Word(1) << position % 64;
            --next_;
        }
        return next_ > 0 ? row : 0;
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
    // tokens, all other cells go up. stride: words of a row of left_; 0 if the bits are not needed. Which cells go left
    // cannot be predicted: there is no branch on it.
    void fill(std::size_t from, std::size_t to, std::size_t stride) {
        bool ordered = from == 0;  // no cell of the row above is less than the one on its left
        for (std::size_t i = from; i < to; ++i) {
            const std::size_t width = next_, first = match(i, ordered ? width : 0);
            Word* const lefts = left_.data() + (i - from) * stride;
            Word before = cells_[first].bits, lower = 0;
            for (std::size_t j = first; j < width;) {
                Word bits = 0;
                for (const std::size_t end = std::min(width, (j / 64 + 1) * 64); j < end; ++j) {
                    Cell& cell = cells_[j + 1];
                    const Word less = cell.bits < before, left = less & (cell.next != i + 1);
                    bits |= left << j % 64;
                    lower |= less ^ left;
                    before = cell.bits = left ? before : cell.bits;
                }
                lefts[(j - 1) / 64] = bits;
            }
            ordered = lower == 0;
        }
    }

    // The cells of a row that match, from the right to the left; the first of their columns, or `first` if it is before.
    // The columns before these keep their cells, if the row above is ordered.
    std::size_t match(std::size_t row, std::size_t first) {
        if (rows_[row] == NOTHING) return first;
        for (std::size_t at = last_[static_cast<std::size_t>(rows_[row])]; at > 0; at = earlier_[at]) {
            if (at > next_) continue;
            const Cell& diagonal = cells_[at - 1];
            const std::uint32_t run = diagonal.next == row ? diagonal.run : 0;
            const double value = value_of(diagonal.bits) + weight_[run + 1] - weight_[run];
            cells_[at] = {bits_of(value), run + 1, static_cast<std::uint32_t>(row + 1)};
            first = std::min(first, at - 1);
        }
        return first;
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

    // By token, its last column, and by column the one before it with the same token: counted from 1, 0 for none.
    std::vector<std::uint32_t> last_, earlier_;
    Ids columns_, rows_;
    std::vector<std::size_t> positions_;
    std::vector<Word> left_;
    std::vector<Cell> cells_;
    const double* weight_ = nullptr;
    std::size_t next_ = 0;  // the path is left of this column
};

}  // namespace rouge
