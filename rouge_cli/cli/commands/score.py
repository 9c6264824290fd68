"""`rouge-cli score`, `merge` and `verify`: score texts, merge the parts of a run,
repeat a locked run.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, ClassVar, NoReturn

import click

from rouge_cli import metrics, reports, signature
from rouge_cli._version import __version__
from rouge_cli.cli import inputs, output, scoring, streams
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    argument,
    flag,
    named,
    option,
    several,
)
from rouge_cli.cli.output import ReportOptions
from rouge_cli.cli.scoring import RunOptions
from rouge_cli.core import Average
from rouge_cli.errors import FailedGate, RougeError, UsageError, combine
from rouge_cli.errors import shown as first
from rouge_cli.io import files
from rouge_cli.options import users_files
from rouge_cli.results.base import Record, dump
from rouge_cli.results.scores import Results, average_record
from rouge_cli.runs import assembly
from rouge_cli.text.tokenizers import check_tokenizer, unsigned

if TYPE_CHECKING:
    from rouge_cli.results.base import LayoutFields
    from rouge_cli.runs.parts import Parts

SECTION = "Score"


class ScoreOptions(OptionGroup):
    """How to divide the work, and outputs besides the report."""

    section: ClassVar = "Output"
    conflicts: ClassVar = {
        Conflict.STDOUT: "depfile",
        Conflict.SCHEDULER: "jobs",
        Conflict.COUNTS: "lock",
        Conflict.STDIN: "lock",
    }
    depfile: str | None = option(
        "--depfile FILE", "Write a make rule: -o depends on all files read."
    )
    lock: str | None = option("--lock FILE", "Write digests and scores for `verify`.")
    jobs: int = scoring.jobs_option()
    scheduler: str | None = option(
        "--scheduler ADDRESS", "Run on a Dask scheduler; `local` starts one."
    )
    counts: bool = flag("--counts", "Write counts for `rouge-cli merge`, no report.")


@named("score")
def command(
    texts: InputOptions, scored: RunOptions, shown: ReportOptions, options: ScoreOptions
) -> None:
    """\b
    Score predictions against references.
    INPUT is settings XML, a file list, JSON or a table; - is stdin.
    An eval is what is scored together: one topic or document.
    Example: rouge-cli score --pred a.txt --pred b.txt --ref gold.txt -m R1,R2
    """  # noqa: D301, D415 - the help fits a screen; click's mark for lines to be kept
    Conflict.check(
        {
            Conflict.COUNTS: options.counts,
            Conflict.STDIN: any(
                map(
                    files.is_pipe, (*texts.paths, *texts.predictions, *texts.references)
                )
            ),
            Conflict.STDOUT: shown.output in {None, files.STDIN},
            Conflict.SCHEDULER: options.scheduler,
        }
    )
    # Parts may have any suffix.
    output.check(
        shown.replace(format="text") if options.counts else shown,
        samples=scored.samples,
    )
    output.check_plot(shown.plot, shown.output)
    if shown.score_only:
        scored = scored.replace(metrics=(shown.score_only,))
    request = scoring.request(scored)
    with streams.Notices(quiet=request.quiet) as notices:
        source = inputs.read(texts, notices, request.expected)
        run = scoring.run(request, source.systems)
        bounds = output.gates(shown.bounds, request.dialect, run.averages.labels)
        Conflict.check({Conflict.NO_SAMPLES: run.options.get("samples") == 0})
        paths = [*source.paths(), *users_files(run.options)]
        output.check_targets(
            [shown.output, shown.plot, options.depfile, options.lock],
            paths,
            texts.folders,
        )
        run, collected = scoring.score_inputs(
            run, source, request, notices, options.jobs, options.scheduler
        )
        if options.depfile:
            named = [path for path in paths if path != files.STDIN]
            output.write(inputs.depfile(str(shown.output), named), options.depfile)
        if options.counts:
            from rouge_cli.runs import parts

            lines = parts.lines(run.dialect, {**run.options, **run.reading}, collected)
            assembly.remark_sample(run, collected, notices)
            output.write("".join(lines), shown.output)
        else:
            report = assembly.make_report(run, collected, notices)
            columns = output.columns(
                report, request.columns, request.dialect, shown.baseline
            )
            # Before the report: if it cannot be written, no numbers are printed
            if options.lock:
                words = click.get_current_context().meta["words"]
                output.write(dump(_lock(report, words, paths), 2) + "\n", options.lock)
            layout: LayoutFields = {
                "columns": columns,
                "bounds": bounds,
                "confidence": request.confidence,
            }
            output.show(report, shown, notices, layout)
    if bounds:
        output.check_gates(report, reports.Layout(bounds=bounds))


_NO_FILE = f"file:{os.devnull}#e3b0c442"  # with the checksum of an empty file


class MergeOptions(OptionGroup):
    """The parts of a run, and the output."""

    conflicts: ClassVar = {Conflict.ALL_METRICS: "metrics"}
    parts: Words = argument(nargs=-1, required=True, metavar="PART...")
    metrics: Words = several(
        "-m --metric LABEL[.RPF]", "Metrics in tables, such as R1,R2.F; repeatable."
    )
    tokenizer: str | None = option(
        "--tokenizer NAME", "Tokenizer of the parts, if it is MODULE:FUNCTION."
    )
    quiet: bool = flag("--quiet", "Print no warnings.")


@named("merge")
def merge(options: MergeOptions, shown: ReportOptions) -> None:
    """Merge parts of a run into one report.

    A PART is the output of `score --counts`. If the parts are in order, the report is
    the same as that of a single run.

    Example: rouge-cli merge monday.part tuesday.part -o report.json
    """
    from rouge_cli.runs import parts

    output.check(shown)
    Conflict.check({Conflict.ALL_METRICS: not reports.is_table(output.form(shown))})
    output.check_plot(shown.plot, shown.output, options.parts)
    with streams.Notices(quiet=options.quiet) as notices:
        whole = parts.read(options.parts, notices)
        run = _run(whole, options.parts[0], options.tokenizer)
        parts.check_results(whole, options.parts, run.averages)
        bounds = output.gates(shown.bounds, run.dialect, run.averages.labels)
        report = assembly.make_report(run, whole.collected, notices)
        for result in report.results:
            averages = result.average if isinstance(result.average, Average) else ()
            if not all(isfinite(estimate.value) for estimate in averages):
                raise RougeError(
                    f"the counts of system {result.system} give no finite"
                    f" {result.label}"
                )
        labels = (
            [shown.score_only]
            if shown.score_only
            else scoring.split_labels(options.metrics)
        )
        requested = [metrics.figure(label) for label in labels]
        columns = output.columns(report, requested, run.dialect, shown.baseline)
        output.show(report, shown, notices, {"columns": columns, "bounds": bounds})
    output.check_gates(report, reports.Layout(bounds=bounds))


def _run(whole: Parts, path: str, tokenizer: str | None) -> assembly.Run:
    """Set up the run of the parts; raise RougeError, with the path, for options that
    no run has.
    """
    signed = whole.options.get("tokenizer")
    check_tokenizer(signed, tokenizer, path)
    if tokenizer not in {None, signed, unsigned(str(signed))}:
        what = f"--tokenizer {tokenizer} is not the tokenizer of the parts"
        raise UsageError(what, remedy=f"they were made with {signed}")
    harmless = {
        name: _without_files(name, value) for name, value in whole.options.items()
    }
    remedy = "write it again: rouge-cli score --counts"
    wrong = RougeError("not the options of a run", where=path, remedy=remedy)
    if None in harmless.values():
        raise wrong
    try:
        options, reading = signature.split_options(harmless)
        run = assembly.set_up(whole.dialect, options, None)._replace(reading=reading)
    except UsageError as error:  # an error in the file, not on the command line
        raise RougeError(
            error.what, where=error.where or path, remedy=error.remedy
        ) from None
    if {**run.options, **run.reading} != harmless:
        raise wrong
    return run._replace(options=signature.split_options(whole.options)[0])


def _without_files(name: str, value: object) -> object:
    """Return an option's value without the user's files; None for a file without a
    checksum.

    Merging does not need the files, and a part from somebody else must not make us open
    files.
    """
    if not isinstance(value, str):
        return value
    value = re.sub("(?s)^wordnet:.*?(?=,file:|$)", "wordnet", value)
    match = re.search("(?s)(^|,)file:(.*#[0-9a-f]{8}$)?", value)
    if not match:
        return value
    return match[2] and (
        "none"
        if name == "irregular"
        else f"{value[: match.start()]}{match[1]}{_NO_FILE}"
    )


LOCK = "rouge-cli lock 1"
_FIELDS = {
    "schema": str,
    "command": list,
    "signature": str,
    "texts": dict,
    "scores": dict,
}


class VerifyOptions(OptionGroup):
    """The locked run."""

    path: str = argument(metavar="FILE")
    tokenizer: str | None = option(
        "--tokenizer NAME", "Tokenizer of the run, if it is MODULE:FUNCTION."
    )


@named("verify")
def verify(options: VerifyOptions) -> None:
    """Score again what `score --lock FILE` scored.

    The report states whether the numbers, the set-up, the texts or the program changed.
    If any did, the exit status is 3, also if the texts can no longer be scored.
    Paths in FILE are relative to the current folder.

    Example: rouge-cli score run.csv --lock run.lock && rouge-cli verify run.lock
    """
    before = _read_lock(options.path)
    try:
        context = command.make_context(
            "score", list(map(str, before["command"])), help_option_names=[]
        )
    except click.ClickException:
        raise RougeError("not the command of a run", where=options.path) from None
    texts, scored = InputOptions(**context.params), RunOptions(**context.params)
    if label := context.params["score_only"]:
        scored = scored.replace(metrics=(label,))
    with context.scope(), streams.Notices(quiet=True) as notices:
        request = scoring.request(scored)
        locked = request.options.get("tokenizer")
        check_tokenizer(locked, options.tokenizer, options.path)
        if options.tokenizer not in {None, locked}:
            what = (
                f"--tokenizer {options.tokenizer} is not the tokenizer of the"
                " locked run"
            )
            raise UsageError(what, remedy="leave it out")
        try:
            now = _locked_now(texts, request, notices)
        except RougeError as error:
            _report_unscored(before, texts, error, options.path)
    signed = [signature.fields(lock["signature"]) for lock in (before, now)]
    changed = {
        "numbers": _differing(before["scores"], now["scores"]),
        "set-up": [
            name for name in _differing(*signed) if name not in signature.OF_DATA
        ],
        "texts": _differing(before["texts"], now["texts"]),
        "program": [name for name in _differing(*signed) if name == "version"],
    }
    _print_states({what: _state(names) for what, names in changed.items()})
    if any(changed.values()):
        raise _not_the_same(options.path)


def _locked_now(
    texts: InputOptions, request: scoring.Request, notices: streams.Notices
) -> Record:
    """Score the texts again, and return their lock."""
    source = inputs.read(texts, notices, request.expected)
    run = scoring.run(request, source.systems)
    run, collected = scoring.score_inputs(run, source, request, notices, 1, None)
    report = assembly.make_report(run, collected, notices)
    paths = [*source.paths(), *users_files(run.options)]
    lock: Record = json.loads(dump(_lock(report, [], paths)))
    return lock


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
        for root, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                text = os.path.join(root, name)
                if not name.startswith(".") and text not in before["texts"]:
                    changed.append(text)
    if not changed:
        raise error
    version = signature.fields(before["signature"]).get("version")
    _print_states(
        {
            "numbers": "unknown (the texts cannot be scored)",
            "set-up": "unknown",
            "texts": _state(sorted(changed)),
            "program": _state([] if version == __version__ else ["version"]),
        }
    )
    raise combine([error, _not_the_same(path)])


def _digest_if_readable(path: str) -> str | None:
    from hashlib import sha256  # loads OpenSSL

    try:
        return sha256(files.read(path, "text")).hexdigest()
    except RougeError:
        return None


def _state(names: Sequence[str]) -> str:
    return f"changed ({first(names)})" if names else "the same"


def _print_states(states: Mapping[str, str]) -> None:
    streams.emit("".join(f"{what}: {state}\n" for what, state in states.items()))


def _not_the_same(path: str) -> FailedGate:
    return FailedGate("not the same as when the lock was written", where=path)


def _lock(report: Results, words: Sequence[str], paths: Iterable[str]) -> Record:
    """Return what `verify` repeats and compares: the words of the command line,
    digests and scores.
    """
    from hashlib import sha256  # loads OpenSSL

    records = [average_record(result, 1.0) for result in report.results]
    return {
        "schema": LOCK,
        "command": words,
        "signature": report.signature,
        "texts": {path: sha256(files.read(path, "text")).hexdigest() for path in paths},
        "scores": {
            f"{record['system']} {record['metric']}": record for record in records
        },
    }


def _read_lock(path: str) -> Record:
    try:
        lock = json.loads(files.read(path, "lock"))
    except (ValueError, RecursionError):
        lock = None
    is_lock = isinstance(lock, dict) and lock.get("schema") == LOCK
    if not is_lock or not all(
        isinstance(lock.get(name), _FIELDS[name]) for name in _FIELDS
    ):
        remedy = "write it: rouge-cli score INPUT --lock FILE"
        raise RougeError("not a lock of `score`", where=path, remedy=remedy)
    record: Record = lock
    return record


def _differing(before: Record, now: Record) -> list[str]:
    return [name for name in {**before, **now} if before.get(name) != now.get(name)]
