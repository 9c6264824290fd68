"""The drop-in for ROUGE-1.5.5.pl: the same options, the same bytes on stdout.

It also warns of command lines that ROUGE-1.5.5 accepts silently, but probably not as
intended. The help text is a new one: the original's must not be copied (QUIRKS 1).

Options are parsed here because Python's getopt and argparse do not read clusters and
values that begin with a dash as Perl's Getopt::Std does, and twenty years of command
lines rely on Perl's way.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import data, twins
from rouge_cli._version import __version__
from rouge_cli.cli import streams
from rouge_cli.core import EvalTask, Notice, Notify, Report
from rouge_cli.data import word_lists
from rouge_cli.dialects.rouge155 import program as rouge155
from rouge_cli.dialects.rouge155.setup import FORMATS, MEAN_OF_SCORES, Setup
from rouge_cli.errors import RougeError, UnreadableFile, UsageError
from rouge_cli.io import interrupts
from rouge_cli.metrics import Metric, lcs, ngram, skip_bigram
from rouge_cli.metrics.basic_elements import MODES, BasicElements
from rouge_cli.reports import Layout, classic
from rouge_cli.runs import evaluation, parallel
from rouge_cli.tasks import kinds
from rouge_cli.tasks.kinds import settings
from rouge_cli.text.survey import cut_up_message
from rouge_cli.text.tokens import Limit

if TYPE_CHECKING:
    from rouge_cli.runs.evaluation import Make

LETTERS = "ahHb:c:de:f:l:mMn:p:st:r:2:3:w:uUvxz:"
NUMBERS = "nw2tcprlb"  # the options whose values are numbers
NAME = "ROUGE-1.5.5.pl"
JOBS = "ROUGE_CLI_JOBS"
QUIET = "ROUGE_CLI_QUIET"
HANDOVER = "ROUGE_CLI_HANDOVER"  # for the executable: this program hands nothing over
ROLES = "peer", "model"  # the original's words
LIST_PREDICTION = "X"  # the default ID of a file list's system
MOST_NAMES = 20
# Perl's exit status when a program dies. If a file cannot be opened, it is the system's
# error number.
DIED = 255
# Larger numbers are probably typing errors, and would exhaust the memory.
LONGEST_NGRAM = 100_000
MOST_SAMPLES = 10_000_000
USUAL_THREADS = 4  # at most; more only on request
_say = partial(streams.say, program=NAME)
_NUMBER = (
    r"[ \t\n\v\f\r]*([+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|nan))"
)


def main(arguments: Sequence[str] | None = None, home: str | None = None) -> int:
    """Run the drop-in and return its exit status.

    Args:
        arguments: The command line without the program's name; by default that of the
            process.
        home: The ROUGE home whose launcher was called; its data folder needs no word
            lists.
    """
    try:
        return _run(sys.argv[1:] if arguments is None else arguments, home)
    except streams.ReaderGone as error:
        return error.exit_code
    except RougeError as error:
        message = str(error)
        if isinstance(error, UsageError):
            usage, _, _ = help_text().partition("\n\n")
            message += f"\n{usage}"
        _say(message, has_lines=True)
        return error.errno if isinstance(error, UnreadableFile) else DIED
    except MemoryError:
        _say("out of memory")
        return DIED
    except KeyboardInterrupt:
        _say("interrupted")
        return interrupts.STATUS


def help_text() -> str:
    """Return the text of `-h`; its first paragraph is the usage."""
    return data.read("drop_in_help.txt").decode()


def _run(arguments: Sequence[str], home: str | None) -> int:
    parsed = parse(arguments, LETTERS)
    if parsed.flags & {"h", "H"} or "--help" in arguments[:1]:
        streams.emit(help_text())
        return 0
    if "--version" in arguments[:1]:
        streams.emit(f"{NAME} of rouge-cli {__version__}, {twins.kernels()} kernels\n")
        return 0
    # Printed first: an unknown option may cause the error below
    with _notifier() as notify:
        for letter in parsed.unknown:
            what = f"unknown option -{letter} is skipped"
            if letter == "-":
                what += (
                    " (an option is one letter: the other letters of the word are"
                    " options too)"
                )
            notify(Notice(what, of_the_original=True))
    with _notifier() as notify:
        report = _report(parsed, home, notify)
        message = cut_up_message(report.details, names=("peers", "models"))
        if message:
            notify(Notice(message))
    confidence = parsed.values.get("c", "95")
    layout = Layout(per_eval="d" in parsed.flags, confidence=confidence)
    streams.emit(classic.render(report, layout))
    return 0


@contextmanager
def _notifier() -> Iterator[Notify]:
    """Print notices on stderr; in a quiet run, only notices that the original prints
    too.
    """
    quiet = _is_quiet()
    with streams.Notices(_say) as notices:

        def notify(notice: Notice) -> None:
            if notice.of_the_original or not quiet:
                notices(notice)

        yield notify


def _is_quiet() -> bool:
    """Return True if ROUGE_CLI_QUIET withholds our own notices.

    If it is not set, they are withheld where stdout and stderr are one file or pipe:
    its reader expects the lines of the original (`2>&1` before a parser).
    """
    setting = os.environ.get(QUIET, "")
    if setting:
        return setting != "0"
    return streams.are_merged()


def _report(parsed: Parsed, home: str | None, notify: Notify) -> Report:
    if not parsed.arguments:
        raise UsageError(
            "no settings file (or file list) given", remedy=_swallowed(parsed.values)
        )
    config, *rest = parsed.arguments
    list_format = parsed.values.get("z")
    if list_format is not None and list_format.lower() not in FORMATS:
        raise UsageError(
            f"-z {list_format}: unknown format; use SEE, SPL, ISI or SIMPLE"
        )
    if list_format is None and "a" not in parsed.flags and not rest:
        remedy = _swallowed(parsed.values)
        remedy = remedy or "give its ID after the settings file, or -a for all systems"
        raise UsageError("no system named", remedy=remedy)
    setup = _setup(parsed.values, parsed.flags, home)
    systems = rest[:1] or [LIST_PREDICTION]
    tasks: Sequence[EvalTask]
    try:
        if list_format is not None:
            texts = kinds.Texts(list_format.lower(), FORMATS, "", notify)
            tasks = kinds.named(kinds.LIST).tasks(config, systems[0], texts)
        else:
            tasks = settings.read(config, FORMATS, notify)
    except UnreadableFile as error:
        error.remedy = _swallowed(parsed.values)
        raise
    if list_format is None and "a" in parsed.flags:
        systems = sorted({system for task in tasks for system in task.predictions})
    for notice in _doubts(parsed.values, setup):
        notify(notice)
    tasks = _warn_of_mistakes(parsed, tasks, systems, notify)
    typed_jobs = os.environ.get(JOBS, "")
    if typed_jobs and (not typed_jobs.isdecimal() or len(typed_jobs) > 4):
        raise UsageError(
            f"{JOBS}={typed_jobs}: the number of processes is a whole number; 0 for all"
            " cores"
        )
    handover = os.environ.get(HANDOVER, "")
    if handover not in ("", "fail"):
        raise UsageError(f"{HANDOVER}={handover}: unknown; use fail, or leave it unset")
    cores = evaluation.usable_cores()
    threads = int(typed_jobs) or cores if typed_jobs else min(cores, USUAL_THREADS)
    build = partial(rouge155.Rouge155, roles=ROLES)
    if "v" in parsed.flags:
        typed_jobs, trace = "", partial(_say, is_whole=True)
        build = partial(build, trace=trace)
        for name, value in setup._asdict().items():
            trace(f"{name} = {value.__name__ if callable(value) else repr(value)}")
    make = partial(build, setup)
    work = parallel.Work(make, systems, make_some=partial(_of_labels, build, setup))
    division = work.division(work.dialect(notify))
    scorer = work.scorer(notify, division)
    # Without the compiled program there are processes, which are started only on
    # request.
    jobs = 1 if scorer.use_threads(threads) or not typed_jobs else threads
    collected = parallel.collected(
        work, tasks, notify, jobs=jobs, division=division, scorer=scorer
    )
    return evaluation.finish(
        collected, systems, work.dialect(lambda _: None), notify, threads
    )


def _of_labels(
    build: Callable[..., rouge155.Rouge155], setup: Setup, labels: Sequence[str]
) -> Make:
    """Return what makes the program of some of the metrics."""
    metrics = [metric for metric in setup.metrics if metric.label in labels]
    return partial(build, setup._replace(metrics=metrics))


class Parsed(NamedTuple):
    """A parsed command line."""

    values: dict[str, str]  # letter -> value as typed, for options with a value
    flags: set[str]  # letters of options without a value
    unknown: list[str]  # letters that are not options
    arguments: list[str]  # the words after the options


def parse(words: Sequence[str], letters: str) -> Parsed:
    """Parse options up to the first word that is not an option, or up to `--`.

    Flags may be clustered. A value is the rest of its word or the next word, even if it
    begins with a dash. The last value of a repeated option wins.

    Args:
        words: The command line.
        letters: The letters of the options; a colon follows a letter that has a value.
    """
    parsed = Parsed({}, set(), [], list(words))
    rest = parsed.arguments
    while rest and len(rest[0]) > 1 and rest[0].startswith("-"):
        cluster = rest.pop(0)[1:]
        while cluster:
            if cluster == "-":  # `--`, or the end of a cluster such as `-a-`
                return parsed
            letter, cluster = cluster[0], cluster[1:]
            index = letters.find(letter) if letter != ":" else -1
            if index < 0:
                parsed.unknown.append(letter)
            elif letters[index + 1 : index + 2] != ":":
                parsed.flags.add(letter)
            else:
                if not cluster and not rest:
                    raise UsageError(f"option -{letter} needs a value")
                parsed.values[letter] = cluster or rest.pop(0)
                break
    return parsed


def number(text: str) -> tuple[float, bool]:
    """Return the number that Perl reads at the beginning of a string (else 0); True
    if it is all of it.
    """
    if text.isascii() and text.removeprefix("-").replace(".", "", 1).isdecimal():
        return float(text), True
    match = re.match(_NUMBER, text, re.IGNORECASE)
    if not match:
        return 0.0, False
    return float(match[1]), match.end() == len(text)


def _setup(typed: Mapping[str, str], flags: set[str], home: str | None) -> Setup:
    """Return the meaning of the options; raise UsageError for invalid values."""
    averaging = _number(typed, "t", 0)
    samples = _number(typed, "r", 1000)
    setup = Setup(
        metrics=list(_metrics(typed, flags)),
        stem="m" in flags,
        stem_models="M" in flags,
        drop_stop_words="s" in flags,
        limit=_limit(typed),
        best_model=typed.get("f") == "B",
        alpha=_in_range(typed, "p", 0.5, 1, "weight of precision in F"),
        averaging=int(averaging) if averaging in (1, 2) else MEAN_OF_SCORES,
        confidence=_in_range(typed, "c", 95, 100, "confidence level in percent"),
        samples=samples,
        data_folder=_data_folder(typed, home),
    )
    if samples < 1:
        raise UsageError(
            f"-r {typed['r']}: the number of bootstrap samples must be at least 1"
        )
    if samples > MOST_SAMPLES:
        raise UsageError(
            f"-r {typed['r']}: more than {MOST_SAMPLES} bootstrap samples are not drawn"
        )
    return setup


def _swallowed(values: Mapping[str, str]) -> str:
    """Return the remedy if an option took the settings file or another option as its
    value; else ''.
    """
    for letter, value in values.items():
        is_option = value.startswith("-") and value[1:2].isalpha()
        if is_option or os.path.isfile(value) or value.endswith(".xml"):
            return (
                f"option -{letter} took {value!r} as its value: give it one of its own"
            )
    return ""


def _metrics(typed: Mapping[str, str], flags: set[str]) -> Iterator[Metric]:
    """Yield the metrics in the report's order."""
    longest = _number(typed, "n", 0)
    if longest > LONGEST_NGRAM:
        raise UsageError(
            f"-n {typed['n']}: n-grams longer than {LONGEST_NGRAM} are not counted"
        )
    for n in range(1, int(longest) + 1):
        yield ngram.NGram(n)
    if "x" not in flags and "3" not in typed:
        yield lcs.Lcs()
    if "w" in typed:
        weight = _number(typed, "w", 0)
        if weight <= 0:
            raise UsageError(f"-w {typed['w']}: ROUGE-W's weight must be above 0")
        yield lcs.WeightedLcs(weight, typed["w"])
    if "2" in typed:
        value = _number(typed, "2", 0)
        distance = int(value) if value >= 0 else None
        if "u" not in flags:
            yield skip_bigram.SkipBigram(distance, unigrams=False, as_typed=typed["2"])
        if flags & {"u", "U"}:
            yield skip_bigram.SkipBigram(distance, unigrams=True, as_typed=typed["2"])
    if "3" in typed:
        yield BasicElements(typed["3"])


