"""`rouge_cli.compare`, `correlate` and `explain` return what the commands print, to
the last digit.
"""

import json
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.core import ignore_notice
from rouge_cli.errors import RougeError, RougeWarning, UsageError
from rouge_cli.results.scores import Results
from tests.conftest import Program

EVALS, SYSTEMS = 60, {"good": 0.75, "fair": 0.5, "poor": 0.25, "last": 0.2}


@pytest.fixture
def texts(tmp_path: Path) -> tuple[dict[str, list[str]], list[list[str]]]:
    """Return predictions of four systems and two references of each eval, and write
    them as records too.
    """
    chance = random.Random(1)
    predictions: dict[str, list[str]] = {system: [] for system in SYSTEMS}
    references, lines = [], []
    for place in range(1, EVALS + 1):
        words = [f"w{place}x{number}" for number in range(30)]
        references.append([" ".join(chance.sample(words, 20)) for _ in range(2)])
        for system, share in SYSTEMS.items():
            predictions[system].append(
                " ".join(word if chance.random() < share else "other" for word in words)
            )
            record = {
                "id": str(place),
                "system": system,
                "prediction": predictions[system][-1],
            }
            lines.append(json.dumps({**record, "references": references[-1]}) + "\n")
    (tmp_path / "texts.jsonl").write_text("".join(lines))
    (tmp_path / "human.csv").write_text(
        "system,human\ngood,4\nfair,3.5\npoor,3\nlast,1\n"
    )
    return predictions, references


def printed(here: Program, *arguments: str) -> Any:  # noqa: ANN401 - JSON
    """Return the JSON that the command prints."""
    outcome = here(*arguments, "--format", "json")
    assert 0 == outcome.status, outcome.stderr
    return json.loads(outcome.stdout)


def test_texts_are_compared_as_by_the_command(
    texts: tuple[Any, Any], here: Program
) -> None:
    """The Python call gives the command's record, signature included, under every
    option.
    """
    words = (
        "compare texts.jsonl -m R1.R,R2 --stem --baseline fair --trials 700 --seed 3"
        " --confidence 90"
    )
    expected = printed(
        here,
        *words.split(),
        "--correction",
        "bh",
        "--level",
        "0.1",
        "--measure",
        "precision",
    )
    result = rouge_cli.compare(
        *texts, "R1.R,R2", stemmer="rouge", baseline="fair", trials=700, seed=3, confidence=90,
        correction="bh", level=0.1, measure="precision", notify=ignore_notice,
    )  # fmt: skip

    assert expected == json.loads(result.to_json())


def test_texts_are_correlated_as_by_the_command(
    texts: tuple[Any, Any], here: Program, tmp_path: Path
) -> None:
    """The Python call gives the command's record, signature included; averages have
    no samples.
    """
    words = (
        "correlate texts.jsonl human.csv -m R1.R,R2 --stem --seed 3 --samples 30 --over"
        " systems"
    )
    expected = printed(here, *words.split(), "--measure", "precision")
    result = rouge_cli.correlate(
        texts[0], tmp_path / "human.csv", "R1.R,R2", references=texts[1], stem=True, seed=3, samples=30,
        over="systems", measure="precision",
    )  # fmt: skip

    assert expected == json.loads(result.to_json())
    assert "|samples:0|" in result.signature


@pytest.mark.parametrize(
    "kind", ["pandas", "named index", "polars", "arrow", "records", "a generator"]
)
def test_scores_and_human_scores_come_as_tables(
    texts: tuple[Any, Any], here: Program, kind: str, tmp_path: Path
) -> None:
    """Data frames and records have the columns of csv; missing cells are empty, and
    numbers may be IDs.
    """
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    results = rouge_cli.score(*texts, "R1,R2", stem=True, samples=60)
    (tmp_path / "scores.csv").write_text(results.to_csv(per_eval=True))
    judged = [
        {
            "system": system,
            "eval": place,
            "content": score * place % 7,
            "form": None if place % 9 else 2.5,
        }
        for system, score in {"good": 4, "fair": 3, "poor": 2, "last": 1}.items()
        for place in range(1, EVALS + 1)
    ]
    cells = (
        ",".join("" if cell is None else str(cell) for cell in row.values())
        for row in judged
    )
    (tmp_path / "judged.csv").write_text("\n".join([",".join(judged[0]), *cells]))
    scores = results.to_pandas().assign(signature=results.signature).to_dict("records")
    make: dict[str, Callable[[Any], Any]] = {
        "pandas": pd.DataFrame,
        "named index": lambda rows: pd.DataFrame(rows).set_index(["system", "eval"]),
        "polars": pl.DataFrame,
        "arrow": lambda rows: pl.DataFrame(rows).to_arrow(),
        "records": list,
        "a generator": iter,
    }
    compared = printed(here, "compare", "scores.csv", "-m", "R2.R")
    result = rouge_cli.compare(make[kind](scores), metrics="R2.R", notify=ignore_notice)
    assert compared == json.loads(result.to_json())
    correlated = printed(here, "correlate", "scores.csv", "judged.csv", "-m", "R2.R")
    human = make[kind](judged)
    again = rouge_cli.correlate(make[kind](scores), human, "R2.R", notify=ignore_notice)
    assert correlated == json.loads(again.to_json())


