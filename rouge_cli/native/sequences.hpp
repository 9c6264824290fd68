// ROUGE-L, ROUGE-W and ROUGE-L-sentence of one eval: the twin of metrics/lcs.py and metrics/sentence_lcs.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "lcs.hpp"
#include "texts.hpp"
#include "wlcs.hpp"

namespace rouge {

class SequenceCounter {
public:
    // distinct: count DISTINCT_LCS, and nothing else; otherwise all others.
    void count(const EvalTexts& texts, const std::vector<KernelSpec>& specs, CountTable& table, bool distinct = false) {
        specs_ = &specs;
        unions_.clear();
        wholes_.clear();
        weighted_ = false;
        distinct_ = distinct;
        for (std::size_t metric = 0; metric < specs.size(); ++metric) {
            const int kind = specs[metric].kind;
            if ((kind == DISTINCT_LCS) != distinct) continue;
            if (kind == SENTENCE_LCS) wholes_.push_back(metric);
            if (kind == LCS || kind == WEIGHTED_LCS || kind == DISTINCT_LCS) unions_.push_back(metric);
            weighted_ = weighted_ || kind == WEIGHTED_LCS;
        }
        if (wholes_.empty() && unions_.empty()) return;
        if (weights_.size() < specs.size()) weights_.resize(specs.size());
        if (marks_.size() < specs.size()) marks_.resize(specs.size());
        for (std::size_t metric : unions_) weights_[metric].set(specs[metric].weight);
        if (!unions_.empty()) count_words(texts);
        for (std::size_t reference = 0; reference < texts.references(); ++reference) count_reference(texts, reference, table);
    }

private:
    void count_reference(const EvalTexts& texts, std::size_t reference, CountTable& table) {
        const bool whole_first = !wholes_.empty() && texts.text(reference).two_readings;
        if (whole_first) {
            locate(texts, texts.tokens(reference));
            for (std::size_t prediction = 0; prediction < texts.predictions(); ++prediction) count_whole(texts, reference, prediction, wholes_, table);
        }
        if (whole_first && unions_.empty()) return;
        locate(texts, texts.words(reference));
        bool is_laid_out = false;
        for (std::size_t prediction = 0; prediction < texts.predictions(); ++prediction) {
            if (!whole_first) count_whole(texts, reference, prediction, wholes_, table);
            if (unions_.empty()) continue;
            const Text& other = texts.text(texts.references() + prediction);
            const bool lines = texts.text(reference).ends.size() == 1 && other.ends.size() == 1;
            if (lines && !weighted_ && !distinct_ && !texts.text(reference).two_readings && !other.two_readings) {
                // If the whole reference is on the path, nothing is clipped, and no path needs marking.
                count_whole(texts, reference, prediction, unions_, table);
                continue;
            }
            if (!is_laid_out) lay_out(texts, reference);
            is_laid_out = true;
            align(texts, reference, prediction);
            for (std::size_t metric : unions_) {
                if ((*specs_)[metric].kind == DISTINCT_LCS) {
                    count_distinct(texts, reference, prediction, metric, table);
                } else {
                    count_marked(texts, reference, prediction, metric, table);
                }
            }
        }
    }

    // The places of each token of a reference.
    void locate(const EvalTexts& texts, const Ids& words) {
        starts_.assign(texts.of_references() + 1, 0);
        for (Id word : words) ++starts_[static_cast<std::size_t>(word) + 1];
        for (std::size_t token = 0; token < texts.of_references(); ++token) starts_[token + 1] += starts_[token];
        next_.assign(starts_.begin(), starts_.end());
        positions_.resize(words.size());
        for (std::size_t place = 0; place < words.size(); ++place) {
            positions_[next_[static_cast<std::size_t>(words[place])]++] = static_cast<std::uint32_t>(place);
        }
        length_known_ = false;
    }

    // The start of the marks of each sentence, whole machine words, and where each token stands by sentences.
    void lay_out(const EvalTexts& texts, std::size_t number) {
        const Text& reference = texts.text(number);
        sentences_.resize(reference.ends.size());
        if (columns_.size() < reference.ends.size()) columns_.resize(reference.ends.size());
        sentence_of_.resize(reference.words.size());
        std::size_t start = 0, marks = 0;
        for (std::size_t sentence = 0; sentence < reference.ends.size(); ++sentence) {
            const std::size_t end = reference.ends[sentence];
            sentences_[sentence] = {start, end - start, marks};
            std::fill(sentence_of_.begin() + static_cast<std::ptrdiff_t>(start),
                      sentence_of_.begin() + static_cast<std::ptrdiff_t>(end), static_cast<std::uint32_t>(sentence));
            marks += (end - start + 63) / 64;
            columns_[sentence].positions = positions_.data();
            columns_[sentence].base = start;
            columns_[sentence].rows = end - start;
            start = end;
        }
        words_of_marks_ = marks;
        parts_.clear();
        first_parts_.clear();
        for (std::size_t token = 0; token < texts.of_references(); ++token) {
            first_parts_.push_back(static_cast<std::uint32_t>(parts_.size()));
            for (std::uint32_t first = starts_[token]; first != starts_[token + 1];) {
                const std::uint32_t sentence = sentence_of_[positions_[first]];
                const Columns& pair = columns_[sentence];
                Column column{0, static_cast<Id>(token), first, first, 0};
                for (; column.last != starts_[token + 1] && positions_[column.last] < pair.base + pair.rows; ++column.last) {
                    column.match |= Word(1) << (positions_[column.last] - pair.base) % SHORT;
                }
                first = column.last;
                parts_.push_back({column, sentence});
            }
        }
        first_parts_.insert(first_parts_.end(), 2, static_cast<std::uint32_t>(parts_.size()));
    }

