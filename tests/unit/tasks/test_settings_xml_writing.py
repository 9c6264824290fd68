"""Writing settings XML: round trips, jackknifed evals, and what settings cannot
express.
"""

import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core import Average, Document, EvalTask, Notice
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.dialects.rouge155.setup import Setup
from rouge_cli.errors import RougeError
from rouge_cli.metrics.ngram import NGram
from rouge_cli.runs.evaluation import Scorer, collect, finish
from rouge_cli.runs.jackknife import Jackknife
from rouge_cli.tasks import settings_xml
from rouge_cli.tasks.kinds import settings

FORMATS = ("see", "spl", "isi", "simple")

# Characters that XML allows, including all that need escaping.
CHARACTERS = st.sampled_from(
    [*"ab.1-_ é字<>&\"'\t\n\r]=;%#", "]]>", "&amp;", "<!--", "\U0001f600"]
)
IDS = st.lists(CHARACTERS, max_size=5).map("".join)
PARTS = (
    st.lists(CHARACTERS, min_size=1, max_size=5)
    .map("".join)
    .filter(lambda text: text == text.strip())
)
RELATIVE = st.lists(PARTS, min_size=2, max_size=4).map("/".join)
PATHS = st.shared(st.sampled_from(["", "/", "x/", "../y z/"]), key="start").flatmap(
    lambda start: RELATIVE.map(lambda path: start + path)
)
TASKS = st.lists(
    st.builds(
        EvalTask, IDS, st.dictionaries(IDS, PATHS | st.none(), max_size=4),
        st.dictionaries(IDS, PATHS, max_size=4).map(lambda references: list(references.items())),
        st.sampled_from(FORMATS), st.just(""), st.none(),
    ),
    max_size=4,
    unique_by=lambda task: task.eval_id,
)  # fmt: skip


def read_back(tasks: Sequence[EvalTask]) -> list[EvalTask]:
    """Write the tasks, and return them as read again, without their places."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.xml"
        path.write_bytes(settings_xml.render(tasks))
        notices: list[Notice] = []
        read = settings.read(str(path), FORMATS, notices.append)
        assert notices == []
    return [task._replace(where="") for task in read]


def dotted(path: str | Document | None) -> str | Document | None:
    """Return a path as it reads back if the settings' paths share no folder."""
    return f"./{path}" if isinstance(path, str) and not path.startswith("/") else path


@given(TASKS)
def test_what_is_written_reads_back(tasks: list[EvalTask]) -> None:
    """Tasks that are written and read are the same: IDs, order, formats, and exact
    paths.

    Only if paths share no folder do they read back with ./ before them.
    """
    read = read_back(tasks)
    for task, again in zip(tasks, read, strict=True):
        assert task._replace(predictions={}, references=[]) == again._replace(
            predictions={}, references=[]
        )
        assert list(task.predictions) == list(again.predictions)
        assert [reference_id for reference_id, _ in task.references] == [
            reference_id for reference_id, _ in again.references
        ]
    for side in (prediction_paths, reference_paths):
        before, after = side(tasks), side(read)
        tops = {str(path).split("/")[0] for path in before if path}
        assert after == (before if len(tops) < 2 else list(map(dotted, before)))


def prediction_paths(tasks: Sequence[EvalTask]) -> list[str | Document | None]:
    """Return the paths of all peers, in order."""
    return [path for task in tasks for path in task.predictions.values()]


def reference_paths(tasks: Sequence[EvalTask]) -> list[str | Document | None]:
    """Return the paths of all models, in order."""
    return [path for task in tasks for _, path in task.references]


def task(
    predictions: dict[str, str | Document | None],
    references: list[tuple[str, str | Document]],
    eval_id: str = "1",
) -> EvalTask:
    """Return an SPL task."""
    return EvalTask(eval_id, predictions, references, "spl", "here")


def test_roots_are_what_paths_share() -> None:
    """PEER-ROOT and MODEL-ROOT are the common folders of all evals' peers and of all
    models.
    """
    data = settings_xml.render(
        [
            task({"a": "x/sys/a/1", "b": "x/sys/b/1"}, [("A", "/m/1.A")]),
            task({"a": "x/sys/a/2"}, [("A", "/m/2.A")], "2"),
        ]
    ).decode()

    assert data.count("<PEER-ROOT>x/sys</PEER-ROOT>") == 2
    assert data.count("<MODEL-ROOT>/m</MODEL-ROOT>") == 2
    assert '<P ID="b">b/1</P>' in data


