// One text against another by Google's definition, compiled: n-grams, the longest common subsequence of the whole
// texts, and the clipped union of those of their sentences. The same integers as metrics/ngram.py,
// metrics/sentence_lcs.py and metrics/lcs.py give (kernels/lcs.py explains the bits); what is done here is to
// touch little memory and to allocate none from one pair to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "_counting.hpp"

namespace rouge {

class Pairs {
public:
    // What `counts` can count, besides n-grams of a positive length.
    static constexpr int LONGEST = 0, UNITED = -1;

    // Token ids and sentence ends of the two texts, to be filled before `start`.
    Text model, peer;

    // Numbers the model's tokens densely; the peer's others are all STRANGER.
    void start() {
        ++epoch_;
        distinct_ = 0;
        ours_.resize(model.tokens.size());
        theirs_.resize(peer.tokens.size());
        for (std::size_t place = 0; place < ours_.size(); ++place) {
            const std::size_t id = static_cast<std::size_t>(model.tokens[place]);
            if (id >= seen_.size()) seen_.resize(id * 2 + 1024);
            Seen& seen = seen_[id];
            if (seen.epoch != epoch_) seen = {epoch_, static_cast<Id>(distinct_++)};
            ours_[place] = seen.number;
        }
        for (std::size_t place = 0; place < theirs_.size(); ++place) {
            const std::size_t id = static_cast<std::size_t>(peer.tokens[place]);
            theirs_[place] = id < seen_.size() && seen_[id].epoch == epoch_ ? seen_[id].number : STRANGER;
        }
        length_ = 0;
        laid_out_ = longest_known_ = false;
    }

    // What both texts have, and what they share.
    Counts counts(int kind) {
        const std::size_t less = kind > 0 ? static_cast<std::size_t>(kind) - 1 : 0;
        const auto units = [less](const Ids& tokens) { return tokens.size() > less ? static_cast<double>(tokens.size() - less) : 0; };
        const std::size_t match = kind == LONGEST ? longest() : kind == UNITED ? united() : ngrams(less + 1);
        return {units(ours_), units(theirs_), static_cast<double>(match)};
    }

    // Memory is a bit for each different word and each word of the model.
    bool small() const { return ours_.size() <= MOST && theirs_.size() <= MOST; }

private:
    static constexpr Id STRANGER = -1;
    static constexpr std::size_t MOST = 4096;

    // Shared n-grams. Quick for n going up by one from call to call.
    std::size_t ngrams(std::size_t n) {
        if (n <= length_) length_ = 0;
        if (length_ == 0) {
            our_grams_ = ours_;
            their_grams_ = theirs_;
            grams_ = distinct_;
            length_ = 1;
        }
        for (; length_ < n; ++length_) lengthen();
        counts_.assign(grams_, 0);
        for (Id gram : our_grams_) ++counts_[static_cast<std::size_t>(gram)];
        std::size_t shared = 0;
        for (Id gram : their_grams_) {
            if (gram != STRANGER && counts_[static_cast<std::size_t>(gram)]-- > 0) ++shared;
        }
        return shared;
    }

    // The length of the longest common subsequence of the whole texts: a guard is a word that the peer never has.
    std::size_t longest() {
        if (longest_known_) return longest_;
        lay_out();
        v_.assign(width_, ~Word(0));
        sized([this](auto width) {
            for (Id token : theirs_) {
                if (token != STRANGER) step(mask(token), width);
            }
        });
        longest_ = 0;
        for (Word word : v_) longest_ += static_cast<std::size_t>(__builtin_popcountll(~word));
        longest_known_ = true;
        return longest_;
    }

    // The marked words of the model's sentences, each counted as often as both texts have it.
    std::size_t united() {
        if (model.ends.size() == 1 && peer.ends.size() == 1) return longest();
        lay_out();
        marks_.assign(width_, 0);
        std::size_t start = 0;
        for (std::size_t end : peer.ends) {
            sized([this, start, end](auto width) { trace(start, end, width); });
            start = end;
        }
        return clipped();
    }

    struct Seen {
        std::uint64_t epoch = 0;
        Id number = 0;
    };

    struct Slot {
        std::uint64_t epoch = 0;
        Word key = 0;
        Id number = 0;
    };

    // From grams of one length to those of the next: pairs of a gram and a token, numbered by the model.
    void lengthen() {
        const std::size_t wanted = ours_.size() * 2 + 16;
        if (slots_.size() < wanted) {
            std::size_t size = 256;
            while (size < wanted) size *= 2;
            slots_.assign(size, Slot());
        }
        ++table_;
        std::size_t numbered = 0;
        const std::size_t ours = ours_.size() > length_ ? ours_.size() - length_ : 0;
        const std::size_t theirs = theirs_.size() > length_ ? theirs_.size() - length_ : 0;
        for (std::size_t place = 0; place < ours; ++place) {
            Slot& slot = find(joined(our_grams_[place], ours_[place + length_]));
            if (slot.epoch != table_) {
                slot.epoch = table_;
                slot.key = joined(our_grams_[place], ours_[place + length_]);
                slot.number = static_cast<Id>(numbered++);
            }
            our_grams_[place] = slot.number;
        }
        our_grams_.resize(ours);
        for (std::size_t place = 0; place < theirs; ++place) {
            const Id gram = their_grams_[place], token = theirs_[place + length_];
            if (gram == STRANGER || token == STRANGER) {
                their_grams_[place] = STRANGER;
                continue;
            }
            const Slot& slot = find(joined(gram, token));
            their_grams_[place] = slot.epoch == table_ ? slot.number : STRANGER;
        }
        their_grams_.resize(theirs);
        grams_ = numbered;
    }

