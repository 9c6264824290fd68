// From bytes to token ids, and the stemmer, compiled: text/tokens.py, text/vocabulary.py and text/porter.py say
// what is done and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace rouge {

// Raw token -> id, by open addressing; the tokens' bytes stand one after the other in one string.
class Known {
public:
    static constexpr std::int32_t UNKNOWN = -2;

    Known() : slots_(4096), mask_(4095) {}

    // The token's id, or UNKNOWN.
    std::int32_t find(std::string_view token) const { return slots_[place(token, hash(token))].id; }

    void add(std::string_view token, std::int32_t id) {
        if (size_ * 2 >= slots_.size()) grow();
        const std::uint64_t code = hash(token);
        slots_[place(token, code)] = {code, bytes_.size(), static_cast<std::uint32_t>(token.size()), id};
        bytes_.append(token);
        ++size_;
    }

private:
    struct Slot {
        std::uint64_t code = 0;
        std::size_t start = 0;
        std::uint32_t length = 0;
        std::int32_t id = UNKNOWN;
    };

    static std::uint64_t hash(std::string_view token) {
        std::uint64_t code = 14695981039346656037ULL;
        for (char byte : token) code = (code ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
        return code ^ code >> 32;
    }

    std::size_t place(std::string_view token, std::uint64_t code) const {
        std::size_t at = code & mask_;
        while (slots_[at].id != UNKNOWN && !(slots_[at].code == code && same(slots_[at], token))) at = (at + 1) & mask_;
        return at;
    }

    bool same(const Slot& slot, std::string_view token) const {
        return slot.length == token.size() && std::memcmp(bytes_.data() + slot.start, token.data(), token.size()) == 0;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.id == UNKNOWN) continue;
            std::size_t at = slot.code & mask_;
            while (slots_[at].id != UNKNOWN) at = (at + 1) & mask_;
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t mask_;
    std::size_t size_ = 0;
    std::string bytes_;
};

// The tokens of a text, one by one: runs of ASCII letters and digits, lower-cased.
class Tokens {
public:
    Tokens(const char* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {}

    bool next(std::string& token) {
        token.clear();
        while (at_ != end_ && clean(*at_) == 0) ++at_;
        for (; at_ != end_; ++at_) {
            const char byte = clean(*at_);
            if (byte == 0) break;
            token.push_back(byte);
        }
        return !token.empty();
    }

private:
    // What a byte is in a token; 0 where it separates.
    struct Table {
        char of[256] = {};
        constexpr Table() {
            for (int byte = 'a'; byte <= 'z'; ++byte) of[byte] = static_cast<char>(byte);
            for (int byte = '0'; byte <= '9'; ++byte) of[byte] = static_cast<char>(byte);
            for (int byte = 'A'; byte <= 'Z'; ++byte) of[byte] = static_cast<char>(byte - 'A' + 'a');
        }
    };

    static char clean(char byte) {
        static constexpr Table TABLE;
        return TABLE.of[static_cast<unsigned char>(byte)];
    }

    const char* at_;
    const char* end_;
};

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
        return word_.size() >= suffix.size() && word_.compare(word_.size() - suffix.size(), suffix.size(), suffix) == 0;
    }

    static bool is_aeiou(char letter) {
        return letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u';
    }

    // Whether the letter is a vowel, given whether the one before is a consonant (false at the start).
    static bool vowel(char letter, bool after_consonant) { return is_aeiou(letter) || (letter == 'y' && after_consonant); }

    // Porter's m of the first `size` letters.
    int measure(std::size_t size) const {
        int found = 0;
        bool consonant = false, was_vowel = false;
        for (std::size_t at = 0; at < size; ++at) {
            const bool is_vowel = vowel(word_[at], consonant);
            if (!is_vowel && was_vowel) ++found;
            was_vowel = is_vowel;
            consonant = !is_vowel;
        }
        return found;
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

    // The rule of the longest suffix, if what is left measures enough; else nothing.
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
            const int found = measure(left);
            if (found > 1 || (found == 1 && !ends_cvc(left))) word_.pop_back();
        }
        if (ends("ll") && measure(word_.size()) > 1) word_.pop_back();
    }

    std::string word_;
};

}  // namespace rouge
