// A dialect's program over a batch of evals: reads, counts and scores plain evals, and hands back the rest.
//
// An eval is not plain if there is something to report about it, or if one of its files is not plain: the readable
// program of the dialect scores it then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "files.hpp"
#include "formats.hpp"
#include "limit.hpp"
#include "scoring.hpp"
#include "survey.hpp"
#include "texts.hpp"
#include "tokens.hpp"

namespace rouge {

// A text: its bytes, or the path of its file.
struct Source {
    std::string_view bytes;
    bool is_path;
};

// One eval: the number of the batch's sources that are its references, and of those after them that are its predictions.
struct EvalSources {
    std::size_t references;
    std::size_t predictions;
    bool is_see;
};

// The numbers of what was read on one side: `Numbers` of text/survey.py, in which each use of a text counts.
struct TextTally {
    std::size_t texts = 0, sentences = 0, bytes = 0;
    std::size_t cut_up = 0, long_texts = 0, letters = 0, cut = 0, dropped = 0;  // of texts that are cut up

    void add(const Text& text) {
        const Survey& survey = text.survey;
        ++texts;
        sentences += text.units;
        bytes += text.bytes;
        if (!survey.cut_up()) return;
        ++cut_up;
        long_texts += survey.is_long();
        letters += survey.letters;
        cut += survey.cut;
        dropped += survey.dropped;
    }

    void add(const TextTally& other) {
        texts += other.texts;
        sentences += other.sentences;
        bytes += other.bytes;
        cut_up += other.cut_up;
        long_texts += other.long_texts;
        letters += other.letters;
        cut += other.cut;
        dropped += other.dropped;
    }

    // True if so many letters outside ASCII are lost that it is reported: `cut_up_message` of text/survey.py.
    static bool lose_letters(const TextTally& predictions, const TextTally& references) {
        constexpr std::size_t ONE_IN = 50;
        bool many = false;
        TextTally both;
        for (const TextTally* side : {&predictions, &references}) {
            many = many || side->cut_up * ONE_IN >= side->texts;
            both.add(*side);
        }
        return many && both.letters > 0 && (both.long_texts > 0 || both.dropped >= Survey::FEWEST_CUT);
    }
};

struct Batch {
    std::vector<EvalSources> evals;
    std::vector<Source> sources;
    std::shared_ptr<const Folders> folders;  // of the sources
    bool stops = false;                      // at an eval that cannot be scored, without which the others are of no use

    // For each eval whether it was scored; for scored ones, a row for each prediction and metric.
    std::vector<char> scored;
    std::vector<Row> rows;
    // By side (predictions, references): the numbers of the texts of scored evals, and the first scored eval with a text that
    // is cut up by the tokenizer, and the place of this text among the eval's; else NONE.
    TextTally tallies[2];
    static constexpr std::size_t NONE = ~std::size_t(0);
    std::size_t first_cut[2] = {NONE, NONE}, text_of_cut[2] = {NONE, NONE};
};

class Program {
public:
    // folds: lower-case the text as Unicode before anything else. limit: null for none. stems_references: as the vocabulary's.
    Program(const std::vector<KernelSpec>& specs, std::unique_ptr<Scoring> scoring, std::unique_ptr<Limit> limit, bool folds,
            Vocabulary& vocabulary, bool stems_references)
        : width_(specs.size()), scoring_(std::move(scoring)), limit_(std::move(limit)), folds_(folds), vocabulary_(vocabulary) {
        for (std::size_t metric = 0; metric < width_; ++metric) {
            Group& group = groups_[stems_references ? stemming_of(specs[metric].kind) : PLAIN];
            group.specs.push_back(specs[metric]);
            group.metrics.push_back(metric);
        }
    }

    void run(Batch& batch) {
        forget();  // also what a failed run left
        plan(batch);
        batch.scored.assign(batch.evals.size(), 0);
        const Source* next = batch.sources.data();
        for (std::size_t number = 0; number < batch.evals.size(); ++number) {
            const EvalSources& eval = batch.evals[number];
            batch.scored[number] = score(eval, next, batch.rows);
            if (!batch.scored[number] && batch.stops) break;
            if (batch.scored[number]) tally(batch, number);
            next += eval.references + eval.predictions;
        }
        forget();
    }

private:
    // What is stemmed of a reference whose predictions are not: nothing, the text but not its sentences, or all. The twin
    // of READINGS in dialects/rouge155/texts.py.
    enum Stemming { PLAIN, CLIPPED, STEMMED };

    static Stemming stemming_of(int kind) { return kind == NGRAM ? PLAIN : kind == WEIGHTED_LCS ? CLIPPED : STEMMED; }

    // The metrics of one stemming.
    struct Group {
        std::vector<KernelSpec> specs;
        std::vector<std::size_t> metrics;
    };

