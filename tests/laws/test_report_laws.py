"""Laws of reports, for every registered kind of results and every registered format."""

import csv
import json
import math
import re
import tracemalloc
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import click
import command_tree
import pytest
from everyday import THOROUGH

from rouge_cli import plugins, reports
from rouge_cli.cli import output
from rouge_cli.core import Average, Counts, Estimate, EvalResult, Result, Score
from rouge_cli.errors import UsageError
from rouge_cli.results.base import dump
from rouge_cli.results.scores import Results
from rouge_cli.scoring.columns import Column
from tests.conftest import Program
from tests.laws.report_samples import LABEL, SAMPLES

KINDS = list(reports.KINDS)
FORMATS = reports.names()
RENDERED = [(kind, name) for kind in KINDS for name in reports.names_for(kind)]
HOSTILE = 'a|b&c\n\r\t\x1b[31m,;"_*\\%#{}$~^`<é> --'
LAYOUT = reports.Layout(columns=[(LABEL, letter) for letter in "RPF"])
# Only one result of this kind has the dict form: the toolkit prints one prediction at a
# time.
SINGLE = {"dict"}


def result_of(kind: str, name: str = "n", form: str = "") -> Any:  # noqa: ANN401 - of any kind
    """Return a result of the kind, with as many lines as the format takes."""
    result: Any = SAMPLES[kind][0](name)
    return result._replace(lines=result.lines[:1]) if form in SINGLE else result


