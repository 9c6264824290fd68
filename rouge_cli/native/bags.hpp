// N-grams and skip-bigrams as multisets: metrics/__init__.py, ngram.py and skip_bigram.py document what is counted.
//
// Only units of references have a number; what a prediction has beside them cannot match.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "texts.hpp"

namespace rouge {

constexpr Id NOTHING = -1;

// Numbers pairs of numbers from 0 on, in the order of their first look-up: by a table of all pairs if it is small, which
// needs no branch that could not be predicted, else by open addressing.
class Numbering {
public:
    // Forgets all pairs, and makes room for so many, of a number below `firsts` and one below `seconds` or NOTHING.
    void start(std::size_t pairs, std::size_t firsts, std::size_t seconds) {
        for (std::size_t place : places_) table_[place] = NOTHING;
        places_.clear();
        size_ = 0;
        others_ = static_cast<Id>(seconds);
        row_ = seconds + 2;
        tabulated_ = firsts * row_ <= std::min(MOST_TABULATED, pairs * WORTH_A_PAIR);
        if (tabulated_) {
            if (table_.size() < firsts * row_) table_.resize(firsts * row_, NOTHING);
            return;
        }
        if (++round_ == 0) slots_.clear();
        if (slots_.size() < pairs * 2 + 64) {
            std::size_t size = 1024;
            while (size < pairs * 2 + 64) size *= 2;
            slots_.assign(size, Slot());
            round_ = 1;
        }
        mask_ = slots_.size() - 1;
    }

    Id operator()(Id first, Id second) {
        if (tabulated_) {
            Id& number = table_[place(first, second)];
            if (number == NOTHING) {
                places_.push_back(place(first, second));
                number = static_cast<Id>(size_++);
            }
            return number;
        }
        Slot& slot = find(joined(first, second));
        if (slot.round != round_) {
            if (size_ * 2 >= slots_.size()) {
                grow();
                return (*this)(first, second);
            }
            slot = {joined(first, second), static_cast<Id>(size_++), round_};
        }
        return slot.number;
    }

    std::size_t size() const { return size_; }

    // The number of a pair, or NOTHING; `second` may be any number.
    Id known(Id first, Id second) {
        if (tabulated_) return table_[place(first, std::min(second, others_))];
        if (second >= others_) return NOTHING;
        const Slot& slot = find(joined(first, second));
        return slot.round == round_ ? slot.number : NOTHING;
    }

private:
    // Larger tables would leave the cache, and those with few pairs take longer to fill than to hash these.
    static constexpr std::size_t MOST_TABULATED = std::size_t(1) << 17, WORTH_A_PAIR = 32;

    struct Slot {
        Word key = 0;
        Id number = 0;
        std::uint32_t round = 0;
    };

    std::size_t place(Id first, Id second) const {
        return static_cast<std::size_t>(first) * row_ + static_cast<std::size_t>(second - NOTHING);
    }

    static Word joined(Id first, Id second) {
        return static_cast<Word>(static_cast<std::uint32_t>(first)) << 32 | static_cast<std::uint32_t>(second);
    }

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
    bool tabulated_ = false;
    Ids table_;                        // by first and second; those that are not in `places_` are NOTHING
    std::vector<std::size_t> places_;  // of the pairs that have a number
    std::size_t row_ = 0;
    Id others_ = 0;                    // stands for all seconds from here on
};

// A multiset of numbered units: the first `size` of `counts`. `total` counts those too that have no number.
struct Bag {
    std::vector<std::pair<Id, Id>> counts;
    std::size_t size = 0;
    double total = 0;
};

// Counts per number, all zero between uses. Whether a unit was there before, or has a number at all, cannot be
// predicted: no branch depends on it, and NOTHING has a count, too.
class Tally {
public:
    // Makes room for numbers below `size`.
    void reserve(std::size_t size) {
        if (size >= counts_.size()) counts_.resize(size * 2 + 1024);
    }

    // The bag of the units that have a number.
    void bag(const Ids& units, double total, Bag& bag) {
        bag.total = total;
        bag.size = 0;
        if (bag.counts.size() <= units.size()) bag.counts.resize(units.size() + 1);
        of(NOTHING) = 1;
        for (Id unit : units) {
            bag.counts[bag.size].first = unit;
            bag.size += of(unit)++ == 0;
        }
        of(NOTHING) = 0;
        for (std::size_t entry = 0; entry < bag.size; ++entry) {
            bag.counts[entry].second = of(bag.counts[entry].first);
            of(bag.counts[entry].first) = 0;
        }
    }

