// SEE and SPL, from bytes to sentences: the twin of formats/see.py and formats/spl.py.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace rouge {

using Units = std::vector<std::string_view>;

// A cursor on one line, which consumes the expected text or nothing.
class Line {
public:
    explicit Line(std::string_view rest) : rest_(rest) {}

    template <std::size_t SIZE>
    bool take(const char (&expected)[SIZE]) {
        if (rest_.size() < SIZE - 1 || std::memcmp(rest_.data(), expected, SIZE - 1) != 0) return false;
        rest_.remove_prefix(SIZE - 1);
        return true;
    }

    bool digits() {
        return some([](char byte) { return byte >= '0' && byte <= '9'; });
    }

    // White space other than line ends.
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

// The sentences of SEE; unclosed ones keep their line feed.
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

// The lines of SPL that are not empty; false if one looks like SEE.
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

}  // namespace rouge
