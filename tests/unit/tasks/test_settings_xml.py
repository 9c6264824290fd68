"""Settings XML: what is read, and what is refused at which line."""

import errno
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pytest
from case_tables import tabled

from rouge_cli.core import EvalTask, Notice, ignore_notice
from rouge_cli.errors import RougeError, UnreadableFile
from rouge_cli.tasks import settings_xml
from rouge_cli.tasks.kinds import settings

FORMATS = ("see", "spl", "isi", "simple")
FORMAT = '<INPUT-FORMAT TYPE="SPL"/>'


class Settings(Protocol):
    """Read settings from a text."""

    path: str
    notices: list[Notice]

    def __call__(self, text: str | bytes) -> Sequence[EvalTask]: ...


@pytest.fixture
def read(tmp_path: Path) -> Settings:
    """Return the settings in a test's own folder, and the notices of reading them."""

    class Reading:
        path = str(tmp_path / "s.xml")
        notices: list[Notice]

        def __init__(self) -> None:
            self.notices = []

        def __call__(self, text: str | bytes) -> Sequence[EvalTask]:
            data = text.encode() if isinstance(text, str) else text
            (tmp_path / "s.xml").write_bytes(data)
            return settings.read(self.path, FORMATS, self.notices.append)

    return Reading()


def document(*evals: str) -> str:
    """Return a document with one EVAL per line, from line 2 on."""
    return "\n".join(["<ROUGE-EVAL version='1.5.5'>", *evals, "</ROUGE-EVAL>"])


def one_eval(
    predictions: str = "", references: str = "", *, roots: str = "", eval_id: str = "1"
) -> str:
    """Return an EVAL in one line."""
    texts = f"<PEERS>{predictions}</PEERS><MODELS>{references}</MODELS>"
    return f'<EVAL ID="{eval_id}">{roots}{FORMAT}{texts}</EVAL>'


ROOTS = "<PEER-ROOT>sys</PEER-ROOT><MODEL-ROOT>mod/x</MODEL-ROOT>"


def test_an_eval_is_read(read: Settings) -> None:
    """An EVAL gives its ID, peers, models in order, format and line."""
    predictions = '<P ID="B">b.txt</P><P ID="A">a.txt</P>'
    references = '<M ID="2">m2</M><M ID="1">m1</M>'
    tasks = read(
        document("", one_eval(predictions, references, roots=ROOTS, eval_id="D 1"))
    )

    assert [
        EvalTask(
            "D 1", {"B": "sys/b.txt", "A": "sys/a.txt"}, [("2", "mod/x/m2"), ("1", "mod/x/m1")], "spl",
            f"{read.path}:3",
        )
    ] == tasks  # fmt: skip
    assert read.notices == []


@pytest.mark.parametrize("kind", ["SEE", "spl", "Isi", "SIMPLE"])
def test_names_are_taken_in_any_case(read: Settings, kind: str) -> None:
    """Elements and formats may be written in any case; attributes may not."""
    text = (
        '<rouge-eval><Eval ID="1" id="2"><peer-root>p</peer-root><input-format'
        f' type="x" TYPE="{kind}"/><peers><p ID="A"'
        ' id="B">a</p></peers></Eval></rouge-eval>'
    )
    (task,) = read(text)

    assert ("1", {"A": "p/a"}, kind.lower()) == (
        task.eval_id,
        task.predictions,
        task.input_format,
    )


@tabled
def test_the_last_text_is_the_path(read: Settings, inside: str, name: str) -> None:
    """Of several texts the last that is not blank counts; CDATA and entities are
    text (QUIRKS 5, 13).
    """
    text = document(one_eval(f'<P ID="A">{inside}</P>', f'<M ID="1">{inside}</M>'))
    (task,) = read(f"<!DOCTYPE ROUGE-EVAL [<!ENTITY own 'its own'>]>{text}")

    assert {"A": f"/{name}"} == task.predictions  # without a root a path starts at /
    assert [("1", f"/{name}")] == task.references


def test_a_peer_without_text_has_no_file(read: Settings) -> None:
    """A P without text names a peer that is missing from the eval (QUIRKS 13)."""
    (task,) = read(
        document(one_eval('<P ID="A"/><P ID="B"></P><P ID="C">c</P>', roots=ROOTS))
    )

    assert {"A": None, "B": None, "C": "sys/c"} == task.predictions


