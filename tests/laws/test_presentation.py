"""Laws of results in Python, for every registered kind and every registered format."""

from __future__ import annotations

import copy
import pickle
import re
from html.parser import HTMLParser
from typing import Any

import pytest

import rouge_cli
from rouge_cli import plugins, reports
from rouge_cli.errors import UsageError
from rouge_cli.reports import Layout
from tests.laws.report_samples import LABEL, SAMPLES

KINDS = plugins.names(reports.KINDS)
NAMED = set(reports.names())
RENDERED = [(kind, form) for kind in KINDS for form in reports.names_for(kind) if form in NAMED]
HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>\x1b[31m\u202e\x00"

COUNTS = ("evals", "model", "peer", "match", "points", "systems", "rank", "models")


class Tags(HTMLParser):
    """Collect the tags of a page, and record whether any has an attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


def result_of(kind: str, name: str = "n") -> Any:  # noqa: ANN401 - of any kind
    return SAMPLES[kind][0](name)


@pytest.mark.parametrize(("kind", "form"), RENDERED)
def test_every_result_has_a_method_for_each_of_its_formats(kind: str, form: str) -> None:
    """`to_FORMAT` returns what the format renders, and is listed for completion."""
    result = result_of(kind)
    result = result._replace(lines=result.lines[:1]) if form == "dict" else result
    layout = Layout(columns=[(LABEL, "F")], ranks=True, digits=3)

    assert reports.render(result, form, layout) == getattr(result, f"to_{form}")(
        columns=[(LABEL, "F")], ranks=True, digits=3, scale=1
    )
    assert f"to_{form}" in dir(result)


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_has_no_method_for_other_formats(kind: str) -> None:
    """A format that the kind lacks is an AttributeError, which `hasattr` and copying require."""
    result = result_of(kind)
    others = (NAMED | {"nothing", "score_only"}) - {form for name, form in RENDERED if name == kind}

    assert [] == [form for form in others - {"dict"} if hasattr(result, f"to_{form}")]
    assert repr(result) == repr(copy.deepcopy(result)) == repr(pickle.loads(pickle.dumps(result)))  # noqa: S301


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [0, 1])
def test_a_repr_fits_a_screen(kind: str, place: int) -> None:
    """For any content, a result's repr has a few lines of 80 columns, without a text's control codes."""
    sample = SAMPLES[kind][place]
    result: Any = sample(HOSTILE * 10_000) if callable(sample) else sample

    assert len(repr(result)) < 8 * 80
    assert repr(result).isprintable()
    assert repr(result).startswith(f"{type(result).__name__}(")


@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_shows_texts_as_texts(kind: str) -> None:
    """`_repr_html_` has tables without a tag or an attribute from a text."""
    page = Tags()
    html = result_of(kind, HOSTILE)._repr_html_()
    page.feed(html)

    assert page.tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "b", "small", "p"}
    assert "table" in page.tags
    assert not page.attributes
    assert not re.search("[\x00\x1b\u202e]", html)


def test_a_notebook_shows_the_first_rows_only() -> None:
    """A table of many systems is truncated, with a note."""
    result = result_of("scores")
    systems = [result.results[0]._replace(peer_id=str(place)) for place in range(1000)]
    html = result._replace(results=systems)._repr_html_()

    assert html.count("<tr>") == 21
    assert "... and 980 more" in html


@pytest.mark.parametrize("kind", KINDS)
def test_every_result_is_a_data_frame(kind: str) -> None:
    """`to_pandas` has rows."""
    pytest.importorskip("pandas")

    assert len(result_of(kind).to_pandas())


@pytest.mark.parametrize("kind", KINDS)
def test_counts_in_a_data_frame_are_integers(kind: str) -> None:
    """Counts have an integer dtype in `to_pandas`, also if some rows of a table have none."""
    pd = pytest.importorskip("pandas")
    frame = result_of(kind).to_pandas()
    counts = [
        name
        for name in COUNTS
        if name in frame and all(float(value).is_integer() for value in frame[name].dropna())
    ]

    assert [] == [name for name in counts if not pd.api.types.is_integer_dtype(frame[name])]


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_columns_are_those_of_the_report(form: str) -> None:
    """A column that a report does not have is named with the nearest; without columns, names are left."""
    scores = rouge_cli.score({"a": ["x y"], "b": ["x"]}, ["x y"], "ROUGE-1", samples=0)
    render = getattr(scores, f"to_{form}")

    assert "system" in render(columns=[])
    with pytest.raises(UsageError, match="no ROUGE-2 among the scores; did you mean ROUGE-1"):
        render(columns=[("ROUGE-2", "F")])
    with pytest.raises(UsageError, match="no figure 'f'; use one of R, P, F"):
        render(columns=[("ROUGE-1", "f")])
