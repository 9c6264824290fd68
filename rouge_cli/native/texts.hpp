// The texts of one eval, their tokens numbered densely so that every table after this is an array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "survey.hpp"

namespace rouge {

using Id = std::int32_t;
using Ids = std::vector<Id>;
using Word = std::uint64_t;

// A prepared text, as `core.Text`: the tokens of its sentences, one after the other, and the end of each sentence.
// `first` holds the tokens of the first reading if the two readings differ, as they do only under -b (QUIRKS 8).
// `units`, `bytes` and `survey` are those of the file before any limit.
struct Text {
    Ids words;
    std::vector<std::size_t> ends;
    bool two_readings = false;
    bool apart = false;  // ROUGE-L counts the words of sentences only, as rougeLsum of forks of rouge_score does
    Ids first;
    std::size_t units = 0;
    std::size_t bytes = 0;
    Survey survey;

    const Ids& tokens() const { return two_readings ? first : words; }
};

// What a metric counts. `number` is the n of n-grams, or the distance of skip-bigrams (negative: any).
enum Kind { NGRAM, SKIP_BIGRAM, LCS, WEIGHTED_LCS, SENTENCE_LCS, DISTINCT_NGRAM, DISTINCT_LCS, LINE_NGRAM };

struct KernelSpec {
    int kind;
    std::int64_t number;  // as wide on every system
    bool unigrams;
    double weight;
};

struct Counts {
    double reference = 0;
    double prediction = 0;
    double match = 0;
};

// The counts of one eval, by prediction, reference and metric.
class CountTable {
public:
    void start(std::size_t predictions, std::size_t references, std::size_t metrics) {
        references_ = references;
        metrics_ = metrics;
        counts_.assign(predictions * references * metrics, Counts());
    }

    Counts& at(std::size_t prediction, std::size_t reference, std::size_t metric) {
        return counts_[(prediction * references_ + reference) * metrics_ + metric];
    }

    const std::vector<Counts>& all() const { return counts_; }

private:
    std::size_t references_ = 0, metrics_ = 0;
    std::vector<Counts> counts_;
};

// References first, then predictions. Reused for each eval, which saves allocations.
class EvalTexts {
public:
    void start(const std::vector<const Text*>& references, const std::vector<const Text*>& predictions) {
        references_ = references.size();
        texts_ = references;
        texts_.insert(texts_.end(), predictions.begin(), predictions.end());
        if (++round_ == 0) {
            seen_.assign(seen_.size(), Seen());
            round_ = 1;
        }
        distinct_ = of_references_ = 0;
        if (tokens_.size() < texts_.size()) {
            tokens_.resize(texts_.size());
            words_.resize(texts_.size());
        }
        for (std::size_t text = 0; text < texts_.size(); ++text) {
            number(texts_[text]->tokens(), tokens_[text]);
            if (texts_[text]->two_readings) number(texts_[text]->words, words_[text]);
            if (text + 1 == references_) of_references_ = distinct_;
        }
    }

    std::size_t size() const { return texts_.size(); }
    std::size_t references() const { return references_; }
    std::size_t predictions() const { return texts_.size() - references_; }
    // The number of different tokens, and the number of those in references, which have the lowest ids.
    std::size_t distinct() const { return distinct_; }
    std::size_t of_references() const { return of_references_; }
    bool in_references(Id token) const { return static_cast<std::size_t>(token) < of_references_; }

    const Text& text(std::size_t text) const { return *texts_[text]; }
    const Ids& tokens(std::size_t text) const { return tokens_[text]; }
    const Ids& counted_in_sentences(std::size_t text) const { return texts_[text]->apart ? words(text) : tokens(text); }
    const Ids& words(std::size_t text) const { return texts_[text]->two_readings ? words_[text] : tokens_[text]; }

    std::size_t longest() const {
        std::size_t size = 0;
        for (std::size_t text = 0; text < texts_.size(); ++text) size = std::max(size, tokens_[text].size());
        return size;
    }

private:
    void number(const Ids& ids, Ids& numbered) {
        numbered.resize(ids.size());
        Id* next = numbered.data();
        for (Id id : ids) {
            const std::size_t place = static_cast<std::size_t>(id);
            if (place >= seen_.size()) seen_.resize(place * 2 + 1024);
            // Without a branch: whether an eval has the token already cannot be predicted.
            const bool is_new = seen_[place].round != round_;
            *next = is_new ? static_cast<Id>(distinct_) : seen_[place].number;
            distinct_ += is_new;
            seen_[place] = {round_, *next++};
        }
    }

    // The eval in which an id was seen last, and its number there.
    struct Seen {
        std::uint32_t round = 0;
        Id number = 0;
    };

    std::size_t references_ = 0, distinct_ = 0, of_references_ = 0;
    std::vector<const Text*> texts_;
    std::vector<Ids> tokens_, words_;
    std::vector<Seen> seen_;  // by id
    std::uint32_t round_ = 0;
};

}  // namespace rouge
