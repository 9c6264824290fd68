// All counts of one eval.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bags.hpp"
#include "sequences.hpp"
#include "strings.hpp"
#include "texts.hpp"
#include "tokens.hpp"

namespace rouge {

// Counts every metric for every (prediction, reference) pair of one eval; reused for the next, which saves allocations.
class Counting {
public:
    // The counts, which last until the next call.
    CountTable& count(const std::vector<const Text*>& references, const std::vector<const Text*>& predictions,
                      const std::vector<KernelSpec>& specs) {
        table_.start(predictions.size(), references.size(), specs.size());
        texts_.start(references, predictions);
        bags_.start();
        for (std::size_t metric = 0; metric < specs.size(); ++metric) {
            if (bags_.takes(specs[metric].kind)) bags_.count(texts_, specs[metric], metric, table_);
        }
        sequences_.count(texts_, specs, table_);
        for (std::size_t metric = 0; metric < specs.size(); ++metric) {
            if (specs[metric].kind == DISTINCT_LCS) count_exchanged(references, predictions, {specs[metric]}, metric);
        }
        return table_;
    }

private:
    // On ties, these paths are those of prediction and reference exchanged (dialects/pltrdy.py).
    void count_exchanged(const std::vector<const Text*>& references, const std::vector<const Text*>& predictions,
                         const std::vector<KernelSpec>& specs, std::size_t metric) {
        exchanged_.start(references.size(), predictions.size(), 1);
        texts_.start(predictions, references);
        sequences_.count(texts_, specs, exchanged_, true);
        for (std::size_t prediction = 0; prediction < predictions.size(); ++prediction) {
            for (std::size_t reference = 0; reference < references.size(); ++reference) {
                const Counts& counts = exchanged_.at(reference, prediction, 0);
                table_.at(prediction, reference, metric) = {counts.prediction, counts.reference, counts.match};
            }
        }
    }

    CountTable table_, exchanged_;
    EvalTexts texts_;
    BagCounter bags_;
    SequenceCounter sequences_;
};

// Texts of evals with so many references, and after them so many predictions: of each eval the counts of each prediction
// against each reference by every metric.
inline void count_evals(Counting& counting, const std::vector<Text>& texts, std::size_t references, std::size_t predictions,
                        const std::vector<KernelSpec>& specs, std::vector<Counts>& counts) {
    std::vector<const Text*> of_references(references), of_predictions(predictions);
    for (auto text = texts.begin(); text != texts.end();) {
        for (const Text*& reference : of_references) reference = &*text++;
        for (const Text*& prediction : of_predictions) prediction = &*text++;
        const std::vector<Counts>& of_eval = counting.count(of_references, of_predictions, specs).all();
        counts.insert(counts.end(), of_eval.begin(), of_eval.end());
    }
}

// The same of strings: pairs of a reference and a prediction.
inline void count_pairs(Counting& counting, Vocabulary& vocabulary, const std::vector<Characters>& strings,
                        const std::vector<KernelSpec>& specs, std::vector<Counts>& counts) {
    std::vector<std::string> encoded;
    std::vector<std::string_view> views;
    std::vector<Text> texts;
    views.reserve(strings.size());
    for (const Characters& string : strings) {
        if (string.are_ascii) {
            views.emplace_back(static_cast<const char*>(string.data), string.size);
        } else {
            encoded.resize(strings.size());
            string.append_to(encoded[views.size()], true);
            views.push_back(encoded[views.size()]);
        }
    }
    vocabulary.read(views, texts);
    count_evals(counting, texts, 1, 1, specs, counts);
}

}  // namespace rouge
