// From counts to scores, compiled: metrics, scoring/formula.py, scoring/ratio.py and dialects/rouge155/scores.py
// say what is done and why.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "_counting.hpp"

namespace rouge {

// Rounded to five decimals as printing and reading does it, ties of the exact binary value to even.
inline double five_places(double value) {
    const double scaled = value * 1e5;
    if (std::fabs(scaled) < 1e9) {
        const double nearest = std::nearbyint(scaled);
        // Far from a tie the product's own rounding cannot matter; a quotient of whole numbers is exact enough.
        if (std::fabs(scaled - nearest) < 0.49999) return nearest / 1e5;
    }
    if (!std::isfinite(value)) return value;
    char digits[400];
    std::snprintf(digits, sizeof digits, "%.5f", value);
    return std::strtod(digits, nullptr);
}

inline double ratio(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

inline double power(double base, double exponent) { return exponent == 1.0 ? base : std::pow(base, exponent); }

// What is kept of one peer under one metric, in the order of core.Column.
struct Row {
    double model, peer, match, rank, matched, recall, precision, f;
};

class Scoring {
public:
    Scoring(const std::vector<Unit>& units, bool best, double alpha) : units_(units), best_(best), alpha_(alpha) {}

    // A row for each peer and unit, peer by peer; `counts` are those of Counting.
    std::vector<Row> rows(const std::vector<Counts>& counts, std::size_t models, std::size_t peers) const {
        std::vector<Row> rows;
        rows.reserve(peers * units_.size());
        for (std::size_t peer = 0; peer < peers; ++peer) {
            for (std::size_t unit = 0; unit < units_.size(); ++unit) {
                Row row{0, 0, 0, 0, std::numeric_limits<double>::quiet_NaN(), 0, 0, 0};
                for (std::size_t model = 0; model < models; ++model) {
                    add(row, ranked(units_[unit], counts[(peer * models + model) * units_.size() + unit]), model == 0);
                }
                const double root = units_[unit].kind == WEIGHTED_LCS ? units_[unit].weight : 1.0;
                row.recall = five_places(power(ratio(row.match, row.model), 1 / root));
                row.precision = five_places(power(ratio(row.match, row.peer), 1 / root));
                const double weighted = (1 - alpha_) * row.precision + alpha_ * row.recall;
                row.f = five_places(ratio(row.precision * row.recall, weighted));
                rows.push_back(row);
            }
        }
        return rows;
    }

private:
    struct Ranked {
        double model, peer, match, rank;
    };

    // A metric's own counts, and what the best model is chosen by: rounded, but not for L and W (QUIRKS 24).
    static Ranked ranked(const Unit& unit, const Counts& counts) {
        const double recall = counts.model != 0 ? counts.match / counts.model : 0.0;
        if (unit.kind == WEIGHTED_LCS) {
            return {power(counts.model, unit.weight), power(counts.peer, unit.weight), counts.match,
                    counts.model != 0 ? power(recall, 1 / unit.weight) : 0.0};
        }
        return {counts.model, counts.peer, counts.match, unit.kind == LCS ? recall : five_places(recall)};
    }

    void add(Row& row, const Ranked& counts, bool first) const {
        if (!best_) {
            row.model += counts.model;
            row.peer += counts.peer;
            row.match += counts.match;
        } else if (first || counts.rank > row.rank) {
            row.model = counts.model;
            row.peer = counts.peer;
            row.match = counts.match;
            row.rank = counts.rank;
        }
    }

    std::vector<Unit> units_;
    bool best_;
    double alpha_;
};

}  // namespace rouge
