// Evals of records that each hold one system's text, compiled: the twin of `grouped` in tasks/records.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "streams.hpp"

namespace rouge {

// Groups records by ID in the order of their first occurrence. Texts stay where they were read.
class RecordGroups {
public:
    // have_ids: false if the n-th records of systems in a file belong together. apart: records with other references
    // are another eval.
    RecordGroups(bool have_ids, bool apart) : have_ids_(have_ids), apart_(apart) {}

    // Starts another file: without IDs its records are numbered anew.
    void start_file() { numbers_.clear(); }

    // Adds the records of texts that remain in memory. files: the number of the file of each prediction. systems: the
    // number of the system of each prediction, or by `texts.systems` if records name theirs. Returns false for a record
    // whose system the eval has, or whose references are others.
    bool add(const PlainTexts& texts, const std::vector<std::uint32_t>& files, const std::vector<std::uint32_t>& systems) {
        const auto batch = static_cast<std::uint32_t>(batches_.size());
        batches_.push_back({&texts, files});
        for (std::size_t place = 0; place < texts.lines.size(); ++place) {
            for (std::size_t number = 0; number < texts.predictions; ++number) {
                const std::uint32_t system = systems[texts.systems.empty() ? number : texts.systems[place]];
                const Record record{batch, static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(number), system, NONE};
                if (!add(record)) return false;
            }
        }
        return true;
    }

    std::size_t size() const { return evals_.size(); }

    // Copies evals from a place on, as long as they have the same systems, but at most so many. Returns the systems.
    std::vector<std::uint32_t> copy(std::size_t start, std::size_t most, PlainTexts& texts) {
        rank_systems();
        const std::vector<std::uint32_t> first = records_of(start);
        std::vector<std::uint32_t> systems;
        for (std::uint32_t record : first) systems.push_back(records_[record].system);
        texts.predictions = systems.size();
        texts.have_ids = true;
        const std::size_t end = std::min(evals_.size(), start + most);
        for (std::size_t place = start; place < end; ++place) {
            const std::vector<std::uint32_t> some = place == start ? first : records_of(place);
            const auto is_same = [&](std::uint32_t record, std::uint32_t system) { return records_[record].system == system; };
            if (!std::equal(some.begin(), some.end(), systems.begin(), systems.end(), is_same)) break;
            copy(evals_[place], some, texts);
        }
        return systems;
    }

private:
    static constexpr std::uint32_t NONE = ~std::uint32_t(0);

    struct Batch {
        const PlainTexts* texts;
        std::vector<std::uint32_t> files;
    };

    struct Record {
        std::uint32_t batch, place, number;  // number: of the prediction
        std::uint32_t system;
        std::uint32_t next;  // record of the same eval
    };

    struct Eval {
        std::uint32_t first, last;  // records
        std::size_t number;         // its ID, if there are no others
    };

    const PlainTexts& texts_of(const Record& record) const { return *batches_[record.batch].texts; }

    bool add(const Record& record) {
        const PlainTexts& texts = texts_of(record);
        std::size_t number = 0;
        if (have_ids_) {
            key_ = texts.id(record.place);
        } else {
            if (numbers_.size() <= record.system) numbers_.resize(record.system + 1);
            number = ++numbers_[record.system];
            key_ = std::to_string(number);
        }
        if (apart_) {
            for (std::size_t reference = 0; reference < texts.references(record.place); ++reference) {
                const std::string_view text = texts.reference(record.place, reference);
                key_ += '\0';
                key_ += std::to_string(text.size());
                key_ += ' ';
                key_ += text;
            }
        }
        const auto added = static_cast<std::uint32_t>(records_.size());
        const auto [found, is_new] = places_.try_emplace(key_, static_cast<std::uint32_t>(evals_.size()));
        if (is_new) {
            evals_.push_back({added, added, number});
        } else {
            Eval& eval = evals_[found->second];
            const Record& first = records_[eval.first];
            for (std::uint32_t other = eval.first; other != NONE; other = records_[other].next) {
                if (records_[other].system == record.system) return false;
            }
            if (!apart_ && !texts_of(first).has_references_of(first.place, texts, record.place)) return false;
            records_[eval.last].next = added;
            eval.last = added;
        }
        records_.push_back(record);
        return true;
    }

    // Ranks systems in the order in which the evals name them.
    void rank_systems() {
        if (!ranks_.empty()) return;
        std::uint32_t next = 0;
        for (const Eval& eval : evals_) {
            for (std::uint32_t record = eval.first; record != NONE; record = records_[record].next) {
                const std::uint32_t system = records_[record].system;
                if (ranks_.size() <= system) ranks_.resize(system + 1, NONE);
                if (ranks_[system] == NONE) ranks_[system] = next++;
            }
        }
    }

    // An eval's records by the ranks of their systems.
    std::vector<std::uint32_t> records_of(std::size_t place) const {
        std::vector<std::uint32_t> some;
        for (std::uint32_t record = evals_[place].first; record != NONE; record = records_[record].next) some.push_back(record);
        std::sort(some.begin(), some.end(), [&](std::uint32_t one, std::uint32_t other) {
            return ranks_[records_[one].system] < ranks_[records_[other].system];
        });
        return some;
    }

    void copy(const Eval& eval, const std::vector<std::uint32_t>& some, PlainTexts& texts) const {
        const Record& first = records_[eval.first];
        const PlainTexts& source = texts_of(first);
        texts.add(have_ids_ ? source.id(first.place) : std::string_view(std::to_string(eval.number)));
        texts.origins.push_back(origin(first));
        for (std::uint32_t place : some) {
            const Record& record = records_[place];
            texts.add(texts_of(record).prediction(record.place, record.number));
            texts.origins.push_back(origin(record));
        }
        for (std::size_t reference = 0; reference < source.references(first.place); ++reference) {
            texts.add(source.reference(first.place, reference));
        }
        texts.end(source.lines[first.place]);
    }

    Origin origin(const Record& record) const { return {batches_[record.batch].files[record.number], texts_of(record).lines[record.place]}; }

    bool have_ids_, apart_;
    std::vector<Batch> batches_;
    std::vector<Record> records_;
    std::vector<Eval> evals_;
    std::unordered_map<std::string, std::uint32_t> places_;  // ID -> place of the eval
    std::vector<std::size_t> numbers_;                       // of each system's records in a file
    std::vector<std::uint32_t> ranks_;                       // of systems
    std::string key_;
};

}  // namespace rouge
