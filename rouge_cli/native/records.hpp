// Lines of jsonl of the plainest kind, compiled: tasks/kinds/jsonl.py and tasks/records.py document what is read and why.
//
// The plainest kind is an object with a string as the prediction's text, and a string or a list of strings as the references'.
// All else, and all that is wrong, is left to a real parser.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "names.hpp"
#include "streams.hpp"

namespace rouge {

// Reads the columns of these names; the lines must be UTF-8.
class PlainRecords {
public:
    // id, system: empty if lines have none. reads_lists: a list of strings is the texts of several references.
    PlainRecords(std::string_view prediction, std::string_view reference, std::string_view id, std::string_view system, bool reads_lists)
        : prediction_(prediction), reference_(reference), id_(id), system_(system), reads_lists_(reads_lists) {}

    const Names& systems() const { return systems_; }  // of the lines that were read

    // Reads the lines of a block from an offset on, of which the first has that number, up to one of another kind.
    // Returns the offset of that line, or the block's size, and counts the number up to it. Blank lines are skipped.
    std::size_t read(std::string_view block, std::size_t at, std::size_t& number, PlainTexts& texts) {
        texts.have_ids = !id_.empty();
        while (at < block.size()) {
            const std::size_t end = std::min(block.find('\n', at), block.size());
            const std::string_view line = block.substr(at, end - at);
            if (line.find_first_not_of(" \t\v\f\r") != std::string_view::npos) {
                if (!read_line(line)) break;
                if (texts.have_ids) texts.add(id_text_);
                texts.add(prediction_text_);
                for (std::size_t reference = 0; reference < references_; ++reference) texts.add(reference_texts_[reference]);
                if (!system_.empty()) texts.systems.push_back(systems_.number(system_text_));
                texts.end(number);
            }
            ++number;
            at = std::min(end + 1, block.size());
        }
        return at;
    }

private:
    // Reads the values; false if the line is of another kind, or has not all of them.
    bool read_line(std::string_view line) {
        at_ = line.data();
        end_ = at_ + line.size();
        names_.clear();
        int wanted = 2 + !id_.empty() + !system_.empty();
        if (!take('{')) return false;
        do {
            std::string& name = names_.emplace_back();
            if (!text(name) || !take(':') || names_.size() > MOST_NAMES) return false;
            if (std::find(names_.begin(), names_.end() - 1, name) != names_.end() - 1) return false;
            if (name == prediction_) {
                if (!text(prediction_text_)) return false;
            } else if (name == reference_) {
                if (!references()) return false;
            } else if (!id_.empty() && name == id_) {
                if (!label(id_text_)) return false;
            } else if (!system_.empty() && name == system_) {
                if (!label(system_text_)) return false;
            } else {
                if (!other(0)) return false;
                continue;
            }
            --wanted;
        } while (take(','));
        return take('}') && (blanks(), at_ == end_) && wanted == 0;
    }

    bool references() {
        references_ = 0;
        const bool is_list = reads_lists_ && take('[');
        do {
            if (reference_texts_.size() == references_) reference_texts_.emplace_back();
            if (!text(reference_texts_[references_++])) return false;
        } while (is_list && take(','));
        return !is_list || take(']');
    }

    // What names an eval or a system.
    bool label(std::string& value) {
        blanks();
        return at_ != end_ && *at_ == '"' ? text(value) : integer(value);
    }

    // A number of few digits that is printed as it is written.
    bool integer(std::string& digits) {
        const char* start = at_;
        if (at_ == end_ || !number()) return false;
        digits.assign(start, at_);
        return digits.size() < 19 + (digits[0] == '-') && digits.find_first_of(".eE") == digits.npos && digits != "-0";
    }

    // The value of a column that is not read: anything but an object, whose names could occur twice.
    bool other(int depth) {
        if (take('[')) {
            if (depth == MOST_LISTS) return false;
            if (take(']')) return true;
            do {
                if (!other(depth + 1)) return false;
            } while (take(','));
            return take(']');
        }
        if (at_ == end_) return false;
        if (*at_ == '"') return text(ignored_);
        if (*at_ == '-' || (*at_ >= '0' && *at_ <= '9')) return number();
        for (std::string_view word : {"true", "false", "null"}) {
            if (std::string_view(at_, end_ - at_).substr(0, word.size()) == word) return at_ += word.size(), true;
        }
        return false;
    }

