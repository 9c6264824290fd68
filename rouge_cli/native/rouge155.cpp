// ROUGE-1.5.5.pl as an executable: the twin of cli/rouge155.py for ordinary runs, which starts without an interpreter.
//
// It reads the ordinary options, settings of the plainest kind or a file list, and texts in SEE and SPL. Everything
// else, every warning and every error is left to the Python program, which takes this process over (exec). So nothing
// may be printed before the whole report is known.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <memory>
#include <poll.h>
#include <set>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>
#include <vector>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "classic.hpp"
#include "exact.hpp"
#include "files.hpp"
#include "parallel.hpp"
#include "program.hpp"
#include "resampling.hpp"
#include "scoring.hpp"
#include "settings.hpp"
#include "word_forms.hpp"
#include "word_lists.hpp"  // written by setup.py: VERSION, STOP_LIST, STOP_WORDS, IRREGULAR_FORMS

namespace rouge {
namespace {

constexpr char NAME[] = "ROUGE-1.5.5.pl", PYTHON_PROGRAM[] = "ROUGE-1.5.5.py", HANDOVER[] = "ROUGE_CLI_HANDOVER";
constexpr std::size_t SHORTEST_STEMMED = 4;
constexpr int DIED = 255, INTERRUPTED = 130, CLOSED_PIPE = 141, NOT_HANDED_OVER = 126, NO_PROGRAM = 127;

// Thrown for everything that the Python program does.
struct Unusual {};
void require(bool is_usual) {
    if (!is_usual) throw Unusual();
}

// The value of an environment variable; empty if it is not set, which means the same.
std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string lower(std::string_view text) {
    std::string lowered(text);
    for (char& byte : lowered) byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
    return lowered;
}

// The path without symbolic links; empty if it does not exist.
std::string resolved(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), std::free);
    return real == nullptr ? "" : real.get();
}

// The command line: the twin of cli/rouge155.py.
struct Options {
    std::vector<KernelSpec> metrics;
    std::vector<std::string> labels;
    bool stem, stem_models, drop_stop_words, best_reference, every_system, limit_in_words, per_eval;
    double alpha, confidence, samples, most;  // most: words or bytes of a text; 0 for no limit
    int averaging;
    std::string confidence_as_typed, data_folder, config, system, list_format;  // list_format: empty for settings

