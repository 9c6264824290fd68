// Transformations of tags by neighbouring words: the twin of the rules in text/tagging.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rouge {

// Tags and words are numbers. Of `places`, counted from a word, one must have one of `values`, or none may.
struct TagCondition {
    std::vector<std::int64_t> places;
    std::vector<std::int32_t> values;
    bool must_match;
};

struct TagRule {
    std::int32_t old_tag, tag;
    std::vector<TagCondition> conditions;
};

// The words of sentences. A word that no rule mentions is negative.
struct TaggedWords {
    std::vector<std::int32_t> tags, words;

    // The positions of the words that the rule changes, if the lexicon does not object.
    std::vector<std::size_t> find(const TagRule& rule) const {
        std::vector<std::size_t> found;
        for (std::size_t at = 0; at < tags.size(); ++at) {
            if (tags[at] != rule.old_tag) continue;
            const auto holds = [&](const TagCondition& condition) { return matches(condition, at) == condition.must_match; };
            if (std::all_of(rule.conditions.begin(), rule.conditions.end(), holds)) found.push_back(at);
        }
        return found;
    }

private:
    bool matches(const TagCondition& condition, std::size_t at) const {
        for (std::int64_t place : condition.places) {
            const std::size_t there = at + static_cast<std::size_t>(place);  // wraps before the first word
            if (there >= tags.size()) continue;
            for (std::int32_t value : condition.values) {
                if (tags[there] == value || words[there] == value) return true;
            }
        }
        return false;
    }
};

}  // namespace rouge
