// The counting loops, compiled: the same integers (and doubles) as the readable Python beside this file.
//
// bags.py, lcs.py and wlcs.py explain what is counted and why it is exact; this file says only how it is
// done fast. Everything of one eval is counted in one call, so that n-grams can be numbered once for all of
// its texts and nothing outlives the eval. No fused multiply-add may be used (-ffp-contract=off): ties
// between doubles decide ROUGE-W's path.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace rouge {

using Id = std::int32_t;
using Ids = std::vector<Id>;
using Word = std::uint64_t;

// A text: its tokens read on, and its sentences, one after the other, with where each ends.
struct Text {
    Ids tokens;
    Ids words;
    std::vector<std::size_t> ends;
};

enum Kind { NGRAM, SKIP_BIGRAM, LCS, WEIGHTED_LCS };

// What to count: `number` is n, or the distance (negative: any), `weight` is ROUGE-W's.
struct Unit {
    int kind;
    long number;
    bool unigrams;
    double weight;
};

struct Counts {
    double model;
    double peer;
    double match;
};

// Numbers 64-bit keys from 0 on, in the order of their first look-up; used again and again.
class Numbering {
public:
    static constexpr Id NOTHING = -1;

    // Forgets all keys, and makes room for so many.
    void start(std::size_t keys) {
        size_ = 0;
        if (++round_ == 0) slots_.clear();
        if (slots_.size() < keys * 2 + 64) {
            std::size_t size = 1024;
            while (size < keys * 2 + 64) size *= 2;
            slots_.assign(size, Slot());
            round_ = 1;
        }
        mask_ = slots_.size() - 1;
    }

    Id operator()(Word key) {
        Slot& slot = find(key);
        if (slot.round != round_) {
            if (size_ * 2 >= slots_.size()) {
                grow();
                return (*this)(key);
            }
            slot = {key, static_cast<Id>(size_++), round_};
        }
        return slot.number;
    }

    std::size_t size() const { return size_; }

    // The number of a key; NOTHING where it has none.
    Id known(Word key) {
        const Slot& slot = find(key);
        return slot.round == round_ ? slot.number : NOTHING;
    }

private:
    struct Slot {
        Word key = 0;
        Id number = 0;
        std::uint32_t round = 0;
    };

    Slot& find(Word key) {
        std::size_t place = ((key ^ (key >> 29)) * 0x9E3779B97F4A7C15ULL) >> 20 & mask_;
        while (slots_[place].round == round_ && slots_[place].key != key) place = (place + 1) & mask_;
        return slots_[place];
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.round == round_) find(slot.key) = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::size_t size_ = 0;
    std::uint32_t round_ = 0;
};

inline Word joined(Id first, Id second) {
    return static_cast<Word>(static_cast<std::uint32_t>(first)) << 32 | static_cast<std::uint32_t>(second);
}

// A multiset of numbered units; `total` counts those too that have no number.
struct Bag {
    std::vector<std::pair<Id, Id>> counts;
    double total = 0;
};

// Counts per number, all zero between uses.
class Tally {
public:
    // Makes room for numbers below `size`, which all that follows keep to.
    void reserve(std::size_t size) {
        if (size > counts_.size()) counts_.resize(size * 2 + 1024);
    }

    // The bag of the units that have a number.
    void bag(const Ids& units, double total, Bag& made) {
        made.total = total;
        made.counts.resize(units.size());
        std::size_t size = 0;
        for (Id unit : units) {
            if (unit >= 0 && counts_[static_cast<std::size_t>(unit)]++ == 0) made.counts[size++].first = unit;
        }
        made.counts.resize(size);
        for (auto& entry : made.counts) {
            entry.second = counts_[static_cast<std::size_t>(entry.first)];
            counts_[static_cast<std::size_t>(entry.first)] = 0;
        }
    }

    void fill(const Bag& bag) {
        for (const auto& entry : bag.counts) counts_[static_cast<std::size_t>(entry.first)] = entry.second;
    }

    void clear(const Bag& bag) {
        for (const auto& entry : bag.counts) counts_[static_cast<std::size_t>(entry.first)] = 0;
    }

    // The least of the filled bag's counts and this one's, summed.
    std::size_t overlap(const Bag& bag) const {
        std::size_t sum = 0;
        for (const auto& entry : bag.counts) {
            sum += static_cast<std::size_t>(std::min(counts_[static_cast<std::size_t>(entry.first)], entry.second));
        }
        return sum;
    }

private:
    std::vector<Id> counts_;
};

// f(k) = k^W for every k that is asked for, each computed once.
class Weights {
public:
    explicit Weights(double exponent) : exponent_(exponent) {}

    void set(double exponent) {
        if (exponent != exponent_) *this = Weights(exponent);
    }

    double operator()(std::size_t length) { return upto(length)[length]; }

    // f(0) to f(length).
    const double* upto(std::size_t length) {
        while (values_.size() <= length) values_.push_back(std::pow(static_cast<double>(values_.size()), exponent_));
        return values_.data();
    }

private:
    double exponent_;
    std::vector<double> values_;
};

// Rows where a token stands, in order.
struct Places {
    const std::uint32_t* first = nullptr;
    const std::uint32_t* last = nullptr;

    bool empty() const { return first == last; }
    const std::uint32_t* begin() const { return first; }
    const std::uint32_t* end() const { return last; }
};

