"""The labels that users write."""

import pytest
from case_tables import tabled

from rouge_cli import metrics
from rouge_cli.errors import UsageError


@tabled
def test_short_and_lower_case_forms(written: str, label: str) -> None:
    """The usual ways to write a label name the metric, and so does every listed
    label.
    """
    assert label == metrics.parse(written).label


@pytest.mark.parametrize(
    "written",
    ["R", "BLEU", "ROUGE-X", "rougeLsum", "R0", "RW0", "ROUGE-W-1e999", "", "-2", "0"],
)
def test_other_names_are_answered_with_labels(written: str) -> None:
    """An unknown metric is refused with a list of existing labels."""
    with pytest.raises(UsageError, match=r"unknown metric .*ROUGE-"):
        metrics.parse(written)


@pytest.mark.parametrize("written", [1, None, b"ROUGE-1", ("ROUGE-1",)])
def test_what_is_no_string_is_a_type_error(written: object) -> None:
    """A number, bytes and the like are no labels."""
    with pytest.raises(TypeError):
        metrics.parse(written)


@tabled
def test_a_figure_stands_behind_a_dot(written: str, expected: list[str]) -> None:
    """R, P or F after the last dot selects one figure; other dots belong to the
    label.
    """
    assert expected == [*metrics.figure(written)]
