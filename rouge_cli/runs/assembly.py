"""Set up a run from its options, and make its report from the collected results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from rouge_cli import dialects, formats, plugins, signature
from rouge_cli._version import __version__
from rouge_cli.core import EvalTask, NamedTuple, Notify, ignore_notice
from rouge_cli.errors import NoticeHandler, UsageError, suggestion
from rouge_cli.options import labels, resolve, whole
from rouge_cli.results.scores import Results
from rouge_cli.runs.evaluation import Collected, finish
from rouge_cli.runs.parallel import MOST_JOBS, Work, collected
from rouge_cli.signature import facts, recipes
from rouge_cli.tasks import containers
from rouge_cli.text import tokenizers
from rouge_cli.text.survey import remarks

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.dialects import DialectRun
    from rouge_cli.options import AnyDialect, DialectOptions, Metrics, Options


class Run(NamedTuple):
    """A run that is set up."""

    dialect: str
    options: Options  # as in the signature
    work: Work  # scores the evals
    averages: DialectRun  # averages the results
    reading: Mapping[str, str] = {}  # format and encoding of the texts, unless they are the defaults
    expected: Mapping[str, str] = {}  # fields of the signature that the run repeats, besides options
    jobs: int = 1  # the number of workers; 0 for all cores
    signed: str = ""  # the options as in the signature, if they are known already


def set_up(dialect: str, requested: Mapping[str, object], systems: Sequence[str] | None) -> Run:
    """Set up a run.

    Args:
        requested: The dialect's options; the others have their defaults.
        systems: The systems in the order of the report; None for all.

    Raises:
        UsageError: An option is invalid.
    """
    program = dialects.named(dialect)
    options = program.canonical(resolve(dialect, program.defaults, requested))
    if "tokenizer" in options:
        options["tokenizer"] = tokenizers.signed(options["tokenizer"])
    work = Work(partial(program.build, options), systems, options.get("jackknife", False))
    # The dialect is made here, so that options are validated before any input is read.
    return Run(dialect, options, work, work.dialect(ignore_notice))


def make_report(run: Run, collected: Collected, notify: Notify) -> Results:
    """Return the report of the collected results; warn of common causes of low scores in the texts."""
    report = finish(collected, run.work.systems, run.averages, notify, run.jobs)
    for notice in remarks(report.details, run.options, needs_sentences=run.averages.needs_sentences):
        notify(notice)
    command = dialects.named(run.dialect).command_line(run.options)
    details = {**report.details, "command": command} if command else report.details
    fields: dict[str, object] = {**run.reading, **tokenizers.libraries(run.options)}
    if run.options.get("samples"):
        by_id = dialects.named(run.dialect).draws_by_id
        order = (facts.drawing_order if by_id else facts.input_order)(collected.columns)
        fields |= {"draws": order} if order != facts.NUMBERS else {}
    numbers = cast("Sequence[int]", report.details.get("references_per_eval", ()))
    references = "-".join(map(str, dict.fromkeys(numbers))) or "0"
    fields |= {"references": references, "evals": report.details["evals"], "version": __version__}
    signed = f"{run.signed or _signed(run)}|{signature.render(fields)}"
    for notice in facts.differences(run.expected, signed):
        notify(notice)
    return Results(report.results, signed, details)


def score(  # noqa: PLR0913 - what a run is made of
    tasks: Iterable[EvalTask],
    dialect: str,
    requested: Mapping[str, object],
    notify: Notify,
    *,
    systems: Sequence[str] | None = None,
    expected: Mapping[str, str] = {},
    jobs: int = 1,
    evals: int | None = None,
) -> Results:
    """Score evals, which may be a stream, and return their report; see `set_up` and `Run` for the rest.

    Args:
        evals: Their number, if tasks share an eval since its references differ by system.

    Raises:
        UsageError: An option is invalid, or there is no eval.
        RougeError: A text cannot be read.
    """
    run = _kept(dialect, requested)
    run = run._replace(work=run.work._replace(systems=systems))
    tasks, read_as = facts.collect_formats(tasks)
    results = collected(run.work, tasks, notify, jobs=jobs)
    results = results if evals is None else results._replace(evals=evals)
    if not results.evals and requested.get("metrics") != [] and systems != []:
        raise UsageError("nothing to score: no evals", remedy="give a prediction and a reference, or more")
    run = run._replace(reading=facts.reading(read_as), expected=expected, jobs=jobs)
    return make_report(run, results, notify)


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
        systems: The systems, in the order of the report. By default all, in the order of their appearance.
        jobs: The number of processes, 0 for one per core. It does not change the results.
    """
    jobs = whole("jobs", jobs, 0, MOST_JOBS)
    names = metric_labels(metrics)
    if systems is not None:
        systems = containers.checked_items(systems, "systems")
    like = recipes.signature_of(like, recipe)
    name, chosen = requested(like, dialect, options)
    if metrics is not None:
        chosen["metrics"] = names
    expected = facts.stated_facts(like)
    with NoticeHandler(notify) as handle:
        return score(tasks, name, chosen, handle, systems=systems, expected=expected, jobs=jobs)


