// Tables of text, compiled: tasks/kinds/csv.py and tasks/records.py document what is read and why.
//
// A plain row has as many cells as columns, no bare CR or NUL, and no text that may be a list in JSON or stand for a
// missing text. All else, and all that is wrong, is left to a real parser.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "names.hpp"
#include "streams.hpp"

namespace rouge {

class PlainTable {
public:
    // columns: how many there are. prediction, references, id, system: places of columns; id and system are `columns`
    // or more if there is none.
    PlainTable(char delimiter, std::size_t columns, std::size_t prediction, std::vector<std::size_t> references, std::size_t id,
               std::size_t system)
        : delimiter_(delimiter), prediction_(prediction), id_(id), system_(system), references_(std::move(references)), cells_(columns) {}

    const Names& systems() const { return systems_; }  // of the rows that were read

    // Reads the rows of whole lines from an offset on, of which the first has that number, up to one that is not plain
    // or not complete. Returns that row's offset, or the block's size, and counts the number up to it. The table's first
    // row, of names, is skipped.
    std::size_t read(std::string_view block, std::size_t at, std::size_t& number, PlainTexts& texts) {
        texts.have_ids = id_ < cells_.size();
        is_incomplete_ = false;
        while (at < block.size()) {
            std::size_t lines = 0;
            const std::size_t end = read_row(block, at, lines);
            if (end == NONE) break;
            if (size_ > 0 && has_names_ && !add(number, texts)) break;
            has_names_ = has_names_ || size_ > 0;
            number += lines;
            at = end;
        }
        return at;
    }

    bool has_names() const { return has_names_; }          // whether the row of names has been read
    bool is_incomplete() const { return is_incomplete_; }  // whether the last row that was read ends inside quotes

private:
    static constexpr std::size_t NONE = ~std::size_t(0);

    // Reads a row's cells, none of a blank line, and counts its lines; returns its end, or NONE if it is not plain.
    std::size_t read_row(std::string_view block, std::size_t at, std::size_t& lines) {
        size_ = 0;
        if (is_end(block, at)) return ++lines, next_line(block, at);
        while (size_ < cells_.size()) {
            std::string& cell = cells_[size_++];
            cell.clear();
            if (at < block.size() && block[at] == '"') {
                at = read_quoted(block, at + 1, cell, lines);
                if (at == NONE) return NONE;
            } else {
                const std::size_t start = at;
                while (at < block.size() && block[at] != delimiter_ && block[at] != '\n' && block[at] != '\r') ++at;
                cell.assign(block, start, at - start);
            }
            if (cell.find('\0') != std::string::npos) return NONE;
            if (at < block.size() && block[at] == delimiter_) {
                ++at;
            } else {
                ++lines;
                return size_ == cells_.size() && is_end(block, at) ? next_line(block, at) : NONE;
            }
        }
        return NONE;  // more cells than columns
    }

    // Reads to the end of quotes, counting the lines that end inside.
    std::size_t read_quoted(std::string_view block, std::size_t at, std::string& cell, std::size_t& lines) {
        while (true) {
            const std::size_t quote = block.find('"', at);
            if (quote == std::string_view::npos) return is_incomplete_ = true, NONE;
            cell.append(block, at, quote - at);
            at = quote + 1;
            if (at == block.size() || block[at] != '"') break;
            cell += '"';
            ++at;
        }
        lines += static_cast<std::size_t>(std::count(cell.begin(), cell.end(), '\n'));
        return at;
    }

    static bool is_end(std::string_view block, std::size_t at) {
        return at == block.size() || block[at] == '\n' || block.substr(at, 2) == "\r\n";
    }

    static std::size_t next_line(std::string_view block, std::size_t at) {
        return std::min(block.find('\n', at), block.size() - 1) + 1;
    }

    bool add(std::size_t number, PlainTexts& texts) {
        const auto is_reference = [&](std::size_t column) { return references_.size() == 1 || !cells_[column].empty(); };
        const auto is_odd = [&](std::size_t column) { return may_be_list(cells_[column]) || is_missing(cells_[column]); };
        if (is_odd(prediction_) || std::any_of(references_.begin(), references_.end(), is_odd)) return false;
        if (std::none_of(references_.begin(), references_.end(), is_reference)) return false;
        if (texts.have_ids) texts.add(cells_[id_]);
        texts.add(cells_[prediction_]);
        for (std::size_t column : references_) {
            if (is_reference(column)) texts.add(cells_[column]);
        }
        if (system_ < cells_.size()) texts.systems.push_back(systems_.number(cells_[system_]));
        texts.end(number);
        return true;
    }

    // Whether a cell stands for a missing text, as in exports of pandas (MISSING in tasks/cells.py).
    static bool is_missing(std::string_view cell) {
        return cell.size() < 5 && (cell == "nan" || cell == "NaN" || cell == "None" || cell == "NULL" || cell == "<NA>");
    }

    // Whether a cell begins with a bracket, perhaps after white space, also of Unicode.
    static bool may_be_list(const std::string& cell) {
        std::string_view left = cell;
        while (!left.empty() && left.front() != '[') {
            const std::size_t size = blank(left);
            if (size == 0) return false;
            left.remove_prefix(size);
        }
        return !left.empty();
    }

    // The bytes of a character of white space, or of a control character, that a text begins with.
    static std::size_t blank(std::string_view text) {
        if (static_cast<unsigned char>(text.front()) <= ' ') return 1;
        for (std::string_view character :
             {"\xC2\x85", "\xC2\xA0", "\xE1\x9A\x80", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"}) {
            if (text.substr(0, character.size()) == character) return character.size();
        }
        const bool is_space = text.size() > 2 && text.substr(0, 2) == "\xE2\x80" && static_cast<unsigned char>(text[2]) <= 0x8A;
        return is_space ? 3 : 0;
    }

    char delimiter_;
    std::size_t prediction_, id_, system_;
    std::vector<std::size_t> references_;
    std::vector<std::string> cells_;
    Names systems_;
    std::size_t size_ = 0;  // cells of the row
    bool has_names_ = false, is_incomplete_ = false;
};

}  // namespace rouge
