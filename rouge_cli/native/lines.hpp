// Line-aligned files, compiled: tasks/lines.py documents what is read and why.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "streams.hpp"

namespace rouge {

constexpr std::size_t MOST_EVALS = 1000;  // a block of blank lines has many

// Adds an eval for each line that all blocks have, the first of which has that number, up to MOST_EVALS of them;
// returns the offsets after them.
// A block is the texts of a file: the first ones of predictions, the others of references.
inline std::vector<std::size_t> read_lines(const std::vector<std::string_view>& blocks, std::size_t number, PlainTexts& texts) {
    std::vector<std::size_t> offsets(blocks.size(), 0);
    while (texts.lines.size() < MOST_EVALS) {
        for (std::size_t file = 0; file < blocks.size(); ++file) {
            if (offsets[file] == blocks[file].size()) return offsets;
        }
        for (std::size_t file = 0; file < blocks.size(); ++file) {
            const std::string_view block = blocks[file];
            const std::size_t start = offsets[file], end = std::min(block.find('\n', start), block.size());
            const bool drops_cr = end < block.size() && end > start && block[end - 1] == '\r';
            texts.add(block.substr(start, end - start - drops_cr));
            offsets[file] = std::min(end + 1, block.size());
        }
        texts.end(number++);
    }
    return offsets;
}

}  // namespace rouge
