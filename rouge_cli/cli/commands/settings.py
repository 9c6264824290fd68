"""`rouge-cli settings`: write settings XML from folders, or check settings."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import click

from rouge_cli import formats
from rouge_cli.cli import inputs, streams
from rouge_cli.cli import output as report
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.option_groups import Conflict, OptionGroup, check_conflicts, flag, option, several, takes
from rouge_cli.core import Document, EvalTask
from rouge_cli.dialects.rouge155 import FORMATS, Setup
from rouge_cli.dialects.rouge155.texts import Preparation
from rouge_cli.errors import RougeError, UnreadableFile, UsageError, shown
from rouge_cli.io import files
from rouge_cli.results._tables import visible
from rouge_cli.tasks.kinds import settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.core import Notice
    from rouge_cli.tasks.kinds.settings import Survey


class SettingsOptions(OptionGroup):
    """Options for writing settings from folders, and for checking settings."""

    conflicts: ClassVar = {
        Conflict.CHECK: "predictions references prediction_pattern reference_pattern read_as jackknife",
        Conflict.CHECK_OF_ALL_SYSTEMS: "output",
        Conflict.NO_CHECK: "format depfile target systems",
        Conflict.NO_DEPFILE: "target systems",
    }
    predictions: str | None = option("--pred DIR", "Folder of predictions; sub-folders are systems.")
    references: str | None = option("--ref DIR", "Folder of references.")
    prediction_pattern: str | None = option(
        "--pred-pattern RE", "Names of prediction files; the group is the eval ID."
    )
    reference_pattern: str | None = option(
        "--ref-pattern RE", "Names of reference files; #ID# is the eval ID."
    )
    read_as: str = option(
        "--read-as FORMAT",
        "Format of the texts: spl (default), see, isi, simple.",
        default="spl",
        type=click.Choice(FORMATS, case_sensitive=False),
    )
    jackknife: bool = flag(
        "--jackknife",
        "Write M evals for M references: every eval leaves out another reference, and scores it.",
    )
    output: str | None = option("-o FILE", "Write to FILE, unless it has the same content already.")
    checked: str | None = option("--check FILE", "Check the settings FILE and report all errors.")
    format: str = option(
        "--format NAME",
        "With --check: text (default) or json.",
        default="text",
        type=click.Choice(("text", "json")),
    )
    depfile: str | None = option(
        "--depfile FILE", "With --check: write a make rule for all files in the settings."
    )
    target: str | None = option(
        "--target NAME", "With --depfile: target of the rule (default: FILE without .d)."
    )
    systems: tuple[str, ...] = several(
        "--system ID",
        "With --check: only this system's files in --depfile, and its evals in -o.",
    )


@click.command("settings")
@takes(SettingsOptions)
def command(options: SettingsOptions) -> None:
    """Write or check settings XML of ROUGE-1.5.5.

    \b
    Examples: rouge-cli settings --pred systems --ref references -o settings.xml
              rouge-cli settings --check settings.xml

    A check prints all errors (cannot be scored), warnings (the scores are probably wrong) and infos, and
    exits with 1 if there are errors. An eval is what is scored together: one topic or document.
    """  # noqa: D301 - click's mark for lines to be kept
    report.check_suffix(options.output, "text", "settings are XML: end the name in .xml")
    if options.checked is not None:
        check_conflicts(
            {
                Conflict.CHECK: True,
                Conflict.CHECK_OF_ALL_SYSTEMS: not options.systems or options.output == files.STDIN,
                Conflict.NO_DEPFILE: options.depfile is None and not options.output,
            }
        )
        _check(options.checked, options)
        return
    if not options.predictions or not options.references:
        raise UsageError("nothing to write", remedy="name --pred DIR and --ref DIR, or --check FILE")
    check_conflicts({Conflict.NO_CHECK: True})
    from rouge_cli.tasks import directories, settings_xml

    with Notices() as notices:
        tasks = directories.read(
            options.predictions,
            options.references,
            options.read_as.lower(),
            prediction_pattern=options.prediction_pattern,
            reference_pattern=options.reference_pattern,
            notify=notices,
        )
        report.check_targets([options.output], inputs.paths(tasks))
        if options.jackknife:
            tasks = list(settings_xml.jackknife(tasks, notices))
        data = settings_xml.render(tasks)
        if options.output in (None, files.STDIN):
            streams.emit(data)
        else:
            _update(str(options.output), data)


def _check(path: str, options: SettingsOptions) -> None:
    """Print the findings, and write the make rules even after errors, so that make reruns the check."""
    checked = check(path)
    text = _render_json(path, checked) if options.format == "json" else _render_text(path, checked)
    systems = {system for task in checked.tasks for system in task.predictions}
    for system in options.systems:
        if systems and system not in systems:
            raise UsageError(
                f"{path} has no system {system}", remedy=f"use one of {', '.join(sorted(systems))}"
            )
    report.check_targets([options.depfile, options.output], [path, *inputs.paths(checked.tasks)])
    source = path
    if options.output is not None and not checked.count("error"):
        _update(options.output, _part(checked.tasks, options.systems))
        source = options.output
    if options.depfile is not None:
        files.write_bytes(options.depfile, _rules(source, checked, options))
    streams.emit(f"{text}\n")
    click.get_current_context().exit(1 if checked.count("error") else 0)


def _part(tasks: Sequence[EvalTask], systems: tuple[str, ...]) -> bytes:
    """Render the settings for these systems only."""
    from rouge_cli.tasks import settings_xml

    subsets = [
        task._replace(
            predictions={
                system: task.predictions[system] for system in systems if task.predictions.get(system)
            }
        )
        for task in tasks
    ]
    return settings_xml.render([task for task in subsets if task.predictions])


def _rules(path: str, checked: Checked, options: SettingsOptions) -> bytes:
    """Render the make rules by which the target depends on the settings and their files."""
    target = options.target or str(options.depfile).removesuffix(".d")
    paths = [] if target == path else [path]
    for task in checked.tasks:
        paths += task.paths(options.systems or task.predictions)
    return inputs.depfile(target, paths).encode("utf-8", "surrogateescape")


def _update(path: str, data: bytes) -> None:
    """Write the file unless it has this content: its time tells make whether the settings changed."""
    if not os.path.isfile(path) or files.read(path, "settings file") != data:
        files.write_bytes(path, data)


def _summary(checked: Checked) -> dict[str, int]:
    numbers = {"evals": len(checked.tasks)}
    return numbers | {f"{level}s": checked.count(level) for level in ("error", "warning", "info")}


def _render_text(path: str, checked: Checked) -> str:
    lines = [visible(f"{where}: {level}: {message}") for where, level, message in checked.findings]
    evals, errors, warnings, infos = _summary(checked).values()
    counts = [(evals, "eval"), (errors, "error"), (warnings, "warning"), (infos, "info")]
    summary = ", ".join(f"{number} {word}{'s' * (number != 1)}" for number, word in counts)
    return "\n".join([*lines, f"{path}: {summary}"])


def _render_json(path: str, checked: Checked) -> str:
    findings = [finding._asdict() for finding in checked.findings]
    return json.dumps(
        {"settings": path, **_summary(checked), "findings": findings}, ensure_ascii=True, indent=2
    )


Level = Literal["error", "warning", "info"]

# With this share of letters outside ASCII, ROUGE-1.5.5 probably misses most words of a text.
HEAVY = 0.1


class Finding(NamedTuple):
    """A finding about settings: an error prevents scoring, a warning probably means wrong scores."""

    where: str  # in the settings, as `path:line`
    level: Level
    message: str


class Checked(NamedTuple):
    """The result of a check."""

    findings: Sequence[Finding]  # in the order of lines
    tasks: Sequence[EvalTask]  # the evals that could be read

    def count(self, level: Level) -> int:
        """Return the number of findings of this level."""
        return sum(finding.level == level for finding in self.findings)


class _Use(NamedTuple):
    """One use of a file in the settings."""

    where: str  # as `path:line`
    role: str  # as in "peer 1 of eval 2"


def check(path: str) -> Checked:
    """Check the settings and every file that they name.

    Raises:
        UnreadableFile: The settings themselves cannot be read.
    """
    try:
        survey = settings.survey(path, FORMATS)
    except UnreadableFile:
        raise
    except RougeError as error:  # not well-formed XML, so nothing else can be checked
        return Checked([Finding(error.where, "error", _message(error))], [])
    findings = [Finding(error.where, "error", _message(error)) for error in survey.problems]
    findings += [Finding(remark.where, "warning", remark.what) for remark in survey.remarks]
    if not survey.tasks:
        findings.append(Finding(f"{path}:1", "error", "no EVAL in it"))
    for task in survey.tasks:
        findings += _eval(task, survey)
    findings += _coverage(survey)
    findings += _texts(survey)
    return Checked(
        sorted(findings, key=lambda finding: int(finding.where.rpartition(":")[2])), survey.tasks
    )


def _eval(task: EvalTask, survey: Survey) -> Iterator[Finding]:
    """Yield the findings about one eval: missing parts, and files that are used twice."""
    named = f"eval {task.eval_id}"
    if not task.predictions:
        yield Finding(task.where, "error", f"{named} has no peers")
    if not task.references:
        yield Finding(task.where, "error", f"{named} has no models")
    if not task.input_format:
        yield Finding(
            task.where, "error", f'{named} has no INPUT-FORMAT; add <INPUT-FORMAT TYPE="SPL"/> or another'
        )
    references: dict[str, str] = {}
    for reference_id, reference in dict(task.references).items():
        where = survey.places[task.eval_id, "model", reference_id]
        other = references.setdefault(os.path.realpath(str(reference)), reference_id)
        if other != reference_id:
            yield Finding(
                where,
                "warning",
                f"{named}: models {other} and {reference_id} are one file: {reference}",
            )
    for system, source in task.predictions.items():
        where = survey.places[task.eval_id, "peer", system]
        if not source:
            yield Finding(where, "warning", f"{named}: peer {system} has no file, and no score here")
        elif same := references.get(os.path.realpath(str(source))):
            message = f"{named}: peer {system} is scored against itself, as model {same}: {source}"
            yield Finding(where, "warning", message)


def _coverage(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for every system that is missing in some evals; for people it is only an info.

    Jackknifed settings leave people out of the other evals.
    """
    people = {reference_id for task in survey.tasks for reference_id, _ in task.references}
    systems = dict.fromkeys(system for task in survey.tasks for system in task.predictions)
    for system in systems:
        missing = [task.eval_id for task in survey.tasks if system not in task.predictions]
        if missing and system not in survey.nameless:
            where = next(
                survey.places[task.eval_id, "peer", system]
                for task in survey.tasks
                if system in task.predictions
            )
            yield Finding(
                where,
                "info" if system in people or system.removeprefix("human ") in people else "warning",
                f"peer {system} is missing in {len(missing)} of {len(survey.tasks)} evals: "
                f"{shown(missing)}",
            )