def metric_labels(metrics: Metrics) -> list[str]:
    """Return the labels that a caller passes as one string or several; none for None."""
    if isinstance(metrics, str):
        return labels(metrics)
    return [] if metrics is None else containers.checked_items(metrics, "metrics")


_RUNS: dict[str, Run] = {}
MOST_RUNS = 100


def _kept(dialect: str, requested: Mapping[str, object]) -> Run:
    """Return the run of `set_up`, which is kept for the next call unless an option names a file."""
    key = repr((dialect, *requested.items()))
    run = _RUNS.get(key)
    if run is None:
        run = set_up(dialect, requested, None)
        if ":" not in key:
            if len(_RUNS) >= MOST_RUNS:
                _RUNS.clear()
            run = _RUNS[key] = run._replace(signed=_signed(run))
    return run


def like_options(text: str, *, tokenizer: str | None = None) -> tuple[str, dict[str, str]]:
    """Return the dialect and the options of a signature.

    Args:
        tokenizer: The user's choice, which overrides the signature's tokenizer.

    Raises:
        UsageError: The text is not a signature; or its tokenizer is a user's function, which must be named
            by `tokenizer` too.
    """
    fields = signature.parse(text)
    dialect = fields.pop("dialect", None)
    if dialect is None:
        raise UsageError("the signature has no dialect", remedy="copy the whole line")
    if tokenizer is not None and tokenizers.unsigned(fields.get("tokenizer", "")) == tokenizer:
        tokenizers.signed(fields["tokenizer"])
    if tokenizer is not None:
        fields["tokenizer"] = tokenizer
    tokenizers.check_tokenizer(fields.get("tokenizer", ""), tokenizer, "the signature")
    return dialect, {name: value for name, value in fields.items() if name not in facts.FACTS}


def with_signed(like: str | None, options: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """Return the dialect and the options of a signature, overridden by the caller's options."""
    dialect, signed = dialects.DEFAULT, dict[str, str]()
    if like is not None:
        dialect, signed = like_options(like, tokenizer=cast("str | None", options.get("tokenizer")))
    return dialect, {**signed, **{name: value for name, value in options.items() if value is not None}}


def requested(
    like: str | None, dialect: str | None, options: Mapping[str, object]
) -> tuple[str, dict[str, object]]:
    """Return the dialect, and the signature's options overridden by the caller's, with `stem` resolved."""
    signed, chosen = with_signed(like, options)
    name = dialect or signed
    language = chosen.pop("language", None)
    profile = {} if language is None else of_language(str(language), name, options)
    if any([chosen.pop("stem", None), chosen.pop("use_stemmer", None)]):
        stemmer = dialects.named(name).stemmer
        if not stemmer:
            raise UsageError(f"dialect {name} does not stem", remedy="leave stem out")
        chosen.setdefault("stemmer", stemmer)
    return name, {**chosen, **profile}


def of_language(language: str, dialect: str, requested: Mapping[str, object]) -> dict[str, str]:
    """Return the options that the profile of a language sets; see `Profile.options`."""
    from rouge_cli.text import languages  # most runs name no language

    return languages.named(language).options(dialect, dialects.named(dialect).defaults, requested)


def text_format(name: str | None, stated: Mapping[str, str]) -> str:
    """Return the format of texts: the name, else the format of a signature, else spl.

    Args:
        name: The format as the user typed it, in any case; None without one.
        stated: Fields of the signature; a list of several formats is ignored.

    Raises:
        UsageError: There is no format of that name.
    """
    folder = formats.__name__
    if name is None:
        signed = stated.get("read_as", "spl")
        return signed if plugins.is_known(folder, signed) else "spl"
    if not plugins.is_known(folder, name.lower()):
        remedy = suggestion(name.lower(), plugins.all_names(folder))
        raise UsageError(f"unknown format {name!r}", remedy=remedy)
    return name.lower()


def _signed(run: Run) -> str:
    return signature.render({"dialect": run.dialect, **run.options})
