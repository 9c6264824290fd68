// From bytes to token ids: text/tokens.py documents what is done and why.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "texts.hpp"
#include "tokenizers.hpp"

namespace rouge {

// A raw token. It holds no byte 0, so its bytes in groups of eight, zeros behind the last, identify it.
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

constexpr std::uint64_t MULTIPLIER = 0x9E3779B97F4A7C15ULL;

inline std::uint64_t hashed(std::uint64_t hash, std::uint64_t group) {
    hash = (hash ^ group) * MULTIPLIER;
    return hash ^ hash >> 32;
}

// The token of these bytes, as `Tokens` makes it: only groups that are not empty are hashed.
inline Token token_of(std::string_view bytes) {
    Token token;
    token.bytes = bytes;
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        const std::uint64_t group = eight(bytes.data() + at, std::min<std::size_t>(bytes.size() - at, 8));
        if (at == 0) token.first = group;
        token.hash = hashed(token.hash, group);
    }
    return token;
}

// Raw token -> id, by open addressing. Four slots share a cache line: most of the time is spent waiting for them.
class Known {
public:
    static constexpr std::int32_t UNKNOWN = -2;

    Known() : slots_(std::size_t(1) << FEWEST) {}

    // The token's id, or UNKNOWN.
    std::int32_t find(const Token& token) const { return slots_[place(token)].id; }

    void add(const Token& token, std::int32_t id) {
        if (size_ * 2 >= slots_.size()) grow();
        std::uint32_t number = SHORT;
        if (token.bytes.size() > sizeof token.first) {
            const std::string_view rest = token.bytes.substr(sizeof token.first);
            rests_.push_back({token.hash, bytes_.size(), rest.size()});
            bytes_.append(rest);
            number = static_cast<std::uint32_t>(rests_.size());
        }
        slots_[place(token)] = {token.first, number, id};  // last: without memory for the rest, the token stays unknown
        ++size_;
    }

private:
    // A token of eight bytes or fewer is its number `first`; of a longer one, `rests_[rest - 1]` is what follows.
    struct Slot {
        std::uint64_t first = 0;
        std::uint32_t rest = SHORT;
        std::int32_t id = UNKNOWN;
    };

    // What follows the first eight bytes of a token with this hash: a part of `bytes_`.
    struct Rest {
        std::uint64_t hash;
        std::size_t start, size;
    };

    static constexpr std::uint32_t SHORT = 0;
    static constexpr unsigned FEWEST = 8;  // 2 to the 8 slots: a short run would wait for more memory

