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

// Numbers 64-bit keys from 0 on, in the order of their first look-up.
class Numbering {
public:
    Numbering() : slots_(1024), mask_(1023) {}

    Id operator()(Word key) {
        if (size_ * 2 >= slots_.size()) grow();
        Slot& slot = find(key);
        if (slot.number < 0) {
            slot.key = key;
            slot.number = static_cast<Id>(size_++);
        }
        return slot.number;
    }

    std::size_t size() const { return size_; }

private:
    struct Slot {
        Word key = 0;
        Id number = -1;
    };

    Slot& find(Word key) {
        std::size_t place = ((key ^ (key >> 29)) * 0x9E3779B97F4A7C15ULL) >> 20 & mask_;
        while (slots_[place].number >= 0 && slots_[place].key != key) place = (place + 1) & mask_;
        return slots_[place];
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.number >= 0) find(slot.key) = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t mask_;
    std::size_t size_ = 0;
};

inline Word joined(Id first, Id second) {
    return static_cast<Word>(static_cast<std::uint32_t>(first)) << 32 | static_cast<std::uint32_t>(second);
}

// A multiset of numbered units.
struct Bag {
    std::vector<std::pair<Id, Id>> counts;
    std::size_t total = 0;
};

// Counts per number, all zero between uses.
class Tally {
public:
    Id& operator[](Id number) {
        if (static_cast<std::size_t>(number) >= counts_.size()) counts_.resize(number * 2 + 1024);
        return counts_[number];
    }

    Bag bag(const Ids& units) {
        Bag made;
        made.total = units.size();
        for (Id unit : units) {
            if ((*this)[unit]++ == 0) made.counts.emplace_back(unit, 0);
        }
        for (auto& entry : made.counts) {
            entry.second = counts_[entry.first];
            counts_[entry.first] = 0;
        }
        return made;
    }

    void fill(const Bag& bag) {
        for (const auto& entry : bag.counts) (*this)[entry.first] = entry.second;
    }

    void clear(const Bag& bag) {
        for (const auto& entry : bag.counts) counts_[entry.first] = 0;
    }

    // The least of the filled bag's counts and this one's, summed.
    std::size_t overlap(const Bag& bag) {
        std::size_t sum = 0;
        for (const auto& entry : bag.counts) sum += std::min((*this)[entry.first], entry.second);
        return sum;
    }

private:
    std::vector<Id> counts_;
};

// f(k) = k^W for every k that is asked for, each computed once.
class Weights {
public:
    explicit Weights(double exponent) : exponent_(exponent) {}

