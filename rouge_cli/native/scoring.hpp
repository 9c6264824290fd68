// From counts to rows: the twin of scoring/formula.py and the dialects' programs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "texts.hpp"

// The fields of a row, in the order of `core.ROW`; the two lists are compared when the extension is loaded.
#define ROUGE_ROW(FIELD) \
    FIELD(reference) FIELD(prediction) FIELD(match) FIELD(rank) FIELD(prediction_match) FIELD(recall) FIELD(precision) FIELD(f)

namespace rouge {

// A prediction's figures under one metric in one eval.
struct Row {
#define ROUGE_FIELD(name) double name;
    ROUGE_ROW(ROUGE_FIELD)
#undef ROUGE_FIELD
};

inline const char* row_fields() {
#define ROUGE_NAME(name) #name " "
    return ROUGE_ROW(ROUGE_NAME);
#undef ROUGE_NAME
}

constexpr double UNDEFINED = std::numeric_limits<double>::quiet_NaN();

// Rounded to five decimals as by printing and reading, ties of the exact binary value to even.
inline double five_places(double value) {
    const double scaled = value * 1e5;
    if (std::fabs(scaled) < 1e9) {
        const double nearest = std::nearbyint(scaled);
        // Far from a tie the product's own rounding does not matter; a quotient of whole numbers is exact enough.
        if (std::fabs(scaled - nearest) < 0.49999) return nearest / 1e5;
    }
    if (!std::isfinite(value)) return value;
    char digits[400];
    std::snprintf(digits, sizeof digits, "%.5f", value);
    return std::strtod(digits, nullptr);
}

inline double ratio(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

// Van Rijsbergen's F; alpha is the weight of precision.
inline double f_measure(double recall, double precision, double alpha) {
    return ratio(precision * recall, (1 - alpha) * precision + alpha * recall);
}

inline double power(double base, double exponent) { return exponent == 1.0 ? base : std::pow(base, exponent); }

// A dialect's computation of rows from counts.
class Scoring {
public:
    virtual ~Scoring() = default;
    // False if an eval with so many references is handed back.
    virtual bool takes(std::size_t) const { return true; }

    // The row of one prediction under one metric, from its counts against each reference.
    virtual Row row(CountTable& counts, std::size_t prediction, std::size_t references, std::size_t metric, const KernelSpec& spec) const = 0;
};

// dialects/rouge155/__init__.py. For averages of counts, a row has counts and no scores.
class Rouge155Scoring : public Scoring {
public:
    Rouge155Scoring(bool best_reference, double alpha, bool scored) : best_reference_(best_reference), alpha_(alpha), scored_(scored) {}

    Row row(CountTable& counts, std::size_t prediction, std::size_t references, std::size_t metric, const KernelSpec& spec) const override {
        Row row = ranked(spec, counts.at(prediction, 0, metric));
        for (std::size_t reference = 1; reference < references; ++reference) {
            const Row other = ranked(spec, counts.at(prediction, reference, metric));
            if (!best_reference_) {
                row.reference += other.reference;
                row.prediction += other.prediction;
                row.match += other.match;
            } else if (other.rank > row.rank) {
                row = other;
            }
        }
        if (!best_reference_) row.rank = 0;
        if (!scored_) return row;
        const double root = spec.kind == WEIGHTED_LCS ? spec.weight : 1.0;
        row.recall = five_places(power(ratio(row.match, row.reference), 1 / root));
        row.precision = five_places(power(ratio(row.match, row.prediction), 1 / root));
        row.f = five_places(f_measure(row.recall, row.precision, alpha_));
        return row;
    }

private:
    // A metric's own counts, and the rank for the best reference: rounded, but not for L and W (QUIRKS 24).
    static Row ranked(const KernelSpec& spec, const Counts& counts) {
        const double recall = counts.reference != 0 ? counts.match / counts.reference : 0.0;
        Row row{counts.reference, counts.prediction, counts.match, recall, UNDEFINED, UNDEFINED, UNDEFINED, UNDEFINED};
        if (spec.kind == WEIGHTED_LCS) {
            row.reference = power(counts.reference, spec.weight);
            row.prediction = power(counts.prediction, spec.weight);
            row.rank = counts.reference != 0 ? power(recall, 1 / spec.weight) : 0.0;
        } else if (spec.kind != LCS) {
            row.rank = five_places(recall);
        }
        return row;
    }

    bool best_reference_;
    double alpha_;
    bool scored_;
};

// How the scores against several references become one, and how F is computed of R and P.
enum Several { SUM, BEST, MEAN, HIGHEST, MEAN_SHARES };
enum FMeasure { HARMONIC, SINGLE, SHARES, WEIGHTED, BETA, EVEN };

// Dialects without rounding: scoring/formula.py, and the formulas that dialects derive from its own.
class PlainScoring : public Scoring {
public:
    // The constant is what a harmonic mean adds to P + R, the alpha of WEIGHTED, or the b^2 of BETA.
    PlainScoring(int several, int f, double constant) : several_(several), f_(f), constant_(constant) {}

    bool takes(std::size_t references) const override { return !is_mean() || references <= 2; }

    Row row(CountTable& counts, std::size_t prediction, std::size_t references, std::size_t metric, const KernelSpec&) const override {
        Row row = row_of(counts.at(prediction, 0, metric));
        for (std::size_t reference = 1; reference < references; ++reference) {
            const Row other = row_of(counts.at(prediction, reference, metric));
            if (several_ == SUM || is_mean()) {
                row = {row.reference + other.reference, row.prediction + other.prediction, row.match + other.match, 0, UNDEFINED,
                       (row.recall + other.recall) / 2, (row.precision + other.precision) / 2, (row.f + other.f) / 2};
            } else if (several_ != HIGHEST) {
                if (f_ == WEIGHTED ? other.recall > row.recall : other.f > row.f) row = other;
            } else {
                const double precision = std::max(row.precision, other.precision);
                if (other.recall > row.recall) row = other;
                row.precision = precision;
            }
        }
        if (several_ == SUM) row = row_of({row.reference, row.prediction, row.match});
        if (several_ == SUM || several_ == MEAN_SHARES) row.rank = 0;
        if (several_ == HIGHEST || several_ == MEAN_SHARES) row.f = f(row);
        return f_ == SINGLE ? single(row) : row;
    }

private:
    bool is_mean() const { return several_ == MEAN || several_ == MEAN_SHARES; }

    Row row_of(const Counts& counts) const {
        const double recall = ratio(counts.match, counts.reference), precision = ratio(counts.match, counts.prediction);
        Row row{counts.reference, counts.prediction, counts.match, recall, UNDEFINED, recall, precision, 0};
        row.f = f(row);
        return f_ == SINGLE ? single(row) : row;
    }

    static Row single(Row row) {
        for (double* value : {&row.recall, &row.precision, &row.f}) *value = static_cast<double>(static_cast<float>(*value));
        return row;
    }

    double f(const Row& row) const {
        const double recall = row.recall, precision = row.precision;
        if (f_ == HARMONIC || f_ == SINGLE) return ratio(2 * precision * recall, precision + recall + constant_);
        if (f_ == SHARES) return ratio(2 * row.match, row.reference + row.prediction);
        if (f_ == WEIGHTED) return f_measure(recall, precision, constant_);
        if (recall == 0 || precision == 0) return 0;
        if (f_ == BETA) return (1 + constant_) * precision * recall / (recall + constant_ * precision);
        const double low = std::min(recall, precision), high = std::max(recall, precision);
        return low == high ? low : std::min(high, low * (2 / (1 + low / high)));
    }

    int several_, f_;
    double constant_;
};

}  // namespace rouge
