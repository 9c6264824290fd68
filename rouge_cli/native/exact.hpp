// Whether this code computes with floating-point numbers as it is written, on which the last digits of scores depend.
// Compilers do so unless flags such as -ffast-math allow them to reorder, fuse or simplify; old processors may not.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <limits>

namespace rouge {

// The sum, from the first number to the last.
inline double sum_in_order(const volatile double* numbers, std::size_t count) {
    double copies[16] = {};  // from which a compiler may read several numbers at once
    for (std::size_t place = 0; place < count; ++place) copies[place] = numbers[place];
    double sum = 0;
    for (double number : copies) sum += number;
    return sum;
}

// The name of what is computed in another way; null if nothing is.
inline const char* inexact_arithmetic() {
    const volatile double one = 1, divisor = 49, half_a_step = DBL_EPSILON / 2, small = DBL_MIN, minus_zero = -0.0;
    const volatile double nan = std::numeric_limits<double>::quiet_NaN(), root = 0x1p-30;
    const double once = one + half_a_step, twice = once + half_a_step;
    if (twice != 1) return "sums of more digits";
    // Each 1 is lost beside 1e16, unless they are added first.
    const volatile double numbers[] = {1e16, 1, 1, 1, 1, 1, 1, -1e16, 1e16, 1, 1, 1, 1, 1, -1e16, 1};
    if (sum_in_order(numbers, 16) != 1) return "sums in another order";
    const double above = one + root, below = one - root, unit = one;
    if (above * below - unit != 0) return "fused products and sums";
    const double part = one / divisor, whole = part * divisor;
    if (whole == 1) return "simplified quotients";
    const double tiny = small / 2;
    if (!(tiny > 0)) return "small numbers that are 0";
    const double not_a_number = nan;
    if (not_a_number == not_a_number || !std::isnan(not_a_number)) return "undefined numbers that are equal";
    const double zero = minus_zero + 0.0;
    if (std::signbit(zero)) return "zeros without a sign";
    return nullptr;
}

}  // namespace rouge
