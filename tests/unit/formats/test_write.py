"""Writing formats: round trips and refusals."""

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli import formats
from rouge_cli.cli.commands import convert
from rouge_cli.core import Summary
from rouge_cli.errors import RougeError

PIECES = [
    b"a",
    b"Z9",
    b" ",
    b"\r",
    b"\t",
    b"\v",
    b"\xff",
    b"\xc3\xa9",
    b"&lt;",
    b">",
    b'"',
    b"\0",
    b"\x85",
]
TAGS = [*PIECES, b"<", b"<S SNTNO=", b"</a>"]
BREAKS = [*TAGS, b"\n"]


def units(pieces: list[bytes]) -> st.SearchStrategy[bytes]:
    """Generate texts of one or more of these pieces."""
    return st.lists(st.sampled_from(pieces), min_size=1).map(b"".join)


SEE = st.builds(
    lambda text, end: text + end, units(PIECES), st.sampled_from([b"", b"\n"])
)
HELD = {
    "spl": st.lists(units(TAGS)), "isi": st.lists(units(PIECES)), "see": st.lists(SEE),
    "plain": st.lists(units(TAGS)),
}  # fmt: skip


@pytest.mark.parametrize("name", HELD)
@given(data=st.data(), title=st.text())
def test_what_is_written_reads_back(name: str, data: st.DataObject, title: str) -> None:
    """A summary that a format can hold is the same after writing and reading,
    whatever its name.
    """
    summary = Summary(data.draw(HELD[name]))
    form = formats.named(name)

    assert summary == form.read(form.write(summary, title))


@pytest.mark.parametrize("name", convert.WRITTEN)
@given(
    summary=st.builds(Summary, st.lists(units(BREAKS) | st.just(b""))), title=st.text()
)
def test_nothing_is_lost_silently(name: str, summary: Summary, title: str) -> None:
    """Any summary is the same after writing and reading, or is refused."""
    form = formats.named(name)
    try:
        data = form.write(summary, title)
    except RougeError:
        return
    assert summary == form.read(data), (
        f"{name}: `write` does not refuse what `read` changes"
    )


@tabled
def test_what_a_format_cannot_hold_is_refused(
    name: str, units: list[bytes], message: str
) -> None:
    """A unit that would not read back is an error."""
    with pytest.raises(RougeError) as caught:
        formats.named(name).write(Summary(units), "x")

    assert message == str(caught.value)


def test_see_is_the_file_that_see_writes() -> None:
    """A SEE file has its title, and one numbered line per sentence."""
    assert (
        b"<html>\n<head><title>a &lt; b</title></head>\n<body>\n"
        b'<a name="1">[1]</a> <a href="#1" id=1>One.</a>\n'
        b'<a name="2">[2]</a> <a href="#2" id=2>Two.</a>\n'
        b"</body>\n</html>\n"
    ) == formats.named("see").write(Summary([b"One.", b"Two."]), "a <\nb")
