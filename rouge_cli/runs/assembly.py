"""Set up a run from its options, and make its report from the collected results."""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Callable,
    Container,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from rouge_cli import dialects, formats, plugins, signature, twins
from rouge_cli._version import __version__
from rouge_cli.core import EvalTask, Notice, Notify, once
from rouge_cli.errors import NoticeHandler, RougeError, UsageError, suggestion
from rouge_cli.native.setups import unknown_options
from rouge_cli.options import labels, resolve, whole
from rouge_cli.results.scores import Results
from rouge_cli.runs import hints, totals
from rouge_cli.runs.evaluation import Collected, completed, finish
from rouge_cli.runs.parallel import MOST_JOBS, Division, Work, collected
from rouge_cli.scoring.columns import records_of
from rouge_cli.tasks import containers
from rouge_cli.tasks.streams import SPL, Batch, Stream, formats_of, parts
from rouge_cli.text import languages, tokenizers
from rouge_cli.text.survey import ONE_LINE, remarks

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.dialects._run import DialectRun
    from rouge_cli.options import (
        AnyDialect,
        DialectOptions,
        Metrics,
        Options,
        RunsOptions,
    )
    from rouge_cli.runs.evaluation import Make
    from rouge_cli.tasks.containers import Text

    Stated = tuple[str, Mapping[str, str], Mapping[str, str]]


class Run(NamedTuple):
    """A run that is set up."""

    dialect: str
    options: Options  # as in the signature
    work: Work  # scores the evals
    averages: DialectRun  # averages the results
    division: Division  # what compiled code scores of the run
    notices: Sequence[Notice]  # of the options
    reading: Mapping[
        str, str
    ] = {}  # format and encoding of the texts, unless they are the defaults
    expected: Mapping[
        str, str
    ] = {}  # fields of the signature that the run repeats, besides options
    jobs: int = 1  # the number of workers; 0 for all cores
    stated: Stated | None = None  # what `_state` returns, if it is known already


def _state(run: Run) -> Stated:
    """Return what a report says of the options: in the signature, of libraries, and
    in its details.
    """
    dialect = dialects.named(run.dialect)
    command = dialect.command_line(run.options)
    signed = signature.render({"dialect": run.dialect, **run.options})
    return (
        signed,
        tokenizers.libraries(dialect.packages(run.options)),
        {"command": command} if command else {},
    )


def keeping_totals(run: Run) -> Run:
    """Return a run that keeps totals in place of the results of evals."""
    drawing = totals.drawing_of(run.options)
    return run._replace(work=run.work._replace(totals=drawing))


def set_up(
    dialect: str, requested: Mapping[str, object], systems: Sequence[str] | None
) -> Run:
    """Set up a run; raise UsageError for an invalid option.

    Args:
        requested: The dialect's options; the others have their defaults.
        systems: The systems in the order of the report; None for all.
    """
    program = dialects.named(dialect)
    options = program.canonical(resolve(dialect, program.defaults, requested))
    if "tokenizer" in options:
        options["tokenizer"] = tokenizers.signed(options["tokenizer"])
    # The dialect is made here, so that options are validated before any input is read.
    notices: list[Notice] = []
    averages = program.build(options, Counter(), notices.append)
    changed = []
    for name, value in options.items():
        if value != program.defaults[name]:
            changed.append(name)
    work = Work(
        partial(program.build, options),
        systems,
        jackknife=options.get("jackknife", False),
        make_some=partial(_of_labels, program.build, options),
        unknown=unknown_options(dialect, changed),
        sentences=options.get("sentences", "newline"),
    )
    return Run(dialect, options, work, averages, work.division(averages), notices)


def _of_labels(
    build: Callable[[Options, Counter[str], Notify], DialectRun],
    options: Options,
    labels: Sequence[str],
) -> Make:
    """Return what makes the run of some of the metrics."""
    return partial(build, {**options, "metrics": tuple(labels)})