    double operator()(std::size_t length) {
        while (values_.size() <= length) values_.push_back(std::pow(static_cast<double>(values_.size()), exponent_));
        return values_[length];
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

// Counts every unit for every (peer, model) pair of one eval.
class Counting {
public:
    Counting(const std::vector<const Text*>& models, const std::vector<const Text*>& peers,
             const std::vector<Unit>& units)
        : models_(models), peers_(peers), units_(units), counts_(units.size() * models.size() * peers.size()) {
        for (const auto& texts : {models, peers}) {
            for (const Text* text : texts) texts_.push_back(text);
        }
    }

    // The counts, peer by peer, model by model, unit by unit.
    std::vector<Counts>& run() {
        number_tokens();
        for (std::size_t unit = 0; unit < units_.size(); ++unit) {
            if (units_[unit].kind == NGRAM) count_bags(unit, ngrams(units_[unit].number));
            if (units_[unit].kind == SKIP_BIGRAM) {
                if (reaches_all(units_[unit]) && longest_text() > LONGEST_TABULATED) {
                    count_all_pairs(unit);
                } else {
                    count_bags(unit, skip_bigrams(units_[unit]));
                }
            }
        }
        count_sequences();
        return counts_;
    }

private:
    Counts& at(std::size_t peer, std::size_t model, std::size_t unit) {
        return counts_[(peer * models_.size() + model) * units_.size() + unit];
    }

    // Each text's tokens, numbered densely within this eval.
    void number_tokens() {
        Numbering numbers;
        for (const Text* text : texts_) {
            Ids dense;
            dense.reserve(text->tokens.size());
            for (Id token : text->tokens) dense.push_back(numbers(static_cast<Word>(static_cast<std::uint32_t>(token))));
            dense_.push_back(std::move(dense));
            Ids words;
            words.reserve(text->words.size());
            for (Id word : text->words) words.push_back(numbers(static_cast<Word>(static_cast<std::uint32_t>(word))));
            words_.push_back(std::move(words));
        }
        grams_ = dense_;
        distinct_ = numbers.size();
    }

    // The bags of n-grams; n-grams of n are numbered pairs of an n-gram of n - 1 and a token.
    std::vector<Bag> ngrams(long n) {
        if (n < length_) {
            grams_ = dense_;
            length_ = 1;
        }
        for (; length_ < n; ++length_) {
            Numbering numbers;
            for (std::size_t text = 0; text < texts_.size(); ++text) {
                Ids& grams = grams_[text];
                const Ids& tokens = dense_[text];
                const std::size_t length = static_cast<std::size_t>(length_);
                const std::size_t size = tokens.size() > length ? tokens.size() - length : 0;
                for (std::size_t place = 0; place < size; ++place) {
                    grams[place] = numbers(joined(grams[place], tokens[place + length]));
                }
                grams.resize(size);
            }
        }
        std::vector<Bag> bags;
        for (const Ids& grams : grams_) bags.push_back(tally_.bag(grams));
        return bags;
    }

    std::vector<Bag> skip_bigrams(const Unit& unit) {
        Numbering numbers;
        std::vector<Bag> bags;
        Ids pairs;
        for (const Ids& tokens : dense_) {
            pairs.clear();
            const std::size_t size = tokens.size();
            for (std::size_t first = 0; first < size; ++first) {
                const std::size_t reach = unit.number < 0 ? size : static_cast<std::size_t>(unit.number) + 1;
                const std::size_t end = reach < size - first ? first + reach + 1 : size;
                for (std::size_t second = first + 1; second < end; ++second) {
                    pairs.push_back(numbers(joined(tokens[first], tokens[second])));
                }
                if (unit.unigrams && first + 1 < size) pairs.push_back(numbers(joined(tokens[first], -1)));
            }
            bags.push_back(tally_.bag(pairs));
        }
        return bags;
    }

    void count_bags(std::size_t unit, const std::vector<Bag>& bags) {
        for (std::size_t model = 0; model < models_.size(); ++model) {
            tally_.fill(bags[model]);
            for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
                const Bag& other = bags[models_.size() + peer];
                at(peer, model, unit) = {static_cast<double>(bags[model].total), static_cast<double>(other.total),
                                         static_cast<double>(tally_.overlap(other))};
            }
            tally_.clear(bags[model]);
        }
    }

    // Unlimited skip-bigrams without a table of pairs: for each first word, how often every word follows it.
    void count_all_pairs(std::size_t unit) {
        const bool unigrams = units_[unit].unigrams;
        std::vector<std::vector<std::vector<std::size_t>>> places;
        for (const Ids& tokens : dense_) {
            places.emplace_back(distinct_);
            for (std::size_t place = 0; place < tokens.size(); ++place) places.back()[tokens[place]].push_back(place);
        }
        std::vector<std::int64_t> in_model(distinct_), in_peer(distinct_);
        for (std::size_t model = 0; model < models_.size(); ++model) {
            for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
                const std::size_t other = models_.size() + peer;
                double match = 0;
                for (std::size_t first = 0; first < distinct_; ++first) {
                    const auto& here = places[model][first];
                    const auto& there = places[other][first];
                    if (here.empty() || there.empty()) continue;
                    followers(dense_[model], here, in_model);
                    followers(dense_[other], there, in_peer);
                    std::int64_t shared = 0;
                    for (std::size_t second = 0; second < distinct_; ++second) {
                        shared += std::min(in_model[second], in_peer[second]);
                    }
                    if (unigrams) shared += std::min(but_last(dense_[model], here), but_last(dense_[other], there));
                    match += static_cast<double>(shared);
                }
                at(peer, model, unit) = {pairs(dense_[model], unigrams), pairs(dense_[other], unigrams), match};
            }
        }
    }

    static void followers(const Ids& tokens, const std::vector<std::size_t>& places, std::vector<std::int64_t>& counts) {
        std::fill(counts.begin(), counts.end(), 0);
        std::size_t before = 0;
        for (std::size_t place = places.front() + 1; place < tokens.size(); ++place) {
            while (before < places.size() && places[before] < place) ++before;
            counts[tokens[place]] += static_cast<std::int64_t>(before);
        }
    }

    // Up to this length a table of all pairs is small, and faster.
    static constexpr std::size_t LONGEST_TABULATED = 1000;

    std::size_t longest_text() const {
        std::size_t size = 0;
        for (const Ids& tokens : dense_) size = std::max(size, tokens.size());
        return size;
    }

    bool reaches_all(const Unit& unit) const {
        return unit.number < 0 || static_cast<std::size_t>(unit.number) + 2 >= longest_text();
    }

