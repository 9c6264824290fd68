// Resampled correlations of studies/coefficients.py, with the same additions in the same order.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace rouge::coefficients {

// Samples, or evals, that are computed side by side.
constexpr std::size_t LANES = 8;
using Lanes = std::array<double, LANES>;
constexpr double CONSTANT = 1e-12, UNDEFINED = std::numeric_limits<double>::quiet_NaN();
constexpr Lanes NOTHING = {-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0};  // sums begin with their first term

template <class Function> inline void each_lane(Function function) {
    for (std::size_t lane = 0; lane < LANES; ++lane) function(lane);
}

// The sums of Pearson's r: first those that give the means, then those of the products of deviations.
struct Moments {
    Lanes sums[3] = {NOTHING, NOTHING, NOTHING};

    void add(const Moments& other) {
        for (std::size_t sum = 0; sum < 3; ++sum) each_lane([&](std::size_t lane) { sums[sum][lane] += other.sums[sum][lane]; });
    }
};

// The sum of a power of 2 of terms, halves first.
template <std::size_t SIZE, class Term> inline Moments add_halves(Term term, std::size_t start) {
    Moments sums;
    if constexpr (SIZE == 1) {
        term(start, sums);
    } else {
        sums = add_halves<SIZE / 2>(term, start);
        sums.add(add_halves<SIZE / 2>(term, start + SIZE / 2));
    }
    return sums;
}

// Adds the terms of these points in the order of numpy's sums of rows.
template <class Term> inline Moments add_pairwise(Term term, std::size_t start, std::size_t end) {
    const std::size_t size = end - start;
    if (size > 128) {
        const std::size_t half = start + size / 2 - size / 2 % 8;
        Moments sums = add_pairwise(term, start, half);
        sums.add(add_pairwise(term, half, end));
        return sums;
    }
    Moments sums;
    std::size_t point = start;
    if (size >= 8 && size < 16) {
        sums = add_halves<8>(term, start);
        point += 8;
    } else if (size >= 16) {
        Moments parts[8];
        for (; point + 8 <= end; point += 8) {
            for (std::size_t part = 0; part < 8; ++part) term(point + part, parts[part]);
        }
        sums = add_halves<8>([&](std::size_t part, Moments& moments) { moments = parts[part]; }, 0);
    }
    for (; point < end; ++point) term(point, sums);
    return sums;
}

// Adds the terms one after the other.
template <class Term> inline Moments add_in_order(Term term, std::size_t start, std::size_t end) {
    Moments sums;
    for (; start < end; ++start) term(start, sums);
    return sums;
}

// Adds the terms of all points, in one order or the other.
template <bool PAIRWISE, class Term> inline Moments add(Term term, std::size_t points) {
    return PAIRWISE ? add_pairwise(term, 0, points) : add_in_order(term, 0, points);
}

// Pearson's r of points with weights. values(point, x, y, weights) gives the lanes of a point; largest: |x| and |y|.
//
// FIRST, SECOND: whether the sums of scores, and of the products of deviations, are added pairwise.
template <bool FIRST, bool SECOND, class Values>
inline Lanes weighted_pearson(Values values, std::size_t points, const Lanes& largest_x, const Lanes& largest_y) {
    const auto add_scores = [&](std::size_t point, Moments& moments) {
        Lanes x, y, weights;
        values(point, x, y, weights);
        each_lane([&](std::size_t lane) {
            moments.sums[0][lane] += weights[lane] * x[lane];
            moments.sums[1][lane] += weights[lane] * y[lane];
            moments.sums[2][lane] += weights[lane];
        });
    };
    const Moments first = add<FIRST>(add_scores, points);
    Lanes mean_x, mean_y, result;
    each_lane([&](std::size_t lane) {
        mean_x[lane] = first.sums[0][lane] / first.sums[2][lane];
        mean_y[lane] = first.sums[1][lane] / first.sums[2][lane];
    });
    const auto add_products = [&](std::size_t point, Moments& moments) {
        Lanes x, y, weights;
        values(point, x, y, weights);
        each_lane([&](std::size_t lane) {
            const double gap_x = x[lane] - mean_x[lane], gap_y = y[lane] - mean_y[lane];
            const double of_x = weights[lane] * gap_x, of_y = weights[lane] * gap_y;
            moments.sums[0][lane] += of_x * gap_y;
            moments.sums[1][lane] += of_x * gap_x;
            moments.sums[2][lane] += of_y * gap_y;
        });
    };
    const Moments second = add<SECOND>(add_products, points);
    each_lane([&](std::size_t lane) {
        const double least_x = CONSTANT * largest_x[lane], least_y = CONSTANT * largest_y[lane];
        const double left = second.sums[1][lane], right = second.sums[2][lane];
        const bool is_defined = left > least_x * least_x && right > least_y * least_y;
        const double r = second.sums[0][lane] / std::sqrt(left * right);
        result[lane] = is_defined ? std::clamp(r, -1.0, 1.0) : UNDEFINED;
    });
    return result;
}