    explicit Options(std::vector<std::string> words) {
        parse(words);
        add_metrics();
        stem_models = flag('M');
        stem = flag('m') || stem_models;
        require(!(flag('m') && stem_models));
        drop_stop_words = flag('s');
        per_eval = flag('d');
        require(value('f', "A") == "A" || value('f', "A") == "B");
        best_reference = value('f', "A") == "B";
        alpha = number('p', 0.5, 0, 1);
        confidence = number('c', 95, 0, 100);
        require(confidence == 0 || confidence >= 1);  // between them it is probably not meant in percent
        confidence_as_typed = value('c', "95");
        samples = number('r', 1000, 1, 1e7);
        require(!(has('l') && has('b')));
        limit_in_words = has('l');
        most = number(limit_in_words ? 'l' : 'b', 0, 0, 1e15);
        averaging = static_cast<int>(number('t', 0, 0, 2));
        require(number('t', 0, 0, 2) == averaging);
        data_folder = value('e', "");
        list_format = lower(value('z', ""));
        require(!has('z') || list_format == "spl" || list_format == "see");
        every_system = !has('z') && flag('a');
        require(words.size() == (every_system ? 1 : 2) || (has('z') && words.size() == 1));
        config = words[0];
        system = words.size() == 2 ? words[1] : "X";
        // Reports are in UTF-8, which may not be the locale's encoding. A dash begins an option that is not read.
        for (char byte : system) require(byte >= ' ' && byte <= '~' && system[0] != '-');
    }

private:
    // Perl's Getopt::Std: flags may be clustered; a value is the rest of its word, or the next word.
    void parse(std::vector<std::string>& words) {
        static constexpr std::string_view FLAGS = "admMsuUx", VALUES = "nw2tcprlbefz";
        std::size_t next = 0;
        while (next < words.size() && words[next].size() > 1 && words[next][0] == '-') {
            const std::string word = words[next++];
            if (word == "--") break;
            for (std::size_t at = 1; at < word.size(); ++at) {
                if (FLAGS.find(word[at]) != FLAGS.npos) {
                    flags_.insert(word[at]);
                    continue;
                }
                const bool is_joined = at + 1 < word.size();
                require(VALUES.find(word[at]) != VALUES.npos && (is_joined || next < words.size()));
                values_[word[at]] = is_joined ? word.substr(at + 1) : words[next++];
                break;
            }
        }
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(next));
    }

    void add_metrics() {
        const int longest = static_cast<int>(number('n', 0, -1e5, 1e5));
        for (int n = 1; n <= longest; ++n) add({NGRAM, n, false, 1}, std::to_string(n));
        if (!flag('x')) add({LCS, 0, false, 1}, "L");
        if (has('w')) {
            const double weight = number('w', 0, 0, 2);  // above 2, weights may not fit in doubles (QUIRKS 29)
            require(weight > 0);
            add({WEIGHTED_LCS, 0, false, weight}, "W-" + value('w', ""));
        }
        require(has('2') || !(flag('u') || flag('U')));
        if (has('2')) {
            const double typed = number('2', 0, -1e15, 1e15), farthest = 2147483647;
            const std::int64_t distance = typed < 0 ? -1 : static_cast<std::int64_t>(std::min(typed, farthest));
            const std::string written = typed < 0 ? "*" : value('2', "");
            if (!flag('u')) add({SKIP_BIGRAM, distance, false, 1}, "S" + written);
            if (flag('u') || flag('U')) add({SKIP_BIGRAM, distance, true, 1}, "SU" + written);
        }
        require(!metrics.empty());
    }

    void add(const KernelSpec& spec, const std::string& label) {
        metrics.push_back(spec);
        labels.push_back("ROUGE-" + label);
    }

    bool flag(char letter) const { return flags_.count(letter) > 0; }
    bool has(char letter) const { return values_.count(letter) > 0; }
    std::string value(char letter, const char* usual) const { return has(letter) ? values_.at(letter) : usual; }

    // An option's value, which must be a number in the range. Exponents and blanks are rare, and left to Python.
    double number(char letter, double usual, double least, double highest) const {
        if (!has(letter)) return usual;
        const std::string& typed = values_.at(letter);
        const bool is_signed = typed[0] == '-' || typed[0] == '+';
        std::string digits = typed.substr(is_signed);
        if (digits.find('.') != digits.npos) digits.erase(digits.find('.'), 1);
        require(!digits.empty() && digits.find_first_not_of("0123456789") == digits.npos);
        const double read = std::strtod(typed.c_str(), nullptr);
        require(read >= least && read <= highest);
        return read;
    }

    std::set<char> flags_;
    std::map<char, std::string> values_;
};

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// Hands over unless the lists are the built-in ones, and nothing about them is reported.
void check_data_folder(const Options& options) {
    const bool needs_lists = options.stem || options.drop_stop_words;
    std::string folder = options.data_folder;
    if (folder.empty()) folder = variable("ROUGE_EVAL_HOME");
    if (folder.empty()) folder = variable("RED_EVAL_HOME");
    const std::string stop_list = (folder.empty() ? "." : folder) + "/smart_common_words.txt";
    const std::string forms = (folder.empty() ? "." : folder) + "/WordNet-2.0.exc.db";
    // A home's launcher names its home, whose lists are the built-in ones unless they were replaced (QUIRKS 2).
    const std::string home = variable("ROUGE_CLI_HOME");
    if (!home.empty() && resolved(folder.empty() ? "." : folder) == resolved(home) + "/data") {
        std::vector<char> buffer;
        std::string_view data;
        require(!exists(forms));
        require(!exists(stop_list) || (whole_file(stop_list.c_str(), buffer, data) && data == STOP_LIST));
    } else if (needs_lists) {
        require(folder.empty() && !exists(stop_list) && !exists(forms));
    }
}

