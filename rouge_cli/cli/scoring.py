"""The options of commands that score texts, and their run."""

import re
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import length_hint
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import click

from rouge_cli import dialects, metrics, plugins, signature
from rouge_cli.cli import option_groups
from rouge_cli.cli.inputs import Inputs
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    flag,
    of_dialect,
    option,
    several,
)
from rouge_cli.core import Notice, Notify
from rouge_cli.errors import UsageError
from rouge_cli.io import files, interrupts, positions
from rouge_cli.options import labels
from rouge_cli.results import lengths
from rouge_cli.runs import assembly, parallel
from rouge_cli.runs.evaluation import Collected
from rouge_cli.tasks import system_names
from rouge_cli.tasks.streams import Stream
from rouge_cli.text import tokenizers

T = TypeVar("T")
SECONDS_WITHOUT_PROGRESS = 2.0
BETWEEN = 0.2  # seconds between two looks of the progress
_STEPS = 1000  # of a bar that shows a share
_BAR = 20  # columns of the bar, so that its line fits a terminal
_CLEAR = "\r\x1b[K"  # goes to the start of the line, and clears it
MOST_LABELS = 20  # unknown labels that are looked up in other dialects
_SCORING = (
    "dialect language stemmer stop stop_words limit tokenizer sentences formula alpha"
    " beta settings like recipe"
)


class CountingOptions(OptionGroup):
    """Options for metrics, the dialect, and the treatment of words."""

    section: ClassVar = "Scoring"
    conflicts: ClassVar = {
        Conflict.SCORE_ONLY: "metrics",
        Conflict.BETWEEN_DIALECTS: f"metrics irregular normalize {_SCORING}",
        Conflict.LANGUAGE_COLUMN: "language",
        Conflict.SAVED: f"stem irregular normalize {_SCORING}",
        Conflict.PAIRS_OF_TEXTS: "formula",
    }
    metrics: Words = several(
        "-m --metric LABEL[.RPF]", "Metrics, such as ROUGE-1,R2.F; repeatable."
    )
    dialect: str | None = option(
        "--dialect NAME", "Program to reproduce (default rouge155)."
    )
    language: str | None = option(
        "--language CODE", "Words as of this language (see `list languages`)."
    )
    stemmer: str | None = of_dialect(
        "--stemmer NAME", "Stemmer: none, rouge, nltk, snowball:LANGUAGE."
    )
    stem: bool = flag("--stem", "Stem words with the dialect's own stemmer.")
    irregular: str | None = of_dialect(
        "--irregular NAME", "Irregular forms of --stem: full, none, file:DB."
    )
    stop: bool = flag("--stop", "Drop the dialect's own stop words.")
    stop_words: str | None = option(
        "--stop-words FILE", "Drop the words in FILE, one per line."
    )
    limit: str | None = of_dialect(
        "--limit N", "Cut texts to a length: 100words, 665bytes."
    )
    normalize: str | None = of_dialect(
        "--normalize HOW", "Letters, as in nfkc+casefold; see other-languages."
    )
    tokenizer: str | None = of_dialect(
        "--tokenizer NAME", "Words: unicode, char, zh, ..., MODULE:FUNCTION."
    )
    sentences: str | None = of_dialect(
        "--sentences HOW", "Sentences: newline, mark:<q>, split, none."
    )
    formula: str | None = of_dialect(
        "--formula NAME", "Several references: average (sum) or best."
    )
    alpha: float | None = of_dialect(
        "--alpha", "Weight of precision in F, 0 to 1 (default 0.5).", type=float
    )
    beta: float | None = option(
        "--beta", "Beta of F, or alpha = 1 / (1 + beta^2).", type=float
    )
    settings: Words = several(
        "--set NAME=VALUE", "Set any option of the dialect; repeatable."
    )
    like: str | None = option("--like SIGNATURE", "Use the options of this signature.")
    recipe: str | None = option(
        "--recipe NAME", "Use a set-up by name (see `list recipes`)."
    )
    quiet: bool = flag("--quiet", "Print no warnings and no progress.")


