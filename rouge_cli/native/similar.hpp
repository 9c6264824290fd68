// Similar texts: the twin of jobs/join.py, which documents the filter and why it loses no pair.
//
// Texts are held one after the other in a few arrays. Those that are looked up stand in order of size ("rank"), so that the
// texts of a size are neighbours, and so that a text need only share its rarest units with texts that are not larger.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "bags.hpp"
#include "bits.hpp"
#include "counting.hpp"
#include "scoring.hpp"
#include "texts.hpp"

namespace rouge {

struct SimilarPair {
    std::uint32_t first, second;
    double score;

    bool operator<(const SimilarPair& other) const {
        return first != other.first ? first < other.first : second < other.second;
    }
};

// Texts of ids, and the sentences of each.
struct FlatTexts {
    Ids words;
    std::vector<std::size_t> ends;  // of sentences, as places in `words`
    std::vector<std::size_t> last;  // of each text: the number of sentences up to its end

    std::size_t size() const { return last.size(); }
    std::size_t first_sentence(std::size_t text) const { return text == 0 ? 0 : last[text - 1]; }
    std::size_t begin(std::size_t text) const { return first_sentence(text) == 0 ? 0 : ends[first_sentence(text) - 1]; }
    std::size_t end(std::size_t text) const { return last[text] == 0 ? 0 : ends[last[text] - 1]; }

    // Fills a text that metrics count.
    void get(std::size_t text, Text& filled) const {
        const std::size_t start = begin(text);
        filled.words.assign(words.begin() + static_cast<std::ptrdiff_t>(start), words.begin() + static_cast<std::ptrdiff_t>(end(text)));
        filled.ends.clear();
        for (std::size_t sentence = first_sentence(text); sentence < last[text]; ++sentence) {
            if (ends[sentence] > start + (filled.ends.empty() ? 0 : filled.ends.back())) filled.ends.push_back(ends[sentence] - start);
        }
    }
};

// The units of texts as sets: the second occurrence of a unit is another element. Elements are numbered by rarity, the
// rarest first, and stand in this order in each text.
class Elements {
public:
    using Number = std::uint32_t;

    void add(const FlatTexts& texts, const KernelSpec& spec) {
        Ids units;
        for (std::size_t text = 0; text < texts.size(); ++text) {
            const auto begin = texts.words.begin();
            units.assign(begin + static_cast<std::ptrdiff_t>(texts.begin(text)), begin + static_cast<std::ptrdiff_t>(texts.end(text)));
            if (spec.kind == NGRAM || spec.kind == DISTINCT_NGRAM) lengthen(units, static_cast<std::size_t>(spec.number));
            add_text(units, spec.kind == DISTINCT_NGRAM || spec.kind == DISTINCT_LCS);
        }
    }

    // Numbers the elements by rarity.
    void order() {
        std::vector<std::uint32_t> times(size_, 0);
        for (Number element : elements_) ++times[element];
        std::uint32_t most = 0;
        for (std::uint32_t each : times) most = std::max(most, each);
        std::vector<std::size_t> starts(static_cast<std::size_t>(most) + 2, 0);
        for (std::uint32_t each : times) ++starts[each + 1];
        for (std::size_t each = 1; each < starts.size(); ++each) starts[each] += starts[each - 1];
        std::vector<Number> number(size_);
        for (std::size_t element = 0; element < size_; ++element) number[element] = static_cast<Number>(starts[times[element]]++);
        for (Number& element : elements_) element = number[element];
        for (std::size_t text = 0; text < size(); ++text) std::sort(elements_.begin() + at(text), elements_.begin() + at(text + 1));
        seen_ = Numbering();
        later_ = Numbering();
        longer_.clear();
    }

    std::size_t size() const { return starts_.size() - 1; }
    std::size_t different() const { return size_; }
    std::size_t count(std::size_t text) const { return starts_[text + 1] - starts_[text]; }
    const Number* begin(std::size_t text) const { return elements_.data() + starts_[text]; }
    const Number* end(std::size_t text) const { return elements_.data() + starts_[text + 1]; }

private:
    static Numbering empty_numbering() {
        Numbering numbers;
        numbers.start(0, 1, 0);
        return numbers;
    }

    std::ptrdiff_t at(std::size_t text) const { return static_cast<std::ptrdiff_t>(starts_[text]); }

    void lengthen(Ids& units, std::size_t n) {
        if (units.size() < n) return units.clear();
        const Ids tokens = units;
        while (longer_.size() < n) longer_.push_back(empty_numbering());
        for (std::size_t length = 1; length < n; ++length) {
            Numbering& numbers = longer_[length];
            units.pop_back();
            for (std::size_t place = 0; place < units.size(); ++place) units[place] = numbers(units[place], tokens[place + length]);
        }
    }

