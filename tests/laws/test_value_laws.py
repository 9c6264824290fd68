"""Laws of the metrics of one value: fragments, novel and repeated n-grams, lengths."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from compiled_runs import readable
from everyday import share
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rouge_cli
from rouge_cli import metrics
from rouge_cli.core import Text
from rouge_cli.metrics.fragments import Fragment, fragments

WORDS = st.lists(st.integers(0, 3), max_size=14)
LABELS = (
    "coverage",
    "density",
    "compression",
    "novel-1",
    "novel-2",
    "novel-2-types",
    "repetition-1",
    "repetition-2-types",
    "length-ratio",
)
# What a text is summarized from, and what is scored
SOURCES = [
    "yesterday the cat sat on the mat, and it rained",
    "Dogs run in the park. They\nbark at the cat that sat on the mat",
    "",
]
PREDICTIONS = ["the cat sat on the mat", "dogs bark at\nthe park the park", "a cat"]
REFERENCES = ["a cat sat on a mat", "dogs run", "the cat"]


def value(label: str, other: Sequence[int], prediction: Sequence[int]) -> float:
    """Return the value of a metric."""
    return metrics.parse(label).count(Text(other), Text(prediction)).rank


def as_published(source: Sequence[int], summary: Sequence[int]) -> list[Fragment]:
    """Return the fragments by Figure 3 of Grusky et al. 2018, line by line, with
    indices from 0.
    """
    found = []
    i = j = 0
    while i < len(summary):
        longest = 0
        while j < len(source):
            if summary[i] == source[j]:
                i2, j2 = i, j
                while (
                    i2 < len(summary) and j2 < len(source) and summary[i2] == source[j2]
                ):
                    i2, j2 = i2 + 1, j2 + 1
                longest = max(longest, i2 - i)
                j = j2
            else:
                j += 1
        if longest:
            found.append(Fragment(i, longest))
        i, j = i + max(longest, 1), 0
    return found


@settings(max_examples=share(300))
@given(WORDS, WORDS)
@example([0, 0, 0, 1], [0, 0, 1])
def test_fragments_are_those_of_the_paper(
    source: list[int], prediction: list[int]
) -> None:
    """The fragments of any two texts are those of the paper's algorithm, which does not
    find a longer one that begins within one that it has compared.
    """
    expected = as_published(source, prediction)
    assert expected == fragments(Text(source), Text(prediction))


@given(WORDS, WORDS)
def test_values_are_in_their_ranges(source: list[int], prediction: list[int]) -> None:
    """Shares are at most 1; density is at least coverage, and at most as large as the
    prediction is long; all values are finite, and at least 0.
    """
    values = {label: value(label, source, prediction) for label in LABELS}
    for label, number in values.items():
        assert 0 <= number < math.inf
        assert number <= 1 or not metrics.parse(label).is_bounded
    assert values["coverage"] <= values["density"] <= len(prediction)
    assert values["coverage"] == pytest.approx(1 - values["novel-1"]) or not prediction


@given(WORDS, st.integers(0, 13), st.integers(1, 13), st.integers(1, 4))
def test_an_extract_has_no_novel_ngram(
    source: list[int], start: int, length: int, n: int
) -> None:
    """A part of the source has no novel n-gram, and all its words are in fragments."""
    extract = source[start : start + length]
    for label in (f"novel-{n}", f"novel-{n}-types"):
        assert value(label, source, extract) == 0
    assert value("coverage", source, extract) == (1 if extract else 0)


@given(WORDS, WORDS, st.integers(1, 3))
def test_types_and_tokens_are_as_defined(
    source: list[int], prediction: list[int], n: int
) -> None:
    """Novel and repeated n-grams are shares of their occurrences, or of the different
    ones.
    """
    grams = [tuple(prediction[i : i + n]) for i in range(len(prediction) - n + 1)]
    of_source = {tuple(source[i : i + n]) for i in range(len(source) - n + 1)}
    times = Counter(grams)
    types = max(len(times), 1)
    novel = [gram for gram in grams if gram not in of_source]
    twice = [gram for gram in times if times[gram] > 1]
    expected = {
        f"novel-{n}": len(novel) / max(len(grams), 1),
        f"novel-{n}-types": len(set(novel)) / types,
        f"repetition-{n}": 1 - len(times) / len(grams) if grams else 0,
        f"repetition-{n}-types": len(twice) / types,
    }
    for label, number in expected.items():
        assert number == pytest.approx(value(label, source, prediction)), label


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_the_length_ratio_is_to_the_mean_length(
    prediction: list[int], references: list[list[int]]
) -> None:
    """With several references, the length ratio is that to their mean length."""
    texts = [
        " ".join(f"w{word}" for word in text) for text in (prediction, *references)
    ]
    results: Any = rouge_cli.score(
        [texts[0]],
        [texts[1:]],
        "length-ratio",
        dialect="google",
        notify=lambda _: None,
    )
    mean = sum(map(len, references)) / len(references)
    expected = len(prediction) / mean if mean else 0
    assert results["system"]["length-ratio"].f == pytest.approx(expected)


# Runs.


def scored(dialect: Any, labels: Sequence[str], **options: Any) -> Any:  # noqa: ANN401 - any option
    """Return averages and evals of the texts."""
    results = rouge_cli.score(
        PREDICTIONS,
        REFERENCES,
        labels,
        dialect=dialect,
        sources=SOURCES,
        notify=lambda _: None,
        samples=0,
        **options,
    )
    evals = [list(result.evals) for result in results.results]
    return [result.average for result in results.results], evals


SETUPS: list[Any] = [
    ("rouge155", {}),
    ("rouge155", {"stem": True, "limit": "3words"}),
    ("rouge155", {"tokenizer": "unicode", "normalize": "casefold"}),
    ("rouge155", {"average": "micro"}),
    ("google", {}),
    ("google", {"stem": True}),
    ("google", {"tokenizer": "whitespace"}),
    ("xlsum", {}),
    ("korouge", {}),
]


@pytest.mark.parametrize(("dialect", "options"), SETUPS)
def test_both_roads_give_the_same_with_sources(
    dialect: str,
    options: dict[str, Any],
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """Metrics of sources beside those that compiled code scores have the same numbers
    on both roads, and so have those.
    """
    usual = ["R1", "RL"] if dialect == "rouge155" else ["rouge1", "rougeL"]
    labels = [*usual, *LABELS]
    with readable():
        expected = scored(dialect, labels, **options)
    assert expected == scored(dialect, labels, **options)
    averages, evals = scored(dialect, usual, **options)
    assert averages == expected[0][: len(usual)]
    assert evals == expected[1][: len(usual)]


class Quoted(metrics.Metric):
    """A stranger's metric: the different words that prediction and source share."""

    label = "ROUGE-QUOTED"
    against = metrics.SOURCE

    def units(self, text: Text) -> Iterator[tuple[tuple[int], tuple[int]]]:
        """Yield the different words."""
        for word in dict.fromkeys(text.tokens):
            yield (word,), (text.tokens.index(word),)


