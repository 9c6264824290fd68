"""`rouge-cli settings`: write settings XML from folders, or look settings over."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

import click

from rouge_cli import files
from rouge_cli.cli import applicability, inputs, streams
from rouge_cli.cli import output as report
from rouge_cli.cli.notices import Notices
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.cli.settings_check import Checked
    from rouge_cli.core import EvalTask

FORMATS = ("spl", "see", "isi", "simple")


@click.command("settings")
@click.option("--peers", metavar="DIR", help="The systems' summaries; sub-folders are systems.")
@click.option("--models", metavar="DIR", help="The summaries to score against.")
@click.option("--peer-pattern", metavar="RE", help="Peer file names; its group is the eval's ID.")
@click.option("--model-pattern", metavar="RE", help="Model file names; #ID# stands for the eval's ID.")
@click.option(
    "--read-as",
    type=click.Choice(FORMATS, case_sensitive=False),
    default="spl",
    show_default=True,
    help="The files' format.",
)
@click.option(
    "--jackknife", is_flag=True, help="For M models M evals without one each, which is a peer there."
)
@click.option(
    "-o", "output", metavar="FILE", help="Write there, not on stdout; a file that holds it already stays."
)
@click.option(
    "--check", "checked", metavar="FILE", help="Say all that is wrong with settings FILE instead."
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="With --check: how its findings are printed.",
)
@click.option(
    "--depfile", "rules", metavar="FILE", help="With --check: write make rules on the files named."
)
@click.option("--target", help="With --depfile: what is made of them.  [default: its FILE without .d]")
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="ID",
    help="With --depfile: only what this system needs; with -o: its part of the settings goes there.",
)
def command(  # noqa: PLR0913, PLR0917 - one parameter an option
    peers: str | None,
    models: str | None,
    peer_pattern: str | None,
    model_pattern: str | None,
    read_as: str,
    jackknife: bool,  # noqa: FBT001 - click's
    output: str | None,
    checked: str | None,
    layout: str,
    rules: str | None,
    target: str | None,
    systems: tuple[str, ...],
) -> None:
    """Write ROUGE-1.5.5 settings XML for folders of summaries, or check settings.

    \b
    Examples: rouge-cli settings --peers systems --models models -o settings.xml
              rouge-cli settings --check settings.xml

    A check prints every error (cannot be scored), warning (likely scores wrongly) and info at once, and
    exits with 1 if there are errors.
    """  # noqa: D301 - click's mark for lines to be kept
    if checked is not None:
        applicability.check(
            "check",
            "" if systems and output != files.STDIN else "check of all systems",
            "no depfile" if rules is None and not output else "",
        )
        _check(checked, layout, Wanted(rules, target, systems, output))
        return
    if not peers or not models:
        raise UsageError(
            "what shall be written?", remedy="give --peers DIR and --models DIR, or --check FILE"
        )
    applicability.check("no check")
    from rouge_cli.tasks import directories, settings_writer

    with Notices() as notices:
        tasks = directories.read(
            peers,
            models,
            read_as.lower(),
            peer_pattern=peer_pattern,
            model_pattern=model_pattern,
            notify=notices,
        )
        report.check_targets([output], inputs.paths(tasks))
        if jackknife:
            tasks = list(settings_writer.jackknifed(tasks, notices))
    data = settings_writer.render(tasks)
    if output in (None, files.STDIN):
        streams.emit(data)
    else:
        _update(str(output), data)


class Wanted(NamedTuple):
    """What a check writes: make rules, with their target; and the part of the settings of some systems."""

    rules: str | None
    target: str | None
    systems: tuple[str, ...]
    part: str | None


def _check(path: str, layout: str, wanted: Wanted) -> None:
    """Print what is found; write the rules even so, that a file which is mended makes make go on."""
    from rouge_cli.cli import settings_check

    found = settings_check.check(path)
    text = _json(path, found) if layout == "json" else _text(path, found)
    known = {peer_id for task in found.tasks for peer_id in task.peers}
    for peer_id in wanted.systems:
        if known and peer_id not in known:
            raise UsageError(
                f"{path} has no system {peer_id}", remedy=f"use one of {', '.join(sorted(known))}"
            )
    report.check_targets([wanted.rules, wanted.part], [path, *inputs.paths(found.tasks)])
    source = path
    if wanted.part is not None and not found.count("error"):
        _update(wanted.part, _part(found.tasks, wanted.systems))
        source = wanted.part
    if wanted.rules is not None:
        files.write_bytes(wanted.rules, _rules(source, found, wanted))
    streams.emit(f"{text}\n")
    click.get_current_context().exit(1 if found.count("error") else 0)


def _part(tasks: Sequence[EvalTask], systems: tuple[str, ...]) -> bytes:
    """Render the evals of these systems, as if there were no others."""
    from rouge_cli.tasks import settings_writer

    subsets = [
        task._replace(
            peers={peer_id: task.peers[peer_id] for peer_id in systems if task.peers.get(peer_id)}
        )
        for task in tasks
    ]
    return settings_writer.render([task for task in subsets if task.peers])


def _rules(path: str, found: Checked, wanted: Wanted) -> bytes:
    """Render the make rules of what is made from the settings at the path."""
    from rouge_cli.cli import depfile

    target = wanted.target or str(wanted.rules).removesuffix(".d")
    paths = [] if target == path else [path]
    for task in found.tasks:
        paths += task.paths(wanted.systems or task.peers)
    return depfile.depfile(target, paths).encode("utf-8", "surrogateescape")


def _update(path: str, data: bytes) -> None:
    """Write the file unless it holds the data already: its time tells make when the settings changed."""
    if not os.path.isfile(path) or files.read(path, "settings file") != data:
        files.write_bytes(path, data)


def _summary(found: Checked) -> dict[str, int]:
    numbers = {"evals": len(found.tasks)}
    return numbers | {f"{level}s": found.count(level) for level in ("error", "warning", "info")}


def _text(path: str, found: Checked) -> str:
    lines = [f"{where}: {level}: {message}" for where, level, message in found.findings]
    evals, errors, warnings, infos = _summary(found).values()
    counts = [(evals, "eval"), (errors, "error"), (warnings, "warning"), (infos, "info")]
    summary = ", ".join(f"{number} {word}{'s' * (number != 1)}" for number, word in counts)
    return "\n".join([*lines, f"{path}: {summary}"])


def _json(path: str, found: Checked) -> str:
    findings = [one._asdict() for one in found.findings]
    return json.dumps(
        {"settings": path, **_summary(found), "findings": findings}, ensure_ascii=True, indent=2
    )
