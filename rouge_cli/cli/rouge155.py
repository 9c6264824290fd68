"""The drop-in for ROUGE-1.5.5.pl: the same options, the same bytes on stdout.

It also warns of command lines that ROUGE-1.5.5 accepts silently, but probably not as intended. The help
text is a new one: the original's must not be copied (QUIRKS 1).
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from rouge_cli import native
from rouge_cli._version import __version__
from rouge_cli.cli import rouge155_options, streams
from rouge_cli.cli.notices import Notices
from rouge_cli.core import Notice
from rouge_cli.dialects import rouge155
from rouge_cli.dialects.rouge155 import FORMATS
from rouge_cli.errors import RougeError, UnreadableFile, UsageError
from rouge_cli.io import interrupts
from rouge_cli.reports import Layout, classic
from rouge_cli.runs import parallel
from rouge_cli.runs.evaluation import evaluate, finish
from rouge_cli.text.survey import on_letters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.cli.rouge155_options import Options, Parsed
    from rouge_cli.core import EvalTask, Notify, Report


USAGE = """\
usage: ROUGE-1.5.5.pl [OPTIONS] SETTINGS.xml SYSTEM-ID     score one system
       ROUGE-1.5.5.pl [OPTIONS] -a SETTINGS.xml            score all systems
       ROUGE-1.5.5.pl [OPTIONS] -z FORMAT LIST [SYSTEM-ID] score a file list
       ROUGE-1.5.5.pl -h                                   explain all options"""

HELP = f"""{USAGE}

ROUGE-1.5.5 without Perl: scores peer summaries against model summaries and prints
recall, precision and F with bootstrap intervals, byte for byte as the original does.
Options are single letters, may be clustered (-axm), take their value joined (-n4) or
as the next word (-n 4), and end at the first word that is not an option.

What to measure
  -n N       ROUGE-1 to ROUGE-N: overlap of n-grams. Without -n there is no ROUGE-N
  -x         no ROUGE-L; otherwise it is always computed (but not with -3)
  -w W       ROUGE-W: longest common subsequences with runs of k words worth k^W; W > 0.
             1.2 is usual
  -2 D       ROUGE-S: pairs of words with at most D words between; -1 for any number
  -u         with -2: ROUGE-SU instead, pairs and single words
  -U         with -2: both, ROUGE-S and ROUGE-SU
  -3 MODE    ROUGE-BE: basic elements, from input of format SIMPLE. MODE is H (heads), HM
             (head, modifier) or HMR (and relation), which skip elements with nil;
             HM1, HMR1, HMR2 count such elements too (HMR1: but not with a nil modifier)

What to read
  SETTINGS   XML: EVALs with PEER-ROOT, MODEL-ROOT, INPUT-FORMAT TYPE, PEERS and MODELS
  -a         all systems in SETTINGS, in the order of their IDs as strings
  -z FORMAT  read a file list instead: a line is the peer's path and the models' paths.
             The system's ID is SYSTEM-ID, or X
  FORMAT     SEE (HTML with numbered anchors), SPL (one sentence per line), ISI
             (<S SNTNO="1">...</S>), SIMPLE (head|modifier|relation per line)
  -l N       only the first N words of every peer and model
  -b N       only the first N bytes; not together with -l
  -m         stem all words (Porter, after a list of irregular forms)
  -M         stem the models only; not together with -m. No effect on ROUGE-N
  -s         remove stop words
  -e DIR     a data folder with a stop list (smart_common_words.txt) and irregular forms
             (WordNet-2.0.exc.db) of your own; also by the environment variables
             ROUGE_EVAL_HOME and RED_EVAL_HOME. Not needed: both lists are built in

How to score
  -f A|B     several models: A (default) adds up the counts of all, B takes the best model
  -p ALPHA   F = P R / ((1 - ALPHA) P + ALPHA R), ALPHA in 0..1; default 0.5
  -t 0|1|2   0 (default) averages scores over evaluations; 1 adds up the counts of all
             evaluations first; 2 prints these counts only
  -c CF      confidence level in percent, 0..100; default 95
  -r N       number of bootstrap samples; default 1000. The average that is printed is
             the mean of the samples
  -d         also print the scores of each evaluation

Other
  -v         print what is read and counted, on stderr
  -h, -H     print this text

