"""ROUGE 2.0: the rows of the paper's tables, and the Java program's output, by the
command.
"""

import csv
import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rouge_cli
from rouge_cli.cli.commands.rouge2 import command

CASES: list[dict[str, Any]] = json.loads(
    (
        Path(__file__).resolve().parents[2] / "fixtures" / "rouge2" / "cases.json"
    ).read_text("utf-8")
)["cases"]
# Differs on purpose: tags in capitals find topics here (QUIRKS 48).
NOT_REPEATED = ("topic-upper",)
# By the paper's definitions L and the skip distance are Lin's (QUIRKS 51), and no
# stemmer is guessed (54).
OTHER_IN_THE_PAPER = ("dup-normal", "ngram-list-spaces", "stem-unknown")

Row = tuple[str, ...]


def of_kind(*kinds: str) -> list[dict[str, Any]]:
    """Return the cases of these kinds."""
    return [case for case in CASES if case["kind"] in kinds]


def run(
    case: dict[str, Any], folder: Path, *options: str, with_annotations: bool = True
) -> Result:
    """Write the case as a project and run it; with its own tags and synonyms if so
    selected.
    """
    tagged = case.get("tagged_lines") if with_annotations else None
    for side in ("system", "reference"):
        (folder / side).mkdir()
        for name, text in case[side].items():
            lines = "".join(f"{line}\n" for line in tagged[name]) if tagged else text
            (folder / side / name).write_bytes(lines.encode())
    settings = [
        word
        for key, value in case["settings"].items()
        for word in ("-D", f"{key}={value}")
    ]
    words = [str(folder), "--format", "rouge2", *settings, *options]
    if tagged:
        words.append("--tagged")
    if "stop_words" in case and with_annotations:
        (folder / "stop").write_text("\n".join(case["stop_words"]), "utf-8")
        words += ["--stop-words", str(folder / "stop")]
    if "synonyms" in case and with_annotations:
        groups = [
            f"{key.partition('/')[0]} {other}"
            for key, others in case["synonyms"].items()
            for other in others
        ]
        (folder / "synonyms").write_text(
            "\n".join(groups or ["nothing matches"]), "utf-8"
        )
        words += ["--synonyms", str(folder / "synonyms")]
    return CliRunner().invoke(command, words)


def printed(result: Result, digits: int) -> list[Row]:
    """Return the rows of the program's table, in any order, with that many digits."""
    assert result.exception is None, result.exception
    _, *rows = csv.reader(StringIO(result.stdout))
    return sorted(
        (
            *row[:3],
            *(
                value if value == "NaN" else f"{float(value):.{digits}f}"
                for value in row[3:6]
            ),
            row[6],
        )
        for row in rows
        if row
    )


def expected(case: dict[str, Any], names: Sequence[str] = ()) -> list[Row]:
    """Return the rows that the case expects; names: for theirs, if the paper and the
    program differ.
    """
    figures = ("recall", "precision", "f")
    return sorted(
        (
            names[place] if names else row["metric"], row["task"], row["system"],
            *(row[figure] for figure in figures), str(row["references"]),
        )
        for place, row in enumerate(case["expected"])
    )  # fmt: skip


def in_the_programs_words(case: dict[str, Any]) -> list[str]:
    """Translate the paper's measures to the program's names."""
    names = []
    for row in case["expected"]:
        name, *modifiers = row["metric"].split(" + ")
        for paper, program in (
            ("ROUGE-TopicUniqNN|JJ", "topicUniq"),
            ("ROUGE-TopicNN|JJ", "topic"),
        ):
            if name == paper:
                name = f"ROUGE-1-{program}"
        names.append("+".join([name, *modifiers]))
    return names


@pytest.mark.parametrize("case", of_kind("paper"), ids=lambda case: case["id"])
@pytest.mark.parametrize("with_annotations", [True, False], ids=["given", "embedded"])
def test_the_papers_tables(
    case: dict[str, Any], with_annotations: bool, tmp_path: Path
) -> None:
    """Each row of Tables 1, 2 and 4 is reproduced, with its tags and synonyms and
    from the text alone.
    """
    result = run(case, tmp_path, with_annotations=with_annotations)

    assert expected(case, in_the_programs_words(case)) == printed(
        result, case["digits"]
    )


@pytest.mark.parametrize("case", of_kind("paper"), ids=lambda case: case["id"])
def test_the_papers_labels(case: dict[str, Any]) -> None:
    """Each of these rows is reproduced in Python, under the label that the paper
    prints.
    """
    (row,) = case["expected"]
    (prediction,), (reference,) = case["system"].values(), case["reference"].values()
    report = rouge_cli.score(
        [prediction], [reference], [row["metric"]], dialect="rouge2"
    )
    ((label, figures),) = report.to_dict()["system"].items()

    assert row["metric"].replace(" ", "") == label.replace("{", "").replace("}", "")
    assert [row[name] for name in ("recall", "precision", "f")] == [
        f"{value:.3f}" for value in figures.values()
    ]