    void count_whole(const EvalTexts& texts, std::size_t reference, std::size_t prediction, const std::vector<std::size_t>& metrics,
                     CountTable& table) {
        if (metrics.empty()) return;
        const Ids& ours = texts.tokens(reference);
        const Ids& theirs = texts.tokens(texts.references() + prediction);
        if (!length_known_ || length_prediction_ != prediction) {
            whole_.columns.clear();
            whole_.positions = positions_.data();
            whole_.rows = ours.size();
            for (std::size_t place = 0; place < theirs.size(); ++place) {
                if (!texts.in_references(theirs[place])) continue;
                const std::size_t token = static_cast<std::size_t>(theirs[place]);
                if (starts_[token] == starts_[token + 1]) continue;
                whole_.columns.push_back({static_cast<std::uint32_t>(place), theirs[place], starts_[token], starts_[token + 1], 0});
            }
            length_ = whole_.columns.empty() ? 0 : alignment_.length(whole_);
            length_known_ = true;
            length_prediction_ = prediction;
        }
        for (std::size_t metric : metrics) {
            table.at(prediction, reference, metric) = {static_cast<double>(ours.size()), static_cast<double>(theirs.size()),
                                             static_cast<double>(length_)};
        }
    }

    // Marks the reference's words on the paths of all of the prediction's sentences.
    void align(const EvalTexts& texts, std::size_t reference, std::size_t prediction) {
        for (std::size_t metric : unions_) marks_[metric].assign(words_of_marks_, 0);
        const Ids& words = texts.words(texts.references() + prediction);
        std::size_t start = 0;
        for (std::size_t end : texts.text(texts.references() + prediction).ends) {
            find_columns(texts, words.data() + start, end - start);
            for (std::uint32_t sentence : touched_) {
                columns_[sentence].width = end - start;
                align_sentence(texts, reference, sentence);
                columns_[sentence].columns.clear();
            }
            start = end;
        }
    }

    // The matching columns of one prediction sentence, for each of the reference's sentences that it shares a token with.
    void find_columns(const EvalTexts& texts, const Id* tokens, std::size_t width) {
        touched_.resize(sentences_.size() + 1);
        std::size_t touched = 0;
        for (std::size_t column = 0; column < width; ++column) {
            // The last of the first parts stands for all tokens that are not in references.
            const std::size_t token = std::min(static_cast<std::size_t>(tokens[column]), texts.of_references());
            for (std::uint32_t number = first_parts_[token]; number != first_parts_[token + 1]; ++number) {
                const Part& part = parts_[number];
                Columns& pair = columns_[part.sentence];
                touched_[touched] = part.sentence;
                touched += pair.columns.empty();
                pair.columns.push_back(part.column);
                pair.columns.back().place = static_cast<std::uint32_t>(column);
            }
        }
        touched_.resize(touched);
    }

    void align_sentence(const EvalTexts& texts, std::size_t reference, std::size_t number) {
        const Sentence& sentence = sentences_[number];
        const Columns& pair = columns_[number];
        const std::size_t words = (sentence.size + 63) / 64;
        if (unions_.size() == 1 && !weighted_) {
            alignment_.mark(pair, marks_[unions_[0]].data() + sentence.marks);
            return;
        }
        path_.assign(words, 0);
        alignment_.mark(pair, path_.data());
        const bool diagonal = weighted_ && has_diagonal(pair);
        for (std::size_t metric : unions_) {
            Word* const marks = marks_[metric].data() + sentence.marks;
            if (diagonal && (*specs_)[metric].kind == WEIGHTED_LCS) {
                const Id* const tokens = texts.words(reference).data() + sentence.start;
                table_.mark(pair, tokens, texts.distinct(), weights_[metric], marks);
            } else {
                for (std::size_t word = 0; word < words; ++word) marks[word] |= path_[word];
            }
        }
    }