def test_a_strangers_metric_is_counted_against_the_source(
    monkeypatch: pytest.MonkeyPatch,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """A metric of another package that declares SOURCE has recall and precision against
    the source, beside compiled metrics against references, and is explained.
    """
    family = SimpleNamespace(
        LABELS=(Quoted.label,),
        parse=lambda label: Quoted() if label == Quoted.label else None,
    )
    monkeypatch.setattr(metrics, "_OTHERS", [family])
    metrics.parse.cache_clear()
    results: Any = rouge_cli.score(
        "a b x", "a y", ["R1", Quoted.label], sources="a b c d", samples=0
    )
    assert results["system"][Quoted.label][:2] == (0.5, 0.66667)
    assert results["system"]["R1"][:2] == (0.5, 0.33333)

    explained = rouge_cli.explain("a b x", "a y", Quoted.label, source="a b c d")
    assert "reference source  [a] [b] c d" in explained.to_text()
    metrics.parse.cache_clear()


def test_a_limit_cuts_predictions_and_no_sources() -> None:
    """With a limit of 3 words, compression divides all words of the source by 3."""
    _, evals = scored("rouge155", ["compression"], limit="3words")

    assert evals[0][0].counts.match == 10
    assert evals[0][0].counts.reference == 3


@pytest.mark.parametrize("dialect", ["rouge155", "google"])
def test_records_lines_folders_and_lists_give_the_same(
    dialect: Any,  # noqa: ANN401 - a name
    tmp_path: Path,
) -> None:
    """The same texts have the same values from records, from records of both sides,
    from lines, from folders, and from lists.
    """
    texts = {"prediction": PREDICTIONS, "reference": REFERENCES, "article": SOURCES}
    flat = {
        name: [text.replace("\n", " ") or "empty" for text in of_name]
        for name, of_name in texts.items()
    }
    records = []
    for index in range(len(PREDICTIONS)):
        record = {name: of_name[index] for name, of_name in flat.items()}
        records.append({"id": str(index + 1), **record})
    both = tmp_path / "run.jsonl"
    both.write_text("".join(json.dumps(record) + "\n" for record in records))
    predicted = tmp_path / "predicted.jsonl"
    predicted.write_text(
        "".join(
            json.dumps({"id": record["id"], "prediction": record["prediction"]}) + "\n"
            for record in reversed(records)
        )
    )
    for name, of_name in flat.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(of_name) + "\n")
        (tmp_path / name).mkdir()
        for index, text in enumerate(of_name, 1):
            (tmp_path / name / f"{index}.txt").write_text(text + "\n")

    def files(*paths: str, source: str) -> Any:  # noqa: ANN401 - of any system
        results: Any = rouge_cli.score_files(
            str(tmp_path / paths[0]),
            str(tmp_path / paths[1]) if len(paths) > 1 else None,
            LABELS,
            source=source,
            dialect=dialect,
            samples=0,
            notify=lambda _: None,
        )
        (scores,) = results.to_dict().values()
        return scores

    results: Any = rouge_cli.score(
        flat["prediction"],
        flat["reference"],
        LABELS,
        sources=flat["article"],
        dialect=dialect,
        samples=0,
    )
    expected = results.to_dict()["system"]
    lines = str(tmp_path / "article.txt")
    assert expected == files("run.jsonl", source="article")
    assert expected == files("prediction.txt", "reference.txt", source=lines)
    folder = str(tmp_path / "article")
    assert expected == files("prediction", "reference", source=folder)
    by_id = files("predicted.jsonl", "run.jsonl", source="article")
    assert [pytest.approx(by_id[label]["f"]) for label in LABELS] == [
        expected[label]["f"] for label in LABELS
    ]
