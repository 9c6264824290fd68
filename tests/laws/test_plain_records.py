"""The compiled reader of plain lines of jsonl compared with Python's own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rouge_cli import native
from rouge_cli.core import Document, EvalTask
from rouge_cli.errors import RougeError
from rouge_cli.tasks.kinds.jsonl import JsonLine

_compiled = native.extension()
if _compiled is None:
    pytest.skip("nothing was compiled", allow_module_level=True)

NAMES = ["a", "b", "id", "\u00e9", 'x"y']
_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_records = st.dictionaries(st.sampled_from(NAMES) | _texts, _texts, max_size=6)


@st.composite
def _lines(draw: st.DrawFn) -> tuple[dict[str, str], str]:
    """Generate a record of strings, and a line of it."""
    record = {**draw(_records), "a": draw(_texts), "b": draw(_texts)}
    gap = draw(st.sampled_from(["", " ", "\t"]))
    separators = (f"{gap},{gap}", f"{gap}:{gap}")
    line = json.dumps(record, ensure_ascii=draw(st.booleans()), separators=separators)
    return record, line + draw(st.sampled_from(["", " ", "\r"]))


def _read(line: bytes) -> tuple[list[bytes] | None, Any]:
    """Return what the compiled reader makes of a line, and what Python's does."""
    assert _compiled
    parsed = JsonLine(1, line, "f").record
    task = _compiled.PlainRecords(["b", "a"], "system", Document, EvalTask).task(1, line, "f")
    if task is None:
        return None, parsed
    assert task[:1] + task[3:] == ("1", "spl", "f:1")
    (peer,), ((model_id, model),) = task.peers.items(), task.models
    assert (peer[0], model_id) == ("system", "1")
    return [source.data for source in (peer[1], model) if isinstance(source, Document)], parsed


@given(_lines())
def test_plain_lines_are_read(drawn: tuple[dict[str, str], str]) -> None:
    """The compiled reader reads every record of strings unless surrogates are escaped in it."""
    record, line = drawn
    values, parsed = _read(line.encode())

    assert record == parsed
    if "\\ud" not in line:
        assert values == [record["b"].encode(), record["a"].encode()]


@given(_lines(), st.data())
@example(({}, '{"a": "x", "b": "y", "b": "z"}'), None)
@example(({}, '{"a": "x", "b": "y", "c": "z", "\\u0063": "z"}'), None)
@example(({}, '{"a": "x", "b": "\\ud83d"}'), None)
@example(({}, '{"a": "x", "b": "y",}'), None)
@example(({}, '{"a": "x", "b": "y"} {}'), None)
@example(({}, '{"a": "x", "b": NaN}'), None)
@example(({}, '{"a": "x\ty", "b": "y"}'), None)
@example(({}, '{"a": "x", "b": "\\u+123"}'), None)
def test_no_damaged_line_is_read_otherwise(
    drawn: tuple[dict[str, str], str], data: st.DataObject | None
) -> None:
    """Whatever the compiled reader reads of a damaged line, Python reads the same."""
    _, line = drawn
    if data is not None:
        at = data.draw(st.integers(0, len(line)))
        size = data.draw(st.integers(0, 3))
        line = line[:at] + data.draw(st.text('{}[]",:\\uend0 1\x00\x1f', max_size=3)) + line[at + size :]
    values, parsed = _read(line.encode())

    if values is not None:
        assert not isinstance(parsed, RougeError)
        assert set(map(type, parsed.values())) == {str}
        assert values == [parsed["b"].encode(), parsed["a"].encode()]