// Scores in ascending order: which group of ties each point belongs to.
struct Ties {
    explicit Ties(const std::vector<double>& scores) : order(scores.size()), groups(scores.size()) {
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) { return scores[one] < scores[other]; });
        for (std::size_t point : order) {
            if (values.empty() || scores[point] != values.back()) values.push_back(scores[point]);
            groups[point] = values.size() - 1;
        }
    }

    std::vector<std::size_t> order, groups;
    std::vector<double> values;  // of the groups
};

inline double largest(const std::vector<double>& scores) {
    double most = 0;
    for (double score : scores) most = std::max(most, std::abs(score));
    return most;
}

enum class Coefficient { PEARSON, SPEARMAN, KENDALL };

// Points, of which each sample has some several times: those of a drawn system and a drawn eval.
class Pool {
public:
    Pool(std::vector<double> x, std::vector<double> y, std::vector<std::size_t> systems, std::vector<std::size_t> evals)
        : x_(std::move(x)), y_(std::move(y)), systems_(std::move(systems)), evals_(std::move(evals)), ties_{Ties(x_), Ties(y_)} {}

    // The coefficient of each sample. drawn: samples x systems, and samples x evals.
    void correlate(Coefficient coefficient, const double* systems, std::size_t number_of_systems, const double* evals,
                   std::size_t number_of_evals, std::size_t samples, double* found) {
        std::vector<Lanes> of_systems(number_of_systems), of_evals(number_of_evals);
        weights_.resize(x_.size());
        for (std::size_t start = 0; start < samples; start += LANES) {
            const std::size_t number = std::min(LANES, samples - start);
            turn(systems + start * number_of_systems, number, of_systems);
            turn(evals + start * number_of_evals, number, of_evals);
            for (std::size_t point = 0; point < x_.size(); ++point) {
                const Lanes &system = of_systems[systems_[point]], &eval = of_evals[evals_[point]];
                each_lane([&](std::size_t lane) { weights_[point][lane] = system[lane] * eval[lane]; });
            }
            const Lanes values = coefficient == Coefficient::KENDALL    ? kendall()
                                 : coefficient == Coefficient::SPEARMAN ? spearman()
                                                                        : pearson();
            std::copy_n(values.begin(), number, found + start);
        }
    }

private:
    // The transposed rows; lanes without a row have 0.
    static void turn(const double* rows, std::size_t number, std::vector<Lanes>& columns) {
        for (std::size_t row = 0; row < LANES; ++row) {
            for (std::size_t column = 0; column < columns.size(); ++column) {
                columns[column][row] = row < number ? rows[row * columns.size() + column] : 0.0;
            }
        }
    }

    Lanes pearson() const {
        Lanes most[2];
        most[0].fill(largest(x_));
        most[1].fill(largest(y_));
        const auto values = [&](std::size_t point, Lanes& x, Lanes& y, Lanes& weights) {
            x.fill(x_[point]);
            y.fill(y_[point]);
            weights = weights_[point];
        };
        return weighted_pearson<false, true>(values, x_.size(), most[0], most[1]);
    }

    Lanes spearman() {
        for (std::size_t side = 0; side < 2; ++side) rank(ties_[side], ranks_[side]);
        const auto values = [&](std::size_t point, Lanes& x, Lanes& y, Lanes& weights) {
            x = ranks_[0][ties_[0].groups[point]];
            y = ranks_[1][ties_[1].groups[point]];
            weights = weights_[point];
        };
        return weighted_pearson<false, false>(values, x_.size(), ranks_[0].back(), ranks_[1].back());  // the last ranks are the highest
    }

    // How often each value is drawn. All sums are of small integers, and so exact in any order.
    void count(const Ties& ties, std::vector<Lanes>& sizes) const {
        sizes.assign(ties.values.size(), Lanes{});
        for (std::size_t point = 0; point < weights_.size(); ++point) {
            Lanes& size = sizes[ties.groups[point]];
            each_lane([&](std::size_t lane) { size[lane] += weights_[point][lane]; });
        }
    }

    // The middle rank of each group of ties.
    void rank(const Ties& ties, std::vector<Lanes>& ranks) const {
        count(ties, ranks);
        Lanes below = {};
        for (Lanes& size : ranks) {
            each_lane([&](std::size_t lane) {
                below[lane] += size[lane];
                size[lane] = below[lane] - size[lane] / 2;
            });
        }
    }