// Evals: the twin of tasks/kinds/settings.py and tasks/kinds/list.py.
class Evals {
public:
    explicit Evals(const Options& options) : options_(options), list_(options.list_format, options.system) {
        const std::string& path = options.config;
        const std::string suffix = lower(path.substr(std::min(path.rfind('.'), path.size())));
        require(path != "-" && suffix != ".gz" && suffix != ".bz2" && suffix != ".xz" && suffix != ".zst");
        std::string_view data;
        require(whole_file(path.c_str(), buffer_, data));
        require((options.list_format.empty() ? PlainSettings(data).read(evals) : list_.read(data, evals)) && !evals.empty());
        std::vector<std::string_view> ids;
        for (PlainEval& eval : evals) {
            check(eval);
            ids.push_back(eval.id);
        }
        require(are_different(ids));
    }

    std::vector<PlainEval> evals;  // with the predictions of the systems, in their order
    std::vector<std::string> systems;

private:
    // Keeps the predictions of the systems. Repeated IDs and missing texts are reported; Python reads other formats.
    void check(PlainEval& eval) {
        const std::string format = lower(eval.format);
        require((format == "see" || format == "spl") && !eval.references.empty());
        for (const PlainEval::Files* files : {&eval.predictions, &eval.references}) {
            std::vector<std::string_view> names;
            for (const auto& file : *files) names.push_back(file.first);
            require(are_different(names));
        }
        const auto is_other = [&](const auto& file) { return !options_.every_system && file.first != options_.system; };
        eval.predictions.erase(std::remove_if(eval.predictions.begin(), eval.predictions.end(), is_other), eval.predictions.end());
        std::sort(eval.predictions.begin(), eval.predictions.end());
        if (systems.empty()) for (const auto& file : eval.predictions) systems.emplace_back(file.first);
        const auto is_of = [](const auto& file, const std::string& system) { return file.first == system; };
        require(!systems.empty() && std::equal(eval.predictions.begin(), eval.predictions.end(), systems.begin(), systems.end(), is_of));
    }

    static bool are_different(std::vector<std::string_view>& names) {
        std::sort(names.begin(), names.end());
        return std::adjacent_find(names.begin(), names.end()) == names.end();
    }

    const Options& options_;
    PlainList list_;
    std::vector<char> buffer_;
};

// What a thread scores with.
struct Worker {
    Worker(const Options& options, bool is_scored)
        : forms(rules(options), vocabulary),
          program(options.metrics, std::make_unique<Rouge155Scoring>(options.best_reference, options.alpha, is_scored),
                  options.most > 0 ? std::make_unique<Limit>(options.most, options.limit_in_words) : nullptr, false, vocabulary, options.stem_models) {}

    static FormRules rules(const Options& options) {
        return {options.drop_stop_words ? STOP_WORDS : WordList(), IRREGULAR_FORMS, options.stem, SHORTEST_STEMMED, options.stem_models};
    }

    Vocabulary vocabulary;
    WordForms forms;
    Program program;
};

// Scores and averages: the twin of runs/evaluation.py and dialects/rouge155.
class Run {
public:
    Run(const Options& options, const Evals& evals, std::size_t jobs)
        : options_(options), evals_(evals.evals), systems_(evals.systems), jobs_(jobs) {
        Batch batch;
        batch.stops = true;
        for (const PlainEval& eval : evals_) {
            batch.evals.push_back({eval.references.size(), eval.predictions.size(), lower(eval.format) == "see"});
            for (const PlainEval::Files* files : {&eval.references, &eval.predictions}) {
                for (const auto& file : *files) batch.sources.push_back({file.second, true});
            }
        }
        std::vector<std::unique_ptr<Worker>> workers;
        std::vector<Program*> programs;
        while (workers.size() < threads_of(batch, jobs)) {
            workers.push_back(std::make_unique<Worker>(options, is_scored_));
            programs.push_back(&workers.back()->program);
        }
        run_in_threads(programs, batch);
        require(all_scored(batch));
        rows_ = std::move(batch.rows);
        require(!TextTally::lose_letters(batch.tallies[0], batch.tallies[1]));
    }

