// What C++17 has no functions for: bits of a word, long products, and the cache. GCC's and clang's functions, and others without them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rouge {

#if defined(__GNUC__) && defined(__SIZEOF_INT128__) && !defined(ROUGE_PORTABLE_BITS)

inline std::size_t ones(std::uint64_t word) { return static_cast<std::size_t>(__builtin_popcountll(word)); }

// Of a word that is not 0, as below.
inline std::size_t trailing_zeros(std::uint64_t word) { return static_cast<std::size_t>(__builtin_ctzll(word)); }

inline std::size_t leading_zeros(std::uint64_t word) { return static_cast<std::size_t>(__builtin_clzll(word)); }

// The upper 64 bits of a product.
__extension__ typedef unsigned __int128 Product;
inline std::uint64_t upper_product(std::uint64_t one, std::uint64_t other) { return static_cast<std::uint64_t>(Product(one) * other >> 64); }

// Fetches what will be read soon into the cache.
inline void fetch(const void* place) { __builtin_prefetch(place); }

#else

// Sums of neighbouring bits, pairs, fours and bytes (Warren, "Hacker's Delight", 2013, section 5-1).
inline std::size_t ones(std::uint64_t word) {
    word -= word >> 1 & 0x5555555555555555ULL;
    word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return static_cast<std::size_t>(word * 0x0101010101010101ULL >> 56);
}

inline std::size_t trailing_zeros(std::uint64_t word) { return ones(~word & (word - 1)); }

inline std::size_t leading_zeros(std::uint64_t word) {
    for (int shift = 1; shift < 64; shift *= 2) word |= word >> shift;
    return 64 - ones(word);
}

inline std::uint64_t upper_product(std::uint64_t one, std::uint64_t other) {
    const std::uint64_t half = 0xFFFFFFFFU, middle = (one >> 32) * (other & half) + ((one & half) * (other & half) >> 32);
    return (one >> 32) * (other >> 32) + (middle >> 32) + (((one & half) * (other >> 32) + (middle & half)) >> 32);
}

inline void fetch(const void*) {}

#endif

}  // namespace rouge