    // tau-b: points are taken in the order of x, and compared with those that have a lower x; y has few values.
    Lanes kendall() {
        std::vector<Lanes>& of_y = ranks_[1];  // how often each value is drawn; of y, with a lower x
        count(ties_[0], ranks_[0]);
        of_y.assign(ties_[1].values.size(), Lanes{});
        Lanes balance = {};  // concordant pairs, less discordant ones
        const std::vector<std::size_t>&order = ties_[0].order, &levels = ties_[1].groups;
        for (std::size_t start = 0, end = 0; start < order.size();) {
            for (; end < order.size() && ties_[0].groups[order[end]] == ties_[0].groups[order[start]]; ++end) {
                const Lanes& weights = weights_[order[end]];
                Lanes before = {};
                for (std::size_t level = 0; level < of_y.size(); ++level) {
                    if (level == levels[order[end]]) continue;
                    const double sign = level < levels[order[end]] ? 1.0 : -1.0;
                    each_lane([&](std::size_t lane) { before[lane] += sign * of_y[level][lane]; });
                }
                each_lane([&](std::size_t lane) { balance[lane] += weights[lane] * before[lane]; });
            }
            for (; start < end; ++start) {
                Lanes& level = of_y[levels[order[start]]];
                each_lane([&](std::size_t lane) { level[lane] += weights_[order[start]][lane]; });
            }
        }
        Lanes size = {}, tied[2] = {}, result;
        for (const Lanes& level : of_y) each_lane([&](std::size_t lane) { size[lane] += level[lane]; });
        for (std::size_t side = 0; side < 2; ++side) {
            for (const Lanes& group : ranks_[side]) {
                each_lane([&](std::size_t lane) { tied[side][lane] += group[lane] * (group[lane] - 1) / 2; });
            }
        }
        each_lane([&](std::size_t lane) {
            const double pairs = size[lane] * (size[lane] - 1) / 2;
            const double tau = balance[lane] / std::sqrt(pairs - tied[0][lane]) / std::sqrt(pairs - tied[1][lane]);
            const bool is_constant = size[lane] < 2 || has_constant(0, lane) || has_constant(1, lane);
            result[lane] = is_constant || std::isnan(tau) ? UNDEFINED : std::clamp(tau, -1.0, 1.0);
        });
        return result;
    }

    // Whether the least and the highest score that a sample has differ only by a rounding error.
    bool has_constant(std::size_t side, std::size_t lane) const {
        const std::vector<Lanes>& times = ranks_[side];
        std::size_t least = 0, most = times.size() - 1;
        while (times[least][lane] == 0) ++least;
        while (times[most][lane] == 0) --most;
        const double low = ties_[side].values[least], high = ties_[side].values[most];
        return high - low <= CONSTANT * std::max(std::abs(low), std::abs(high));
    }

    std::vector<double> x_, y_;
    std::vector<std::size_t> systems_, evals_;  // of each point
    Ties ties_[2];                              // of x, and of y
    std::vector<Lanes> weights_, ranks_[2];
};

// Correlations within evals over drawn systems, of a block of evals side by side.
//
// Ranks and pairs are counted in whole numbers, whose sums are exact in any order.
class Evals {
public:
    // x, y: systems x evals, nan where they are not present.
    Evals(const double* x, const double* y, std::size_t systems, std::size_t evals, std::size_t start)
        : number_(std::min(LANES, evals - start)), present_(systems, Lanes{}) {
        const double* const scores[2] = {x, y};
        for (std::size_t side = 0; side < 2; ++side) {
            scores_[side].assign(systems, Lanes{});
            largest_[side] = {};
            for (std::size_t place = 0; place < systems * number_; ++place) {
                const std::size_t system = place / number_, lane = place % number_;
                const double score = scores[side][system * evals + start + lane];
                if (std::isnan(score)) continue;
                present_[system][lane] = 1;
                scores_[side][system][lane] = score;
                largest_[side][lane] = std::max(largest_[side][lane], std::abs(score));
            }
        }
    }

    // Finds which of two systems has the higher score. in_pairs: keeps only whether scores differ, and whether pairs are
    // concordant or discordant.
    void compare(bool in_pairs) {
        const std::size_t systems = present_.size();
        for (std::vector<Counts>& signs : signs_) signs.resize(systems * systems);
        for (std::size_t place = 0; place < systems * systems; ++place) {
            const std::size_t one = place / systems, other = place % systems;
            each_lane([&](std::size_t lane) {
                const bool has_both = present_[one][lane] * present_[other][lane] > 0;
                int signs[2];
                for (std::size_t side = 0; side < 2; ++side) {
                    const double left = scores_[side][one][lane], right = scores_[side][other][lane];
                    signs[side] = has_both * ((left > right) - (left < right));
                    signs_[side][place][lane] = std::int16_t(in_pairs ? std::abs(signs[side]) : signs[side]);
                }
                signs_[2][place][lane] = std::int16_t(signs[0] * signs[1]);
            });
        }
    }