def _number(typed: Mapping[str, str], letter: str, default: float) -> float:
    if letter not in typed:
        return default
    value, _ = number(typed[letter])
    if not isfinite(value):
        raise UsageError(f"-{letter} {typed[letter]}: a finite number is needed")
    return value


def _in_range(
    typed: Mapping[str, str], letter: str, default: float, highest: float, what: str
) -> float:
    value = _number(typed, letter, default)
    if not 0 <= value <= highest:
        raise UsageError(
            f"-{letter} {typed[letter]}: the {what} must be between 0 and {highest}"
        )
    return value


def _limit(typed: Mapping[str, str]) -> Limit | None:
    if "l" in typed and "b" in typed:
        raise UsageError(
            "-l and -b together: limit the length in words or in bytes, not in both"
        )
    for letter in {"l", "b"} & typed.keys():
        count = _number(typed, letter, 0)
        if count < 0:
            raise UsageError(
                f"-{letter} {typed[letter]}: the length limit must not be negative"
            )
        return Limit(count, in_words=letter == "l")
    return None


def _data_folder(typed: Mapping[str, str], home: str | None) -> str | None:
    """Return the data folder whose word lists are used; None for the package's lists.

    It is the folder of -e or of the environment, or else the current folder if it has a
    list. The data folder of a home that `rouge-cli home` wrote counts only if a list in
    it was replaced (QUIRKS 2).
    """
    requested = (
        typed.get("e")
        or os.environ.get("ROUGE_EVAL_HOME")
        or os.environ.get("RED_EVAL_HOME")
    )
    folder = requested or "."
    is_ours = home is not None and os.path.realpath(folder) == os.path.join(
        home, "data"
    )
    is_named = bool(requested) and not is_ours
    return (
        folder if is_named or word_lists.has_lists(folder, replaced=is_ours) else None
    )


