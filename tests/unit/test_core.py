"""The core records, as far as they compute something."""

import pytest

from rouge_cli.core import Counts, EvalTask, Text


def test_a_task_lists_its_files() -> None:
    """Paths come as often as they are read: the selected peers that have a file, and
    every model.
    """
    task = EvalTask(
        "1", {"A": "a", "B": None, "C": "a"}, [("1", "m"), ("2", "m")], "spl", "s.xml:1"
    )

    assert ["a", "a", "m", "m"] == list(task.paths("ABC"))
    assert ["a", "m", "m"] == list(task.paths("A"))
    assert [] == list(task.paths("BD"))


def test_texts_are_compared_by_identity() -> None:
    """Two texts with the same words are not equal."""
    assert Text([1]) != Text([1])


def test_derived_values_of_a_text_are_computed_once() -> None:
    """A derived value of a text is computed once for each function and its
    arguments, None included.
    """
    made = []

    def make(text: Text, *arguments: int) -> int | None:
        made.append(arguments)
        return len(text.tokens) + sum(arguments) or None

    text, empty = Text([7, 7]), Text()

    assert [2, 2, 3, 3] == [
        text.once(make),
        text.once(make),
        text.once(make, 1),
        text.once(make, 1),
    ]
    assert [None, None] == [empty.once(make), empty.once(make)]
    assert [(), (1,), ()] == made


@pytest.mark.parametrize(
    ("reference", "match", "rank"), [(4, 3, 0.75), (4, 0, 0.0), (0, 0, 0.0)]
)
def test_counts_are_ranked_by_recall(
    reference: float, match: float, rank: float
) -> None:
    """Rank is match over model, and 0 for an empty model."""
    assert Counts(reference, 9, match, rank) == Counts.of(reference, 9, match)