    void fill(const Bag& bag) {
        for (std::size_t entry = 0; entry < bag.size; ++entry) of(bag.counts[entry].first) = bag.counts[entry].second;
    }

    void clear(const Bag& bag) {
        for (std::size_t entry = 0; entry < bag.size; ++entry) of(bag.counts[entry].first) = 0;
    }

    // The sum of the smaller counts of the filled bag and this one.
    std::size_t overlap(const Bag& bag) {
        std::size_t sum = 0;
        for (std::size_t entry = 0; entry < bag.size; ++entry) {
            sum += static_cast<std::size_t>(std::min(of(bag.counts[entry].first), bag.counts[entry].second));
        }
        return sum;
    }

    // How many of these units the filled bag has; its counts are used up.
    std::size_t consume(const Ids& units) {
        std::size_t sum = 0;
        for (Id unit : units) {
            const Id hit = of(unit) > 0;
            of(unit) -= hit;
            sum += static_cast<std::size_t>(hit);
        }
        return sum;
    }

private:
    Id& of(Id unit) { return counts_[static_cast<std::size_t>(unit - NOTHING)]; }

    std::vector<Id> counts_;
};

// Counts n-grams and skip-bigrams of one eval after the other.
class BagCounter {
public:
    void start() { length_ = 0; }

    static bool takes(int kind) { return kind == NGRAM || kind == LINE_NGRAM || kind == DISTINCT_NGRAM || kind == SKIP_BIGRAM; }

    void count(const EvalTexts& texts, const KernelSpec& spec, std::size_t metric, CountTable& table) {
        if (spec.kind == NGRAM || spec.kind == LINE_NGRAM) {
            count_ngrams(texts, spec, metric, table);
        } else if (spec.kind == DISTINCT_NGRAM) {
            count_distinct(texts, static_cast<std::size_t>(spec.number), metric, table);
        } else if (pairs_within(reach_of(spec), texts.longest()) > MOST_TABULATED) {
            count_pairs_by_word(texts, spec, metric, table);
        } else {
            count_skip_bigrams(texts, spec, metric, table);
        }
    }

private:
    // N-grams are numbered as pairs of an n-gram of n - 1 and a token: quick if n goes up by one from call to call.
    void count_ngrams(const EvalTexts& texts, const KernelSpec& spec, std::size_t metric, CountTable& table) {
        const std::size_t n = static_cast<std::size_t>(spec.number);
        const bool in_lines = spec.kind == LINE_NGRAM;
        if (length_ == 0 || n < length_ || in_lines != in_lines_) {
            if (grams_.size() < texts.size()) grams_.resize(texts.size());
            for (std::size_t text = 0; text < texts.size(); ++text) {
                grams_[text] = in_lines ? texts.words(text) : texts.tokens(text);
                if (text < texts.references()) continue;
                for (Id& token : grams_[text]) token = texts.in_references(token) ? token : NOTHING;
            }
            length_ = 1;
            in_lines_ = in_lines;
            numbered_ = texts.of_references();
        }
        for (; length_ < n; ++length_) {
            numbers_.start(tokens_of_references(texts), numbered_, texts.of_references());
            for (std::size_t text = 0; text < texts.size(); ++text) lengthen(texts, text);
            numbered_ = numbers_.size();
        }
        start_bags(texts);
        tally_.reserve(numbered_);
        const auto size_of = [&](std::size_t tokens) { return tokens >= n ? static_cast<double>(tokens - n + 1) : 0.0; };
        const auto size = [&](std::size_t text) {
            if (!in_lines) return size_of(texts.tokens(text).size());
            double sum = 0;
            std::size_t start = 0;
            for (std::size_t end : texts.text(text).ends) {
                sum += size_of(end - start);
                start = end;
            }
            return sum;
        };
        if (texts.references() == 1) {  // then a prediction's bag would be used once only
            tally_.bag(grams_[0], size(0), bags_[0]);
            for (std::size_t prediction = 0; prediction < texts.predictions(); ++prediction) {
                tally_.fill(bags_[0]);
                const std::size_t match = tally_.consume(grams_[1 + prediction]);
                table.at(prediction, 0, metric) = {bags_[0].total, size(1 + prediction), static_cast<double>(match)};
                tally_.clear(bags_[0]);
            }
            return;
        }
        for (std::size_t text = 0; text < texts.size(); ++text) tally_.bag(grams_[text], size(text), bags_[text]);
        overlap(texts, metric, table);
    }