def _warn_of_mistakes(
    parsed: Parsed, tasks: Sequence[EvalTask], systems: Sequence[str], notify: Notify
) -> Sequence[EvalTask]:
    """Report probable mistakes on the command line, and return the evals that it
    scores.
    """
    config, *rest = parsed.arguments
    all_systems = set()
    for task in tasks:
        for system, text in task.predictions.items():
            if text:
                all_systems.add(system)
    for notice in _values(parsed):
        notify(notice)
    # A file list has one system. If several IDs follow the list, the original scores
    # nothing.
    scores_nothing = "z" in parsed.values and len(rest) > 1
    if scores_nothing:
        what = (
            f"{' '.join(rest)}: name one system after the list; more words give zeros"
            " (QUIRKS 15)"
        )
        notify(Notice(what, of_the_original=True))
    elif any(
        word.startswith("-") and (word not in all_systems or "z" in parsed.values)
        for word in rest
    ):
        notify(
            Notice(
                f"{' '.join(rest)}: options after {config} are not read; write them"
                " before it"
            )
        )
    elif "a" in parsed.flags and "z" not in parsed.values and rest:
        notify(Notice(f"{' '.join(rest)}: ignored, since -a scores all systems"))
    elif rest[1:]:
        notify(
            Notice(f"{' '.join(rest[1:])}: ignored, since {rest[0]} alone is scored")
        )
    if all_systems.isdisjoint(systems):  # it gets zeros (QUIRKS 14)
        what = "no eval has a peer"
        if any(all_systems):
            names = sorted(all_systems)[:MOST_NAMES]
            if len(all_systems) > MOST_NAMES:
                names.append("...")
            what = (
                f"no peer {''.join(systems)!r}, so that it gets zeros; there are"
                f" {', '.join(names)}"
            )
        notify(Notice(f"{config}: {what}", of_the_original=True))
        return ()
    return () if scores_nothing else tasks