    static std::int64_t but_last(const Ids& tokens, const std::vector<std::size_t>& places) {
        return static_cast<std::int64_t>(places.size()) - (places.back() + 1 == tokens.size() ? 1 : 0);
    }

    static double pairs(const Ids& tokens, bool unigrams) {
        const double size = static_cast<double>(tokens.size());
        return size * (size - 1) / 2 + (unigrams && size > 0 ? size - 1 : 0);
    }

    // ROUGE-L and ROUGE-W, which share their alignments.
    void count_sequences() {
        std::vector<std::size_t> wanted;
        for (std::size_t unit = 0; unit < units_.size(); ++unit) {
            if (units_[unit].kind == LCS || units_[unit].kind == WEIGHTED_LCS) wanted.push_back(unit);
        }
        if (wanted.empty()) return;
        std::vector<Weights> weights;
        for (const Unit& unit : units_) weights.emplace_back(unit.weight);
        in_model_.assign(distinct_, 0);
        in_peer_.assign(distinct_, 0);
        std::vector<Marks> marks(units_.size());
        for (std::size_t model = 0; model < models_.size(); ++model) {
            const Rows rows(words_[model], models_[model]->ends, distinct_);
            Alignment alignment(rows);
            WeightedPath path(rows, distinct_);
            for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
                for (std::size_t unit : wanted) marks[unit].assign(rows.size() + 1, 0);
                align(rows, models_.size() + peer, wanted, alignment, path, weights, marks);
                for (std::size_t unit : wanted) {
                    count_words(model, models_.size() + peer);
                    at(peer, model, unit) = units_[unit].kind == LCS ? longest(rows, marks[unit])
                                                                     : weighted(rows, marks[unit], weights[unit]);
                    at(peer, model, unit).peer = static_cast<double>(peers_[peer]->tokens.size());
                }
            }
        }
    }

    void align(const Rows& rows, std::size_t peer, const std::vector<std::size_t>& wanted, Alignment& alignment,
               WeightedPath& path, std::vector<Weights>& weights, std::vector<Marks>& marks) {
        std::size_t start = 0;
        for (std::size_t end : texts_[peer]->ends) {
            const Id* from = words_[peer].data() + start;
            const Id* to = words_[peer].data() + end;
            start = end;
            if (!alignment.take(from, to)) continue;
            plain_.assign(rows.size() + 1, 0);
            alignment.mark(plain_);
            for (std::size_t unit : wanted) {
                if (units_[unit].kind == LCS) {
                    unite(marks[unit], 0, rows.size());
                    continue;
                }
                for (std::size_t sentence = 0; sentence < rows.sentences(); ++sentence) {
                    if (alignment.adjacent(sentence)) {
                        path.mark(sentence, from, to, weights[unit], marks[unit]);
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

    void count_words(std::size_t model, std::size_t peer) {
        std::fill(in_model_.begin(), in_model_.end(), 0);
        std::fill(in_peer_.begin(), in_peer_.end(), 0);
        for (Id token : dense_[model]) ++in_model_[static_cast<std::size_t>(token)];
        for (Id token : dense_[peer]) ++in_peer_[static_cast<std::size_t>(token)];
    }

    Counts longest(const Rows& rows, const Marks& marks) {
        double match = 0;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (marks[row] && hit(rows.token(row))) match += 1;
        }
        return {static_cast<double>(rows.size() - rows.sentences()), 0, match};
    }

    // `model` is the sum of the sentences' weights: what is made of it is not counting.
    Counts weighted(const Rows& rows, const Marks& marks, Weights& weights) {
        double match = 0, lengths = 0;
        std::size_t run = 0;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows.token(row) < 0) {
                run = 0;
            } else if (marks[row] && hit(rows.token(row))) {
                ++run;
                if (!marks[row + 1]) {
                    match += weights(run);
                    run = 0;
                }
            }
        }
        for (std::size_t sentence = 0; sentence < rows.sentences(); ++sentence) {
            lengths += weights(rows.last(sentence) - rows.first(sentence));
        }
        return {lengths, 0, match};
    }

    bool hit(Id token) {
        Id& here = in_model_[static_cast<std::size_t>(token)];
        Id& there = in_peer_[static_cast<std::size_t>(token)];
        if (here <= 0 || there <= 0) return false;
        --here;
        --there;
        return true;
    }

    std::vector<const Text*> models_, peers_, texts_;
    std::vector<Unit> units_;
    std::vector<Counts> counts_;
    std::vector<Ids> dense_, words_, grams_;
    Ids in_model_, in_peer_;
    Marks plain_;
    std::size_t distinct_ = 0;
    long length_ = 1;
    Tally tally_;
};

}  // namespace rouge
