// A part of speech of WordNet: the twin of `_Part` in data/wordnet.py.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rouge {

// The synsets are numbered in the order of their lines: words, with the count behind =, and behind a tab the distances of
// the synsets above.
class WordNetPart {
public:
    using Words = std::vector<std::string>;

    // exceptions: lines of an irregular form and its base forms. endings: those of regular forms, and what replaces them.
    WordNetPart(std::string synsets, std::string exceptions, std::vector<std::pair<std::string, std::string>> endings)
        : synsets_(std::move(synsets)), lower_(lowered(synsets_)), exceptions_(std::move(exceptions)), endings_(std::move(endings)) {
        const std::string_view all(synsets_);
        std::vector<std::pair<Number, Number>> steps;  // from a synset to one above it
        for (std::size_t start = 0, end; start < all.size(); start = end + 1) {
            end = std::min(all.find('\n', start), all.size());
            const std::string_view line = all.substr(start, end - start), words = line.substr(0, line.find('\t'));
            const Number number = static_cast<Number>(words_.size());
            words_.push_back(words);
            for_each(std::string_view(lower_).substr(start, words.size()), [&](std::string_view field) { senses_.push_back({word_of(field), number, NONE}); });
            for_each(line.substr(std::min(words.size() + 1, line.size())), [&](std::string_view distance) {
                if (!distance.empty()) steps.emplace_back(number, number + static_cast<Number>(number_in(distance)));
            });
        }
        std::size_t slots = 1;
        while (slots < 2 * senses_.size()) slots *= 2;
        first_.assign(slots, NONE);
        for (std::size_t at = senses_.size(); at-- > 0;) senses_[at].next = std::exchange(first_[slot_of(senses_[at].word)], static_cast<Number>(at));
        first_step_.assign(words_.size(), NONE);
        const auto add = [&](Number& first, Number other) { steps_.push_back({other, std::exchange(first, static_cast<Number>(steps_.size()))}); };
        for (const auto& [number, above] : steps) {
            add(first_step_.at(above), number);
            add(first_step_[number], above);
        }
        const std::string_view irregular(exceptions_);
        for (std::size_t start = 0, end; start < irregular.size(); start = end + 1) {
            end = std::min(irregular.find('\n', start), irregular.size());
            std::vector<std::string_view> words;
            for_each(irregular.substr(start, end - start), [&](std::string_view word) { words.push_back(word); });
            irregular_[words[0]].assign(words.begin() + 1, words.end());  // as the last line of a form counts
        }
    }

    WordNetPart(const WordNetPart&) = delete;  // which views of its lines would not survive

    // The base forms of a word: itself, and irregular forms or else forms by ending.
    Words bases(std::string_view word) const {
        Words found;
        const auto add = [&](std::string_view base) {
            if (has(base) && std::find(found.begin(), found.end(), base) == found.end()) found.emplace_back(base);
        };
        add(word);
        const auto irregular = irregular_.find(word);
        if (irregular != irregular_.end() && !irregular->second.empty()) {
            std::for_each(irregular->second.begin(), irregular->second.end(), add);
        } else if (word.size() > 2 && !ends_with(word, "ss")) {
            for (const auto& [ending, base] : endings_) {
                if (ends_with(word, ending)) add(std::string(word.substr(0, word.size() - ending.size())) += base);
            }
        }
        return found;
    }

    // How often a base form was tagged in all senses: in each the spelling that was tagged most.
    std::int64_t count(std::string_view word) const {
        std::int64_t sum = 0, most = 0;
        Number synset = NONE;
        each_sense(word, [&](const Sense& sense) {
            if (std::exchange(synset, sense.synset) != sense.synset) sum += std::exchange(most, 0);
            const std::size_t end = offset(sense) + word.size();
            if (end < synsets_.size() && synsets_[end] == '=') most = std::max(most, number_in(std::string_view(synsets_).substr(end + 1)));
        });
        return sum + most;
    }

    // True if the word has a capital in all its senses.
    bool is_name(std::string_view word) const {
        bool is_common = false;
        each_sense(word, [&](const Sense& sense) { is_common = is_common || synsets_.compare(offset(sense), word.size(), word) == 0; });
        return has(word) && !is_common;
    }

    // The single words of the word's synsets, and of those one step above or below, that were tagged so often in one of them.
    Words near(std::string_view word, std::int64_t least) const {
        Words found;
        each_tagged(beside(synsets(word)), least, [&](std::string_view form) {
            if (form.find('_') == std::string_view::npos) found.push_back(lowered(form));
        });
        return found;
    }

