// Transformations of tags by neighbouring words: the twin of the rules in text/tagging.py.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rouge {

// Tags and words are numbers. Of `places`, counted from a word, one must have one of the values, or none may.
struct TagCondition {
    std::vector<std::int64_t> places;
    std::vector<char> values;  // by number: whether it is one of the values
    bool must_match;

    void add(std::int32_t value) {
        values.resize(std::max(values.size(), static_cast<std::size_t>(value) + 1));
        values[static_cast<std::size_t>(value)] = true;
    }

    // Negative numbers are too large.
    bool has(std::int32_t value) const { return static_cast<std::size_t>(value) < values.size() && values[static_cast<std::size_t>(value)]; }
};

struct TagRule {
    std::int32_t old_tag, tag;
    std::vector<TagCondition> conditions;
    std::size_t requirement;  // what the lexicon must say of the word, as a place in `met`
};

// A word by itself: its likeliest tag, its number (negative if no rule mentions it), and which requirements it meets.
struct WordTags {
    std::int32_t tag, word;
    std::bitset<64> met;
};

// The words of a sentence, and of what is around it.
class TaggedWords {
public:
    void add(const WordTags* word) {
        places_of(word->tag).push_back(words_.size());
        words_.push_back(word);
        tags.push_back(word->tag);
    }

    void correct(const std::vector<TagRule>& rules) {
        for (const TagRule& rule : rules) {
            std::vector<std::size_t>& places = places_of(rule.old_tag);
            const auto first = std::partition(places.begin(), places.end(), [&](std::size_t at) { return !is_changed(rule, at); });
            const std::vector<std::size_t> changed(first, places.end());
            places.erase(first, places.end());
            for (std::size_t at : changed) {
                tags[at] = rule.tag;
                places_of(rule.tag).push_back(at);
            }
        }
    }

    std::vector<std::int32_t> tags;

private:
    std::vector<std::size_t>& places_of(std::int32_t tag) {
        places_.resize(std::max(places_.size(), static_cast<std::size_t>(tag) + 1));
        return places_[static_cast<std::size_t>(tag)];
    }

    bool is_changed(const TagRule& rule, std::size_t at) const {
        const auto holds = [&](const TagCondition& condition) { return matches(condition, at) == condition.must_match; };
        return words_[at]->met.test(rule.requirement) && std::all_of(rule.conditions.begin(), rule.conditions.end(), holds);
    }

    bool matches(const TagCondition& condition, std::size_t at) const {
        for (std::int64_t place : condition.places) {
            const std::size_t there = at + static_cast<std::size_t>(place);  // wraps before the first word
            if (there < tags.size() && (condition.has(tags[there]) || condition.has(words_[there]->word))) return true;
        }
        return false;
    }

    std::vector<const WordTags*> words_;
    std::vector<std::vector<std::size_t>> places_;  // by tag
};

}  // namespace rouge
