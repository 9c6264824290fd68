// A dialect's program over a batch of evals: reads, counts and scores plain evals, and hands back the rest. program.cpp has
// the definitions.
//
// An eval is not plain if there is something to report about it, or if one of its files is not plain: the readable
// program of the dialect scores it then.
#pragma once

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

// The numbers of what was read on one side: `Numbers` of text/survey.py, with the same names, in which each use of a text counts.
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
            Vocabulary& vocabulary, bool stems_references);
    ~Program();
    void run(Batch& batch);

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

    void forget();
    // The uses of each file of the batch, so that it is read once.
    void plan(const Batch& batch);
    bool score(const EvalSources& eval, const Source* sources, std::vector<Row>& rows);

    void stem_references(Stemming stemming);

    // Counts the texts of an eval that was scored.
    void tally(Batch& batch, std::size_t number);

    // The text in a source, made in `own` unless its file has more uses; null if it is not plain.
    const Text* read(const Source& source, bool is_see, Text& own);
    bool make(std::string_view data, bool is_see, Text& text);

    // Adds the words that a dialect of strings makes of the joined text; without any there is something to report.
    bool add_lines(Text& text);

    // Divides the text into sentences; the lines of the format are joined first.
    void divide_anew(const Reading& reading);

    // Counts the letters of the normalized text. Python normalizes the words that may change, all of a text at once.
    void add_letters(const Reading& reading, Survey& survey);

    // Two characters outside ASCII become an ASCII letter when lower-cased: the Kelvin sign, and the dotted
    // capital I, whose dot separates. All others separate before and after.
    std::string_view folded(std::string_view unit);

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