    // N-grams as sets: those of predictions are numbered, too.
    void count_distinct(const EvalTexts& texts, std::size_t n, std::size_t metric, CountTable& table) {
        length_ = 0;
        if (grams_.size() < texts.size()) grams_.resize(texts.size());
        std::size_t size = 0;
        for (std::size_t text = 0; text < texts.size(); ++text) {
            grams_[text] = texts.tokens(text);
            size += grams_[text].size();
        }
        for (std::size_t length = 1; length < n; ++length) {
            numbers_.start(size, length == 1 ? texts.distinct() : numbers_.size(), texts.distinct());
            for (std::size_t text = 0; text < texts.size(); ++text) {
                Ids& grams = grams_[text];
                if (!grams.empty()) grams.pop_back();
                for (std::size_t place = 0; place < grams.size(); ++place) {
                    grams[place] = numbers_(grams[place], texts.tokens(text)[place + length]);
                }
            }
        }
        for (std::size_t text = 0; text < texts.size(); ++text) {
            std::sort(grams_[text].begin(), grams_[text].end());
            grams_[text].erase(std::unique(grams_[text].begin(), grams_[text].end()), grams_[text].end());
        }
        for (std::size_t reference = 0; reference < texts.references(); ++reference) {
            const Ids& ours = grams_[reference];
            for (std::size_t prediction = 0; prediction < texts.predictions(); ++prediction) {
                const Ids& theirs = grams_[texts.references() + prediction];
                pairs_.clear();
                std::set_intersection(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::back_inserter(pairs_));
                table.at(prediction, reference, metric) = {static_cast<double>(ours.size()), static_cast<double>(theirs.size()),
                                                 static_cast<double>(pairs_.size())};
            }
        }
    }

    // From a text's n-grams to those of one token more.
    void lengthen(const EvalTexts& texts, std::size_t text) {
        Ids& grams = grams_[text];
        const Ids& tokens = in_lines_ ? texts.words(text) : texts.tokens(text);
        const std::size_t size = tokens.size() > length_ ? tokens.size() - length_ : 0;
        for (std::size_t place = 0; place < size; ++place) {
            if (grams[place] < 0) continue;
            const Id last = tokens[place + length_];
            grams[place] = text < texts.references() ? numbers_(grams[place], last) : numbers_.known(grams[place], last);
        }
        grams.resize(size);
        for (std::size_t end : texts.text(text).ends) {  // the n-gram that crosses this end, but no shorter one did
            if (in_lines_ && end >= length_ && end < tokens.size()) grams[end - length_] = NOTHING;
        }
    }

    static std::size_t tokens_of_references(const EvalTexts& texts) {
        std::size_t size = 0;
        for (std::size_t text = 0; text < texts.references(); ++text) size += texts.tokens(text).size();
        return size;
    }

    void count_skip_bigrams(const EvalTexts& texts, const KernelSpec& spec, std::size_t metric, CountTable& table) {
        const std::size_t reach = reach_of(spec);
        numbers_.start(tokens_of_references(texts) * std::min<std::size_t>(reach + 1, 8), texts.of_references(), texts.of_references());
        start_bags(texts);
        for (std::size_t text = 0; text < texts.size(); ++text) {
            const Ids& tokens = texts.tokens(text);
            const std::size_t size = tokens.size();
            const double units = units_in(spec, size);
            pairs_.resize(static_cast<std::size_t>(units) + 1);
            Id* next = pairs_.data();
            for (std::size_t first = 0; first < size; ++first) {
                if (!texts.in_references(tokens[first])) continue;
                const std::size_t end = reach < size - first ? first + reach + 1 : size;
                for (std::size_t second = first + 1; second < end; ++second) next = take(texts, text, tokens[first], tokens[second], next);
                if (spec.unigrams && first + 1 < size) next = take(texts, text, tokens[first], NOTHING, next);
            }
            pairs_.resize(static_cast<std::size_t>(next - pairs_.data()));
            tally_.reserve(numbers_.size());
            tally_.bag(pairs_, units, bags_[text]);
        }
        overlap(texts, metric, table);
    }