def test_paths_from_here_and_from_the_root(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If some paths are absolute and others are not, all are written as absolute
    paths.
    """
    monkeypatch.chdir(tmp_path)
    (task_read,) = read_back([task({"a": "/p/a", "b": "q/b", "c": "c"}, [("A", "m")])])

    assert {
        "a": "/p/a",
        "b": f"{tmp_path}/q/b",
        "c": f"{tmp_path}/c",
    } == task_read.predictions
    assert [("A", "./m")] == task_read.references


def test_each_model_is_left_out_once() -> None:
    """An eval with M models becomes M evals, each without one model, which is a peer
    under its own ID.
    """
    notices: list[Notice] = []
    references: list[tuple[str, str | Document]] = [
        ("A", "m/A"),
        ("B", "m/B"),
        ("C", "m/C"),
    ]
    single = task({"x": "p/y"}, [("A", "m/2")], "2")
    written = list(
        settings_xml.jackknife([task({"x": "p/x"}, references), single], notices.append)
    )

    assert [
        task({"x": "p/x", "A": "m/A"}, [("B", "m/B"), ("C", "m/C")], "1.without-A"),
        task({"x": "p/x", "B": "m/B"}, [("A", "m/A"), ("C", "m/C")], "1.without-B"),
        task({"x": "p/x", "C": "m/C"}, [("A", "m/A"), ("B", "m/B")], "1.without-C"),
        single,
    ] == written
    assert ["eval 2 has 1 model, and is unchanged"] == [
        notice.message for notice in notices
    ]


def test_a_system_of_a_models_name_stays_itself() -> None:
    """If a system has the ID of a person, in any eval, all people get the prefix
    `human`: names of one kind for one kind of peer.
    """
    two = [task({"A": "p/A"}, [("A", "m/1"), ("B", "m/2")])]

    assert [["A", "human A"], ["A", "human B"]] == [
        list(jackknifed.predictions)
        for jackknifed in settings_xml.jackknife(two, lambda _: None)
    ]


def test_jackknifed_averages_are_those_of_the_procedure(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Averages over jackknifed evals equal those of scoring each eval by
    jackknifing, people included.
    """
    monkeypatch.chdir(root)
    tasks = settings.read("fixtures/demo/settings.xml", FORMATS, lambda _: None)
    setup = Setup(metrics=[NGram(1), NGram(2)], samples=0)

    def averages(
        some: Sequence[EvalTask], *, jackknife: bool
    ) -> dict[tuple[str, str], list[float]]:
        """Return peer and label -> recall, precision and F."""
        dialect = Rouge155(setup, Counter(), lambda _: None)
        scorer: Any = Scorer(partial(Rouge155, setup), print)
        if jackknife:
            scorer = Jackknife(scorer)
        report = finish(
            collect(some, None, scorer, lambda _: None), None, dialect, lambda _: None
        )
        return {
            (result.system.removeprefix("human "), result.label): [
                estimate.value for estimate in result.average
            ]
            for result in report.results
            if isinstance(result.average, Average)
        }

    written = read_back(list(settings_xml.jackknife(tasks, lambda _: None)))
    actual = averages(written, jackknife=False)

    assert {"lead", "extract", "random", "A", "B"} == {system for system, _ in actual}
    expected = averages(tasks, jackknife=True)
    assert actual.keys() == expected.keys()
    for key, figures in actual.items():
        assert figures == pytest.approx(expected[key], abs=1e-12)


@tabled
def test_what_settings_cannot_express_is_refused(
    predictions: dict[str, Any], references: list[Any], message: str
) -> None:
    """A path or ID that would not read back unchanged is an error."""
    with pytest.raises(RougeError) as caught:
        settings_xml.render([task(predictions, references)])

    assert message == str(caught.value)


def test_settings_name_files_of_different_evals() -> None:
    """A text that is not a file of its own is an error, and so are two evals of one
    ID.
    """
    message = "l:1: settings name files, but this text is not in a file of its own"
    with pytest.raises(RougeError, match=rf"^{message}$"):
        settings_xml.render([task({"a": Document(b"x", "l:1")}, [])])
    with pytest.raises(RougeError, match=r"^here: duplicate eval ID 1$"):
        settings_xml.render([task({}, []), task({}, [])])
