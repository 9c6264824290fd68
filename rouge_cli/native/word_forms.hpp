// The counted forms of words in ROUGE-1.5.5: the twin of WordForms in dialects/rouge155/setup.py, and of its word lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "porter.hpp"
#include "tokens.hpp"

namespace rouge {

// Lines of a word, a tab and its value. Where they begin is found by the hash of the word, by open addressing.
struct WordList {
    std::string_view lines;
    const std::uint32_t* starts = nullptr;  // the size of all lines where none begins
    std::uint32_t mask = 0;

    // The place of a word in `starts`, or where it would be.
    std::uint32_t place(std::string_view word) const {
        std::uint32_t hash = 2166136261;  // FNV-1a, as setup.py hashes
        for (char byte : word) hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619;
        for (;; ++hash) {
            const std::uint32_t start = starts[hash & mask];
            if (start == lines.size()) return hash & mask;
            const std::string_view line = lines.substr(start);
            if (line.substr(0, word.size()) == word && line[word.size()] == '\t') return hash & mask;
        }
    }

    // The value of a word, which may be empty.
    std::optional<std::string_view> value_of(std::string_view word) const {
        if (starts == nullptr || word.find('\t') != word.npos) return std::nullopt;
        const std::uint32_t start = starts[place(word)];
        if (start == lines.size()) return std::nullopt;
        const std::string_view rest = lines.substr(start + word.size() + 1);
        return rest.substr(0, rest.find('\n'));
    }
};

// A word list that is read at run time. Each line has a tab and an end; of lines with the same word, the last counts.
class OwnWordList {
public:
    explicit OwnWordList(std::string lines) : lines_(std::move(lines)) {
        std::size_t number = 0;
        for (char byte : lines_) number += byte == '\n';
        std::size_t slots = 1;
        while (slots < 2 * number + 1) slots *= 2;
        starts_.assign(slots, static_cast<std::uint32_t>(lines_.size()));
        for (std::size_t start = 0; start < lines_.size(); start = lines_.find('\n', start) + 1) {
            const std::string_view line = std::string_view(lines_).substr(start);
            starts_[list().place(line.substr(0, line.find('\t')))] = static_cast<std::uint32_t>(start);
        }
    }

    WordList list() const { return {lines_, starts_.data(), static_cast<std::uint32_t>(starts_.size() - 1)}; }

private:
    std::string lines_;
    std::vector<std::uint32_t> starts_;
};

// The rules for a word's form: stop words are dropped; tokens of fewer than `shortest` bytes stay, an irregular form has
// its base form, and any other token its stem. Or Python is asked for all forms. If only references have stems, a token's
// number is its own, and the vocabulary has the number of its stem.
struct FormRules {
    WordList stop_words, irregular_forms;
    bool stems;
    std::size_t shortest;
    bool stems_references = false;
    bool like_nltk = false;  // stems are nltk's, of words in ASCII
};

// The numbers of a vocabulary's raw tokens, by their counted forms.
class WordForms {
public:
    // The vocabulary asks this object, so that neither can be moved.
    WordForms(const FormRules& rules, Vocabulary& vocabulary) : rules_(rules), vocabulary_(vocabulary) {
        vocabulary.set_look_up(look_up, this);
    }
    WordForms(const WordForms&) = delete;
    WordForms& operator=(const WordForms&) = delete;

    std::size_t size() const { return static_cast<std::size_t>(next_); }

private:
    static Id look_up(void* owner, const char* bytes, std::size_t size) {
        return static_cast<WordForms*>(owner)->number(std::string_view(bytes, size));
    }

    Id number(std::string_view raw) {
        if (rules_.stop_words.value_of(raw).has_value()) return Vocabulary::DROPPED;
        const bool asks = vocabulary_.reading().asks[FORM];
        if (!rules_.stems && !asks) return next_++;  // each raw token is looked up once
        std::string form(raw);
        if (asks) {
            Answers answers = vocabulary_.ask(FORM, raw);
            if (answers.empty()) return Vocabulary::DROPPED;
            form = std::move(answers[0]);
        } else if (rules_.like_nltk && raw.size() >= rules_.shortest) {
            form = nltk_stem(raw);
        } else if (raw.size() >= rules_.shortest) {
            const std::optional<std::string_view> base = rules_.irregular_forms.value_of(raw);
            form = base.has_value() ? std::string(*base) : porter_stem(raw);
        }
        const Id stem = number_of_form(form);
        if (!rules_.stems_references) return stem;
        const Id own = number_of_form(raw);
        vocabulary_.set_stem(own, stem);
        return own;
    }

    Id number_of_form(std::string_view form) {
        const Token token = token_of(form);
        const Id known = numbers_.find(token);
        if (known != Known::UNKNOWN) return known;
        numbers_.add(token, next_);
        return next_++;
    }

    const FormRules rules_;
    Vocabulary& vocabulary_;
    Known numbers_;  // of forms
    Id next_ = 0;
};

}  // namespace rouge
