// Fuzz targets over the compiled readers, for libFuzzer (`make fuzz-native`): -DTARGET=records, table, lines, settings
// or texts. The first byte of an input chooses options. Beside what the sanitizers find, a broken promise of a header
// aborts.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sys/mman.h>

#include "delimited.hpp"
#include "lines.hpp"
#include "parallel.hpp"
#include "records.hpp"
#include "settings.hpp"

using namespace rouge;

namespace {

constexpr std::size_t COLUMNS = 4, BAGS = 4;
const std::vector<KernelSpec> METRICS = {{NGRAM, 1, false, 1}, {NGRAM, 2, false, 1}, {SKIP_BIGRAM, 4, true, 1}, {SKIP_BIGRAM, -1, false, 1},
                                         {LCS, 0, false, 1}, {WEIGHTED_LCS, 0, false, 1.2}, {SENTENCE_LCS, 0, false, 1}};

void require(bool kept, const char* promise) {
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

std::size_t line_ends(std::string_view bytes) { return std::count(bytes.begin(), bytes.end(), '\n'); }

// All that a reader says about the evals, in one string.
std::string shown(const PlainTexts& texts) {
    std::string all;
    for (std::size_t place = 0; place < texts.lines.size(); ++place) {
        all += std::to_string(texts.lines[place]) + '\1';
        if (texts.have_ids) all += texts.id(place), all += '\2';
        for (std::size_t number = 0; number < texts.predictions; ++number) all += texts.prediction(place, number), all += '\3';
        for (std::size_t number = 0; number < texts.references(place); ++number) all += texts.reference(place, number), all += '\4';
    }
    return all;
}

// Reads as Python does: a line that the reader refuses is skipped, as another parser reads it, and reading goes on.
// rest: what is cut off from the end of the block, and read as a block of its own.
template <typename Reader>
std::string read_all(Reader reader, std::string_view block, std::size_t rest) {
    std::string all;
    std::size_t number = 1;
    for (std::string_view part : {block.substr(0, block.size() - rest), block.substr(block.size() - rest)}) {
        for (std::size_t at = 0; at < part.size();) {
            PlainTexts texts;
            const std::size_t start = at, first = number;
            at = reader.read(part, at, number, texts);
            require(at >= start && at <= part.size(), "a reader stays in its block");
            require(at == part.size() || at == 0 || part[at - 1] == '\n', "a reader ends at a line's end");
            const std::string_view read = part.substr(start, at - start);
            require(number - first == line_ends(read) + (!read.empty() && read.back() != '\n'), "lines are counted");
            all += shown(texts);
            if (at == part.size()) break;
            at = std::min(part.find('\n', at), part.size() - 1) + 1;
            ++number;
        }
    }
    return all;
}

[[maybe_unused]] void records(unsigned options, std::string_view block) {
    const PlainRecords reader("peer", options & 1 ? "peer\n" : "model", options & 2 ? "id" : "", options & 4);
    const std::size_t cut = block.rfind('\n', options * block.size() / 256), rest = cut == block.npos ? 0 : block.size() - cut - 1;
    require(read_all(reader, block, 0) == read_all(reader, block, rest), "blocks end anywhere between lines");
}

[[maybe_unused]] void table(unsigned options, std::string_view block) {
    const std::vector<std::size_t> references = options & 1 ? std::vector<std::size_t>{1, 2} : std::vector<std::size_t>{1};
    read_all(PlainTable(options & 2 ? '\t' : ',', 2 + options / 4 % 3 + (options & 1), 0, references, options & 32 ? 2 : COLUMNS + 1), block, 0);
}

[[maybe_unused]] void lines(unsigned options, std::string_view block) {
    std::vector<std::string_view> blocks;
    while (blocks.size() < 1 + options % COLUMNS) {
        const std::size_t size = std::min(block.find('\0'), block.size());
        blocks.push_back(block.substr(0, size));
        block.remove_prefix(std::min(size + 1, block.size()));
    }
    PlainTexts texts;
    texts.predictions = 1 + options / COLUMNS % blocks.size();
    const std::vector<std::size_t> ends = read_lines(blocks, 1, texts);
    for (std::size_t file = 0; file < blocks.size(); ++file) {
        const std::string_view read = blocks[file].substr(0, ends[file]);
        require(line_ends(read) + (!read.empty() && read.back() != '\n') == texts.lines.size(), "all files have the lines");
    }
    shown(texts);
}

[[maybe_unused]] void settings(unsigned, std::string_view data) {
    std::vector<PlainEval> evals;
    if (!PlainSettings(data).read(evals)) return;
    std::size_t line = 0;
    for (const PlainEval& eval : evals) {
        require(eval.line >= line && eval.line <= line_ends(data) + 1, "evals have the lines of their tags");
        line = eval.line;
        for (const auto& file : eval.predictions) require(file.second.find('/') != file.second.npos, "a path has a root");
    }
}

// The words of a vocabulary; each is looked up once. Asked for tokens, it divides at spaces and drops what is not ASCII.
struct Owner {
    std::map<std::string, Id> words;
    Vocabulary vocabulary;

    static bool ask(void*, int question, const char* bytes, std::size_t size, Answers& answers) {
        const std::string text(bytes, size), between = question == TOKENS ? " \n" : ".";
        if (text.find("raise") != text.npos) return false;
        if (question == NORMALIZED) return answers.push_back(text), true;
        for (std::size_t start = 0, end; start <= size; start = end + 1) {
            end = std::min(text.find_first_of(between, start), size);
            std::string answer = text.substr(start, end - start);
            if (question == TOKENS) answer.erase(std::remove_if(answer.begin(), answer.end(), [](char byte) { return byte < 'a' || byte > 'z'; }), answer.end());
            if (!answer.empty()) answers.push_back(answer);
        }
        return true;
    }

    static Id look_up(void* owner, const char* bytes, std::size_t size) {
        const std::string word(bytes, size);
        for (char byte : word) require((byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9'), "words are plain");
        auto& [words, vocabulary] = *static_cast<Owner*>(owner);
        if (word == "fail") throw std::runtime_error(word);
        const bool is_new = words.emplace(word, size == 1 ? Vocabulary::DROPPED : static_cast<Id>(words.size())).second;
        require(!word.empty() && is_new, "a word is looked up once");
        if (words[word] >= 0) vocabulary.set_stem(words[word], words[word] / 2);
        return words[word];
    }
};

// Texts of one eval and its copies, from memory or from files.
[[maybe_unused]] void texts(unsigned options, std::string_view block) {
    Owner owner;
    Vocabulary& vocabulary = owner.vocabulary;
    vocabulary.set_look_up(Owner::look_up, &owner);
    vocabulary.set_ask(Owner::ask, &owner);
    const std::size_t half = std::min(block.find('\0'), block.size());
    if (half > 0 && block[0] >= 'A' && block[0] <= 'Z') {
        const unsigned way = static_cast<unsigned>(block[0] - 'A');
        Reading reading;
        reading.asks[TOKENS] = way & 1;
        reading.is_separable = way & 2;
        reading.by_character = way & 4;
        reading.keeps_ascii = way & 8;
        reading.asks[SENTENCES] = way & 16;
        reading.keeps_letters = way % 3 == 0;
        reading.asks[NORMALIZED] = way % 5 == 0;
        if (way % 7 == 0) reading.mark = "<q>";
        vocabulary.set_reading(reading);
    }
    std::unique_ptr<Scoring> scoring = std::make_unique<PlainScoring>(BEST, HARMONIC, 0);
    if (options & 1) scoring = std::make_unique<Rouge155Scoring>(options & 2, 0.5, true);
    std::unique_ptr<Limit> limit = options & 4 ? std::make_unique<Limit>(options & 8 ? 7 : 40, options & 8) : nullptr;
    Program program(METRICS, std::move(scoring), std::move(limit), options & 2, vocabulary, options & 64);
    const std::string_view sides[] = {block.substr(0, half), block.substr(std::min(half + 1, block.size()))};
    const int file = options & 32 ? ::memfd_create("text", 0) : -1;
    if (file >= 0) require(::write(file, block.data(), block.size()) == static_cast<ssize_t>(block.size()), "the file is written");
    std::vector<std::string> paths;
    for (std::size_t slashes = 1; slashes <= ((options & 0xE0) == 0xE0 ? 70 : 2); ++slashes)
        paths.push_back("/proc/self/fd" + std::string(slashes, '/') + std::to_string(file));
    Batch batch;
    for (std::size_t copy = 0; copy < paths.size(); ++copy) {
        batch.evals.push_back({2, 1, (options & 16) != 0});
        for (std::string_view text : {sides[0], sides[copy % 2], sides[1]})
            batch.sources.push_back(file < 0 ? Source{text, false} : Source{paths[(copy + batch.sources.size()) % paths.size()], true});
    }
    try {
        run_in_threads({&program}, batch);
    } catch (const std::runtime_error&) {
    }
    if (file >= 0) ::close(file);
    for (std::size_t place = 0; place < batch.rows.size(); ++place) {
        const Row& row = batch.rows[place];
        require(row.match >= 0 && row.reference >= 0 && row.prediction >= 0, "counts are not negative");
        if (place % METRICS.size() < BAGS) require(!(row.recall > 1) && !(row.precision > 1), "shares are at most 1");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size == 0) return 0;
    TARGET(data[0], std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1));
    return 0;
}
