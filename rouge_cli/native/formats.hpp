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

// True if an anchor begins in the line, however it is written.
inline bool has_anchor(std::string_view line) {
    for (std::size_t at = line.find('<'); at != std::string_view::npos; at = line.find('<', at + 1)) {
        const std::string_view tag = line.substr(at, 3);
        if (tag.size() == 3 && (tag[1] == 'a' || tag[1] == 'A') && (tag[2] == ' ' || (tag[2] >= '\t' && tag[2] <= '\r'))) return true;
    }
    return false;
}

// True if the line begins with text, and not with a tag.
inline bool begins_with_text(std::string_view data) {
    for (char byte : data.substr(0, data.find_first_of("<\n")))
        if (byte != ' ' && (byte < '\t' || byte > '\r')) return true;
    return false;
}

// The sentences of SEE; unclosed ones keep their line feed. False if something that may be a sentence is not read, or not
// as a whole: Python decides what to report.
inline bool see_units(std::string_view data, Units& units) {
    while (!data.empty()) {
        const std::size_t feed = data.find('\n');
        const std::size_t size = feed == std::string_view::npos ? data.size() : feed + 1;
        Line line(data.substr(0, size));
        const std::string_view whole = line.rest();
        data.remove_prefix(size);
        if (!is_see_sentence(line)) {
            if (has_anchor(whole)) return false;
            continue;
        }
        const std::string_view text = line.rest().substr(0, line.rest().find('<'));
        const std::string_view rest = line.rest().substr(text.size());
        if (text.empty()) return false;
        if (rest.empty() ? begins_with_text(data) : rest.substr(0, 4) != "</a>" || has_anchor(rest)) return false;
        units.push_back(text);
    }
    return true;
}

// The lines of SPL that are not empty; false if one looks like SEE or ISI.
inline bool spl_units(std::string_view data, Units& units) {
    for (std::string_view other : {"<a name=\"", "<S SNTNO="})
        if (data.find(other) != std::string_view::npos) return false;
    while (!data.empty()) {
        const std::size_t feed = data.find('\n');
        const std::size_t size = feed == std::string_view::npos ? data.size() : feed;
        if (size > 0) units.push_back(data.substr(0, size));
        data.remove_prefix(size == data.size() ? size : size + 1);
    }
    return true;
}

}  // namespace rouge
