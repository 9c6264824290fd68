"""`rouge-cli settings`: write settings XML from folders, or check settings."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, ClassVar

import click

from rouge_cli.cli import inputs, streams
from rouge_cli.cli import output as report
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.option_groups import Conflict, OptionGroup, check_conflicts, flag, option, several, takes
from rouge_cli.dialects.rouge155.program import FORMATS
from rouge_cli.errors import UsageError
from rouge_cli.io import files
from rouge_cli.results._tables import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.cli.settings_check import Checked
    from rouge_cli.core import EvalTask


class SettingsOptions(OptionGroup):
    """Options for writing settings from folders, and for checking them."""

    conflicts: ClassVar = {
        Conflict.CHECK: "peers models peer_pattern model_pattern read_as jackknife",
        Conflict.CHECK_OF_ALL_SYSTEMS: "output",
        Conflict.NO_CHECK: "format depfile target systems",
        Conflict.NO_DEPFILE: "target systems",
    }
    peers: str | None = option("--peers DIR", "Folder of peers; sub-folders are systems.")
    models: str | None = option("--models DIR", "Folder of models.")
    peer_pattern: str | None = option(
        "--peer-pattern RE", "Names of peer files; the group is the eval's ID."
    )
    model_pattern: str | None = option(
        "--model-pattern RE", "Names of model files; #ID# stands for the eval's ID."
    )
    read_as: str = option(
        "--read-as",
        "Format of the files.",
        default="spl",
        type=click.Choice(FORMATS, case_sensitive=False),
        show_default=True,
    )
    jackknife: bool = flag(
        "--jackknife", "Write M evals for M models: each leaves out one model, which becomes a peer."
    )
    output: str | None = option(
        "-o FILE", "Write to FILE, not to stdout; a file with the same content stays untouched."
    )
    checked: str | None = option("--check FILE", "Check the settings FILE and report all errors.")
    format: str = option(
        "--format",
        "With --check: format of the report.",
        default="text",
        type=click.Choice(("text", "json")),
        show_default=True,
    )
    depfile: str | None = option(
        "--depfile FILE", "With --check: write a make rule for the files that the settings name."
    )
    target: str | None = option(
        "--target", "With --depfile: target of the rule.  [default: its FILE without .d]"
    )
    systems: tuple[str, ...] = several(
        "--system ID",
        "With --depfile: only this system's files. With -o: write its part of the settings.",
    )


@click.command("settings")
@takes(SettingsOptions)
def command(options: SettingsOptions) -> None:
    """Write ROUGE-1.5.5 settings XML for folders of summaries, or check settings.

    \b
    Examples: rouge-cli settings --peers systems --models models -o settings.xml
              rouge-cli settings --check settings.xml

    A check prints every error (cannot be scored), warning (probably scores wrongly) and info together, and
    exits with 1 if there are errors.
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
    if not options.peers or not options.models:
        raise UsageError("nothing to write", remedy="name --peers DIR and --models DIR, or --check FILE")
    check_conflicts({Conflict.NO_CHECK: True})
    from rouge_cli.tasks import directories, settings_xml

    with Notices() as notices:
        tasks = directories.read(
            options.peers,
            options.models,
            options.read_as.lower(),
            peer_pattern=options.peer_pattern,
            model_pattern=options.model_pattern,
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
    """Print the findings; write the rules in any case, so that make continues once a file is mended."""
    from rouge_cli.cli import settings_check

    checked = settings_check.check(path)
    text = _json(path, checked) if options.format == "json" else _text(path, checked)
    peer_ids = {peer_id for task in checked.tasks for peer_id in task.peers}
    for peer_id in options.systems:
        if peer_ids and peer_id not in peer_ids:
            raise UsageError(
                f"{path} has no system {peer_id}", remedy=f"use one of {', '.join(sorted(peer_ids))}"
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
    """Render the evals of these systems, without the others."""
    from rouge_cli.tasks import settings_xml

    subsets = [
        task._replace(
            peers={peer_id: task.peers[peer_id] for peer_id in systems if task.peers.get(peer_id)}
        )
        for task in tasks
    ]
    return settings_xml.render([task for task in subsets if task.peers])


def _rules(path: str, checked: Checked, options: SettingsOptions) -> bytes:
    """Render the make rules of the results of the settings at the path."""
    from rouge_cli.cli import depfile

    target = options.target or str(options.depfile).removesuffix(".d")
    paths = [] if target == path else [path]
    for task in checked.tasks:
        paths += task.paths(options.systems or task.peers)
    return depfile.depfile(target, paths).encode("utf-8", "surrogateescape")


def _update(path: str, data: bytes) -> None:
    """Write the file unless its content is the same: make uses its time to detect changed settings."""
    if not os.path.isfile(path) or files.read(path, "settings file") != data:
        files.write_bytes(path, data)


def _summary(checked: Checked) -> dict[str, int]:
    numbers = {"evals": len(checked.tasks)}
    return numbers | {f"{level}s": checked.count(level) for level in ("error", "warning", "info")}


def _text(path: str, checked: Checked) -> str:
    lines = [visible(f"{where}: {level}: {message}") for where, level, message in checked.findings]
    evals, errors, warnings, infos = _summary(checked).values()
    counts = [(evals, "eval"), (errors, "error"), (warnings, "warning"), (infos, "info")]
    summary = ", ".join(f"{number} {word}{'s' * (number != 1)}" for number, word in counts)
    return "\n".join([*lines, f"{path}: {summary}"])


def _json(path: str, checked: Checked) -> str:
    findings = [finding._asdict() for finding in checked.findings]
    return json.dumps(
        {"settings": path, **_summary(checked), "findings": findings}, ensure_ascii=True, indent=2
    )
