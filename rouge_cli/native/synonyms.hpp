// Single words that match equal words and synonyms, one to one: the twin of `Units.count` in dialects/rouge2/counts.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "texts.hpp"

namespace rouge {

class SynonymMatching {
public:
    // Adds a form, whose id is the number of forms before it: the id of its spelling, and those of its synonyms.
    void add(Id spelling, Ids synonyms) { forms_.push_back({spelling, std::move(synonyms)}); }

    std::size_t size() const { return forms_.size(); }

    // The most matches of the forms of two texts. of_predictions, of_references: whose synonyms match.
    std::size_t count(const Ids& reference, const Ids& prediction, bool of_predictions, bool of_references) {
        references_.start(*this, reference);
        predictions_.start(*this, prediction);
        link(of_predictions, of_references);
        reached_from_.assign(references_.nodes.size(), NONE);
        std::size_t matches = 0;
        for (std::size_t start = 0; start < predictions_.nodes.size(); ++start) {
            // What a search in vain has reached leads nowhere later, either: it stays reached.
            while (predictions_.nodes[start].left > 0 && augment(start)) ++matches;
        }
        return matches;
    }

private:
    static constexpr std::size_t NONE = ~std::size_t(0);

    struct Form {
        Id spelling;
        Ids synonyms;
    };

    // A form of a text, how many of its occurrences have no match, and the next one with its spelling. linked: of a prediction,
    // the forms of the reference that it may match. holders: of a reference, the forms that it matches, one for each match.
    struct Node {
        Id form;
        std::size_t left, next;
        std::vector<std::size_t> linked, holders;
    };

    struct Side {
        std::vector<Node> nodes;
        std::vector<std::size_t> first;  // by spelling, for all spellings that forms of this text have

        void start(const SynonymMatching& all, const Ids& ids) {
            Ids sorted(ids);
            std::sort(sorted.begin(), sorted.end());
            for (const Node& node : nodes) first[all.spelling(node)] = NONE;
            nodes.clear();
            for (Id id : sorted) {
                if (!nodes.empty() && nodes.back().form == id) {
                    ++nodes.back().left;
                    continue;
                }
                nodes.push_back({id, 1, NONE, {}, {}});
                const std::size_t spelling = all.spelling(nodes.back());
                if (spelling >= first.size()) first.resize(2 * spelling + 1024, NONE);
                nodes.back().next = std::exchange(first[spelling], nodes.size() - 1);
            }
        }

        template <class Visit>
        void with_spelling(Id spelling, Visit visit) const {
            const std::size_t place = static_cast<std::size_t>(spelling);
            for (std::size_t at = place < first.size() ? first[place] : NONE; at != NONE; at = nodes[at].next) visit(at);
        }
    };

    std::size_t spelling(const Node& node) const { return static_cast<std::size_t>(form(node).spelling); }

    const Form& form(const Node& node) const { return forms_[static_cast<std::size_t>(node.form)]; }

    void link(bool of_predictions, bool of_references) {
        for (Node& node : predictions_.nodes) {
            const auto add = [&](std::size_t other) { node.linked.push_back(other); };
            references_.with_spelling(form(node).spelling, add);
            if (!of_predictions) continue;
            for (Id synonym : form(node).synonyms) references_.with_spelling(synonym, add);
        }
        for (std::size_t other = 0; of_references && other < references_.nodes.size(); ++other) {
            for (Id synonym : form(references_.nodes[other]).synonyms) {
                predictions_.with_spelling(synonym, [&](std::size_t at) { predictions_.nodes[at].linked.push_back(other); });
            }
        }
    }

    // Adds a match of a form of the prediction, along a shortest path on which others change theirs; false if there is none.
    bool augment(std::size_t start) {
        queue_.assign(1, {start, NONE});
        reached_.clear();
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            for (std::size_t other : predictions_.nodes[queue_[next].first].linked) {
                if (reached_from_[other] != NONE) continue;
                reached_from_[other] = next;
                reached_.push_back(other);
                Node& reference = references_.nodes[other];
                if (reference.left > 0) {
                    --reference.left;
                    --predictions_.nodes[start].left;
                    take(other);
                    for (std::size_t place : reached_) reached_from_[place] = NONE;
                    return true;
                }
                for (std::size_t holder : reference.holders) queue_.push_back({holder, other});
            }
        }
        return false;
    }

    // Gives the last reference of a path to the prediction before it, which leaves its own, and so on.
    void take(std::size_t other) {
        for (;;) {
            const auto [prediction, own] = queue_[reached_from_[other]];
            references_.nodes[other].holders.push_back(prediction);
            if (own == NONE) return;
            std::vector<std::size_t>& holders = references_.nodes[own].holders;
            holders.erase(std::find(holders.begin(), holders.end(), prediction));
            other = own;
        }
    }

    std::vector<Form> forms_;
    Side references_, predictions_;
    std::vector<std::pair<std::size_t, std::size_t>> queue_;  // a form of the prediction, and the reference that it leaves
    std::vector<std::size_t> reached_, reached_from_;         // references; by reference, the place in the queue
};

}  // namespace rouge
