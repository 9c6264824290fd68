"""The Python API: score texts. `api.studies` compares systems, correlates metrics with
people, and explains scores.

The numbers are those of the commands, to the last digit: both run the same code.
Studies are a module of their own, so that a program that only scores starts fast.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rouge_cli import signature
from rouge_cli.core import Notify
from rouge_cli.errors import NoticeHandler
from rouge_cli.io.files import UTF8
from rouge_cli.options import AnyDialect, Metrics, choice
from rouge_cli.options import DialectName as DialectName
from rouge_cli.runs import assembly
from rouge_cli.runs.assembly import Accumulator as Accumulator
from rouge_cli.runs.assembly import evaluate as evaluate
from rouge_cli.tasks import containers, doubts, sources
from rouge_cli.tasks.columns import REFERENCES, SENTENCES, ColumnNames
from rouge_cli.tasks.containers import Text
from rouge_cli.tasks.streams import formats_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.options import RunsOptions
    from rouge_cli.results.scores import Results
    from rouge_cli.tasks.sources import File, Files


def score(
    predictions: Text | Iterable[Text] | Mapping[str, Text | Iterable[Text]],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]],
    metrics: Metrics = None,
    *,
    dialect: AnyDialect | None = None,
    sources: Text | Iterable[Text] | None = None,
    ids: Iterable[str | int] | None = None,
    read_as: str | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    **options: Unpack[RunsOptions],
) -> Results:
    """Score texts, and return the averages of each system and its scores in each eval.

    An eval is what is scored together: one topic or document, with its predictions and
    references. A text is a string whose lines are its sentences. A list may be any
    iterable: a tuple, a generator, an array, a column of a data frame. Items are paired
    in the order of iteration; the index of a Series is ignored, with a warning if it
    differs. Names of files are scored as texts, with a warning; see `score_files`.

        >>> results = rouge_cli.score("a cat sat", "a cat sat down", "R1", samples=0)
        >>> results.to_dict()
        {'system': {'ROUGE-1': {'recall': 0.75, 'precision': 1.0, 'f': 0.85714}}}

    Args:
        predictions: A text; a list of texts, one per eval; or a mapping from system to
            such a list.
        references: A text, for one eval; or a list with one item per eval. An item is a
            text, or a list of texts if the eval has several references; a reference in
            sentences is a list in this list. If predictions is a single text, a flat
            list holds its references.
        metrics: Labels, such as `ROUGE-2`, `R2` or `ROUGE-SU4`.
        dialect: The program whose numbers are reproduced; rouge155 by default.
        sources: The texts that were summarized, one per eval, for metrics such as
            `coverage` and `novel-2`.
        ids: The IDs of the evals, by default 1, 2, ... The bootstrap of ROUGE-1.5.5
            draws evals in the order of their IDs as strings.
        read_as: The format of the texts, by default spl (a sentence per line).
        like: The signature of a report, whose options are used unless you pass others.
            A warning reports a different version, or a different number of evals or
            references.
        recipe: The name of a set-up, instead of `like`. `rouge-cli list recipes` lists
            the names.
        notify: A function that receives each warning as a Notice. By default, the first
            20 are Python warnings of the class RougeWarning, and one more gives the
            number of the others.
        options: Options of `rouge-cli score`, whose help explains them. Those of the
            dialect rouge155, with their defaults: alpha=0.5, average='macro',
            confidence=95.0, formula='average', irregular='full', jackknife=False,
            limit='none', normalize='none', samples=1000, seed=0, sentences='newline',
            stemmer='none', stop='none', tokenizer='classic'. Of the run: jobs, systems.
            Of other dialects, and short names: accumulate, beta, blank_sentences,
            case_sensitive, definition, ensure_compatibility, exclusive, expand,
            ignore_empty, jieba, lang, language, least_count, max_skip, min_char_length,
            protocol, repeated, rouge_types, segmenter, stem, synonyms, tagger,
            use_stemmer, weight_factor; `rouge-cli describe DIALECT` prints the
            defaults. `tokenizer` may also be a function that takes a string and
            returns its tokens; a signature cannot repeat it.

    Raises:
        UsageError: An option is invalid.
        RougeError: The input cannot be scored.
    """
    like = signature.signature_of(like, recipe)
    read_as = assembly.text_format(read_as, signature.stated_facts(like))
    with NoticeHandler(notify) as handle:
        tasks = containers.tasks(predictions, references, ids, read_as, handle, sources)
        return evaluate(
            tasks, metrics, dialect=dialect, like=like, notify=handle, **options
        )


def score_files(
    predictions: Files,
    references: File | Iterable[File] | None = None,
    metrics: Metrics = None,
    *,
    kind: str | None = None,
    read_as: str | None = None,
    encoding: str | None = None,
    prediction_columns: Iterable[str] = (),
    reference_columns: Iterable[str] = (),
    reference_lists: str | None = None,
    source: File | None = None,
    id_column: str | None = None,
    system_column: str | None = None,
    prediction_pattern: str | None = None,
    reference_pattern: str | None = None,
    dialect: AnyDialect | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    **options: Unpack[RunsOptions],
) -> Results:
    """Score the texts in files, and return what `score` returns for them.

    The report is that of `rouge-cli score` for these files. Predictions and references
    are both files with a text on each line, both folders with a text in each file, or
    records, which are joined by ID, else by order.
    Without references, the files have both: records (jsonl, json, csv, tsv, parquet),
    settings XML, or a list of files.

        >>> rouge_cli.score_files("outputs.txt", "gold.txt", "R1,RL")
        >>> rouge_cli.score_files({"a": "a.txt", "b": "b.txt"}, ["r1.txt", "r2.txt"])
        >>> rouge_cli.score_files("run.jsonl", reference_columns=["highlights"])

    Args:
        predictions: A path (a string or `pathlib.Path`); a list of paths, one per
            system; or a mapping from system to path.
        references: A path, or a list of paths if there are several references.
        kind: The kind of files that have both sides, as `--input`.
        read_as: The format of the texts, by default spl (a sentence per line).
        encoding: The encoding of the texts, by default UTF-8.
        prediction_columns, reference_columns: The columns of texts in records; several
            are several systems, or several references.
        reference_lists: What a list in a column of references holds: "sentences" or
            "references".
        source: The texts that were summarized, as `--source`: the column of records, or
            beside `references` a file with a text on each line, or a folder.
        id_column, system_column: The columns of the IDs of evals, and of the names of
            systems; "" for none.
        prediction_pattern, reference_pattern: Regular expressions of file names in
            folders, as `--pred-pattern` and `--ref-pattern`.

    The other parameters and the errors are those of `score`.
    """
    like = signature.signature_of(like, recipe)
    stated = signature.stated_facts(like)
    if reference_lists is not None:
        choice("reference_lists", reference_lists, (SENTENCES, REFERENCES))
    reading = sources.Reading(
        kind=kind,
        read_as=assembly.text_format(read_as, stated),
        encoding=encoding or stated.get("encoding", UTF8),
        columns=ColumnNames(
            id=id_column,
            predictions=_names(prediction_columns, "prediction_columns"),
            references=_names(reference_columns, "reference_columns"),
            system=system_column,
            lists=reference_lists,
        ),
        source=None if source is None else os.fspath(source),
        prediction_pattern=prediction_pattern,
        reference_pattern=reference_pattern,
    )
    run = assembly.of_call(metrics, dialect, like, **options)()
    with NoticeHandler(notify) as handle:
        tasks = sources.read(predictions, references, reading, handle)
        run, collected = assembly.scored(tasks, run, handle)
        fields = signature.reading(formats_of(tasks), reading.encoding)
        return assembly.make_report(run._replace(reading=fields), collected, handle)


def _names(columns: Iterable[str], parameter: str) -> list[str]:
    """Return names of columns; a string is one name."""
    if isinstance(columns, str):
        return [columns]
    return containers.checked_items(columns, parameter)


def score_rows(
    predictions: Iterable[Text],
    references: str | Iterable[Text | Iterable[Text]],
    metrics: Metrics = None,
    *,
    dialect: AnyDialect | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    read_as: str | None = None,
    **options: Unpack[RunsOptions],
) -> list[dict[str, float]]:
    """Return the scores of each prediction, as a list of dictionaries in the order of
    the input.

    The keys are `ROUGE-1.recall`, `ROUGE-1.precision`, `ROUGE-1.f` and so on. Nothing
    is averaged or resampled. The parameters and errors are those of `score`, for one
    system; a string as `references` is the reference of all predictions.

    The function is pure, so you can map it over the partitions of a Dask or Spark data
    frame:

        def score(part):
            rows = rouge_cli.score_rows(part["prediction"], part["reference"], "R1,RL")
            return pandas.DataFrame(rows, index=part.index)

        frame.map_partitions(score)
    """
    arguments = {containers.SYSTEM: predictions}, references
    predictions = containers.checked_items(predictions, "predictions")
    if isinstance(references, str):
        references = [references] * len(predictions)
    references = containers.checked_items(references, "references")
    like = signature.of_pairs(signature.signature_of(like, recipe))
    if not predictions and not references:
        return []
    read_as = assembly.text_format(read_as, signature.stated_facts(like))
    rest: RunsOptions = {**options, "samples": 0}
    run = assembly.of_call(metrics, dialect, like, **rest)()
    with NoticeHandler(notify) as handle:
        is_same = doubts.warn_of_arguments(*arguments, handle)
        tasks = containers.of_checked(
            {containers.SYSTEM: predictions},
            references,
            None,
            read_as,
            handle,
            is_same=is_same,
        )
        records = assembly.records(tasks, run, handle)
    return [{} for _ in references] if records is None else records