// One bit a row of a model text; sentence by sentence, each followed by a guard bit that is always 0.
class Rows {
public:
    // words: the sentences' tokens, numbered densely below `distinct`. ends: where each sentence ends.
    Rows(const Ids& words, const std::vector<std::size_t>& ends, std::size_t distinct) : starts_(distinct + 1) {
        std::size_t start = 0;
        for (std::size_t end : ends) {
            first_.push_back(tokens_.size());
            tokens_.insert(tokens_.end(), words.begin() + static_cast<std::ptrdiff_t>(start),
                           words.begin() + static_cast<std::ptrdiff_t>(end));
            last_.push_back(tokens_.size());
            tokens_.push_back(-1);
            start = end;
        }
        all_.assign(this->words(), 0);
        for (Id token : words) ++starts_[static_cast<std::size_t>(token) + 1];
        for (std::size_t token = 0; token < distinct; ++token) starts_[token + 1] += starts_[token];
        places_.resize(words.size());
        std::vector<std::uint32_t> next(starts_.begin(), starts_.end());
        for (std::size_t row = 0; row < tokens_.size(); ++row) {
            if (tokens_[row] < 0) continue;
            all_[row / 64] |= Word(1) << row % 64;
            places_[next[static_cast<std::size_t>(tokens_[row])]++] = static_cast<std::uint32_t>(row);
        }
    }

    std::size_t size() const { return tokens_.size(); }
    std::size_t words() const { return tokens_.size() / 64 + 1; }
    std::size_t sentences() const { return first_.size(); }
    std::size_t first(std::size_t sentence) const { return first_[sentence]; }
    std::size_t last(std::size_t sentence) const { return last_[sentence]; }
    Id token(std::size_t row) const { return tokens_[row]; }
    const std::vector<Word>& all() const { return all_; }

    Places places(Id token) const {
        const std::size_t number = static_cast<std::size_t>(token);
        return {places_.data() + starts_[number], places_.data() + starts_[number + 1]};
    }

private:
    Ids tokens_;
    std::vector<std::size_t> first_, last_;
    std::vector<Word> all_;
    std::vector<std::uint32_t> starts_, places_;
};

using Marks = std::vector<char>;

// The rows on the paths of one peer sentence, marked; and whether a match follows another diagonally, by
// model sentence: only there can a weighted path differ.
class Alignment {
public:
    explicit Alignment(const Rows& model)
        : model_(model), width_(model.words()), match_(width_), before_(width_), adjacent_(width_) {}

    // Takes the next peer sentence; false where it shares no token with the model.
    bool take(const Id* begin, const Id* end) {
        columns_.clear();
        bool any = false;
        for (const Id* token = begin; token != end; ++token) {
            const Places places = model_.places(*token);
            // A column without a match equals the one before it, if that has none either.
            if (!places.empty()) any = true;
            if (!places.empty() || (!columns_.empty() && !columns_.back().empty())) columns_.push_back(places);
        }
        std::fill(adjacent_.begin(), adjacent_.end(), 0);
        last_ = Places();
        return any;
    }

    bool adjacent(std::size_t sentence) const {
        const std::size_t first = model_.first(sentence), last = model_.last(sentence);
        if (first == last) return false;
        for (std::size_t word = first / 64; word <= (last - 1) / 64; ++word) {
            Word found = adjacent_[word];
            if (word == first / 64) found &= ~Word(0) << first % 64;
            if (word == (last - 1) / 64) found &= ~Word(0) >> (63 - (last - 1) % 64);
            if (found != 0) return true;
        }
        return false;
    }

    // Fills `marks` (one per row), which the caller has cleared.
    void mark(Marks& marks) {
        // With a checkpoint every so many columns, memory grows with the root of their number.
        const std::size_t columns = columns_.size();
        std::size_t block = columns;
        if (columns * width_ > (std::size_t(1) << 20)) {
            block = static_cast<std::size_t>(std::sqrt(static_cast<double>(columns))) + 1;
        }
        checkpoints_.clear();
        v_ = model_.all();
        for (std::size_t column = 0; column < columns; ++column) {
            if (column % block == 0) checkpoints_.insert(checkpoints_.end(), v_.begin(), v_.end());
            note_adjacent(columns_[column]);
            if (block < columns) step(columns_[column]);
        }
        below_.resize(model_.sentences());
        for (std::size_t sentence = 0; sentence < below_.size(); ++sentence) below_[sentence] = model_.last(sentence);
        for (std::size_t number = checkpoints_.size() / width_; number-- > 0;) {
            const std::size_t from = number * block, to = std::min(columns, from + block);
            kept_.clear();
            std::copy_n(checkpoints_.begin() + static_cast<std::ptrdiff_t>(number * width_), width_, v_.begin());
            for (std::size_t column = from; column < to; ++column) {
                step(columns_[column]);
                kept_.insert(kept_.end(), v_.begin(), v_.end());
            }
            trace(from, to, marks);
        }
    }

private:
    void set(const Places& places) {
        for (std::uint32_t row : places) match_[row / 64] |= Word(1) << row % 64;
    }

    void unset(const Places& places) {
        for (std::uint32_t row : places) match_[row / 64] = 0;
    }

