// The texts of evals that cross from files into a program without Python: the inside of PackedTasks, tasks/streams.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "strings.hpp"

namespace rouge {

// Where a record was read: the number of its file, and its line.
struct Origin {
    std::uint32_t file;
    std::size_t line;
};

// Values, one after the other: of each eval its ID, if evals have one, its predictions' texts, and its references'.
struct PlainTexts {
    std::size_t predictions = 1;
    bool have_ids = false;
    std::vector<std::size_t> lines;        // where each eval begins
    std::vector<std::uint32_t> systems;    // the number of each record's system, if records name theirs
    std::vector<Origin> origins;           // of each eval, then of each of its predictions; empty if all are in its line

    // The place of an eval's first value; for the end, the number of values.
    std::size_t first(std::size_t place) const { return place == 0 ? 0 : nexts_[place - 1]; }

    std::string_view value(std::size_t place) const {
        const std::size_t start = place == 0 ? 0 : ends_[place - 1];
        return std::string_view(values_).substr(start, ends_[place] - start);
    }

    std::size_t bytes() const { return values_.size(); }
    std::string_view id(std::size_t place) const { return value(first(place)); }
    std::string_view prediction(std::size_t place, std::size_t number) const { return value(first(place) + have_ids + number); }
    std::string_view reference(std::size_t place, std::size_t number) const {
        return value(first(place) + have_ids + predictions + number);
    }
    std::size_t references(std::size_t place) const { return first(place + 1) - first(place) - have_ids - predictions; }

    void add(std::string_view text) {
        values_ += text;
        ends_.push_back(values_.size());
    }

    // Takes memory for so many more parts, each somewhat bigger than what is here.
    void reserve(std::size_t parts) {
        if (parts == 0) return;
        parts += parts / 8 + 1;
        values_.reserve(values_.size() * parts);
        ends_.reserve(ends_.size() * parts);
        nexts_.reserve(nexts_.size() * parts);
        lines.reserve(lines.size() * parts);
    }

    // Adds evals of strings, given how many strings there are up to the end of each.
    void add(const std::vector<Characters>& strings, const std::vector<std::size_t>& ends) {
        std::size_t next = 0;
        for (std::size_t last : ends) {
            for (; next < last; ++next) {
                strings[next].append_to(values_, false);
                ends_.push_back(values_.size());
            }
            end(lines.size() + 1);
        }
    }

    // The evals from one place to another.
    PlainTexts part(std::size_t start, std::size_t end) const {
        PlainTexts some;
        some.predictions = predictions;
        some.have_ids = have_ids;
        for (std::size_t place = start; place < end; ++place) {
            for (std::size_t number = first(place); number < first(place + 1); ++number) some.add(value(number));
            some.end(lines[place]);
        }
        if (!systems.empty()) some.systems.assign(systems.begin() + start, systems.begin() + end);
        if (!origins.empty()) some.origins.assign(origins.begin() + start * (1 + predictions), origins.begin() + end * (1 + predictions));
        return some;
    }

    // Whether others have the same eval in the same place: line, ID and references.
    bool is_same(std::size_t place, const PlainTexts& others) const {
        if (lines[place] != others.lines[place] || (have_ids && id(place) != others.id(place))) return false;
        return has_references_of(place, others, place);
    }

    // Whether an eval has the same references as one of others.
    bool has_references_of(std::size_t place, const PlainTexts& others, std::size_t other) const {
        std::size_t number = references(place);
        if (number != others.references(other)) return false;
        while (number > 0 && reference(place, number - 1) == others.reference(other, number - 1)) --number;
        return number == 0;
    }

    // Frees the texts. A string that gets an empty one's value would keep its memory.
    void clear() {
        std::string().swap(values_);
        *this = PlainTexts();
    }

    // Ends an eval, all of whose values have been added.
    void end(std::size_t line) {
        nexts_.push_back(ends_.size());
        lines.push_back(line);
    }

private:
    std::string values_;
    std::vector<std::size_t> ends_;   // of each value
    std::vector<std::size_t> nexts_;  // of each eval the place of the next one's first value
};

// The first evals of several systems, each of which has its own texts, joined up to one that is not the same for all.
// Without IDs, evals have their numbers, from `number` on.
inline PlainTexts joined(const std::vector<const PlainTexts*>& systems, std::size_t number) {
    const PlainTexts& first = *systems[0];
    PlainTexts texts;
    texts.predictions = systems.size();
    texts.have_ids = true;
    for (std::size_t place = 0; place < first.lines.size(); ++place) {
        const bool are_same = std::all_of(systems.begin() + 1, systems.end(), [&](const PlainTexts* system) {
            return place < system->lines.size() && first.is_same(place, *system);
        });
        if (!are_same) break;
        texts.add(first.have_ids ? first.id(place) : std::string_view(std::to_string(number + place)));
        for (const PlainTexts* system : systems) texts.add(system->prediction(place, 0));
        for (std::size_t reference = 0; reference < first.references(place); ++reference) texts.add(first.reference(place, reference));
        texts.end(first.lines[place]);
    }
    return texts;
}

}  // namespace rouge