def test_an_eval_that_comes_twice_goes_on(read: Settings) -> None:
    """EVALs with the same ID are one, at the first position; the last roots apply to
    all (QUIRKS 12).
    """
    last = "<PEER-ROOT>p2</PEER-ROOT><MODEL-ROOT>m2</MODEL-ROOT>"
    first_half = one_eval('<P ID="A">a</P>', '<M ID="1">m</M>', roots=ROOTS)
    second_half = one_eval('<P ID="B">b</P>', '<M ID="2">n</M>', roots=last)
    tasks = read(document(first_half, one_eval(eval_id="0"), second_half))

    assert [
        EvalTask(
            "1",
            {"A": "p2/a", "B": "p2/b"},
            [("1", "m2/m"), ("2", "m2/n")],
            "spl",
            f"{read.path}:4",
        ),
        EvalTask("0", {}, [], "spl", f"{read.path}:3"),
    ] == tasks


def test_roots_may_come_last(read: Settings) -> None:
    """The order inside an EVAL does not matter, and a repeated root takes its last
    text.
    """
    text = f'<PEERS><P ID="A">a</P></PEERS>{ROOTS}{FORMAT}<PEER-ROOT>last</PEER-ROOT>'
    (task,) = read(document(f'<EVAL ID="1">{text}</EVAL>'))

    assert {"A": "last/a"} == task.predictions


def test_ids_that_come_twice(read: Settings) -> None:
    """The last path of a repeated P counts once, a repeated M's each time, with
    notices (QUIRKS 12).
    """
    predictions = '<P ID="A">a1</P><P ID="B">b</P><P ID="A">a2</P>'
    references = '<M ID="1">m1</M><M ID="2">m2</M><M ID="1">m3</M>'
    (task,) = read(document(one_eval(predictions, references)))

    assert {"A": "/a2", "B": "/b"} == task.predictions
    assert [("1", "/m3"), ("2", "/m2"), ("1", "/m3")] == task.references
    assert [
        (f"{read.path}:2: eval 1 has the peer ID A twice; its last file counts", False),
        (
            (
                f"{read.path}:2: eval 1 has the model ID 1 twice; its last file counts"
                " each time"
            ),
            False,
        ),
    ] == read.notices


def test_other_elements_are_passed_through(read: Settings) -> None:
    """The content of unknown elements is read; a P counts only in PEERS, an M only
    in MODELS.
    """
    text = (
        f'<X><EVAL ID="1"><Y>{FORMAT}<PEERS><P ID="A">a</P><M ID="9">no</M><Z><P'
        ' ID="B">no</P></Z></PEERS><P ID="C">no</P><MODELS><P ID="D">no</P><M'
        ' ID="1">m</M></MODELS></Y></EVAL><P ID="E">no</P></X>'
    )
    (task,) = read(text)

    assert ({"A": "/a"}, [("1", "/m")]) == (task.predictions, task.references)


def test_any_encoding_that_xml_names(read: Settings) -> None:
    """IDs are decoded by the encoding that the document declares."""
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>' + one_eval('<P ID="é">ü</P>')
    (task,) = read(text.encode("latin-1"))

    assert {"é": "/ü"} == task.predictions


def test_a_default_namespace_changes_no_name(read: Settings) -> None:
    """An xmlns attribute does not change names, which the original reads as they are
    written.
    """
    tasks = read(
        f'<ROUGE-EVAL xmlns="http://example.org/rouge">{one_eval()}</ROUGE-EVAL>'
    )

    assert ["1"] == [task.eval_id for task in tasks]


@pytest.mark.parametrize(
    "text",
    [
        f"<?xml version='1.1'?><A>{one_eval()}</A>", f"<?xml version='2.0'?><A>{one_eval()}</A>",
        f"<A><x:y>z</x:y>{one_eval()}</A>", f"{'<A>' * 2000}{one_eval()}{'</A>' * 2000}",
    ],
    ids=["1.1", "2.0", "prefix", "deep"],
)  # fmt: skip
def test_well_formed_as_for_the_original(read: Settings, text: str) -> None:
    """Any version, undeclared prefixes and any depth are well-formed, as for the
    original.
    """
    assert ["1"] == [task.eval_id for task in read(text)]


