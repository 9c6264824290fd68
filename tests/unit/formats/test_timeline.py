"""TIMELINE: which lines are dates, and what is repaired or refused."""

import json
from datetime import date

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core import Notice, Summary
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.formats import timeline
from rouge_cli.formats.timeline import Timeline

END = "-" * 32
MAY, JUNE = date(2010, 5, 6), date(2010, 6, 1)


def read(
    text: str | bytes, kind: str = "", repeated: str = "last"
) -> tuple[list[Timeline], list[str]]:
    """Return the timelines of a text, and the notices of reading it."""
    notices: list[Notice] = []
    data = text if isinstance(text, bytes) else text.encode()
    timelines = timeline.several(data, "t", notices.append, kind, repeated)
    return timelines, [notice.message for notice in notices]


def dated(days: dict[str, list[str]]) -> Timeline:
    """Return a timeline of days that are written as strings."""
    return {date.fromisoformat(day): sentences for day, sentences in days.items()}


@tabled
def test_other_lines_are_text(line: str) -> None:
    """Only year-month-day of the calendar is a date, and only 32 hyphens end a day."""
    assert ([{MAY: [line]}], []) == read(f"2010-05-06\n{line}\n{END}\n")


@pytest.mark.parametrize(
    "line", ["2010-05-06", "2010-5-6", "  2010-05-06\t", "\ufeff2010-05-06"]
)
def test_dates_have_zeros_or_not(line: str) -> None:
    """Leading zeros, white space around a date and a byte order mark make no
    difference.
    """
    assert ([{MAY: ["a b"]}], []) == read(f"{line}\r\n a b \r\n{END}\r\n")


def test_lines_end_as_in_tilses_files() -> None:
    """Line feeds and carriage returns end lines, and no other character does; recorded
    from tilse 0.2.
    """
    text = "a\x0bb\x0cc\x1cd\x1de\x1ef\x85g\u2028h\u2029i"
    assert ([{MAY: [text, "j"]}], []) == read(f"2010-05-06\r{text}\rj\r\n{END}\r")


def test_days_are_in_order() -> None:
    """Blocks may come in any order, and text may precede its date."""
    (days,), messages = read(
        f"x\n2010-06-01\ny\n{END}\n2010-05-06\n\nz\n\nw\n\n{END}\n"
    )

    assert [(MAY, ["z", "", "w"]), (JUNE, ["x", "y"])] == list(days.items())
    assert [] == messages


def test_days_without_text_are_days() -> None:
    """A date without text is a day with one empty sentence, and two consecutive
    separators are one.
    """
    assert ([{MAY: [""]}], []) == read(f"2010-05-06\n{END}\n{END}\n\n")


@tabled
def test_repairs_are_said(
    text: bytes, repeated: str, days: dict[str, list[str]], message: str
) -> None:
    """Each repair is reported once, with its line."""
    assert ([dated(days)], [message]) == read(text, repeated=repeated)


@tabled
def test_other_content_is_refused(text: str, kind: str, message: str) -> None:
    """Text without a date, and JSON of another shape, are errors that name the line
    or the entry.
    """
    with pytest.raises(RougeError) as caught:
        read("[" * 100_000 if text == "deep" else text, kind)

    assert str(caught.value).startswith(message)


@tabled
def test_repeated_dates_can_be_refused(text: str, message: str) -> None:
    """If so requested, a repeated date, also in a JSON object, is an error that
    names both places.
    """
    with pytest.raises(RougeError, match=f"^{message}; give each date once"):
        read(text, repeated="reject")


@pytest.mark.parametrize("unknown", [{"kind": "xml"}, {"repeated": "first"}])
def test_unknown_ways_of_reading_are_usage_errors(unknown: dict[str, str]) -> None:
    """An unknown kind of input, or an unknown treatment of repeated dates, is a
    usage error.
    """
    with pytest.raises(UsageError, match="use one of"):
        read("", **unknown)


PAIRS = [["2010-06-01 00:00:00", ["b", "c"]], ["2010-05-06T00:00:00", "a"]]


@tabled
def test_json_is_recognized_by_its_content(
    text: bytes, timelines: list[dict[str, list[str]]]
) -> None:
    """Pairs, objects, arrays, lines and results of news-tls are read; of a time only
    the date counts.
    """
    assert ([*map(dated, timelines)], []) == read(text)


def test_one_timeline_is_a_summary() -> None:
    """Read as a summary, a timeline is its dated sentences; several timelines are
    not a summary.
    """
    assert Summary([b"a", b"b", b"c"], [MAY, JUNE, JUNE]) == timeline.read(
        json.dumps(PAIRS).encode()
    )
    with pytest.raises(RougeError, match="2 timelines; expected one"):
        timeline.read(json.dumps([PAIRS, PAIRS]).encode())


LINES = st.text(st.sampled_from("ab -\n\x0b2010\u2028"), max_size=6).map(str.encode)


@given(st.lists(st.tuples(st.sampled_from([MAY, JUNE]), LINES)))
def test_what_is_written_reads_back(units: list[tuple[date, bytes]]) -> None:
    """Dated sentences are the same after writing and reading, or writing refuses
    them.
    """
    summary = Summary([unit for _, unit in units], [day for day, _ in units])
    try:
        data = timeline.write(summary, "")
    except RougeError as error:
        assert "cannot be written as TIMELINE" in str(error)  # noqa: PT017 - or it reads back
        return
    assert summary == timeline.read(data)


def test_plain_sentences_can_be_written() -> None:
    """Dated sentences without breaks are written as blocks; those without dates are
    refused.
    """
    data = f"2010-05-06\na\n{END}\n2010-06-01\nb\nc\n{END}\n".encode()

    assert data == timeline.write(Summary([b"a", b"b", b"c"], [MAY, JUNE, JUNE]), "")
    for refused in (Summary([b"a"]), Summary([END.encode(), b"a"], [MAY, MAY])):
        with pytest.raises(RougeError, match="cannot be written as TIMELINE"):
            timeline.write(refused, "")
