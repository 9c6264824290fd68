"""The drop-in for ROUGE-1.5.5.pl: the same options, the same bytes on stdout."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import Counter
from contextlib import contextmanager, suppress
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from rouge_cli import __version__, interrupts, native
from rouge_cli.cli import getopt, rouge155_advice, streams
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.rouge155_help import HELP, USAGE
from rouge_cli.dialects import rouge155
from rouge_cli.errors import RougeError, UnreadableFile, UsageError
from rouge_cli.metrics.basic_elements import BasicElements
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.skip_bigram import SkipBigram
from rouge_cli.reports import Layout, classic
from rouge_cli.runs import parallel
from rouge_cli.runs.evaluation import evaluate, finish
from rouge_cli.runs.remarks import on_letters
from rouge_cli.text import word_lists
from rouge_cli.text.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask, Notice, Notify, Report
    from rouge_cli.metrics._metric import Metric

LETTERS = "ahHb:c:de:f:l:mMn:p:st:r:2:3:w:uUvxz:"
NAME = "ROUGE-1.5.5.pl"

JOBS = "ROUGE_CLI_JOBS"
LIST_PEER = "X"  # the ID of a file list's system, where none is given

# Beyond these a number is a slip of the finger, and would only end the memory.
LONGEST_NGRAM = 100_000
MOST_SAMPLES = 10_000_000

# What Perl exits with when a program dies; a file that cannot be opened gives the system's number.
DIED = 255


class Options(NamedTuple):
    """One command line, understood."""

    setup: rouge155.Setup
    config: str
    peer_id: str | None
    every_peer: bool
    list_format: str | None
    confidence: str
    per_eval: bool
    debug: bool


def main(arguments: Sequence[str] | None = None, home: str | None = None) -> int:
    """Run the drop-in and return its exit status.

    arguments: the command line without the program's name; None for the process's own.
    home: the ROUGE home that started us, whose data folder needs no word lists of its own.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        return _run(arguments, home)
    except streams.ReaderGone as error:
        return error.exit_code
    except UnreadableFile as error:
        _say(str(error))
        return error.errno
    except UsageError as error:
        _say(f"{error}\n{USAGE}")
    except RougeError as error:
        _say(str(error))
    except MemoryError:
        _say("out of memory")
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would end in a traceback
        _say("interrupted")
        return interrupts.STATUS
    return DIED


def run(home: str | None = None) -> NoReturn:
    """Run the drop-in as the process's own program, to whose end there is nothing left to do.

    The interpreter is not taken apart object by object, which takes some percent of a run.
    """
    streams.install()
    gc.disable()  # nor is memory looked through that the system gets back at once
    status = main(home=home)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, full, or none
            stream.flush()
    os._exit(status)


def _run(arguments: Sequence[str], home: str | None) -> int:
    words = getopt.parse(arguments, LETTERS)
    if words.flags & {"h", "H"} or "--help" in arguments[:1]:
        streams.emit(HELP)
        return 0
    if "--version" in arguments[:1]:
        streams.emit(f"{NAME} of rouge-cli {__version__}, {native.kernels()} kernels\n")
        return 0
    with _notifier() as notify:
        for notice in rouge155_advice.unknown(words):
            notify(notice)
        options = _options(words, home)
        report = _report(words, options, notify)
        for notice in on_letters(report.details):
            notify(notice)
    layout = Layout((), per_eval=options.per_eval, confidence=options.confidence)
    streams.emit(classic.render(report, layout))
    return 0


def _report(words: getopt.Parsed, options: Options, notify: Notify) -> Report:
    """Score what the options ask for."""
    try:
        tasks = _tasks(options, notify)
    except UnreadableFile as error:
        error.remedy = rouge155_advice.swallowed(words.values)
        raise
    peer_ids = _peer_ids(options, tasks)
    tasks = rouge155_advice.heed(words, tasks, peer_ids, notify)
    trace = _say if options.debug else None
    if trace:
        for name, value in options.setup._asdict().items():
            trace(f"{name} = {value!r}")
    jobs = _jobs()
    if trace:
        uses = Counter(path for task in tasks for path in task.paths(peer_ids))
        return evaluate(tasks, peer_ids, rouge155.Rouge155(options.setup, uses, notify, trace), notify)
    work = parallel.Work(partial(rouge155.Rouge155, options.setup), peer_ids)
    collected = parallel.collected(work, tasks, notify, jobs=jobs)
    return finish(collected, peer_ids, work.dialect(lambda _: None), notify)


def _jobs() -> int:
    """How many processes score: ROUGE_CLI_JOBS, 0 for all cores, 1 without it."""
    typed = os.environ.get(JOBS, "") or "1"
    if not typed.isdecimal():
        raise UsageError(f"{JOBS}={typed}: the number of processes is a whole number; 0 for all cores")
    return int(typed)