def test_encodings_of_several_bytes_are_refused(read: Settings) -> None:
    """A multi-byte encoding, or an unknown one, is an error with one message (QUIRKS
    5).
    """
    for encoding in ("shift_jis", "klingon"):
        with pytest.raises(RougeError, match="encoding") as caught:
            read(f'<?xml version="1.0" encoding="{encoding}"?>{one_eval()}')
        assert caught.value.where == f"{read.path}:1"


def test_entities_left_undefined_are_refused(read: Settings) -> None:
    """An entity that only an external DTD could define is an error at its place
    (QUIRKS 5).
    """
    prediction = '<P ID="A">&e;a</P>'

    with pytest.raises(RougeError, match="does not define") as caught:
        read(f"<!DOCTYPE A SYSTEM 'a.dtd'><A>\n{one_eval(prediction)}</A>")
    assert caught.value.where.startswith(f"{read.path}:2:")


def test_documents_without_evals(read: Settings) -> None:
    """An XML document without an EVAL has no tasks."""
    assert [] == list(read("<ROUGE-EVAL/>"))


@tabled
def test_what_is_not_xml_is_refused_at_its_place(
    read: Settings, text: bytes, place: str
) -> None:
    """XML that is not well-formed is an error with one message: file, line and
    column.
    """
    with pytest.raises(RougeError, match="not well-formed XML") as caught:
        read(text)

    assert caught.value.where.startswith(f"{read.path}:{place}")
    assert caught.value.where.count(":") >= 2


def test_entities_from_outside_are_refused(read: Settings, tmp_path: Path) -> None:
    """External entities are never read into a settings file (QUIRKS 5)."""
    (tmp_path / "secret").write_text("secret")
    entity = f'<!DOCTYPE A [<!ENTITY e SYSTEM "file://{tmp_path}/secret">]>'
    prediction = '<P ID="A">&e;</P>'

    with pytest.raises(RougeError, match="entit") as caught:
        read(f"{entity}<A>{one_eval(prediction)}</A>")
    assert "secret" not in caught.value.what


def test_entity_bombs_are_refused(read: Settings) -> None:
    """Entities that grow a thousandfold at each step are an error, not a full memory
    (QUIRKS 5).
    """
    steps = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 1000}">' for n in range(1, 5))

    with pytest.raises(RougeError, match="not well-formed XML"):
        read(f'<!DOCTYPE A [<!ENTITY e0 "{"x" * 1000}">{steps}]><A>&e4;</A>')


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    """A missing settings file is an error with the system's reason and number."""
    with pytest.raises(UnreadableFile, match="settings file") as caught:
        settings.read(str(tmp_path / "no.xml"), FORMATS, lambda _: None)

    assert errno.ENOENT == caught.value.errno


def test_a_survey_goes_on(read: Settings, tmp_path: Path) -> None:
    """A survey reports every problem, every notice and every eval; reading stops at
    the first problem.
    """
    text = document(
        "<EVAL><PEERS/></EVAL>", one_eval("<P>a</P>", '<M ID="1">m</M><M ID="1">n</M>', eval_id="7"),
        '<EVAL ID="7"><INPUT-FORMAT TYPE="TXT"/><P ID="x">x</P></EVAL>', "<MODELS/>",
    )  # fmt: skip
    with pytest.raises(RougeError, match="EVAL has no ID"):
        read(text)
    path = tmp_path / "s.xml"
    survey = settings_xml.Settings(path.read_bytes(), str(path), FORMATS, ignore_notice)

    assert [
        f'{path}:2: EVAL has no ID; write <EVAL ID="...">',
        f'{path}:3: P has no ID; write <P ID="...">',
        (
            f"{path}:4: eval 7 has the unknown input format 'TXT'; use one of ISI, SEE,"
            " SIMPLE, SPL"
        ),
        f"{path}:5: MODELS is outside an EVAL",
    ] == list(map(str, survey.problems))
    scored = [
        f"{path}:3: eval 7 has the model ID 1 twice; its last file counts each time",
        f"{path}:4: duplicate eval ID 7; its EVALs are merged",
    ]
    assert scored == [notice.message for notice in read.notices]
    assert [*scored, f"{path}:4: eval 7: P is outside PEERS; ignored"] == list(
        map(str, survey.remarks)
    )
    assert ["(in line 2)", "7"] == [task.eval_id for task in survey.tasks]
    assert {"(in line 2)", "(in line 3)"} == survey.nameless
    assert {
        ("7", "peer", "(in line 3)"): f"{path}:3",
        ("7", "model", "1"): f"{path}:3",
    } == survey.places
