"""Check settings: report all errors in them, and in the files that they name, together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, NamedTuple

from rouge_cli import formats
from rouge_cli.core import Document, EvalTask
from rouge_cli.dialects.rouge155.program import FORMATS, Setup
from rouge_cli.dialects.rouge155.texts import Preparation
from rouge_cli.errors import RougeError, UnreadableFile, shown
from rouge_cli.io import files
from rouge_cli.tasks.kinds import settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.core import Notice
    from rouge_cli.tasks.kinds.settings import Survey

Level = Literal["error", "warning", "info"]

# With this share of letters, ROUGE-1.5.5 probably misses most words of a text.
HEAVY = 0.1


class Finding(NamedTuple):
    """A finding about settings: an error prevents scoring, a warning probably means wrong scores.

    where: the place in the settings, as `path:line`.
    """

    where: str
    level: Level
    message: str


class Checked(NamedTuple):
    """The findings of a check in the order of lines; `tasks` are the evals that could be read."""

    findings: Sequence[Finding]
    tasks: Sequence[EvalTask]

    def count(self, level: Level) -> int:
        """Return the number of findings of this level."""
        return sum(finding.level == level for finding in self.findings)


class _Use(NamedTuple):
    """A file with its place and role in the settings."""

    where: str
    role: str


def check(path: str) -> Checked:
    """Check the settings, and read every file that they name.

    Raises UnreadableFile if the settings themselves cannot be read.
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
    """Report what one eval lacks or repeats."""
    named = f"eval {task.eval_id}"
    if not task.peers:
        yield Finding(task.where, "error", f"{named} has no peers")
    if not task.models:
        yield Finding(task.where, "error", f"{named} has no models")
    if not task.input_format:
        yield Finding(
            task.where, "error", f'{named} has no INPUT-FORMAT; add <INPUT-FORMAT TYPE="SPL"/> or another'
        )
    models: dict[str, str] = {}
    for model_id, model in dict(task.models).items():
        where = survey.places[task.eval_id, "model", model_id]
        other = models.setdefault(os.path.realpath(str(model)), model_id)
        if other != model_id:
            yield Finding(where, "warning", f"{named}: models {other} and {model_id} are one file: {model}")
    for peer_id, source in task.peers.items():
        where = survey.places[task.eval_id, "peer", peer_id]
        if not source:
            yield Finding(where, "warning", f"{named}: peer {peer_id} has no file, and no score here")
        elif same := models.get(os.path.realpath(str(source))):
            message = f"{named}: peer {peer_id} is scored against itself, as model {same}: {source}"
            yield Finding(where, "warning", message)


def _coverage(survey: Survey) -> Iterator[Finding]:
    """Yield the systems that are not in every eval, except people, whom jackknifing leaves out."""
    people = {model_id for task in survey.tasks for model_id, _ in task.models}
    systems = dict.fromkeys(peer_id for task in survey.tasks for peer_id in task.peers)
    for peer_id in systems:
        missing = [task.eval_id for task in survey.tasks if peer_id not in task.peers]
        if missing and peer_id not in survey.nameless:
            where = next(
                survey.places[task.eval_id, "peer", peer_id]
                for task in survey.tasks
                if peer_id in task.peers
            )
            yield Finding(
                where,
                "info" if peer_id in people or peer_id.removeprefix("human ") in people else "warning",
                f"peer {peer_id} is missing in {len(missing)} of {len(survey.tasks)} evals: "
                f"{shown(missing)}",
            )


def _texts(survey: Survey) -> Iterator[Finding]:
    """Report faults of the files, each once, at its first place."""
    uses: dict[tuple[str, str], list[_Use]] = {}
    for task in survey.tasks:
        sources = [("peer", *text_id) for text_id in task.peers.items()]
        sources += [("model", *text_id) for text_id in dict(task.models).items()]
        for side, text_id, source in sources:
            if isinstance(source, str):
                where = survey.places[task.eval_id, side, text_id]
                use = _Use(where, f"{side} {text_id} of eval {task.eval_id}")
                uses.setdefault((source, task.input_format), []).append(use)
    for (path, input_format), places in uses.items():
        others = len(places) - 1
        more = f" (and in {others} more place{'s' * (others > 1)})" if others else ""
        for level, message in _text(path, input_format, places[0].role):
            yield Finding(places[0].where, level, message + more)


def _text(path: str, input_format: str, role: str) -> Iterator[tuple[Level, str]]:
    """Report the faults of one file."""
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
    """Yield the notices that scoring would give about the text."""
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
    """Return the error's message without its place."""
    return f"{error.what}; {error.remedy}" if error.remedy else error.what
