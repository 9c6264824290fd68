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
#include <unordered_map>
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

// One bit a row of a model text; sentence by sentence, each followed by a guard bit that is always 0.
class Rows {
public:
    explicit Rows(const Text& text) {
        std::size_t start = 0, row = 0;
        for (std::size_t end : text.ends) {
            first_.push_back(row);
            for (std::size_t place = start; place < end; ++place, ++row) {
                tokens_.push_back(text.words[place]);
                places_[text.words[place]].push_back(static_cast<std::uint32_t>(row));
            }
            last_.push_back(row);
            tokens_.push_back(-1);
            ++row;
            start = end;
        }
        all_.assign(words(), 0);
        for (std::size_t at = 0; at < row; ++at) {
            if (tokens_[at] >= 0) all_[at / 64] |= Word(1) << at % 64;
        }
    }

    std::size_t size() const { return tokens_.size(); }
    std::size_t words() const { return tokens_.size() / 64 + 1; }
    std::size_t sentences() const { return first_.size(); }
    std::size_t first(std::size_t sentence) const { return first_[sentence]; }
    std::size_t last(std::size_t sentence) const { return last_[sentence]; }
    Id token(std::size_t row) const { return tokens_[row]; }
    const std::vector<Word>& all() const { return all_; }

    const std::vector<std::uint32_t>* places(Id token) const {
        auto found = places_.find(token);
        return found == places_.end() ? nullptr : &found->second;
    }

private:
    Ids tokens_;
    std::vector<std::size_t> first_, last_;
    std::vector<Word> all_;
    std::unordered_map<Id, std::vector<std::uint32_t>> places_;
};

using Marks = std::vector<char>;

// The rows on the paths of one peer sentence, marked; and whether a match follows another diagonally, by
// model sentence: only there can a weighted path differ.
class Alignment {
public:
    Alignment(const Rows& model, const Id* begin, const Id* end)
        : model_(model), width_(model.words()), match_(width_), before_(width_), adjacent_(width_) {
        for (const Id* token = begin; token != end; ++token) {
            const auto* places = model.places(*token);
            // A column without a match equals the one before it, if that has none either.
            if (places != nullptr) {
                columns_.push_back(places);
                any_ = true;
            } else if (!columns_.empty() && columns_.back() != nullptr) {
                columns_.push_back(nullptr);
            }
        }
    }

    bool any() const { return any_; }