    std::string report() const {
        std::string report;
        const std::vector<double> figures = draw_order();
        const std::vector<Interval> averages = options_.averaging == TOTALS ? std::vector<Interval>() : average(figures);
        for (std::size_t system = 0, column = 0; system < systems_.size(); ++system) {
            const std::vector<Named> evals = options_.per_eval ? named(system) : std::vector<Named>();
            for (std::size_t metric = 0; metric < options_.metrics.size(); ++metric, column += FIGURES) {
                const std::string name = systems_[system] + ' ' + options_.labels[metric];
                report += averages.empty() ? lines_of_totals(name, totals(figures, column))
                                           : lines_of_averages(name, options_.confidence_as_typed, &averages[column]);
                if (!options_.per_eval) continue;
                std::vector<NamedEval> of_metric;
                for (const Named& eval : evals) of_metric.emplace_back(eval.first, figures_of(eval.second[metric]));
                report += lines_of_evals(name, std::move(of_metric), is_scored_);
            }
        }
        return report;
    }

private:
    enum Averaging { SCORES, COUNTS, TOTALS };  // -t
    static constexpr double LARGE = 1e15;  // larger sums may need Perl's integers (QUIRKS 29)
    using Named = std::pair<std::string, const Row*>;  // EVAL.PEER, and a row for each metric

    // The evals of a system in the order of drawing, which depends on their names (QUIRKS 28).
    std::vector<Named> named(std::size_t system) const {
        std::vector<Named> named;
        const Row* rows = rows_.data() + system * options_.metrics.size();
        for (const PlainEval& eval : evals_) {
            named.emplace_back(std::string(eval.id) + '.' + systems_[system], rows);
            rows += systems_.size() * options_.metrics.size();
        }
        std::sort(named.begin(), named.end());
        return named;
    }

    Figures figures_of(const Row& row) const {
        return is_scored_ ? Figures{row.recall, row.precision, row.f} : Figures{row.reference, row.prediction, row.match};
    }

    // A row of the figures of all systems for each eval, in the order of drawing.
    std::vector<double> draw_order() const {
        const double additions = static_cast<double>(evals_.size()) * (is_scored_ ? options_.samples : 1);
        const std::size_t metrics = options_.metrics.size();
        std::vector<double> figures(evals_.size() * width_);
        for (std::size_t system = 0; system < systems_.size(); ++system) {
            double* row = figures.data() + system * metrics * FIGURES;
            for (const Named& eval : named(system)) {
                for (std::size_t number = 0; number < metrics * FIGURES; ++number) {
                    row[number] = figures_of(eval.second[number / FIGURES])[number % FIGURES];
                    require(row[number] * additions < LARGE);
                }
                row += width_;
            }
        }
        return figures;
    }

    std::vector<Interval> average(const std::vector<double>& figures) const {
        const auto samples = static_cast<std::size_t>(std::ceil(options_.samples));
        std::vector<double> sums = resampled(figures, evals_.size(), width_, samples, 0, jobs_);
        // Scores of sums of counts are not rounded, and have no root of ROUGE-W (QUIRKS 25).
        for (double* sum = sums.data(); !is_scored_ && sum < sums.data() + sums.size(); sum += FIGURES) {
            const double recall = ratio(sum[2], sum[0]), precision = ratio(sum[2], sum[1]);
            sum[0] = recall;
            sum[1] = precision;
            sum[2] = f_measure(recall, precision, options_.alpha);
        }
        return intervals(sums, width_, is_scored_ ? evals_.size() : 1, options_.samples, options_.confidence, jobs_);
    }

    Figures totals(const std::vector<double>& figures, std::size_t column) const {
        Figures sums = {};
        for (std::size_t at = column; at < figures.size(); at += width_) {
            for (std::size_t figure = 0; figure < FIGURES; ++figure) sums[figure] += figures[at + figure];
        }
        return sums;
    }

    const Options& options_;
    const std::vector<PlainEval>& evals_;
    const std::vector<std::string>& systems_;
    const bool is_scored_ = options_.averaging == SCORES;
    const std::size_t width_ = systems_.size() * options_.metrics.size() * FIGURES;
    const std::size_t jobs_;
    std::vector<Row> rows_;
};

// The process: the twin of io/interrupts.py and cli/streams.py.
extern "C" void end_interrupted(int) {
    static constexpr char MESSAGE[] = "ROUGE-1.5.5.pl: interrupted\n";
    (void)!::write(2, MESSAGE, sizeof MESSAGE - 1);
    ::_exit(INTERRUPTED);
}

