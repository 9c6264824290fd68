// The report of ROUGE-1.5.5: the twin of reports/classic.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "resampling.hpp"

namespace rouge {

// R, P and F, or the counts of references, predictions and matches.
constexpr std::size_t FIGURES = 3;
using Figures = std::array<double, FIGURES>;
// The name of an eval and a system, EVAL.PEER, and its figures.
using NamedEval = std::pair<std::string, Figures>;

// A score with five decimals, or a count as Perl prints a number.
inline std::string printed(double value, bool is_score = true) {
    char digits[400];
    std::snprintf(digits, sizeof digits, is_score ? "%.5f" : "%.15g", value);
    return digits;
}

// The lines of R, P and F of a system and metric.
inline std::string lines_of_averages(const std::string& name, const std::string& confidence, const Interval* averages) {
    std::string lines = std::string(45, '-') + '\n';
    for (char letter : {'R', 'P', 'F'}) {
        lines += name + " Average_" + letter + ": " + printed(averages->value) + " (" + confidence + "%-conf.int. ";
        lines += printed(averages->low) + " - " + printed(averages->high) + ")\n";
        ++averages;
    }
    return lines;
}

inline std::string lines_of_totals(const std::string& name, const Figures& totals) {
    const auto whole = [](double total) { return std::to_string(static_cast<std::int64_t>(total)); };
    return std::string(45, '-') + '\n' + name + " M_count: " + whole(totals[0]) + " P_count: " + whole(totals[1]) +
           " H_count: " + whole(totals[2]) + '\n';
}

// Compares names as numbers if both start with digits, else as strings (QUIRKS 28).
inline bool is_listed_before(const NamedEval& left, const NamedEval& right) {
    static constexpr char DIGITS[] = "0123456789";
    const auto number = [](const std::string& name) {  // which has a dot
        const std::size_t first = name.find_first_not_of('0'), end = name.find_first_not_of(DIGITS);
        return std::make_pair(end - first, name.substr(first, end - first));
    };
    const bool are_numbers = left.first.find_first_of(DIGITS) == 0 && right.first.find_first_of(DIGITS) == 0;
    return are_numbers ? number(left.first) < number(right.first) : left.first < right.first;
}

// The lines of -d, given the evals in the order of their names as strings.
inline std::string lines_of_evals(const std::string& name, std::vector<NamedEval> evals, bool are_scores) {
    std::stable_sort(evals.begin(), evals.end(), is_listed_before);
    std::string lines = std::string(45, '.') + '\n';
    for (const NamedEval& eval : evals) {
        const auto [recall, precision, f] = eval.second;
        lines += name + " Eval " + eval.first + " R:" + printed(recall, are_scores);
        lines += " P:" + printed(precision, are_scores) + " F:" + printed(f, are_scores) + '\n';
    }
    return lines;
}

}  // namespace rouge
