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
        // If the whole reference is on the path, nothing is clipped: for lines, no path needs marking.
        bool are_lines = !unions_.empty() && !weighted_ && !distinct;
        for (std::size_t reference = 0; reference < texts.references(); ++reference) are_lines = are_lines && is_line(texts, reference);
        for (std::size_t reference = 0; reference < texts.references() && (are_lines || !wholes_.empty()); ++reference) {
            locate(texts, reference, reference + 1, false);
            for (std::size_t prediction = 0; prediction < texts.predictions(); ++prediction) {
                count_whole(texts, reference, prediction, are_lines && is_line(texts, texts.references() + prediction), table);
            }
        }
        bool is_laid_out = false;
        for (std::size_t prediction = 0; prediction < texts.predictions() && !unions_.empty(); ++prediction) {
            if (are_lines && is_line(texts, texts.references() + prediction)) continue;
            if (!is_laid_out) lay_out(texts);
            is_laid_out = true;
            align(texts, prediction);
            for (std::size_t reference = 0; reference < texts.references(); ++reference) {
                for (std::size_t metric : unions_) {
                    if (distinct) {
                        count_distinct(texts, reference, prediction, metric, table);
                    } else {
                        count_marked(texts, reference, prediction, metric, table);
                    }
                }
            }
        }
    }

