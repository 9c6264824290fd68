// Ordinary files to sentences, compiled: formats/see.py, formats/spl.py and text/limit.py say what is read and why.
//
// What is out of the ordinary in any way is left to the Python beside this file, which has the words for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace rouge {

// The file's bytes, in a buffer that grows and is not cleared; false where they cannot be had here.
//
// largest: files of more bytes are left alone.
inline bool whole_file(const char* path, std::vector<char>& buffer, std::string_view& data,
                       std::size_t largest = ~std::size_t(0)) {
#ifdef _WIN32
    (void)path, (void)buffer, (void)data, (void)largest;
    return false;
#else
    // What can be read but once, and may have to be waited for, is not begun here: the Python is interruptible.
    struct stat about;
    if (::stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    if (static_cast<std::size_t>(about.st_size) > largest) return false;
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    std::size_t size = 0;
    for (;;) {
        if (size == buffer.size()) buffer.resize(std::max<std::size_t>(1 << 16, size * 2));
        const ::ssize_t got = ::read(file, buffer.data() + size, buffer.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            ::close(file);
            data = std::string_view(buffer.data(), size);
            return got == 0;
        }
        size += static_cast<std::size_t>(got);
        if (size == static_cast<std::size_t>(about.st_size)) {  // to its end, as far as it was known
            ::close(file);
            data = std::string_view(buffer.data(), size);
            return true;
        }
    }
#endif
}

using Units = std::vector<std::string_view>;

// A cursor on one line, which takes what is expected or nothing.
class Line {
public:
    explicit Line(std::string_view rest) : rest_(rest) {}

    bool take(std::string_view expected) {
        if (rest_.substr(0, expected.size()) != expected) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    bool digits() {
        return some([](char byte) { return byte >= '0' && byte <= '9'; });
    }

    // White space that ends no line.
    bool blanks() {
        return some([](char byte) { return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f' || byte == '\r'; });
    }

    std::string_view rest() const { return rest_; }

private:
    template <typename Wanted>
    bool some(Wanted wanted) {
        std::size_t size = 0;
        while (size < rest_.size() && wanted(rest_[size])) ++size;
        rest_.remove_prefix(size);
        return size > 0;
    }

    std::string_view rest_;
};

inline bool is_see_sentence(Line& line) {
    if (!line.take("<a ")) return false;
    if (line.take("size=\"") && !(line.digits() && line.take("\" "))) return false;
    return line.take("name=\"") && line.digits() && line.take("\">[") && line.digits() && line.take("]</a>") && line.blanks() &&
           line.take("<a href=\"#") && line.digits() && line.take("\" id=") && line.digits() && line.take(">");
}

// The sentences of SEE; those that nothing closes keep their line feed.
inline void see_units(std::string_view data, Units& units) {
    while (!data.empty()) {
        const std::size_t feed = data.find('\n');
        const std::size_t size = feed == std::string_view::npos ? data.size() : feed + 1;
        Line line(data.substr(0, size));
        data.remove_prefix(size);
        if (!is_see_sentence(line)) continue;
        const std::string_view text = line.rest().substr(0, line.rest().find('<'));
        if (!text.empty()) units.push_back(text);
    }
}

// The lines of SPL that are not empty; false where one looks like SEE.
inline bool spl_units(std::string_view data, Units& units) {
    if (data.find("<a name=\"") != std::string_view::npos) return false;
    while (!data.empty()) {
        const std::size_t feed = data.find('\n');
        const std::size_t size = feed == std::string_view::npos ? data.size() : feed;
        if (size > 0) units.push_back(data.substr(0, size));
        data.remove_prefix(size == data.size() ? size : size + 1);
    }
    return true;
}

// What people lose points to in a text; rouge_cli/text/survey.py says what counts.
struct Survey {
    static constexpr std::size_t FEWEST_CUT = 10, SHARE = 10;

    std::size_t quoted = 0, escaped = 0, letters = 0, cut = 0;
    bool has_ascii = false;

    void add(const Units& units) {
        for (std::string_view unit : units) {
            if (unit.find("<q>") != std::string_view::npos) quoted = 1;
            if (unit.find("\\n") != std::string_view::npos) escaped = 1;
        }
        for (std::string_view unit : units)
            if (!is_ascii(unit)) return count_letters(units);
    }

    bool cut_up() const { return has_ascii && cut >= FEWEST_CUT && cut * SHARE >= letters; }

private:
    static bool is_ascii(std::string_view unit) {
        unsigned char bits = 0;
        for (char byte : unit) bits |= static_cast<unsigned char>(byte);
        return bits < 0x80;
    }

    static bool is_letter(char32_t code) {
        static constexpr char32_t RANGES[][2] = {
            {0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0x1fff},   {0x2c00, 0x2dff},   {0x3005, 0x3007},
            {0x3040, 0xd7ff}, {0xf900, 0xfdff}, {0xfe70, 0xfefc}, {0xff10, 0xff19},   {0xff21, 0xff3a},
            {0xff41, 0xff5a}, {0xff66, 0xffdc}, {0x10000, 0x1efff}, {0x20000, 0x3ffff}};
        for (const auto& range : RANGES)
            if (code <= range[1]) return code >= range[0];
        return false;
    }

    // The character that begins here, and how many bytes it has; 0 where there is none in UTF-8.
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

// The first so many words or bytes of a text, in the original's two readings of it.
class Limit {
public:
    Limit(double most, bool in_words) : most_(most), in_words_(in_words) {}

    // Whole units while the sum of their lengths stays below the limit, then the rest of it.
    Units first_reading(const Units& units) const {
        Units kept;
        double total = 0;
        for (std::string_view unit : units) {
            const double length = static_cast<double>(in_words_ ? fields(unit, unit.size() + 1).first : unit.size());
            if (total + length >= most_) {
                kept.push_back(cut(unit, most_ - total));
                break;
            }
            kept.push_back(unit);
            total += length;
        }
        return kept;
    }

    // By sentences: a limit in bytes holds for each sentence alone.
    Units second_reading(const Units& units) const {
        if (in_words_) return first_reading(units);
        Units kept;
        for (std::string_view unit : units) {
            const bool whole = static_cast<double>(unit.size()) < most_;
            kept.push_back(whole ? unit : cut(unit, most_));
            if (!whole) break;
        }
        return kept;
    }

private:
    static bool blank(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

    // How many fields the unit has, up to so many, and where the last of these ends; blanks in front of a field
    // make an empty one.
    static std::pair<std::size_t, std::size_t> fields(std::string_view unit, std::size_t most) {
        std::size_t found = 0, end = 0;
        for (std::size_t at = 0; found < most;) {
            while (at < unit.size() && blank(unit[at])) ++at;
            if (at == unit.size()) break;
            if (found == 0 && at > 0) {
                ++found;
                continue;
            }
            while (at < unit.size() && !blank(unit[at])) ++at;
            ++found;
            end = at;
        }
        return {found, end};
    }

    std::string_view cut(std::string_view unit, double left) const {
        const std::size_t size = static_cast<std::size_t>(left);
        return unit.substr(0, in_words_ ? fields(unit, std::max<std::size_t>(size, 1)).second : size);
    }

    double most_;
    bool in_words_;
};

}  // namespace rouge