    // The synonyms of ROUGE 2.0. part: the letter of this part of speech.
    Words by_program(std::string_view word, char part) const {
        Words found;
        const auto add = [&](std::string_view form) { found.emplace_back(form); };
        Numbers of_word = synsets(word);
        if (part == 'n') {
            each_tagged(beside(of_word), 1, add);
        } else if (part == 'v') {
            const Numbers near = beside(common(of_word));
            of_word.insert(of_word.end(), near.begin(), near.end());
            each_tagged(common(of_word), 0, add);
        } else {
            const Numbers first = similar(common(of_word));
            each_tagged(first, 0, add);
            each_tagged(similar(first), 1, add);
        }
        return found;
    }

private:
    using Number = std::uint32_t;
    using Numbers = std::vector<Number>;
    static constexpr Number NONE = ~Number(0);
    static constexpr std::int64_t FIRST_WORD = 4;  // `_FIRST_WORD` of data/wordnet.py

    // A word in lower case of a synset, and the next of the senses that share its slot.
    struct Sense {
        std::string_view word;
        Number synset, next;
    };

    // A synset one step above or below another, and the next of these.
    struct Step {
        Number other, next;
    };

    Numbers synsets(std::string_view word) const {
        Numbers found;
        for (const std::string& base : bases(word)) each_sense(base, [&](const Sense& sense) { found.push_back(sense.synset); });
        return found;
    }

    // The synsets, and those one step above or below, with repeats.
    Numbers beside(const Numbers& synsets) const {
        Numbers found = synsets;
        for (Number synset : synsets) each_step(synset, [&](Number other) { found.push_back(other); });
        return found;
    }

    // Those one step from one of the synsets, each once.
    Numbers similar(const Numbers& synsets) const {
        Numbers found;
        for (Number synset : synsets) each_step(synset, [&](Number other) { if (other != synset) found.push_back(other); });
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    Numbers common(const Numbers& synsets) const {
        Numbers found;
        for (Number synset : synsets) {
            std::int64_t first = -1;
            each_word(synset, [&](std::string_view, std::int64_t times) { first = first < 0 ? times : first; });
            if (first >= FIRST_WORD) found.push_back(synset);
        }
        return found;
    }

    template <class Visit>
    void each_tagged(const Numbers& synsets, std::int64_t least, Visit visit) const {
        for (Number synset : synsets) each_word(synset, [&](std::string_view form, std::int64_t times) { if (times >= least) visit(form); });
    }

    static std::string lowered(std::string_view text) {
        std::string lower(text);
        for (char& byte : lower) byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
        return lower;
    }

    static bool ends_with(std::string_view word, std::string_view ending) {
        return word.size() >= ending.size() && word.substr(word.size() - ending.size()) == ending;
    }

    // What stands between spaces.
    template <class Visit>
    static void for_each(std::string_view fields, Visit visit) {
        for (std::size_t end = 0; end != std::string_view::npos; fields.remove_prefix(std::min(fields.size(), end + 1))) {
            end = fields.find(' ');
            visit(fields.substr(0, end));
        }
    }

    static std::string_view word_of(std::string_view field) {
        const std::size_t equals = field.rfind('=');
        return equals == std::string_view::npos || equals == 0 ? field : field.substr(0, equals);
    }

    static std::int64_t number_in(std::string_view digits) {
        std::int64_t number = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return number;
    }

    template <class Visit>
    void each_word(Number synset, Visit visit) const {
        for_each(words_[synset], [&](std::string_view field) {
            const std::string_view word = word_of(field);
            visit(word, word.size() == field.size() ? 0 : number_in(field.substr(word.size() + 1)));
        });
    }

    // Visits the senses of a word in lower case; their synsets ascend.
    template <class Visit>
    void each_sense(std::string_view word, Visit visit) const {
        for (Number at = first_[slot_of(word)]; at != NONE; at = senses_[at].next) if (senses_[at].word == word) visit(senses_[at]);
    }

    template <class Visit>
    void each_step(Number synset, Visit visit) const {
        for (Number at = first_step_[synset]; at != NONE; at = steps_[at].next) visit(steps_[at].other);
    }

    bool has(std::string_view word) const {
        bool found = false;
        each_sense(word, [&](const Sense&) { found = true; });
        return found;
    }

    // Where the word is spelled as in the database.
    std::size_t offset(const Sense& sense) const { return static_cast<std::size_t>(sense.word.data() - lower_.data()); }

    std::size_t slot_of(std::string_view word) const { return std::hash<std::string_view>()(word) & (first_.size() - 1); }

    std::string synsets_, lower_, exceptions_;
    std::vector<std::pair<std::string, std::string>> endings_;
    std::vector<std::string_view> words_;  // of synsets, with the counts
    std::vector<Sense> senses_;
    std::vector<Number> first_;  // the first sense of words, by their hash
    std::vector<Step> steps_;
    std::vector<Number> first_step_;  // by synset
    std::unordered_map<std::string_view, std::vector<std::string_view>> irregular_;
};

}  // namespace rouge