    // Writes the number of a pair, if it has one, and returns where to write on.
    Id* take(const EvalTexts& texts, std::size_t text, Id first, Id second, Id* next) {
        *next = text < texts.references() ? numbers_(first, second) : numbers_.known(first, second);
        return next + (*next != NOTHING);
    }

    // How many tokens after the first one may be the second.
    static std::size_t reach_of(const KernelSpec& spec) {
        return spec.number < 0 ? ~std::size_t(0) >> 1 : static_cast<std::size_t>(spec.number) + 1;
    }

    // The number of pairs within that reach in a text of that size.
    static double pairs_within(std::size_t reach, std::size_t size) {
        if (size == 0) return 0;
        const double last = static_cast<double>(size - 1);
        const double most = std::min(static_cast<double>(reach), last);
        return most * last - most * (most - 1) / 2;
    }

    // The number of skip-bigrams, and of tokens but the last, in a text of that size.
    static double units_in(const KernelSpec& spec, std::size_t size) {
        return pairs_within(reach_of(spec), size) + (spec.unigrams && size > 0 ? static_cast<double>(size - 1) : 0);
    }

    void start_bags(const EvalTexts& texts) {
        if (bags_.size() < texts.size()) bags_.resize(texts.size());
    }

    void overlap(const EvalTexts& texts, std::size_t metric, CountTable& table) {
        for (std::size_t reference = 0; reference < texts.references(); ++reference) {
            tally_.fill(bags_[reference]);
            for (std::size_t prediction = 0; prediction < texts.predictions(); ++prediction) {
                const Bag& bag = bags_[texts.references() + prediction];
                table.at(prediction, reference, metric) = {bags_[reference].total, bag.total, static_cast<double>(tally_.overlap(bag))};
            }
            tally_.clear(bags_[reference]);
        }
    }

    // Up to so many pairs a table of them is small, and faster.
    static constexpr double MOST_TABULATED = 5e5;

    using Places = std::vector<std::vector<std::size_t>>;

    // Skip-bigrams without a table of pairs: for each first word, how often every word follows it within reach.
    void count_pairs_by_word(const EvalTexts& texts, const KernelSpec& spec, std::size_t metric, CountTable& table) {
        std::vector<Places> places;
        for (std::size_t text = 0; text < texts.size(); ++text) {
            places.emplace_back(texts.distinct());
            for (std::size_t place = 0; place < texts.tokens(text).size(); ++place) {
                places.back()[static_cast<std::size_t>(texts.tokens(text)[place])].push_back(place);
            }
        }
        for (std::size_t reference = 0; reference < texts.references(); ++reference) {
            for (std::size_t prediction = 0; prediction < texts.predictions(); ++prediction) {
                const std::size_t other = texts.references() + prediction;
                const double match = shared_pairs(texts.tokens(reference), texts.tokens(other), places[reference], places[other], spec);
                table.at(prediction, reference, metric) = {units_in(spec, texts.tokens(reference).size()),
                                                 units_in(spec, texts.tokens(other).size()), match};
            }
        }
    }

    static double shared_pairs(const Ids& ours, const Ids& theirs, const Places& our_places, const Places& their_places,
                               const KernelSpec& spec) {
        Followers in_reference(our_places.size()), in_prediction(our_places.size());
        double match = 0;
        for (std::size_t first = 0; first < our_places.size(); ++first) {
            const auto& here = our_places[first];
            const auto& there = their_places[first];
            if (here.empty() || there.empty()) continue;
            in_reference.count(ours, here, reach_of(spec));
            in_prediction.count(theirs, there, reach_of(spec));
            std::int64_t shared = 0;
            for (std::size_t second : in_reference.seen) shared += std::min(in_reference.times[second], in_prediction.times[second]);
            if (spec.unigrams) shared += std::min(but_last(ours, here), but_last(theirs, there));
            match += static_cast<double>(shared);
        }
        return match;
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

    static std::int64_t but_last(const Ids& tokens, const std::vector<std::size_t>& places) {
        return static_cast<std::int64_t>(places.size()) - (places.back() + 1 == tokens.size() ? 1 : 0);
    }

    std::size_t length_ = 0, numbered_ = 0;  // of `grams_`, and how many have a number
    bool in_lines_ = false;                  // `grams_` do not cross the ends of lines
    std::vector<Ids> grams_;
    Numbering numbers_;
    Tally tally_;
    std::vector<Bag> bags_;
    Ids pairs_;
};

}  // namespace rouge