    void add_text(Ids& units, bool are_distinct) {
        std::sort(units.begin(), units.end());
        Id occurrence = 0;
        for (std::size_t place = 0; place < units.size(); ++place) {
            occurrence = place > 0 && units[place] == units[place - 1] ? occurrence + 1 : 0;
            if (occurrence > 0 && are_distinct) continue;
            Numbering& numbers = occurrence == 0 ? seen_ : later_;
            std::vector<Number>& of_numbers = occurrence == 0 ? first_ : others_;
            const std::size_t number = static_cast<std::size_t>(numbers(units[place], occurrence));
            if (number == of_numbers.size()) of_numbers.push_back(static_cast<Number>(size_++));
            elements_.push_back(of_numbers[number]);
        }
        starts_.push_back(elements_.size());
    }

    std::vector<Number> elements_;
    std::vector<std::size_t> starts_ = {0};
    std::size_t size_ = 0;             // the number of different elements
    Numbering seen_ = empty_numbering(), later_ = empty_numbering();  // of units, and of (unit, occurrence) from the second on
    std::vector<Number> first_, others_;  // their elements
    std::vector<Numbering> longer_;    // by length: of n-grams
};

// The fewest matches that a pair of texts of these sizes needs for a score, by the dialect's own formula.
class Needed {
public:
    static constexpr std::uint32_t NEVER = ~std::uint32_t(0);

    Needed(const KernelSpec& spec, std::unique_ptr<Scoring> scoring, std::size_t figure, double threshold)
        : spec_(spec), scoring_(std::move(scoring)), figure_(figure), threshold_(threshold) {}

    double score(CountTable& table, const Counts& counts) const {
        table.start(1, 1, 1);
        table.at(0, 0, 0) = counts;
        const Row row = scoring_->row(table, 0, 1, 0, spec_);
        return figure_ == 0 ? row.recall : figure_ == 1 ? row.precision : row.f;
    }

    bool reaches(double score) const { return score >= threshold_; }

    // Tabulates all pairs of sizes, the first of references, the second of predictions; both ascending.
    void tabulate(std::vector<std::size_t> references, std::vector<std::size_t> predictions) {
        references_ = std::move(references);
        predictions_ = std::move(predictions);
        table_.assign(references_.size() * predictions_.size(), NEVER);
        CountTable counts;
        for (std::size_t row = 0; row < references_.size(); ++row) {
            std::size_t guess = 1;
            for (std::size_t column = 0; column < predictions_.size(); ++column) {
                const std::size_t most = std::min(references_[row], predictions_[column]);
                const auto enough = [&](std::size_t match) {
                    return reaches(score(counts, {static_cast<double>(references_[row]), static_cast<double>(predictions_[column]),
                                                  static_cast<double>(match)}));
                };
                if (most == 0 || !enough(most)) continue;
                guess = std::min(std::max<std::size_t>(guess, 1), most);
                while (!enough(guess)) ++guess;
                while (guess > 1 && enough(guess - 1)) --guess;
                table_[row * predictions_.size() + column] = static_cast<std::uint32_t>(guess);
            }
        }
    }

    std::uint32_t at(std::size_t reference, std::size_t prediction) const { return table_[reference * predictions_.size() + prediction]; }

private:
    KernelSpec spec_;
    std::unique_ptr<Scoring> scoring_;
    std::size_t figure_;
    double threshold_;
    std::vector<std::size_t> references_, predictions_;
    std::vector<std::uint32_t> table_;
};

// All similar pairs of some texts, or of some texts (references) and others (predictions).
class Similar {
public:
    // figure: 0 for recall, 1 for precision, 2 for F.
    Similar(const KernelSpec& spec, std::unique_ptr<Scoring> scoring, std::size_t figure, double threshold)
        : spec_(spec), needed_(spec, std::move(scoring), figure, threshold) {}

    // Takes the texts. has_others: the second ones are other texts; else there are none.
    void start(FlatTexts&& texts, FlatTexts&& others, bool has_others) {
        texts_ = std::move(texts);
        others_ = std::move(others);
        has_others_ = has_others;
        elements_.add(texts_, spec_);
        if (has_others_) elements_.add(others_, spec_);
        elements_.order();
        sort_by_size();
        build_index();
    }

    std::size_t size() const { return texts_.size(); }

