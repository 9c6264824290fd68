// The Porter stemmers of ROUGE-1.5.5 and of nltk: the twins of text/porter.py, which lists their differences from Porter's paper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tokens.hpp"

namespace rouge {

// A suffix of at most eight letters as one number, the last one highest, and the bits that they take.
struct Suffix {
    std::uint64_t letters = 0, bits = 0;
    std::size_t size;

    template <std::size_t SIZE>
    constexpr Suffix(const char (&text)[SIZE]) : size(SIZE - 1) {
        for (char letter : std::string_view(text, size)) letters = letters >> 8 | std::uint64_t(letter) << 56;
        bits = ~std::uint64_t(0) << (64 - 8 * size);
    }
};

// The stemmer of text/porter.py.
class Stemmer {
public:
    explicit Stemmer(std::string word) : word_(std::move(word)) { change(word_.size()); }
    virtual ~Stemmer() = default;

    std::string stem() {
        if (word_.size() < 3) return word_;
        plural();
        past_or_progressive();
        if (ends("y") && has_vowel(word_.size() - 1)) change(word_.size() - 1, "i");
        static constexpr Rule SECOND[] = {
            {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},   {"izer", "ize"},
            {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},   {"eli", "e"},       {"ousli", "ous"},
            {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"},
            {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"},
            {"logi", "log"}};
        static constexpr Rule THIRD[] = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                                         {"ical", "ic"},  {"ful", ""},   {"ness", ""}};
        static constexpr Rule FOURTH[] = {{"al", ""},   {"ance", ""}, {"ence", ""},  {"er", ""}, {"ic", ""},  {"able", ""},
                                          {"ible", ""}, {"ant", ""},  {"ement", ""}, {"ou", ""}, {"ism", ""}, {"ate", ""},
                                          {"iti", ""},  {"ous", ""},  {"ive", ""},   {"ize", ""}};
        static constexpr Rule MENT[] = {{"ment", ""}}, ENT[] = {{"ent", ""}}, ION[] = {{"ion", ""}};
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

protected:
    struct Rule {
        Suffix suffix;
        std::string_view instead;
    };

    bool ends(const Suffix& suffix) const { return (end_ & suffix.bits) == suffix.letters; }

    // Keeps the first letters of the word, and appends others.
    void change(std::size_t kept, std::string_view others = {}) {
        word_.resize(kept);
        word_.append(others);
        const std::size_t size = std::min<std::size_t>(kept + others.size(), 8);
        end_ = eight(word_.data() + word_.size() - size, size) << (8 * (8 - size) % 64);
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

    // The first vowel may be a y, unless it is the first letter.
    bool has_vowel(std::size_t size) const { return word_.find_first_of("aeiou") < size || word_.find('y', 1) < size; }

    // Consonants, one vowel and one consonant in all, the last not w, x or y.
    bool ends_cvc(std::size_t size) const {
        constexpr std::string_view NOT_LAST = "wxy";
        return size >= 3 && NOT_LAST.find(word_[size - 1]) == NOT_LAST.npos && !has_vowel(size - 2) && measure(size) == 1;
    }

    // Applies the rule of the longest suffix, if the measure of the rest is large enough. False if no rule has a suffix.
    template <std::size_t N>
    bool replace(const Rule (&rules)[N], int least) {
        const Rule* longest = nullptr;
        for (const Rule& rule : rules) {
            if (ends(rule.suffix) && (longest == nullptr || rule.suffix.size > longest->suffix.size)) longest = &rule;
        }
        if (longest == nullptr) return false;
        const std::size_t left = word_.size() - longest->suffix.size;
        if (measure(left) >= least) change(left, longest->instead);
        return true;
    }

    void plural() {
        const bool is_plural = ends("s") && !ends("ss");
        change(word_.size() - (ends("sses") || ends("ies") ? 2 : is_plural));
    }

    void past_or_progressive() {
        if (ends("eed")) return change(word_.size() - (measure(word_.size() - 3) > 0));
        const std::size_t suffix = ends("ed") ? 2 : ends("ing") ? 3 : 0;
        if (suffix == 0 || !has_vowel(word_.size() - suffix)) return;
        change(word_.size() - suffix);
        repair();
    }

    virtual void repair() {
        const std::size_t size = word_.size();
        if (ends("at") || ends("bl") || ends("iz")) {
            change(size, "e");
        } else if (size > 1 && word_[size - 1] == word_[size - 2] && std::string_view("aeiouylsz").find(word_[size - 1]) == std::string_view::npos) {
            change(size - 1);
        } else if (ends_cvc(size)) {
            change(size, "e");
        }
    }

    void final_e() {
        if (ends("e")) {
            const std::size_t left = word_.size() - 1;
            const int runs = measure(left);
            if (runs > 1 || (runs == 1 && !ends_cvc(left))) change(left);
        }
        if (ends("ll") && measure(word_.size()) > 1) change(word_.size() - 1);
    }

    std::string word_;
    std::uint64_t end_;  // the last eight letters, as of a suffix; zeros before a shorter word
};

// The stemmer of nltk, of words in ASCII.
class NltkStemmer : public Stemmer {
public:
    using Stemmer::Stemmer;

    std::string stem() {
        struct Fixed {
            std::string_view word, stem;
        };
        static constexpr Fixed FIXED[] = {
            {"sky", "sky"},         {"skies", "sky"},         {"dying", "die"},     {"lying", "lie"},       {"tying", "tie"},
            {"news", "news"},       {"inning", "inning"},     {"innings", "inning"}, {"outing", "outing"},  {"outings", "outing"},
            {"canning", "canning"}, {"cannings", "canning"},  {"howe", "howe"},     {"proceed", "proceed"}, {"exceed", "exceed"},
            {"succeed", "succeed"}};
        static constexpr Rule SECOND[] = {
            {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},   {"izer", "ize"},
            {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},   {"eli", "e"},       {"ousli", "ous"},
            {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"},
            {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"},
            {"fulli", "ful"}};
        static constexpr Rule THIRD[] = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                                         {"ical", "ic"},  {"ful", ""},   {"ness", ""}};
        static constexpr Rule FOURTH[] = {{"al", ""},   {"ance", ""}, {"ence", ""},  {"er", ""},   {"ic", ""},   {"able", ""}, {"ible", ""},
                                          {"ant", ""},  {"ement", ""}, {"ou", ""},   {"ism", ""},  {"ate", ""},  {"iti", ""},  {"ous", ""},
                                          {"ive", ""},  {"ize", ""},   {"ment", ""}, {"ent", ""},  {"ion", ""}};
        for (const Fixed& fixed : FIXED) {
            if (word_ == fixed.word) return std::string(fixed.stem);
        }
        if (word_.size() <= 2) return word_;
        if (word_.size() == 4 && ends("ies")) {
            change(3);
        } else {
            plural();
        }
        if (ends("ied")) {
            change(word_.size() - (word_.size() == 4 ? 1 : 2));
        } else {
            past_or_progressive();
        }
        if (ends("y") && word_.size() > 2 && shape()[word_.size() - 2] == 'c') change(word_.size() - 1, "i");
        while (ends("alli") && measure(word_.size() - 4) > 0) change(word_.size() - 2);
        if (!replace(SECOND, 1) && ends("logi") && measure(word_.size() - 3) > 0) change(word_.size() - 1);
        replace(THIRD, 1);
        if (!ends("ion") || ends("sion") || ends("tion")) replace(FOURTH, 2);
        if (word_.size() != 3 || !ends("e") || shape() != "vcv") final_e();
        return word_;
    }

private:
    // v for each vowel, c for any other letter.
    std::string shape() const {
        std::string letters;
        for (char letter : word_) letters += vowel(letter, !letters.empty() && letters.back() == 'c') ? 'v' : 'c';
        return letters;
    }

    void repair() override {
        const std::size_t size = word_.size();
        if (ends("yy") && shape().back() == 'c') {
            change(size - 1);
        } else if (size == 2 && shape() == "vc") {
            change(size, "e");
        } else {
            Stemmer::repair();
        }
    }
};

inline std::string nltk_stem(std::string_view word) { return NltkStemmer(std::string(word)).stem(); }

inline std::string porter_stem(std::string_view word) { return Stemmer(std::string(word)).stem(); }

}  // namespace rouge