    void note_adjacent(const Places& places) {
        if (!places.empty() && !last_.empty()) {
            for (std::uint32_t row : last_) before_[row / 64] |= Word(1) << row % 64;
            for (std::uint32_t row : places) {
                if (row > 0 && before_[(row - 1) / 64] >> (row - 1) % 64 & 1) adjacent_[row / 64] |= Word(1) << row % 64;
            }
            for (std::uint32_t row : last_) before_[row / 64] = 0;
        }
        last_ = places;
    }

    // V' = (V + (V & M)) | (V & ~M), word by word with the carry.
    void step(const Places& places) {
        if (places.empty()) return;
        set(places);
        Word carry = 0;
        const std::vector<Word>& all = model_.all();
        for (std::size_t word = 0; word < width_; ++word) {
            const Word old = v_[word], seen = old & match_[word];
            Word sum = old + seen;
            const Word over = sum < old;
            sum += carry;
            carry = over | (sum < carry);
            v_[word] = (sum | (old & ~match_[word])) & all[word];
        }
        unset(places);
    }

    // The traceback, for every model sentence, over the columns [from, to) whose V are in `kept_`.
    void trace(std::size_t from, std::size_t to, Marks& marks) {
        for (std::size_t column = to; column-- > from;) {
            const Word* v = kept_.data() + (column - from) * width_;
            const Places& places = columns_[column];
            set(places);
            for (std::size_t sentence = 0; sentence < below_.size(); ++sentence) {
                const std::size_t floor = model_.first(sentence);
                if (below_[sentence] <= floor) continue;
                const std::size_t row = highest(v, floor, below_[sentence]);
                if (row == NONE) {
                    below_[sentence] = floor;
                } else if (match_[row / 64] >> row % 64 & 1) {
                    marks[row] = 1;
                    below_[sentence] = row;
                } else {
                    below_[sentence] = row + 1;
                }
            }
            unset(places);
        }
    }

    static constexpr std::size_t NONE = ~std::size_t(0);

    // The highest row in [floor, below) that matches or increments.
    std::size_t highest(const Word* v, std::size_t floor, std::size_t below) const {
        std::size_t word = (below - 1) / 64;
        const std::size_t lowest = floor / 64;
        Word keep = ~Word(0) >> (63 - (below - 1) % 64);
        for (;; --word, keep = ~Word(0)) {
            Word found = (match_[word] | (model_.all()[word] & ~v[word])) & keep;
            if (word == lowest) found &= ~Word(0) << floor % 64;
            if (found != 0) return word * 64 + 63 - __builtin_clzll(found);
            if (word == lowest) return NONE;
        }
    }

    const Rows& model_;
    std::size_t width_;
    std::vector<Places> columns_;
    std::vector<Word> match_, before_, adjacent_, v_, checkpoints_, kept_;
    std::vector<std::size_t> below_;
    Places last_;
};

// The weighted table of one model sentence and one peer sentence, and its path.
class WeightedPath {
public:
    WeightedPath(const Rows& model, std::size_t distinct) : model_(model), in_peer_(distinct, 0) {}

    void mark(std::size_t sentence, const Id* begin, const Id* end, Weights& weights, Marks& marks) {
        collapse(sentence, begin, end);
        fill(weights);
        trace(marks);
    }

private:
    static constexpr Id NOTHING = -1;

    // Runs of tokens that the other side does not have become one NOTHING.
    void collapse(std::size_t sentence, const Id* begin, const Id* end) {
        const std::uint32_t from = static_cast<std::uint32_t>(model_.first(sentence));
        const std::uint32_t to = static_cast<std::uint32_t>(model_.last(sentence));
        columns_.clear();
        rows_.clear();
        positions_.clear();
        for (const Id* token = begin; token != end; ++token) {
            const Places places = model_.places(*token);
            const std::uint32_t* found = std::lower_bound(places.begin(), places.end(), from);
            if (found != places.end() && *found < to) {
                columns_.push_back(*token);
                in_peer_[static_cast<std::size_t>(*token)] = 1;
            } else if (columns_.empty() || columns_.back() != NOTHING) {
                columns_.push_back(NOTHING);
            }
        }
        for (std::uint32_t row = from; row < to; ++row) {
            const bool shared = in_peer_[static_cast<std::size_t>(model_.token(row))] != 0;
            if (shared || rows_.empty() || rows_.back() != NOTHING) {
                rows_.push_back(shared ? model_.token(row) : NOTHING);
                positions_.push_back(row);
            }
        }
        for (Id token : columns_) {
            if (token != NOTHING) in_peer_[static_cast<std::size_t>(token)] = 0;
        }
    }

    // One bit a cell says "left"; a match is seen from the tokens, all else goes up.
    void fill(Weights& weights) {
        const std::size_t width = columns_.size();
        stride_ = width / 64 + 1;
        left_.assign((rows_.size() + 1) * stride_, 0);
        above_.assign(width + 1, 0.0);
        row_.assign(width + 1, 0.0);
        runs_above_.assign(width + 1, 0);
        runs_.assign(width + 1, 0);
        for (std::size_t i = 1; i <= rows_.size(); ++i) {
            const Id token = rows_[i - 1];
            Word* bits = left_.data() + i * stride_;
            double value = 0.0;
            for (std::size_t j = 1; j <= width; ++j) {
                std::uint32_t run = 0;
                if (columns_[j - 1] == token && token != NOTHING) {
                    run = runs_above_[j - 1];
                    value = above_[j - 1] + weights(run + 1) - weights(run);
                    ++run;
                } else if (above_[j] >= value) {
                    value = above_[j];
                } else {
                    bits[j / 64] |= Word(1) << j % 64;
                }
                runs_[j] = run;
                row_[j] = value;
            }
            above_.swap(row_);
            runs_above_.swap(runs_);
        }
    }