def make_report(
    run: Run, collected: Collected, notify: Notify, averaged: Container[str] = "RPF"
) -> Results:
    """Return the report of the collected results; warn of common causes of low
    scores in the texts.

    Averages of measures that are not in `averaged` may be undefined.
    """
    if collected.totals is None:
        report = finish(
            collected,
            run.work.systems,
            run.averages,
            notify,
            run.jobs,
            averaged=averaged,
        )
    else:
        report = totals.finish(
            collected, run.work.systems, run.averages, run.options, notify
        )
    remark(run, report.details, notify, collected.sample)
    signed, details = _signature(run, collected, notify)
    return Results(report.results, signed, {**report.details, **details})


def records(
    tasks: Sequence[EvalTask], run: Run, notify: Notify
) -> list[dict[str, float]] | None:
    """Score evals, and return the scores of SYSTEM in each, such as `ROUGE-1.f`; warn
    as `make_report`.

    None if the system has no scores. With jackknife, there are scores of the
    references, too.
    """
    run, collected = scored(tasks, run, notify)
    whole, details = completed(collected, run.work.systems, run.averages.labels, notify)
    remark(run, details, notify, collected.sample)
    if run.expected:
        _signature(run, collected, notify)
    columns = whole.by_eval.get(containers.SYSTEM)
    if columns is None or not columns.scored:
        return None
    return records_of(columns)


def remark(
    run: Run,
    details: Mapping[str, object],
    notify: Notify,
    sample: Sequence[EvalTask] = (),
) -> None:
    """Warn of common causes of low scores in the texts, given the details of a report
    and a sample of its evals.
    """
    of_sample = list(hints.remarks(sample, details, run.options, run.averages))
    for notice in remarks(
        details, run.options, needs_sentences=run.averages.needs_sentences
    ):
        # Long lines are only likely to hold several sentences.
        if notice.message != ONE_LINE or not of_sample:
            notify(notice)
    for notice in of_sample:
        notify(notice)


def remark_sample(run: Run, collected: Collected, notify: Notify) -> None:
    """Warn of what a sample of the evals shows, if no report is made of them."""
    for notice in hints.remarks(
        collected.sample, collected.details, run.options, run.averages
    ):
        notify(notice)


def _signature(
    run: Run, collected: Collected, notify: Notify
) -> tuple[str, Mapping[str, str]]:
    """Return the signature of a report and its details; warn if it is not the
    expected one.
    """
    options, libraries, details = run.stated or _state(run)
    fields: dict[str, object] = {**run.reading, **libraries}
    if run.options.get("samples"):
        if collected.totals is None:
            by_id = dialects.named(run.dialect).draws_by_id
            order = signature.order_of_draws(collected.by_eval, by_id=by_id)
        else:
            order = signature.POISSON
            details = {}  # ROUGE-1.5.5 has other intervals
        fields |= {"draws": order} if order != signature.NUMBERS else {}
    references = "-".join(map(str, collected.limits)) or "0"
    fields |= {
        "references": references,
        "evals": collected.evals,
        "version": __version__,
    }
    signed = f"{options}|{signature.render(fields)}"
    for notice in signature.differences(run.expected, signed):
        notify(notice)
    return signed, details


def scored(
    tasks: Iterable[EvalTask],
    run: Run,
    notify: Notify,
) -> tuple[Run, Collected]:
    """Score evals, which may be a stream; return what `make_report` takes."""
    notify = once(notify)
    for notice in run.notices:
        notify(notice)
    tasks = tasks if isinstance(tasks, Sequence) else Stream(parts(tasks))
    results = collected(run.work, tasks, notify, jobs=run.jobs, division=run.division)
    if not results.evals and run.averages.labels and run.work.systems != []:
        raise UsageError(
            "nothing to score: no evals",
            remedy="give a prediction and a reference, or more",
        )
    reading = signature.reading(formats_of(tasks))
    return run._replace(reading=reading) if reading else run, results