Environment
  ROUGE_CLI_QUIET=1           suppress warnings that the original does not print
  ROUGE_CLI_JOBS=0            score on all cores (N: in N processes)
  ROUGE_CLI_KERNELS=python    count with the readable kernels, not the compiled ones

Exit status: 0 done; 255 wrong usage or data; the system's error number (2: no such file)
if a file cannot be read; 130 interrupted; 141 closed pipe. After an error, stderr has the
reason and stdout is empty.
"""


LETTERS = "ahHb:c:de:f:l:mMn:p:st:r:2:3:w:uUvxz:"
NAME = "ROUGE-1.5.5.pl"

JOBS = "ROUGE_CLI_JOBS"
LIST_PREDICTION = "X"  # the default ID of a file list's system

# Perl's exit status when a program dies. If a file cannot be opened, it is the system's error number.
DIED = 255


def main(arguments: Sequence[str] | None = None, home: str | None = None) -> int:
    """Run the drop-in and return its exit status.

    Args:
        arguments: The command line without the program's name; by default that of the process.
        home: The ROUGE home whose launcher was called; its data folder needs no word lists.
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
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would print a traceback
        _say("interrupted")
        return interrupts.STATUS
    return DIED


def run(home: str | None = None) -> int:
    """Run the drop-in on the command line of the process, and return its exit status."""
    streams.install()
    status = main(home=home)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # the stream is full, closed or None
            stream.flush()
    return status


def _run(arguments: Sequence[str], home: str | None) -> int:
    parsed = rouge155_options.parse(arguments, LETTERS)
    if parsed.flags & {"h", "H"} or "--help" in arguments[:1]:
        streams.emit(HELP)
        return 0
    if "--version" in arguments[:1]:
        streams.emit(f"{NAME} of rouge-cli {__version__}, {native.kernels()} kernels\n")
        return 0
    with _notifier() as notify:  # printed first: an unknown option may cause the error below
        for notice in unknown(parsed):
            notify(notice)
    with _notifier() as notify:
        options = rouge155_options.interpret(parsed, home)
        report = _report(parsed, options, notify)
        for notice in on_letters(report.details):
            notify(notice)
    layout = Layout((), per_eval=options.per_eval, confidence=options.confidence)
    streams.emit(classic.render(report, layout))
    return 0


def _report(parsed: Parsed, options: Options, notify: Notify) -> Report:
    """Score the evals of a command line."""
    try:
        tasks = _tasks(options, notify)
    except UnreadableFile as error:
        error.remedy = rouge155_options.swallowed_remedy(parsed.values)
        raise
    systems = _systems(options, tasks)
    tasks = warn_of_mistakes(parsed, tasks, systems, notify)
    trace = partial(_say, is_whole=True) if options.debug else None
    if trace:
        for name, value in options.setup._asdict().items():
            trace(f"{name} = {value.__name__ if callable(value) else repr(value)}")
    jobs = _jobs()
    if trace:
        uses = Counter(path for task in tasks for path in task.paths(systems))
        return evaluate(tasks, systems, rouge155.Rouge155(options.setup, uses, notify, trace), notify)
    work = parallel.Work(partial(rouge155.Rouge155, options.setup), systems)
    collected = parallel.collected(work, tasks, notify, jobs=jobs)
    return finish(collected, systems, work.dialect(lambda _: None), notify, jobs)


def _jobs() -> int:
    """Return the number of processes by ROUGE_CLI_JOBS; 0 is for all cores, and the default is 1."""
    value = os.environ.get(JOBS, "") or "1"
    if not value.isdecimal() or len(value) > 4:
        raise UsageError(f"{JOBS}={value}: the number of processes is a whole number; 0 for all cores")
    return int(value)


def _tasks(options: Options, notify: Notify) -> Sequence[EvalTask]:
    if options.list_format is not None:
        from rouge_cli.tasks.kinds import list as file_list

        return file_list.read(options.config, _list_prediction(options), options.list_format)
    from rouge_cli.tasks.kinds import settings

    return settings.read(options.config, FORMATS, notify)


def _list_prediction(options: Options) -> str:
    return LIST_PREDICTION if options.system is None else options.system


def _systems(options: Options, tasks: Sequence[EvalTask]) -> Sequence[str]:
    if options.list_format is not None:
        return [_list_prediction(options)]
    if options.every_system or options.system is None:
        return sorted({system for task in tasks for system in task.predictions})
    return [options.system]


