"""The drop-in for ROUGE-1.5.5.pl: the same options, the same bytes on stdout."""

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
from rouge_cli.cli import getopt, rouge155_advice, rouge155_options, streams
from rouge_cli.cli.notices import Notices
from rouge_cli.dialects.rouge155 import program as rouge155
from rouge_cli.dialects.rouge155.setup import FORMATS
from rouge_cli.errors import RougeError, UnreadableFile, UsageError
from rouge_cli.io import interrupts
from rouge_cli.reports import Layout, classic
from rouge_cli.runs import parallel
from rouge_cli.runs.evaluation import evaluate, finish
from rouge_cli.text.survey import on_letters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.cli.rouge155_options import Options
    from rouge_cli.core import EvalTask, Notice, Notify, Report

LETTERS = "ahHb:c:de:f:l:mMn:p:st:r:2:3:w:uUvxz:"
NAME = "ROUGE-1.5.5.pl"

JOBS = "ROUGE_CLI_JOBS"
LIST_PEER = "X"  # the default ID of a file list's system

# Perl's exit status when a program dies; for a file that cannot be opened it is the system's error number.
DIED = 255


def main(arguments: Sequence[str] | None = None, home: str | None = None) -> int:
    """Run the drop-in and return its exit status.

    arguments: the command line without the program's name; None for the process's own.
    home: the ROUGE home that started the program, whose data folder needs no word lists of its own.
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
        from rouge_cli.cli.rouge155_help import USAGE

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


def run(home: str | None = None) -> int:
    """Run the drop-in as the process's own program, and return its exit status."""
    streams.install()
    status = main(home=home)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, full, or none
            stream.flush()
    return status


def _run(arguments: Sequence[str], home: str | None) -> int:
    words = getopt.parse(arguments, LETTERS)
    if words.flags & {"h", "H"} or "--help" in arguments[:1]:
        from rouge_cli.cli.rouge155_help import HELP

        streams.emit(HELP)
        return 0
    if "--version" in arguments[:1]:
        streams.emit(f"{NAME} of rouge-cli {__version__}, {native.kernels()} kernels\n")
        return 0
    with _notifier() as notify:  # before any error, which may come of it: -q 3 settings.xml
        for notice in rouge155_advice.unknown(words):
            notify(notice)
    with _notifier() as notify:
        options = rouge155_options.parse(words, home)
        report = _report(words, options, notify)
        for notice in on_letters(report.details):
            notify(notice)
    layout = Layout((), per_eval=options.per_eval, confidence=options.confidence)
    streams.emit(classic.render(report, layout))
    return 0


def _report(words: getopt.Parsed, options: Options, notify: Notify) -> Report:
    """Score what the options request."""
    try:
        tasks = _tasks(options, notify)
    except UnreadableFile as error:
        error.remedy = rouge155_advice.swallowed_remedy(words.values)
        raise
    peer_ids = _peer_ids(options, tasks)
    tasks = rouge155_advice.warn_of_mistakes(words, tasks, peer_ids, notify)
    trace = partial(_say, is_whole=True) if options.debug else None
    if trace:
        for name, value in options.setup._asdict().items():
            trace(f"{name} = {value.__name__ if callable(value) else repr(value)}")
    jobs = _jobs()
    if trace:
        uses = Counter(path for task in tasks for path in task.paths(peer_ids))
        return evaluate(tasks, peer_ids, rouge155.Rouge155(options.setup, uses, notify, trace), notify)
    work = parallel.Work(partial(rouge155.Rouge155, options.setup), peer_ids)
    collected = parallel.collected(work, tasks, notify, jobs=jobs)
    return finish(collected, peer_ids, work.dialect(lambda _: None), notify, jobs)


def _jobs() -> int:
    """Return the number of processes: ROUGE_CLI_JOBS, 0 for all cores, 1 without it."""
    typed = os.environ.get(JOBS, "") or "1"
    if not typed.isdecimal() or len(typed) > 4:
        raise UsageError(f"{JOBS}={typed}: the number of processes is a whole number; 0 for all cores")
    return int(typed)


def _tasks(options: Options, notify: Notify) -> Sequence[EvalTask]:
    if options.list_format is not None:
        from rouge_cli.tasks.kinds import list as file_list

        return file_list.read(options.config, _list_peer(options), options.list_format)
    from rouge_cli.tasks.kinds import settings

    return settings.read(options.config, FORMATS, notify)


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


def _say(message: str, *, is_whole: bool = False) -> None:
    streams.say(message, NAME, is_whole=is_whole)