def nothing_to_score(where: str = "") -> RougeError:
    """Return the error of an input without evals, which is in these files."""
    return RougeError("nothing to score: the input has no eval", where=where)


def evaluate(  # noqa: PLR0913 - the public parameters
    tasks: Iterable[EvalTask],
    metrics: Metrics = None,
    *,
    dialect: AnyDialect | None = None,
    systems: Iterable[str] | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    jobs: int = 1,
    **options: Unpack[DialectOptions],
) -> Results:
    """Score evals that were read by `rouge_cli.tasks`.

    The other parameters are those of `rouge_cli.score`.

    Args:
        tasks: The evals; an iterator is read once.
        systems: The systems, in the order of the report. By default all, in the order
            of their appearance.
        jobs: The number of processes, 0 for one per core. It does not change the
            results.
    """
    like = signature.signature_of(like, recipe)
    run = of_call(metrics, dialect, like, **options, systems=systems, jobs=jobs)()
    with NoticeHandler(notify) as handle:
        return make_report(*scored(tasks, run, handle), handle)


def of_call(
    metrics: Metrics,
    dialect: str | None,
    like: str | None,
    *,
    systems: Iterable[str] | None = None,
    jobs: int = 1,
    **options: Unpack[DialectOptions],
) -> partial[Run]:
    """Check the parameters of `rouge_cli.score`; return `prepared` for them, which
    can be pickled.
    """
    jobs = whole("jobs", jobs, 0, MOST_JOBS)
    names = None if metrics is None else metric_labels(metrics)
    if systems is not None:
        systems = containers.checked_items(systems, "systems")
    return partial(
        prepared, dialect, options, metrics=names, like=like, systems=systems, jobs=jobs
    )


class Accumulator:
    """Collects the texts of batches, and scores them together.

        >>> batches = rouge_cli.Accumulator("R1", samples=0)
        >>> batches.add(["the cat sat"], ["the cat sat down"])
        >>> batches.add(["a dog"], [["the dog", "a dog ran"]])
        >>> batches.report()["system"]["R1"].f

    The parameters are those of `score`, and are checked at once. The report is that of
    `score` for all texts in the order of their addition, with the IDs 1, 2, ... The
    texts are kept in memory. An accumulator can be pickled: each process adds its own
    batches, and one of them merges the accumulators.
    """

    def __init__(  # noqa: PLR0913 - the parameters of `score`
        self,
        metrics: Metrics = None,
        *,
        dialect: AnyDialect | None = None,
        read_as: str | None = None,
        like: str | None = None,
        recipe: str | None = None,
        notify: Notify | None = None,
        **options: Unpack[RunsOptions],
    ) -> None:
        like = signature.signature_of(like, recipe)
        self._prepared = of_call(metrics, dialect, like, **options)
        self._prepared()
        self._read_as = text_format(read_as, signature.stated_facts(like))
        self._notify = notify
        self._added: list[Sequence[EvalTask]] = []  # the evals of each batch

    def add(
        self,
        predictions: Text | Iterable[Text] | Mapping[str, Text | Iterable[Text]],
        references: Text | Iterable[Text] | Iterable[Iterable[Text]],
        sources: Text | Iterable[Text] | None = None,
    ) -> None:
        """Add a batch of texts, as in `score`."""
        with NoticeHandler(self._notify) as handle:
            batch = containers.tasks(
                predictions, references, None, self._read_as, handle, sources
            )
        self._added.append(batch)

    def merge(self, other: Accumulator) -> None:
        """Add the batches of another accumulator after those of this one."""
        if not isinstance(other, Accumulator):
            raise UsageError(
                f"expected an Accumulator to merge, got {type(other).__name__}"
            )
        self._added += other._added

    def report(self) -> Results:
        """Score all texts that were added; texts may be added afterwards."""
        with NoticeHandler(self._notify) as handle:
            tasks = Stream(self._numbered())
            return make_report(*scored(tasks, self._prepared(), handle), handle)

    def _numbered(self) -> Iterator[EvalTask | Batch]:
        """Yield the evals, named by their numbers among all."""
        number = 0
        for batch in self._added:
            if isinstance(batch, Batch):
                yield batch.after(number)
                number += len(batch)
                continue
            for task in batch:
                number += 1
                yield containers.renamed(task, str(number))


