"""`rouge-cli oracle`: label the sentences of documents that make the best extract."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar

import click

from rouge_cli.cli import inputs, output, scoring, streams
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import Conflict, OptionGroup, named, option
from rouge_cli.cli.scoring import CountingOptions
from rouge_cli.cli.study_scores import setting
from rouge_cli.errors import UsageError
from rouge_cli.io import files
from rouge_cli.io.users_files import users_files
from rouge_cli.jobs import oracle_search
from rouge_cli.runs import assembly

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTION = "Study"


class OracleOptions(OptionGroup):
    """How to search, the budget of an extract, and the output."""

    conflicts: ClassVar = {Conflict.NO_BEAM: "beam", Conflict.NO_PROOF: "seconds"}
    method: str = setting("--method HOW", oracle_search.OraclePlan, "method")
    most: int | None = option(
        "--most N",
        "Most sentences (default 3; any number with --words).",
        type=click.IntRange(1),
    )
    words: int | None = option(
        "--words N", "Most words, which blanks separate.", type=click.IntRange(1)
    )
    beam: int = setting("--beam N", oracle_search.OraclePlan, "beam")
    seconds: float = setting("--seconds S", oracle_search.OraclePlan, "seconds")
    jobs: int = scoring.jobs_option()
    output: str | None = option(
        "-o --output FILE", "Write the records to FILE, whole or not at all."
    )


@named("oracle")
def command(
    texts: InputOptions, scored: CountingOptions, options: OracleOptions
) -> None:
    """Label the sentences of documents that make the best extract.

    Such labels train extractive summarizers, and their score is the highest that an
    extract can reach. Documents take the place of predictions: --pred-column names
    their column. A line is a sentence, or an item of a list; else add --sentences
    split. -m names the metric (default R2), whose F counts; R2.R is recall.

    The output has a line of JSON for each document: its sentences, a label 0 or 1 for
    each, the extract and its scores. Method exact proves that no extract is better: its
    gap is 0. presumm selects as PreSumm's data builder.

    Example: rouge-cli oracle news.jsonl --pred-column article -o labels.jsonl
    """
    output.check_suffix(options.output, "jsonl", "name a file .jsonl")
    Conflict.check(
        {
            Conflict.NO_BEAM: options.method != oracle_search.BEAM,
            Conflict.NO_PROOF: options.method != oracle_search.EXACT,
        }
    )
    request = scoring.request(scored)
    if len(request.columns) > 1:
        raise UsageError(
            "several metrics, but extracts are best by one",
            remedy="name one, as in -m R2",
        )
    label, letter = request.columns[0] if request.columns else ("ROUGE-2", "")
    unaveraged = {**request.options, "metrics": (label,), "samples": 0}
    plan = oracle_search.make_plan(
        letter,
        options.most,
        options.words,
        method=options.method,
        beam=options.beam,
        seconds=options.seconds,
    )
    with streams.Notices(quiet=request.quiet) as notices:
        source = inputs.read(texts, notices, request.expected)
        run = scoring.run(request._replace(options=unaveraged), source.systems)
        run = run._replace(expected=request.expected)
        search = oracle_search.LabelSearch(run, plan)
        paths = [*source.paths(), *users_files(run.options)]
        output.check_targets([options.output], paths, texts.folders)
        watch = scoring.watch(quiet=request.quiet, noun="documents")
        scores = oracle_search.ExtractScores(search, notices)

        def lines() -> Iterator[str]:
            found = search.found(source.tasks, notices, options.jobs)
            number = 0
            for extract, best in watch(found):
                scores.add(extract)
                number += 1
                yield json.dumps(best.record(), ensure_ascii=False) + "\n"
            if not number:
                where = ", ".join(map(files.place, source.files))
                raise assembly.nothing_to_score(where)

        output.write(lines(), options.output)
        report = scores.report(source.reading())
    if not request.quiet:
        for result in report.results:
            mean = getattr(result.average, plan.measure).value
            measure = oracle_search.LETTERS[plan.measure]
            streams.say(f"mean {search.label} {measure} of the extracts: {mean:.5f}")
        streams.say(f"search: {plan.description}")
        streams.say(f"signature: {report.signature}")