    // Finds the pairs of the texts from one position to another, in so many threads, in order.
    void find(std::size_t from, std::size_t to, std::size_t threads, std::vector<SimilarPair>& pairs) {
        constexpr std::size_t AT_ONCE = 32;
        std::atomic<std::size_t> next(from);
        threads = std::max<std::size_t>(1, std::min(threads, (to - from) / AT_ONCE));
        while (workers_.size() < threads) workers_.push_back(std::make_unique<Worker>());
        const auto work = [&](Worker& worker) {
            worker.pairs.clear();
            worker.last_seen.resize(index_size(), 0);
            for (std::size_t start; (start = next.fetch_add(AT_ONCE)) < to;) {
                for (std::size_t text = start; text < std::min(start + AT_ONCE, to); ++text) look_up(text, worker);
            }
        };
        std::vector<std::future<void>> others;  // last: they end before what they use
        for (std::size_t other = 1; other < threads; ++other) {
            others.push_back(std::async(std::launch::async | std::launch::deferred, work, std::ref(*workers_[other])));
        }
        work(*workers_[0]);
        for (std::future<void>& other : others) other.get();
        for (std::size_t each = 0; each < threads; ++each) {
            pairs.insert(pairs.end(), workers_[each]->pairs.begin(), workers_[each]->pairs.end());
        }
        std::sort(pairs.begin(), pairs.end());
    }

    // Appends the positions of texts, from one position to another, that are like none before them that is kept; the
    // positions must be asked for in order.
    void keep(std::size_t from, std::size_t to, std::vector<std::uint32_t>& kept) {
        if (workers_.empty()) workers_.push_back(std::make_unique<Worker>());
        Worker& worker = *workers_[0];
        worker.last_seen.resize(index_size(), 0);
        if (from == 0) {
            std::copy(starts_.begin(), starts_.end() - 1, filled_.begin());
            classes_of_postings_.resize(postings_.size());
        }
        for (std::size_t text = from; text < to; ++text) {
            if (is_like_kept(text, worker)) continue;
            kept.push_back(static_cast<std::uint32_t>(text));
            const std::size_t rank = rank_of_[text];
            const Elements::Number* element = elements_.begin(text);
            for (std::size_t place = 0; place < indexed_[class_[text]]; ++place, ++element) {
                classes_of_postings_[filled_[*element]] = class_[text];
                post(*element, rank, place);
            }
        }
    }

    // Keeps texts in any order of sizes: each is looked up among all that are kept. Before `start`.
    void keep_in_order() { in_order_ = true; }

private:
    struct Worker {
        std::vector<std::uint32_t> last_seen;  // by rank: the text that came upon it last, from 1
        std::vector<SimilarPair> pairs;
        CountTable table;
        Counting counting;
        Text reference, prediction;
    };

    std::size_t index_size() const { return text_of_.size(); }
    std::size_t element_of_other(std::size_t other) const { return has_others_ ? texts_.size() + other : other; }

    // Ranks, classes of equal sizes, and how many matches pairs of them need.
    void sort_by_size() {
        std::vector<std::size_t> sizes, of_others;
        for (std::size_t text = 0; text < elements_.size(); ++text) {
            (has_others_ && text >= texts_.size() ? of_others : sizes).push_back(elements_.count(text));
        }
        std::vector<std::size_t> references = different(sizes), predictions = has_others_ ? different(of_others) : references;
        class_.reserve(elements_.size());
        for (std::size_t size : sizes) class_.push_back(place_of(references, size));
        for (std::size_t size : of_others) class_.push_back(place_of(predictions, size));
        classes_ = predictions.size();
        size_of_class_ = predictions;

        const std::size_t first = has_others_ ? texts_.size() : 0, number = elements_.size() - first;
        first_of_class_.assign(classes_ + 1, 0);
        for (std::size_t text = 0; text < number; ++text) ++first_of_class_[class_[first + text] + 1];
        for (std::size_t each = 0; each < classes_; ++each) first_of_class_[each + 1] += first_of_class_[each];
        std::vector<std::size_t> next(first_of_class_.begin(), first_of_class_.end() - 1);
        text_of_.resize(number);
        rank_of_.resize(number);
        bits_.resize(number);
        for (std::size_t text = 0; text < number; ++text) {
            const std::size_t rank = next[class_[first + text]]++;
            text_of_[rank] = static_cast<std::uint32_t>(text);
            rank_of_[text] = static_cast<std::uint32_t>(rank);
            bits_[rank] = bits_of(first + text);
        }

        needed_.tabulate(references, predictions);
        asked_.assign(references.size(), 0);
        indexed_.assign(classes_, 0);
        lowest_.assign(references.size(), classes_);
        highest_.assign(references.size(), 0);
        for (std::size_t one = 0; one < references.size(); ++one) {
            for (std::size_t other = 0; other < (has_others_ || in_order_ ? classes_ : one + 1); ++other) {
                const std::size_t fewest = needs(one, other);
                if (fewest == Needed::NEVER) continue;
                lowest_[one] = std::min(lowest_[one], other);
                highest_[one] = std::max(highest_[one], other + 1);
                asked_[one] = std::max(asked_[one], references[one] - fewest + 1);
                indexed_[other] = std::max(indexed_[other], predictions[other] - fewest + 1);
            }
        }
    }