class ReferenceOptions(CountingOptions):
    """Options for scoring several evals."""

    section: ClassVar = "Averages"
    conflicts: ClassVar = {
        Conflict.SAVED: "jackknife",
        Conflict.BETWEEN_DIALECTS: "jackknife",
    }
    jackknife: bool = of_dialect(
        "--jackknife",
        "Leave out each reference in turn, and score it.",
        default=False,
        is_flag=True,
    )


class EvalOptions(ReferenceOptions):
    """Options for scoring several evals, and for their averages."""

    conflicts: ClassVar = {Conflict.SAVED: "samples"}
    samples: int | None = of_dialect(
        "--samples N", "Bootstrap samples; 0 for the plain mean.", type=int
    )


class RunOptions(EvalOptions):
    """Options for scoring and averaging evals."""

    conflicts: ClassVar = {
        Conflict.SAVED: "average",
        Conflict.EVALS_ALONE: "average confidence seed",
        Conflict.SCORE_ONLY: "confidence",
        Conflict.NO_SAMPLES: "confidence seed",
        Conflict.NO_INTERVALS: "confidence",
        Conflict.EVALS_RESAMPLED: "samples",
    }
    average: str | None = of_dialect(
        "--average NAME", "Average over evals: macro or micro (counts)."
    )
    confidence: str | None = of_dialect(
        "--confidence PERCENT", "Level of the intervals (default 95)."
    )
    seed: int | None = of_dialect(
        "--seed N", "Seed of the bootstrap (default 0).", type=int
    )