    std::size_t place(const Token& token) const {
        std::size_t at = start(token.hash);
        while (slots_[at].id != UNKNOWN && !same(slots_[at], token)) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    // Where the search for a hash begins. Words that differ in late letters only differ in high bits of the hash.
    std::size_t start(std::uint64_t hash) const { return static_cast<std::size_t>((hash * MULTIPLIER) >> shift_); }

    bool same(const Slot& slot, const Token& token) const {
        if (slot.first != token.first) return false;
        if (token.bytes.size() <= sizeof token.first) return slot.rest == SHORT;
        if (slot.rest == SHORT) return false;
        const Rest& rest = rests_[slot.rest - 1];
        const std::string_view other = token.bytes.substr(sizeof token.first);
        return rest.hash == token.hash && std::string_view(bytes_).substr(rest.start, rest.size) == other;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        --shift_;
        for (const Slot& slot : old) {
            if (slot.id == UNKNOWN) continue;
            std::size_t at = start(slot.rest == SHORT ? hashed(0, slot.first) : rests_[slot.rest - 1].hash);
            while (slots_[at].id != UNKNOWN) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_;
    unsigned shift_ = 64 - FEWEST;
    std::size_t size_ = 0;
    std::vector<Rest> rests_;
    std::string bytes_;
};

// The tokens of a text, one by one: runs of ASCII letters and digits, lower-cased.
class Tokens {
public:
    // Begins a text; its bytes are copied to the buffer.
    Tokens(std::string_view bytes, std::vector<char>& buffer) {
        if (buffer.size() < bytes.size() + 8) buffer.resize(bytes.size() + 8);
        char* const cleaned = buffer.data();
        for (std::size_t place = 0; place < bytes.size(); ++place) cleaned[place] = clean(bytes[place]);
        std::memset(cleaned + bytes.size(), 0, 8);
        end_ = cleaned + bytes.size();
        read(cleaned);
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
                if (kept != 0) token_.hash = hashed(token_.hash, kept);  // nothing follows a token of eight or sixteen bytes
                if (zeros != 0) {
                    at += trailing_zeros(zeros) / 8;
                    break;
                }
            }
        }
        token_.bytes = std::string_view(begin, static_cast<std::size_t>(at - begin));
    }

    const char* end_;
    Token token_;
};

// Raw token -> id. What is not known yet is looked up once, by the owner of the forms: WordForms, or Python.
class Vocabulary {
public:
    // The id of a raw token, DROPPED, or FAILED if the look-up raised.
    using LookUp = Id (*)(void* owner, const char* bytes, std::size_t size);
    static constexpr Id DROPPED = -1, FAILED = -3;

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
        if (!reading_.asks_tokens || reading_.keeps(unit)) return append_plain(ids, unit);
        if (!reading_.is_separable) return append_asked(ids, unit);
        Parts parts(unit, reading_.by_character);
        for (std::string_view part = parts.next(); !part.empty(); part = parts.next()) append_part(ids, part);
    }

    // Appends the ids of the words of a line, between NULs; a word may be empty.
    void append_line(Ids& ids, std::string_view line) {
        for (std::size_t end = 0; end != std::string_view::npos; line.remove_prefix(std::min(line.size(), end + 1))) {
            end = line.find('\0');
            append_token(ids, line.substr(0, end));
        }
    }

    Answers ask(Question question, std::string_view text) {
        Answers answers;
        if (!ask_(owner_, question, text.data(), text.size(), answers)) fail();
        return answers;
    }

    // Reads strings whose lines are sentences, of which those without tokens do not count. One thread at a time.
    void read(const std::vector<std::string_view>& strings, std::vector<Text>& texts) {
        const std::lock_guard<std::recursive_mutex> own(turn);  // the Python that is asked may come back here
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

    std::recursive_mutex turn;

private:
    void append_plain(Ids& ids, std::string_view unit) {
        // Looking a word up may run Python that comes back here, in this thread or another: the buffer is taken along.
        std::vector<char> buffer;
        buffer.swap(buffer_);
        Tokens tokens(unit, buffer);
        while (tokens.unknown(known_, ids)) look_up(tokens.here());
        buffer_.swap(buffer);
    }

    void append_asked(Ids& ids, std::string_view text) {
        for (const std::string& raw : ask(TOKENS, text)) append_token(ids, raw);
    }

    void append_token(Ids& ids, std::string_view raw) {
        const Token token = token_of(raw);
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
            number = parts_.find(token);  // which the Python that was asked may have added here
            if (number == Known::UNKNOWN) {
                number = static_cast<Id>(spans_.size());
                spans_.emplace_back(of_parts_.size(), of_part.size());
                of_parts_.insert(of_parts_.end(), of_part.begin(), of_part.end());
                parts_.add(token, number);
            }
        }
        const auto [start, size] = spans_[static_cast<std::size_t>(number)];
        for (std::size_t at = start; at < start + size; ++at) ids.push_back(of_parts_[at]);
    }

    Id look_up(const Token& token) {
        const Id id = look_up_(forms_, token.bytes.data(), token.bytes.size());
        if (id == FAILED) fail();
        if (known_.find(token) == Known::UNKNOWN) known_.add(token, id);
        return id;
    }

    [[noreturn]] static void fail() { throw std::runtime_error("Python raised an exception"); }

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
