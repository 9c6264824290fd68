// A part of speech of WordNet: the twin of `_Part` in data/wordnet.py.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
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
        for (std::size_t start = 0, end; start < all.size(); start = end + 1) {
            end = std::min(all.find('\n', start), all.size());
            const std::string_view line = all.substr(start, end - start);
            const Number number = static_cast<Number>(lines_.size());
            lines_.push_back(line);
            for_each(std::string_view(lower_).substr(start, std::min(line.find('\t'), line.size())), [&](std::string_view field) {
                senses_.push_back({word_of(field), number, NONE});
            });
        }
        std::size_t slots = 1;
        while (slots < 2 * senses_.size()) slots *= 2;
        first_.assign(slots, NONE);
        for (std::size_t at = senses_.size(); at-- > 0;) senses_[at].next = std::exchange(first_[slot_of(senses_[at].word)], static_cast<Number>(at));
        below_.resize(lines_.size());
        for (Number number = 0; number < lines_.size(); ++number) {
            for (Number above : above_of(number)) below_.at(above).push_back(number);
        }
        const std::string_view irregular(exceptions_);
        for (std::size_t start = 0, end; start < irregular.size(); start = end + 1) {
            end = std::min(irregular.find('\n', start), irregular.size());
            std::vector<std::string_view>* bases = nullptr;
            for_each(irregular.substr(start, end - start), [&](std::string_view word) {
                if (bases == nullptr) {
                    bases = &irregular_[word];
                    bases->clear();  // as the last line of a form counts
                } else {
                    bases->push_back(word);
                }
            });
        }
    }

    WordNetPart(const WordNetPart&) = delete;  // which views of its lines would not survive

    // The base forms of a word: itself, and irregular forms or else forms by ending.
    Words bases(const std::string& word) const {
        Words found, others{word};
        const auto irregular = irregular_.find(word);
        if (irregular != irregular_.end() && !irregular->second.empty()) {
            others.insert(others.end(), irregular->second.begin(), irregular->second.end());
        } else if (word.size() > 2 && !ends_with(word, "ss")) {
            for (const auto& [ending, base] : endings_) {
                if (ends_with(word, ending)) others.push_back(word.substr(0, word.size() - ending.size()) + base);
            }
        }
        for (std::string& base : others) {
            if (has(base) && std::find(found.begin(), found.end(), base) == found.end()) found.push_back(std::move(base));
        }
        return found;
    }

    // How often a base form was tagged in all senses: in each the spelling that was tagged most.
    std::int64_t count(std::string_view word) const {
        std::int64_t sum = 0;
        Numbers senses = senses_of(word);
        senses.erase(std::unique(senses.begin(), senses.end()), senses.end());  // they ascend
        for (Number synset : senses) {
            std::int64_t most = 0;
            each_word(synset, [&](std::string_view form, std::int64_t times) { if (lowered(form) == word) most = std::max(most, times); });
            sum += most;
        }
        return sum;
    }

    // True if the word has a capital in all its senses.
    bool is_name(std::string_view word) const {
        bool is_common = false;
        const Numbers senses = senses_of(word);
        for (Number synset : senses) each_word(synset, [&](std::string_view form, std::int64_t) { is_common = is_common || form == word; });
        return !senses.empty() && !is_common;
    }

    // The single words of the word's synsets, and of those one step above or below, that were tagged so often in one of them.
    Words near(const std::string& word, std::int64_t least) const {
        Words found;
        each_tagged(beside(synsets(word)), least, [&](std::string_view form) {
            if (form.find('_') == std::string_view::npos) found.push_back(lowered(form));
        });
        return found;
    }

    // The synonyms of ROUGE 2.0. part: the letter of this part of speech.
    Words by_program(const std::string& word, char part) const {
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

    Numbers synsets(const std::string& word) const {
        Numbers found;
        for (const std::string& base : bases(word)) {
            const Numbers senses = senses_of(base);
            found.insert(found.end(), senses.begin(), senses.end());
        }
        return found;
    }

    // The synsets, and those one step above or below, with repeats.
    Numbers beside(const Numbers& synsets) const {
        Numbers found = synsets;
        for (Number synset : synsets) {
            const Numbers above = above_of(synset);
            found.insert(found.end(), above.begin(), above.end());
            found.insert(found.end(), below_[synset].begin(), below_[synset].end());
        }
        return found;
    }

    // Those one step from one of the synsets, each once.
    Numbers similar(const Numbers& synsets) const {
        Numbers found;
        for (Number synset : synsets) {
            const Numbers near = beside({synset});
            std::copy_if(near.begin(), near.end(), std::back_inserter(found), [&](Number other) { return other != synset; });
        }
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
        const std::string_view line = lines_[synset];
        for_each(line.substr(0, line.find('\t')), [&](std::string_view field) {
            const std::string_view word = word_of(field);
            visit(word, word.size() == field.size() ? 0 : number_in(field.substr(word.size() + 1)));
        });
    }

    Numbers above_of(Number synset) const {
        Numbers above;
        const std::size_t tab = lines_[synset].find('\t');
        if (tab == std::string_view::npos) return above;
        for_each(lines_[synset].substr(tab + 1), [&](std::string_view distance) {
            if (!distance.empty()) above.push_back(synset + static_cast<Number>(number_in(distance)));
        });
        return above;
    }

    // The synsets of a word in lower case, ascending.
    Numbers senses_of(std::string_view word) const {
        Numbers found;
        for (Number at = first_[slot_of(word)]; at != NONE; at = senses_[at].next) {
            if (senses_[at].word == word) found.push_back(senses_[at].synset);
        }
        return found;
    }

    bool has(std::string_view word) const {
        Number at = first_[slot_of(word)];
        while (at != NONE && senses_[at].word != word) at = senses_[at].next;
        return at != NONE;
    }

    std::size_t slot_of(std::string_view word) const { return std::hash<std::string_view>()(word) & (first_.size() - 1); }

    std::string synsets_, lower_, exceptions_;
    std::vector<std::pair<std::string, std::string>> endings_;
    std::vector<std::string_view> lines_;
    std::vector<Sense> senses_;
    std::vector<Number> first_;  // the first sense of words, by their hash
    std::vector<Numbers> below_;
    std::unordered_map<std::string_view, std::vector<std::string_view>> irregular_;
};

}  // namespace rouge