def _options(words: getopt.Parsed, home: str | None) -> Options:
    """What the letters mean; raises UsageError for what makes no sense."""
    typed, flags = words.values, words.flags
    if not words.arguments:
        remedy = rouge155_advice.swallowed(typed)
        raise UsageError("no settings file (or file list) given", remedy=remedy)
    config, *rest = words.arguments
    list_format = typed.get("z")
    if list_format is not None and list_format.lower() not in rouge155.FORMATS:
        raise UsageError(f"-z {list_format}: unknown format; use SEE, SPL, ISI or SIMPLE")
    if list_format is None and "a" not in flags and not rest:
        remedy = (
            rouge155_advice.swallowed(typed) or "give its ID after the settings file, or -a for all systems"
        )
        raise UsageError("no system named", remedy=remedy)
    best = typed.get("f") == "B"
    averaging = _number(typed, "t", 0)
    setup = rouge155.Setup(
        metrics=list(_metrics(typed, flags)),
        stem="m" in flags,
        stem_models="M" in flags,
        drop_stop_words="s" in flags,
        limit=_limit(typed),
        best_model=best,
        alpha=_in_range(typed, "p", 0.5, 1, "weight of precision in F"),
        averaging=int(averaging) if averaging in (1, 2) else rouge155.MEAN_OF_SCORES,
        confidence=_in_range(typed, "c", 95, 100, "confidence level in percent"),
        samples=_samples(typed),
        data_folder=_data_folder(typed, home),
    )
    return Options(
        setup=setup,
        config=config,
        peer_id=rest[0] if rest else None,
        every_peer="a" in flags,
        list_format=list_format and list_format.lower(),
        confidence=typed.get("c", "95"),
        per_eval="d" in flags,
        debug="v" in flags,
    )


def _metrics(typed: Mapping[str, str], flags: set[str]) -> Iterator[Metric]:
    """The metrics in the report's order."""
    longest = _number(typed, "n", 0)
    if longest > LONGEST_NGRAM:
        raise UsageError(f"-n {typed['n']}: n-grams longer than {LONGEST_NGRAM} are not counted")
    for n in range(1, int(longest) + 1):
        yield NGram(n)
    if "x" not in flags and "3" not in typed:
        yield Lcs()
    if "w" in typed:
        weight = _number(typed, "w", 0)
        if weight <= 0:
            raise UsageError(f"-w {typed['w']}: ROUGE-W's weight must be above 0")
        yield WeightedLcs(weight, typed["w"])
    if "2" in typed:
        yield from _skip_bigrams(_number(typed, "2", 0), typed["2"], flags)
    if "3" in typed:
        yield BasicElements(typed["3"])


def _skip_bigrams(value: float, typed: str, flags: set[str]) -> Iterator[SkipBigram]:
    distance = int(value) if value >= 0 else None
    if "u" not in flags:
        yield SkipBigram(distance, unigrams=False, as_typed=typed)
    if flags & {"u", "U"}:
        yield SkipBigram(distance, unigrams=True, as_typed=typed)


def _number(typed: Mapping[str, str], letter: str, default: float) -> float:
    value = getopt.number(typed[letter]) if letter in typed else default
    if not isfinite(value):
        raise UsageError(f"-{letter} {typed[letter]}: a finite number is needed")
    return value


def _in_range(typed: Mapping[str, str], letter: str, default: float, highest: float, what: str) -> float:
    value = _number(typed, letter, default)
    if not 0 <= value <= highest:
        raise UsageError(f"-{letter} {typed[letter]}: the {what} must be between 0 and {highest}")
    return value


def _samples(typed: Mapping[str, str]) -> float:
    samples = _number(typed, "r", 1000)
    if samples < 1:
        raise UsageError(f"-r {typed['r']}: the number of bootstrap samples must be at least 1")
    if samples > MOST_SAMPLES:
        raise UsageError(f"-r {typed['r']}: more than {MOST_SAMPLES} bootstrap samples are not drawn")
    return samples


def _limit(typed: Mapping[str, str]) -> Limit | None:
    if "l" in typed and "b" in typed:
        raise UsageError("-l and -b together: limit the length in words or in bytes, not in both")
    for letter in {"l", "b"} & typed.keys():
        count = _number(typed, letter, 0)
        if count < 0:
            raise UsageError(f"-{letter} {typed[letter]}: the length limit must not be negative")
        return Limit(count, in_words=letter == "l")
    return None


def _data_folder(typed: Mapping[str, str], home: str | None) -> str | None:
    """The data folder that was named, else the current one; None where that holds no list.

    A folder that was named and lacks a list is worth a notice, but not our home's own (QUIRKS 2), whose
    lists are the package's unless somebody replaced them.
    """
    named = typed.get("e") or os.environ.get("ROUGE_EVAL_HOME") or os.environ.get("RED_EVAL_HOME")
    folder = named or "."
    is_ours = home is not None and os.path.realpath(folder) == os.path.join(home, "data")
    if is_ours:
        return folder if word_lists.has_other_lists(folder) else None
    return folder if named or word_lists.in_folder(folder) else None


def _tasks(options: Options, notify: Notify) -> Sequence[EvalTask]:
    if options.list_format is not None:
        from rouge_cli.tasks import file_list

        return file_list.read(options.config, _list_peer(options), options.list_format)
    from rouge_cli.tasks import settings_xml

    return settings_xml.read(options.config, rouge155.FORMATS, notify)


def _list_peer(options: Options) -> str:
    return LIST_PEER if options.peer_id is None else options.peer_id


def _peer_ids(options: Options, tasks: Sequence[EvalTask]) -> Sequence[str]:
    if options.list_format is not None:
        return [_list_peer(options)]
    if options.every_peer or options.peer_id is None:
        return sorted({peer_id for task in tasks for peer_id in task.peers})
    return [options.peer_id]


@contextmanager
def _notifier() -> Iterator[Notify]:
    """Print notices on stderr; with ROUGE_CLI_QUIET=1 only those that the original prints too."""
    quiet = os.environ.get("ROUGE_CLI_QUIET", "0") not in ("", "0")
    with Notices(_say) as notices:

        def notify(notice: Notice) -> None:
            if notice.of_the_original or not quiet:
                notices(notice)

        yield notify


def _say(message: str) -> None:
    streams.say(message, NAME)


if __name__ == "__main__":
    from rouge_cli.__main__ import rouge155 as program

    program()
