"""Compiled reading of files compared with the readable one: any bytes, odd names,
many at once.
"""

import os
import random
from array import array
from functools import partial
from itertools import product
from pathlib import Path
from threading import Thread

import pytest
from compiled_runs import (
    KNOWN_TEXT,
    METRICS,
    Make,
    assert_same,
    lines,
    program_of,
    rouge155,
    rouge_score,
    rows_of,
    run,
    task,
)
from hypothesis import example, given
from hypothesis import strategies as st

from rouge_cli.core import Document
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.dialects.rouge155.setup import Setup
from rouge_cli.dialects.rouge155.texts import Preparation
from rouge_cli.errors import UnreadableFile
from rouge_cli.formats.see import SENTENCE as SENTENCES
from rouge_cli.formats.see import unread
from rouge_cli.metrics.ngram import NGram
from rouge_cli.runs import parallel
from rouge_cli.text.survey import survey
from rouge_cli.text.tokens import Limit

pytestmark = pytest.mark.usefixtures("compiled")

PIECES = (
    "the cat", "Rust-2", " ", "\n", "\r\n", "\0", "\t", "<", ">", "<b>", '<a name="', "\xe9", "\xff\xfe",
    "\x80", "<q>", "\\n", " \xc3\xbcber", "\xe4\xb8\xad" * 9, "\xed\xa0\x80", "\xe2\x82",
    "\xf0\x9d\x90\x80", "\xe0\x80\x80", "\xe2\x84\xaa", "\xc4\xb0s", "\xf0\xe2\x84\xaa", "a z0.A",
    '<a name="1">[1]</a> <a href="#1" id=1>', '<a size="3" name="12">[12]</a>\r\t<a href="#0" id=07>',
    '<a name="x">[1]</a> <a href="#1" id=1>',
    '<a name="1">[1]</a><a href="#1" id=1>', '<a size="" name="1">[1]</a> <a href="#1" id=1>', "</a>\n",
    "x" * 70_000,
)  # fmt: skip
CONTENTS = st.lists(st.sampled_from(PIECES), max_size=8).map(
    lambda pieces: "".join(pieces).encode("latin-1")
)
SENTENCE = b'<a name="1">[1]</a> <a href="#1" id=1>a cat'
LIMITS = st.none() | st.builds(
    Limit, st.sampled_from([0, 1, 2.5, 7, 30]), st.booleans()
)