    void trace(Marks& marks) const {
        std::size_t i = rows_.size(), j = columns_.size();
        while (i > 0 && j > 0) {
            if (rows_[i - 1] != NOTHING && rows_[i - 1] == columns_[j - 1]) {
                marks[positions_[--i]] = 1;
                --j;
            } else if (left_[i * stride_ + j / 64] >> j % 64 & 1) {
                --j;
            } else {
                --i;
            }
        }
    }

    const Rows& model_;
    std::vector<char> in_peer_;
    Ids columns_, rows_;
    std::vector<std::size_t> positions_;
    std::vector<Word> left_;
    std::vector<double> above_, row_;
    std::vector<std::uint32_t> runs_above_, runs_;
    std::size_t stride_ = 0;
};

// One sentence of at most 64 tokens against another: what the whole-text classes above do, in one machine word.
class ShortAlignment {
public:
    static constexpr std::size_t LONGEST = 64;

    // A column that matches, and the rows where it does.
    struct Column {
        std::size_t place;
        Word rows;
    };

    void clear() { columns_.clear(); }

    bool empty() const { return columns_.empty(); }

    // Columns come in order, and the rows of one column one by one.
    void add(std::size_t place, Word row) {
        if (!columns_.empty() && columns_.back().place == place) {
            columns_.back().rows |= row;
        } else {
            columns_.push_back({place, row});
        }
    }

    // Whether a match follows another diagonally: only there can a weighted path differ.
    bool adjacent() const {
        for (std::size_t at = 1; at < columns_.size(); ++at) {
            if (columns_[at].place == columns_[at - 1].place + 1 && (columns_[at].rows & columns_[at - 1].rows << 1) != 0) return true;
        }
        return false;
    }

    // The rows on the path, for sentences of so many rows and columns.
    Word path(std::size_t rows, std::size_t width) {
        const Word all = below(rows);
        kept_.clear();
        Word v = all;
        for (const Column& column : columns_) {
            v = ((v + (v & column.rows)) | (v & ~column.rows)) & all;
            kept_.push_back(v);
        }
        Word marked = 0, left = all;
        std::size_t next = width;
        for (std::size_t at = columns_.size(); at-- > 0 && left != 0;) {
            const Word increments = all & ~kept_[at];
            if (columns_[at].place + 1 < next) {  // columns without a match: up to the highest increment
                if ((increments & left) == 0) break;
                left &= upto(highest(increments & left));
            }
            const Word found = (columns_[at].rows | increments) & left;
            if (found == 0) break;
            const Word row = highest(found);
            if ((columns_[at].rows & row) != 0) {
                marked |= row;
                left = row - 1;
            } else {
                left &= upto(row);
            }
            next = columns_[at].place;
        }
        return marked;
    }

    // The rows on the weighted path.
    Word weighted_path(std::size_t rows, std::size_t width, Weights& weights) {
        collapse(rows, width);
        const std::size_t size = masks_.size(), stride = size / 64 + 1;
        const double* weight = weights.upto(std::min(rows_.size(), size) + 1);
        cells_.assign(size + 1, Cell());
        left_.assign(rows_.size() * stride, 0);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Word row = rows_[i];
            Word* lefts = left_.data() + i * stride;
            Cell before, diagonal;  // of this row, and of the one above
            for (std::size_t j = 0; j < size; ++j) {
                Cell& cell = cells_[j + 1];
                const Cell above = cell;
                if ((masks_[j] & row) != 0) {
                    cell = {diagonal.value + weight[diagonal.run + 1] - weight[diagonal.run], diagonal.run + 1};
                } else if (above.value >= before.value) {
                    cell.run = 0;
                } else {
                    cell = {before.value, 0};
                    lefts[j / 64] |= Word(1) << j % 64;
                }
                before = cell;
                diagonal = above;
            }
        }
        Word marked = 0;
        std::size_t i = rows_.size(), j = size;
        while (i > 0 && j > 0) {
            if ((masks_[j - 1] & rows_[i - 1]) != 0) {
                marked |= rows_[--i];
                --j;
            } else if ((left_[(i - 1) * stride + (j - 1) / 64] >> (j - 1) % 64 & 1) != 0) {
                --j;
            } else {
                --i;
            }
        }
        return marked;
    }

private:
    static Word below(std::size_t row) { return row >= 64 ? ~Word(0) : (Word(1) << row) - 1; }
    static Word upto(Word row) { return row | (row - 1); }
    static Word highest(Word rows) { return Word(1) << (63 - __builtin_clzll(rows)); }

    // Rows and columns that match somewhere; what lies between two of them, or behind, becomes one of nothing.
    void collapse(std::size_t rows, std::size_t width) {
        masks_.clear();
        Word used = 0;
        std::size_t next = columns_.front().place;
        for (const Column& column : columns_) {
            if (column.place > next) masks_.push_back(0);
            masks_.push_back(column.rows);
            used |= column.rows;
            next = column.place + 1;
        }
        if (next < width) masks_.push_back(0);
        rows_.clear();
        bool nothing = true;
        for (std::size_t row = 0; row < rows; ++row) {
            const Word bit = used & Word(1) << row;
            if (bit != 0 || !nothing) rows_.push_back(bit);
            nothing = bit == 0;
        }
    }

    // The best weight up to a row and a column, and the run of matches that ends there.
    struct Cell {
        double value = 0;
        std::size_t run = 0;
    };

    std::vector<Column> columns_;
    std::vector<Word> kept_, masks_, rows_, left_;
    std::vector<Cell> cells_;
};

