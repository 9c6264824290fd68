// All counts of one eval.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "bags.hpp"
#include "sequences.hpp"
#include "texts.hpp"

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
            const int kind = specs[metric].kind;
            if (kind == NGRAM || kind == SKIP_BIGRAM || kind == DISTINCT_NGRAM) bags_.count(texts_, specs[metric], metric, table_);
        }
        sequences_.count(texts_, specs, table_);
        return table_;
    }

private:
    CountTable table_;
    EvalTexts texts_;
    BagCounter bags_;
    SequenceCounter sequences_;
};

// Texts in pairs, a reference and its prediction: the counts of each pair by every metric.
inline void count_pairs(const std::vector<Text>& texts, const std::vector<KernelSpec>& specs, std::vector<Counts>& counts) {
    Counting counting;
    std::vector<const Text*> references(1), predictions(1);
    for (std::size_t place = 0; place + 1 < texts.size(); place += 2) {
        references[0] = &texts[place];
        predictions[0] = &texts[place + 1];
        CountTable& table = counting.count(references, predictions, specs);
        for (std::size_t metric = 0; metric < specs.size(); ++metric) counts.push_back(table.at(0, 0, metric));
    }
}

}  // namespace rouge
