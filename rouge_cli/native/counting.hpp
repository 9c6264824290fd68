// All counts of one eval. program.cpp has the definitions.
#pragma once

#include <cstddef>
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
    Counting();
    ~Counting();
    Counting& operator=(Counting&&);

    // The counts, which last until the next call.
    CountTable& count(const std::vector<const Text*>& references, const std::vector<const Text*>& predictions,
                      const std::vector<KernelSpec>& specs);

private:
    // On ties, these paths are those of prediction and reference exchanged (dialects/pltrdy.py).
    void count_exchanged(const std::vector<const Text*>& references, const std::vector<const Text*>& predictions,
                         const std::vector<KernelSpec>& specs, std::size_t metric);

    CountTable table_, exchanged_;
    EvalTexts texts_;
    BagCounter bags_;
    SequenceCounter sequences_;
};

// Texts of evals with so many references, and after them so many predictions: of each eval the counts of each prediction
// against each reference by every metric.
void count_evals(Counting& counting, const std::vector<Text>& texts, std::size_t references, std::size_t predictions,
                 const std::vector<KernelSpec>& specs, std::vector<Counts>& counts);

// The same of strings: pairs of a reference and a prediction.
void count_pairs(Counting& counting, Vocabulary& vocabulary, const std::vector<Characters>& strings,
                 const std::vector<KernelSpec>& specs, std::vector<Counts>& counts);

}  // namespace rouge