def _doubts(typed: Mapping[str, str], setup: Setup) -> Iterator[Notice]:
    """Yield a notice for values that are valid, but probably meant otherwise."""
    if 0 < setup.confidence < 1:
        level = typed["c"]
        yield Notice(
            f"-c {level}: the confidence level is in percent, so this is {level}%; for"
            f" {100 * setup.confidence:g}%, write -c {100 * setup.confidence:g}"
        )
    if not setup.metrics:
        yield Notice(
            "no metric, so that nothing is scored or printed; add -n 2, or leave -x out"
        )


def _values(parsed: Parsed) -> Iterator[Notice]:
    """Yield a notice for every option that is read as another value or has no
    effect.
    """
    for letter, value in parsed.values.items():
        read, is_all_of_it = number(value)
        if letter in NUMBERS and not is_all_of_it:
            yield Notice(f"-{letter} {value}: not a number; read as {read:g}")
    averaging, _ = number(parsed.values.get("t", "0"))
    if averaging not in (0, 1, 2):
        yield Notice(f"-t {parsed.values['t']}: none of 0, 1 and 2; read as 0")
    if parsed.values.get("f", "A") not in ("A", "B"):
        yield Notice(f"-f {parsed.values['f']}: neither A nor B; read as A")
    if "3" in parsed.values:
        mode = parsed.values["3"]
        if mode not in MODES:
            yield Notice(
                f"-3 {mode}: unknown mode, which counts nothing; use {', '.join(MODES)}"
            )
    if parsed.flags & {"u", "U"} and "2" not in parsed.values:
        yield Notice("-u and -U: without -2 there is no ROUGE-S")
    reads_sentences = "x" not in parsed.flags or parsed.values.keys() & {"w", "2", "3"}
    if parsed.flags >= {"m", "M"} and reads_sentences:
        yield Notice(
            "-m and -M: read as -m; ROUGE-1.5.5 stops stemming peers after the first"
            " model (QUIRKS 21)"
        )
