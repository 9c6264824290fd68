// Numbers as JSON has them, if their digits are found without a search: results/base.py defines them.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

namespace rouge {

// Appends null for what is not finite, the digits of whole numbers below 2^53, and of numbers of at most five decimals,
// as those of ROUGE-1.5.5. Returns false for others, and appends nothing.
inline bool append_short(std::string& line, double value) {
    char digits[32];
    if (!std::isfinite(value)) {
        line += "null";
        return true;
    }
    const double size = std::fabs(value);
    if (size < 9007199254740992.0 && value == std::trunc(value)) {
        const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<long long>(value)).ptr;
        line.append(digits, end);
        return true;
    }
    // Smaller numbers have an exponent; larger ones may have more digits than a double tells apart.
    if (size < 1e-4 || size >= 1e9) return false;
    const double nearest = std::nearbyint(size * 1e5);
    if (nearest / 1e5 != size) return false;
    const auto whole = static_cast<long long>(nearest);
    if (value < 0) line += '-';
    line.append(digits, std::to_chars(digits, digits + sizeof digits, whole / 100000).ptr);
    // The decimals of a number with a leading 1, which keeps their zeros
    const char* end = std::to_chars(digits, digits + sizeof digits, 100000 + whole % 100000).ptr;
    while (end[-1] == '0') --end;
    line += '.';
    line.append(static_cast<const char*>(digits) + 1, end);
    return true;
}

}  // namespace rouge
