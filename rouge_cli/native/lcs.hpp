// Longest common subsequences by bits: metrics/_lcs.py documents what is computed and why it is the original's path.
//
// Rows are tokens of a reference's sentence, columns those of a prediction's. Sentences of up to 64 tokens take one machine word.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "texts.hpp"

namespace rouge {

constexpr std::size_t SHORT = 64;  // the tokens of a sentence that takes one machine word

// A column that matches; its token stands at the positions [first, last) of a list of the reference's, ascending.
// match: its rows as bits, in short sentences.
struct Column {
    std::uint32_t place;
    Id token;
    std::uint32_t first;
    std::uint32_t last;
    Word match;
};

// One sentence pair: the columns that match, and the rows at positions base to base + rows. width: of all columns.
struct Columns {
    std::vector<Column> columns;
    const std::uint32_t* positions = nullptr;
    std::size_t base = 0, rows = 0, width = 0;

    const std::uint32_t* begin(const Column& column) const { return positions + column.first; }
    const std::uint32_t* end(const Column& column) const { return positions + column.last; }
};

// Whether a match may follow another diagonally, as in most long sentences: only then can a weighted path differ.
inline bool may_have_diagonal(const Columns& pair) {
    const std::vector<Column>& columns = pair.columns;
    Word found = 0;
    for (std::size_t at = 1; at < columns.size() && pair.rows <= SHORT; ++at) {
        const bool follows = columns[at].place == columns[at - 1].place + 1;
        found |= follows ? columns[at - 1].match << 1 & columns[at].match : 0;
    }
    return found != 0 || pair.rows > SHORT;
}

// V' = (V + (V & M)) | (V & ~M), word by word with the carry.
inline void advance(Word* v, const Word* match, std::size_t words) {
    Word carry = 0;
    for (std::size_t word = 0; word < words; ++word) {
        const Word old = v[word], seen = old & match[word];
        Word sum = old + seen;
        const Word over = sum < old;
        sum += carry;
        carry = over | (sum < carry);
        v[word] = sum | (old & ~match[word]);
    }
}

struct Scratch {
    std::vector<Word> v, match;
};

// A column of the table: W machine words, or as many as the rows need if W is 0.
template <std::size_t W>
struct Bits {
    Bits(Scratch&, std::size_t) { std::fill_n(v, W, ~Word(0)); }

    static constexpr std::size_t words() { return W; }

    void step(const Columns& pair, const Column& column) {
        Word match[W] = {};
        for (const std::uint32_t* row = pair.begin(column); row != pair.end(column); ++row) {
            match[W == 1 ? 0 : (*row - pair.base) / 64] |= Word(1) << (*row - pair.base) % 64;
        }
        advance(v, match, W);
    }

    Word v[W];
};

template <>
struct Bits<0> {
    Bits(Scratch& scratch, std::size_t rows) {
        scratch.v.assign((rows + 63) / 64, ~Word(0));
        scratch.match.assign((rows + 63) / 64, 0);
        v = scratch.v.data();
        match_ = scratch.match.data();
        words_ = scratch.v.size();
    }

    std::size_t words() const { return words_; }

    void step(const Columns& pair, const Column& column) {
        const std::size_t count = column.last - column.first;
        if (count > words_ && count > MOST_SPARSE) {
            advance(v, dense(pair, column), words_);
            return;
        }
        set(pair, column, match_);
        advance(v, match_, words_);
        for (const std::uint32_t* row = pair.begin(column); row != pair.end(column); ++row) match_[(*row - pair.base) / 64] = 0;
    }

    Word* v;

private:
    // A token at more rows than this, and than there are machine words, keeps its rows as bits: there are fewer than 64
    // such tokens. A column takes time for the machine words then, however often a text repeats a word.
    static constexpr std::size_t MOST_SPARSE = 64;

    static void set(const Columns& pair, const Column& column, Word* match) {
        for (const std::uint32_t* row = pair.begin(column); row != pair.end(column); ++row) {
            match[(*row - pair.base) / 64] |= Word(1) << (*row - pair.base) % 64;
        }
    }

    const Word* dense(const Columns& pair, const Column& column) {
        std::size_t at = 0;
        while (at < tokens_.size() && tokens_[at] != column.token) ++at;
        if (at == tokens_.size()) {
            tokens_.push_back(column.token);
            matches_.resize(matches_.size() + words_, 0);
            set(pair, column, matches_.data() + at * words_);
        }
        return matches_.data() + at * words_;
    }

    Word* match_;
    std::size_t words_;
    std::vector<Id> tokens_;
    std::vector<Word> matches_;
};

// The table of one sentence pair, a column at a time: in column j a 0 in row i means c[i][j] = c[i-1][j] + 1.
class Alignment {
public:
    // The length of the longest common subsequence.
    std::size_t length(const Columns& pair) {
        switch ((pair.rows + 63) / 64) {
            case 1: return length<1>(pair);
            case 2: return length<2>(pair);
            case 3: return length<3>(pair);
            case 4: return length<4>(pair);
            default: return length<0>(pair);
        }
    }