def _texts(survey: Survey) -> Iterator[Finding]:
    """Yield the findings about files; a file that is used repeatedly is reported at its first use."""
    uses: dict[tuple[str, str], list[_Use]] = {}
    for task in survey.tasks:
        sources = [("peer", *text_id) for text_id in task.predictions.items()]
        sources += [("model", *text_id) for text_id in dict(task.references).items()]
        for side, text_id, source in sources:
            if isinstance(source, str):
                where = survey.places[task.eval_id, side, text_id]
                use = _Use(where, f"{side} {text_id} of eval {task.eval_id}")
                uses.setdefault((source, task.input_format), []).append(use)
    for (path, input_format), uses_of_file in uses.items():
        others = len(uses_of_file) - 1
        more = f" (and in {others} more place{'s' * (others > 1)})" if others else ""
        for level, message in _text(path, input_format, uses_of_file[0].role):
            yield Finding(uses_of_file[0].where, level, message + more)


def _text(path: str, input_format: str, role: str) -> Iterator[tuple[Level, str]]:
    """Yield level and message of the findings about one file."""
    try:
        data = files.read(path, role)
    except UnreadableFile as error:
        yield "error", str(error)
        return
    if input_format not in FORMATS:
        return
    if input_format == "simple":
        yield from _elements(path, data)
    notices = _remarks(path, data, input_format) if input_format != "simple" or not data else []
    yield from (("warning", notice.message) for notice in notices)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        message = f"{path}: not UTF-8 (byte {error.start + 1}); bytes outside ASCII separate words"
        yield "info", message
        return
    letters = sum(map(str.isalnum, text))
    foreign = sum(character.isalnum() and not character.isascii() for character in text)
    if foreign > HEAVY * letters and not notices:
        yield (
            "warning",
            f"{path}: {foreign} of {letters} letters and digits are outside ASCII, and only separate words",
        )


def _remarks(path: str, data: bytes, input_format: str) -> Sequence[Notice]:
    """Return the notices of scoring about the text."""
    notices: list[Notice] = []
    Preparation(Setup(), notices.append).prepare(Document(data, path), _task(input_format))
    return notices


def _elements(path: str, data: bytes) -> Iterator[tuple[Level, str]]:
    """Yield an error for each line that is not a basic element."""
    texts = Preparation(Setup(), lambda _: None)
    for number, line in enumerate(formats.named("simple").read(data).units, 1):
        try:
            texts.prepare(Document(line + b"\n", path), _task("simple"))
        except RougeError as error:  # noqa: PERF203 - every bad line is reported, not only the first
            yield "error", f"{path}:{number}: {_message(error)}"


def _task(input_format: str) -> EvalTask:
    return EvalTask("", {}, (), input_format, "")


def _message(error: RougeError) -> str:
    """Return the error's message without its file and line."""
    return f"{error.what}; {error.remedy}" if error.remedy else error.what
