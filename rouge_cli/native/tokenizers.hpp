// Tokenizers, normalization and sentence rules other than the originals'. They are functions of text/tokenizers.py,
// text/normalization.py and text/sentences.py: this header asks Python for their answers, and as seldom as it can.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats.hpp"
#include "survey.hpp"

namespace rouge {

// What Python is asked for: the tokens of a part of a text, the sentences of a text, the text as normalized, the lines
// that a dialect of strings makes of a text, in which NUL separates the words, or the counted form of a word, if it has one.
enum Question { TOKENS, SENTENCES, NORMALIZED, LINES, FORM, QUESTIONS };

using Answers = std::vector<std::string>;

// Asks Python; returns false if it raised.
using Ask = bool (*)(void* owner, int question, const char* bytes, std::size_t size, Answers& answers);

// How texts are read; the default is as ROUGE-1.5.5 reads them. `ReadingRules` in native/__init__.py says it in Python.
struct Reading {
    bool asks[QUESTIONS] = {};    // by question: whether Python is asked
    bool is_separable = false;    // the tokens of a text are those of its parts (`Parts`), in order
    bool by_character = false;    // Chinese characters are such parts
    bool keeps_ascii = false;     // the tokens of ASCII text are runs of letters and digits
    bool keeps_letters = false;   // so are those of text with common letters outside ASCII (`is_common`)
    bool reads_twice = false;     // the first line is the whole text, which may have other words than the others
    bool ascii_only = true;       // the survey counts the letters that tokens lack
    std::string mark;             // ends sentences; empty for none

    // True if Python would tokenize the text as runs of ASCII letters and digits.
    bool keeps(std::string_view text) const;
};

// True for UTF-8 whose characters outside ASCII all pass a test.
template <typename Test>
bool all_characters(std::string_view text, Test test) {
    if (Survey::is_ascii(text)) return true;
    while (!text.empty()) {
        std::size_t size = 1;
        if (static_cast<unsigned char>(text[0]) >= 0x80) {
            const auto read = Survey::character(text);
            if (read.first == 0 || !test(read.first)) return false;
            size = read.second;
        }
        text.remove_prefix(size);
    }
    return true;
}

// True for UTF-8 without a byte order mark, which may also begin a line; Python decodes or refuses the rest.
inline bool is_plain_utf8(std::string_view text) {
    return text.find("\xEF\xBB\xBF") == std::string_view::npos && all_characters(text, [](char32_t) { return true; });
}

// True if, beside ASCII, a text has only common letters and quotes that are their own NFKC, whatever stands beside them, and
// that case folding leaves or replaces by one such letter. Without the sharp s, and without the dotted capital I, whose
// lower case has an ASCII letter.
inline bool is_common(std::string_view text) {
    static constexpr char32_t RANGES[][2] = {
        {0xC0, 0xDE},      {0xE0, 0x12F},    {0x131, 0x131},   {0x134, 0x13E},   {0x141, 0x148},
        {0x14A, 0x17E},    {0x3A3, 0x3AF},   {0x3B1, 0x3C9},   {0x400, 0x481},   {0x2012, 0x2016},
        {0x2018, 0x2023},  {0x3041, 0x3094}, {0x4E00, 0x9FA5}, {0xAC00, 0xD7A3}};
    return all_characters(text, [](char32_t code) {
        return std::any_of(std::begin(RANGES), std::end(RANGES), [&](const auto& range) { return code >= range[0] && code <= range[1]; });
    });
}

inline bool Reading::keeps(std::string_view text) const {
    return keeps_ascii && (Survey::is_ascii(text) || (keeps_letters && is_common(text)));
}

// The parts of a text whose tokens do not depend on the rest: it is divided at spaces, and by character beside Chinese
// characters, hiragana and letters of Thai, Lao, Burmese and Khmer (with their vowels and signs) whose neighbour is also
// one of them, or ASCII: no other character joins the two.
class Parts {
public:
    Parts(std::string_view text, bool by_character) : rest_(text), by_character_(by_character) {}

    // The next part; empty at the end.
    std::string_view next() {
        while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
        std::size_t end = 0;
        Kind before = OTHER;
        while (end < rest_.size() && rest_[end] != ' ') {
            const Kind kind = kind_at(end);
            if (end != 0 && before != OTHER && kind <= ALONE && (before == ALONE || kind == ALONE)) break;
            if (kind != MARK) before = kind;
            else if (before != ALONE) before = OTHER;
            end += kind == ALONE || kind == MARK ? 3 : 1;
        }
        const std::string_view part = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return part;
    }

private:
    // A mark belongs to the letter before it; behind other characters it is as these.
    enum Kind { ASCII, ALONE, MARK, OTHER };

    Kind kind_at(std::size_t at) const {
        const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(rest_[place]); };
        if (byte(at) < 0x80) return ASCII;
        if (!by_character_ || byte(at) < 0xE0 || byte(at) > 0xE9 || at + 3 > rest_.size()) return OTHER;
        const char32_t code = (byte(at) & 0xFu) << 12 | (byte(at + 1) & 0x3Fu) << 6 | (byte(at + 2) & 0x3Fu);
        if (in(code, 0x4E00, 0x9FFF) || in(code, 0x3041, 0x3094) || in(code, 0x3400, 0x4DBF)) return ALONE;
        if (in(code, 0x1000, 0x1024) || in(code, 0x1780, 0x17B3)) return ALONE;
        // Not the signs that stack letters, nor the letter that is composed with a vowel.
        if (in(code, 0x102B, 0x1038) || in(code, 0x103A, 0x103E) || in(code, 0x17B4, 0x17D1)) return MARK;
        if (!in(code, 0xE00, 0xEFF)) return OTHER;
        const char32_t thai = code & ~char32_t(0x80);  // a letter of Lao is 128 behind its like
        if (in(thai, 0xE01, 0xE30) || thai == 0xE32 || in(thai, 0xE40, 0xE44)) return ALONE;
        // Not the vowel am, which is two characters in other forms.
        return thai == 0xE31 || in(thai, 0xE34, 0xE39) || in(thai, 0xE47, 0xE4E) ? MARK : OTHER;
    }

    static bool in(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

    std::string_view rest_;
    bool by_character_;
};

// Joins lines to one text.
inline void join(const Units& units, std::string& text) {
    text.clear();
    for (std::string_view unit : units) text.append(unit).append(1, '\n');
    if (!text.empty()) text.pop_back();
}

// The sentences of a text whose lines are joined, at each mark; those of white space are left out.
inline void divide(std::string_view text, std::string_view mark, Units& units) {
    units.clear();
    for (std::size_t end; ; text.remove_prefix(end + mark.size())) {
        end = text.find(mark);
        const std::string_view sentence = text.substr(0, end);
        if (sentence.find_first_not_of(" \t\n\v\f\r") != std::string_view::npos) units.push_back(sentence);
        if (end == std::string_view::npos) return;
    }
}

}  // namespace rouge
