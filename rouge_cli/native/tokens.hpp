// From bytes to token ids: text/tokens.py documents what is done and why.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "texts.hpp"
#include "tokenizers.hpp"

namespace rouge {

// A raw token. Its first two groups of eight bytes, with zeros behind the last byte, and the rest identify it.
struct Token {
    static constexpr std::size_t SHORT = 16;  // at most so many bytes are in the groups

    const char* begin;
    std::size_t size;
    std::uint64_t first, second;  // groups
    std::uint64_t hash;
    std::size_t grouped;  // bytes that only the groups stand for: none if the last is a zero itself

    bool has_rest() const { return grouped < size; }
    std::string_view rest() const { return {begin + grouped, size - grouped}; }
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

constexpr std::uint64_t MULTIPLIER = 0x9E3779B97F4A7C15ULL;

inline std::uint64_t hashed(std::uint64_t hash, std::uint64_t group) {
    hash = (hash ^ group) * MULTIPLIER;
    return hash ^ hash >> 32;
}

// The hash of a token, given that of its groups, and its rest.
inline std::uint64_t hashed(std::uint64_t hash, std::string_view rest) {
    for (; rest.size() >= 8; rest.remove_prefix(8)) hash = hashed(hash, eight(rest.data()));
    return rest.empty() ? hash : hashed(hash, eight(rest.data(), rest.size()));
}

// The token of these bytes, given its first two groups.
inline Token token_of(std::string_view bytes, std::uint64_t first, std::uint64_t second, std::size_t grouped) {
    Token token{bytes.data(), bytes.size(), first, second, hashed(hashed(0, first), second), grouped};
    if (token.has_rest()) token.hash = hashed(token.hash, token.rest());
    return token;
}

inline Token token_of(std::string_view bytes) {
    const std::size_t first = std::min<std::size_t>(bytes.size(), 8), second = std::min<std::size_t>(bytes.size() - first, 8);
    const bool ends_in_zero = !bytes.empty() && bytes.back() == '\0';
    return token_of(bytes, eight(bytes.data(), first), eight(bytes.data() + first, second), ends_in_zero ? 0 : first + second);
}

// Raw token -> id, by open addressing. Most of the time is spent waiting for memory: slots are small, and tokens stand in the
// order in which they came, so that those of a text are mostly neighbours.
class Known {
public:
    static constexpr std::int32_t UNKNOWN = -2;

    Known() : slots_(std::size_t(1) << FEWEST, NONE), entries_(1), rests_(1) {}

    // Fetches what will be read to look a token up soon: its slot, and some time later what that names.
    void fetch_slot(const Token& token) const { fetch(&slots_[start(token.hash)]); }
    void fetch_entry(const Token& token) const { fetch(&entries_[slots_[start(token.hash)]]); }

    // The token's id, or UNKNOWN.
    std::int32_t find(const Token& token) const { return entries_[slots_[place(token)]].id; }

    void add(const Token& token, std::int32_t id) {
        if (entries_.size() * 2 >= slots_.size()) grow();
        std::uint32_t rest = 0;
        if (token.has_rest()) {
            rest = static_cast<std::uint32_t>(rests_.size());
            rests_.emplace_back(token.rest());
        }
        entries_.push_back({token.first, token.second, rest, id});
        slots_[place(token)] = static_cast<std::uint32_t>(entries_.size() - 1);
    }

private:
    struct Entry {
        std::uint64_t first = 0, second = 0;
        std::uint32_t rest = 0;  // its place in `rests_`
        std::int32_t id = UNKNOWN;
    };

    static constexpr std::uint32_t NONE = 0;
    static constexpr unsigned FEWEST = 8;  // 2 to the 8 slots: a short run would wait for more memory

    // The place of the token's slot, or of the one where it would be.
    std::size_t place(const Token& token) const {
        std::size_t at = start(token.hash);
        while (slots_[at] != NONE && !same(entries_[slots_[at]], token)) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    // Where the search for a hash begins. Words that differ in late letters only differ in high bits of the hash.
    std::size_t start(std::uint64_t hash) const { return static_cast<std::size_t>((hash * MULTIPLIER) >> shift_); }

    bool same(const Entry& entry, const Token& token) const {
        // Without a branch for each group: which of them differs cannot be predicted.
        if (((entry.first ^ token.first) | (entry.second ^ token.second)) != 0) return false;
        return entry.rest == 0 ? !token.has_rest() : token.has_rest() && rests_[entry.rest] == token.rest();
    }

    void grow() {
        slots_ = std::vector<std::uint32_t>(slots_.size() * 2, NONE);
        --shift_;
        for (std::uint32_t number = 1; number < entries_.size(); ++number) {
            const Entry& entry = entries_[number];
            std::size_t at = start(hashed(hashed(hashed(0, entry.first), entry.second), rests_[entry.rest]));
            while (slots_[at] != NONE) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = number;
        }
    }

    std::vector<std::uint32_t> slots_;  // places in `entries_`, the first of which is for all unknown tokens
    std::vector<Entry> entries_;
    unsigned shift_ = 64 - FEWEST;
    std::vector<std::string> rests_;  // the first is empty, for tokens without
};

// The tokens of a text, some at a time: runs of ASCII letters and digits, lower-cased. Where tokens begin and end cannot be
// predicted: there is no branch on it.
class Tokens {
public:
    static constexpr std::size_t AT_ONCE = 32;  // about a sentence