def jobs_option() -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for -j."""
    return option(
        "-j --jobs N",
        "Processes; 0 for all cores.",
        default=1,
        type=click.IntRange(0, parallel.MOST_JOBS),
    )


# A dialect's option -> the options of the command that set it, if there are several.
OPTIONS_OF = {
    "stemmer": ("stemmer", "stem"),
    "stop": ("stop", "stop_words"),
    "alpha": ("alpha", "beta"),
}


class Request(NamedTuple):
    """What a command line requests, in the terms of the dialect."""

    dialect: str
    # (label as typed; R, P, F or an empty string) in order
    columns: Sequence[tuple[str, str]]
    options: Mapping[str, object]  # the dialect's, without defaults
    quiet: bool
    # How texts were read, and the data, for the signature of --like
    expected: Mapping[str, str]

    @property
    def confidence(self) -> str:
        """The level of the intervals, as typed."""
        return str(self.options.get("confidence", "95"))


def request(options: CountingOptions) -> Request:
    """Resolve the options of a command line; raise UsageError if two of them exclude
    each other.
    """
    like = signature.signature_of(options.like, options.recipe)
    dialect, values = assembly.chosen_options(
        like,
        options.dialect,
        _own_options(options),
        stem=options.stem,
        stop=options.stop,
        language=options.language,
    )
    known = dialects.named(dialect).defaults
    if options.beta is not None and "beta" not in known and "alpha" in known:
        del values["beta"]
        values["alpha"] = 1 / (1 + options.beta * options.beta)
    typed = split_labels(options.metrics)
    named = typed
    if not named and "metrics" in values:
        named = labels(str(values["metrics"]))
    if not named and (options.metrics or "metrics" in values):
        raise UsageError(
            "no metric named", remedy="name metrics as in -m ROUGE-1,ROUGE-2"
        )
    columns = [metrics.figure(label) for label in named]
    if typed:
        values["metrics"] = tuple(label for label, _ in columns)
    return Request(
        dialect=dialect,
        columns=columns,
        options=values,
        quiet=options.quiet,
        expected=signature.stated_facts(like),
    )


def with_lengths(request: Request) -> Request:
    """Return the request with the metric of lengths, which is no column of its own;
    raise UsageError if the dialect does not have it.
    """
    program = dialects.named(request.dialect)
    metrics_ = request.options.get("metrics", program.defaults["metrics"])
    named = labels(metrics_) if isinstance(metrics_, str) else cast("Words", metrics_)
    try:
        program.parse(lengths.RATIO)
    except UsageError:
        raise UsageError(
            f"--lengths with dialect {request.dialect}, which counts no lengths",
            remedy="leave it out, or use dialect rouge155 or google",
        ) from None
    columns = request.columns or [metrics.figure(label) for label in named]
    options = {**request.options, "metrics": (*named, lengths.RATIO)}
    return request._replace(columns=columns, options=options)


def _own_options(options: CountingOptions) -> dict[str, object]:
    """Return the options of the dialect that are typed, by the dialect's names; raise
    UsageError if an option has two values.
    """
    own: dict[str, object] = {}
    for name, value in vars(options).items():
        is_typed = value is not None and value is not False
        if is_typed and options.fields[name].of_dialect:
            own[name] = value
    settings = values_set(options)
    tokenizers.check_tokenizer(settings.get("tokenizer"), options.tokenizer, "--set")
    own |= settings

    together = ""
    if options.stem and options.stemmer is not None:
        together = "--stem and --stemmer"
    elif options.stop and options.stop_words is not None:
        together = "--stop and --stop-words"
    elif options.beta is not None and options.alpha is not None:
        together = "--beta and --alpha"
    if together:
        raise UsageError(f"{together} together", remedy="give one of them")
    if options.stop_words:
        own["stop"] = f"file:{options.stop_words}"
    if options.beta is not None:
        if not options.beta >= 0:
            raise UsageError(f"beta is {options.beta:g}", remedy="it must be 0 or more")
        own["beta"] = options.beta
    return own


def values_set(options: CountingOptions) -> dict[str, str]:
    """Return the values of --set NAME=VALUE; raise UsageError for a name with two
    values.
    """
    fields = options.fields
    typed = {
        name
        for name, value in vars(options).items()
        if value != fields[name].settings.get("default")
    }
    values: dict[str, str] = {}
    for setting in options.settings:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise UsageError(
                f"--set {setting}",
                remedy="write --set NAME=VALUE, as in --set samples=0",
            )
        if name in values or not typed.isdisjoint(OPTIONS_OF.get(name, (name,))):
            raise UsageError(
                f"--set {name}, which already has a value", remedy="give one value"
            )
        values[name] = value
    return values


def check_settings(
    options: CountingOptions, unused: Collection[str], what: str
) -> None:
    """Raise UsageError if --set names one of the unused options, which have no
    effect on `what`.
    """
    for name in values_set(options):
        if name in unused:
            raise UsageError(
                f"--set {name} has no effect on {what}", remedy="leave it out"
            )


def split_labels(values: Sequence[str]) -> list[str]:
    """Return the labels of all values; a value may hold several labels."""
    return [label for value in values for label in labels(value)]


def run(request: Request, systems: Sequence[str] | None) -> assembly.Run:
    """Set up the run of a command line; raise UsageError for invalid options."""
    try:
        return assembly.set_up(request.dialect, request.options, systems)
    except UsageError:
        dialects.named(request.dialect)  # an unknown dialect has no labels
        for label, _ in request.columns[:MOST_LABELS]:
            _check_label(label, request.dialect)
        raise


def _check_label(label: str, dialect: str) -> None:
    """Raise UsageError for an option after -m, an unknown measure, or a metric of
    another dialect.
    """
    if label.startswith("-"):
        remedy = "ROUGE-1.5.5.pl's -m is --stem here"
        raise UsageError(f"-m names a metric, and {label!r} follows it", remedy=remedy)
    if option_groups.has_label(dialect, label):
        return
    typed = re.fullmatch(r"(.*)[-._:]([a-zA-Z]\w*)", label, re.DOTALL)
    if typed and option_groups.has_label(dialect, typed[1]):
        remedy = f"write {typed[1]}.F, or another of {', '.join(metrics.FIGURES)}"
        raise UsageError(f"unknown measure {typed[2]!r} of {typed[1]}", remedy=remedy)
    names = plugins.all_names(dialects.__name__)
    having = [name for name in names if option_groups.has_label(name, label)]
    if having:
        own = cast("Sequence[str]", dialects.named(dialect).defaults["metrics"])
        remedy = (
            f"use {', '.join(own[:3])}, ..., or --dialect {' or '.join(having)}, which"
            " computes other numbers"
        )
        raise UsageError(
            f"unknown metric {label!r} in dialect {dialect}", remedy=remedy
        )


def score_inputs(  # noqa: PLR0913, PLR0917 - what a run is made of
    run: assembly.Run,
    source: Inputs,
    request: Request,
    notices: Notify,
    jobs: int,
    scheduler: str | None,
) -> tuple[assembly.Run, Collected]:
    """Score the inputs; return the results, and the run with the format and encoding
    of the texts.
    """
    systems = source.systems or ()
    number = None  # not known of a stream
    if isinstance(source.tasks, Sequence):
        number = len(source.tasks)
        if systems:
            system_names.check(systems, system_names.of_tasks(source.tasks))
    share = None
    if number is None and _is_terminal():
        share = positions.share_of(source.parts())
    progress = watch(quiet=request.quiet, size=len, length=number, share=share)
    scored = parallel.collected(
        run.work, source.tasks, notices, jobs=jobs, scheduler=scheduler, watch=progress
    )
    if not scored.evals:
        where = ", ".join(map(files.place, source.files))
        raise assembly.nothing_to_score(where)
    read = source.tasks.systems if isinstance(source.tasks, Stream) else ()
    system_names.check(systems, sorted({*read, *scored.systems}))
    if run.work.jackknife and not scored.details.get("humans"):
        notices(Notice("no eval has two references: jackknifing changes nothing"))
    run = run._replace(reading=source.reading(), expected=request.expected, jobs=jobs)
    return run, scored


def watch(
    *,
    quiet: bool,
    noun: str = "evals",
    size: Callable[[Any], int] = lambda _: 1,
    length: int | None = None,
    share: Callable[[], float] | None = None,
) -> Callable[[Iterable[T]], Iterator[T]]:
    """Return a function that passes items on, and shows progress if stderr is a
    terminal.

    It is shown for items that take longer than SECONDS_WITHOUT_PROGRESS, and erased at
    the end and by Ctrl-C. If the whole is known, there is a bar with per cent and the
    time that is left, else only what is done.

    Args:
        quiet: Never show progress.
        noun: What is counted, as in "120 evals".
        size: Returns the number of the noun in an item.
        length: The number of the noun in all items; by default the number of items, if
            it is known.
        share: Returns the share that is done, from 0 to 1, if the number is not known.
    """
    if quiet or not _is_terminal():
        return iter

    def show(items: Iterable[T]) -> Iterator[T]:
        progress = _Progress(noun, length or length_hint(items), share)
        with interrupts.Cleanup(progress.erase, is_first=True):
            try:
                for item in items:
                    yield item
                    progress.add(size(item))
            finally:
                progress.erase()

    return show


def _is_terminal() -> bool:
    """Return True if stderr is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