// Counts every unit for every (peer, model) pair of one eval; used again for the next, which saves its memory.
class Counting {
public:
    // The counts, peer by peer, model by model, unit by unit; they last until the next run.
    const std::vector<Counts>& run(const std::vector<const Text*>& models, const std::vector<const Text*>& peers,
                                   const std::vector<Unit>& units) {
        models_ = models.size();
        peers_ = peers.size();
        texts_ = models;
        texts_.insert(texts_.end(), peers.begin(), peers.end());
        units_ = units;
        counts_.assign(units.size() * models_ * peers_, Counts());
        number_tokens();
        for (std::size_t unit = 0; unit < units_.size(); ++unit) {
            if (units_[unit].kind == NGRAM) count_ngrams(unit);
            if (units_[unit].kind == SKIP_BIGRAM) {
                if (pairs_within(reach_of(units_[unit]), longest_text()) > MOST_TABULATED) {
                    count_pairs_by_word(unit);
                } else {
                    count_skip_bigrams(unit);
                }
            }
        }
        count_sequences();
        return counts_;
    }

private:
    Counts& at(std::size_t peer, std::size_t model, std::size_t unit) {
        return counts_[(peer * models_ + model) * units_.size() + unit];
    }

    // Each text's tokens, numbered densely within this eval, those of the models first.
    void number_tokens() {
        if (++round_ == 0) {
            seen_.assign(seen_.size(), 0);
            round_ = 1;
        }
        distinct_ = 0;
        dense_.resize(texts_.size());
        words_.resize(texts_.size());
        for (std::size_t text = 0; text < texts_.size(); ++text) {
            number(texts_[text]->tokens, dense_[text]);
            if (texts_[text]->words == texts_[text]->tokens) {  // mostly: the two readings differ under -b and -M
                words_[text] = dense_[text];
            } else {
                number(texts_[text]->words, words_[text]);
            }
            if (text + 1 == models_) of_models_ = distinct_;
        }
        if (models_ == 0) of_models_ = 0;
        grams_length_ = 0;
    }

    void number(const Ids& ids, Ids& dense) {
        dense.resize(ids.size());
        Id* next = dense.data();
        for (Id id : ids) {
            const std::size_t place = static_cast<std::size_t>(id);
            if (place >= seen_.size()) {
                seen_.resize(place * 2 + 1024);
                numbers_.resize(place * 2 + 1024);
            }
            if (seen_[place] != round_) {
                seen_[place] = round_;
                numbers_[place] = static_cast<Id>(distinct_++);
            }
            *next++ = numbers_[place];
        }
    }

    bool in_models(Id token) const { return static_cast<std::size_t>(token) < of_models_; }

    // n-grams of n are numbered pairs of an n-gram of n - 1 and a token. Only those of models have a number.
    void count_ngrams(std::size_t unit) {
        const std::size_t n = static_cast<std::size_t>(units_[unit].number);
        if (grams_length_ == 0 || n < grams_length_) {
            grams_ = dense_;
            for (std::size_t text = models_; text < texts_.size(); ++text) {
                for (Id& token : grams_[text]) token = in_models(token) ? token : Numbering::NOTHING;
            }
            grams_length_ = 1;
            grams_numbered_ = of_models_;
        }
        for (; grams_length_ < n; ++grams_length_) {
            numbers_of_units_.start(tokens_of_models());
            for (std::size_t text = 0; text < texts_.size(); ++text) longer(text);
            grams_numbered_ = numbers_of_units_.size();
        }
        bags_.resize(texts_.size());
        tally_.reserve(grams_numbered_);
        for (std::size_t text = 0; text < texts_.size(); ++text) {
            const std::size_t size = dense_[text].size();
            tally_.bag(grams_[text], size >= n ? static_cast<double>(size - n + 1) : 0.0, bags_[text]);
        }
        overlap(unit);
    }

    // A text's n-grams of one token more.
    void longer(std::size_t text) {
        Ids& grams = grams_[text];
        const Ids& tokens = dense_[text];
        const std::size_t size = tokens.size() > grams_length_ ? tokens.size() - grams_length_ : 0;
        for (std::size_t place = 0; place < size; ++place) {
            if (grams[place] < 0) continue;
            const Word key = joined(grams[place], tokens[place + grams_length_]);
            grams[place] = text < models_ ? numbers_of_units_(key) : numbers_of_units_.known(key);
        }
        grams.resize(size);
    }

    std::size_t tokens_of_models() const {
        std::size_t size = 0;
        for (std::size_t text = 0; text < models_; ++text) size += dense_[text].size();
        return size;
    }

