// What the extension and the executable share, compiled once: the definitions of counting.hpp, program.hpp and parallel.hpp.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

#include "counting.hpp"
#include "parallel.hpp"
#include "program.hpp"

namespace rouge {

Counting::Counting() = default;
Counting::~Counting() = default;
Counting& Counting::operator=(Counting&&) = default;

CountTable& Counting::count(const std::vector<const Text*>& references, const std::vector<const Text*>& predictions,
                            const std::vector<KernelSpec>& specs) {
    table_.start(predictions.size(), references.size(), specs.size());
    texts_.start(references, predictions);
    bags_.start();
    for (std::size_t metric = 0; metric < specs.size(); ++metric) {
        if (bags_.takes(specs[metric].kind)) bags_.count(texts_, specs[metric], metric, table_);
    }
    sequences_.count(texts_, specs, table_);
    for (std::size_t metric = 0; metric < specs.size(); ++metric) {
        if (specs[metric].kind == DISTINCT_LCS) count_exchanged(references, predictions, {specs[metric]}, metric);
    }
    return table_;
}

void Counting::count_exchanged(const std::vector<const Text*>& references, const std::vector<const Text*>& predictions,
                               const std::vector<KernelSpec>& specs, std::size_t metric) {
    exchanged_.start(references.size(), predictions.size(), 1);
    texts_.start(predictions, references);
    sequences_.count(texts_, specs, exchanged_, true);
    for (std::size_t prediction = 0; prediction < predictions.size(); ++prediction) {
        for (std::size_t reference = 0; reference < references.size(); ++reference) {
            const Counts& counts = exchanged_.at(reference, prediction, 0);
            table_.at(prediction, reference, metric) = {counts.prediction, counts.reference, counts.match};
        }
    }
}

void count_evals(Counting& counting, const std::vector<Text>& texts, std::size_t references, std::size_t predictions,
                 const std::vector<KernelSpec>& specs, std::vector<Counts>& counts) {
    std::vector<const Text*> of_references(references), of_predictions(predictions);
    for (auto text = texts.begin(); text != texts.end();) {
        for (const Text*& reference : of_references) reference = &*text++;
        for (const Text*& prediction : of_predictions) prediction = &*text++;
        const std::vector<Counts>& of_eval = counting.count(of_references, of_predictions, specs).all();
        counts.insert(counts.end(), of_eval.begin(), of_eval.end());
    }
}

void count_pairs(Counting& counting, Vocabulary& vocabulary, const std::vector<Characters>& strings,
                 const std::vector<KernelSpec>& specs, std::vector<Counts>& counts) {
    std::vector<std::string> encoded;
    std::vector<std::string_view> views;
    std::vector<Text> texts;
    views.reserve(strings.size());
    for (const Characters& string : strings) {
        if (string.are_ascii) {
            views.emplace_back(static_cast<const char*>(string.data), string.size);
        } else {
            encoded.resize(strings.size());
            string.append_to(encoded[views.size()], true);
            views.push_back(encoded[views.size()]);
        }
    }
    vocabulary.read(views, texts);
    count_evals(counting, texts, 1, 1, specs, counts);
}

Program::Program(const std::vector<KernelSpec>& specs, std::unique_ptr<Scoring> scoring, std::unique_ptr<Limit> limit, bool folds,
                 Vocabulary& vocabulary, bool stems_references)
    : width_(specs.size()), scoring_(std::move(scoring)), limit_(std::move(limit)), folds_(folds), vocabulary_(vocabulary) {
    for (std::size_t metric = 0; metric < width_; ++metric) {
        Group& group = groups_[stems_references ? stemming_of(specs[metric].kind) : PLAIN];
        group.specs.push_back(specs[metric]);
        group.metrics.push_back(metric);
    }
}

Program::~Program() = default;

void Program::run(Batch& batch) {
    forget();  // also what a failed run left
    plan(batch);
    batch.scored.assign(batch.evals.size(), 0);
    const Source* next = batch.sources.data();
    for (std::size_t number = 0; number < batch.evals.size(); ++number) {
        const EvalSources& eval = batch.evals[number];
        batch.scored[number] = score(eval, next, batch.rows);
        if (!batch.scored[number] && batch.stops) break;
        if (batch.scored[number]) tally(batch, number);
        next += eval.references + eval.predictions;
    }
    forget();
}

void Program::forget() {
    folders_.reset();
    paths_ = Known();
    files_.clear();
}

void Program::plan(const Batch& batch) {
    folders_ = batch.folders;
    for (const Source& source : batch.sources) {
        if (!source.is_path) continue;
        const Token path = token_of(source.bytes);
        std::int32_t number = paths_.find(path);
        if (number == Known::UNKNOWN) {
            number = static_cast<std::int32_t>(files_.size());
            paths_.add(path, number);
            files_.emplace_back();
        }
        ++files_[static_cast<std::size_t>(number)].uses;
    }
}

bool Program::score(const EvalSources& eval, const Source* sources, std::vector<Row>& rows) {
    if (!scoring_->takes(eval.references)) return false;
    const std::size_t size = eval.references + eval.predictions;
    if (texts_.size() < size) texts_.resize(size);
    used_up_.clear();
    references_.clear();
    predictions_.clear();
    for (std::size_t place = 0; place < size; ++place) {
        const Text* text = read(sources[place], eval.is_see, texts_[place]);
        if (text == nullptr) return false;
        (place < eval.references ? references_ : predictions_).push_back(text);
    }
    const std::size_t first = rows.size();
    rows.resize(first + eval.predictions * width_);
    for (Stemming stemming : {PLAIN, CLIPPED, STEMMED}) {
        const Group& group = groups_[stemming];
        if (group.specs.empty()) continue;
        if (stemming != PLAIN) stem_references(stemming);
        CountTable& counts = counting_.count(stemming == PLAIN ? references_ : stemmed_, predictions_, group.specs);
        for (std::size_t prediction = 0; prediction < eval.predictions; ++prediction) {
            Row* const row = rows.data() + first + prediction * width_;
            for (std::size_t place = 0; place < group.specs.size(); ++place) {
                row[group.metrics[place]] = scoring_->row(counts, prediction, eval.references, place, group.specs[place]);
            }
        }
    }
    return true;
}

void Program::stem_references(Stemming stemming) {
    stems_.resize(references_.size());
    stemmed_.clear();
    for (std::size_t place = 0; place < references_.size(); ++place) {
        Text& text = stems_[place] = *references_[place];
        text.first = vocabulary_.stems(text.tokens());
        text.two_readings = text.two_readings || stemming == CLIPPED;
        if (stemming == STEMMED) text.words = vocabulary_.stems(text.words);
        stemmed_.push_back(&text);
    }
}

void Program::tally(Batch& batch, std::size_t number) {
    const EvalSources& eval = batch.evals[number];
    for (std::size_t place = 0; place < eval.references + eval.predictions; ++place) {
        const std::size_t side = place < eval.references;
        const Text& text = side ? *references_[place] : *predictions_[place - eval.references];
        batch.tallies[side].add(text);
        if (batch.first_cut[side] != Batch::NONE || !text.survey.cut_up()) continue;
        batch.first_cut[side] = number;
        batch.text_of_cut[side] = place;
    }
}

const Text* Program::read(const Source& source, bool is_see, Text& own) {
    if (!source.is_path) return make(source.bytes, is_see, own) ? &own : nullptr;
    File& file = files_[static_cast<std::size_t>(paths_.find(token_of(source.bytes)))];
    std::unique_ptr<Text>& text = file.texts[is_see];
    if (text != nullptr) {
        if (--file.uses > 0) return text.get();
        used_up_.push_back(std::move(text));  // until the eval is scored
        return used_up_.back().get();
    }
    std::string_view data;
    if (!folders_->read(std::string(source.bytes), buffer_, data) || !make(data, is_see, own)) return nullptr;
    if (--file.uses == 0) return &own;
    text = std::make_unique<Text>(own);
    return text.get();
}

bool Program::make(std::string_view data, bool is_see, Text& text) {
    const Reading& reading = vocabulary_.reading();
    if (data.find('\0') != std::string_view::npos) return false;
    if ((reading.asks[TOKENS] || reading.asks[LINES]) && !is_plain_utf8(data)) return false;
    if (reading.asks[LINES] && is_see) return false;  // whose sentences may have line ends
    text.words.clear();
    text.ends.clear();
    text.first.clear();
    text.two_readings = false;
    units_.clear();
    if (!(is_see ? see_units(data, units_) : spl_units(data, units_))) return false;
    if (reading.asks[SENTENCES] || !reading.mark.empty()) divide_anew(reading);
    text.units = units_.size();
    text.bytes = 0;
    for (std::string_view unit : units_) text.bytes += unit.size();
    text.survey = Survey();
    if (reading.ascii_only) add_letters(reading, text.survey);
    if (reading.asks[LINES]) return add_lines(text);
    text.two_readings = limit_ != nullptr && !limit_->in_words();
    if (text.two_readings) {
        for (std::string_view unit : limit_->first_reading(units_)) vocabulary_.append(text.first, unit);
    }
    for (std::string_view unit : limit_ == nullptr ? units_ : limit_->second_reading(units_)) {
        const std::size_t size = text.words.size();
        vocabulary_.append(text.words, folds_ ? folded(unit) : unit);
        if (text.words.size() > size) text.ends.push_back(text.words.size());
    }
    return !text.words.empty() && !text.tokens().empty();
}

bool Program::add_lines(Text& text) {
    text.apart = vocabulary_.reading().reads_twice;
    if (text.apart) {  // a line is a sentence: line ends within sentences are blanks
        std::replace(joined_.begin(), joined_.end(), '\n', ' ');
        for (std::string& sentence : sentences_) std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    }
    std::string whole;  // sentences may be views of `joined_`
    join(units_, whole);
    const Answers lines = vocabulary_.ask(LINES, whole);
    for (std::size_t line = 0; line < lines.size(); ++line) {
        const bool is_whole = text.apart && line == 0;
        vocabulary_.append_line(is_whole ? text.first : text.words, lines[line]);
        if (!is_whole) text.ends.push_back(text.words.size());
    }
    text.two_readings = text.apart && text.words != text.first;
    return !text.words.empty();
}

void Program::divide_anew(const Reading& reading) {
    join(units_, joined_);
    if (!reading.asks[SENTENCES]) return divide(joined_, reading.mark, units_);
    sentences_ = vocabulary_.ask(SENTENCES, joined_);
    units_.assign(sentences_.begin(), sentences_.end());
}

void Program::add_letters(const Reading& reading, Survey& survey) {
    if (!reading.asks[NORMALIZED] || std::all_of(units_.begin(), units_.end(), Survey::is_ascii)) return survey.add_letters(units_);
    Units normalized;
    std::string others;
    for (std::string_view unit : units_) {
        if (reading.keeps(unit)) {
            normalized.push_back(unit);
            continue;
        }
        Parts parts(unit, false);
        for (std::string_view part = parts.next(); !part.empty(); part = parts.next()) {
            if (reading.keeps(part)) normalized.push_back(part);
            else others.append(part).append(1, ' ');
        }
    }
    const Answers answers = others.empty() ? Answers() : vocabulary_.ask(NORMALIZED, others);
    normalized.insert(normalized.end(), answers.begin(), answers.end());
    survey.add_letters(normalized);
    survey.has_ascii = std::any_of(units_.begin(), units_.end(), Survey::has_tokens);
}

std::string_view Program::folded(std::string_view unit) {
    static constexpr std::string_view KELVIN = "\xE2\x84\xAA", DOTTED_I = "\xC4\xB0";
    if (unit.find(KELVIN) == std::string_view::npos && unit.find(DOTTED_I) == std::string_view::npos) return unit;
    folded_.clear();
    for (std::size_t at = 0; at < unit.size();) {
        if (unit.substr(at, KELVIN.size()) == KELVIN) {
            folded_ += 'k';
            at += KELVIN.size();
        } else if (unit.substr(at, DOTTED_I.size()) == DOTTED_I) {
            folded_ += "i\xCC\x87";
            at += DOTTED_I.size();
        } else {
            folded_ += unit[at++];
        }
    }
    return folded_;
}

std::size_t usable_cores() {
#ifdef __linux__
    ::cpu_set_t cores;
    if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<std::size_t>(CPU_COUNT(&cores));
#endif
    return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

std::size_t threads_of(const Batch& batch, std::size_t most) {
    constexpr std::size_t WORTH_A_THREAD = 64;  // texts, a millisecond or more
    return std::max<std::size_t>(1, std::min({most, batch.evals.size(), batch.sources.size() / WORTH_A_THREAD + 1}));
}

bool all_scored(const Batch& batch) { return std::find(batch.scored.begin(), batch.scored.end(), 0) == batch.scored.end(); }

namespace {

constexpr std::size_t MOST_AT_ONCE = 1000;  // evals: files that several of them use are kept in memory

// The batch in parts: for several threads large ones first, so that evals that share files are mostly in one part, and
// small ones at the end, so that no thread waits long for the others.
std::vector<Batch> divided(const Batch& batch, std::size_t threads) {
    constexpr std::size_t FEWEST = 4;  // evals
    std::vector<Batch> parts;
    auto eval = batch.evals.begin();
    auto source = batch.sources.begin();
    while (eval != batch.evals.end()) {
        const std::size_t left = static_cast<std::size_t>(batch.evals.end() - eval);
        const std::size_t share = threads > 1 ? std::max(left / (2 * threads), FEWEST) : left;
        Batch part;
        part.folders = batch.folders;
        part.stops = batch.stops;
        part.evals.assign(eval, eval + static_cast<std::ptrdiff_t>(std::min({share, left, MOST_AT_ONCE})));
        std::size_t sources = 0;
        for (const EvalSources& each : part.evals) sources += each.references + each.predictions;
        part.sources.assign(source, source + static_cast<std::ptrdiff_t>(sources));
        eval += static_cast<std::ptrdiff_t>(part.evals.size());
        source += static_cast<std::ptrdiff_t>(sources);
        parts.push_back(std::move(part));
    }
    return parts;
}

// Adds what a part of the batch has become, after the parts before it.
void add_scored(Batch& batch, const Batch& part) {
    for (std::size_t side = 0; side < 2; ++side) {
        batch.tallies[side].add(part.tallies[side]);
        if (batch.first_cut[side] != Batch::NONE || part.first_cut[side] == Batch::NONE) continue;
        batch.first_cut[side] = batch.scored.size() + part.first_cut[side];
        batch.text_of_cut[side] = part.text_of_cut[side];
    }
    batch.scored.insert(batch.scored.end(), part.scored.begin(), part.scored.end());
    batch.rows.insert(batch.rows.end(), part.rows.begin(), part.rows.end());
}

}  // namespace

void run_in_threads(const std::vector<Program*>& programs, Batch& batch) {
    const std::size_t threads = threads_of(batch, programs.size());
    std::vector<std::string_view> paths;
    for (const Source& source : batch.sources) if (source.is_path) paths.push_back(source.bytes);
    batch.folders = std::make_shared<const Folders>(paths);
    if (threads == 1 && batch.evals.size() <= MOST_AT_ONCE) return programs[0]->run(batch);
    std::vector<Batch> parts = divided(batch, threads);
    std::atomic<std::size_t> next(0);
    const auto score = [&](Program& program) {
        try {
            for (std::size_t place; (place = next++) < parts.size();) {
                program.run(parts[place]);
                if (batch.stops && !all_scored(parts[place])) next = parts.size();
            }
        } catch (...) {
            next = parts.size();
            throw;
        }
    };
    std::vector<std::future<void>> others;  // last: they end before what they use
    for (std::size_t other = 1; other < threads; ++other) {
        // Where the system has no thread, the parts are left to the threads that there are.
        others.push_back(std::async(std::launch::async | std::launch::deferred, score, std::ref(*programs[other])));
    }
    score(*programs[0]);
    for (std::future<void>& other : others) other.get();
    for (const Batch& part : parts) add_scored(batch, part);
}

}  // namespace rouge