    // How often a file of the batch is still to be used, and its text, as another format or as SEE, once it was read.
    struct File {
        std::size_t uses = 0;
        std::unique_ptr<Text> texts[2];
    };

    void forget() {
        folders_.reset();
        paths_ = Known();
        files_.clear();
    }

    // The uses of each file of the batch, so that it is read once.
    void plan(const Batch& batch) {
        folders_ = batch.folders;
        for (const Source& source : batch.sources) {
            if (!source.is_path) continue;
            const Token path = token_of(source.bytes);
            std::int32_t number = paths_.find(path);
            if (number == Known::UNKNOWN) {
                number = static_cast<std::int32_t>(files_.size());
                paths_.add(path, number);
                files_.emplace_back();
            }
            ++files_[static_cast<std::size_t>(number)].uses;
        }
    }

    bool score(const EvalSources& eval, const Source* sources, std::vector<Row>& rows) {
        if (!scoring_->takes(eval.references)) return false;
        const std::size_t size = eval.references + eval.predictions;
        if (texts_.size() < size) texts_.resize(size);
        used_up_.clear();
        references_.clear();
        predictions_.clear();
        for (std::size_t place = 0; place < size; ++place) {
            const Text* text = read(sources[place], eval.is_see, texts_[place]);
            if (text == nullptr) return false;
            (place < eval.references ? references_ : predictions_).push_back(text);
        }
        const std::size_t first = rows.size();
        rows.resize(first + eval.predictions * width_);
        for (Stemming stemming : {PLAIN, CLIPPED, STEMMED}) {
            const Group& group = groups_[stemming];
            if (group.specs.empty()) continue;
            if (stemming != PLAIN) stem_references(stemming);
            CountTable& counts = counting_.count(stemming == PLAIN ? references_ : stemmed_, predictions_, group.specs);
            for (std::size_t prediction = 0; prediction < eval.predictions; ++prediction) {
                Row* const row = rows.data() + first + prediction * width_;
                for (std::size_t place = 0; place < group.specs.size(); ++place) {
                    row[group.metrics[place]] = scoring_->row(counts, prediction, eval.references, place, group.specs[place]);
                }
            }
        }
        return true;
    }

    void stem_references(Stemming stemming) {
        stems_.resize(references_.size());
        stemmed_.clear();
        for (std::size_t place = 0; place < references_.size(); ++place) {
            Text& text = stems_[place] = *references_[place];
            text.first = vocabulary_.stems(text.tokens());
            text.two_readings = text.two_readings || stemming == CLIPPED;
            if (stemming == STEMMED) text.words = vocabulary_.stems(text.words);
            stemmed_.push_back(&text);
        }
    }

    // Counts the texts of an eval that was scored.
    void tally(Batch& batch, std::size_t number) {
        const EvalSources& eval = batch.evals[number];
        for (std::size_t place = 0; place < eval.references + eval.predictions; ++place) {
            const std::size_t side = place < eval.references;
            const Text& text = side ? *references_[place] : *predictions_[place - eval.references];
            batch.tallies[side].add(text);
            if (batch.first_cut[side] != Batch::NONE || !text.survey.cut_up()) continue;
            batch.first_cut[side] = number;
            batch.text_of_cut[side] = place;
        }
    }

    // The text in a source, made in `own` unless its file has more uses; null if it is not plain.
    const Text* read(const Source& source, bool is_see, Text& own) {
        if (!source.is_path) return make(source.bytes, is_see, own) ? &own : nullptr;
        File& file = files_[static_cast<std::size_t>(paths_.find(token_of(source.bytes)))];
        std::unique_ptr<Text>& text = file.texts[is_see];
        if (text != nullptr) {
            if (--file.uses > 0) return text.get();
            used_up_.push_back(std::move(text));  // until the eval is scored
            return used_up_.back().get();
        }
        std::string_view data;
        if (!folders_->read(std::string(source.bytes), buffer_, data) || !make(data, is_see, own)) return nullptr;
        if (--file.uses == 0) return &own;
        text = std::make_unique<Text>(own);
        return text.get();
    }

