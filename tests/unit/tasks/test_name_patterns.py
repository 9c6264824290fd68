"""Patterns that are made from names pair them."""

import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.errors import RougeError
from rouge_cli.tasks import directories, name_patterns

WORDS = st.sampled_from(["sum", "out", "ref", "gold", "v2", "x", "cnn"])
SEPARATORS = st.sampled_from([".", "_", "-"])
# IDs of one kind: numbers, numbers with zeros, with a letter, or words.
IDS = st.sampled_from(
    [
        ["1", "2", "10", "11"],
        ["001", "002", "010"],
        ["D0801-A", "D0801-B", "D0802-A"],
        ["apple", "pear", "plum"],
    ]
)


@given(
    ids=IDS,
    before=WORDS,
    after=WORDS,
    reference_word=st.sampled_from(["model", "human"]),
    separator=SEPARATORS,
    people=st.sampled_from([[""], ["A", "B"], ["A", "B", "C"]]),
    systems=st.sampled_from([[""], ["7", "12"]]),
)
def test_what_is_proposed_pairs_the_names(
    ids: list[str],
    before: str,
    after: str,
    reference_word: str,
    separator: str,
    people: list[str],
    systems: list[str],
) -> None:
    """Names around a common ID do not pair by themselves; with the patterns of the
    message each prediction has the references of its ID, under its system.
    """
    predictions = {
        separator.join(filter(None, [before, eval_id, after, system])): (
            eval_id,
            system,
        )
        for eval_id in ids
        for system in systems
    }
    references = {
        separator.join(filter(None, [reference_word, person, eval_id])): eval_id
        for eval_id in ids
        for person in people
    }
    with TemporaryDirectory() as name:
        folders = Path(name, "peers"), Path(name, "models")
        for folder, names in zip(folders, ([*predictions], [*references]), strict=True):
            folder.mkdir()
            for file_name in names:
                (folder / f"{file_name}.txt").write_text("a b\n")
        paths = [str(folder) for folder in folders]
        with pytest.raises(RougeError, match="cannot pair") as caught:
            directories.read(*paths, notify=lambda _: None)
        _, _, command = caught.value.what.rpartition("pair them: ")
        _, prediction_pattern, _, reference_pattern = shlex.split(command)
        tasks = directories.read(
            *paths,
            prediction_pattern=prediction_pattern,
            reference_pattern=reference_pattern,
            notify=lambda notice: pytest.fail(notice.message),
        )

    assert len(tasks) == len(ids)
    for task in tasks:
        for system, path in task.predictions.items():
            eval_id, expected_system = predictions[Path(str(path)).stem]
            assert system == expected_system or systems == [""]
            of_task = [Path(str(path)).stem for _, path in task.references]
            assert {eval_id} == {references[reference] for reference in of_task}
            assert len(of_task) == len(people)


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        ([], ["a"]),
        (["a"], []),
        (["a.out", "b.out"], ["c.txt", "d.txt"]),
        (["doc1.out", "doc2.out"], ["doc_ref.txt"]),  # a word that all names have
    ],
)
def test_names_without_a_common_id_have_no_patterns(
    predictions: list[str], references: list[str]
) -> None:
    """Nothing is proposed if no part of the names is shared and tells evals apart."""
    files = [("", name) for name in predictions]

    assert [] == list(name_patterns.propose(files, references))