    Slot& find(Word key) {
        const std::size_t most = slots_.size() - 1;
        std::size_t place = ((key ^ key >> 29) * 0x9E3779B97F4A7C15ULL) >> 20 & most;
        while (slots_[place].epoch == table_ && slots_[place].key != key) place = (place + 1) & most;
        return slots_[place];
    }

    Word* mask(Id token) { return masks_.data() + static_cast<std::size_t>(token) * width_; }

    // Calls with the width in words: as a constant where it is small, which makes the loops over words straight.
    template <typename Do>
    void sized(Do act) {
        switch (width_) {
            case 1: return act(std::integral_constant<std::size_t, 1>());
            case 2: return act(std::integral_constant<std::size_t, 2>());
            case 3: return act(std::integral_constant<std::size_t, 3>());
            case 4: return act(std::integral_constant<std::size_t, 4>());
            default: return act(width_);
        }
    }

    // V' = (V + (V & M)) | (V & ~M), word by word with the carry.
    template <typename Width>
    void step(const Word* match, Width width) {
        Word* const v = v_.data();
        Word carry = 0;
        for (std::size_t word = 0; word < width; ++word) {
            const Word old = v[word], seen = old & match[word];
            Word sum = old + seen;
            const Word over = sum < old;
            sum += carry;
            carry = over | (sum < carry);
            v[word] = sum | (old & ~match[word]);
        }
    }

    // The model's sentences side by side, a guard bit after each.
    void lay_out() {
        if (laid_out_) return;
        laid_out_ = true;
        rows_ = ours_.size() + model.ends.size();
        width_ = rows_ / 64 + 1;
        masks_.assign(distinct_ * width_, 0);
        all_.assign(width_, 0);
        tokens_.resize(rows_);
        firsts_.clear();
        std::size_t place = 0, row = 0;
        for (std::size_t end : model.ends) {
            firsts_.push_back(row);
            for (; place < end; ++place, ++row) {
                tokens_[row] = ours_[place];
                mask(ours_[place])[row / 64] |= Word(1) << row % 64;
                all_[row / 64] |= Word(1) << row % 64;
            }
            tokens_[row++] = STRANGER;
        }
    }

    // Marks the rows on the paths of the peer's sentence [start, end).
    template <typename Width>
    void trace(std::size_t start, std::size_t end, Width width) {
        columns_.clear();
        lasts_.resize(distinct_);
        for (std::size_t place = start; place < end; ++place) {
            // A column without a match equals the one before it, if that has none either.
            const Id token = theirs_[place];
            if (token != STRANGER) lasts_[static_cast<std::size_t>(token)] = columns_.size();
            if (token != STRANGER || (!columns_.empty() && columns_.back() != STRANGER)) columns_.push_back(token);
        }
        if (columns_.empty()) return;
        v_ = all_;
        reached_.resize(columns_.size() * width);
        Word* reached = reached_.data();
        for (Id token : columns_) {
            const Word* const match = token == STRANGER ? nullptr : mask(token);
            if (match != nullptr) step(match, width);
            for (std::size_t word = 0; word < width; ++word) {
                v_[word] &= all_[word];
                *reached++ = (all_[word] & ~v_[word]) | (match == nullptr ? 0 : match[word]);
            }
        }
        for (std::size_t sentence = 0; sentence < firsts_.size(); ++sentence) {
            const std::size_t floor = firsts_[sentence];
            std::size_t below = (sentence + 1 < firsts_.size() ? firsts_[sentence + 1] : rows_) - 1;
            // `column` is one behind the column that is looked at.
            for (std::size_t column = columns_.size(); column > 0 && below > floor;) {
                below = highest(reached_.data() + (column - 1) * width, floor, below);
                if (below == NONE) break;
                marks_[below / 64] |= Word(1) << below % 64;
                const Id token = tokens_[below];
                column = std::min(column, lasts_[static_cast<std::size_t>(token)] + 1);
                while (columns_[column - 1] != token) --column;
                --column;
            }
        }
    }

    static constexpr std::size_t NONE = ~std::size_t(0);

    // The highest row in [floor, below) of a column.
    static std::size_t highest(const Word* column, std::size_t floor, std::size_t below) {
        std::size_t word = (below - 1) / 64;
        const std::size_t lowest = floor / 64;
        Word found = column[word] & (~Word(0) >> (63 - (below - 1) % 64));
        for (;; found = column[--word]) {
            if (word == lowest) found &= ~Word(0) << floor % 64;
            if (found != 0) return word * 64 + 63 - static_cast<std::size_t>(__builtin_clzll(found));
            if (word == lowest) return NONE;
        }
    }

    // Marked words, as often as both texts have them.
    std::size_t clipped() {
        counts_.assign(distinct_, 0);
        for (Id token : theirs_) {
            if (token != STRANGER) ++counts_[static_cast<std::size_t>(token)];
        }
        std::size_t hits = 0;
        for (std::size_t word = 0; word < width_; ++word) {
            for (Word left = marks_[word]; left != 0; left &= left - 1) {
                const Id token = tokens_[word * 64 + static_cast<std::size_t>(__builtin_ctzll(left))];
                hits += counts_[static_cast<std::size_t>(token)]-- > 0;
            }
        }
        return hits;
    }

    std::uint64_t epoch_ = 0, table_ = 0;
    std::vector<Seen> seen_;
    std::vector<Slot> slots_;
    std::size_t distinct_ = 0, grams_ = 0, length_ = 0, rows_ = 0, width_ = 0, longest_ = 0;
    bool laid_out_ = false, longest_known_ = false;
    Ids ours_, theirs_, our_grams_, their_grams_, tokens_, columns_;
    std::vector<Id> counts_;
    std::vector<Word> masks_, v_, all_, marks_, reached_;
    std::vector<std::size_t> firsts_, lasts_;
};

}  // namespace rouge
