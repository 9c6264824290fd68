// Survey of a text for letters that the tokenizer drops: the twin of `survey` in text/survey.py.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "formats.hpp"

namespace rouge {

// The numbers of one text; text/survey.py defines them.
struct Survey {
    static constexpr std::size_t FEWEST_CUT = 10, SHARE = 10;

    std::size_t letters = 0, cut = 0, dropped = 0;
    bool has_ascii = false;

    void add_letters(const Units& units) {
        for (std::string_view unit : units)
            if (!is_ascii(unit)) return count_letters(units);
    }

    bool is_long() const { return cut >= FEWEST_CUT && cut * SHARE >= letters; }
    bool cut_up() const { return has_ascii && dropped > 0 && (is_long() || dropped * SHARE >= letters); }

    static bool has_tokens(std::string_view text) {
        for (char byte : text) {
            const char lower = static_cast<char>(byte | 0x20);
            if ((byte >= '0' && byte <= '9') || (lower >= 'a' && lower <= 'z')) return true;
        }
        return false;
    }

    static bool is_ascii(std::string_view unit) {
        unsigned char bits = 0;
        for (char byte : unit) bits |= static_cast<unsigned char>(byte);
        return bits < 0x80;
    }

    // The character that begins here and the number of its bytes; 0 if it is not valid UTF-8.
    static std::pair<char32_t, std::size_t> character(std::string_view text) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
        const std::size_t size = byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : byte(0) < 0xf5 ? 4 : 0;
        if (size == 0 || size > text.size()) return {0, 1};
        char32_t code = byte(0) & (0x7f >> size);
        for (std::size_t at = 1; at < size; ++at) {
            if ((byte(at) & 0xc0) != 0x80) return {0, 1};
            code = code << 6 | (byte(at) & 0x3f);
        }
        const bool valid = code >= (size == 2 ? 0x80u : size == 3 ? 0x800u : 0x10000u) && code <= 0x10ffff &&
                           (code < 0xd800 || code > 0xdfff);
        return valid ? std::pair<char32_t, std::size_t>{code, size} : std::pair<char32_t, std::size_t>{0, 1};
    }

private:
    static bool is_letter(char32_t code) {
        static constexpr char32_t RANGES[][2] = {
            {0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0x1fff},   {0x2c00, 0x2dff},   {0x3005, 0x3007},
            {0x3040, 0xd7ff}, {0xf900, 0xfdff}, {0xfe70, 0xfefc}, {0xff10, 0xff19},   {0xff21, 0xff3a},
            {0xff41, 0xff5a}, {0xff66, 0xffdc}, {0x10000, 0x1efff}, {0x20000, 0x3ffff}};
        for (const auto& range : RANGES)
            if (code <= range[1]) return code >= range[0];
        return false;
    }

    void count_letters(const Units& units) {
        for (std::string_view unit : units) {
            std::size_t word = 0;
            bool whole = true;
            while (!unit.empty()) {
                const unsigned char first = static_cast<unsigned char>(unit[0]);
                const auto [code, size] = first < 0x80 ? std::pair<char32_t, std::size_t>{first, 1} : character(unit);
                const char32_t lower = code | 0x20;
                const bool plain = (code >= '0' && code <= '9') || (code < 0x80 && lower >= 'a' && lower <= 'z');
                if (plain || is_letter(code)) {
                    ++word;
                    dropped += !plain;
                    has_ascii = has_ascii || plain;
                    whole = whole && plain;
                } else {
                    end_word(word, whole);
                }
                unit.remove_prefix(size);
            }
            end_word(word, whole);
        }
    }

    void end_word(std::size_t& word, bool& whole) {
        letters += word;
        if (!whole) cut += word;
        word = 0;
        whole = true;
    }
};

}  // namespace rouge