    // The correlations for a sample, given how often it has each system, and which ones it has.
    void correlate(Coefficient coefficient, const double* drawn, const std::vector<std::size_t>& systems, double* found) const {
        const Lanes result = coefficient == Coefficient::KENDALL    ? compared<true>(drawn, systems)
                             : coefficient == Coefficient::SPEARMAN ? compared<false>(drawn, systems)
                                                                    : pearson(drawn);
        std::copy_n(result.begin(), number_, found);
    }

private:
    using Counts = std::array<std::int16_t, LANES>;

    Lanes pearson(const double* drawn) const {
        const auto point = [&](std::size_t system, Lanes& x, Lanes& y, Lanes& weights) {
            x = scores_[0][system];
            y = scores_[1][system];
            each_lane([&](std::size_t lane) { weights[lane] = drawn[system] * present_[system][lane]; });
        };
        return weighted_pearson<true, true>(point, present_.size(), largest_[0], largest_[1]);
    }

    // IN_PAIRS: tau-b, which is concordant less discordant pairs, by those with different scores. Else Spearman's: twice a
    // rank less its mean is the number of systems with lower scores, less those with higher ones.
    template <bool IN_PAIRS> Lanes compared(const double* drawn, const std::vector<std::size_t>& systems) const {
        Lanes sums[3] = {}, result;  // of x, of y, and of both
        for (std::size_t one : systems) {
            Counts totals[3] = {};
            for (std::size_t other : systems) {
                if (IN_PAIRS && other == one) break;
                const std::int16_t times = std::int16_t(drawn[other]);
                const std::size_t pair = one * present_.size() + other;
                each_lane([&](std::size_t lane) {
                    for (std::size_t side = 0; side < (IN_PAIRS ? 3 : 2); ++side) {
                        totals[side][lane] = std::int16_t(totals[side][lane] + times * signs_[side][pair][lane]);
                    }
                });
            }
            each_lane([&](std::size_t lane) {
                const double x = totals[0][lane], y = totals[1][lane], both = totals[2][lane];
                sums[0][lane] += drawn[one] * (IN_PAIRS ? x : x * x);
                sums[1][lane] += drawn[one] * (IN_PAIRS ? y : y * y);
                sums[2][lane] += drawn[one] * (IN_PAIRS ? both : x * y);
            });
        }
        each_lane([&](std::size_t lane) {
            const double ratio = sums[2][lane] / std::sqrt(sums[0][lane] * sums[1][lane]);
            result[lane] = sums[0][lane] > 0 && sums[1][lane] > 0 ? std::clamp(ratio, -1.0, 1.0) : UNDEFINED;
        });
        return result;
    }

    std::size_t number_;  // of evals
    std::vector<Lanes> present_, scores_[2];  // by system
    Lanes largest_[2];
    std::vector<Counts> signs_[3];  // systems x systems: of x, of y, and of both
};

// The mean of the correlations within the drawn evals, of each sample: numbers are added in the order of numpy.
inline void within_evals(Coefficient coefficient, const double* x, const double* y, const double* systems, std::size_t number_of_systems,
                         const double* evals, std::size_t number_of_evals, std::size_t samples, double* found) {
    std::vector<double> values(samples * number_of_evals);
    std::vector<std::vector<std::size_t>> drawn(samples);
    for (std::size_t place = 0; place < samples * number_of_systems; ++place) {
        if (systems[place] > 0) drawn[place / number_of_systems].push_back(place % number_of_systems);
    }
    for (std::size_t start = 0; start < number_of_evals; start += LANES) {
        Evals block(x, y, number_of_systems, number_of_evals, start);
        if (coefficient != Coefficient::PEARSON) block.compare(coefficient == Coefficient::KENDALL);
        for (std::size_t sample = 0; sample < samples; ++sample) {
            block.correlate(coefficient, systems + sample * number_of_systems, drawn[sample], &values[sample * number_of_evals + start]);
        }
    }
    for (std::size_t start = 0; start < samples; start += LANES) {
        const auto add_evals = [&](std::size_t eval, Moments& moments) {
            for (std::size_t lane = 0; lane < std::min(LANES, samples - start); ++lane) {
                const std::size_t place = (start + lane) * number_of_evals + eval;
                const bool is_defined = !std::isnan(values[place]);
                moments.sums[0][lane] += is_defined ? evals[place] * values[place] : 0.0;
                moments.sums[1][lane] += is_defined ? evals[place] : 0.0;
            }
        };
        const Moments sums = add<true>(add_evals, number_of_evals);
        for (std::size_t sample = start; sample < std::min(start + LANES, samples); ++sample) {
            found[sample] = sums.sums[0][sample - start] / sums.sums[1][sample - start];
        }
    }
}

}  // namespace rouge::coefficients
