"""Plain settings: the compiled reader and the parser read the same."""

import re
from importlib import import_module
from importlib.util import find_spec
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rouge_cli import twins
from rouge_cli.core import EvalTask
from rouge_cli.errors import RougeError
from rouge_cli.tasks.kinds.settings import read as read_settings

pytestmark = pytest.mark.skipif(
    find_spec("rouge_cli.native._compiled") is None,
    reason="the compiled kernels were not built",
)


def mostly(usual: list[str], *odd: str) -> st.SearchStrategy[str]:
    """Draw one of the usual nine times in ten, else an odd one."""
    return st.sampled_from([*usual * (9 * len(odd) // len(usual) + 1), *odd])


ID = mostly(
    [*map(str, range(30))], "D 3", "a'b", 'q"', "", "x<y", "é", "a\tb", "a&amp;b", "x>y"
)
NAME = mostly(
    ["a.txt", "x/b c.txt"],
    " a ",
    "\n x\t\n",
    "",
    " ",
    "ü",
    "a\nb",
    "a]]>b",
    "&lt;",
    "<!-- -->",
)
BLANK = st.sampled_from(["", "\n", " \r\n\t", "\r"])
KIND = mostly(["SEE", "spl", "Spl"], "TXT", "")
HEAD = mostly(
    ["", "<?xml version='1.0'?>", '<?xml version="1.0" encoding="UTF-8"?>\n'],
    "<!-- x -->",
    "<?xml?>",
)
ROOT = mostly(
    ["ROUGE-EVAL", "ROUGE_EVAL version='1.5.5'", "ROUGE "],
    "ROUGE a=b",
    "EVAL",
    "ROUGE-EVAL/",
    "x",
)
CHANGE = st.sampled_from(["", " ", "<", ">", "/", '"', "E", "&", "\n"])


def files(outer: str, inner: str) -> st.SearchStrategy[str]:
    """Generate PEERS or MODELS with some files."""
    element = st.builds(
        f'<{inner} ID="{{}}">{{}}</{inner}>{{}}'.format, ID, NAME, BLANK
    )
    return st.builds(
        f"<{outer}>{{}}{{}}</{outer}>".format,
        BLANK,
        st.lists(element, max_size=2).map("".join),
    )


PART = st.one_of(
    st.builds("<PEER-ROOT>{}</PEER-ROOT>".format, NAME),
    st.builds("<MODEL-ROOT>{}</MODEL-ROOT>".format, NAME),
    st.builds('<INPUT-FORMAT TYPE="{}">{}</INPUT-FORMAT>'.format, KIND, BLANK),
    st.builds("<INPUT-FORMAT TYPE='{}'{}/>".format, KIND, BLANK),
    files("PEERS", "P"),
    files("MODELS", "M"),
)
PARTS = st.lists(PART, max_size=5, unique_by=lambda part: part[:3])
EVAL = st.builds(
    '<EVAL ID="{}">{}{}</EVAL>{}'.format, ID, BLANK, PARTS.map("\n".join), BLANK
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Generate plain settings; half of them have changes that make them another
    kind, or invalid XML.
    """
    root = draw(ROOT)
    evals = "".join(draw(st.lists(EVAL, max_size=3)))
    text = f"{draw(HEAD)}<{root}>\n{evals}</{root.split()[0]}>{draw(BLANK)}"
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(CHANGE) + text[place + draw(st.integers(0, 2)) :]
    return text


@given(text=documents())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_plain_settings_are_read_as_by_the_parser(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With both kernels the evals, the notices and the errors are the same."""
    assert_read_alike(text, tmp_path / "s.xml", monkeypatch)


def assert_read_alike(text: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assert that both kernels read the same evals, notices and errors."""
    path.write_bytes(text.encode())

    def read(kernels: object) -> object:
        notices: list[object] = []
        with monkeypatch.context() as patch:
            patch.setattr(twins, "extension", lambda: kernels)
            try:
                return read_settings(str(path), ("see", "spl"), notices.append), notices
            except RougeError as error:
                return str(error)

    assert read(None) == read(import_module("rouge_cli.native._compiled"))


START, END = '<ROUGE-EVAL version="1.5.5">\n<EVAL ID="1">\n', "</EVAL>\n</ROUGE-EVAL>\n"
ELEMENTS = (
    "<PEER-ROOT>\np\n</PEER-ROOT>\n", "<MODEL-ROOT>m</MODEL-ROOT>\n",
    '<PEERS><P ID="a">x y</P></PEERS>\n',
    '<MODELS>\n<M ID="A">z</M>\n<M ID="B">z</M>\n</MODELS>\n',
    '<INPUT-FORMAT TYPE="SPL">\n</INPUT-FORMAT>\n',
)  # fmt: skip


@pytest.mark.parametrize(
    "new", ["", "x", " ", "<", "&amp;", "\x7f", "\xe9", "\r", "\t", "]]>", "''"]
)
def test_one_changed_character_is_read_as_by_the_parser(
    new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings with any one character dropped or replaced are read the same, or
    refused by both.
    """
    text = START + "".join(ELEMENTS) + END
    for place in range(len(text)):
        assert_read_alike(
            text[:place] + new + text[place + 1 :], tmp_path / "s.xml", monkeypatch
        )


def test_an_eval_that_is_not_closed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An EVAL that begins within another, after its files, is invalid XML for both
    readers.
    """
    whole = "".join(ELEMENTS) + "</EVAL>\n"
    for opened in (
        ELEMENTS[2].removesuffix("</PEERS>\n"),
        ELEMENTS[3].removesuffix("</MODELS>\n"),
    ):
        text = f'{START}{opened}<EVAL ID="2">\n{whole}</ROUGE-EVAL>\n'
        assert_read_alike(text, tmp_path / "s.xml", monkeypatch)


def test_the_order_of_elements_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elements in any order do not need the parser, and one that is repeated or left
    out is left to it.
    """
    plain = import_module("rouge_cli.native._compiled").plain_settings
    for elements in permutations(ELEMENTS):
        text = START + "".join(elements) + END
        assert plain(text.encode(), "s.xml", ("spl",), EvalTask)
        assert_read_alike(text, tmp_path / "s.xml", monkeypatch)
    for place, element in enumerate(ELEMENTS):
        for several in ("", element * 2):
            parts = [*ELEMENTS[:place], several, *ELEMENTS[place + 1 :]]
            assert_read_alike(
                START + "".join(parts) + END, tmp_path / "s.xml", monkeypatch
            )


def test_a_tag_that_is_not_closed_is_left_to_the_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tag without its `>` in front of another tag is refused, as by the parser."""
    whole = START + "".join(ELEMENTS) + END
    for text in (whole, whole.replace("\n</INPUT-FORMAT>", "")):
        for tag in re.finditer("<[^>]*>", text):
            assert_read_alike(
                text[: tag.end() - 1] + text[tag.end() :],
                tmp_path / "s.xml",
                monkeypatch,
            )


def test_settings_of_programs_are_plain(root: Path) -> None:
    """Settings as programs write them do not need the parser."""
    data = (root / "fixtures" / "demo" / "settings.xml").read_bytes()

    assert import_module("rouge_cli.native._compiled").plain_settings(
        data, "s.xml", ("spl",), EvalTask
    )
