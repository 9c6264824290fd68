"""Signatures are the whole set-up: equal signatures mean equal numbers on equal
bytes.
"""

import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rouge_cli
from rouge_cli import dialects, plugins
from rouge_cli.cli.commands import merge
from rouge_cli.cli.main import group
from rouge_cli.core import Notice, Report
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.runs import parts
from rouge_cli.runs.evaluation import Collected
from rouge_cli.tasks import directories

WORDS = ("dog", "cat", "bird")
PREDICTIONS = [
    f"the {WORDS[n % 3]} sat on mat {n % 5}\nit saw"
    f" {'x ' * (n % 4)}caf\N{LATIN SMALL LETTER E WITH ACUTE}"
    for n in range(12)
]
REFERENCES = [
    f"a {WORDS[n % 2]} sat on mat {n % 7}\nit saw {'x ' * (n % 3)}one caf"
    for n in range(12)
]
# IDs in numeric order, in input order, in reverse order, and in none of these.
IDS = {
    "numbers": [str(number) for number in range(1, 13)],
    "padded": [f"{number:02}" for number in range(1, 13)],
    "reversed": [str(number) for number in range(12, 0, -1)],
    "odd_last": [f"{number % 2}.{number:02}" for number in range(1, 13)],
    "within_each_other": ["1" + ".1" * (number * 5 % 12) for number in range(12)],
}
NUMBERED = ("numbers", "reversed")  # whose IDs are 1 to 12, in any order
SEE = '<html>\n<body>\n<a name="1">[1]</a> <a href="#1" id=1>{}</a>\n</body>\n</html>\n'


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the same texts as records under every kind of ID, and as files."""
    monkeypatch.chdir(tmp_path)
    columns = ("peer", "model", "id", "other")
    for (name, ids), other in zip(IDS.items(), reversed(IDS.values()), strict=True):
        rows = [
            dict(zip(columns, row, strict=True))
            for row in zip(PREDICTIONS, REFERENCES, ids, other, strict=True)
        ]
        Path(f"{name}.jsonl").write_text(
            "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        )
    for name, texts in (("peers", PREDICTIONS), ("models", REFERENCES)):
        Path(name).mkdir()
        for number, text in enumerate(texts, 1):
            Path(name, f"{number}.txt").write_text(SEE.format(text), "utf-8")
    Path("run.list").write_text(
        "".join(f"peers/{n}.txt models/{n}.txt\n" for n in range(1, 13))
    )


def scored(*words: str) -> tuple[str, Any]:
    """Return the signature and the numbers of `rouge-cli score`."""
    result = CliRunner().invoke(group, ["score", *words, "--format", "json", "--quiet"])
    assert not result.exit_code, result.output
    report = json.loads(result.stdout)
    return report["signature"], [list(row["f"].values()) for row in report["results"]]


def of_python(report: Report) -> tuple[str, Any]:
    """Return the signature and the numbers of a report in Python."""
    return report.signature, [list(result.average.f) for result in report.results]  # type: ignore[union-attr]


def is_read(read_as: str) -> bool:
    """Return False for a format that does not read these texts, or has dates or
    elements.
    """
    module = plugins.module("rouge_cli.formats", read_as)
    try:
        module.read(Path("peers", "1.txt").read_bytes())
    except RougeError:
        return False
    return read_as != "simple" and not hasattr(module, "HAS_DATES")


def in_order_of_ids(ids: list[str]) -> str:
    """Return the numbers of the texts in ascending order of their IDs: 1, 2, ... as
    numbers, others as strings.

    IDs name the texts: texts whose IDs were exchanged are another input, and the same
    rows in another order are the same input.
    """
    is_numbered = {*ids} == {*IDS["numbers"]}
    ascending = sorted(ids, key=int) if is_numbered else sorted(ids)
    return " ".join(str(ids.index(eval_id)) for eval_id in ascending)


def runs() -> Iterator[tuple[str, str, Any]]:
    """Yield every way to score the same input: its texts, signature and numbers."""
    readings = [
        ("--read-as", read_as, "--encoding", encoding)
        for read_as, encoding in product(
            plugins.names("rouge_cli.formats"), ("utf-8", "latin-1")
        )
        if is_read(read_as)
    ]
    for dialect, samples in product(("rouge155", "google"), ("0", "200")):
        how = ("--samples", samples, "--dialect", dialect, "--tokenizer", "unicode")
        named: Any = {
            "samples": int(samples),
            "dialect": dialect,
            "tokenizer": "unicode",
            "notify": print,
        }
        for (name, ids), other in zip(IDS.items(), reversed(IDS.values()), strict=True):
            named_by = ("--id-column", "other")
            texts, renamed = in_order_of_ids(ids), in_order_of_ids(other)
            yield texts, *scored(f"{name}.jsonl", *how)
            yield renamed, *scored(f"{name}.jsonl", *named_by, *how)
            yield texts, *scored(f"{name}.jsonl", "--encoding", "latin-1", *how)
            report = rouge_cli.score(PREDICTIONS, REFERENCES, ids=ids, **named)
            yield texts, *of_python(report)
        for read_as in ("spl", "see", "isi"):
            report = rouge_cli.score(PREDICTIONS, REFERENCES, read_as=read_as, **named)
            yield in_order_of_ids(IDS["numbers"]), *of_python(report)
            tasks = directories.read("peers", "models", read_as, notify=print)
            yield "folders", *of_python(rouge_cli.evaluate(tasks, **named))
            yield "folders", *of_python(rouge_cli.evaluate(iter(tasks), **named))
        for reading in readings:
            yield (
                "folders",
                *scored("--pred", "peers", "--ref", "models", *reading, *how),
            )
            yield "list", *scored("run.list", *reading, *how)


def test_equal_signatures_mean_equal_numbers() -> None:
    """Over inputs, formats, encodings, IDs, samples and dialects no signature has
    two sets of numbers.
    """
    numbers: dict[tuple[str, str], Any] = {}
    for bytes_, signature, result in runs():
        assert result == numbers.setdefault((bytes_, signature), result), (
            bytes_,
            signature,
        )
    assert len({str(result) for result in numbers.values()}) > 12  # the cases differ


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("samples", [0, 200])
def test_python_and_the_command_agree(name: str, samples: int) -> None:
    """With the same IDs both give the same numbers under the same signature,
    resampled or not.
    """
    report = rouge_cli.score(PREDICTIONS, REFERENCES, ids=IDS[name], samples=samples)

    assert scored(f"{name}.jsonl", "--samples", str(samples)) == of_python(report)


@pytest.mark.parametrize("read_as", ["see", "spl"])
def test_a_signature_repeats_how_texts_were_read(read_as: str) -> None:
    """`--like` and `like=` read texts as the signature states, in its encoding, also
    in parts.
    """
    folders_ = ("--pred", "peers", "--ref", "models")
    first = scored(
        *folders_, "--read-as", read_as, "--encoding", "latin-1", "--samples", "9"
    )
    words = ["score", *folders_, "--like", f"signature: {first[0]}"]
    assert not CliRunner().invoke(group, [*words, "--counts", "-o", "part"]).exit_code
    head = json.loads(Path("part").read_text().partition("\n")[0])
    options = {**head["options"], "metrics": tuple(head["options"]["metrics"])}
    part = parts.Parts(head["dialect"], options, Collected({}, 0, (), {}), "1")
    merged = merge._run(part, "part", None)  # noqa: SLF001
    texts = [
        [Path(name, f"{n}.txt").read_text() for n in range(1, 13)]
        for name in ("peers", "models")
    ]
    report = rouge_cli.score(
        *texts, like=f"read_as:{read_as}|dialect:rouge155", samples=0, notify=print
    )

    assert first == scored(*words[1:])
    assert merged.reading == {
        **({"read_as": "see"} if read_as == "see" else {}),
        "encoding": "iso8859-1",
    }
    assert ("|read_as:see|" in report.signature) == (read_as == "see")


def test_facts_that_do_not_fit_are_named() -> None:
    """Another version, number of evals or models, order, format or encoding causes a
    notice.
    """
    signed = rouge_cli.score(
        PREDICTIONS,
        REFERENCES,
        ids=IDS["odd_last"],
        read_as="see",
        samples=9,
        notify=print,
    ).signature
    old = signed.replace(f"version:{rouge_cli.__version__}", "version:0.0.7").replace(
        "references:1", "references:3"
    )
    tasks = directories.read("peers", "models", "spl", notify=print)[:5]
    notices: list[str] = []

    def hear(notice: Notice) -> None:
        notices.append(notice.message)

    rouge_cli.evaluate(tasks, like=old, notify=hear)
    command = CliRunner().invoke(group, ["score", "numbers.jsonl", "--like", old])

    for text in (notices[-1], command.stderr):
        for name in (
            "read_as spl, not see",
            "draws ",
            "references 1, not 3",
            "version ",
            "not 0.0.7",
        ):
            assert name in text
    assert "evals 5, not 12" in notices[-1]
    notices.clear()
    rouge_cli.score(
        PREDICTIONS, REFERENCES, ids=IDS["odd_last"], like=signed, notify=hear
    )
    assert not [notice for notice in notices if "signature" in notice]


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("dialect", ["rouge155", "google", "rouge2", "pltrdy"])
def test_rows_in_another_order(name: str, dialect: str) -> None:
    """Rows in another order have the same numbers; so they have the same signature,
    too, unless the dialect draws in the order of the input, whose signature states it.
    """
    how: tuple[str, ...] = ("--dialect", dialect)
    if dialect != "pltrdy":
        how = (*how, "--samples", "200")
    rows = Path(f"{name}.jsonl").read_text().splitlines(keepends=True)
    orders = [rows, rows[::-1], rows[1::2] + rows[::2], rows[5:] + rows[:5]]
    results = []
    for order in orders:
        Path("rows.jsonl").write_text("".join(order))
        results.append(scored("rows.jsonl", *how))
    first_signature, first_numbers = results[0]

    for signature, numbers in results:
        if not dialects.named(dialect).draws_by_id and dialect != "pltrdy":
            assert signature != first_signature or numbers == first_numbers
        else:
            assert signature == first_signature
            assert numbers == first_numbers
    if dialect == "rouge155":
        is_stated = "|draws:" in first_signature
        assert is_stated == (name not in NUMBERED)


@pytest.mark.parametrize("dialect", ["rouge155", "google", "rouge2"])
def test_the_order_of_files_matters_to_no_number_without_being_stated(
    dialect: str,
) -> None:
    """The same two files in another order have the same numbers, or another
    signature.
    """
    lines = Path("numbers.jsonl").read_text().splitlines(keepends=True)
    Path("backwards.jsonl").write_text("".join(reversed(lines)))
    files, how = (
        ["numbers.jsonl", "backwards.jsonl"],
        ("--dialect", dialect, "--samples", "50"),
    )
    first, second = scored(*files, *how), scored(*reversed(files), *how)

    assert first[0] != second[0] or sorted(first[1]) == sorted(second[1])


def test_a_signature_states_the_code_of_a_tokenizer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A tokenizer of the user's that was edited has another signature, and `--like`
    refuses the old one.
    """
    monkeypatch.syspath_prepend(".")
    words = ("numbers.jsonl", "-m", "R1", "--tokenizer", "edited_law:words")
    reports = {}
    for body in ("text.split()", "list(text)"):
        Path("edited_law.py").write_text(f"def words(text):\n    return {body}\n")
        monkeypatch.delitem(sys.modules, "edited_law", raising=False)
        importlib.invalidate_caches()
        shutil.rmtree("__pycache__", ignore_errors=True)
        reports[body] = scored(*words)
    old, new = reports.values()
    again = CliRunner().invoke(group, ["score", *words, "--like", old[0]])

    assert old[1] != new[1]
    assert old[0] != new[0]
    assert again.exit_code
    assert new == scored(*words, "--like", new[0])
    assert "as in the signature" in str(again.exception or again.output)


