"""`identify` finds the set-up of REALSumm's published numbers (Bhandari et al. 2020).

The data are not part of the project; without them these tests are skipped.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from everyday import sampled

import rouge_cli
from rouge_cli.studies.identification import identify
from rouge_cli.studies.published import read_published
from rouge_cli.tasks import containers
from tests.conftest import Program

FIGURES = ("recall", "precision", "f")
METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
SYSTEMS = [
    "fast_abs_rl_rerank", "presumm_abs", "presumm_ext_abs", "presumm_trans_abs",
    "ptr_generator_pointer_gen_cov", "semsim", "t5_11B", "t5_base", "t5_large", "two_stage_rl", "unilm_v1",
    "unilm_v2",
]  # fmt: skip
# Systems whose sentences, joined in one line, punkt splits so that the published digits
# result.
DIVIDED_BY_PUNKT = {"ptr_generator_pointer_gen_cov", "t5_large"}
SETUP = "dialect:rouge155|metrics:ROUGE-1+ROUGE-2+ROUGE-L|stemmer:rouge|samples:0"

Record = dict[str, Any]


def tasks(records: list[Record], joint: str = "\n") -> Any:  # noqa: ANN401 - tasks
    """Return the summaries as tasks, with their sentences joined by `end`."""
    predictions = [joint.join(record["prediction"]) for record in records]
    references = [joint.join(record["reference"]) for record in records]
    return containers.tasks(
        {"system": predictions}, references, [record["id"] for record in records]
    )


def means(records: list[Record], figure: str = "f") -> dict[str, float]:
    """Return the means of the published scores, times 100."""
    totals = {
        name: sum(record["published"][name][figure] for record in records)
        for name in METRICS
    }
    return {name: 100 * total / len(records) for name, total in totals.items()}


def words(numbers: dict[str, float]) -> str:
    """Format the numbers as a paper prints them."""
    return ",".join(f"{name}={number:.2f}" for name, number in numbers.items())


def test_the_systems_are_those_of_the_data(records: dict[str, list[Record]]) -> None:
    """The tests below cover every system of the data."""
    assert SYSTEMS == sorted(records, key=str.lower) or set(SYSTEMS) == set(records)
    assert {100} == {len(some) for some in records.values()}


@pytest.mark.parametrize("system", sampled(SYSTEMS, 4))
def test_means_of_a_system(records: dict[str, list[Record]], system: str) -> None:
    """ROUGE-1.5.5, stemmed, a sentence a line, with irregular forms is the first
    result for each system.
    """
    result = identify(
        tasks(records[system]),
        read_published([words(means(records[system]))]),
        notify=print,
    )
    first = result.candidates[0]

    assert (SETUP, "F", "half even", True) == (*first[:3], all(first.fits))
    assert result.chance is not None
    assert result.chance < 0.001
    assert all(
        "stemmer:" not in other and "irregular:" not in other for other in first.also
    )


@pytest.mark.parametrize("system", sampled(SYSTEMS, 6))
def test_joined_sentences(records: dict[str, list[Record]], system: str) -> None:
    """With sentences in one line ROUGE-L does not fit, and the report gives the
    reason or a splitter.
    """
    numbers = read_published([words(means(records[system]))])
    result = identify(tasks(records[system], " "), numbers, ["rouge155"], notify=print)
    first = result.candidates[0]

    if system in DIVIDED_BY_PUNKT:
        assert (1, f"{SETUP}|sentences:punkt") == (result.fitting, first.signature)
        return
    assert (0, [True, True, False]) == (result.fitting, first.fits)
    assert "stemmer:rouge|samples:0" in first.signature
    (reason,) = result.reasons
    assert reason.startswith(
        "only ROUGE-L does not fit, which unlike ROUGE-1 and ROUGE-2 depends on"
        " sentence"
    )
    assert "every text of the input is one line" in reason


@pytest.mark.parametrize("system", sampled(SYSTEMS[::4], 3))
def test_made_up_numbers(records: dict[str, list[Record]], system: str) -> None:
    """Made-up numbers of about the right size are not identified."""
    made_up = {
        name: number + shift
        for (name, number), shift in zip(
            means(records[system]).items(), (0.31, -0.23, 0.17), strict=True
        )
    }
    result = identify(
        tasks(records[system]), read_published([words(made_up)]), notify=print
    )

    assert (0, []) == (result.fitting, result.reasons)


@pytest.mark.parametrize("system", sampled(SYSTEMS[::6], 2))
def test_numbers_of_single_summaries(
    records: dict[str, list[Record]], system: str, tmp_path: Path
) -> None:
    """All 900 published figures of a system fit one set-up, and no other."""
    path = tmp_path / "published.jsonl"
    rows = [
        {"eval": record["id"], "metric": name, **scores}
        for record in records[system]
        for name, scores in record["published"].items()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = identify(tasks(records[system]), read_published([str(path)]), notify=print)

    assert (900, 1, SETUP) == (
        len(result.published),
        result.fitting,
        result.candidates[0].signature,
    )
    assert result.chance is not None
    assert result.chance < 1e-4  # an upper bound, by three means of 45 set-ups


def test_the_set_up_repeats_the_numbers(records: dict[str, list[Record]]) -> None:
    """`like` takes the signature that `identify` printed, and gives the published
    means.
    """
    some = records[SYSTEMS[0]]
    report = rouge_cli.evaluate(tasks(some), like=SETUP, notify=print)

    for name, figures in report.to_dict()["system"].items():
        for figure, value in figures.items():
            assert f"{100 * value:.2f}" == f"{means(some, figure)[name]:.2f}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_published_number_of_rows(
    records: dict[str, list[Record]], system: str
) -> None:
    """The 900 numbers of a system are those of `score_rows`, to the last of their
    five decimals.
    """
    some = records[system]
    rows = rouge_cli.score_rows(
        ["\n".join(record["prediction"]) for record in some],
        ["\n".join(record["reference"]) for record in some], METRICS, stemmer="rouge",
    )  # fmt: skip
    published = [
        {
            f"{name}.{figure}": record["published"][name][figure]
            for name in METRICS
            for figure in ("recall", "precision", "f")
        }
        for record in some
    ]

    assert published == [
        {name: round(value, 5) for name, value in row.items()} for row in rows
    ]


@pytest.mark.parametrize("system", SYSTEMS[::6])
def test_published_numbers_of_the_command(
    records: dict[str, list[Record]], system: str, here: Program, tmp_path: Path
) -> None:
    """`score --ref-lists sentences` reads the published data, and gives the
    published numbers.
    """
    (tmp_path / "some.jsonl").write_text(
        "".join(json.dumps(record) + "\n" for record in records[system])
    )
    words = (
        "score some.jsonl --ref-lists sentences -m R1,R2,RL --stem --samples 0"
        " --per-eval --format json"
    )
    report = json.loads(here(*words.split()).stdout)
    scores = {
        (score["eval"], result["metric"]): {
            name: round(score[name], 5) for name in FIGURES
        }
        for result in report["results"]
        for score in result["evals"]
    }

    assert scores == {
        (record["id"], name): record["published"][name]
        for record in records[system]
        for name in METRICS
    }


def test_every_published_number_of_the_drop_in(
    records: dict[str, list[Record]], drop_in: Program, tmp_path: Path
) -> None:
    """All 10,800 numbers are those that `ROUGE-1.5.5.pl -n 2 -m -d` prints for
    settings of the texts.
    """
    evals = []
    expected: dict[tuple[str, str], tuple[float, ...]] = {}
    for number, system in enumerate(SYSTEMS):
        for record in records[system]:
            eval_id = f"{number}.{record['id']}"
            paths = []
            for kind in ("prediction", "reference"):
                path = tmp_path / f"{eval_id}.{kind}"
                path.write_text("\n".join(record[kind]) + "\n", encoding="utf-8")
                paths.append(path.name)
            evals.append(
                "<EVAL"
                f' ID="{eval_id}"><PEER-ROOT>{tmp_path}</PEER-ROOT><MODEL-ROOT>{tmp_path}</MODEL-ROOT><INPUT-FORMAT'
                f' TYPE="SPL"/><PEERS><P ID="p">{paths[0]}</P></PEERS><MODELS><M'
                f' ID="A">{paths[1]}</M></MODELS></EVAL>'
            )
            for name, scores in record["published"].items():
                expected[eval_id, name] = tuple(
                    scores[each] for each in ("recall", "precision", "f")
                )
    (tmp_path / "settings.xml").write_text(f"<ROUGE-EVAL>{''.join(evals)}</ROUGE-EVAL>")
    printed = drop_in(
        "-n", "2", "-m", "-d", "-r", "1", "-a", "settings.xml"
    ).stdout.decode()
    lines = re.findall(
        r"^p (\S+) Eval (\S+)\.p R:(\S+) P:(\S+) F:(\S+)", printed, re.MULTILINE
    )

    assert expected == {
        (eval_id, name): tuple(map(float, figures)) for name, eval_id, *figures in lines
    }
    assert 10_800 == 3 * len(lines)
