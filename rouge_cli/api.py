"""The Python API: score texts, compare systems, correlate metrics with people, explain
scores.

The numbers are those of the commands, to the last digit: both run the same code.
Studies are imported when they are called, so that a program that only scores starts
fast; so is the reading of files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import signature
from rouge_cli.core import Notice, Notify, Report
from rouge_cli.errors import NoticeHandler, UsageError, require
from rouge_cli.io.files import UTF8
from rouge_cli.metrics import figure
from rouge_cli.options import (
    AnyDialect,
    Metrics,
    TextsOptions,
    choice,
    whole,
)
from rouge_cli.options import DialectName as DialectName  # noqa: PLC0414 - exported
from rouge_cli.results.study_settings import LEVEL, SIGNIFICANCE, checked
from rouge_cli.runs import assembly
from rouge_cli.runs.assembly import Accumulator as Accumulator  # noqa: PLC0414 - exported
from rouge_cli.runs.assembly import evaluate as evaluate  # noqa: PLC0414 - exported
from rouge_cli.runs.parallel import MOST_JOBS
from rouge_cli.tasks import containers, doubts, judgements, system_names
from rouge_cli.tasks.columns import REFERENCES, SENTENCES, ColumnNames
from rouge_cli.tasks.containers import Table, Text
from rouge_cli.tasks.judgements import Human
from rouge_cli.tasks.streams import formats_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.options import EvalsOptions, PairOptions, RunsOptions
    from rouge_cli.results.comparison import Comparison
    from rouge_cli.results.correlation import Correlations
    from rouge_cli.results.explanations import Explanations
    from rouge_cli.results.planning import Planning
    from rouge_cli.results.scores import Results
    from rouge_cli.studies import selection
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.studies.page_html import Html
    from rouge_cli.tasks.sources import File, Files

Saved = Report | Table


def score(
    predictions: Text | Iterable[Text] | Mapping[str, Text | Iterable[Text]],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]],
    metrics: Metrics = None,
    *,
    dialect: AnyDialect | None = None,
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
            protocol, repeated, segmenter, stem, synonyms, tagger, use_stemmer,
            weight_factor; `rouge-cli describe DIALECT` prints the defaults.
            `tokenizer` may also be a function that takes a string and returns its
            tokens; a signature cannot repeat it.

    Raises:
        UsageError: An option is invalid.
        RougeError: The input cannot be scored.
    """
    like = signature.signature_of(like, recipe)
    read_as = assembly.text_format(read_as, signature.stated_facts(like))
    with NoticeHandler(notify) as handle:
        tasks = containers.tasks(predictions, references, ids, read_as, handle)
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
        id_column, system_column: The columns of the IDs of evals, and of the names of
            systems; "" for none.
        prediction_pattern, reference_pattern: Regular expressions of file names in
            folders, as `--pred-pattern` and `--ref-pattern`.

    The other parameters and the errors are those of `score`.
    """
    from rouge_cli.tasks import sources

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
    like = signature.signature_of(like, recipe)
    if like is not None:
        # Of single pairs: without draws and the numbers of evals and references
        fields = signature.parse(like)
        for name in signature.OF_DATA:
            if name != "version":
                fields.pop(name, None)
        like = signature.render(fields)
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


def compare(
    predictions: Saved | Mapping[str, Text | Iterable[Text]],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]] | None = None,
    metrics: Metrics = None,
    *,
    baseline: str | None = None,
    trials: int = 10_000,
    seed: int = 0,
    confidence: float = 95.0,
    correction: str = "holm",
    significance: float = 0.05,
    level: float | None = None,
    equivalence: float = 0.0,
    over: str = "evals",
    draws: int = 100,
    measure: str = "f",
    humans: Iterable[str] = (),
    clusters: Mapping[str, str] | None = None,
    dialect: AnyDialect | None = None,
    notify: Notify | None = None,
    **options: Unpack[EvalsOptions],
) -> Comparison:
    """Compare systems by their scores of the same evals, with p-values.

    The other parameters are the options of `rouge-cli compare`, and those of `score` if
    texts are passed.

        >>> systems = {"a": ["x y", "z"], "b": ["x", "u"]}
        >>> scores = rouge_cli.score(systems, ["x y", "z"], samples=0)
        >>> rouge_cli.compare(scores, metrics="ROUGE-1").pairs[0].difference.value
        0.666665

    Args:
        predictions: The texts of several systems, as in `score`; or, without
            `references`, the result of `score`, or saved scores: their path, a data
            frame or records (dicts) with the columns of csv.
        references: The references of these texts, as in `score`.
        metrics: Labels. Add .R, .P or .F to compare by that measure, as in "ROUGE-2.R".
        significance: The level of significance: systems differ if a corrected p is
            below it.
        level: Another name of it.
        equivalence: Also test if systems differ by fewer points (0.01 of a score); 0
            for no such test.
        over: "evals", "references" or "evals,references": what is drawn again to see if
            pairs change order.
        measure: The measure for labels without .R, .P or .F: "recall", "precision" or
            "f".
        humans: The systems that are people.
        clusters: Eval -> its cluster, if evals are not independent. Clusters are
            exchanged and drawn as a whole.

    Raises:
        UsageError: An option is invalid.
        RougeError: The input cannot be scored or compared.
    """
    from rouge_cli.results import comparison

    _refuse_alpha(options, "significance={:g} for the level of the tests")
    plan = checked(
        comparison.Plan(
            baseline=baseline,
            trials=trials,
            seed=seed,
            confidence=confidence,
            correction=correction,
            level=_level(significance, level),
            equivalence=equivalence,
            over=over,
            draws=draws,
        )
    )
    require("comparisons need", "numpy", "threadpoolctl", extra="stats")
    from rouge_cli.studies import selection
    from rouge_cli.studies import significance as tests

    if over != "evals" and references is None:
        _refuse(["over"], "saved scores, which are not scored again")
    source = _Source(predictions, references, dialect, options)
    with NoticeHandler(notify) as handle, selection.one_thread():
        study = selection.Study(
            _columns(metrics), measure, humans, clusters=clusters, baseline=baseline
        )
        signed, scores = _studied(source, study, plan.seed, handle)
        result = tests.compare(scores, plan, handle)._replace(signature=signed)
        if "references" in over:
            read_as = assembly.text_format(
                options.get("read_as"), signature.stated_facts(signed)
            )
            tasks = containers.tasks(
                predictions, references, options.get("ids"), read_as
            )
            result = tests.over_references(result, tasks)
        return result


def plan(
    predictions: Saved | Mapping[str, Text | Iterable[Text]],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]] | None = None,
    metrics: Metrics = None,
    *,
    detect: float = 1.0,
    power: float = 0.8,
    significance: float = 0.05,
    level: float | None = None,
    baseline: str | None = None,
    trials: int = 1000,
    seed: int = 0,
    measure: str = "f",
    clusters: Mapping[str, str] | None = None,
    dialect: AnyDialect | None = None,
    notify: Notify | None = None,
    **options: Unpack[EvalsOptions],
) -> Planning:
    """Return how many evals show a difference, and how stable the ranking is.

    The other parameters, and the errors, are those of `compare`.

    Args:
        detect: The difference to find, in points (0.01 of a score).
        power: The probability of finding it.
        significance: The level of significance.
        level: Another name of it.
        trials: The number of subsets of each size, in which the ranking is compared.
    """
    from rouge_cli.results.planning import Goal

    _refuse_alpha(options, "significance={:g} for the level of the tests")
    goal = checked(
        Goal(
            detect=detect,
            power=power,
            level=_level(significance, level),
            baseline=baseline,
            trials=trials,
            seed=seed,
        )
    )
    require("plans need", "numpy", "threadpoolctl", extra="stats")
    from rouge_cli.studies import planning, selection

    source = _Source(predictions, references, dialect, options)
    with NoticeHandler(notify) as handle, selection.one_thread():
        study = selection.Study(
            _columns(metrics), measure, clusters=clusters, baseline=baseline
        )
        signed, scores = _studied(source, study, goal.seed, handle)
        return planning.plan_comparison(scores, goal, handle)._replace(signature=signed)


def correlate(
    scores: Saved | Mapping[str, Text | Iterable[Text]],
    human: Human,
    metrics: Metrics = None,
    *,
    references: Text | Iterable[Text] | Iterable[Iterable[Text]] | None = None,
    human_scores: Iterable[str] = (),
    levels: Iterable[str] | None = None,
    over: str = "both",
    samples: int = 1000,
    seed: int = 0,
    confidence: float = 95.0,
    measure: str = "f",
    humans: Iterable[str] = (),
    clusters: Mapping[str, str] | None = None,
    id_column: str | None = None,
    system_column: str | None = None,
    encoding: str = "utf-8",
    dialect: AnyDialect | None = None,
    notify: Notify | None = None,
    **options: Unpack[TextsOptions],
) -> Correlations:
    """Correlate metrics with human scores: Pearson, Spearman, Kendall.

    The other parameters are the options of `rouge-cli correlate`, and those of `score`
    if texts are passed. The errors are those of `compare`.

    Args:
        scores: As in `compare`: texts of several systems, with `references`; or,
            without them, scores.
        human: The human scores: a mapping from system to score; a mapping from system
            to a mapping from eval to score; or a table as for `rouge-cli correlate`:
            its path, a data frame or records.
        metrics, measure, humans, clusters: As in `compare`.
        references: The references of the texts, as in `score`.
        human_scores, id_column, system_column: The columns of the table.
        encoding: Its encoding.
        levels: Of "system", "summary" and "pooled"; all three by default.
    """
    from rouge_cli.results import correlation

    _refuse_alpha(options, "confidence=95 for the level of the intervals")
    names = () if levels is None else containers.checked_items(levels, "levels")
    plan = checked(
        correlation.CorrelationPlan(
            levels=names or correlation.LEVELS,
            over=over,
            samples=samples,
            seed=seed,
            confidence=confidence,
        )
    )
    require("correlations need", "numpy", "scipy", "threadpoolctl", extra="stats")
    from rouge_cli.studies import correlation as correlations
    from rouge_cli.studies import selection

    source = _Source(scores, references, dialect, options)
    with NoticeHandler(notify) as handle, selection.one_thread():
        measures = judgements.of_human(
            human,
            containers.checked_items(human_scores, "human_scores"),
            id_column=id_column,
            system_column=system_column,
            encoding=encoding,
        )
        study = selection.Study(_columns(metrics), measure, humans, clusters)
        signed, scored = _studied(source, study, None, handle)
        result = correlations.correlate(scored, measures, plan, handle)
        return result._replace(signature=signed)


def report(
    predictions: Text | Iterable[Text] | Mapping[str, Text | Iterable[Text]],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]],
    metrics: Metrics = None,
    *,
    sources: Iterable[Text] | None = None,
    human: Human | None = None,
    scores: Saved | None = None,
    title: str = "ROUGE report",
    baseline: str | None = None,
    over: str = "evals",
    trials: int = 10_000,
    dialect: AnyDialect | None = None,
    notify: Notify | None = None,
    **options: Unpack[EvalsOptions],
) -> Html:
    """Return the page of `rouge-cli report`: a string of HTML with `save(path)`, which
    notebooks show.

    The other parameters are those of `compare`.

    Args:
        sources: The texts that were summarized, one per eval.
        human: Human scores, as in `correlate`.
        scores: Scores of other metrics, by eval: a report, or the path of saved scores.
    """
    require("a page needs", "jinja2", "numpy", "scipy", "threadpoolctl", extra="report")
    from rouge_cli.results import comparison
    from rouge_cli.studies import page, page_html, selection

    columns = _columns(metrics)
    like = signature.signature_of(
        options.pop("like", None), options.pop("recipe", None)
    )
    read_as = assembly.text_format(
        options.pop("read_as", None), signature.stated_facts(like)
    )
    ids = options.pop("ids", None)
    jobs = whole("jobs", options.pop("jobs", 1), 0, MOST_JOBS)
    name, requested = assembly.requested(like, dialect, options)
    if columns:
        requested["metrics"] = [label for label, _ in columns]

    notices: list[Notice] = []
    with NoticeHandler(notify) as handle, selection.one_thread():
        warn = page.keeping(notices, handle)
        tasks = containers.tasks(predictions, references, ids, read_as, warn)
        run = assembly.prepared(name, requested, jobs=jobs)
        scored_run, collected = assembly.scored(tasks, run, warn)
        scored = assembly.make_report(scored_run, collected, warn)
        system_names.check([baseline], system_names.of_report(scored))
        shown = scored
        if scores is not None:
            shown = selection.with_saved(scored, selection.of_source(scores), warn)
        content = page_html.Material(
            tasks=tasks,
            run=run,
            report=shown,
            columns=selection.columns(scored, columns, "f"),
            judgements=[] if human is None else judgements.of_human(human),
            plan=checked(comparison.Plan(baseline=baseline, trials=trials, over=over)),
        )
        if sources is not None:
            read = containers.tasks(predictions, sources, ids, read_as)
            content = content._replace(documents=page.sources(read))
        return page_html.render(page.gather(content, notices, warn), title)


def explain(
    prediction: Text,
    references: Text | Iterable[Text],
    metrics: Metrics = None,
    *,
    dialect: AnyDialect | None = None,
    read_as: str | None = None,
    like: str | None = None,
    notify: Notify | None = None,
    **options: Unpack[PairOptions],
) -> Explanations:
    """Explain the scores of one prediction: its matches with the references, and the
    arithmetic.

    The other parameters, and the errors, are those of `score`.

        >>> results = rouge_cli.explain("he swims", "he swam", "R1", stemmer="rouge")
        >>> print(results.to_text())

    Args:
        prediction: One text.
        references: A text, or a list of texts.
        metrics: Labels. By default those of `like`; without it, ROUGE-1, ROUGE-2 and
            ROUGE-L, or the defaults of a dialect other than rouge155.
    """
    from rouge_cli.studies import explainers, setups

    _refuse([name for name in options if name in setups.WITHOUT_EFFECT], "one pair")
    name, requested = assembly.requested(like, dialect, options)
    if metrics is not None:
        requested["metrics"] = [label for label, _ in _columns(metrics)]
    read_as = assembly.text_format(read_as, signature.stated_facts(like))
    with NoticeHandler(notify) as handle:
        (task,) = containers.tasks([prediction], [references], None, read_as, handle)
        (system,) = task.predictions
        return explainers.explain(task, system, name, requested, handle)


class _Source(NamedTuple):
    """What the caller of a study passed: texts, or scores without references."""

    predictions: Any
    references: Any
    dialect: AnyDialect | None
    options: TextsOptions


def _studied(
    source: _Source, study: selection.Study, seed: int | None, notify: Notify
) -> tuple[str, list[Scores]]:
    """Return the signature and the scores by eval to study.

    Args:
        source: Texts, which are scored, or scores.
        study: What is studied of these scores.
        seed: The seed of averages; None if they are not needed.
    """
    from rouge_cli.studies import selection

    options = source.options
    if source.references is None:
        unused = [*options]
        if source.dialect:
            unused.append("dialect")
        _refuse(unused, "saved scores, which are not scored again")
        report = selection.of_source(source.predictions)
        return report.signature, selection.matrices(report, study, notify)

    unused = [name for name in options if name in selection.UNUSED]
    _refuse(unused, "scores of single evals")
    like = signature.signature_of(options.get("like"), options.get("recipe"))
    name, _ = assembly.requested(like, source.dialect, options)
    report = score(
        source.predictions,
        source.references,
        [label for label, _ in study.columns] or None,
        dialect=source.dialect,
        notify=notify,
        **selection.with_seed(name, options, seed),
    )
    return report.signature, selection.matrices(report, study, notify)


def _columns(metrics: Metrics) -> list[tuple[str, str]]:
    """Return labels as they are passed, each with R, P, F or an empty string."""
    return [figure(name) for name in assembly.metric_labels(metrics)]


def _level(significance: float, level: float | None) -> float:
    """Return the level of significance; raise UsageError if it has two values."""
    if level is None:
        return LEVEL.check("significance", significance)
    if significance not in (SIGNIFICANCE, level):
        raise UsageError(
            "significance and level together, which are the same",
            remedy="pass one of them",
        )
    return LEVEL.check("level", level)


def _refuse_alpha(options: Mapping[str, Any], meant: str) -> None:
    """Raise UsageError for alpha, which changes F, in a function with tests or
    intervals; `meant` is what most people mean, with a place for the value.
    """
    alpha = options.get("alpha")
    if alpha is None:
        return
    number = alpha if isinstance(alpha, int | float) else 0.05
    of_f = "pass the result of rouge_cli.score(..., alpha=...) instead of texts"
    remedy = f"pass {meant.format(number)}; for the weight of precision in F, {of_f}"
    raise UsageError(f"alpha={alpha} changes F, and no test", remedy=remedy)


def _refuse(names: Sequence[str], what: str) -> None:
    if names:
        raise UsageError(f"{names[0]} has no effect on {what}", remedy="leave it out")
