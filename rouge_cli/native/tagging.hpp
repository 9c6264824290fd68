// Transformations of tags by neighbouring words: the twin of the rules in text/tagging.py.
#pragma once

#include <algorithm>
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

    bool has(std::int32_t value) const {
        return value >= 0 && static_cast<std::size_t>(value) < values.size() && values[static_cast<std::size_t>(value)];
    }
};

struct TagRule {
    std::int32_t old_tag, tag;
    std::vector<TagCondition> conditions;
    std::size_t requirement;  // what the lexicon must say of the word, as a place in `met`
};

// A word by itself: its likeliest tag, its number (negative if no rule mentions it), and which requirements it meets.
struct WordTags {
    std::int32_t tag, word;
    std::vector<char> met;
};

// The words of a sentence, and of what is around it.
class TaggedWords {
public:
    void add(const WordTags* word) {
        words_.push_back(word);
        tags.push_back(word->tag);
    }

    void correct(const std::vector<TagRule>& rules) {
        for (const TagRule& rule : rules) {
            changed_.clear();
            for (std::size_t at = 0; at < tags.size(); ++at) {
                if (tags[at] == rule.old_tag && is_changed(rule, at)) changed_.push_back(at);
            }
            for (std::size_t at : changed_) tags[at] = rule.tag;
        }
    }

    std::vector<std::int32_t> tags;

private:
    bool is_changed(const TagRule& rule, std::size_t at) const {
        const auto holds = [&](const TagCondition& condition) { return matches(condition, at) == condition.must_match; };
        return words_[at]->met.at(rule.requirement) && std::all_of(rule.conditions.begin(), rule.conditions.end(), holds);
    }

    bool matches(const TagCondition& condition, std::size_t at) const {
        for (std::int64_t place : condition.places) {
            const std::size_t there = at + static_cast<std::size_t>(place);  // wraps before the first word
            if (there < tags.size() && (condition.has(tags[there]) || condition.has(words_[there]->word))) return true;
        }
        return false;
    }

    std::vector<const WordTags*> words_;
    std::vector<std::size_t> changed_;
};

}  // namespace rouge
