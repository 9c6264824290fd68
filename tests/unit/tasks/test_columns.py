"""Which columns hold what, by option and by name."""

import re
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled

from rouge_cli.core import Notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.tasks import columns, finding
from rouge_cli.tasks.columns import ColumnNames


def record(names: str) -> dict[str, Any]:
    """Return a record of these columns, each value one word."""
    return dict.fromkeys(names.split(), "word")


@tabled
def test_common_names_are_known(
    names: str,
    ids: str | None,
    predictions: list[str],
    references: list[str],
    systems: str | None,
) -> None:
    """Usual names are found in any case, clear ones before weak ones, numbered ones
    in order.
    """
    expected = ColumnNames(ids, predictions, references, systems)

    assert expected == finding.find_columns(record(names), ColumnNames(), "f:1")


@tabled
def test_columns_of_known_programs(
    names: str, predictions: list[str], references: list[str], is_stated: bool
) -> None:
    """Columns of well-known programs and data sets are recognized, and stated if a name
    is weak.
    """
    row = dict.fromkeys(names.split(", "), "word")
    stated: list[Notice] = []
    result = finding.find_columns(row, ColumnNames(), "f:1", stated.append)

    assert (result.predictions, result.references) == (predictions, references)
    pair = f"prediction = {predictions[0]}, reference = {', '.join(references)}"
    assert stated == ([Notice(f"columns: {pair}")] if is_stated else [])


@tabled
def test_doubtful_columns_are_answered_with_a_command(names: str, options: str) -> None:
    """Columns that could have another role are an error with the whole command that
    names them.
    """
    row = dict.fromkeys(names.split(", "), "word")
    with pytest.raises(RougeError) as error:
        finding.find_columns(row, ColumnNames(), "my run.jsonl:1")
    typed = ColumnNames(command=lambda: "rouge-cli compare x.jsonl -m R1")
    with pytest.raises(RougeError) as again:
        finding.find_columns(row, typed, "x.jsonl:1")

    assert str(error.value).endswith(f"rouge-cli score 'my run.jsonl' {options}")
    assert str(again.value).endswith(f"rouge-cli compare x.jsonl -m R1 {options}")


def spellings(name: str) -> list[str]:
    """Return spellings of a name in `_`."""
    words = name.split("_")
    capitals = [word.capitalize() for word in words]
    return [
        " ".join(capitals),
        " ".join(words).upper(),
        "-".join(words),
        ".".join(words),
        words[0] + "".join(capitals[1:]),
        "".join(capitals),
    ]


def test_spellings_of_a_name_are_one_name() -> None:
    """Blanks, hyphens, dots, and capitals between words make no other name."""
    known = columns.NAMES
    for name in set().union(*known.values()):
        assert {columns.fold(spelling) for spelling in spellings(name)} == {name}


def test_clear_names_of_both_sides_are_taken_in_silence() -> None:
    """Every clear name of predictions stands beside every clear one of references
    without a notice, whatever weak names there are.
    """
    known = columns.NAMES
    weak = [*known["weak_predictions"], *known["weak_references"], *known["either"]]
    for prediction in known["predictions"]:
        for reference in known["references"]:
            row = dict.fromkeys([*weak, prediction, reference], "word")
            stated: list[Notice] = []
            result = finding.find_columns(row, ColumnNames(), "f:1", stated.append)
            assert not stated
            assert (result.predictions, result.references) == (
                [prediction],
                [reference],
            )


def test_the_page_lists_all_names(root: Path) -> None:
    """docs/how-to/inputs.md names every column name that is recognized, and no
    other.
    """
    page = (root / "docs" / "how-to" / "inputs.md").read_text("utf-8")
    rows = re.findall(
        r"^\| (prediction|reference|eval|system) \| (.*) \| `--", page, re.MULTILINE
    )
    listed = {name: set(re.findall("`([a-z_]+)`", text)) for name, text in rows}

    known = columns.NAMES
    assert listed == {
        "prediction": known["predictions"]
        | known["weak_predictions"]
        | known["either"],
        "reference": known["references"]
        | known["weak_references"]
        | known["weak_predictions"]
        | known["either"],
        "eval": known["ids"],
        "system": known["systems"],
    }


@pytest.mark.parametrize("value", ["two words", ["one"], ["one", "two"]])
def test_a_text_under_model_is_a_reference(value: object) -> None:
    """Without another column of references, `model` is one if it is a list or has
    white space.
    """
    assert ColumnNames(None, ["hyp"], ["model"]) == finding.find_columns(
        {"hyp": "a", "model": value}, ColumnNames(), "f:1"
    )


def test_a_label_is_not_preferred_to_a_text_under_model() -> None:
    """A column `label` does not win over texts under `model`: data sets of classes
    have labels too.
    """
    assert ColumnNames(None, ["hyp"], ["model"]) == finding.find_columns(
        {"hyp": "a", "model": "two words", "label": 3}, ColumnNames(), "f:1"
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"hyp": "a", "model": "gpt"},
        {"hyp": "a", "ref": "b", "model": "the model said so"},
    ],
)
def test_model_is_not_guessed(fields: dict[str, str]) -> None:
    """A column `model` that could be either is refused, and the message names both
    options.
    """
    with pytest.raises(RougeError, match="--ref-column model or --system-column model"):
        finding.find_columns(fields, ColumnNames(), "f:1")


def test_wishes_come_first() -> None:
    """A column named by the user is taken without a search, and has no second role."""
    wish = ColumnNames("key", ["a", "b"], ["system", "model"])

    assert wish == finding.find_columns(
        record("key a b system model id prediction ref"), wish, "f:1"
    )


def test_columns_can_be_renounced() -> None:
    """With an empty name for ids or systems, columns of the usual names are ignored."""
    result = finding.find_columns(
        record("id hyp ref system"), ColumnNames("", (), (), ""), "f:1"
    )

    assert ColumnNames(None, ["hyp"], ["ref"]) == result


def test_systems_are_rows_or_columns() -> None:
    """Several columns of predictions and a column of systems together are a usage
    error.
    """
    with pytest.raises(
        UsageError, match=r"a column of systems \(system\) and 2 columns of predictions"
    ):
        finding.find_columns(
            record("a b ref system"), ColumnNames(predictions=["a", "b"]), "f:1"
        )
