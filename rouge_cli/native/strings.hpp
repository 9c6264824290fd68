// Strings of Python, which can be read without the GIL while somebody refers to them, and UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rouge {

inline void append_utf8(std::string& bytes, std::uint32_t code) {
    static constexpr unsigned FIRST[] = {0, 0xC0, 0xE0, 0xF0};
    const int more = (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    bytes += static_cast<char>(FIRST[more] | code >> 6 * more);
    for (int left = more; left-- > 0;) bytes += static_cast<char>(0x80 | (code >> 6 * left & 0x3F));
}

struct Characters {
    const void* data;
    std::size_t size;
    int width;  // bytes of a character
    bool are_ascii;

    // Appends them in UTF-8, with question marks for surrogates. folds: lower-case the Kelvin sign and the dotted capital I, the
    // only characters outside ASCII whose lower case has ASCII letters.
    void append_to(std::string& bytes, bool folds) const {
        if (are_ascii) bytes.append(static_cast<const char*>(data), size);
        else if (width == 1) encode(static_cast<const std::uint8_t*>(data), bytes, folds);
        else if (width == 2) encode(static_cast<const std::uint16_t*>(data), bytes, folds);
        else encode(static_cast<const std::uint32_t*>(data), bytes, folds);
    }

private:
    template <class Character>
    void encode(const Character* next, std::string& bytes, bool folds) const {
        char ascii[256];
        for (const Character* const last = next + size; next < last;) {
            std::size_t run = 0;
            for (; run < sizeof ascii && next < last && *next < 0x80; ++next) ascii[run++] = static_cast<char>(*next);
            bytes.append(ascii, run);
            if (next == last || *next < 0x80) continue;
            const std::uint32_t code = *next++;
            if (folds && code == 0x130) bytes += "i\xCC\x87";
            else if (folds && code == 0x212A) bytes += 'k';
            else append_utf8(bytes, code >> 11 == 0xD800 >> 11 ? '?' : code);
        }
    }
};

}  // namespace rouge
