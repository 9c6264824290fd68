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

// A raw token. It holds no byte 0, so its bytes in groups of eight, zeros behind the last, say all about it.
struct Token {
    std::string_view bytes;
    std::uint64_t first = 0;  // its first eight bytes
    std::uint64_t hash = 0;
};

// At most eight bytes as one number, the first byte lowest on every machine.
inline std::uint64_t eight(const char* bytes, std::size_t count = 8) {
    std::uint64_t found = 0;
    std::memcpy(&found, bytes, count);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    found = __builtin_bswap64(found);
#endif
    return found;
}

inline std::uint64_t hashed(std::uint64_t hash, std::uint64_t group) {
    hash = (hash ^ group) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 32;
}

// Raw token -> id, by open addressing; the tokens' bytes stand one after the other in one string.
class Known {
public:
    static constexpr std::int32_t UNKNOWN = -2;

    Known() : slots_(4096), mask_(4095) {}

    // The token's id, or UNKNOWN.
    std::int32_t find(const Token& token) const { return slots_[place(token)].id; }

    void add(const Token& token, std::int32_t id) {
        if (size_ * 2 >= slots_.size()) grow();
        slots_[place(token)] = {token.first, token.hash, bytes_.size(), static_cast<std::uint32_t>(token.bytes.size()), id};
        bytes_.append(token.bytes);
        ++size_;
    }

private:
    struct Slot {
        std::uint64_t first = 0;
        std::uint64_t hash = 0;
        std::size_t start = 0;
        std::uint32_t length = 0;
        std::int32_t id = UNKNOWN;
    };

    std::size_t place(const Token& token) const {
        std::size_t at = token.hash & mask_;
        while (slots_[at].id != UNKNOWN && !same(slots_[at], token)) at = (at + 1) & mask_;
        return at;
    }

    bool same(const Slot& slot, const Token& token) const {
        const std::size_t size = token.bytes.size();
        if (slot.first != token.first || slot.hash != token.hash || slot.length != size) return false;
        return size <= 8 || std::memcmp(bytes_.data() + slot.start + 8, token.bytes.data() + 8, size - 8) == 0;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.id == UNKNOWN) continue;
            std::size_t at = slot.hash & mask_;
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
    // Begin a text; its bytes are copied.
    void start(const char* bytes, std::size_t size) {
        clean_.resize(size + 8);
        for (std::size_t place = 0; place < size; ++place) clean_[place] = clean(bytes[place]);
        std::memset(clean_.data() + size, 0, 8);
        end_ = clean_.data() + size;
        read(clean_.data());
    }

    // Appends the ids of the tokens from here on that are known and not dropped; whether one is unknown, `here`.
    bool unknown(const Known& known, std::vector<std::int32_t>& ids) {
        for (; !token_.bytes.empty(); read(token_.bytes.data() + token_.bytes.size())) {
            const std::int32_t id = known.find(token_);
            if (id == Known::UNKNOWN) return true;
            if (id >= 0) ids.push_back(id);
        }
        return false;
    }

    const Token& here() const { return token_; }
    std::string bytes() const { return std::string(token_.bytes); }

private:
    // What a byte is in a token; 0 where it separates. Without a branch: compilers do many bytes at once.
    static char clean(char byte) {
        const unsigned char plain = static_cast<unsigned char>(byte), low = plain | 0x20;
        const bool letter = static_cast<unsigned char>(low - 'a') < 26, digit = static_cast<unsigned char>(plain - '0') < 10;
        return static_cast<char>(letter ? low : digit ? plain : 0);
    }

    // The next token at `at` or behind it. Eight bytes are looked at at once: no byte is above 127, so what takes
    // 1 from each sets the top bit of the first that is 0.
    void read(const char* at) {
        while (at != end_ && *at == 0) ++at;
        const char* const begin = at;
        token_.hash = 0;
        if (at != end_) {
            for (;; at += 8) {
                const std::uint64_t group = eight(at), zeros = (group - 0x0101010101010101ULL) & 0x8080808080808080ULL;
                const std::uint64_t kept = zeros == 0 ? group : group & (((zeros & -zeros) >> 7) - 1);
                if (at == begin) token_.first = kept;
                token_.hash = hashed(token_.hash, kept);
                if (zeros != 0) {
                    at += __builtin_ctzll(zeros) / 8;
                    break;
                }
            }
        }
        token_.bytes = std::string_view(begin, static_cast<std::size_t>(at - begin));
    }

    std::vector<char> clean_;
    const char* end_ = nullptr;
    Token token_;
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