    void count_skip_bigrams(std::size_t unit) {
        const std::size_t reach = reach_of(units_[unit]);
        numbers_of_units_.start(tokens_of_models() * std::min<std::size_t>(reach + 1, 8));
        bags_.resize(texts_.size());
        for (std::size_t text = 0; text < texts_.size(); ++text) {
            const Ids& tokens = dense_[text];
            const std::size_t size = tokens.size();
            found_.clear();
            for (std::size_t first = 0; first < size; ++first) {
                if (!in_models(tokens[first])) continue;
                const std::size_t end = reach < size - first ? first + reach + 1 : size;
                for (std::size_t second = first + 1; second < end; ++second) {
                    if (in_models(tokens[second])) take(text, joined(tokens[first], tokens[second]));
                }
                if (units_[unit].unigrams && first + 1 < size) take(text, joined(tokens[first], -1));
            }
            tally_.reserve(numbers_of_units_.size());
            tally_.bag(found_, pairs_within(reach, size) + singles(unit, size), bags_[text]);
        }
        overlap(unit);
    }

    void take(std::size_t text, Word key) {
        found_.push_back(text < models_ ? numbers_of_units_(key) : numbers_of_units_.known(key));
    }

    // How many tokens after the first one may be the second.
    static std::size_t reach_of(const Unit& unit) {
        return unit.number < 0 ? ~std::size_t(0) >> 1 : static_cast<std::size_t>(unit.number) + 1;
    }

    // The number of pairs within that reach in a text of that size.
    static double pairs_within(std::size_t reach, std::size_t size) {
        if (size == 0) return 0;
        const double last = static_cast<double>(size - 1);
        const double most = std::min(static_cast<double>(reach), last);
        return most * last - most * (most - 1) / 2;
    }

    double singles(std::size_t unit, std::size_t size) const {
        return units_[unit].unigrams && size > 0 ? static_cast<double>(size - 1) : 0.0;
    }

    void overlap(std::size_t unit) {
        for (std::size_t model = 0; model < models_; ++model) {
            tally_.fill(bags_[model]);
            for (std::size_t peer = 0; peer < peers_; ++peer) {
                const Bag& other = bags_[models_ + peer];
                at(peer, model, unit) = {bags_[model].total, other.total, static_cast<double>(tally_.overlap(other))};
            }
            tally_.clear(bags_[model]);
        }
    }

    // Skip-bigrams without a table of pairs: for each first word, how often every word follows it within reach.
    void count_pairs_by_word(std::size_t unit) {
        const bool unigrams = units_[unit].unigrams;
        const std::size_t reach = reach_of(units_[unit]);
        std::vector<std::vector<std::vector<std::size_t>>> places;
        for (std::size_t text = 0; text < texts_.size(); ++text) {
            const Ids& tokens = dense_[text];
            places.emplace_back(distinct_);
            for (std::size_t place = 0; place < tokens.size(); ++place) {
                places.back()[static_cast<std::size_t>(tokens[place])].push_back(place);
            }
        }
        Followers in_model(distinct_), in_peer(distinct_);
        for (std::size_t model = 0; model < models_; ++model) {
            for (std::size_t peer = 0; peer < peers_; ++peer) {
                const std::size_t other = models_ + peer;
                double match = 0;
                for (std::size_t first = 0; first < distinct_; ++first) {
                    const auto& here = places[model][first];
                    const auto& there = places[other][first];
                    if (here.empty() || there.empty()) continue;
                    in_model.count(dense_[model], here, reach);
                    in_peer.count(dense_[other], there, reach);
                    std::int64_t shared = 0;
                    for (std::size_t second : in_model.seen) {
                        shared += std::min(in_model.times[second], in_peer.times[second]);
                    }
                    if (unigrams) shared += std::min(but_last(dense_[model], here), but_last(dense_[other], there));
                    match += static_cast<double>(shared);
                }
                const std::size_t sizes[] = {dense_[model].size(), dense_[other].size()};
                at(peer, model, unit) = {pairs_within(reach, sizes[0]) + singles(unit, sizes[0]),
                                         pairs_within(reach, sizes[1]) + singles(unit, sizes[1]), match};
            }
        }
    }

    // How often each word follows one word within reach.
    struct Followers {
        explicit Followers(std::size_t distinct) : times(distinct) {}

        void count(const Ids& tokens, const std::vector<std::size_t>& places, std::size_t reach) {
            for (std::size_t word : seen) times[word] = 0;
            seen.clear();
            if (reach < tokens.size() / places.size()) {  // the windows are shorter than the text
                for (std::size_t place : places) {
                    const std::size_t end = std::min(place + reach + 1, tokens.size());
                    for (std::size_t next = place + 1; next < end; ++next) add(tokens[next], 1);
                }
                return;
            }
            std::size_t before = 0, beyond = 0;
            for (std::size_t place = places.front() + 1; place < tokens.size(); ++place) {
                while (before < places.size() && places[before] < place) ++before;
                while (beyond < before && place - places[beyond] > reach) ++beyond;
                if (beyond < before) add(tokens[place], static_cast<std::int64_t>(before - beyond));
            }
        }

        void add(Id token, std::int64_t more) {
            const std::size_t word = static_cast<std::size_t>(token);
            if (times[word] == 0) seen.push_back(word);
            times[word] += more;
        }

        std::vector<std::int64_t> times;
        std::vector<std::size_t> seen;
    };

    // Up to so many pairs a table of them is small, and faster.
    static constexpr double MOST_TABULATED = 5e5;

    std::size_t longest_text() const {
        std::size_t size = 0;
        for (std::size_t text = 0; text < texts_.size(); ++text) size = std::max(size, dense_[text].size());
        return size;
    }