    // Begins a text; its bytes are copied to the buffer.
    Tokens(std::string_view bytes, std::vector<char>& buffer) {
        if (buffer.size() < bytes.size() + PADDING) buffer.resize(bytes.size() + PADDING);
        char* const cleaned = buffer.data();
        for (std::size_t place = 0; place < bytes.size(); ++place) cleaned[place] = clean(bytes[place]);
        std::memset(cleaned + bytes.size(), 0, PADDING);
        next_ = cleaned;
        end_ = cleaned + bytes.size();
    }

    // The next tokens, AT_ONCE or fewer, which will be looked up: their number, which is 0 at the end.
    std::size_t read(Token* tokens, const Known& known) {
        std::size_t size = 0;
        while (size < AT_ONCE && (starts_ != 0 || find_starts())) {
            known.fetch_slot(tokens[size++] = token_at(next_ - BLOCK + trailing_zeros(starts_)));
            starts_ &= starts_ - 1;
        }
        return size;
    }

private:
    static constexpr std::size_t BLOCK = 64, PADDING = BLOCK + Token::SHORT;  // PADDING: zeros behind a text
    static constexpr std::uint64_t TOPS = 0x8080808080808080ULL;              // bits of bytes

    // What a byte is in a token; 0 where it separates. Without a branch: compilers do many bytes at once.
    static char clean(char byte) {
        const unsigned char plain = static_cast<unsigned char>(byte), low = plain | 0x20;
        const bool letter = static_cast<unsigned char>(low - 'a') < 26, digit = static_cast<unsigned char>(plain - '0') < 10;
        return static_cast<char>(letter ? low : digit ? plain : 0);
    }

    // Goes on to the next block of bytes in which tokens begin; false if there is none. `starts_` has a bit for each.
    bool find_starts() {
        for (; starts_ == 0 && next_ < end_; next_ += BLOCK) {
            std::uint64_t inside = 0;  // a bit for each byte that is not 0: none is above 127
            for (std::size_t at = 0; at < BLOCK; at += 8) {
                const std::uint64_t tops = (eight(next_ + at) + ~TOPS) & TOPS;
                inside |= ((tops >> 7) * 0x0102040810204080ULL >> 56) << at;
            }
            starts_ = inside & ~(inside << 1 | is_inside_);
            is_inside_ = inside >> (BLOCK - 1);
        }
        return starts_ != 0;
    }

    static Token token_at(const char* begin) {
        const std::uint64_t groups[] = {eight(begin), eight(begin + 8)}, ends[] = {ends_in(groups[0]), ends_in(groups[1])};
        const std::uint64_t in_two = 0 - std::uint64_t(ends[0] == 0), end = ends[0] | (ends[1] & in_two);
        const std::size_t size = end != 0 ? (in_two & 8) + trailing_zeros(end) / 8 : size_of_long(begin);
        return token_of(std::string_view(begin, size), groups[0] & below(ends[0]), groups[1] & below(ends[1]) & in_two, std::min(size, Token::SHORT));
    }

    static std::size_t size_of_long(const char* begin) {
        std::size_t size = Token::SHORT;
        std::uint64_t end;
        for (; (end = ends_in(eight(begin + size))) == 0; size += 8) {}
        return size + trailing_zeros(end) / 8;
    }

    // The top bit of the first byte that is 0, and of some behind it. No byte is above 127: what takes 1 from each sets it.
    static std::uint64_t ends_in(std::uint64_t group) { return (group - 0x0101010101010101ULL) & TOPS; }

    // All bits of the bytes before the first of these ends; of all if there is none.
    static std::uint64_t below(std::uint64_t ends) { return ((ends & -ends) >> 7) - 1; }

    const char *next_, *end_;  // next_: the block behind the one of `starts_`
    std::uint64_t starts_ = 0, is_inside_ = 0;
};

// Raw token -> id. What is not known yet is looked up once, by the owner of the forms, WordForms. Used by one
// reader at a time: Python that is asked, and other threads, read by others.
class Vocabulary {
public:
    // The id of a raw token, or DROPPED.
    using LookUp = Id (*)(void* owner, const char* bytes, std::size_t size);
    static constexpr Id DROPPED = -1;