class _Progress:
    """The line on the terminal that shows how much is done."""

    def __init__(
        self, noun: str, length: int | None, share: Callable[[], float] | None
    ) -> None:
        self._noun, self._share = noun, share
        self._start = time.monotonic()
        self._next = self._start + SECONDS_WITHOUT_PROGRESS
        self._number = 0
        self._is_shown = False
        self._bar: Any = None  # click's
        if length or share:
            self._bar = click.progressbar(
                length=_STEPS if share else length,
                label=noun,
                show_pos=not share,
                show_percent=True,
                item_show_func=str,
                width=_BAR,
                file=sys.stderr,
            )

    def add(self, number: int) -> None:
        """Add what is done, and show it now and then."""
        self._number += number
        if self._share and self._number == number and self._share() == 1:
            self._bar = None  # read at once, before the first is scored
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + BETWEEN
        self._is_shown = True
        speed = f"{self._number / (now - self._start):.0f} a second"
        if self._bar is None:
            done = f"{self._noun}  {self._number}  {speed}"
            click.echo(f"{_CLEAR}{done}", nl=False, err=True)
            return
        place = self._number
        if self._share:
            place = int(_STEPS * self._share())
            speed = f"{self._number}, {speed}"
        self._bar.update(place - self._bar.pos, speed)

    def erase(self) -> None:
        """Clear the line, and show the cursor again."""
        if self._is_shown:
            self._is_shown = False
            click.echo(f"{_CLEAR}\x1b[?25h", nl=False, err=True)
