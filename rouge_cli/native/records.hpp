// Lines of jsonl of the plainest kind, compiled: tasks/kinds/jsonl.py and tasks/records.py document what is read and why.
//
// The plainest kind is an object of strings alone. All else, and all that is wrong, is left to a real parser.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rouge {

// The values of plain lines, one after the other.
struct PlainTexts {
    std::string values;
    std::vector<std::size_t> ends;   // of each value
    std::vector<std::size_t> lines;  // the number of each line

    std::string_view value(std::size_t place) const {
        const std::size_t start = place == 0 ? 0 : ends[place - 1];
        return std::string_view(values).substr(start, ends[place] - start);
    }
};

// Reads the columns of these names; the lines must be UTF-8.
class PlainRecords {
public:
    explicit PlainRecords(std::vector<std::string> columns) : columns_(std::move(columns)) {}

    // Reads the lines of a block from an offset on, of which the first has that number, up to one of another kind.
    // Returns the offset of that line, or the block's size, and counts the number up to it. Blank lines are skipped.
    std::size_t read(std::string_view block, std::size_t at, std::size_t& number, PlainTexts& texts) {
        while (at < block.size()) {
            const std::size_t end = std::min(block.find('\n', at), block.size());
            const std::string_view line = block.substr(at, end - at);
            if (line.find_first_not_of(" \t\v\f\r") != std::string_view::npos) {
                if (!read_line(line)) break;
                for (const std::string& value : values_) {
                    texts.values += value;
                    texts.ends.push_back(texts.values.size());
                }
                texts.lines.push_back(number);
            }
            ++number;
            at = std::min(end + 1, block.size());
        }
        return at;
    }

private:
    // Reads the values in the order of the columns; false if the line is of another kind, or has not all of them.
    bool read_line(std::string_view line) {
        at_ = line.data();
        end_ = at_ + line.size();
        names_.clear();
        values_.resize(columns_.size());
        std::size_t wanted = 0;
        if (!take('{')) return false;
        do {
            std::string& name = names_.emplace_back();
            if (!text(name) || !take(':') || names_.size() > MOST_NAMES) return false;
            if (std::find(names_.begin(), names_.end() - 1, name) != names_.end() - 1) return false;
            const auto column = std::find(columns_.begin(), columns_.end(), name);
            wanted += column != columns_.end();
            if (!text(column == columns_.end() ? ignored_ : values_[column - columns_.begin()])) return false;
        } while (take(','));
        return take('}') && (blanks(), at_ == end_) && wanted == columns_.size();
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

    // Four hexadecimal digits, in UTF-8; halves of surrogate pairs are not of the plainest kind.
    bool code_point(std::string& value) {
        if (end_ - at_ < 4) return false;
        unsigned code = 0;
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
        if (code >= 0xD800 && code < 0xE000) return false;
        if (code < 0x80) {
            value += static_cast<char>(code);
        } else if (code < 0x800) {
            value += static_cast<char>(0xC0 | code >> 6);
            value += static_cast<char>(0x80 | (code & 0x3F));
        } else {
            value += static_cast<char>(0xE0 | code >> 12);
            value += static_cast<char>(0x80 | (code >> 6 & 0x3F));
            value += static_cast<char>(0x80 | (code & 0x3F));
        }
        return true;
    }

    static constexpr std::size_t MOST_NAMES = 64;  // each is compared with all before it

    std::vector<std::string> columns_, names_, values_;
    std::string ignored_;
    const char* at_ = nullptr;
    const char* end_ = nullptr;
};

}  // namespace rouge