    void set_look_up(LookUp look_up, void* owner) {
        look_up_ = look_up;
        forms_ = owner;
    }

    void set_ask(Ask ask, void* owner) {
        ask_ = ask;
        owner_ = owner;
    }

    void set_reading(Reading reading) { reading_ = std::move(reading); }

    const Reading& reading() const { return reading_; }

    // The stem of a word by ids, if only references are stemmed.
    void set_stem(Id word, Id stem) {
        const std::size_t place = static_cast<std::size_t>(word);
        if (place >= stems_.size()) stems_.resize(place * 2 + 1024);
        stems_[place] = stem;
    }

    Ids stems(const Ids& words) const {
        Ids stems(words);
        for (Id& word : stems) word = stems_[static_cast<std::size_t>(word)];
        return stems;
    }

    // The parts of texts that are known: beyond some number, their owner begins anew.
    std::size_t parts() const { return spans_.size(); }

    void append(Ids& ids, std::string_view unit) {
        if (!reading_.asks[TOKENS] || reading_.keeps(unit)) return append_plain(ids, unit);
        if (!reading_.is_separable) return append_asked(ids, unit);
        Parts parts(unit, reading_.by_character);
        for (std::string_view part = parts.next(); !part.empty(); part = parts.next()) append_part(ids, part);
    }

    // Appends the ids of the words of a line, between NULs; a word may be empty.
    void append_line(Ids& ids, std::string_view line) {
        for (std::size_t end = 0; end != std::string_view::npos; line.remove_prefix(std::min(line.size(), end + 1))) {
            end = line.find('\0');
            append_token(ids, token_of(line.substr(0, end)));
        }
    }

    Answers ask(Question question, std::string_view text) {
        Answers answers;
        if (!ask_(owner_, question, text.data(), text.size(), answers)) throw std::runtime_error("Python raised an exception");
        return answers;
    }

    // Reads strings whose lines are sentences, of which those without tokens do not count.
    void read(const std::vector<std::string_view>& strings, std::vector<Text>& texts) {
        texts.resize(strings.size());
        for (std::size_t place = 0; place < strings.size(); ++place) {
            std::string_view left = strings[place];
            Text& text = texts[place];
            text.words.reserve(left.size() / 4);
            while (!left.empty()) {
                const std::string_view line = left.substr(0, left.find('\n'));
                const std::size_t before = text.words.size();
                append(text.words, line);
                if (text.words.size() > before) text.ends.push_back(text.words.size());
                left.remove_prefix(std::min(left.size(), line.size() + 1));
            }
        }
    }

private:
    void append_plain(Ids& ids, std::string_view unit) {
        Tokens tokens(unit, buffer_);
        Token some[Tokens::AT_ONCE];
        while (const std::size_t size = tokens.read(some, known_)) {
            for (std::size_t token = 0; token < size; ++token) known_.fetch_entry(some[token]);
            for (std::size_t token = 0; token < size; ++token) append_token(ids, some[token]);
        }
    }

    void append_asked(Ids& ids, std::string_view text) {
        for (const std::string& raw : ask(TOKENS, text)) append_token(ids, token_of(raw));
    }

    void append_token(Ids& ids, const Token& token) {
        const Id known = known_.find(token);
        const Id id = known == Known::UNKNOWN ? look_up(token) : known;
        if (id != DROPPED) ids.push_back(id);
    }

    // Appends the ids of a part's tokens; Python is asked for them once, if it has to be.
    void append_part(Ids& ids, std::string_view part) {
        const Token token = token_of(part);
        Id number = parts_.find(token);
        if (number == Known::UNKNOWN) {
            Ids of_part;
            if (reading_.keeps(part)) append_plain(of_part, part);
            else append_asked(of_part, part);
            number = static_cast<Id>(spans_.size());
            spans_.emplace_back(of_parts_.size(), of_part.size());
            of_parts_.insert(of_parts_.end(), of_part.begin(), of_part.end());
            parts_.add(token, number);
        }
        const auto [start, size] = spans_[static_cast<std::size_t>(number)];
        for (std::size_t at = start; at < start + size; ++at) ids.push_back(of_parts_[at]);
    }

    Id look_up(const Token& token) {
        const Id id = look_up_(forms_, token.begin, token.size);
        known_.add(token, id);
        return id;
    }

    LookUp look_up_ = nullptr;
    Ask ask_ = nullptr;
    void *forms_ = nullptr, *owner_ = nullptr;
    Reading reading_;
    Known known_, parts_;
    // Of each part: where its ids begin in `of_parts_`, and their number.
    std::vector<std::pair<std::size_t, std::size_t>> spans_;
    Ids of_parts_, stems_;
    std::vector<char> buffer_;
};

}  // namespace rouge