def test_like_in_python() -> None:
    """`like=` sets dialect, metrics and options unless they are named too, also for
    rows.
    """
    signed = rouge_cli.score(
        PREDICTIONS, REFERENCES, "rouge2", dialect="google", stemmer="nltk", samples=9
    ).signature
    again = rouge_cli.score(PREDICTIONS, REFERENCES, like=f"signature: {signed}")
    other = rouge_cli.score(PREDICTIONS, REFERENCES, "rouge1", like=signed, seed=3)
    rows = rouge_cli.score_rows(PREDICTIONS[:2], REFERENCES[:2], like=signed)

    assert signed == again.signature
    assert "|metrics:rouge1|stemmer:nltk|" in other.signature
    assert "|seed:3|" in other.signature
    assert ["rouge2.recall", "rouge2.precision", "rouge2.f"] == list(rows[0])
    for wrong in ("hello", 5):
        with pytest.raises(UsageError, match="not a signature"):
            rouge_cli.score(PREDICTIONS, REFERENCES, like=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("ids", [["a"], ["a"] * 12])
def test_ids_are_one_for_each_eval(ids: list[str]) -> None:
    """Too few IDs, or an ID of two evals, are refused."""
    with pytest.raises(UsageError, match=r"different numbers|duplicate ID"):
        rouge_cli.score(PREDICTIONS, REFERENCES, ids=ids)
