"""Laws of results in Python, for every registered kind and every registered format."""

import copy
import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pages import Tags

import rouge_cli
from rouge_cli import reports
from rouge_cli.errors import UsageError
from rouge_cli.reports import Layout
from rouge_cli.results.scores import Results
from tests.conftest import Program
from tests.laws.report_samples import LABEL, SAMPLES

KINDS = list(reports.KINDS)
NAMED = set(reports.names())
RENDERED = [
    (kind, form) for kind in KINDS for form in reports.names_for(kind) if form in NAMED
]
HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>\x1b[31m\u202e\x00"

# Systems with more pairs, and texts with more matches, than are listed.
SYSTEMS = {name: [f"x y {name}", f"z {name} v"] for name in "abcduvwx"}
REFERENCES = ["x y z", "u v w"]
HYPS = " ".join(f"--hyp {name}.txt" for name in SYSTEMS)
WORDS = " ".join(map(str, range(30)))
HUMAN = [
    {"system": system, "eval": str(place + 1), "score": (ord(system) * 7 + place) % 5}
    for system in SYSTEMS
    for place in range(2)
]


def scored(**options: Any) -> Results:  # noqa: ANN401 - of `score`
    """Return the scores of the systems."""
    return rouge_cli.score(SYSTEMS, REFERENCES, ["ROUGE-1", "ROUGE-L"], **options)


# Command -> its words, the kind of its result, and the same call in Python.
CALLS: dict[str, tuple[str, str, Callable[[], Any]]] = {
    "score": (
        f"score {HYPS} --ref ref.txt -m ROUGE-1,ROUGE-L --samples 20", "scores",
        lambda: scored(samples=20),
    ),
    "compare": ("compare s.json", "comparison", lambda: rouge_cli.compare(scored(samples=0))),
    "plan": ("plan s.json --trials 20", "plan", lambda: rouge_cli.plan(scored(samples=0), trials=20)),
    "correlate": (
        "correlate s.json h.jsonl --samples 20", "correlation",
        lambda: rouge_cli.correlate(scored(samples=0), "h.jsonl", samples=20),
    ),
    "sweep": (
        "sweep s.json --human h.jsonl --trials 20", "sweep",
        lambda: rouge_cli.sweep(scored(samples=0), human="h.jsonl", trials=20),
    ),
    "explain": (
        "explain --pred system.txt --ref reference.txt --eval 1 --system system -m ROUGE-1", "explanation",
        # Texts in Python are of no eval; the command's are of the eval that it names.
        lambda: replace(rouge_cli.explain(WORDS, f"{WORDS} more", "ROUGE-1"), eval_id="1"),
    ),
}  # fmt: skip
# Options of the layout, as typed and as passed.
TYPED: dict[str, dict[str, Any]] = {
    "": {},
    "--digits 2": {"digits": 2},
    "--scale 100": {"scale": 100},
    "--scale 1": {"scale": 1},
    "--per-eval": {"per_eval": True},
    "--ranks": {"ranks": True},
    "--intervals": {"intervals": True},
    "--scale 100 --digits 0": {"scale": 100, "digits": 0},
    "--intervals --ranks --scale 1": {"intervals": True, "ranks": True, "scale": 1},
    "--all": {"most": None},
}
COUNTS = (
    "evals",
    "reference",
    "prediction",
    "match",
    "points",
    "systems",
    "rank",
    "references",
)


def result_of(kind: str, name: str = "n") -> Any:  # noqa: ANN401 - of any kind
    return SAMPLES[kind][0](name)


@pytest.mark.parametrize(("kind", "form"), RENDERED)
def test_every_result_has_a_method_for_each_of_its_formats(
    kind: str, form: str
) -> None:
    """`to_FORMAT` returns what the format renders, and is listed for completion."""
    result = result_of(kind)
    result = result._replace(lines=result.lines[:1]) if form == "dict" else result
    layout = Layout(columns=[(LABEL, "F")], ranks=True, digits=3)

    assert hasattr(result, f"to_{form}"), (
        f"{form}: {type(result).__name__} has no method `to_{form}`; add it to"
        " Presentable in rouge_cli/results/base.py, or to the class of what it renders"
    )
    assert reports.render(result, form, layout) == getattr(result, f"to_{form}")(
        columns=[(LABEL, "F")], ranks=True, digits=3, scale=1, per_eval=False
    )
    assert f"to_{form}" in dir(result)


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_has_no_method_for_other_formats(kind: str) -> None:
    """A format that the kind lacks is an AttributeError, which `hasattr` and copying
    require.
    """
    result = result_of(kind)
    others = (NAMED | {"nothing", "score_only"}) - {
        form for name, form in RENDERED if name == kind
    }

    assert [] == [form for form in others - {"dict"} if hasattr(result, f"to_{form}")]
    assert (
        repr(result)
        == repr(copy.deepcopy(result))
        == repr(pickle.loads(pickle.dumps(result)))  # noqa: S301
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [0, 1])
def test_a_repr_fits_a_screen(kind: str, place: int) -> None:
    """For any content, a result's repr has a few lines of 80 columns, without a
    text's control codes.
    """
    sample = SAMPLES[kind][place]
    result: Any = sample(HOSTILE * 10_000) if callable(sample) else sample

    assert len(repr(result)) < 8 * 80
    assert repr(result).isprintable()
    assert repr(result).startswith(f"{type(result).__name__}(")


@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_shows_texts_as_texts(kind: str) -> None:
    """`_repr_html_` has tables, or texts with marked words, without a tag or an
    attribute from a text.
    """
    html = result_of(kind, HOSTILE)._repr_html_()
    page = Tags(html)
    marked = {"br", "dd", "dl", "dt", "h4", "mark", "s", "u"}

    assert {*page.tags} <= {
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "b",
        "small",
        "p",
        *(marked if kind == "explanation" else ()),
    }
    assert {"table", "dl"} & {*page.tags}
    # The looks of marks are the same for every text
    looks = Tags(result_of(kind, "plain")._repr_html_()).attributes
    assert {*page.attributes} <= {*looks}
    assert {name for name, _ in looks} <= {"style"}
    assert not looks or kind == "explanation"
    assert not re.search("[\x00\x1b\u202e]", html)


def test_a_notebook_shows_the_first_rows_only() -> None:
    """A table of many systems is truncated, with a note."""
    result = result_of("scores")
    systems = [result.results[0]._replace(system=str(place)) for place in range(1000)]
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
    """Counts have an integer dtype in `to_pandas`, also if some rows of a table have
    none.
    """
    pd = pytest.importorskip("pandas")
    frame = result_of(kind).to_pandas()
    counts = [
        name
        for name in COUNTS
        if name in frame
        and all(
            str(value).removesuffix(".0").isdigit() for value in frame[name].dropna()
        )
    ]

    assert [] == [
        name for name in counts if not pd.api.types.is_integer_dtype(frame[name])
    ]


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_columns_are_those_of_the_report(form: str) -> None:
    """A column that a report does not have is named with the nearest; without
    columns, names are left.
    """
    scores = rouge_cli.score({"a": ["x y"], "b": ["x"]}, ["x y"], "ROUGE-1", samples=0)
    render = getattr(scores, f"to_{form}")

    assert "system" in render(columns=[])
    with pytest.raises(
        UsageError, match="no ROUGE-2 among the scores; did you mean ROUGE-1"
    ):
        render(columns=[("ROUGE-2", "F")])
    with pytest.raises(UsageError, match="unknown measure 'f'; use one of R, P, F"):
        render(columns=[("ROUGE-1", "f")])


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
@pytest.mark.parametrize("command", CALLS)
def test_a_command_prints_what_python_returns(
    command: str, here: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over every format and option of the layout, stdout equals `to_FORMAT` of the
    same call.
    """
    pytest.importorskip("scipy")
    monkeypatch.chdir(tmp_path)
    texts = {
        **SYSTEMS,
        "ref": REFERENCES,
        "system": [WORDS],
        "reference": [f"{WORDS} more"],
    }
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "h.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in HUMAN))
    (tmp_path / "s.json").write_text(scored(samples=0).to_json(per_eval=True))
    words, kind, call = CALLS[command]
    result, refused = call(), set()
    for form in [name for kind_, name in RENDERED if kind_ == kind]:
        for typed, passed in TYPED.items():
            status, stdout, stderr = here(
                *words.split(), "--format", form, *typed.split()
            )
            # Refused, since it has no effect on the format or is another command's
            if status == 2:
                assert typed, stderr
                refused.add((form, typed))
                continue
            assert (form, typed, result.to(form, **passed)) == (
                form,
                typed,
                stdout.decode(),
            )
    assert not {("text", ""), ("latex", "")} & refused
