// From bytes to token ids: text/tokens.py documents what is done and why.
#pragma once

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

inline std::uint64_t hashed(std::uint64_t hash, std::uint64_t group) {
    hash = (hash ^ group) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 32;
}

// Raw token -> id, by open addressing. Four slots share a cache line: most of the time is spent waiting for them.
class Known {
public:
    static constexpr std::int32_t UNKNOWN = -2;

    Known() : slots_(4096), mask_(4095) {}

    // The token's id, or UNKNOWN.
    std::int32_t find(const Token& token) const { return slots_[place(token)].id; }

    void add(const Token& token, std::int32_t id) {
        if (size_ * 2 >= slots_.size()) grow();
        Slot& slot = slots_[place(token)];
        slot = {token.first, SHORT, id};
        ++size_;
        if (token.bytes.size() <= sizeof token.first) return;
        const std::string_view rest = token.bytes.substr(sizeof token.first);
        rests_.push_back({token.hash, bytes_.size(), rest.size()});
        slot.rest = static_cast<std::uint32_t>(rests_.size());
        bytes_.append(rest);
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

    std::size_t place(const Token& token) const {
        std::size_t at = token.hash & mask_;
        while (slots_[at].id != UNKNOWN && !same(slots_[at], token)) at = (at + 1) & mask_;
        return at;
    }

    bool same(const Slot& slot, const Token& token) const {
        if (slot.first != token.first) return false;
        if (token.bytes.size() <= sizeof token.first) return slot.rest == SHORT;
        if (slot.rest == SHORT) return false;
        const Rest& rest = rests_[slot.rest - 1];
        const std::string_view other = token.bytes.substr(sizeof token.first);
        return rest.hash == token.hash && std::string_view(bytes_).substr(rest.start, rest.size) == other;
    }

    // The hash of a token of at most eight bytes. Exactly eight are followed by a group without any (Tokens::read).
    static std::uint64_t hash_of_short(std::uint64_t first) {
        const std::uint64_t hash = hashed(0, first);
        return first >> 56 == 0 ? hash : hashed(hash, 0);
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.id == UNKNOWN) continue;
            std::size_t at = (slot.rest == SHORT ? hash_of_short(slot.first) : rests_[slot.rest - 1].hash) & mask_;
            while (slots_[at].id != UNKNOWN) at = (at + 1) & mask_;
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t mask_;
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
                token_.hash = hashed(token_.hash, kept);
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

// Raw token -> id. What is not known yet is looked up once, by the Python that owns this.
class Vocabulary {
public:
    // The id of a raw token, DROPPED, or FAILED if the look-up raised.
    using LookUp = Id (*)(void* owner, const char* bytes, std::size_t size);
    static constexpr Id DROPPED = -1, FAILED = -3;

    void set_look_up(LookUp look_up, void* owner) {
        look_up_ = look_up;
        owner_ = owner;
    }

    void append(Ids& ids, std::string_view unit) {
        // Looking a word up may run Python that comes back here, in this thread or another: the buffer is taken along.
        std::vector<char> buffer;
        buffer.swap(buffer_);
        Tokens tokens(unit, buffer);
        while (tokens.unknown(known_, ids)) {
            const std::string_view raw = tokens.here().bytes;
            const Id id = look_up_(owner_, raw.data(), raw.size());
            if (id == FAILED) throw std::runtime_error("a word could not be looked up");
            known_.add(tokens.here(), id);
        }
        buffer_.swap(buffer);
    }

private:
    LookUp look_up_ = nullptr;
    void* owner_ = nullptr;
    Known known_;
    std::vector<char> buffer_;
};

}  // namespace rouge