private:
    static bool is_line(const EvalTexts& texts, std::size_t text) { return texts.text(text).ends.size() == 1 && !texts.text(text).two_readings; }

    // The places of each token in some references, one after the other.
    void locate(const EvalTexts& texts, std::size_t first, std::size_t last, bool in_sentences) {
        const auto words = [&](std::size_t reference) -> const Ids& { return in_sentences ? texts.words(reference) : texts.tokens(reference); };
        starts_.assign(texts.of_references() + 1, 0);
        for (std::size_t reference = first; reference < last; ++reference) {
            for (Id word : words(reference)) ++starts_[static_cast<std::size_t>(word) + 1];
        }
        for (std::size_t token = 0; token < texts.of_references(); ++token) starts_[token + 1] += starts_[token];
        next_.assign(starts_.begin(), starts_.end());
        positions_.resize(starts_.back());
        std::uint32_t place = 0;
        for (std::size_t reference = first; reference < last; ++reference) {
            for (Id word : words(reference)) positions_[next_[static_cast<std::size_t>(word)]++] = place++;
        }
    }

    // The sentences of all references, and where each token stands by sentences.
    void lay_out(const EvalTexts& texts) {
        locate(texts, 0, texts.references(), true);
        count_words(texts);
        sentences_.clear();
        sentence_of_.resize(positions_.size());
        firsts_.assign(1, 0);
        std::size_t marks = 0, base = 0;
        for (std::size_t reference = 0; reference < texts.references(); ++reference) {
            const Id* const words = texts.words(reference).data();
            std::size_t start = 0;
            for (std::size_t end : texts.text(reference).ends) {
                const std::uint32_t sentence = static_cast<std::uint32_t>(sentences_.size());
                if (columns_.size() == sentence) columns_.emplace_back();
                columns_[sentence].positions = positions_.data();
                columns_[sentence].base = base;
                columns_[sentence].rows = end - start;
                sentences_.push_back({words + start, end - start, marks});
                for (marks += (end - start + 63) / 64; start < end; ++start) sentence_of_[base++] = sentence;
            }
            firsts_.push_back(sentences_.size());
        }
        words_of_marks_ = marks;
        touched_.resize(sentences_.size() + 1);
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

    // The metrics of whole texts, and those of sentences if both texts are lines. positions_: of this reference.
    void count_whole(const EvalTexts& texts, std::size_t reference, std::size_t prediction, bool are_lines, CountTable& table) {
        const Ids& ours = texts.tokens(reference);
        const Ids& theirs = texts.tokens(texts.references() + prediction);
        whole_.columns.clear();
        whole_.positions = positions_.data();
        whole_.rows = ours.size();
        for (std::size_t place = 0; place < theirs.size(); ++place) {
            if (!texts.in_references(theirs[place])) continue;
            const std::size_t token = static_cast<std::size_t>(theirs[place]);
            if (starts_[token] == starts_[token + 1]) continue;
            whole_.columns.push_back({static_cast<std::uint32_t>(place), theirs[place], starts_[token], starts_[token + 1], 0});
        }
        const std::size_t length = whole_.columns.empty() ? 0 : alignment_.length(whole_);
        const Counts counts{static_cast<double>(ours.size()), static_cast<double>(theirs.size()), static_cast<double>(length)};
        for (std::size_t metric : wholes_) table.at(prediction, reference, metric) = counts;
        if (!are_lines) return;
        for (std::size_t metric : unions_) table.at(prediction, reference, metric) = counts;
    }

    // Marks the words of all references on the paths of all of the prediction's sentences.
    void align(const EvalTexts& texts, std::size_t prediction) {
        for (std::size_t metric : unions_) marks_[metric].assign(words_of_marks_, 0);
        const Id* const words = texts.words(texts.references() + prediction).data();
        std::size_t start = 0;
        for (std::size_t end : texts.text(texts.references() + prediction).ends) {
            const std::size_t touched = find_columns(texts, words + start, end - start);
            for (std::size_t at = 0; at < touched; ++at) {
                columns_[touched_[at]].width = end - start;
                align_sentence(texts, touched_[at]);
                columns_[touched_[at]].columns.clear();
            }
            start = end;
        }
    }

    // The matching columns of one prediction sentence, for each of the references' sentences that it shares a token with:
    // the number of these, which are `touched_`.
    std::size_t find_columns(const EvalTexts& texts, const Id* tokens, std::size_t width) {
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
        return touched;
    }

    void align_sentence(const EvalTexts& texts, std::size_t number) {
        const Sentence& sentence = sentences_[number];
        const Columns& pair = columns_[number];
        const std::size_t words = (sentence.size + 63) / 64;
        if (unions_.size() == 1 && !weighted_) {
            alignment_.mark(pair, marks_[unions_[0]].data() + sentence.marks);
            return;
        }
        path_.assign(words, 0);
        alignment_.mark(pair, path_.data());
        const bool diagonal = weighted_ && may_have_diagonal(pair);
        for (std::size_t metric : unions_) {
            Word* const marks = marks_[metric].data() + sentence.marks;
            if (diagonal && (*specs_)[metric].kind == WEIGHTED_LCS) {
                table_.mark(pair, sentence.words, texts.distinct(), weights_[metric], marks);
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
        for (std::size_t number = firsts_[reference]; number < firsts_[reference + 1]; ++number) {
            const Sentence& sentence = sentences_[number];
            const Word* const marks = marks_[metric].data() + sentence.marks;
            const double* const weight = weighted ? weights.upto(sentence.size) : nullptr;
            std::size_t run = 0;
            for (std::size_t start = 0; start < sentence.size; start += 64) {
                const Word marked = marks[start / 64], after = start + 64 < sentence.size ? marks[start / 64 + 1] : 0;
                const Word last = marked & ~(marked >> 1 | after << 63);  // of its neighbours
                for (Word rest = marked; rest != 0; rest &= rest - 1) {
                    const std::size_t row = trailing_zeros(rest);
                    Id& left = left_[static_cast<std::size_t>(sentence.words[start + row])];
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
        for (std::size_t number = firsts_[reference]; number < firsts_[reference + 1]; ++number) {
            const Sentence& sentence = sentences_[number];
            const Word* const marks = marks_[metric].data() + sentence.marks;
            for (std::size_t start = 0; start < sentence.size; start += 64) {
                for (Word rest = marks[start / 64]; rest != 0; rest &= rest - 1) {
                    Id& left = left_[static_cast<std::size_t>(sentence.words[start + trailing_zeros(rest)])];
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

    // A sentence of a reference, and where its marks begin, whole machine words.
    struct Sentence {
        const Id* words;
        std::size_t size, marks;
    };

    // Where a token stands in one sentence, as a column of it that has no place yet.
    struct Part {
        Column column;
        std::uint32_t sentence;
    };

    const std::vector<KernelSpec>* specs_ = nullptr;
    std::vector<std::size_t> unions_, wholes_;  // metrics of sentences, and of whole texts
    bool weighted_ = false;
    std::vector<Weights> weights_;
    std::vector<std::uint32_t> starts_, next_, positions_, sentence_of_, touched_, first_parts_;  // first_parts_: by token
    std::vector<Part> parts_;
    std::vector<Sentence> sentences_;
    std::vector<Columns> columns_;     // of each sentence
    std::vector<std::size_t> firsts_;  // of each reference the first sentence; then the number of all
    Columns whole_;
    std::size_t words_of_marks_ = 0;
    std::vector<std::vector<Word>> marks_;
    std::vector<Word> path_;
    std::vector<Ids> occurrences_;
    Ids left_;  // by token: how often it may still be a hit
    Alignment alignment_;
    WeightedTable table_;
};

}  // namespace rouge