    // The frequency of each token in each text.
    void count_words(const EvalTexts& texts) {
        if (occurrences_.size() < texts.size()) occurrences_.resize(texts.size());
        for (std::size_t text = 0; text < texts.size(); ++text) {
            occurrences_[text].assign(texts.distinct(), 0);
            for (Id token : texts.counted_in_sentences(text)) ++occurrences_[text][static_cast<std::size_t>(token)];
        }
        if (left_.size() < texts.distinct()) left_.resize(texts.distinct());
    }

    // Marked words, each as often as both texts have it: their number, or the weights of their runs.
    //
    // The reference's count of ROUGE-W is the sum of its sentences' weights; the metric does the rest of the arithmetic.
    void count_marked(const EvalTexts& texts, std::size_t reference, std::size_t prediction, std::size_t metric, CountTable& table) {
        const bool weighted = (*specs_)[metric].kind == WEIGHTED_LCS;
        Weights& weights = weights_[metric];
        const Ids &ours = occurrences_[reference], &theirs = occurrences_[texts.references() + prediction];
        for (Id word : texts.words(reference)) {
            const std::size_t token = static_cast<std::size_t>(word);
            left_[token] = std::min(ours[token], theirs[token]);
        }
        double match = 0, size = 0;
        for (const Sentence& sentence : sentences_) {
            const Word* const marks = marks_[metric].data() + sentence.marks;
            const Id* const words = texts.words(reference).data() + sentence.start;
            const double* const weight = weighted ? weights.upto(sentence.size) : nullptr;
            std::size_t run = 0;
            for (std::size_t start = 0; start < sentence.size; start += 64) {
                const Word marked = marks[start / 64], after = start + 64 < sentence.size ? marks[start / 64 + 1] : 0;
                const Word last = marked & ~(marked >> 1 | after << 63);  // of its neighbours
                for (Word rest = marked; rest != 0; rest &= rest - 1) {
                    const std::size_t row = trailing_zeros(rest);
                    Id& left = left_[static_cast<std::size_t>(words[start + row])];
                    const std::size_t hit = left > 0;  // to add it takes no branch, which could not be predicted
                    left -= static_cast<Id>(hit);
                    run += hit;
                    // A marked word that is not a hit does not end a run; the rest of a run at the end is lost.
                    if (weighted && (last >> row & hit) != 0) {
                        match += weight[run];
                        run = 0;
                    }
                }
            }
            match += weighted ? 0 : static_cast<double>(run);
            size += weighted ? weight[sentence.size] : static_cast<double>(sentence.size);
        }
        table.at(prediction, reference, metric) = {size, static_cast<double>(texts.counted_in_sentences(texts.references() + prediction).size()), match};
    }

    // Different words: of both texts, and of the marked ones.
    void count_distinct(const EvalTexts& texts, std::size_t reference, std::size_t prediction, std::size_t metric, CountTable& table) {
        for (Id word : texts.words(reference)) left_[static_cast<std::size_t>(word)] = 1;
        Id match = 0;
        for (const Sentence& sentence : sentences_) {
            const Word* const marks = marks_[metric].data() + sentence.marks;
            const Id* const words = texts.words(reference).data() + sentence.start;
            for (std::size_t start = 0; start < sentence.size; start += 64) {
                for (Word rest = marks[start / 64]; rest != 0; rest &= rest - 1) {
                    Id& left = left_[static_cast<std::size_t>(words[start + trailing_zeros(rest)])];
                    match += left;
                    left = 0;
                }
            }
        }
        const auto size = [&](std::size_t text) {
            const Ids& times = occurrences_[text];
            return static_cast<double>(times.size() - static_cast<std::size_t>(std::count(times.begin(), times.end(), 0)));
        };
        table.at(prediction, reference, metric) = {size(reference), size(texts.references() + prediction), static_cast<double>(match)};
    }

    struct Sentence {
        std::size_t start, size, marks;
    };

    // Where a token stands in one sentence, as a column of it that has no place yet.
    struct Part {
        Column column;
        std::uint32_t sentence;
    };

    const std::vector<KernelSpec>* specs_ = nullptr;
    std::vector<std::size_t> unions_, wholes_;  // metrics of sentences, and of whole texts
    bool weighted_ = false, distinct_ = false;
    std::vector<Weights> weights_;
    std::vector<std::uint32_t> starts_, next_, positions_, sentence_of_, touched_, first_parts_;  // first_parts_: by token
    std::vector<Part> parts_;
    std::vector<Sentence> sentences_;
    std::vector<Columns> columns_;
    Columns whole_;
    std::size_t words_of_marks_ = 0, length_ = 0, length_prediction_ = 0;
    bool length_known_ = false;
    std::vector<std::vector<Word>> marks_;
    std::vector<Word> path_;
    std::vector<Ids> occurrences_;
    Ids left_;  // by token: how often it may still be a hit
    Alignment alignment_;
    WeightedTable table_;
};

}  // namespace rouge
