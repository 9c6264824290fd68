"""Compiled and readable code give the same results, or the same error, for every option
and every metric; also for those that compiled code has never heard of.

The options are those that the dialects declare, and their values those that the
programs accept of all names that any command, list or dialect knows.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click
import pytest
from compiled_runs import readable
from everyday import THOROUGH

import rouge_cli
from rouge_cli import dialects, metrics, plugins
from rouge_cli.cli import rouge155 as drop_in
from rouge_cli.cli.entries import all_entries
from rouge_cli.cli.main import group
from rouge_cli.core import Text
from rouge_cli.dialects.google import program as google
from rouge_cli.dialects.google.rouge_scorer import RougeScorer
from rouge_cli.dialects.rouge155 import options as rouge155
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.errors import RougeError
from rouge_cli.metrics.ngram import NGram
from rouge_cli.runs import assembly, parallel
from rouge_cli.runs.mixed import MixedScorer

if TYPE_CHECKING:
    from rouge_cli.runs.evaluation import AnyScorer

PREDICTIONS = {
    "a": ["The cats SAT on mats. They didn't sleep\nIt rained; 12 men ran", "ab", ""],
    "b": ["the cat sat on the mat", "Über ünder äb été naïve", "men\nran\nran the"],
}
REFERENCES = [
    ["The cat sat on the mat. It didn't sleep\nIt rained on 12 men", "a cat"],
    ["Uber under ab; ab", "Über äb"],
    ["the men ran\nthe man ran"],
]
TIMELINE = "2010-01-01\nthe cat sat\n\n2010-01-04\nit rained\n"
DEMO = Path(__file__).parents[2] / "fixtures" / "demo" / "settings.xml"
MOST_VALUES = 6 if THOROUGH else 1  # of an option


def names() -> list[str]:
    """Return the dialects of the package."""
    return plugins.names(dialects.__name__)


@cache
def known_values() -> list[str]:
    """Return every name that a command's option, a list or a dialect's default has."""
    values = {"3words", "40bytes", "2", "3", "any", "yes", "no"}
    for command in group.commands.values():
        for param in command.params:
            if isinstance(param.type, click.Choice):
                values.update(map(str, param.type.choices))
    values.update(entry.name for entry in all_entries() if entry.kind != "metric")
    for name in names():
        values.update(map(str, dialects.named(name).defaults.values()))
    return sorted(value for value in values if ":" not in value)


def candidates(dialect: str, option: str, default: object) -> list[object]:
    """Return values of an option's type that are not its default: first those that the
    program's own message for a wrong value names.
    """
    if isinstance(default, bool):
        return [not default]
    if isinstance(default, int):
        return [default + 1, default + 2, 3, 20]
    if isinstance(default, float):
        return [default / 2, default + 1, 0.25, 90.0]
    message = scored(dialect, **{option: "?"})
    named = re.findall(r"[\w.-]+", message.partition(";")[2])
    program = dialects.named(dialect)
    values = [*named, program.stemmer, program.stop_list, *known_values()]
    return [value for value in values if value not in ("", default)]


def scored(dialect: str, **options: Any) -> str:  # noqa: ANN401 - any option
    """Return everything that scoring the texts returns, or its error."""
    notices: list[str] = []
    predictions: Any = PREDICTIONS
    references: Any = REFERENCES
    if dialect == "tilse":
        predictions, references = {"a": [TIMELINE]}, [[TIMELINE]]
        options["read_as"] = "timeline"
    try:
        results = rouge_cli.score(
            predictions,
            references,
            dialect=dialect,  # type: ignore[arg-type]  # found in the folder
            notify=lambda notice: notices.append(notice.message),
            **options,
        )
    except RougeError as error:
        return f"{type(error).__name__}: {error}"
    averages = [(each.system, each.label, each.average) for each in results.results]
    evals = [list(each.evals) for each in results.results]
    return repr((averages, evals, sorted(notices), results.signature))


def settable() -> Iterator[Any]:
    """Yield each option of each dialect."""
    for dialect in names():
        for option in dialects.named(dialect).defaults:
            if option != "metrics":
                yield pytest.param(dialect, option, id=f"{dialect}-{option}")


@pytest.mark.parametrize(("dialect", "option"), list(settable()))
def test_each_option_off_its_default_is_the_same_on_both_roads(
    dialect: str,
    option: str,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """Each declared option of each dialect, at values off its default that the dialect
    accepts, gives one result on both roads, to the last bit.
    """
    accepted = 0
    default = dialects.named(dialect).defaults[option]
    for value in candidates(dialect, option, default):
        options = {option: value}
        with readable():
            expected = scored(dialect, **options)
            if "has no effect with stemmer" in expected:
                options["stemmer"] = dialects.named(dialect).stemmer
                expected = scored(dialect, **options)
        if expected.startswith("UsageError"):
            continue
        accepted += 1
        assert expected == scored(dialect, **options), f"{options}"
        if accepted == MOST_VALUES:
            break
    # Some dialects do not resample, and `score` pools the references of timelines.
    fixed = {"samples", "protocol"}
    assert accepted or option in fixed, f"no value of {option} is known"


def labelled() -> Iterator[Any]:
    """Yield the metrics of each dialect, and the families of rouge155."""
    for dialect in names():
        program = dialects.named(dialect)
        labels = [*program.defaults["metrics"], *program.labels]
        if dialect == dialects.DEFAULT:
            labels += metrics.labels()
        for label in dict.fromkeys(labels):
            yield pytest.param(dialect, label, id=f"{dialect}-{label}")


@pytest.mark.parametrize(("dialect", "label"), list(labelled()))
def test_each_metric_is_the_same_on_both_roads(
    dialect: str,
    label: str,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """Each metric, alone and beside the dialect's own, gives one result on both
    roads.
    """
    for labels in ([label], [*dialects.named(dialect).defaults["metrics"], label]):
        with readable():
            expected = scored(dialect, metrics=labels)
        assert expected == scored(dialect, metrics=labels)


def f_of(label: str, prediction: str, reference: str, **options: Any) -> float:  # noqa: ANN401 - any option
    """Return the F of a prediction."""
    results: Any = rouge_cli.score(prediction, reference, label, **options)
    f: float = results["system"][label].f
    return f


# What a stranger adds to the package, and compiled code does not know.


class CasedGoogle(google.Google):
    """The dialect google with an option that lower-cases or not."""

    __module__ = google.__name__  # as if it were written there

    def scorer(self) -> RougeScorer:
        """Return the scorer of the options."""
        usual = super().scorer()
        if self.options["lowercase"]:
            return usual
        return google.TokenizedScorer(bytes.split, str)


def test_an_option_that_compiled_code_does_not_know_is_not_ignored(
    monkeypatch: pytest.MonkeyPatch,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """A new option of rouge155 means plain Python for the run, at any value off its
    default: here texts are read backwards.
    """

    def build(options: Any, *how: Any) -> Rouge155:  # noqa: ANN401 - as the dialect's
        plain = {name: value for name, value in options.items() if name != "backwards"}
        setup = rouge155.setup(plain)
        if options["backwards"]:
            setup = setup._replace(tokenize=lambda text: text[::-1].split())
        return Rouge155(setup, *how)

    monkeypatch.setitem(rouge155.DEFAULTS, "backwards", value=False)
    changed = rouge155.DIALECT._replace(build=build)
    monkeypatch.setattr(dialects, "named", lambda _: changed)
    run = assembly.set_up("rouge155", {"backwards": True}, None)
    assert run.division.setup is None
    assert run.division.unknown == ["backwards"]
    backwards = f_of("R1", "abc cba", "cba xyz", samples=0, backwards=True)
    with readable():
        assert backwards == f_of("R1", "abc cba", "cba xyz", samples=0, backwards=True)
    assert backwards == f_of("R1", "cba abc", "abc zyx", samples=0)


def test_an_option_of_google_that_compiled_code_does_not_know_is_not_ignored(
    monkeypatch: pytest.MonkeyPatch,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """A new option of google, that lower-cases or not, gives the same on both roads."""
    changed = google.DIALECT._replace(
        defaults={**google.DEFAULTS, "lowercase": True}, build=CasedGoogle
    )
    monkeypatch.setattr(dialects, "named", lambda _: changed)
    options: dict[str, Any] = {"dialect": "google"}
    texts = "The cat Sat", "the cat sat"

    folded = f_of("rouge1", *texts, **options)
    cased = f_of("rouge1", *texts, **options, lowercase=False)
    with readable():
        expected = f_of("rouge1", *texts, **options, lowercase=False)

    assert folded == 1
    assert cased == expected == pytest.approx(1 / 3)


class Ends(metrics.Metric):
    """Counts the first and the last word."""

    label = "ROUGE-ENDS"

    def units(self, text: Text) -> Iterator[tuple[tuple[int], tuple[int]]]:
        """Yield the words at both ends."""
        for place in {0, len(text.tokens) - 1} if text.tokens else ():
            yield (text.tokens[place],), (place,)


class Within(NGram):
    """Bigrams that do not cross sentences: derived from a metric with a kernel."""

    needs_sentences = True

    def __init__(self) -> None:
        super().__init__(2)
        self.label = "ROUGE-2-WITHIN"

    def bag(self, text: Text) -> Any:  # noqa: ANN401 - a Counter
        """Count the bigrams of each sentence."""
        return Counter(
            pair for sentence in text.sentences for pair in pairwise(sentence)
        )


@pytest.mark.parametrize("metric", [Ends(), Within()], ids=lambda metric: metric.label)
def test_a_metric_that_compiled_code_does_not_know_leaves_the_others_compiled(
    metric: metrics.Metric,
    monkeypatch: pytest.MonkeyPatch,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """A plug-in's metric is counted as it counts, in plain Python, beside compiled
    ROUGE-1, ROUGE-2 and ROUGE-L; a notice says so if there are many evals.
    """
    family = SimpleNamespace(
        LABELS=(metric.label,),
        parse=lambda label: metric if label == metric.label else None,
    )
    monkeypatch.setattr(metrics, "_OTHERS", [family])
    metrics.parse.cache_clear()
    labels = ["R1", metric.label, "R2", "RL"]
    scorer = assembly.set_up("rouge155", {"metrics": labels}, None).work.scorer(print)

    assert isinstance(scorer, MixedScorer)
    assert scorer.labels == ["ROUGE-1", metric.label, "ROUGE-2", "ROUGE-L"]
    with readable():
        expected = scored("rouge155", metrics=labels)
    assert expected == scored("rouge155", metrics=labels)
    for more in ({"jackknife": True}, {"average": "micro"}, {"jobs": 2}):
        with readable():
            expected = scored("rouge155", metrics=labels, **more)
        assert expected == scored("rouge155", metrics=labels, **more)

    notices: list[str] = []
    rouge_cli.score(
        ["a b"] * 1000,
        ["a b"] * 1000,
        labels,
        samples=0,
        notify=lambda notice: notices.append(notice.message),
    )
    assert 1 == sum(f"{metric.label}: not compiled" in notice for notice in notices)


@pytest.mark.parametrize("typed", ["-w 3", "-w 2.5 -t 1 -d", "-w 3 -f B -2 4 -U -m"])
def test_the_drop_in_divides_its_run_as_others(
    typed: str,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """ROUGE-W with a weight that compiled code does not know is scored in plain Python
    beside compiled ROUGE-1, ROUGE-2 and ROUGE-L, with the same bytes.
    """
    divided = []

    def mixed(
        own: "AnyScorer", plain: "AnyScorer", labels: Sequence[str]
    ) -> MixedScorer:
        divided.append((list(own.labels), plain.labels))
        return MixedScorer(own, plain, labels)

    monkeypatch.setattr(parallel, "MixedScorer", mixed)
    arguments = ["-n", "2", *typed.split(), "-r", "9", "-a", str(DEMO)]
    status = drop_in.main(arguments)
    printed = capfdbinary.readouterr()
    with readable():
        assert status == drop_in.main(arguments) == 0
    assert printed.out == capfdbinary.readouterr().out
    assert b"ROUGE-W" in printed.out
    ((own, plain),) = divided
    assert ["ROUGE-1", "ROUGE-2", "ROUGE-L"] == own[:3]
    assert [f"ROUGE-W-{typed.split()[1]}"] == plain
