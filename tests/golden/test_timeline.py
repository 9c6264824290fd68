"""The timeline metrics: all recorded output of tilse, within 1e-9, its battery
included.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from everyday import sampled

import rouge_cli
from rouge_cli import native
from rouge_cli.cli.commands.timeline import command
from rouge_cli.core import Score, Summary
from rouge_cli.dialects import tilse
from rouge_cli.dialects.tilse import TOOLKIT, counts
from rouge_cli.dialects.tilse.counts import TimelineCounts
from rouge_cli.errors import RougeError
from rouge_cli.formats import timeline
from rouge_cli.formats.timeline import Timeline
from rouge_cli.scoring.formula import Weighted
from rouge_cli.tasks.timelines import copies

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "timeline"
GOLDEN: list[dict[str, Any]] = json.loads((FIXTURES / "cases.json").read_text("utf-8"))[
    "cases"
]
BATTERY: dict[str, Any] = json.loads((FIXTURES / "battery.json").read_text("utf-8"))
ASSIGNMENTS: list[dict[str, Any]] = json.loads(
    (FIXTURES / "assignments.json").read_text("utf-8")
)["cases"]
TOLERANCE = 1e-9
FORMULA = Weighted(0.5)
PRESETS = {"default": "tilse", "plain": "paper"}
SIDES = {"recall": 0, "precision": 1, "f1": 2}
OURS = {name: metric for metric, name in TOOLKIT.items()}


def loaded(days: Mapping[str, list[str]]) -> Timeline:
    """Return a timeline of the fixtures."""
    return {date.fromisoformat(day): sentences for day, sentences in days.items()}


def timelines(case: dict[str, Any]) -> tuple[Timeline, list[Timeline]]:
    """Return the prediction and the references of a case, read from its files if it
    has any.
    """
    if "pred" in case:
        return loaded(case["pred"]), [loaded(path) for path in case["refs"]]
    prediction, *references = [
        timeline.only(text.encode(), case["id"], lambda _: None)
        for text in (case["pred_file"], *case["ref_files"])
    ]
    return prediction, references


def wanted(case: dict[str, Any]) -> dict[str, Any]:
    """Return the expected scores of a case, or the recommended ones if the toolkit
    fails or loses data.
    """
    scores: dict[str, Any] = case["expected"]
    recommended = case.get("recommended", {})
    return recommended if "plain" in recommended else scores


def is_refused(case: dict[str, Any]) -> bool:
    """Return True if the case has neither scores nor recommended scores."""
    return wanted(case)["plain"]["concat"] is None


@cache
def engine(setting: str) -> counts.Engine:
    """Return the engine for one of the two settings."""
    both = setting == "default"
    return counts.Engine(stem=both, stop=both)


def scored(
    setting: str, prediction: Timeline, references: Sequence[Timeline]
) -> TimelineCounts:
    """Return the scores of timelines."""
    configured = engine(setting)
    return TimelineCounts(
        configured.days(prediction),
        [configured.days(reference) for reference in references],
    )


def near(expected: Mapping[str, float]) -> list[Any]:
    """Return recall, precision and F, to be compared approximately."""
    return [pytest.approx(expected[side], abs=TOLERANCE) for side in SIDES]


SCORED = [case for case in GOLDEN if not is_refused(case)]
REFUSED = [case for case in GOLDEN if is_refused(case)]


@pytest.mark.parametrize("setting", PRESETS)
@pytest.mark.parametrize("case", sampled(SCORED, 3), ids=lambda case: case["id"])
def test_scores_are_the_toolkits(case: dict[str, Any], setting: str) -> None:
    """Each golden case has the toolkit's recall, precision and F under all metrics,
    and of its dates.
    """
    scores = scored(setting, *timelines(case))

    for name, by_n in wanted(case)[setting].items():
        for n, expected in enumerate(by_n.values()):
            assert near(expected) == list(FORMULA.score(scores.counts[OURS[name]][n]))
    assert near(wanted(case)["date_selection"]) == list(FORMULA.score(scores.dates))


@pytest.mark.parametrize(
    "case",
    sampled(
        [case for case in SCORED if "parsed_pred" not in case.get("recommended", {})], 3
    ),
    ids=lambda c: c["id"],
)
def test_alignments_are_the_toolkits(case: dict[str, Any]) -> None:
    """The same dates are aligned as by the toolkit with SciPy 1.17.1, in both
    directions, ties too.
    """
    scores = scored("plain", *timelines(case))

    for name, expected in (case.get("alignments") or {}).items():
        aligned = scores.alignments[OURS[name]]
        assert expected["precision"] == [
            [str(pair.prediction), str(pair.reference)] for pair in aligned[0]
        ]
        assert expected["recall"] == [
            [str(pair.reference), str(pair.prediction)] for pair in aligned[1]
        ]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["id"])
def test_what_has_no_meaning_is_refused(case: dict[str, Any]) -> None:
    """Cases without a meaningful reading are an error that names file and line."""
    with pytest.raises(RougeError, match=rf"^{case['id']}:1: text without a date: "):
        timelines(case)


@pytest.mark.parametrize(
    "case",
    sampled(ASSIGNMENTS, 4),
    ids=lambda case: "x".join(map(str, case["days"][0])),
)
def test_ties_are_those_of_the_toolkits_solver(case: dict[str, Any]) -> None:
    """Of many equally good assignments, readable and compiled code give that of
    SciPy 1.17.1.
    """
    costs = [[1 - counts.weight(days) for days in row] for row in case["days"]]

    assert case["pairs"] == list(map(list, counts.one_to_one(costs)))
    if compiled := native.extension():
        assert case["pairs"] == list(map(list, compiled.one_to_one(costs)))


def test_no_case_is_left_out() -> None:
    """All 93 cases are tested, and two of them are refused."""
    assert (91, 2) == (len(SCORED), len(REFUSED))


@pytest.mark.parametrize("setting", PRESETS)
@pytest.mark.parametrize(
    "case",
    [case for case in SCORED if case["group"] == "parse"],
    ids=lambda case: case["id"],
)
def test_the_command_scores_files_the_same(
    case: dict[str, Any], setting: str, tmp_path: Path
) -> None:
    """`rouge-cli timeline` gives a golden file its golden scores, under the
    toolkit's names.
    """
    paths = [tmp_path / f"{number}.txt" for number in range(1 + len(case["ref_files"]))]
    for path, text in zip(paths, (case["pred_file"], *case["ref_files"]), strict=True):
        path.write_bytes(text.encode())
    words = [
        "-p",
        str(paths[0]),
        "-r",
        *map(str, paths[1:]),
        "-m",
        "all",
        "--format",
        "json",
    ]
    ended = CliRunner().invoke(
        command, [*words, "--quiet", "--preset", PRESETS[setting]]
    )
    scores = json.loads(ended.stdout)

    assert ended.exit_code == 0
    for name, by_n in wanted(case)[setting].items():
        for n, expected in by_n.items():
            figures = scores[name][n]
            assert near(expected) == [
                figures["recall"],
                figures["precision"],
                figures["f_score"],
            ]


@pytest.mark.parametrize(
    "case",
    [case for case in SCORED if case["group"] in ("multi", "table1", "text")],
    ids=lambda c: c["id"],
)
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_dialect_scores_the_same(case: dict[str, Any]) -> None:
    """`rouge-cli score --dialect tilse` gives a golden case its golden scores."""

    def text(days: Timeline) -> str:
        dated = [
            (unit.encode(), day)
            for day, units in sorted(days.items())
            for unit in units
        ]
        return timeline.write(
            Summary([unit for unit, _ in dated], [day for _, day in dated]), ""
        ).decode()

    prediction, references = timelines(case)
    texts = [[text(reference) for reference in references]]
    report = rouge_cli.score(
        [text(prediction)], texts, dialect="tilse", stemmer="none", stop="none"
    )

    by_label = report.to_dict()["system"]
    for name, by_n in wanted(case)["plain"].items():
        for n, expected in enumerate(by_n.values(), 1):
            assert near(expected) == list(by_label[f"ROUGE-{n}-{OURS[name]}"].values())


# The battery.

SHIFTS = (1, 2, 5, 10, -1, -5)
NAMES = {
    "Remove": "remove_middle",
    "Add": "add_nonsense",
    "Merge": "merge_closest",
    **{f"Shift {k} day{'' if abs(k) == 1 else 's'}": f"shift_{k:+}" for k in SHIFTS},
}
ORIGINALS = {name: loaded(days) for name, days in BATTERY["timelines"].items()}

# [setting][timeline][operation][metric][n - 1]: its score.
Results = dict[str, dict[str, dict[str, dict[str, list["Score"]]]]]


@pytest.fixture(scope="module")
def results() -> Results:
    """Return the scores of every operation on every timeline."""
    scores: Results = {}
    for setting in PRESETS:
        for name, original in ORIGINALS.items():
            changed = {"identity": original} | {
                NAMES[test]: copy for test, copy in copies(original, SHIFTS).items()
            }
            for operation, copy in changed.items():
                counts = scored(setting, copy, [original]).counts
                scores.setdefault(setting, {}).setdefault(name, {})[operation] = {
                    metric: [FORMULA.score(figures) for figures in by_n]
                    for metric, by_n in counts.items()
                }
    return scores


def test_the_battery_has_the_toolkits_scores(results: Results) -> None:
    """All operations of the battery, on all its timelines, have the toolkit's
    scores.
    """
    for name, operations in BATTERY["expected"].items():
        for operation, by_setting in operations.items():
            for setting in PRESETS:
                for metric, by_n in by_setting[setting].items():
                    scores = results[setting][name][operation][OURS[metric]]
                    assert [near(expected) for expected in by_n.values()] == list(
                        map(list, scores)
                    )


def test_the_averages_are_of_precision_and_recall(results: Results) -> None:
    """An average is the mean of precision, the mean of recall, and the F of these
    two.
    """
    for setting, operations in BATTERY["average_over_timelines"].items():
        for operation, by_metric in operations.items():
            for metric, by_n in by_metric.items():
                for n, expected in enumerate(by_n.values()):
                    scores = [
                        by_operation[operation][OURS[metric]][n]
                        for by_operation in results[setting].values()
                    ]
                    assert near(expected) == list(tilse.mean(scores, FORMULA))


@pytest.mark.parametrize("preset", PRESETS.values())
def test_the_command_prints_the_battery(tmp_path: Path, preset: str) -> None:
    """`rouge-cli timeline battery` averages over a folder as the battery's figures
    do.
    """
    for name, days in BATTERY["timelines"].items():
        blocks = [
            f"{day}\n" + "\n".join(units) + f"\n{'-' * 32}\n"
            for day, units in days.items()
        ]
        (tmp_path / f"{name}.txt").write_text("".join(blocks))
    words = [
        "battery",
        str(tmp_path),
        "-n",
        "2",
        "--preset",
        preset,
        "--format",
        "json",
    ]
    ended = CliRunner().invoke(command, [*words, *(f"--shift={k}" for k in SHIFTS)])
    document = json.loads(ended.stdout)
    setting = next(choice for choice, name in PRESETS.items() if name == preset)

    assert (0, 8) == (ended.exit_code, document["timelines"])
    assert list(NAMES) == list(document["tests"])
    for test, by_metric in document["tests"].items():
        for metric, by_n in by_metric.items():
            for n, figures in by_n.items():
                expected = BATTERY["average_over_timelines"][setting][NAMES[test]][
                    metric
                ][n]
                assert near(expected) == [
                    figures["recall"],
                    figures["precision"],
                    figures["f_score"],
                ]