def test_scores_are_not_made_again(
    texts: tuple[Any, Any], here: Program, tmp_path: Path
) -> None:
    """Scores that `score` returned, or saved, give the command's comparison and
    correlation.
    """
    results = rouge_cli.score(*texts, "R1,R2", samples=0)
    path = tmp_path / "s.json"
    path.write_text(results.to_json(per_eval=True))
    saved = here(
        "score",
        "texts.jsonl",
        "-m",
        "R1,R2",
        "--samples",
        "0",
        "--per-eval",
        "-o",
        "saved.json",
    )
    assert 0 == saved.status
    assert (tmp_path / "saved.json").read_text() == path.read_text()
    compared = printed(here, "compare", "saved.json", "-m", "ROUGE-2")
    correlated = printed(
        here,
        "correlate",
        "saved.json",
        "human.csv",
        "--samples",
        "50",
        "--level",
        "system",
    )
    human = {"good": 4, "fair": 3.5, "poor": 3, "last": 1}

    for scores in (results, path, str(path)):
        assert compared == json.loads(
            rouge_cli.compare(scores, metrics="ROUGE-2", notify=ignore_notice).to_json()
        )
        for judged in (human, str(tmp_path / "human.csv"), tmp_path / "human.csv"):
            result = rouge_cli.correlate(scores, judged, samples=50, levels=["system"])
            assert correlated == json.loads(result.to_json())


@pytest.mark.parametrize(
    ("dialect", "stemmer"),
    [("rouge155", "rouge"), ("google", "nltk"), ("rouge2", "snowball:english")],
)
def test_a_pair_is_explained_as_by_the_command(
    texts: tuple[Any, Any],
    here: Program,
    dialect: DialectName,
    stemmer: str,
    tmp_path: Path,
) -> None:
    """`explain` in Python gives the same tokens, matches and arithmetic."""
    prediction, references = texts[0]["good"][0], texts[1][0]
    record = {
        "id": "1",
        "system": "system",
        "prediction": prediction,
        "references": references,
    }
    (tmp_path / "pair.jsonl").write_text(json.dumps(record))
    expected = printed(
        here, *f"explain pair.jsonl --eval 1 --stem --dialect {dialect}".split()
    )

    result = rouge_cli.explain(prediction, references, dialect=dialect, stemmer=stemmer)
    assert expected == json.loads(result.to_json())


def test_an_explanation_is_like_a_signature() -> None:
    """Dialect, metrics, options and format that are not named are those of the
    signature.
    """
    scores = rouge_cli.score(
        "A cat! sat", "cats sat", "R1,RL", dialect="google", stemmer="nltk", samples=9
    )
    result = rouge_cli.explain("A cat! sat", "cats sat", like=scores.signature)
    assert ("google", ["rouge1", "rougeL"]) == (
        result.dialect,
        [metric.label for metric in result.metrics],
    )
    again = rouge_cli.score("A cat! sat", "cats sat", like=scores.signature, samples=0)
    assert [scored.evals[0].score for scored in again.results] == [
        metric.score for metric in result.metrics
    ]

    other = rouge_cli.explain(
        "A cat! sat", "cats sat", "rouge2", like=scores.signature, stemmer="none"
    )
    assert [("rouge2", 0)] == [
        (metric.label, metric.counts.match) for metric in other.metrics
    ]
    days = f"2010-05-06\noil spill\n{'-' * 32}\n"
    timeline = rouge_cli.score(days, days, dialect="tilse", read_as="timeline")
    assert (
        1 == rouge_cli.explain(days, days, like=timeline.signature).metrics[0].score.f
    )
    several = (  # states no format
        "dialect:rouge155|metrics:ROUGE-1|samples:0|read_as:see+spl"
    )
    assert (
        1
        == rouge_cli.score("a b", "a b", like=several, notify=print).to_dict()[
            "system"
        ]["ROUGE-1"]["f"]
    )
    assert 1 == rouge_cli.explain("a b", "a b", like=several).metrics[0].score.f
    with pytest.raises(UsageError, match="has no dialect"):
        rouge_cli.explain("a", "a", like="metrics:ROUGE-1")


def test_labels_may_name_a_figure() -> None:
    """`explain` accepts labels with a figure as its command does, and a format in
    any case.
    """
    plain = rouge_cli.explain(["a b", "c"], "a b", ["ROUGE-2"])

    assert plain == rouge_cli.explain("a b\nc", ["a b"], "R2.F", read_as="SPL")
    assert ["ROUGE-2"] == [metric.label for metric in plain.metrics]


def test_notices_warn_the_caller(texts: tuple[Any, Any]) -> None:
    """Notices are warnings at the line that calls, or are passed to `notify`."""
    few = (
        {system: predictions[:3] for system, predictions in texts[0].items()},
        texts[1][:3],
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rouge_cli.compare(*few, "R1")
    notices: list[str] = []
    rouge_cli.compare(*few, "R1", notify=lambda notice: notices.append(notice.message))

    assert {(RougeWarning, __file__)} == {
        (warning.category, warning.filename) for warning in caught
    }
    assert notices == [str(warning.message) for warning in caught]
    assert "only 3 evals" in notices[0]


@pytest.fixture(scope="module")
def scores() -> Results:
    """Return scores of the four systems."""
    return rouge_cli.score(
        dict.fromkeys(SYSTEMS, ["a b"] * 3), ["a"] * 3, "R1", samples=0
    )


@tabled
def test_invalid_arguments_are_refused(
    call: str,
    arguments: list[Any],
    options: dict[str, Any],
    message: str,
    *,
    of_input: bool,
    scores: Results,
) -> None:
    """Each invalid argument has a message of its own, and is an error of usage
    unless in the input.
    """
    special = {"SCORES": scores, "FILE": __file__}
    passed = [
        special.get(value, value) if isinstance(value, str) else value
        for value in arguments
    ]
    with pytest.raises(RougeError) as error:
        getattr(rouge_cli, call)(*passed, **options)

    assert message in str(error.value)
    assert isinstance(error.value, UsageError) or of_input