// Writes everything, and returns the exit status. If nothing can be written, Python reports why.
int emit(const std::string& report) {
    for (int fault : {SIGPIPE, SIGXFSZ}) ::signal(fault, SIG_IGN);  // these are statuses, not signals
    for (std::size_t done = 0; done < report.size();) {
        const ::ssize_t written = ::write(1, report.data() + done, report.size() - done);
        if (written >= 0) {
            done += static_cast<std::size_t>(written);
        } else if (errno == EAGAIN) {  // a pipe that another process set to non-blocking
            struct pollfd stream = {1, POLLOUT, 0};
            ::poll(&stream, 1, -1);
        } else if (errno != EINTR) {
            if (errno == EPIPE) return CLOSED_PIPE;
            require(done > 0);
            ::dprintf(2, "%s: cannot write the report: %s\n", NAME, std::strerror(errno));
            return DIED;
        }
    }
    return 0;
}

// Becomes the Python program, which is installed beside this executable; with ROUGE_CLI_HANDOVER=fail, ends instead.
[[noreturn]] void hand_over(char** arguments) {
    if (variable(HANDOVER) == "fail") {
        ::dprintf(2, "%s: this run needs %s, and %s=fail; unset it\n", NAME, PYTHON_PROGRAM, HANDOVER);
        ::_exit(NOT_HANDED_OVER);
    }
    std::string own = "/proc/self/exe", called = std::strchr(arguments[0], '/') != nullptr ? arguments[0] : "";
#ifdef __APPLE__
    char path[4096];
    std::uint32_t size = sizeof path;
    if (_NSGetExecutablePath(path, &size) == 0) own = path;
#endif
    // Then beside the link by which it was called: some installers link files to copies elsewhere.
    for (const std::string& place : {resolved(own), resolved(called), called}) {
        if (!place.empty()) ::execv((place.substr(0, place.rfind('/') + 1) + PYTHON_PROGRAM).c_str(), arguments);
    }
    ::execvp(PYTHON_PROGRAM, arguments);
    ::dprintf(2, "%s: %s is not beside this program; install rouge-cli again\n", NAME, PYTHON_PROGRAM);
    ::_exit(NO_PROGRAM);
}

constexpr std::size_t USUAL_THREADS = 4;

int run(const std::vector<std::string>& words) {
    for (int stream : {0, 1, 2}) require(::fcntl(stream, F_GETFD) >= 0);  // none is closed
    require(inexact_arithmetic() == nullptr);
    const std::string jobs = variable("ROUGE_CLI_JOBS"), kernels = variable("ROUGE_CLI_KERNELS");
    require(jobs.size() < 4 && jobs.find_first_not_of("0123456789") == std::string::npos);
    require(kernels == "" || kernels == "compiled");
    const std::string handover = variable(HANDOVER);
    require(handover == "" || handover == "fail");
    const std::string version = std::string(NAME) + " of rouge-cli " + VERSION + ", executable\n";
    if (words.size() == 1 && words[0] == "--version") return emit(version);
    const Options options(words);
    check_data_folder(options);
    const Evals evals(options);
    // As in the program in Python, 0 is for all cores. By default there are a few threads, so that runs beside
    // each other (`make -j`) do not wait for each other's.
    std::size_t most = usable_cores();
    if (jobs != "" && std::stoul(jobs) > 0) most = std::stoul(jobs);
    if (jobs == "") most = std::min(most, USUAL_THREADS);
    struct rlimit open;  // a thread opens one file at a time, beside the three streams
    if (::getrlimit(RLIMIT_NOFILE, &open) == 0) most = std::min<::rlim_t>(most, std::max<::rlim_t>(open.rlim_cur, 4) - 3);
    return emit(Run(options, evals, most).report());
}

}  // namespace
}  // namespace rouge

int main(int count, char** arguments) {
    // An ignored interrupt stays ignored (nohup, background jobs of a script).
    if (std::signal(SIGINT, rouge::end_interrupted) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    try {
        ::_exit(rouge::run({arguments + std::min(count, 1), arguments + count}));  // without freeing memory
    } catch (...) {  // Unusual, or out of memory
        rouge::hand_over(arguments);
    }
}