    bool make(std::string_view data, bool is_see, Text& text) {
        const Reading& reading = vocabulary_.reading();
        if (data.find('\0') != std::string_view::npos) return false;
        if ((reading.asks[TOKENS] || reading.asks[LINES]) && !is_plain_utf8(data)) return false;
        if (reading.asks[LINES] && is_see) return false;  // whose sentences may have line ends
        text.words.clear();
        text.ends.clear();
        text.first.clear();
        text.two_readings = false;
        units_.clear();
        if (!(is_see ? see_units(data, units_) : spl_units(data, units_))) return false;
        if (reading.asks[SENTENCES] || !reading.mark.empty()) divide_anew(reading);
        text.units = units_.size();
        text.bytes = 0;
        for (std::string_view unit : units_) text.bytes += unit.size();
        text.survey = Survey();
        if (reading.ascii_only) add_letters(reading, text.survey);
        if (reading.asks[LINES]) return add_lines(text);
        text.two_readings = limit_ != nullptr && !limit_->in_words();
        if (text.two_readings) {
            for (std::string_view unit : limit_->first_reading(units_)) vocabulary_.append(text.first, unit);
        }
        for (std::string_view unit : limit_ == nullptr ? units_ : limit_->second_reading(units_)) {
            const std::size_t size = text.words.size();
            vocabulary_.append(text.words, folds_ ? folded(unit) : unit);
            if (text.words.size() > size) text.ends.push_back(text.words.size());
        }
        return !text.words.empty() && !text.tokens().empty();
    }

    // Adds the words that a dialect of strings makes of the joined text; without any there is something to report.
    bool add_lines(Text& text) {
        text.apart = vocabulary_.reading().reads_twice;
        if (text.apart) {  // a line is a sentence: line ends within sentences are blanks
            std::replace(joined_.begin(), joined_.end(), '\n', ' ');
            for (std::string& sentence : sentences_) std::replace(sentence.begin(), sentence.end(), '\n', ' ');
        }
        std::string whole;  // sentences may be views of `joined_`
        join(units_, whole);
        const Answers lines = vocabulary_.ask(LINES, whole);
        for (std::size_t line = 0; line < lines.size(); ++line) {
            const bool is_whole = text.apart && line == 0;
            vocabulary_.append_line(is_whole ? text.first : text.words, lines[line]);
            if (!is_whole) text.ends.push_back(text.words.size());
        }
        text.two_readings = text.apart && text.words != text.first;
        return !text.words.empty();
    }

    // Divides the text into sentences; the lines of the format are joined first.
    void divide_anew(const Reading& reading) {
        join(units_, joined_);
        if (!reading.asks[SENTENCES]) return divide(joined_, reading.mark, units_);
        sentences_ = vocabulary_.ask(SENTENCES, joined_);
        units_.assign(sentences_.begin(), sentences_.end());
    }

    // Counts the letters of the normalized text. Python normalizes the words that may change, all of a text at once.
    void add_letters(const Reading& reading, Survey& survey) {
        if (!reading.asks[NORMALIZED] || std::all_of(units_.begin(), units_.end(), Survey::is_ascii)) return survey.add_letters(units_);
        Units normalized;
        std::string others;
        for (std::string_view unit : units_) {
            if (reading.keeps(unit)) {
                normalized.push_back(unit);
                continue;
            }
            Parts parts(unit, false);
            for (std::string_view part = parts.next(); !part.empty(); part = parts.next()) {
                if (reading.keeps(part)) normalized.push_back(part);
                else others.append(part).append(1, ' ');
            }
        }
        const Answers answers = others.empty() ? Answers() : vocabulary_.ask(NORMALIZED, others);
        normalized.insert(normalized.end(), answers.begin(), answers.end());
        survey.add_letters(normalized);
        survey.has_ascii = std::any_of(units_.begin(), units_.end(), Survey::has_tokens);
    }

    // Two characters outside ASCII become an ASCII letter when lower-cased: the Kelvin sign, and the dotted
    // capital I, whose dot separates. All others separate before and after.
    std::string_view folded(std::string_view unit) {
        static constexpr std::string_view KELVIN = "\xE2\x84\xAA", DOTTED_I = "\xC4\xB0";
        if (unit.find(KELVIN) == std::string_view::npos && unit.find(DOTTED_I) == std::string_view::npos) return unit;
        folded_.clear();
        for (std::size_t at = 0; at < unit.size();) {
            if (unit.substr(at, KELVIN.size()) == KELVIN) {
                folded_ += 'k';
                at += KELVIN.size();
            } else if (unit.substr(at, DOTTED_I.size()) == DOTTED_I) {
                folded_ += "i\xCC\x87";
                at += DOTTED_I.size();
            } else {
                folded_ += unit[at++];
            }
        }
        return folded_;
    }

    Group groups_[3];  // by stemming
    std::size_t width_;
    std::unique_ptr<Scoring> scoring_;
    std::unique_ptr<Limit> limit_;
    bool folds_;
    Vocabulary& vocabulary_;
    Counting counting_;
    Known paths_;
    std::vector<File> files_;  // by the numbers of their paths
    std::shared_ptr<const Folders> folders_;
    std::vector<std::unique_ptr<Text>> used_up_;
    std::vector<Text> texts_, stems_;
    std::vector<const Text*> references_, predictions_, stemmed_;
    std::vector<char> buffer_;
    Units units_;
    std::string joined_, folded_;
    Answers sentences_;
};

}  // namespace rouge