    // Marks the rows on the path that the original's traceback takes.
    void mark(const Columns& pair, Word* marks) {
        if (pair.rows <= SHORT) {
            mark_short(pair, *marks);
        } else {
            mark_long(pair, marks);
        }
    }

private:
    // Beyond so many words of memory, only some columns are kept, and the others computed again.
    static constexpr std::size_t MOST_KEPT = std::size_t(1) << 20;
    static constexpr std::size_t NONE = ~std::size_t(0);

    // Where the traceback is: above row `below`, left of column `next`.
    struct Path {
        std::size_t below;
        std::size_t next;
    };

    template <std::size_t W>
    std::size_t length(const Columns& pair) {
        Bits<W> bits(scratch_, pair.rows);
        for (const Column& column : pair.columns) bits.step(pair, column);
        std::size_t zeros = 0;
        for (std::size_t word = 0; word < bits.words(); ++word) {
            zeros += ones(~bits.v[word] & below(pair.rows - word * 64));
        }
        return zeros;
    }

    // The rows above the path are `open`. Without branches on what cannot be predicted: the path goes to the highest
    // row that is an increment or, unless columns without a match lie between, a match.
    void mark_short(const Columns& pair, Word& marks) {
        const std::vector<Column>& columns = pair.columns;
        if (kept_.size() < columns.size()) kept_.resize(columns.size());
        Word v = ~Word(0);
        for (std::size_t at = 0; at < columns.size(); ++at) {
            advance(&v, &columns[at].match, 1);
            kept_[at] = v;
        }
        Word open = below(pair.rows);
        std::size_t next = pair.width;
        for (std::size_t at = columns.size(); at-- > 0;) {
            const Column& column = columns[at];
            const Word matches = column.place + 1 == next ? column.match : 0, rows = open & (~kept_[at] | matches);
            if (rows == 0) return;
            const Word highest = Word(1) << (63 - leading_zeros(rows));
            marks |= highest & column.match;
            open = (highest - 1) | (highest & ~column.match);
            next = column.place;
        }
    }

    void mark_long(const Columns& pair, Word* marks) {
        const std::vector<Column>& columns = pair.columns;
        Bits<0> bits(scratch_, pair.rows);
        const std::size_t words = bits.words();
        std::size_t block = columns.size();
        if (block * words > MOST_KEPT) block = static_cast<std::size_t>(std::sqrt(static_cast<double>(block))) + 1;
        if (kept_.size() < block * words) kept_.resize(block * words);
        const bool checkpoints = block < columns.size();
        checkpoints_.clear();
        if (checkpoints) {
            for (std::size_t column = 0; column < columns.size(); ++column) {
                if (column % block == 0) checkpoints_.insert(checkpoints_.end(), bits.v, bits.v + words);
                bits.step(pair, columns[column]);
            }
        }
        Path path{pair.rows, pair.width};
        for (std::size_t number = (columns.size() + block - 1) / block; number-- > 0 && path.below > 0;) {
            const std::size_t from = number * block, to = std::min(columns.size(), from + block);
            if (checkpoints) std::copy_n(checkpoints_.begin() + static_cast<std::ptrdiff_t>(number * words), words, bits.v);
            Word* kept = kept_.data();
            for (std::size_t column = from; column < to; ++column) {
                bits.step(pair, columns[column]);
                kept = std::copy_n(bits.v, words, kept);
            }
            trace(pair, from, to, words, path, marks);
        }
    }

    void trace(const Columns& pair, std::size_t from, std::size_t to, std::size_t words, Path& path, Word* marks) const {
        for (std::size_t at = to; at-- > from && path.below > 0;) {
            const Column& column = pair.columns[at];
            const Word* v = kept_.data() + (at - from) * words;
            if (column.place + 1 < path.next) {  // columns without a match: up to the highest increment
                const std::size_t row = highest_increment(v, path.below, 0);
                if (row == NONE) {
                    path.below = 0;
                    return;
                }
                path.below = row + 1;
            }
            path.next = column.place;
            const std::uint32_t* const begin = pair.begin(column);
            const std::uint32_t* const end = std::lower_bound(begin, pair.end(column), pair.base + path.below);
            const bool matches = end != begin;
            const std::size_t match = matches ? end[-1] - pair.base : 0;
            const std::size_t increment = highest_increment(v, path.below, match);
            if (matches && (increment == NONE || increment <= match)) {
                marks[match / 64] |= Word(1) << match % 64;
                path.below = match;
            } else {
                path.below = increment == NONE ? 0 : increment + 1;
            }
        }
    }

    // The highest increment in [floor, below) of a column, or NONE.
    static std::size_t highest_increment(const Word* v, std::size_t below_row, std::size_t floor) {
        for (std::size_t word = (below_row - 1) / 64 + 1; word-- > floor / 64;) {
            const Word increments = ~v[word] & below(below_row - word * 64);
            if (increments == 0) continue;
            const std::size_t row = word * 64 + 63 - leading_zeros(increments);
            return row >= floor ? row : NONE;
        }
        return NONE;
    }

    static Word below(std::size_t row) { return row >= 64 ? ~Word(0) : (Word(1) << row) - 1; }

    Scratch scratch_;
    std::vector<Word> kept_, checkpoints_;
};

}  // namespace rouge