    static std::vector<std::size_t> different(std::vector<std::size_t> sizes) {
        std::sort(sizes.begin(), sizes.end());
        sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
        return sizes;
    }

    static std::uint32_t place_of(const std::vector<std::size_t>& sizes, std::size_t size) {
        return static_cast<std::uint32_t>(std::lower_bound(sizes.begin(), sizes.end(), size) - sizes.begin());
    }

    // 64 bits, of which each element sets one: a bit that only one of two texts has is an element that only it has.
    Word bits_of(std::size_t text) const {
        Word bits = 0;
        for (const Elements::Number* element = elements_.begin(text); element != elements_.end(text); ++element) {
            bits |= Word(1) << ((*element * 0x9E3779B97F4A7C15ULL) >> 58);
        }
        return bits;
    }

    // The texts that have an element among their rarest, by rank.
    void build_index() {
        starts_.assign(elements_.different() + 1, 0);
        const auto each = [&](auto visit) {
            for (std::size_t rank = 0; rank < index_size(); ++rank) {
                const std::size_t text = element_of_other(text_of_[rank]);
                const Elements::Number* element = elements_.begin(text);
                for (std::size_t place = 0; place < indexed_[class_[text]]; ++place, ++element) visit(*element, rank, place);
            }
        };
        each([&](Elements::Number element, std::size_t, std::size_t) { ++starts_[element + 1]; });
        for (std::size_t element = 1; element < starts_.size(); ++element) starts_[element] += starts_[element - 1];
        postings_.resize(starts_.back());
        filled_.assign(starts_.begin(), starts_.end() - 1);
        places_.resize(starts_.back());
        each([&](Elements::Number element, std::size_t rank, std::size_t place) { post(element, rank, place); });
    }

    void post(Elements::Number element, std::size_t rank, std::size_t place) {
        constexpr std::size_t LAST = std::numeric_limits<std::uint8_t>::max();
        places_[filled_[element]] = static_cast<std::uint8_t>(std::min(place, LAST));
        postings_[filled_[element]++] = static_cast<std::uint32_t>(rank);
    }

    // Goes through the texts that share one of the rarest elements, class by class: texts of a size need as many matches.
    void look_up(std::size_t text, Worker& worker) {
        const std::size_t own = class_[text], size = elements_.count(text);
        const std::size_t last = has_others_ ? index_size() : rank_of_[text];
        const Word bits = has_others_ ? bits_of(text) : bits_[rank_of_[text]];
        const Elements::Number* element = elements_.begin(text);
        std::size_t highest = highest_[own];
        for (std::size_t place = 0; place < asked_[own]; ++place, ++element) {
            // The first element that both have is at this place, or the texts were compared before: what is behind it is
            // too little for larger texts.
            while (highest > lowest_[own] && needs(own, highest - 1) > size - place) --highest;
            const std::uint32_t* entry = postings_.data() + starts_[*element];
            const std::uint32_t* const end = postings_.data() + starts_[*element + 1];
            for (std::size_t each = lowest_[own]; each < highest; ++each) {
                entry = std::lower_bound(entry, end, first_of_class_[each]);
                if (entry == end || *entry >= last) break;
                const std::size_t fewest = needs(own, each);
                if (fewest > size - place) continue;
                const std::size_t mine = size - fewest, theirs = size_of_class_[each] - fewest;
                const std::size_t after = std::min(first_of_class_[each + 1], last);
                for (; entry != end && *entry < after; ++entry) {
                    if (places_[static_cast<std::size_t>(entry - postings_.data())] > theirs) continue;
                    const Word others = bits_[*entry];
                    if (ones(bits & ~others) <= mine && ones(others & ~bits) <= theirs) add(text, *entry, worker);
                }
            }
        }
    }

    // Adds the pair with the text of a rank, if it is one that was not compared before.
    void add(std::size_t text, std::size_t rank, Worker& worker) {
        if (is_seen(text, rank, worker)) return;
        const std::size_t other = text_of_[rank];
        const bool is_first = has_others_ || text < other;
        const std::size_t reference = is_first ? text : other, prediction = is_first ? other : text;
        const double score = compare(reference, prediction, worker);
        if (score < 0) return;
        worker.pairs.push_back({static_cast<std::uint32_t>(reference), static_cast<std::uint32_t>(prediction), score});
    }