@pytest.mark.parametrize(
    "case",
    of_kind("agrees", "java-definition", "java-quirk"),
    ids=lambda case: case["id"],
)
def test_the_programs_numbers(case: dict[str, Any], tmp_path: Path) -> None:
    """With --compatible each run of the program is reproduced to the last of its
    five decimals.
    """
    rows = printed(run(case, tmp_path, "--compatible"), case["digits"])

    if case["id"] in NOT_REPEATED:
        assert expected(case) != rows
    else:
        assert expected(case) == rows


@pytest.mark.parametrize("case", of_kind("agrees"), ids=lambda case: case["id"])
def test_the_paper_agrees(case: dict[str, Any], tmp_path: Path) -> None:
    """If the definitions coincide the numbers do without --compatible too."""
    result = run(case, tmp_path)
    if case["id"] == "stem-unknown":
        assert "did you mean" in str(result.exception)
        return
    rows = printed(result, case["digits"])
    same = [row for row in rows if row in expected(case)]

    assert len(rows) == len(expected(case))
    if case["id"] in OTHER_IN_THE_PAPER:
        assert {row[0] for row in rows if row not in same} <= {
            "ROUGE-L",
            "ROUGE-S4",
            "ROUGE-SU4",
        }
    else:
        assert expected(case) == same


# The right results if the program is wrong, (recall, precision, F), counted by hand.
SANE = {
    "stem-multi-ref": ("1.00000", "1.00000", "1.00000"),  # three equal texts
    "topic-multi-ref": (
        "0.80000",
        "0.66667",
        "0.72727",
    ),  # as against each of the two equal references
    "syn-multi-match": (
        "0.25000",
        "1.00000",
        "0.40000",
    ),  # one word can match one of four
    "syn-multi-match-2": ("0.25000", "1.00000", "0.40000"),  # two words, two of eight
}


@pytest.mark.parametrize("case", of_kind("java-bug"), ids=lambda case: case["id"])
@pytest.mark.parametrize("options", [(), ("--compatible",)], ids=["paper", "program"])
def test_its_bugs_are_not_repeated(
    case: dict[str, Any], options: Sequence[str], tmp_path: Path
) -> None:
    """If the program is wrong, rouge-cli has the right numbers by either definition."""
    (row,) = printed(run(case, tmp_path, *options), 5)

    assert SANE[case["id"]] == row[3:6]
    assert [row] != expected(case)


# Inputs that stop the program: an error here, or the numbers of the last row. They are
# counted by hand: two of three words, one of two bigrams and one of three pairs of `the
# cat sat` are in `a cat sat`; other texts are equal.
STOPPED = {
    "error-no-underscore": "no _ in the name; call it TASK_NAME.txt",
    "error-ngram-kind": "unknown n-gram kind 'W'; use one of 1, 2, L, S4, SU4",
    "error-type": (
        "rouge.type cannot be 'foo'; use one of normal, topic, topicUniq,"
        " normalCompressed"
    ),
    "error-ngram-lower": ("ROUGE-su4", "0.50000", "0.50000", "0.50000"),
    "error-ngram-trailing-blank": ("ROUGE-2", "0.50000", "0.50000", "0.50000"),
    "error-console": ("ROUGE-1", "0.66667", "0.66667", "0.66667"),
    "error-syn-slash": ("ROUGE-1+Synonyms", "1.00000", "1.00000", "1.00000"),
    "error-syn-stem": ("ROUGE-1+Stemming+Synonyms", "0.66667", "0.66667", "0.66667"),
    "error-syn-stop-line": (
        "ROUGE-1+StopWordRemoval+Synonyms",
        "1.00000",
        "1.00000",
        "1.00000",
    ),
}


@pytest.mark.parametrize("case", of_kind("java-error"), ids=lambda case: case["id"])
def test_inputs_that_stop_the_program(case: dict[str, Any], tmp_path: Path) -> None:
    """An input that silently stops the program is scored, or is an error with a
    remedy.
    """
    result = run(case, tmp_path, "--compatible")
    outcome = STOPPED[case["id"]]
    if isinstance(outcome, str):
        assert outcome in str(result.exception)
        assert result.stdout == ""
    else:
        name, _, _, *figures, _ = printed(result, 5)[-1]
        assert outcome == (name, *figures)


@pytest.mark.parametrize(
    "case", of_kind("java-bug", "java-error", "java-quirk"), ids=lambda case: case["id"]
)
def test_oddities_are_listed(case: dict[str, Any]) -> None:
    """Each bug, oddity and dead end of the program has its entry in QUIRKS."""
    quirks = Path(__file__).resolve().parents[2] / "compat" / "QUIRKS.md"

    assert f"`{case['id']}`" in quirks.read_text("utf-8")
