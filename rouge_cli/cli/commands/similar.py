"""`rouge-cli similar`: find similar texts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import click

from rouge_cli import signature
from rouge_cli.cli import inputs, output, scoring, streams
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
from rouge_cli.cli.scoring import CountingOptions
from rouge_cli.core import Notice
from rouge_cli.errors import UsageError
from rouge_cli.io import files
from rouge_cli.io.users_files import users_files
from rouge_cli.jobs import join, pair_tables, text_files
from rouge_cli.jobs.join import SimilarPair
from rouge_cli.jobs.overlaps import THRESHOLD
from rouge_cli.runs import assembly, parallel
from rouge_cli.runs.evaluation import usable_cores
from rouge_cli.tasks import doubts, kinds

if TYPE_CHECKING:
    from rouge_cli.jobs.similar import PairReading
    from rouge_cli.jobs.text_files import TextFile

SECTION = "Study"
METRIC = "RL"


class SimilarOptions(OptionGroup):
    """The texts, what is similar, and the output."""

    conflicts: ClassVar = {
        Conflict.TWO_SETS: "groups",
        Conflict.KEPT: "texts id_column",
        Conflict.ONE_SET: "against_column",
    }
    path: str = argument(metavar="INPUT")
    against: str | None = option(
        "--against FILE", "Find pairs of a text of INPUT and one of FILE."
    )
    threshold: float = option(
        "--threshold",
        "The least score of similar texts.",
        default=THRESHOLD,
        show_default=True,
        type=float,
    )
    keep_first: bool = flag(
        "--keep-first", "Drop texts that are similar to one kept before."
    )
    groups: bool = flag("--groups", "Keep the first of texts that pairs connect.")
    text_column: str | None = option("--text-column NAME", "Column of texts in INPUT.")
    against_column: str | None = option(
        "--against-column NAME", "Column of texts in the FILE of --against."
    )
    id_column: str | None = option(
        "--id-column NAME", "Name texts by this column, not by number."
    )
    kind: str | None = option("--input KIND", ", ".join([*kinds.names(), kinds.LINES]))
    records_paths: Words = several(
        "--records PATH", "Records inside a JSON file, as in a.b; repeatable."
    )
    delimiter: str | None = option(
        "--delimiter CHAR", "Between the columns of csv and tsv; `tab` for a tab."
    )
    no_header: bool = flag("--no-header", "Columns of csv and tsv are called 1, 2, ...")
    read_as: str | None = option(
        "--read-as FORMAT", "Format of texts: spl (default), see, ..."
    )
    encoding: str | None = option(
        "--encoding NAME", "Encoding of texts (default UTF-8)."
    )
    output: str | None = option(
        "-o --output FILE", "Write .csv, .tsv, .jsonl, .parquet, or records."
    )
    texts: bool = flag("--texts", "Write both texts of each pair, too.")
    jobs: int = option(
        "-j --jobs N",
        "Threads; 0 for all cores.",
        default=0,
        type=click.IntRange(0, parallel.MOST_JOBS),
    )


@named("similar")
def command(options: SimilarOptions, scored: CountingOptions) -> None:
    """Find similar texts, exactly.

    INPUT has a text on each line, or records with a column of texts; - is stdin. Print
    each pair of texts whose score reaches the threshold, as `score` computes it: F of
    ROUGE-L, or of -m. The first text of a pair is the reference, the second the
    prediction: -m R1.R is the share of the first that the second has. Texts are
    numbered from 1.

    --keep-first and --groups print records of INPUT instead, unchanged.

    Example: rouge-cli similar instructions.jsonl --keep-first -o unique.jsonl
    """
    form = _check(options, scored)
    request = _request(scored)
    run = scoring.run(request, None)
    ((_, letter),) = request.columns
    with streams.Notices(quiet=request.quiet) as notices:
        # Imported late: it costs start-up time.
        from rouge_cli.jobs.similar import SAME_TEXTS, PairReading

        read_as = assembly.text_format(options.read_as, request.expected)
        measure = letter or "F", options.threshold
        encoding = options.encoding or request.expected.get("encoding", files.UTF8)
        files.is_utf8(encoding)  # raises an error for an unknown encoding
        if options.kind and options.kind != kinds.LINES:
            kinds.check(options.kind)
        run = run._replace(
            expected=request.expected, reading=signature.reading([read_as], encoding)
        )
        comparison = PairReading(run, *measure, read_as, notices)
        texts, others = _read(options, encoding)
        if not form:
            text_files.check_output(options.output, texts.kind)
        output.check_targets(
            [options.output], [*_paths(options), *users_files(run.options)]
        )
        if options.against and doubts.is_among(options.path, [options.against]):
            notices(Notice(f"{options.against}: {SAME_TEXTS}"))
        found = _find(options, comparison, texts, others, quiet=request.quiet)
        if form:
            table = pair_tables.PairTable(
                sorted(found),
                texts,
                others or texts,
                comparison.signature,
                options.texts,
            )
            written = pair_tables.render(table, form)
        else:
            written = text_files.kept(texts, found)
        _write(written, options.output)


def _check(options: SimilarOptions, scored: CountingOptions) -> str:
    """Return the format of the pairs; empty if records are written.

    Raises:
        UsageError: Options exclude each other, or have no effect.
    """
    is_filter = options.keep_first or options.groups
    if options.keep_first and options.groups:
        raise UsageError("--keep-first and --groups", remedy="give one of them")
    Conflict.check(
        {
            Conflict.PAIRS_OF_TEXTS: True,
            Conflict.KEPT: is_filter,
            Conflict.ONE_SET: options.against is None,
            Conflict.TWO_SETS: options.against is not None,
        }
    )
    scoring.check_settings(scored, ["formula"], "pairs of texts")
    files.check_stdin(_paths(options))
    if is_filter:
        return ""
    allowed = " ".join([*pair_tables.FORMATS, "txt"])
    output.check_suffix(options.output, allowed, f"use one of {allowed}")
    suffix = os.path.splitext(options.output or "")[1][1:].lower()
    return suffix if suffix in pair_tables.FORMATS else "csv"


def _paths(options: SimilarOptions) -> list[str]:
    """Return the files that are read."""
    return [path for path in (options.path, options.against) if path]


def _request(scored: CountingOptions) -> scoring.Request:
    """Return what is requested; raise UsageError for several metrics."""
    like = signature.of_pairs(signature.signature_of(scored.like, scored.recipe))
    scored = scored.replace(like=like, recipe=None)
    request = scoring.request(scored)
    if not request.columns:
        request = scoring.request(scored.replace(metrics=(METRIC,)))
    if len(request.columns) > 1:
        raise UsageError(
            f"texts are similar by one score, not by {len(request.columns)}",
            remedy="name one metric, as in -m RL",
        )
    # Nothing is averaged.
    return request._replace(options={**request.options, "samples": 0})


def _read(options: SimilarOptions, encoding: str) -> tuple[TextFile, TextFile | None]:
    """Return the texts of INPUT, and those of --against."""
    layout = inputs.record_layout(
        options.records_paths, options.delimiter, no_header=options.no_header
    )
    columns = text_files.TextColumns(
        options.text_column, options.id_column, "--text-column"
    )
    texts = text_files.read(options.path, options.kind, columns, layout, encoding)
    if options.against is None:
        return texts, None
    column = options.against_column
    kind = options.kind or text_files.kind_of(options.against)
    if kind == kinds.LINES:
        columns = columns._replace(id=None)
    elif column is None and texts.kind != kinds.LINES:
        column = options.text_column
    columns = columns._replace(text=column, option="--against-column")
    return texts, text_files.read(options.against, kind, columns, layout, encoding)


def _find(
    options: SimilarOptions,
    comparison: PairReading,
    texts: TextFile,
    others: TextFile | None,
    *,
    quiet: bool,
) -> list[Any]:
    """Return the pairs, or the positions of the records that are kept."""
    read = comparison.read(scoring.watch(quiet=quiet, noun="texts")(texts.documents))
    parts = join.parts_of(len(read))
    number = len(read)
    sizes = map(len, parts)
    watch = scoring.watch(
        quiet=quiet, noun="texts", size=lambda _: next(sizes), length=number
    )
    overlap = comparison.overlap
    if options.keep_first and others is None:
        return list(chain.from_iterable(watch(join.kept(read, overlap, parts))))

    read_others = comparison.read(others.documents) if others else None
    threads = options.jobs or usable_cores()
    joined = join.joined(read, read_others, overlap, parts, threads)
    pairs = map(SimilarPair._make, chain.from_iterable(watch(joined)))
    if options.groups:
        return [group[0] for group in join.groups(number, pairs)]
    if not options.keep_first:
        return list(pairs)
    dropped = {pair.first for pair in pairs}
    return [text for text in range(number) if text not in dropped]


def _write(parts: Iterable[bytes], path: str | None) -> None:
    """Write the parts to stdout or to a file; a file gets all of them or nothing."""
    if path and path != files.STDIN:
        files.write_bytes(path, parts)
        return
    for part in parts:
        streams.emit(part)