    static std::int64_t but_last(const Ids& tokens, const std::vector<std::size_t>& places) {
        return static_cast<std::int64_t>(places.size()) - (places.back() + 1 == tokens.size() ? 1 : 0);
    }

    // ROUGE-L and ROUGE-W, which share their alignments.
    void count_sequences() {
        wanted_.clear();
        weighted_ = false;
        for (std::size_t unit = 0; unit < units_.size(); ++unit) {
            weighted_ = weighted_ || units_[unit].kind == WEIGHTED_LCS;
            if (units_[unit].kind == LCS || units_[unit].kind == WEIGHTED_LCS) wanted_.push_back(unit);
        }
        if (wanted_.empty()) return;
        while (weights_.size() < units_.size()) weights_.emplace_back(1.0);
        for (std::size_t unit : wanted_) weights_[unit].set(units_[unit].weight);
        count_words();
        used_.assign(distinct_, 0);
        short_marks_.resize(units_.size());
        for (std::size_t model = 0; model < models_; ++model) {
            if (has_short_sentences(model)) {
                sequences_of_short(model);
            } else {
                sequences_of_any(model);
            }
        }
    }

    // How often each text has each token.
    void count_words() {
        occurrences_.resize(texts_.size());
        for (std::size_t text = 0; text < texts_.size(); ++text) {
            occurrences_[text].assign(distinct_, 0);
            for (Id token : dense_[text]) ++occurrences_[text][static_cast<std::size_t>(token)];
        }
    }

    bool has_short_sentences(std::size_t model) const {
        std::size_t start = 0;
        for (std::size_t end : texts_[model]->ends) {
            if (end - start > ShortAlignment::LONGEST) return false;
            start = end;
        }
        return true;
    }

    // Where a token stands in the model: sentence and bit.
    struct Place {
        std::uint32_t sentence;
        Word row;
    };

    void sequences_of_short(std::size_t model) {
        const std::vector<std::size_t>& ends = texts_[model]->ends;
        const Ids& words = words_[model];
        find_places(words, ends);
        if (alignments_.size() < ends.size()) alignments_.resize(ends.size());
        for (std::size_t peer = 0; peer < peers_; ++peer) {
            for (std::size_t unit : wanted_) short_marks_[unit].assign(ends.size(), 0);
            std::size_t start = 0;
            for (std::size_t end : texts_[models_ + peer]->ends) {
                align_short(words_[models_ + peer].data() + start, end - start, ends);
                start = end;
            }
            for (std::size_t unit : wanted_) {
                const std::vector<Word>& marks = short_marks_[unit];
                count_marked(model, peer, unit, [&](std::size_t sentence, std::size_t row, std::size_t length) {
                    const Word rest = row < 64 ? marks[sentence] >> row : 0;
                    return rest != 0 ? row + static_cast<std::size_t>(__builtin_ctzll(rest)) : length;
                });
            }
        }
    }

    void find_places(const Ids& words, const std::vector<std::size_t>& ends) {
        starts_.assign(of_models_ + 1, 0);
        for (Id word : words) ++starts_[static_cast<std::size_t>(word) + 1];
        for (std::size_t token = 0; token < of_models_; ++token) starts_[token + 1] += starts_[token];
        next_.assign(starts_.begin(), starts_.end());
        places_.resize(words.size());
        std::size_t start = 0;
        for (std::size_t sentence = 0; sentence < ends.size(); ++sentence) {
            for (std::size_t place = start; place < ends[sentence]; ++place) {
                places_[next_[static_cast<std::size_t>(words[place])]++] = {static_cast<std::uint32_t>(sentence), Word(1) << (place - start)};
            }
            start = ends[sentence];
        }
    }

    // One peer sentence against all of the model's.
    void align_short(const Id* tokens, std::size_t width, const std::vector<std::size_t>& ends) {
        touched_.clear();
        for (std::size_t column = 0; column < width; ++column) {
            if (!in_models(tokens[column])) continue;
            const std::size_t token = static_cast<std::size_t>(tokens[column]);
            for (std::size_t place = starts_[token]; place < starts_[token + 1]; ++place) {
                ShortAlignment& alignment = alignments_[places_[place].sentence];
                if (alignment.empty()) touched_.push_back(places_[place].sentence);
                alignment.add(column, places_[place].row);
            }
        }
        for (std::uint32_t sentence : touched_) {
            ShortAlignment& alignment = alignments_[sentence];
            const std::size_t rows = ends[sentence] - (sentence == 0 ? 0 : ends[sentence - 1]);
            const Word path = alignment.path(rows, width);
            const bool adjacent = weighted_ && alignment.adjacent();
            for (std::size_t unit : wanted_) {
                const bool differs = adjacent && units_[unit].kind == WEIGHTED_LCS;
                short_marks_[unit][sentence] |= differs ? alignment.weighted_path(rows, width, weights_[unit]) : path;
            }
            alignment.clear();
        }
    }