@example(
    contents=(b'<a name="x">[1]</a> <a href="#1" id=1>a cat', SENTENCE),
    see=True,
    limit=None,
)
@given(contents=st.tuples(CONTENTS, CONTENTS), see=st.booleans(), limit=LIMITS)
def test_files_of_any_bytes_are_scored_the_same(
    contents: tuple[bytes, bytes],
    see: bool,
    limit: Limit | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Any bytes under any limit have the same scores, tallies and notices, in files
    and in memory.
    """
    paths = [tmp_path_factory.getbasetemp() / name for name in ("first", "second")]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    names, format_name = list(map(str, paths)), "see" if see else "spl"
    documents = [
        Document(content, f"line {number}") for number, content in enumerate(contents)
    ]
    for first, second in (names, documents):
        tasks = [
            task(1, [first, second], {"a": first, "b": second}, format_name),
            task(2, [second], {"a": first}, format_name),
            task(3, [first], {"b": first}, format_name),
        ]
        if not see:
            tasks.append(task(4, [KNOWN_TEXT], {"a": first, "b": second}))
        assert_same(rouge155(limit=limit), tasks)
        assert_same(rouge_score(), tasks)


@given(content=CONTENTS, see=st.booleans(), limit=LIMITS)
def test_files_are_handed_back_for_a_reason(
    content: bytes,
    see: bool,
    limit: Limit | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Texts left to the readable program have no word, NUL bytes or odd tags; none
    of them is tallied.
    """
    path = tmp_path_factory.getbasetemp() / "ordinary"
    path.write_bytes(content)
    ordinary = task(1, [str(path)] * 2, {"a": str(path)}, "see" if see else "spl")
    setup = Setup(METRICS, limit=limit)
    program = program_of(partial(Rouge155, setup))
    (rows,) = rows_of(program, [ordinary])
    texts = [sums["texts"] for sums in program.tally()]
    text = Preparation(setup, lambda _: None).prepare(Document(content, "x"), ordinary)[
        0
    ]

    if rows is None:
        others = SENTENCES.sub(b"", content) if see else content
        odd = b"\0" in content or b"<a " in others or (see and unread(content))
        assert not any(text["plain"].sentences) or text["plain"].empty or odd
        assert [0, 0] == texts
    else:
        assert (1, [1, 2]) == (len(rows), texts)


def test_lines_that_are_almost_sentences_are_read_the_same() -> None:
    """A line of SEE with any one character dropped, doubled or changed is read the
    same, or not at all.
    """
    line = '<a size="1" name="2">[3]</a> <a href="#4" id=5>rust <b>cat'
    blank = line.index(" <a href")
    changed = {
        line[:place] + new + line[place + 1 :]
        for place in range(len(line))
        for new in ("", "x")
    }
    changed |= {line[: place + 1] + line[place:] for place in range(len(line))}
    changed |= {
        line[:blank] + new + line[blank + 1 :]
        for new in ("\t", "\v", "\f", "\r", "\v\t ", "\xa0")
    }
    texts = [Document(f"{each}\n{line}".encode(), each) for each in sorted(changed)]
    reference = Document(f"{line} a size name href id x".encode(), "model")

    assert_same(
        rouge155(metrics=[NGram(1)]),
        [
            task(number, [reference], {"a": text}, "see")
            for number, text in enumerate(texts)
        ],
    )


@pytest.mark.parametrize("in_words", [False, True])
@pytest.mark.parametrize("most", [0.5, 1, 2, 2.5, 3, 4, 9, 9.5, 10])
def test_limited_texts_are_the_same(most: float, in_words: bool) -> None:
    """A limit reached within a sentence, at its end or between two cuts the same
    words from a text.
    """
    texts = [
        b"a b c d",
        b" a b\n\tc",
        b"aaaa bbbb\ncccc",
        b"a\n \nb\n\nc d",
        b"ab  cd\t\nef",
        b"\x0bab c",
    ]
    documents = [Document(text, f"{number}") for number, text in enumerate(texts)]
    assert_same(
        rouge155(limit=Limit(most, in_words)),
        [
            task(number, documents, {"a": document})
            for number, document in enumerate(documents)
        ],
    )


def test_letters_of_all_alphabets_are_counted_the_same() -> None:
    """Every character is a letter to both kernels or to neither, and bytes of no
    character are not.
    """
    texts = [
        "".join(map(chr, range(start, start + 64))).encode("utf-8", "surrogatepass")
        for start in [
            *range(0x80, 0x3400, 64),
            *range(0xD000, 0x10400, 64),
            *range(0x1EC00, 0x20400, 64),
        ]
    ]
    leads = b"\x7f\x80\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1\xf3\xf4\xf5\xff"
    for sequence in product(leads, *[b"\x41\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0"] * 2):
        texts += [bytes(sequence), bytes(sequence) + b"\x80"]
    program = program_of(rouge155(metrics=[NGram(1)]))
    for text in texts:
        before, _ = program.tally()
        program.score([task(1, [KNOWN_TEXT], {"a": Document(b"a " + text, "x")})], None)
        after, _ = program.tally()
        counted = {name: after[name] - before[name] for name in before}
        assert survey([b"a " + text])._asdict() == counted, text


def test_a_file_is_read_once_and_kept_until_its_last_use(tmp_path: Path) -> None:
    """Within a batch the same file has the same text; the next batch reads it again."""
    path = tmp_path / "once"
    path.write_text("the cat\n")
    program = program_of(partial(Rouge155, Setup([NGram(1)])))
    several = [task(1, [str(path)] * 2, {"a": str(path)})] * 2
    first = rows_of(program, several)
    path.write_text("the cat sat\n")
    second = rows_of(program, several)
    path.unlink()

    assert [[4.0, 4.0], [6.0, 6.0]] == [
        [array("d", rows[0])[0] for rows in each if rows] for each in (first, second)
    ]
    assert [None, None] == rows_of(program, several)


def test_pipes_are_not_opened(tmp_path: Path) -> None:
    """The compiled kernels do not open a pipe, since its bytes would be lost and
    Ctrl-C ignored.
    """
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for make in (rouge155(), rouge_score()):
        assert [None] == rows_of(
            program_of(make), [task(1, [KNOWN_TEXT], {"a": str(pipe)})]
        )
        writer = Thread(target=pipe.write_text, args=("the cat\n",), daemon=True)
        writer.start()
        scored = run(make, [task(1, [KNOWN_TEXT], {"a": str(pipe)})])
        writer.join()

        assert (
            run(make, [task(1, [KNOWN_TEXT], {"a": Document(b"the cat\n", "x")})])
            == scored
        )


@pytest.mark.parametrize(
    "make", [rouge155(), rouge_score()], ids=["rouge155", "google"]
)
@pytest.mark.parametrize("odd", ["\ud800", "a\0b", "missing", ".", "", "\u00fc", None])
@pytest.mark.parametrize("side", ["peer", "model"])
def test_paths_without_files_have_the_same_outcome(
    make: Make,
    odd: str | None,
    side: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Impossible names, missing files, folders and peers without a file give the
    same error or notice.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "\u00fc").write_text("the cat\n")
    if side == "model" and not odd:
        pytest.skip("a model is always named")
    references = [KNOWN_TEXT, odd or KNOWN_TEXT] if side == "model" else [KNOWN_TEXT]
    predictions = {"a": odd if side == "peer" else KNOWN_TEXT, "b": KNOWN_TEXT}
    ordinary = task(1, [KNOWN_TEXT], {"a": KNOWN_TEXT, "b": KNOWN_TEXT})
    tasks = [ordinary, task(2, references, predictions), ordinary._replace(eval_id="3")]
    for systems in (None, ["b", "a", "c"], ["b"]):
        assert_same(make, tasks, systems)


@pytest.mark.parametrize(
    "make", [rouge155(), rouge_score()], ids=["rouge155", "google"]
)
def test_a_path_of_a_class_of_its_own_is_a_path(make: Make, tmp_path: Path) -> None:
    """A string of a subclass of str, as in numpy and pandas, names a file."""

    class Name(str):
        __slots__ = ()

    path = Name(tmp_path / "a")
    (tmp_path / "a").write_text("the cat\n")
    assert_same(make, [task(1, [KNOWN_TEXT, path], {"a": path})])


def test_many_files_are_scored_the_same(tmp_path: Path) -> None:
    """Files of a listed folder, small, large and empty ones, give the scores of
    files read one by one.
    """
    chance = random.Random(1)
    for number in range(240):
        text = "a b c\n" * 20_000 if number % 50 == 7 else lines(chance)
        (tmp_path / f"{number}").write_text(text)
    names = [str(tmp_path / f"{number}") for number in range(240)]
    chance.shuffle(names)
    tasks = [
        task(number, [names[200 - number]], {"a": names[number], "b": names[-1]})
        for number in range(100)
    ]
    assert_same(rouge155(metrics=[NGram(1), NGram(2)], samples=0), tasks)


def test_a_file_that_is_missing_among_many_is_named(tmp_path: Path) -> None:
    """A file that is not in the list of its folder is an error at its own eval."""
    for number in range(200):
        (tmp_path / f"{number}").write_text("a b c\n")
    (tmp_path / "150").unlink()
    tasks = [
        task(number, [str(tmp_path / "0")], {"a": str(tmp_path / f"{number}")})
        for number in range(200)
    ]

    with pytest.raises(UnreadableFile, match="system a of eval 150"):
        parallel.collected(parallel.Work(rouge155(), None), tasks, lambda _: None)
