"""Folders: which file is a prediction or a reference of which eval."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core import Document, EvalTask, Notice
from rouge_cli.errors import ErrorGroup, RougeError, UnreadableFile
from rouge_cli.tasks import directories

Pairing = dict[str, tuple[dict[str, str], dict[str, str]]]


def made(root: Path, names: str, data: bytes = b"a b\n") -> None:
    """Create files of these names in the folders."""
    for name in names.split():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def read(
    root: Path,
    predictions: str = "peers",
    references: str = "models",
    **options: Any,  # noqa: ANN401
) -> Sequence[EvalTask]:
    """Return the evals, and fail on any notice."""
    notices: list[Notice] = []
    tasks = directories.read(
        str(root / predictions),
        str(root / references),
        notify=notices.append,
        **options,
    )
    assert [] == notices
    return tasks


def pairing(root: Path, tasks: Sequence[EvalTask]) -> Pairing:
    """Return eval -> its predictions and references, id -> path from the root."""

    def short(source: str | Document | None) -> str:
        assert isinstance(source, str)
        return str(Path(source).relative_to(root))

    return {
        task.eval_id: (
            {system: short(path) for system, path in task.predictions.items()},
            {reference_id: short(path) for reference_id, path in task.references},
        )
        for task in tasks
    }


def test_an_id_is_taken_literally(tmp_path: Path) -> None:
    """A dot in an ID matches a dot only."""
    made(tmp_path, "peers/a.b models/axb")
    with pytest.raises(RougeError, match="prediction without a reference"):
        read(tmp_path, prediction_pattern="(.*)", reference_pattern="#ID#")


@pytest.mark.parametrize(
    "template",
    [
        "{topic}.M.100.{assessor}.{person}",
        "{topic}.M.100.{assessor}.{person}.txt",
        "{topic}.{person}.{assessor}.sum",
        "{topic}.{person}",
        "{topic}-{person}.txt",
        "ref.{person}.{topic}.txt",
        "{person}_{topic}.txt.gz",
        "{person}/{topic}.txt",
        "{person}/{topic}.{assessor}.txt",
    ],
)
def test_a_person_has_one_name_in_all_evals(template: str, tmp_path: Path) -> None:
    """References of a person have the person's letter as ID, whoever else wrote for the
    eval, and whatever else differs between evals.
    """
    people = {("D1", "A"): "BDE", ("D2", "C"): "DE", ("D3", "F"): "EB"}
    for (topic, assessor), of_topic in people.items():
        made(tmp_path, f"peers/{topic}.txt")
        for person in of_topic:
            names = {"topic": topic, "assessor": assessor, "person": person}
            made(tmp_path, f"models/{template.format(**names)}")
    for task in read(tmp_path):
        ids = {reference_id for reference_id, _ in task.references}
        (expected,) = (
            who for (topic, _), who in people.items() if topic == task.eval_id
        )
        assert ids == set(expected)


def test_one_file_of_each_is_one_eval(tmp_path: Path) -> None:
    """A file against a file needs no similar names; system and eval are named after
    the peer.
    """
    made(tmp_path, "p/out.txt m/gold.txt")
    tasks = read(tmp_path, "p/out.txt", "m/gold.txt", input_format="spl")

    assert {"out": ({"out": "p/out.txt"}, {"gold": "m/gold.txt"})} == pairing(
        tmp_path, tasks
    )
    assert "spl" == tasks[0].input_format


def test_one_file_of_models_is_one_eval_of_all_systems(tmp_path: Path) -> None:
    """Systems with one file each can be scored against one file; systems with more
    files cannot.
    """
    made(tmp_path, "peers/A/x.txt peers/B/y.txt gold.txt")
    assert {
        "x": ({"A": "peers/A/x.txt", "B": "peers/B/y.txt"}, {"gold": "gold.txt"})
    } == pairing(tmp_path, read(tmp_path, references="gold.txt"))

    made(tmp_path, "peers/B/z.txt")
    with pytest.raises(
        RougeError,
        match=r"one file of references, but several of predictions \(y.txt, z.txt\)",
    ):
        read(tmp_path, references="gold.txt")


def test_unpaired_files_are_listed_with_similar_names(tmp_path: Path) -> None:
    """If nothing pairs, each prediction and reference is listed with the most
    similar names.
    """
    made(tmp_path, "peers/sum1.txt peers/sum2.txt models/sum_1.txt models/qqqq")
    with pytest.raises(RougeError) as caught:
        read(tmp_path)

    assert caught.value.what.startswith("cannot pair predictions with references\n")
    predictions, references = tmp_path / "peers", tmp_path / "models"
    for line in (
        f"prediction without a reference: {predictions}/sum1.txt (nearest: sum_1.txt)",
        f"prediction without a reference: {predictions}/sum2.txt (nearest: sum_1.txt)",
        (
            f"reference without a prediction: {references}/sum_1.txt (nearest:"
            " sum1.txt, sum2.txt)"
        ),
        (
            f"reference without a prediction: {references}/qqqq (no prediction has a"
            " name like it)"
        ),
        "--pred-pattern",
    ):
        assert line in caught.value.what


def test_a_peer_without_a_model_is_an_error(tmp_path: Path) -> None:
    """Peers without a reference are an error even if others pair: ten are listed,
    and the rest counted.
    """
    made(
        tmp_path,
        "peers/ok.txt models/ok.txt models/spare.txt "
        + " ".join(f"peers/p{n}.txt" for n in range(12)),
    )
    with pytest.raises(RougeError) as caught:
        read(tmp_path)

    assert 10 == caught.value.what.count("prediction without a reference")
    assert "... and 2 more" in caught.value.what
    assert "reference without" not in caught.value.what


@tabled
def test_files_without_effect_are_noticed(
    names: str, patterns: dict[str, str], notice: str, tmp_path: Path
) -> None:
    """If all predictions pair, other references, and names that no pattern matches,
    cause a notice.
    """
    made(tmp_path, names)
    notices: list[Notice] = []
    tasks = directories.read(
        f"{tmp_path}/peers", f"{tmp_path}/models", notify=notices.append, **patterns
    )

    assert (1, [Notice(notice.format(tmp_path))]) == (len(tasks), notices)


def test_both_folders_are_looked_for(tmp_path: Path) -> None:
    """If both folders are missing, the error names both."""
    with pytest.raises(ErrorGroup) as caught:
        read(tmp_path)

    assert [f"{tmp_path}/peers", f"{tmp_path}/models"] == [
        error.where for error in caught.value.errors
    ]
    assert all(isinstance(error, UnreadableFile) for error in caught.value.errors)


def test_files_to_be_decoded_are_read(tmp_path: Path) -> None:
    """Compressed files and those in other encodings come as documents, all others as
    paths.
    """
    made(tmp_path, "peers/a.txt.gz", gzip.compress(b"a\n"))
    made(tmp_path, "models/a.txt", b"b\n")
    (task,) = read(tmp_path)
    assert {"peers": Document(b"a\n", f"{tmp_path}/peers/a.txt.gz")} == task.predictions
    assert [("1", f"{tmp_path}/models/a.txt")] == task.references

    made(tmp_path, "models/a.txt", b"\xe9\n")
    (task,) = read(tmp_path, encoding="latin-1")
    assert [
        ("1", Document("é\n".encode(), f"{tmp_path}/models/a.txt"))
    ] == task.references


@given(
    texts=st.lists(
        st.tuples(st.text(max_size=9), st.text(max_size=9)), min_size=1, max_size=12
    )
)
def test_texts_come_back(texts: list[tuple[str, str]]) -> None:
    """Texts written one per file are read as those of their evals, in numeric order."""
    with TemporaryDirectory() as name:
        root = Path(name)
        for number, pair in enumerate(texts):
            for folder, text in zip(("peers", "models"), pair, strict=True):
                made(root, f"{folder}/{number}.txt", text.encode())
        pairs = pairing(root, read(root))
        back = [
            tuple(
                (root / path).read_bytes().decode()
                for side in sides
                for path in side.values()
            )
            for sides in pairs.values()
        ]

    assert texts == back