    // The same for sentences of any length.
    void sequences_of_any(std::size_t model) {
        const Rows rows(words_[model], texts_[model]->ends, distinct_);
        Alignment alignment(rows);
        WeightedPath path(rows, distinct_);
        std::vector<Marks> marks(units_.size());
        for (std::size_t peer = 0; peer < peers_; ++peer) {
            for (std::size_t unit : wanted_) marks[unit].assign(rows.size() + 1, 0);
            align(rows, models_ + peer, alignment, path, marks);
            for (std::size_t unit : wanted_) {
                count_marked(model, peer, unit, [&](std::size_t sentence, std::size_t row, std::size_t length) {
                    while (row < length && marks[unit][rows.first(sentence) + row] == 0) ++row;
                    return row;
                });
            }
        }
    }

    void align(const Rows& rows, std::size_t peer, Alignment& alignment, WeightedPath& path, std::vector<Marks>& marks) {
        std::size_t start = 0;
        for (std::size_t end : texts_[peer]->ends) {
            const Id* from = words_[peer].data() + start;
            const Id* to = words_[peer].data() + end;
            start = end;
            if (!alignment.take(from, to)) continue;
            plain_.assign(rows.size() + 1, 0);
            alignment.mark(plain_);
            for (std::size_t unit : wanted_) {
                if (units_[unit].kind == LCS) {
                    unite(marks[unit], 0, rows.size());
                    continue;
                }
                for (std::size_t sentence = 0; sentence < rows.sentences(); ++sentence) {
                    if (alignment.adjacent(sentence)) {
                        path.mark(sentence, from, to, weights_[unit], marks[unit]);
                    } else {
                        unite(marks[unit], rows.first(sentence), rows.last(sentence));
                    }
                }
            }
        }
    }

    void unite(Marks& marks, std::size_t from, std::size_t to) const {
        for (std::size_t row = from; row < to; ++row) marks[row] |= plain_[row];
    }

    // Marked words, each as often as both texts have it: their number, or the weights of their runs.
    //
    // next: a sentence's first marked row from a row on, or its length. The model's count of ROUGE-W is the sum
    // of its sentences' weights: what is made of it is not counting.
    template <typename Next>
    void count_marked(std::size_t model, std::size_t peer, std::size_t unit, Next next) {
        const bool weighted = units_[unit].kind == WEIGHTED_LCS;
        double match = 0, size = 0;
        std::size_t start = 0;
        hits_.clear();
        for (std::size_t sentence = 0; sentence < texts_[model]->ends.size(); ++sentence) {
            const Id* words = words_[model].data() + start;
            const std::size_t length = texts_[model]->ends[sentence] - start;
            std::size_t run = 0;
            for (std::size_t row = next(sentence, 0, length); row < length;) {
                const std::size_t after = next(sentence, row + 1, length);
                // A marked word that is no hit does not end a run; what is left of one at the end is lost.
                if (hit(words[row], model, peer)) {
                    ++run;
                    if (weighted && (after != row + 1 || after == length)) {
                        match += weights_[unit](run);
                        run = 0;
                    }
                }
                row = after;
            }
            if (!weighted) match += static_cast<double>(run);
            size += weighted ? weights_[unit](length) : static_cast<double>(length);
            start += length;
        }
        for (std::size_t token : hits_) used_[token] = 0;
        at(peer, model, unit) = {size, static_cast<double>(texts_[models_ + peer]->tokens.size()), match};
    }

    bool hit(Id word, std::size_t model, std::size_t peer) {
        const std::size_t token = static_cast<std::size_t>(word);
        if (used_[token] >= occurrences_[model][token] || used_[token] >= occurrences_[models_ + peer][token]) return false;
        ++used_[token];
        hits_.push_back(token);
        return true;
    }

    std::size_t models_ = 0, peers_ = 0, distinct_ = 0, of_models_ = 0, grams_length_ = 0, grams_numbered_ = 0;
    std::vector<const Text*> texts_;
    std::vector<Unit> units_;
    std::vector<Counts> counts_;
    std::vector<Ids> dense_, words_, grams_, occurrences_;
    // By id, in which run it was seen last, and its dense number there.
    std::vector<std::uint32_t> seen_;
    Ids numbers_;
    std::uint32_t round_ = 0;
    Numbering numbers_of_units_;
    Tally tally_;
    std::vector<Bag> bags_;
    Ids found_, used_;
    std::vector<std::size_t> wanted_, hits_;
    bool weighted_ = false;
    std::vector<Weights> weights_;
    std::vector<std::vector<Word>> short_marks_;
    std::vector<ShortAlignment> alignments_;
    std::vector<std::uint32_t> touched_;
    std::vector<std::size_t> starts_, next_;
    std::vector<Place> places_;
    Marks plain_;
};

// All counts of one eval, by this thread's own Counting; they last until its next eval.
inline const std::vector<Counts>& counted(const std::vector<const Text*>& models, const std::vector<const Text*>& peers,
                                          const std::vector<Unit>& units) {
    static thread_local std::unique_ptr<Counting> kept;
    static thread_local std::size_t largest = 0;
    constexpr std::size_t LARGE = std::size_t(1) << 16;
    std::size_t size = 0;
    for (const auto& texts : {models, peers}) {
        for (const Text* text : texts) size += text->words.size();
    }
    // What one large eval needed is not kept for all others.
    if (kept == nullptr || (largest > LARGE && size <= LARGE)) {
        kept = std::make_unique<Counting>();
        largest = 0;
    }
    largest = std::max(largest, size);
    try {
        return kept->run(models, peers, units);
    } catch (...) {
        kept.reset();  // half counted
        throw;
    }
}

}  // namespace rouge