    bool is_like_kept(std::size_t text, Worker& worker) {
        const std::size_t own = class_[text], size = elements_.count(text);
        const Word bits = bits_[rank_of_[text]];
        const Elements::Number* element = elements_.begin(text);
        for (std::size_t place = 0; place < asked_[own]; ++place, ++element) {
            for (std::size_t entry = starts_[*element]; entry < filled_[*element]; ++entry) {
                const std::size_t other = classes_of_postings_[entry], fewest = needed_.at(other, own);
                if (fewest > size - place || fewest + places_[entry] > size_of_class_[other]) continue;
                const std::size_t rank = postings_[entry];
                const Word others = bits_[rank];
                if (ones(bits & ~others) > size - fewest || ones(others & ~bits) > size_of_class_[other] - fewest) continue;
                if (!is_seen(text, rank, worker) && compare(text_of_[rank], text, worker) >= 0) return true;
            }
        }
        return false;
    }

    // Whether the text came upon this rank before.
    static bool is_seen(std::size_t text, std::size_t rank, Worker& worker) {
        const bool is_seen = worker.last_seen[rank] == text + 1;
        worker.last_seen[rank] = static_cast<std::uint32_t>(text + 1);
        return is_seen;
    }

    // The fewest matches of texts of these classes, whichever of them is the reference.
    std::size_t needs(std::size_t one, std::size_t other) const {
        return has_others_ ? needed_.at(one, other) : std::min(needed_.at(one, other), needed_.at(other, one));
    }

    // The score of a pair; below 0 if it does not reach the threshold.
    double compare(std::size_t reference, std::size_t prediction, Worker& worker) {
        constexpr double TOO_LOW = -1;
        const std::size_t second = element_of_other(prediction), fewest = needed_.at(class_[reference], class_[second]);
        const std::size_t shared = overlap(reference, second, fewest);
        if (shared < fewest) return TOO_LOW;
        Counts counts{static_cast<double>(elements_.count(reference)), static_cast<double>(elements_.count(second)), static_cast<double>(shared)};
        if (spec_.kind != NGRAM && spec_.kind != DISTINCT_NGRAM) {
            texts_.get(reference, worker.reference);
            (has_others_ ? others_ : texts_).get(prediction, worker.prediction);
            counts = worker.counting.count({&worker.reference}, {&worker.prediction}, {spec_}).at(0, 0, 0);
        }
        const double score = needed_.score(worker.table, counts);
        return needed_.reaches(score) ? score : TOO_LOW;
    }

    // The number of elements that both texts have; it may stop below `fewest`, where it cannot be reached.
    std::size_t overlap(std::size_t one, std::size_t other, std::size_t fewest) const {
        const Elements::Number *left = elements_.begin(one), *const left_end = elements_.end(one);
        const Elements::Number *right = elements_.begin(other), *const right_end = elements_.end(other);
        std::size_t shared = 0;
        while (left != left_end && right != right_end) {
            const std::size_t most = std::min(static_cast<std::size_t>(left_end - left), static_cast<std::size_t>(right_end - right));
            if (shared + most < fewest) return shared;
            const Elements::Number a = *left, b = *right;
            shared += a == b;
            left += a <= b;
            right += b <= a;
        }
        return shared;
    }

    KernelSpec spec_;
    Needed needed_;
    FlatTexts texts_, others_;
    bool has_others_ = false, in_order_ = false;
    Elements elements_;  // of the texts, then of the others
    std::vector<std::uint32_t> class_;          // of each of these: the place of its size
    std::size_t classes_ = 0;                   // of the texts that are looked up
    std::vector<std::size_t> size_of_class_;    // of these
    std::vector<std::size_t> first_of_class_;   // the first rank of a class; then the number of all
    std::vector<std::uint32_t> text_of_, rank_of_;  // rank -> text, and back
    std::vector<Word> bits_;                    // by rank
    // By class: how many of the rarest elements are looked up, and how many are in the index; the classes that may match.
    std::vector<std::size_t> asked_, indexed_, lowest_, highest_;
    std::vector<std::size_t> starts_, filled_;  // by element: of its ranks in `postings_`
    std::vector<std::uint8_t> places_;          // of the elements of postings among the rarest of the text, up to 255
    std::vector<std::uint32_t> postings_, classes_of_postings_;  // the latter of `keep`
    std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace rouge