def numbers(value: object) -> Iterator[float]:
    """Yield the numbers of a JSON value."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from numbers(inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def figures(kind: str, name: str = "text") -> list[str]:
    """Return the decimals in the cells and intervals of a format's tables of a kind,
    in order.
    """
    result = result_of(kind)
    for_papers = reports.is_for_papers(name, kind)
    tables = [result.paper(LAYOUT)] if for_papers else result.tables(LAYOUT)
    cells = [cell for table in tables for row in table.rows for cell in row.cells]
    return [
        figure for cell in cells for figure in decimals(f"{cell.value} {cell.interval}")
    ]


def decimals(text: str) -> list[str]:
    """Return the numbers with decimals in a text."""
    return re.findall(r"(?<![<\d.])[-+]?\d+\.\d{2,}", text)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_rendered(kind: str) -> None:
    """A kind of results has a sample and a name, and is rendered by text, json and a
    table at least.
    """
    assert result_of(kind).kind == kind
    assert {"text", "json", "jsonl", "csv", "tsv", "latex", "markdown"} <= set(
        reports.names_for(kind)
    )


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_renders_a_kind(name: str) -> None:
    """A format's need is met by some kind, its suffix is unique, and it is listed
    under its name.
    """
    assert any(reports.renders(name, kind) for kind in KINDS)
    module = plugins.module(reports.__name__, name)
    assert name == reports.of_file(f"report.{getattr(module, 'SUFFIX', name)}")
    assert name == reports.of_file(f"report.{name}")


@pytest.mark.parametrize(("kind", "name"), RENDERED)
def test_results_without_content_are_rendered(kind: str, name: str) -> None:
    """An empty result is rendered, and is refused only by a format for a single
    prediction.
    """
    if name in SINGLE:
        with pytest.raises(UsageError, match="one prediction"):
            reports.render(SAMPLES[kind][1], name, reports.Layout())
    else:
        assert isinstance(reports.render(SAMPLES[kind][1], name, reports.Layout()), str)


def per_eval(sizes: Sequence[int], name: str) -> Results:
    """Return a report of systems with these numbers of evals."""
    average = Average(*[Estimate(0.5, None, None)] * 3)
    results = [
        Result(f"{name}{place}", name, average, Column(
            EvalResult(f"{name}{number}", Counts(3, 7, number), Score(number / 7, math.nan, 1.0))
            for number in range(size)
        ))
        for place, size in enumerate(sizes)
    ]  # fmt: skip
    return Results(results, name, {"evals": "\0", "name": name})


@pytest.mark.parametrize("name", [HOSTILE, '"evals": "\0"', "\n  "])
@pytest.mark.parametrize("sizes", [[], [0], [1, 0, 2], [100, 101], [250, 250]])
def test_parts_of_a_report_are_the_whole(sizes: Sequence[int], name: str) -> None:
    """The parts of a json report with scores of evals are the document, written at
    once.
    """
    result = per_eval(sizes, name)
    layout = reports.Layout(per_eval=True)
    parts = list(reports.stream(result, "json", layout))

    assert dump(result.document(layout), result.indent) + "\n" == "".join(parts)
    assert len(parts) <= 1 or max(map(len, parts)) < 200 * (len(name) + 200)


SOME = (
    10_000 if THOROUGH else 5_000
)  # a part of a report takes 300 KB, however many there are


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_scores_of_evals_are_not_in_memory_together(form: str) -> None:
    """While a report of many evals is written, it takes little memory for each."""
    result, size = per_eval([SOME, SOME], "x"), 0
    tracemalloc.start()
    for part in reports.stream(result, form, reports.Layout(per_eval=True)):
        size += len(part)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert size > 300 * SOME
    assert peak < 150 * SOME


@pytest.mark.parametrize(("kind", "name"), RENDERED)
def test_hostile_names_are_escaped(kind: str, name: str) -> None:
    """A name cannot inject terminal codes, end a cell, a row or a comment, or be
    lost for machines.
    """
    result = result_of(kind, HOSTILE, name)
    rendered = reports.render(result, name, LAYOUT)
    if name in ("csv", "tsv"):
        delimiter = "," if name == "csv" else "\t"
        rows = list(csv.reader(StringIO(rendered, newline=""), delimiter=delimiter))
        assert len({len(row) for row in rows}) == 1
        if kind not in (
            "explanation",
            "dialects",
            "battery",
        ):  # which do not print file and system names
            assert any(cell.startswith(HOSTILE) for row in rows[1:] for cell in row)
    elif name not in ("rouge2", "classic"):  # which are as the originals print them
        assert re.search(r"[^\n -~é]", rendered) is None
    if name == "markdown":
        for block in re.findall(r"(?:^\|.*\n)+", rendered, re.MULTILINE):
            assert (
                len(
                    {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
                )
                == 1
            )
    if name == "latex":
        tables = re.findall(
            r"\\begin\{tabular\}\{(?:@\{\})?(\w+)(?:@\{\})?\}(.*?)\\end",
            rendered,
            re.DOTALL,
        )
        assert len(tables) == rendered.count(r"\begin{tabular}") > 0
        for table in tables:
            bodies = [line for line in table[1].splitlines() if line.endswith(r"\\")]
            widths = {len(re.findall(r"(?<!\\)&", line)) for line in bodies}
            assert widths == {len(table[0]) - 1}
            assert not re.search(
                r"(?<!\\)[#%_]|(?<!\\)\$(?!-\$|\\)", "".join(bodies).replace("$-$", "")
            )


def undefined(value: Any) -> Any:  # noqa: ANN401 - of any record
    """Return the record with every score in it undefined."""
    if isinstance(value, dict):
        return {name: undefined(inner) for name, inner in value.items()}
    if isinstance(value, list) or type(value) is tuple:
        return type(value)(map(undefined, value))
    if hasattr(value, "_replace"):
        return value._replace(
            **{name: undefined(getattr(value, name)) for name in value._asdict()}
        )
    return float("nan") if isinstance(value, float) else value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "tsv"])
def test_undefined_scores_are_null_or_empty(kind: str, name: str) -> None:
    """A number that is not finite is null in json and jsonl, and an empty cell in
    csv and tsv.
    """
    result = undefined(result_of(kind))
    rendered = reports.render(result, name, LAYOUT)

    assert result != result_of(kind)
    assert not re.search("nan", rendered, re.IGNORECASE)


@pytest.mark.parametrize("kind", KINDS)
def test_tables_hold_the_same_figures(kind: str) -> None:
    """Formats of the same tables print the same numbers in the same order; text may
    have words instead.
    """
    prose = hasattr(result_of(kind), "prose")
    for name in reports.names_for(kind):
        if reports.is_table(name):
            expected = figures(kind, name)
            assert expected
            rendered = reports.render(result_of(kind), name, LAYOUT).replace("$-$", "-")
            printed = decimals(rendered)
            if prose and name == "text":
                assert set(expected) <= set(printed)
            else:
                places = iter(printed)
                assert all(figure in places for figure in expected), (
                    name,
                    expected,
                    printed,
                )


@pytest.mark.parametrize("kind", KINDS)
def test_tables_have_rounded_numbers_of_json(kind: str) -> None:
    """Each number of a table is a rounded number of the document; a battery shows
    differences to 1.
    """
    exact = list(numbers(json.loads(reports.render(result_of(kind), "json", LAYOUT))))
    if kind == "battery":
        exact = [value - 1 for value in exact]
    for figure in {*figures(kind), *figures(kind, "latex"), *figures(kind, "markdown")}:
        half = 0.500001 * 10 ** -len(figure.partition(".")[2])
        assert any(abs(float(figure) - value) <= half for value in exact), figure


@pytest.mark.parametrize("kind", KINDS)
def test_machines_read_the_same_numbers(kind: str) -> None:
    """JSON reads back exactly; jsonl has the same numbers, csv and tsv no others."""
    result = result_of(kind)
    document = json.loads(reports.render(result, "json", LAYOUT))
    assert json.loads(json.dumps(result.document(LAYOUT), allow_nan=False)) == document
    exact = set(numbers(document))
    lines = [
        json.loads(line)
        for line in reports.render(result, "jsonl", LAYOUT).splitlines()
    ]
    assert exact == set(numbers(lines))
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        table = csv.reader(
            StringIO(reports.render(result, name, LAYOUT), newline=""),
            delimiter=delimiter,
        )
        cells = [cell for row in table for cell in row]
        floats = [
            float(cell)
            for cell in cells
            if re.fullmatch(r"-?\d+(\.\d+)?([eE]-?\d+)?", cell)
        ]
        assert set(floats) <= exact, name


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (kind, name)
        for kind in KINDS
        for name in FORMATS
        if (kind, name) not in RENDERED
    ],
)
def test_unsupported_formats_are_refused(kind: str, name: str) -> None:
    """An unsupported format is refused with the supported ones."""
    with pytest.raises(UsageError) as caught:
        output.chosen_format(kind, name, None)
    assert (
        f"report format {name!r} does not render results of this kind ({kind})"
        in str(caught.value)
    )
    assert f"use one of {', '.join(reports.names_for(kind))}" in str(caught.value)


@pytest.mark.parametrize(
    "words",
    ["compare x", "correlate x y", "audit x", "explain x y", "explain x y --dialects", "timeline -p x -r y",
     "timeline battery .", "rouge2 .", "identify x"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["classic", "nosuch"])
def test_commands_refuse_in_one_message(words: str, name: str, here: Program) -> None:
    """Every command refuses an unsupported or unknown format before it reads
    anything.
    """
    status, stdout, stderr = here(*words.split(), "--format", name)

    assert (2, b"") == (status, stdout)
    assert stderr.startswith(
        ("rouge-cli: report format 'classic' does", "rouge-cli: unknown report format")
    )
    assert stderr.count("\n") == 1


def test_a_new_format_reaches_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new module in the folder is a format of each suitable kind, by name, suffix
    and help.
    """
    (tmp_path / "aloud.py").write_text(
        '"""Words aloud."""\nNEEDS = "notes"\nSUFFIX = "loud"\n'
        'def render(result, layout):\n    return f"{layout.digits} loud\\n"\n'
    )
    monkeypatch.setattr(reports, "__path__", [*reports.__path__, str(tmp_path)])
    for kind in KINDS:
        assert output.chosen_format(kind, "aloud", None) == "aloud"
        assert output.chosen_format(kind, None, "x.loud") == "aloud"
        assert reports.render(result_of(kind), "aloud", LAYOUT) == "5 loud\n"
        option = output.FormatOption(["--format"], result=kind)
        context = click.Context(click.Command("c"))
        assert "aloud" in (option.get_help_record(context) or ("", ""))[1]
        assert [item.value for item in option.shell_complete(context, "al")] == [
            "aloud"
        ]


def test_every_command_with_a_format_names_its_kind() -> None:
    """The option --format of a command lists the formats of its kind of results."""
    kinds = {
        param.result
        for _, command in command_tree.commands()
        for param in command.params
        if isinstance(param, output.FormatOption)
    }
    # `explain --dialects` has the formats of `dialects`.
    assert [] == [kind for kind in KINDS if kind not in {*kinds, "dialects"}]
    assert [] == [kind for kind in kinds if kind not in KINDS]
