"""`rouge-cli verify`: score again what `score --lock` scored."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NoReturn

import click

from rouge_cli import signature
from rouge_cli._version import __version__
from rouge_cli.cli import inputs, locks, scoring, streams
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.main import group
from rouge_cli.cli.option_groups import OptionGroup, argument, named, option
from rouge_cli.cli.scoring import RunOptions
from rouge_cli.cli.source_options import BesideOptions
from rouge_cli.errors import FailedGate, RougeError, UsageError, combine
from rouge_cli.errors import shown as first
from rouge_cli.io import files
from rouge_cli.io.users_files import users_files
from rouge_cli.results.base import Record, dump
from rouge_cli.runs import assembly
from rouge_cli.text.tokenizers import check_tokenizer

SECTION = "Score"
# The file of an option's value
_FILE = re.compile(r"(?:^|,)file:(.+?)(?:#[0-9a-f]{8})?$", re.DOTALL)


class VerifyOptions(OptionGroup):
    """The locked run."""

    path: str = argument(metavar="FILE")
    tokenizer: str | None = option(
        "--tokenizer NAME", "Tokenizer of the run, if it is MODULE:FUNCTION."
    )


@named("verify")
def command(options: VerifyOptions) -> None:
    """Score again what `score --lock FILE` scored.

    The report states whether the numbers, the set-up, the texts or the program changed.
    If any did, the exit status is 3, also if the texts can no longer be scored.
    Paths in FILE are relative to the current folder.

    Example: rouge-cli score run.csv --lock run.lock && rouge-cli verify run.lock
    """
    before = locks.read(options.path)
    context = _context(before["command"], options.path)
    texts, scored = InputOptions(**context.params), RunOptions(**context.params)
    beside = BesideOptions(**context.params)
    if label := context.params["score_only"]:
        scored = scored.replace(metrics=(label,))
    with context.scope(), streams.Notices(quiet=True) as notices:
        try:
            request = scoring.request(scored)
            if beside.lengths:
                request = scoring.with_lengths(request)
        except UsageError as error:
            raise _of_lock(error, options.path) from None
        _check_tokenizer(request.options.get("tokenizer"), options)
        _check_files([*texts.all_paths, *before["texts"]], request, options.path)
        try:
            now = _locked_now(texts, beside.source, request, notices)
        except RougeError as error:
            _report_unscored(before, texts, error, options.path)
    changed = _changes(before, now)
    _print_states({what: _state(names) for what, names in changed.items()})
    if any(changed.values()):
        raise _not_the_same(options.path)


def _context(words: Sequence[object], path: str) -> click.Context:
    """Return the context of `score` for the words of a lock; raise RougeError, with the
    path, for words that it does not understand.
    """
    score = group.get_command(click.get_current_context(), "score")
    try:
        return score.make_context("score", list(map(str, words)), help_option_names=[])
    except click.ClickException:
        raise RougeError("not the command of a run", where=path) from None


def _of_lock(error: RougeError, path: str) -> RougeError:
    """Return the error with the path of the lock if it is about words of its command
    line: these are data here, and not the user's.
    """
    if not isinstance(error, UsageError):
        return error
    return RougeError(error.what, where=error.where or path, remedy=error.remedy)


def _check_files(paths: Iterable[str], request: scoring.Request, path: str) -> None:
    """Raise RougeError for stdin, a pipe or a device, which no run can lock: they could
    make us wait, or read for ever.
    """
    values = map(str, request.options.values())
    of_options = [match[1] for match in map(_FILE.search, values) if match]
    for name in [*paths, *of_options]:
        is_other = os.path.exists(name) and not os.path.isdir(name)
        if name == files.STDIN or (is_other and not os.path.isfile(name)):
            raise RougeError(
                f"names {files.place(name)}, which is not a regular file", where=path
            )


def _check_tokenizer(locked: object, options: VerifyOptions) -> None:
    """Raise an error for a tokenizer of the user's that is not named again, and for
    another than the locked one.
    """
    check_tokenizer(locked, options.tokenizer, options.path)
    if options.tokenizer not in {None, locked}:
        what = f"--tokenizer {options.tokenizer} is not the tokenizer of the locked run"
        raise UsageError(what, remedy="leave it out")


def _locked_now(
    texts: InputOptions,
    summarized: str | None,
    request: scoring.Request,
    notices: streams.Notices,
) -> Record:
    """Score the texts again, and return their lock."""
    source = inputs.read(texts, notices, request.expected, source=summarized)
    run = scoring.run(request, source.systems)
    run, collected = scoring.score_inputs(run, source, request, notices, 1, None)
    report = assembly.make_report(run, collected, notices)
    paths = [*source.paths(), *users_files(run.options)]
    # As it would be read from a file
    lock: Record = json.loads(dump(locks.of_report(report, [], paths)))
    return lock


def _changes(before: Record, now: Record) -> dict[str, list[str]]:
    """Return what `verify` compares -> the names of what changed."""
    of_signatures = _differing(
        signature.fields(before["signature"]), signature.fields(now["signature"])
    )
    of_program = [name for name in of_signatures if name == "version"]
    of_set_up = [name for name in of_signatures if name not in signature.OF_DATA]
    return {
        "numbers": _differing(before["scores"], now["scores"]),
        "set-up": of_set_up,
        "texts": _differing(before["texts"], now["texts"]),
        "program": of_program,
    }


def _differing(before: Record, now: Record) -> list[str]:
    """Return the names whose values differ; those of `before` come first."""
    return [name for name in {**before, **now} if before.get(name) != now.get(name)]


def _report_unscored(
    before: Record, texts: InputOptions, error: RougeError, path: str
) -> NoReturn:
    """Report the texts that changed since the lock was written, so that they can no
    longer be scored; if none did, the error has another reason.
    """
    changed = []
    for text, digest in before["texts"].items():
        if _digest_if_readable(text) != digest:
            changed.append(text)
    for folder in texts.folders:
        for text in _visible_files(folder):
            if text not in before["texts"]:
                changed.append(text)
    if not changed:
        raise _of_lock(error, path)
    version = signature.fields(before["signature"]).get("version")
    _print_states(
        {
            "numbers": "unknown (the texts cannot be scored)",
            "set-up": "unknown",
            "texts": _state(sorted({*changed})),
            "program": _state([] if version == __version__ else ["version"]),
        }
    )
    raise combine([_of_lock(error, path), _not_the_same(path)])


def _visible_files(folder: str) -> Iterator[str]:
    """Yield the files in a folder and below, without hidden ones."""
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                yield os.path.join(root, name)


def _digest_if_readable(path: str) -> str | None:
    try:
        return locks.digest(path)
    except RougeError:
        return None


def _state(names: Sequence[str]) -> str:
    return f"changed ({first(names)})" if names else "the same"


def _print_states(states: Mapping[str, str]) -> None:
    streams.emit("".join(f"{what}: {state}\n" for what, state in states.items()))


def _not_the_same(path: str) -> FailedGate:
    return FailedGate("not the same as when the lock was written", where=path)