@contextmanager
def _notifier() -> Iterator[Notify]:
    """Print notices on stderr; with ROUGE_CLI_QUIET=1, only notices that the original prints too."""
    quiet = os.environ.get("ROUGE_CLI_QUIET", "0") not in ("", "0")
    with Notices(_say) as notices:

        def notify(notice: Notice) -> None:
            if notice.of_the_original or not quiet:
                notices(notice)

        yield notify


def _say(message: str, *, is_whole: bool = False) -> None:
    streams.say(message, NAME, is_whole=is_whole)


NUMBERS = "nw2tcprlb"
MOST_NAMES = 20


def unknown(parsed: Parsed) -> Iterator[Notice]:
    """Yield a notice for every letter that is not an option."""
    for letter in parsed.unknown:
        long = (
            " (an option is one letter: the other letters of the word are options too)"
            if letter == "-"
            else ""
        )
        yield Notice(f"unknown option -{letter} is skipped{long}", of_the_original=True)


def warn_of_mistakes(
    parsed: Parsed, tasks: Sequence[EvalTask], systems: Sequence[str], notify: Notify
) -> Sequence[EvalTask]:
    """Report probable mistakes on the command line, and return the evals that it scores."""
    config, *rest = parsed.arguments
    all_systems = {system for task in tasks for system in task.predictions if task.predictions[system]}
    for notice in _values(parsed):
        notify(notice)
    # A file list has one system. If several IDs follow the list, the original scores nothing.
    scores_nothing = "z" in parsed.values and len(rest) > 1
    if scores_nothing:
        what = f"{' '.join(rest)}: name one system after the list; more words give zeros (QUIRKS 15)"
        notify(Notice(what, of_the_original=True))
    elif any(word.startswith("-") and (word not in all_systems or "z" in parsed.values) for word in rest):
        notify(Notice(f"{' '.join(rest)}: options after {config} are not read; write them before it"))
    elif "a" in parsed.flags and "z" not in parsed.values and rest:
        notify(Notice(f"{' '.join(rest)}: ignored, since -a scores all systems"))
    elif rest[1:]:
        notify(Notice(f"{' '.join(rest[1:])}: ignored, since {rest[0]} alone is scored"))
    if all_systems.isdisjoint(systems):
        notify(_nowhere(config, "".join(systems), sorted(all_systems)))
        return ()
    return () if scores_nothing else tasks


def _values(parsed: Parsed) -> Iterator[Notice]:
    """Yield a notice for every option that is read as another value or has no effect."""
    for letter, value in parsed.values.items():
        if letter in NUMBERS and not rouge155_options.is_number(value):
            yield Notice(f"-{letter} {value}: not a number; read as {rouge155_options.number(value):g}")
    if rouge155_options.number(parsed.values.get("t", "0")) not in (0, 1, 2):
        yield Notice(f"-t {parsed.values['t']}: none of 0, 1 and 2; read as 0")
    if parsed.values.get("f", "A") not in ("A", "B"):
        yield Notice(f"-f {parsed.values['f']}: neither A nor B; read as A")
    if "3" in parsed.values:
        from rouge_cli.metrics.basic_elements import MODES

        mode = parsed.values["3"]
        if mode not in MODES:
            yield Notice(f"-3 {mode}: unknown mode, which counts nothing; use {', '.join(MODES)}")
    if parsed.flags & {"u", "U"} and "2" not in parsed.values:
        yield Notice("-u and -U: without -2 there is no ROUGE-S")
    reads_sentences = "x" not in parsed.flags or parsed.values.keys() & {"w", "2", "3"}
    if parsed.flags >= {"m", "M"} and reads_sentences:
        yield Notice(
            "-m and -M: read as -m; ROUGE-1.5.5 stops stemming peers after the first model (QUIRKS 21)"
        )


def _nowhere(config: str, system: str, systems: Sequence[str]) -> Notice:
    """Return the notice about a system that no eval has, and that gets zeros (QUIRKS 14)."""
    names = ", ".join(systems[:MOST_NAMES]) + (", ..." if len(systems) > MOST_NAMES else "")
    what = (
        f"no system {system!r}, so that it gets zeros; there are {names}" if names else "no eval has a peer"
    )
    return Notice(f"{config}: {what}", of_the_original=True)
