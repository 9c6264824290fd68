"""`rouge-cli identify`: find the set-up of published scores."""

from rouge_cli import plugins
from rouge_cli.cli import inputs, option_groups, output, scoring, streams
from rouge_cli.cli.option_groups import OptionGroup, Words, flag, named, option, several
from rouge_cli.errors import UsageError, require, suggestion
from rouge_cli.studies import equivalents
from rouge_cli.studies.published import read_published
from rouge_cli.text import languages

SECTION = "Doubt"


class IdentifyOptions(OptionGroup):
    """The published scores, the set-ups to try, and the output."""

    published: Words = several(
        "--published R1=44.16,...", "Scores as printed, or a FILE; repeatable."
    )
    dialects: Words = several(
        "--dialect NAME",
        "Try only this dialect; repeatable.",
        shell_complete=option_groups.completing(lambda: equivalents.IDENTIFIABLE),
    )
    language: str | None = option(
        "--language CODE", "Try each set-up also with this language's words."
    )
    every: bool = flag("--all", "Show all set-ups, not only the nearest.")
    format: str | None = output.format_option("identification")
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )
    quiet: bool = flag("--quiet", "Print no warnings and no progress.")


@named("identify")
def command(options: IdentifyOptions, texts: inputs.InputOptions) -> None:
    """Find the set-up that gives published scores.

    Score INPUT in every set-up that papers use, and rank the set-ups that give the
    published digits. R1=44.16 is F, R or P, whichever fits. R1.R=44.16 is R. A FILE is
    the output of ROUGE-1.5.5.pl, or a table (csv, tsv, jsonl, json) with a column
    metric and at least one of recall, precision and f. It may have columns eval and
    system.

    Without --dialect, rouge155 and google are tried; if none of their set-ups fits, all
    other dialects, the cheapest first, for a minute. The report names those not tried.

    Example: rouge-cli identify run.jsonl --published R1=44.16,R2=21.28,RL=40.90
    """
    name = output.chosen_format("identification", options.format, options.output)
    for dialect in options.dialects:
        _check_dialect(dialect)
    dialects = list(dict.fromkeys(options.dialects))
    if options.language is not None:
        languages.named(options.language)
    require("identifying set-ups needs", "numpy", extra="stats")
    from rouge_cli.studies import identification

    numbers = read_published(options.published)
    with streams.Notices(quiet=options.quiet) as notices:
        source = inputs.read(texts, notices)
        files = [value for value in options.published if "=" not in value]
        output.check_targets([options.output], [*source.paths(), *files], texts.folders)
        most = None if options.every else identification.NEAREST
        result = identification.identify(
            source.listed(),
            numbers,
            dialects or None,
            systems=source.systems,
            reading=source.reading(),
            notify=notices,
            watch=scoring.watch(quiet=options.quiet, noun="ways to count"),
            most=most,
            language=options.language,
        )
        output.write_result(result, name, options.output)


def _check_dialect(name: str) -> None:
    """Raise UsageError for a dialect whose set-ups are not tried."""
    valid = list(equivalents.IDENTIFIABLE)
    if name not in valid:
        remedy = suggestion(name, valid, plugins.other_names("dialect"))
        raise UsageError(
            f"identify tries no set-ups of dialect {name!r}", remedy=remedy
        )
