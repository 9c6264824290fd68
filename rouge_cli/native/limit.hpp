// Length limits: the twin of text/tokens.py, which explains the two readings.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "formats.hpp"

namespace rouge {

// The first words or bytes of a text, in the original's two readings of it.
class Limit {
public:
    Limit(double most, bool in_words) : most_(most), in_words_(in_words) {}

    bool in_words() const { return in_words_; }

    // Whole units while the sum of their lengths is below the limit, then the rest of it.
    Units first_reading(const Units& units) const {
        Units limited;
        double total = 0;
        for (std::string_view unit : units) {
            const double length = static_cast<double>(in_words_ ? fields(unit, unit.size() + 1).first : unit.size());
            if (total + length >= most_) {
                limited.push_back(cut(unit, most_ - total));
                break;
            }
            limited.push_back(unit);
            total += length;
        }
        return limited;
    }

    // By sentences: a limit in bytes applies to each sentence by itself.
    Units second_reading(const Units& units) const {
        if (in_words_) return first_reading(units);
        Units limited;
        for (std::string_view unit : units) {
            const bool whole = static_cast<double>(unit.size()) < most_;
            limited.push_back(whole ? unit : cut(unit, most_));
            if (!whole) break;
        }
        return limited;
    }

private:
    static bool blank(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

    // The number of fields of the unit, at most so many, and the end of the last of these; leading blanks make
    // an empty field.
    static std::pair<std::size_t, std::size_t> fields(std::string_view unit, std::size_t most) {
        std::size_t count = 0, end = 0;
        for (std::size_t at = 0; count < most;) {
            while (at < unit.size() && blank(unit[at])) ++at;
            if (at == unit.size()) break;
            if (count == 0 && at > 0) {
                ++count;
                continue;
            }
            while (at < unit.size() && !blank(unit[at])) ++at;
            ++count;
            end = at;
        }
        return {count, end};
    }

    std::string_view cut(std::string_view unit, double left) const {
        const std::size_t size = static_cast<std::size_t>(left);
        return unit.substr(0, in_words_ ? fields(unit, std::max<std::size_t>(size, 1)).second : size);
    }

    double most_;
    bool in_words_;
};

}  // namespace rouge
