"""Sentences of SEE and ISI are read or reported, however they are written."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from compiled_runs import Make, assert_same, rouge155, rouge_score, task
from hypothesis import example, given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli import formats
from rouge_cli.core import Document
from rouge_cli.formats import _numbered

# Ways to write the parts of a sentence; the format's own way is first.
SEE_PARTS = (
    ('<a name="1">', '<a size="10" name="1">', '<a name="1" size="10">', "<a name=1>",
     "<a name='1'>", '<A NAME="1">', '<a  name="1">', '<a name="x">', '<a name="1" >'),
    ("[1]</a>", "[1]</A>", "1</a>", "[1] </a>"),
    (" ", "\t ", "", "\n", "&nbsp;"),
    ('<a href="#1" id=1>', "<a href=#1 id=1>", '<a href="#1" id="1">',
     '<a id=1 href="#1">', '<A HREF="#1" ID=1>', '<a href="#1"  id=1 >'),
)  # fmt: skip
SEE_ENDS = ("</a>", "</A>", "")
ISI_PARTS = (
    ('<S SNTNO="1">', '<S SNTNO="1a,b">', '<S SNTNO="2" >', '<S  SNTNO="1">',
     '<S SNTNO="1" X="2">', '<S X="2" SNTNO="1">', "<S SNTNO=1>", "<S SNTNO='1'>",
     '<s sntno="1">', '<S SNTNO="A">', '<S SNTNO="">', "<S>"),
)  # fmt: skip
ISI_ENDS = ("</S>", "</s>", "")
# Before a sentence: the line feed of the line before, or something on its own line.
BEFORE = ("\n", "\n\n", "", " ", "\n ", "<body>", "\n<p>", "\r", "x ")


def sentences(parts: tuple[tuple[str, ...], ...], ends: tuple[str, ...]) -> Any:  # noqa: ANN401
    """Return a strategy of files with a few sentences, and the number of these."""

    def usually_first(choices: tuple[str, ...]) -> st.SearchStrategy[str]:
        return st.just(choices[0]) | st.sampled_from(choices)

    sentence = st.tuples(
        usually_first(BEFORE),
        *map(usually_first, parts),
        st.sampled_from(["the cat sat", " a ", "x"]),
        usually_first(ends),
    ).map("".join)
    return st.lists(sentence, max_size=5).map(
        lambda written: ("".join(written).encode(), len(written))
    )


def lost(name: str, data: bytes) -> _numbered.Unread:
    """Return the sentences that are not read as a whole."""
    unread: _numbered.Unread | None = formats.named(name).unread(data)
    return unread or _numbered.Unread(0, 0, 0, 0, "", "")


@example(file=(b'<body><a name="1">[1]</a> <a href="#1" id=1>a</a>', 1))
@given(file=sentences(SEE_PARTS, SEE_ENDS))
def test_sentences_of_see_are_read_or_reported(file: tuple[bytes, int]) -> None:
    """As many sentences begin in a SEE file as are read and reported together."""
    data, number = file
    unread = lost("see", data)

    assert number == len(formats.named("see").read(data).units) + unread.unread
    assert not unread.unread or unread.sentences == number


@example(file=(b'<S SNTNO="2" >a</S>', 1))
@given(file=sentences(ISI_PARTS, ISI_ENDS))
def test_sentences_of_isi_are_read_or_reported(file: tuple[bytes, int]) -> None:
    """As many sentences begin in an ISI file as are read and reported together."""
    data, number = file
    unread = lost("isi", data)

    assert number == len(formats.named("isi").read(data).units) + unread.unread


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "make", [rouge155(), rouge_score()], ids=["rouge155", "google"]
)
@given(file=sentences(SEE_PARTS, SEE_ENDS))
def test_compiled_code_reports_the_same(make: Make, file: tuple[bytes, int]) -> None:
    """Compiled runs leave a file with something to report to the readable program."""
    good = b'<a name="1">[1]</a> <a href="#1" id=1>the cat</a>\n'
    documents = [Document(data, "text") for data in (good, file[0])]

    assert_same(make, [task(1, documents[:1], {"a": documents[1]}, "see")])


def test_the_original_reads_the_same_sentences(
    original: Any,  # noqa: ANN401 - the kit's Original
    tmp_path: Path,
) -> None:
    """The original reads a sentence if we read it, in each way to write a part."""
    for name, parts, ends in (
        ("see", SEE_PARTS, SEE_ENDS),
        ("isi", ISI_PARTS, ISI_ENDS),
    ):
        usual = [choices[0] for choices in parts]
        files = []
        for place, choices in enumerate(parts):
            for choice in choices:
                ways = [*usual[:place], choice, *usual[place + 1 :]]
                files.append(f"{''.join(ways)}cat{ends[0]}\n")
        files += [f"{''.join(usual)}cat{end}\n" for end in ends]
        files += [f"{before}{files[0]}" for before in BEFORE]
        for number, text in enumerate(files):
            (tmp_path / str(number)).write_text(text)
        rows = [f"{number} 0\n" for number in range(len(files))]
        (tmp_path / "list").write_text("".join(rows))
        words = ["-n", "1", "-x", "-d", "-r", "1", "-z", name.upper(), "list"]
        report = subprocess.run(
            [*original.command, *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        scored = [line for line in report.splitlines() if " Eval " in line]
        scores = {int(row.split()[3].split(".")[0]): row for row in scored}

        assert len(files) == len(scores)
        for number, text in enumerate(files, 1):
            is_read = "R:1.00000" in scores[number]
            units = formats.named(name).read(text.encode()).units
            assert is_read is bool(units), text


@pytest.mark.parametrize("dialect", ["rouge155", "google", "rouge2"])
def test_every_dialect_reports_them(dialect: Any) -> None:  # noqa: ANN401
    """A text in SEE whose sentence is not read is named whatever the dialect."""
    sentence = '<a name="1">[1]</a> <a href="#1" id=1>the cat sat</a>\n'
    notices: list[str] = []
    rouge_cli.score(
        [f"<body>{sentence}{sentence}"],
        [sentence],
        dialect=dialect,
        read_as="see",
        samples=0,
        notify=lambda notice: notices.append(notice.message),
    )

    assert "1:1: 1 of 2 sentences is not read (the first: '<body>'" in notices[0]
