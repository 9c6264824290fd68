"""`rouge-cli merge`: merge the parts of a run, which `score --counts` writes."""

from __future__ import annotations

import os
import re
from math import isfinite
from typing import TYPE_CHECKING, ClassVar

from rouge_cli import metrics, reports, signature
from rouge_cli.cli import output, scoring, streams
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
from rouge_cli.core import Average, Notice, Result
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.errors import shown as first
from rouge_cli.runs import assembly, consistency, parts
from rouge_cli.scoring.columns import keyed
from rouge_cli.text.tokenizers import check_tokenizer, unsigned

if TYPE_CHECKING:
    from rouge_cli.runs.parts import Parts

SECTION = "Score"

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
def command(options: MergeOptions, shown: ReportOptions) -> None:
    """Merge parts of a run into one report.

    A PART is the output of `score --counts`. If the parts are in order, the report is
    the same as that of a single run. Parts with totals (`score --totals --counts`) may
    have any order.

    Example: rouge-cli merge monday.part tuesday.part -o report.json
    """
    output.check(shown)
    Conflict.check({Conflict.ALL_METRICS: not reports.is_table(output.form(shown))})
    output.check_plot(shown.plot, shown.plot_for, shown.output, options.parts)
    with streams.Notices(quiet=options.quiet) as notices:
        whole = parts.read(options.parts, notices)
        if whole.collected.totals is not None:
            Conflict.check({Conflict.TOTALS: True})
        run = _run(whole, options.parts[0], options.tokenizer)
        parts.check_results(whole, options.parts, run.averages)
        bounds = output.gates(shown.bounds, run.dialect, run.averages.labels)
        report = assembly.make_report(run, whole.collected, notices)
        columns_of = keyed(whole.collected.by_eval)
        scored = [(label, column) for (_, label), column in columns_of.items()]
        labels = consistency.undetermined(scored, run.averages, whole.options)
        if labels:
            what = f"scores of {first(labels)} are not checked against counts, which"
            notices(Notice(f"{what} do not determine them: an edited one is not seen"))
        for result in report.results:
            _check_finite(result)
        if shown.score_only:
            labels = [shown.score_only]
        else:
            labels = scoring.split_labels(options.metrics)
        requested = [metrics.figure(label) for label in labels]
        columns = output.columns(report, requested, run.dialect, shown.baseline)
        output.show(report, shown, notices, {"columns": columns, "bounds": bounds})
    output.check_gates(report, reports.Layout(bounds=bounds))


def _check_finite(result: Result) -> None:
    """Raise RougeError for averages that are no numbers, of counts that no run has."""
    if not isinstance(result.average, Average):
        return
    if not all(isfinite(estimate.value) for estimate in result.average):
        raise RougeError(
            f"the counts of system {result.system} give no finite {result.label}"
        )


def _run(whole: Parts, path: str, tokenizer: str | None) -> assembly.Run:
    """Set up the run of the parts; raise RougeError, with the path, for options that
    no run has.
    """
    signed = whole.options.get("tokenizer")
    check_tokenizer(signed, tokenizer, path)
    if tokenizer not in {None, signed, unsigned(str(signed))}:
        what = f"--tokenizer {tokenizer} is not the tokenizer of the parts"
        raise UsageError(what, remedy=f"they were made with {signed}")
    harmless = {}
    for name, value in whole.options.items():
        harmless[name] = _without_files(name, value)
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
    comma, name_and_checksum = match.groups()
    if name_and_checksum is None:
        return None
    if name == "irregular":
        return "none"
    return f"{value[: match.start()]}{comma}{_NO_FILE}"