def metric_labels(metrics: Metrics) -> list[str]:
    """Return the labels that a caller passes; raise UsageError unless `metrics` has
    some or is None.
    """
    if metrics is None:
        return []
    names = (
        labels(metrics)
        if isinstance(metrics, str)
        else containers.checked_items(metrics, "metrics")
    )
    if not names:
        raise UsageError(
            "no metric named", remedy='name metrics as in "R1,RL", or leave them out'
        )
    return names


# The runs of earlier calls, by the parameters that they were made of.
_KEPT: dict[Hashable, Run] = {}
MOST_KEPT = 100


def prepared(  # noqa: PLR0913 - what a run is made of
    dialect: str | None,
    options: Mapping[str, object],
    *,
    metrics: Sequence[str] | None = None,
    like: str | None = None,
    systems: Sequence[str] | None = None,
    jobs: int = 1,
) -> Run:
    """Return the run of these parameters. It is made once, unless an option names a
    file.
    """
    key = _key(dialect, options, metrics, like)
    run = _KEPT.get(key)
    if run is None:
        name, chosen = requested(like, dialect, options)
        if metrics is not None:
            if options.get("rouge_types") is not None:
                what = "metrics and rouge_types together, which are the same"
                raise UsageError(what, remedy="give one of them")
            chosen["metrics"] = metrics
        run = set_up(name, chosen, None)
        run = run._replace(expected=signature.stated_facts(like), stated=_state(run))
        names_file = any(":" in str(value) for value in chosen.values())
        if key is not None and not names_file:
            if len(_KEPT) >= MOST_KEPT:
                _KEPT.clear()
            _KEPT[key] = run
    if systems is None and jobs == 1:
        return run
    return run._replace(work=run.work._replace(systems=systems), jobs=jobs)


def _key(
    dialect: str | None,
    options: Mapping[str, object],
    metrics: Sequence[str] | None,
    like: str | None,
) -> Hashable:
    """Return the parameters of a run as a key; None if one is no key, as a list.

    Values of two types are two keys, even if they are equal: 1 is a seed, True is not.
    """
    values = (dialect, like, *(metrics or ()), *options.values())
    types = tuple(map(type, values))
    key = (twins.kernels(), metrics is None, tuple(options), values, types)
    try:
        hash(key)
    except TypeError:
        return None
    return key


def like_options(
    text: str | None, *, tokenizer: str | None = None
) -> tuple[str, dict[str, str]]:
    """Return the dialect and the options of a signature; without one, the default
    dialect.

    Args:
        tokenizer: The user's choice, which overrides the signature's; see
            `tokenizers.check_tokenizer`.
    """
    if text is None:
        return dialects.DEFAULT, {}
    fields = signature.parse(text)
    dialect = fields.pop("dialect", None)
    if dialect is None:
        raise UsageError("the signature has no dialect", remedy="copy the whole line")
    if (
        tokenizer is not None
        and not isinstance(tokenizer, tokenizers.OwnTokenizer)
        and tokenizers.unsigned(fields.get("tokenizer", "")) == tokenizer
    ):
        tokenizers.signed(fields["tokenizer"])
    if tokenizer is not None:
        fields["tokenizer"] = tokenizer
    tokenizers.check_tokenizer(fields.get("tokenizer", ""), tokenizer, "the signature")
    return dialect, {
        name: value
        for name, value in fields.items()
        if name not in signature.FACTS and value != signature.BY_LANGUAGE
    }


