// Settings XML of the plainest kind, compiled: the twin of tasks/kinds/settings.py.
//
// The plainest kind is what programs write: ASCII, capitals, each element at most once and with a text, no other
// elements. Everything else, and every error, is left to a real parser.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rouge {

// One EVAL; the line is that of its tag. Files are (ID, path).
struct PlainEval {
    using Files = std::vector<std::pair<std::string_view, std::string>>;

    std::string_view id;
    std::string_view format;
    std::size_t line = 0;
    Files predictions;
    Files references;
};

class PlainSettings {
public:
    explicit PlainSettings(std::string_view data) : rest_(data), counted_(data.data()) {}

    // The EVALs in order; false if the document is of another kind.
    bool read(std::vector<PlainEval>& evals) {
        char other = 0;  // a byte, and no branch: compilers do many at once
        for (char byte : rest_) {
            const bool printed = (byte >= ' ') & (byte <= '~') & (byte != '&');
            other |= !(printed | (byte == '\n') | (byte == '\t') | (byte == '\r'));
        }
        if (other) return false;
        for (std::size_t at = rest_.find('\r'); at < rest_.size() - 1; at = rest_.find('\r', at + 1)) {
            if (rest_[at + 1] != '\n') return false;  // an XML parser takes it for a line end
        }
        if (!declaration()) return false;
        blanks();
        std::string_view name, value;
        if (!take("<") || !word(name) || name.substr(0, 5) != "ROUGE") return false;
        if (blanks() && word(value) && !(take("=") && quoted(value))) return false;
        if (!take(">")) return false;
        blanks();
        while (!take("</")) {
            if (!eval(evals.emplace_back())) return false;
            blanks();
        }
        if (!take(name) || !take(">")) return false;
        blanks();
        return rest_.empty();
    }

private:
    bool take(std::string_view expected) {
        if (rest_.substr(0, expected.size()) != expected) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    bool blanks() {
        const std::size_t size = std::min(rest_.find_first_not_of(" \t\n\r"), rest_.size());
        rest_.remove_prefix(size);
        return size > 0;
    }

    bool word(std::string_view& value) {
        std::size_t size = 0;
        const auto letter = [](char byte) { return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z'); };
        while (size < rest_.size() && (letter(rest_[size]) || (size > 0 && (rest_[size] == '-' || rest_[size] == '_')))) ++size;
        value = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return size > 0;
    }

    // An attribute's value, which must not be empty and in which no white space needs conversion.
    bool quoted(std::string_view& value) {
        if (rest_.empty() || (rest_[0] != '"' && rest_[0] != '\'')) return false;
        const std::size_t end = rest_.find(rest_[0], 1);
        if (end == std::string_view::npos) return false;
        value = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return !value.empty() && value.find_first_of("<\t\n\r") == std::string_view::npos;
    }

    bool declaration() {
        if (!take("<?xml version=\"1.0\"") && !take("<?xml version='1.0'")) return true;
        if (!take(" encoding=\"UTF-8\"")) take(" encoding=\"utf-8\"");
        return take("?>");
    }

    // The tag's only attribute, up to the end of the tag.
    bool tag(std::string_view start, std::string_view& value) { return take(start) && quoted(value); }

    // A text that is not blank, without the white space around it, up to the element's end.
    bool text(std::string_view end, std::string_view& value) {
        const std::size_t size = rest_.find('<');
        if (size == std::string_view::npos) return false;
        value = rest_.substr(0, size);
        rest_.remove_prefix(size);
        const std::size_t first = value.find_first_not_of(" \t\n\r");
        if (first == std::string_view::npos) return false;
        value = value.substr(first, value.find_last_not_of(" \t\n\r") + 1 - first);
        return value.find_first_of("\n\r") == std::string_view::npos && value.find("]]>") == std::string_view::npos && take(end);
    }

    bool eval(PlainEval& made) {
        std::string_view roots[2];
        const char* const here = rest_.data();
        lines_ += static_cast<std::size_t>(std::count(counted_, here, '\n'));
        counted_ = here;
        made.line = lines_ + 1;
        if (!tag("<EVAL ID=", made.id) || !take(">")) return false;
        blanks();
        bool predictions = false, references = false;
        while (!take("</EVAL>")) {
            if (take("<PEER-ROOT>")) {
                if (!roots[0].empty() || !text("</PEER-ROOT>", roots[0])) return false;
            } else if (take("<MODEL-ROOT>")) {
                if (!roots[1].empty() || !text("</MODEL-ROOT>", roots[1])) return false;
            } else if (take("<PEERS>")) {
                if (predictions || !files("<P ID=", "</P>", "</PEERS>", made.predictions)) return false;
                predictions = true;
            } else if (take("<MODELS>")) {
                if (references || !files("<M ID=", "</M>", "</MODELS>", made.references)) return false;
                references = true;
            } else if (!made.format.empty() || !format(made.format)) {
                return false;
            }
            blanks();
        }
        under(roots[0], made.predictions);
        under(roots[1], made.references);
        return true;
    }

    bool format(std::string_view& name) {
        if (!tag("<INPUT-FORMAT TYPE=", name)) return false;
        blanks();
        if (take("/>")) return true;
        if (!take(">")) return false;
        blanks();
        return take("</INPUT-FORMAT>");
    }

    bool files(std::string_view start, std::string_view end, std::string_view last, PlainEval::Files& sources) {
        blanks();
        while (!take(last)) {
            std::string_view id, path;
            if (!tag(start, id) || !take(">") || !text(end, path)) return false;
            sources.emplace_back(id, path);
            blanks();
        }
        return true;
    }

    static void under(std::string_view root, PlainEval::Files& files) {
        std::string path(root);
        path += '/';
        for (auto& file : files) file.second = path + file.second;
    }

    std::string_view rest_;
    const char* counted_;  // the lines before it are
    std::size_t lines_ = 0;
};

// A file list, whose lines name a prediction and its references: the twin of tasks/kinds/list.py. The evals are numbered.
class PlainList {
public:
    PlainList(std::string format, std::string system) : format_(std::move(format)), system_(std::move(system)) {}

    // The evals in order, which keep views of this list; false if a line is incomplete, or the file another kind.
    bool read(std::string_view data, std::vector<PlainEval>& evals) {
        static constexpr std::string_view BLANKS = " \t\v\f\r";
        if (data.find('\0') != data.npos) return false;
        while (!data.empty()) {
            std::string_view line = data.substr(0, data.find('\n'));
            data.remove_prefix(std::min(line.size() + 1, data.size()));
            const bool is_comment = line.substr(0, 1) == "#";
            std::vector<std::string> paths;
            for (std::size_t at; (at = line.find_first_not_of(BLANKS)) != line.npos;) {
                line.remove_prefix(at);
                paths.emplace_back(line.substr(0, line.find_first_of(BLANKS)));
                line.remove_prefix(paths.back().size());
            }
            if (paths.empty() || is_comment) continue;
            if (paths.size() < 2 || paths[0][0] == '<') return false;  // incomplete, or settings
            PlainEval& eval = evals.emplace_back();
            eval.id = number(evals.size());
            eval.format = format_;
            eval.predictions.emplace_back(system_, std::move(paths[0]));
            for (std::size_t reference = 1; reference < paths.size(); ++reference)
                eval.references.emplace_back(number(reference), std::move(paths[reference]));
        }
        return true;
    }

private:
    std::string_view number(std::size_t number) { return ids_.emplace_back(std::to_string(number)); }

    std::string format_, system_;
    std::deque<std::string> ids_;
};

}  // namespace rouge