    bool adjacent(std::size_t sentence) const {
        for (std::size_t row = model_.first(sentence); row < model_.last(sentence); ++row) {
            if (adjacent_[row / 64] >> row % 64 & 1) return true;
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
        std::vector<std::vector<Word>> checkpoints;
        std::vector<Word> v = model_.all();
        for (std::size_t column = 0; column < columns; ++column) {
            if (column % block == 0) checkpoints.push_back(v);
            const auto* places = columns_[column];
            note_adjacent(places);
            step(v, places);
        }
        std::vector<std::size_t> below(model_.sentences());
        for (std::size_t sentence = 0; sentence < below.size(); ++sentence) below[sentence] = model_.last(sentence);
        std::vector<Word> kept;
        for (std::size_t number = checkpoints.size(); number-- > 0;) {
            const std::size_t from = number * block, to = std::min(columns, from + block);
            kept.clear();
            v = checkpoints[number];
            for (std::size_t column = from; column < to; ++column) {
                step(v, columns_[column]);
                kept.insert(kept.end(), v.begin(), v.end());
            }
            trace(kept, from, to, below, marks);
        }
    }

private:
    void set(const std::vector<std::uint32_t>* places) {
        for (std::uint32_t row : *places) match_[row / 64] |= Word(1) << row % 64;
    }

    void unset(const std::vector<std::uint32_t>* places) {
        for (std::uint32_t row : *places) match_[row / 64] = 0;
    }

    void note_adjacent(const std::vector<std::uint32_t>* places) {
        if (places != nullptr && before_places_ != nullptr) {
            for (std::uint32_t row : *before_places_) before_[row / 64] |= Word(1) << row % 64;
            for (std::uint32_t row : *places) {
                if (row > 0 && before_[(row - 1) / 64] >> (row - 1) % 64 & 1) adjacent_[row / 64] |= Word(1) << row % 64;
            }
            for (std::uint32_t row : *before_places_) before_[row / 64] = 0;
        }
        before_places_ = places;
    }

    // V' = (V + (V & M)) | (V & ~M), word by word with the carry.
    void step(std::vector<Word>& v, const std::vector<std::uint32_t>* places) {
        if (places == nullptr) return;
        set(places);
        Word carry = 0;
        const std::vector<Word>& all = model_.all();
        for (std::size_t word = 0; word < width_; ++word) {
            const Word old = v[word], seen = old & match_[word];
            Word sum = old + seen;
            const Word over = sum < old;
            sum += carry;
            carry = over | (sum < carry);
            v[word] = (sum | (old & ~match_[word])) & all[word];
        }
        unset(places);
    }

    // The traceback, for every model sentence, over the columns [from, to) whose V are in `kept`.
    void trace(const std::vector<Word>& kept, std::size_t from, std::size_t to, std::vector<std::size_t>& below,
               Marks& marks) {
        for (std::size_t column = to; column-- > from;) {
            const Word* v = kept.data() + (column - from) * width_;
            const auto* places = columns_[column];
            if (places != nullptr) set(places);
            for (std::size_t sentence = 0; sentence < below.size(); ++sentence) {
                const std::size_t floor = model_.first(sentence);
                if (below[sentence] <= floor) continue;
                const std::size_t row = highest(v, floor, below[sentence]);
                if (row == NONE) {
                    below[sentence] = floor;
                } else if (match_[row / 64] >> row % 64 & 1) {
                    marks[row] = 1;
                    below[sentence] = row;
                } else {
                    below[sentence] = row + 1;
                }
            }
            if (places != nullptr) unset(places);
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
    std::vector<const std::vector<std::uint32_t>*> columns_;
    std::vector<Word> match_, before_, adjacent_;
    const std::vector<std::uint32_t>* before_places_ = nullptr;
    bool any_ = false;
};

// The weighted table of one model sentence and one peer sentence, and its path.
class WeightedPath {
public:
    WeightedPath(const Rows& model, std::size_t sentence, const Id* begin, const Id* end, Weights& weights)
        : model_(model), first_(model.first(sentence)), weights_(weights) {
        for (const Id* token = begin; token != end; ++token) {
            const auto* places = model.places(*token);
            const bool shared = places != nullptr && in(*places, model.first(sentence), model.last(sentence));
            if (shared) {
                columns_.push_back(*token);
            } else if (columns_.empty() || columns_.back() != NOTHING) {
                columns_.push_back(NOTHING);
            }
        }
        std::unordered_map<Id, char> in_peer;
        for (Id token : columns_) in_peer[token] = 1;
        for (std::size_t row = first_; row < model.last(sentence); ++row) {
            const bool shared = in_peer.count(model.token(row)) != 0;
            if (shared || rows_.empty() || rows_.back() != NOTHING) {
                rows_.push_back(shared ? model.token(row) : NOTHING);
                positions_.push_back(row);
            }
        }
    }

    void mark(Marks& marks) {
        const std::size_t width = columns_.size();
        // One bit a cell says "left"; a match is seen from the tokens, all else goes up.
        const std::size_t stride = width / 64 + 1;
        std::vector<Word> left((rows_.size() + 1) * stride, 0);
        std::vector<double> above(width + 1, 0.0), row(width + 1, 0.0);
        std::vector<std::uint32_t> runs_above(width + 1, 0), runs(width + 1, 0);
        for (std::size_t i = 1; i <= rows_.size(); ++i) {
            const Id token = rows_[i - 1];
            Word* bits = left.data() + i * stride;
            double value = 0.0;
            for (std::size_t j = 1; j <= width; ++j) {
                if (token != NOTHING && columns_[j - 1] == token) {
                    const std::uint32_t run = runs_above[j - 1];
                    value = above[j - 1] + weights_(run + 1) - weights_(run);
                    runs[j] = run + 1;
                } else {
                    if (above[j] >= value) {
                        value = above[j];
                    } else {
                        bits[j / 64] |= Word(1) << j % 64;
                    }
                    runs[j] = 0;
                }
                row[j] = value;
            }
            above.swap(row);
            runs_above.swap(runs);
        }
        std::size_t i = rows_.size(), j = width;
        while (i > 0 && j > 0) {
            if (rows_[i - 1] != NOTHING && rows_[i - 1] == columns_[j - 1]) {
                marks[positions_[--i]] = 1;
                --j;
            } else if (left[i * stride + j / 64] >> j % 64 & 1) {
                --j;
            } else {
                --i;
            }
        }
    }

private:
    static constexpr Id NOTHING = -1;

    static bool in(const std::vector<std::uint32_t>& places, std::size_t from, std::size_t to) {
        auto found = std::lower_bound(places.begin(), places.end(), from);
        return found != places.end() && *found < to;
    }

    const Rows& model_;
    std::size_t first_;
    Weights& weights_;
    Ids columns_, rows_;
    std::vector<std::size_t> positions_;
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
                if (units_[unit].number < 0) {
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
                const std::size_t reach = static_cast<std::size_t>(unit.number) + 1;
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
        for (std::size_t model = 0; model < models_.size(); ++model) {
            const Rows rows(*models_[model]);
            for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
                std::vector<Marks> marks(units_.size());
                for (std::size_t unit : wanted) marks[unit].assign(rows.size() + 1, 0);
                align(rows, *peers_[peer], wanted, weights, marks);
                for (std::size_t unit : wanted) {
                    at(peer, model, unit) = units_[unit].kind == LCS
                                                ? longest(*models_[model], *peers_[peer], rows, marks[unit])
                                                : weighted(*models_[model], *peers_[peer], rows, marks[unit], weights[unit]);
                }
            }
        }
    }

    void align(const Rows& rows, const Text& peer, const std::vector<std::size_t>& wanted, std::vector<Weights>& weights,
               std::vector<Marks>& marks) {
        Marks plain;
        std::size_t start = 0;
        for (std::size_t end : peer.ends) {
            const Id* from = peer.words.data() + start;
            const Id* to = peer.words.data() + end;
            start = end;
            Alignment alignment(rows, from, to);
            if (!alignment.any()) continue;
            plain.assign(rows.size() + 1, 0);
            alignment.mark(plain);
            for (std::size_t unit : wanted) {
                for (std::size_t sentence = 0; sentence < rows.sentences(); ++sentence) {
                    if (units_[unit].kind == WEIGHTED_LCS && alignment.adjacent(sentence)) {
                        WeightedPath(rows, sentence, from, to, weights[unit]).mark(marks[unit]);
                    } else {
                        for (std::size_t row = rows.first(sentence); row < rows.last(sentence); ++row) {
                            marks[unit][row] |= plain[row];
                        }
                    }
                }
            }
        }
    }

    static std::unordered_map<Id, std::int64_t> counted(const Ids& tokens) {
        std::unordered_map<Id, std::int64_t> counts;
        for (Id token : tokens) ++counts[token];
        return counts;
    }

    static Counts longest(const Text& model, const Text& peer, const Rows& rows, const Marks& marks) {
        auto in_model = counted(model.tokens), in_peer = counted(peer.tokens);
        double match = 0;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (marks[row] && hit(rows.token(row), in_model, in_peer)) match += 1;
        }
        return {static_cast<double>(model.words.size()), static_cast<double>(peer.tokens.size()), match};
    }

    // `model` is the sum of the sentences' weights: what is made of it is not counting.
    static Counts weighted(const Text& model, const Text& peer, const Rows& rows, const Marks& marks, Weights& weights) {
        auto in_model = counted(model.tokens), in_peer = counted(peer.tokens);
        double match = 0, lengths = 0;
        std::size_t run = 0;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows.token(row) < 0) {
                run = 0;
            } else if (marks[row] && hit(rows.token(row), in_model, in_peer)) {
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
        return {lengths, static_cast<double>(peer.tokens.size()), match};
    }

    static bool hit(Id token, std::unordered_map<Id, std::int64_t>& in_model, std::unordered_map<Id, std::int64_t>& in_peer) {
        auto here = in_model.find(token), there = in_peer.find(token);
        if (here == in_model.end() || there == in_peer.end() || here->second <= 0 || there->second <= 0) return false;
        --here->second;
        --there->second;
        return true;
    }

    std::vector<const Text*> models_, peers_, texts_;
    std::vector<Unit> units_;
    std::vector<Counts> counts_;
    std::vector<Ids> dense_, grams_;
    std::size_t distinct_ = 0;
    long length_ = 1;
    Tally tally_;
};

}  // namespace rouge