def requested(
    like: str | None, dialect: str | None, options: Mapping[str, object]
) -> tuple[str, dict[str, object]]:
    """Return the dialect and the options of a call from Python, as `chosen_options`.

    Options that are None are left out. A tokenizer may be a function. Other packages'
    names are understood: `rouge_types`, `use_stemmer`, and `lang` in dialects without
    an option of this name.
    """
    own = {name: value for name, value in options.items() if value is not None}
    if "rouge_types" in own:
        own["metrics"] = tuple(metric_labels(cast("Metrics", own.pop("rouge_types"))))
    if "lang" in own and "lang" not in _defaults(like, dialect):
        if "language" in own:
            what = "language and lang together, which are the same"
            raise UsageError(what, remedy="give one of them")
        own["language"] = own.pop("lang")
    if "tokenizer" in own:
        own["tokenizer"] = tokenizers.of_caller(own["tokenizer"])
    language = own.pop("language", None)
    stem = bool(own.pop("stem", False))
    use_stemmer = bool(own.pop("use_stemmer", False))  # rouge_score's name of it

    is_stemmed = stem or use_stemmer
    name, chosen = chosen_options(
        like,
        dialect,
        own,
        stem=is_stemmed,
        language=None if language is None else str(language),
    )
    if is_stemmed and not dialects.named(name).stemmer:
        raise UsageError(f"dialect {name} does not stem", remedy="leave stem out")
    return name, chosen


def _defaults(like: str | None, dialect: str | None) -> Mapping[str, object]:
    """Return the default options of the dialect of a call."""
    signed = signature.fields(like or "").get("dialect", dialects.DEFAULT)
    return dialects.named(dialect or signed).defaults


def chosen_options(  # noqa: PLR0913 - what the options of a run come from
    like: str | None,
    dialect: str | None,
    own: Mapping[str, object],
    *,
    stem: bool = False,
    stop: bool = False,
    language: str | None = None,
) -> tuple[str, dict[str, object]]:
    """Return the dialect and the options of a run: a signature's, overridden by the
    user's own, and these by the words of a language.

    Args:
        like: The signature; None without one.
        dialect: The dialect; None for the signature's, or the default.
        own: The user's own options of the dialect.
        stem: Stem as the dialect does, unless the user names a stemmer.
        stop: Drop the stop words of the dialect.
        language: The code of a language, whose stemmer and stop words `stem` and `stop`
            select; None for the dialect's words.
    """
    tokenizer = cast("str | None", own.get("tokenizer"))
    signed_dialect, signed = like_options(like, tokenizer=tokenizer)
    name = dialect or signed_dialect
    chosen: dict[str, object] = {**signed, **own}
    if stem and "stemmer" not in own:
        chosen["stemmer"] = dialects.named(name).stemmer
    if stop:
        chosen["stop"] = dialects.named(name).stop_list
    if language is not None:
        wanted = {"stem": stem, "stop": stop, **own}
        chosen |= of_language(language, name, wanted)
    return name, chosen


def of_language(
    language: str, dialect: str, requested: Mapping[str, object]
) -> dict[str, str]:
    """Return the options that the profile of a language sets; see `Profile.options`."""
    return languages.named(language).options(
        dialect, dialects.named(dialect).defaults, requested
    )


def text_format(name: str | None, stated: Mapping[str, str]) -> str:
    """Return the format of texts: the name (UsageError if it is unknown), else a
    signature's, else spl.

    Args:
        name: The format as the user typed it, in any case; None without one.
        stated: Fields of the signature; a list of several formats is ignored.
    """
    folder = formats.__name__
    if name is None:
        signed = stated.get("read_as", SPL)
        return signed if signed != SPL and plugins.is_known(folder, signed) else SPL
    if not plugins.is_known(folder, name.lower()):
        remedy = suggestion(name.lower(), plugins.all_names(folder))
        raise UsageError(f"unknown format {name!r}", remedy=remedy)
    return name.lower()
