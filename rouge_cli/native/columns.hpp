// Texts in the memory of Arrow's arrays: tasks/kinds/parquet.py reads them, tasks/records.py documents their meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "names.hpp"
#include "streams.hpp"

namespace rouge {

// A buffer of bits; without one, all are set.
struct Validity {
    const std::uint8_t* bits = nullptr;
    bool at(std::size_t place) const { return bits == nullptr || (bits[place / 8] >> (place % 8) & 1) != 0; }
};

// Places where values begin, of 32 or 64 bits.
struct Offsets {
    const void* places = nullptr;
    bool are_long = false;

    std::size_t at(std::size_t place) const {
        if (are_long) return static_cast<std::size_t>(static_cast<const std::int64_t*>(places)[place]);
        return static_cast<std::size_t>(static_cast<const std::int32_t*>(places)[place]);
    }
};

// An array of strings.
struct StringArray {
    Validity validity;
    Offsets offsets;
    const char* bytes = nullptr;
    std::size_t start = 0;  // the first value's place in the buffers

    bool read(std::size_t place, std::string_view& text) const {
        place += start;
        if (!validity.at(place)) return false;
        const std::size_t begin = offsets.at(place), end = offsets.at(place + 1);
        text = begin == end ? std::string_view() : std::string_view(bytes + begin, end - begin);
        return true;
    }
};

// A column of texts, perhaps by their places in a dictionary, perhaps in lists.
struct TextColumn {
    StringArray strings;  // the texts, or the dictionary
    bool has_dictionary = false, has_lists = false;
    Validity index_validity, list_validity;
    const std::int32_t* indices = nullptr;
    std::size_t index_start = 0, list_start = 0;
    Offsets list_offsets;

    // Adds the texts of a row; false if one is missing.
    bool read(std::size_t row, std::vector<std::string_view>& texts) const {
        if (!has_lists) return add(row, texts);
        row += list_start;
        if (!list_validity.at(row)) return false;
        for (std::size_t place = list_offsets.at(row); place < list_offsets.at(row + 1); ++place) {
            if (!add(place, texts)) return false;
        }
        return true;
    }

private:
    bool add(std::size_t place, std::vector<std::string_view>& texts) const {
        std::string_view text;
        if (has_dictionary) {
            place += index_start;
            if (!index_validity.at(place)) return false;
            place = static_cast<std::size_t>(indices[place]);
        }
        if (!strings.read(place, text)) return false;
        texts.push_back(text);
        return true;
    }
};

// Columns of a batch of records: ID and system, if there are any, the prediction, and the references.
struct TextColumns {
    std::vector<TextColumn> names;  // one text each: the ID if there is one, then the system
    bool have_ids = false, have_systems = false;
    TextColumn prediction;
    std::vector<TextColumn> references;

    // Reads rows up to one in which a text is missing, or which has no reference; returns its place. number: that of the
    // first row of the columns.
    std::size_t read(std::size_t row, std::size_t rows, std::size_t number, Names& systems, PlainTexts& texts) const {
        std::vector<std::string_view> values;
        texts.have_ids = have_ids;
        for (; row < rows; ++row) {
            values.clear();
            for (const TextColumn& column : names) {
                if (!column.read(row, values)) return row;
            }
            if (!prediction.read(row, values)) return row;
            const std::size_t before = values.size();
            for (const TextColumn& column : references) {
                if (!column.read(row, values)) return row;
            }
            if (values.size() == before) return row;
            for (std::size_t place = 0; place < values.size(); ++place) {
                if (have_systems && place == static_cast<std::size_t>(have_ids)) {
                    texts.systems.push_back(systems.number(values[place]));
                } else {
                    texts.add(values[place]);
                }
            }
            texts.end(number + row);
        }
        return row;
    }
};

}  // namespace rouge
