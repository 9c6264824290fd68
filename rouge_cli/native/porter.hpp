// ROUGE-1.5.5's Porter stemmer: the twin of text/porter.py, which lists its differences from Porter's paper.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace rouge {

// The stemmer of text/porter.py.
class Stemmer {
public:
    explicit Stemmer(std::string word) : word_(std::move(word)) {}

    std::string stem() {
        if (word_.size() < 3) return word_;
        plural();
        past_or_progressive();
        if (ends("y") && has_vowel(word_.size() - 1)) word_.back() = 'i';
        static const Rule SECOND[] = {
            {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},   {"izer", "ize"},
            {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},   {"eli", "e"},       {"ousli", "ous"},
            {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"},
            {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"},
            {"logi", "log"}};
        static const Rule THIRD[] = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                                     {"ical", "ic"},  {"ful", ""},   {"ness", ""}};
        static const Rule FOURTH[] = {{"al", ""},   {"ance", ""}, {"ence", ""},  {"er", ""}, {"ic", ""},  {"able", ""},
                                      {"ible", ""}, {"ant", ""},  {"ement", ""}, {"ou", ""}, {"ism", ""}, {"ate", ""},
                                      {"iti", ""},  {"ous", ""},  {"ive", ""},   {"ize", ""}};
        static const Rule MENT[] = {{"ment", ""}}, ENT[] = {{"ent", ""}}, ION[] = {{"ion", ""}};
        replace(SECOND, 1);
        replace(THIRD, 1);
        replace(FOURTH, 2);
        replace(MENT, 2);
        if (ends("ent")) {
            replace(ENT, 2);
        } else if (ends("sion") || ends("tion")) {
            replace(ION, 2);
        }
        final_e();
        return word_;
    }

private:
    struct Rule {
        std::string_view suffix;
        std::string_view instead;
    };

    bool ends(std::string_view suffix) const {
        return word_.size() >= suffix.size() && word_.back() == suffix.back() &&
               word_.compare(word_.size() - suffix.size(), suffix.size(), suffix) == 0;
    }

    static bool is_aeiou(char letter) {
        return letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u';
    }

    // True for a vowel, given whether the letter before is a consonant (false at the start).
    static bool vowel(char letter, bool after_consonant) { return is_aeiou(letter) || (letter == 'y' && after_consonant); }

    // Porter's m of the first `size` letters.
    int measure(std::size_t size) const {
        int runs = 0;
        bool consonant = false, was_vowel = false;
        for (std::size_t at = 0; at < size; ++at) {
            const bool is_vowel = vowel(word_[at], consonant);
            if (!is_vowel && was_vowel) ++runs;
            was_vowel = is_vowel;
            consonant = !is_vowel;
        }
        return runs;
    }

    bool has_vowel(std::size_t size) const {
        bool consonant = false;
        for (std::size_t at = 0; at < size; ++at) {
            if (vowel(word_[at], consonant)) return true;
            consonant = true;
        }
        return false;
    }

    // Consonants, one vowel and one consonant in all, the last not w, x or y.
    bool ends_cvc(std::size_t size) const {
        if (size < 3) return false;
        const char last = word_[size - 1];
        if (last == 'w' || last == 'x' || last == 'y') return false;
        bool consonant = false;
        for (std::size_t at = 0; at < size; ++at) {
            const bool is_vowel = vowel(word_[at], consonant);
            if (is_vowel != (at == size - 2)) return false;
            consonant = !is_vowel;
        }
        return true;
    }

    // Applies the rule of the longest suffix, if the measure of the rest is large enough.
    template <std::size_t N>
    void replace(const Rule (&rules)[N], int least) {
        const Rule* longest = nullptr;
        for (const Rule& rule : rules) {
            if (ends(rule.suffix) && (longest == nullptr || rule.suffix.size() > longest->suffix.size())) longest = &rule;
        }
        if (longest == nullptr) return;
        const std::size_t left = word_.size() - longest->suffix.size();
        if (measure(left) >= least) {
            word_.resize(left);
            word_.append(longest->instead);
        }
    }

    void plural() {
        if (ends("sses") || ends("ies")) {
            word_.resize(word_.size() - 2);
        } else if (ends("s") && !ends("ss")) {
            word_.pop_back();
        }
    }

    void past_or_progressive() {
        if (ends("eed")) {
            if (measure(word_.size() - 3) > 0) word_.pop_back();
            return;
        }
        const std::size_t suffix = ends("ed") ? 2 : ends("ing") ? 3 : 0;
        if (suffix == 0 || !has_vowel(word_.size() - suffix)) return;
        word_.resize(word_.size() - suffix);
        repair();
    }

    void repair() {
        const std::size_t size = word_.size();
        if (ends("at") || ends("bl") || ends("iz")) {
            word_.push_back('e');
        } else if (size > 1 && word_[size - 1] == word_[size - 2] && std::string_view("aeiouylsz").find(word_[size - 1]) == std::string_view::npos) {
            word_.pop_back();
        } else if (ends_cvc(size)) {
            word_.push_back('e');
        }
    }

    void final_e() {
        if (ends("e")) {
            const std::size_t left = word_.size() - 1;
            const int runs = measure(left);
            if (runs > 1 || (runs == 1 && !ends_cvc(left))) word_.pop_back();
        }
        if (ends("ll") && measure(word_.size()) > 1) word_.pop_back();
    }

    std::string word_;
};

inline std::string porter_stem(std::string_view word) { return Stemmer(std::string(word)).stem(); }

}  // namespace rouge