    bool number() {
        const char* start = at_;
        if (*at_ == '-') ++at_;
        const bool is_zero = at_ != end_ && *at_ == '0';
        const std::ptrdiff_t whole = digits();
        if (whole == 0 || (is_zero && whole > 1)) return false;
        if (at_ != end_ && *at_ == '.' && (++at_, digits() == 0)) return false;
        if (at_ != end_ && (*at_ | 0x20) == 'e') {
            ++at_;
            if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
            if (digits() == 0) return false;
        }
        return at_ - start <= MOST_DIGITS;
    }

    std::ptrdiff_t digits() {
        const char* start = at_;
        while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
        return at_ - start;
    }

    void blanks() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
    }

    bool take(char expected) {
        blanks();
        if (at_ == end_ || *at_ != expected) return false;
        ++at_;
        return true;
    }

    // Whether none of eight bytes is a quotation mark, a backslash or below the space. What takes 1 from each, or
    // 32, sets the top bit of those that were less; a borrow can only come from a byte that is one of them.
    static bool is_plain(const char* bytes) {
        constexpr std::uint64_t ONES = 0x0101010101010101ULL, TOPS = 0x8080808080808080ULL;
        std::uint64_t group;
        std::memcpy(&group, bytes, sizeof group);
        const std::uint64_t quotes = group ^ ONES * '"', slashes = group ^ ONES * '\\';
        const std::uint64_t wanted =
            ((group - ONES * ' ') & ~group) | ((quotes - ONES) & ~quotes) | ((slashes - ONES) & ~slashes);
        return (wanted & TOPS) == 0;
    }

    bool text(std::string& value) {
        value.clear();
        if (!take('"')) return false;
        while (true) {
            const char* start = at_;
            while (end_ - at_ >= 8 && is_plain(at_)) at_ += 8;
            while (at_ != end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= ' ') ++at_;
            value.append(start, at_);
            if (at_ == end_) return false;
            const char byte = *at_++;
            if (byte == '"') return true;
            if (byte != '\\' || !escape(value)) return false;
        }
    }

    bool escape(std::string& value) {
        static constexpr char ESCAPES[] = "\"\\/bfnrt", MEANT[] = "\"\\/\b\f\n\r\t";
        if (at_ == end_) return false;
        if (*at_ == 'u') return ++at_, code_point(value);
        const char* place = static_cast<const char*>(std::memchr(ESCAPES, *at_++, sizeof ESCAPES - 1));
        if (place == nullptr) return false;
        value += MEANT[place - ESCAPES];
        return true;
    }

    // The code point of hexadecimal digits, in UTF-8; half a surrogate pair is not of the plainest kind.
    bool code_point(std::string& value) {
        unsigned code = 0, low = 0;
        if (!four_digits(code) || (code >= 0xDC00 && code < 0xE000)) return false;
        if (code >= 0xD800 && code < 0xDC00) {
            if (end_ - at_ < 2 || *at_++ != '\\' || *at_++ != 'u' || !four_digits(low) || low < 0xDC00 || low >= 0xE000) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        append_utf8(value, code);
        return true;
    }

    bool four_digits(unsigned& code) {
        if (end_ - at_ < 4) return false;
        for (const char* stop = at_ + 4; at_ != stop; ++at_) {
            const char digit = *at_ | 0x20;
            if (*at_ >= '0' && *at_ <= '9') {
                code = code * 16 + (*at_ - '0');
            } else if (digit >= 'a' && digit <= 'f') {
                code = code * 16 + (digit - 'a' + 10);
            } else {
                return false;
            }
        }
        return true;
    }

    static constexpr std::size_t MOST_NAMES = 64;        // each is compared with all before it
    static constexpr std::ptrdiff_t MOST_DIGITS = 1000;  // Python refuses integers of several thousand
    static constexpr int MOST_LISTS = 8;                 // within each other

    std::string prediction_, reference_, id_, system_;
    bool reads_lists_;
    std::vector<std::string> names_, reference_texts_;
    std::string prediction_text_, id_text_, system_text_, ignored_;
    Names systems_;
    std::size_t references_ = 0;  // texts of the line's references
    const char* at_ = nullptr;
    const char* end_ = nullptr;
};

}  // namespace rouge
