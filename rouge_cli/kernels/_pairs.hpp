// One text against another by Google's definition, compiled: n-grams, the longest common subsequence of the whole
// texts, and the clipped union of those of their sentences. The same integers as metrics/ngram.py,
// metrics/sentence_lcs.py and metrics/lcs.py give; what is done here is to touch little memory and to allocate
// none from one pair to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "_counting.hpp"

namespace rouge {

class Pairs {
public:
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
        longest_known_ = false;
    }

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

    // The length of the longest common subsequence of the whole texts.
    std::size_t longest() {
        if (longest_known_) return longest_;
        const std::size_t width = ours_.size() / 64 + 1;
        masks_.assign(distinct_ * width, 0);
        for (std::size_t row = 0; row < ours_.size(); ++row) mask(ours_[row], width)[row / 64] |= Word(1) << row % 64;
        v_.assign(width, ~Word(0));
        for (Id token : theirs_) {
            if (token != STRANGER) step(mask(token, width), width);
        }
        std::size_t length = 0;
        for (std::size_t row = 0; row < ours_.size(); ++row) length += ~v_[row / 64] >> row % 64 & 1;
        longest_known_ = true;
        return longest_ = length;
    }

    // The marked words of the model's sentences, each counted as often as both texts have it.
    std::size_t united() {
        if (model.ends.size() == 1 && peer.ends.size() == 1) return longest();
        lay_out();
        const std::size_t width = rows_ / 64 + 1;
        std::size_t start = 0;
        for (std::size_t end : peer.ends) {
            trace(start, end, width);
            start = end;
        }
        return clipped();
    }

    // Memory is a bit for each different word and each word of the model.
    bool small() const { return ours_.size() <= LONGEST && theirs_.size() <= LONGEST; }

private:
    static constexpr Id STRANGER = -1;
    static constexpr std::size_t LONGEST = 4096;

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

    Word* mask(Id token, std::size_t width) { return masks_.data() + static_cast<std::size_t>(token) * width; }

    // V' = (V + (V & M)) | (V & ~M), word by word with the carry (kernels/lcs.py).
    void step(const Word* match, std::size_t width) {
        Word carry = 0;
        for (std::size_t word = 0; word < width; ++word) {
            const Word old = v_[word], seen = old & match[word];
            Word sum = old + seen;
            const Word over = sum < old;
            sum += carry;
            carry = over | (sum < carry);
            v_[word] = sum | (old & ~match[word]);
        }
    }

    // The model's sentences side by side, a guard bit after each.
    void lay_out() {
        rows_ = ours_.size() + model.ends.size();
        const std::size_t width = rows_ / 64 + 1;
        masks_.assign(distinct_ * width, 0);
        all_.assign(width, 0);
        none_.assign(width, 0);
        marks_.assign(width, 0);
        firsts_.clear();
        std::size_t place = 0, row = 0;
        for (std::size_t end : model.ends) {
            firsts_.push_back(row);
            for (; place < end; ++place, ++row) {
                mask(ours_[place], width)[row / 64] |= Word(1) << row % 64;
                all_[row / 64] |= Word(1) << row % 64;
            }
            ++row;
        }
    }

    // Marks the rows on the paths of the peer's sentence [start, end).
    void trace(std::size_t start, std::size_t end, std::size_t width) {
        columns_.clear();
        for (std::size_t place = start; place < end; ++place) {
            // A column without a match equals the one before it, if that has none either.
            const bool matches = theirs_[place] != STRANGER;
            if (matches || (!columns_.empty() && columns_.back() != STRANGER)) columns_.push_back(theirs_[place]);
        }
        if (columns_.empty()) return;
        v_ = all_;
        kept_.clear();
        for (Id token : columns_) {
            if (token != STRANGER) {
                step(mask(token, width), width);
                for (std::size_t word = 0; word < width; ++word) v_[word] &= all_[word];
            }
            kept_.insert(kept_.end(), v_.begin(), v_.end());
        }
        for (std::size_t sentence = 0; sentence < firsts_.size(); ++sentence) {
            const std::size_t floor = firsts_[sentence];
            std::size_t below = (sentence + 1 < firsts_.size() ? firsts_[sentence + 1] : rows_) - 1;
            for (std::size_t column = columns_.size(); column-- > 0 && below > floor;) {
                const Word* match = columns_[column] == STRANGER ? none_.data() : mask(columns_[column], width);
                const std::size_t row = highest(match, kept_.data() + column * width, floor, below);
                if (row == NONE) break;
                if (match[row / 64] >> row % 64 & 1) {
                    marks_[row / 64] |= Word(1) << row % 64;
                    below = row;
                } else {
                    below = row + 1;
                }
            }
        }
    }

    static constexpr std::size_t NONE = ~std::size_t(0);

    // The highest row in [floor, below) that matches or increments.
    std::size_t highest(const Word* match, const Word* v, std::size_t floor, std::size_t below) const {
        std::size_t word = (below - 1) / 64;
        const std::size_t lowest = floor / 64;
        Word keep = ~Word(0) >> (63 - (below - 1) % 64);
        for (;; --word, keep = ~Word(0)) {
            Word found = (match[word] | (all_[word] & ~v[word])) & keep;
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
        std::size_t hits = 0, place = 0, row = 0;
        for (std::size_t end : model.ends) {
            for (; place < end; ++place, ++row) {
                if ((marks_[row / 64] >> row % 64 & 1) && counts_[static_cast<std::size_t>(ours_[place])]-- > 0) ++hits;
            }
            ++row;
        }
        return hits;
    }

    std::uint64_t epoch_ = 0, table_ = 0;
    std::vector<Seen> seen_;
    std::vector<Slot> slots_;
    std::size_t distinct_ = 0, grams_ = 0, length_ = 0, rows_ = 0, longest_ = 0;
    bool longest_known_ = false;
    Ids ours_, theirs_, our_grams_, their_grams_, columns_;
    std::vector<Id> counts_;
    std::vector<Word> masks_, v_, all_, none_, marks_, kept_;
    std::vector<std::size_t> firsts_;
};

}  // namespace rouge
