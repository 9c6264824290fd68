"""The statements of the project's own documents are true."""

import ast
import bz2
import json
import re
import subprocess
import sys
from functools import cache

import case_files
import case_tables
import pages
import pytest

import rouge_cli
from rouge_cli import dialects, errors, plugins, signature
from rouge_cli.cli import streams
from rouge_cli.cli.rouge155 import LONGEST_NGRAM, MOST_SAMPLES, help_text
from rouge_cli.dialects.rouge155 import options as rouge155
from rouge_cli.studies import plots
from rouge_cli.text import normalization, survey
from tests.conftest import ROOT, Program

QUIRKS = (ROOT / "compat" / "QUIRKS.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
TABLES = sorted((ROOT / "tests").rglob("tables.txt"))


@cache
def every_test() -> list[tuple[str, ast.FunctionDef]]:
    """Yield every test function, with its place."""
    return [
        (f"{path.relative_to(ROOT)}::{node.name}", node)
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def test_every_test_says_what_it_protects() -> None:
    """Each test has a docstring of one sentence: the truth that it protects."""
    silent = [
        name
        for name, node in every_test()
        if not (ast.get_docstring(node) or "").endswith((".", ")."))
    ]

    assert [] == silent


def test_every_table_has_its_test() -> None:
    """Each table of cases is read by a test of its folder."""
    tests = {
        (name.rpartition("/")[0], node.name)
        for name, node in every_test()
        if node.decorator_list
    }
    tables = {
        (str(path.parent.relative_to(ROOT)), name)
        for path in TABLES
        for name in case_tables.tables(path.parent)
    }

    assert tables
    assert tables <= tests


def test_every_quirk_cited_is_listed() -> None:
    """A QUIRKS number in the code has an entry, numbers count up from 1, and none is
    repeated.
    """
    listed = [
        int(number) for number in re.findall(r"^\*\*(\d+)\. ", QUIRKS, re.MULTILINE)
    ]
    cited = {
        int(number)
        for path in [
            *(ROOT / "rouge_cli").rglob("*.py"),
            *(ROOT / "tests").rglob("*.py"),
            *case_files.FOLDER.glob("*.txt"),
            *TABLES,
        ]
        for numbers in re.findall(
            r"QUIRKS ([0-9]+(?:(?:, | to | and )[0-9]+)*)", path.read_text("utf-8")
        )
        for number in re.findall("[0-9]+", numbers)
    }

    assert list(range(1, len(listed) + 1)) == listed
    assert set() == cited - set(listed)


def test_every_quirk_has_its_proof() -> None:
    """Each entry of QUIRKS names golden cases or tests, and they exist."""
    fixtures = ROOT / "fixtures" / "rouge155"
    lines = (fixtures / "targeted.jsonl").read_text("utf-8").splitlines()
    for name in ("random.jsonl.bz2", "exact.jsonl.bz2"):
        lines += (
            bz2.decompress((fixtures / name).read_bytes()).decode("utf-8").splitlines()
        )
    rouge2 = json.loads(
        (ROOT / "fixtures" / "rouge2" / "cases.json").read_text("utf-8")
    )["cases"]
    existing = {json.loads(line)["id"] for line in lines} | {
        case["id"] for case in rouge2
    }
    existing |= {name.rsplit("::")[-1] for name, _ in every_test()}
    for entry in re.split(r"^(?=\*\*\d+\. |## |### )", QUIRKS, flags=re.MULTILINE):
        if entry.startswith("**"):
            proofs = re.findall(
                r"(?:[Cc]ases?|[Tt]ests?)\s+((?:`[^`]+`(?:,\s+)?)+)", entry
            )
            named = re.findall("`([^`]+)`", " ".join(proofs))
            assert named, entry
            assert [] == [
                name
                for name in named
                if name not in existing and not case_files.is_case(name)
            ]


def test_the_readme_is_narrow() -> None:
    """The README's lines have at most 100 columns, so that it can be read as a file."""
    assert [] == [line for line in README.splitlines() if len(line) > 100]


def test_the_demo_is_the_originals_report(drop_in: Program) -> None:
    """The report that `make demo` prints is the one that the original printed."""
    words = pages.console_blocks(README)[0][0].line.split()[1:]
    outcome = drop_in(*words, cwd=ROOT)

    assert (0, (ROOT / "fixtures" / "demo" / "report.out").read_bytes()) == outcome[:2]
    assert " ".join(words) in (ROOT / "Makefile").read_text("utf-8")


def test_the_readme_names_every_target() -> None:
    """Every target of make is in the README."""
    targets = re.findall(
        r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    )

    assert [] == [
        target for target in targets if f"`{target}`" not in README and target != "help"
    ]


def test_ci_runs_what_the_readme_names() -> None:
    """CI calls make's targets and nothing that the README does not name."""
    called = re.findall(
        r"^make ([a-z-]+)", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE
    )

    assert called
    assert [] == [target for target in called if f"`{target}`" not in README]


def test_every_page_that_is_named_exists() -> None:
    """A file of docs/ that code, tests, Makefile or a page names exists."""
    files = [
        ROOT / "Makefile", *ROOT.glob("*.md"), ROOT / "compat" / "QUIRKS.md",
        *(ROOT / "docs").rglob("*.md"),
    ]  # fmt: skip
    files += [
        path
        for name in ("rouge_cli", "tests", "docs")
        for path in (ROOT / name).rglob("*.py")
    ]
    named = {
        (name, str(path.relative_to(ROOT)))
        for path in files
        for name in re.findall(
            r"\bdocs/[\w/.-]+\.(?:json|md|mk|png|py|svg)\b", path.read_text("utf-8")
        )
    }

    assert len(named) > 30
    assert set() == {
        (name, path) for name, path in named if not (ROOT / name).is_file()
    }


def test_every_environment_variable_is_documented() -> None:
    """Each variable that the package reads is on the drop-in's page and in its help."""
    page = (ROOT / "docs" / "reference" / "drop-in.md").read_text("utf-8")
    code = "\n".join(
        path.read_text("utf-8") for path in (ROOT / "rouge_cli").rglob("*.py")
    )
    read = set(re.findall(r"\bROUGE_CLI_[A-Z]+\b|\b(?:ROUGE|RED)_EVAL_HOME\b", code))

    assert len(read) == 7
    assert [] == [name for name in read if f"`{name}" not in page]
    assert [] == [name for name in read if name not in help_text()]


def test_every_field_of_a_signature_is_documented() -> None:
    """Each option of ROUGE-1.5.5's dialect, and each fact, is on the page about
    signatures.
    """
    page = (ROOT / "docs" / "reference" / "signature.md").read_text("utf-8")
    fields = {"dialect", *rouge155.DEFAULTS, *signature.FACTS}

    assert [] == [field for field in sorted(fields) if f"`{field}`" not in page]


# Text of a page with a number, and the constant that decides.
LIMITS = {
    ("compat/QUIRKS.md", "`-n` above {:,}"): LONGEST_NGRAM,
    ("compat/QUIRKS.md", "`-r` above {:,}"): MOST_SAMPLES,
    ("compat/QUIRKS.md", "{:,} bytes at most"): streams.MOST_BYTES,
    ("compat/QUIRKS.md", "{} bytes on average"): survey.LONG,
    ("docs/reference/drop-in.md", "{} warnings of a kind"): streams.MOST_OF_A_KIND,
    ("docs/how-to/significance.md", "column of ACL ({} inches)"): plots.COLUMN,
    ("docs/how-to/significance.md", "page ({} inches)"): plots.PAGE,
    ("rouge_cli/api/__init__.py", "the first {} are Python"): errors.MOST_WARNINGS,
}


@pytest.mark.parametrize(("place", "limit"), LIMITS.items(), ids=str)
def test_limits_are_the_documented_ones(place: tuple[str, str], limit: float) -> None:
    """A limit that a page states is the one in the code."""
    page, shown = place
    numbers = {shown.format(limit), shown.format({5: "five"}.get(int(limit), limit))}

    assert any(
        text in " ".join((ROOT / page).read_text("utf-8").split()) for text in numbers
    ), numbers


def test_the_changelog_knows_this_version() -> None:
    """The newest entry of the changelog is the package's version."""
    newest = re.search(
        r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )

    assert newest
    assert rouge_cli.__version__ == newest[1]


def test_the_word_lists_are_the_originals() -> None:
    """The shipped lists have the counts and hashes of the original's."""
    script = str(ROOT / "compat" / "word_lists.py")

    assert (
        subprocess.run([sys.executable, script, "--check"], check=False).returncode == 0
    )


def test_nltk_is_new_enough_not_to_unpickle_its_data() -> None:
    """No version of nltk before 3.9.1 is accepted, since those run code from
    downloaded pickles.
    """
    pyproject = (ROOT / "pyproject.toml").read_text("utf-8")

    assert ["3.9.1"] == re.findall(r'"nltk>=([0-9.]+)"', pyproject)


def test_numbers_in_the_readme_are_true() -> None:
    """The README's number of golden cases is the number of golden cases."""
    fixtures = ROOT / "fixtures" / "rouge155"
    packed = ("random.jsonl.bz2", "exact.jsonl.bz2")
    count = sum(
        len(bz2.decompress((fixtures / name).read_bytes()).splitlines())
        for name in packed
    )
    for name in ("targeted.jsonl", "campaigns.jsonl"):
        count += len((fixtures / name).read_bytes().splitlines())

    assert f"- {count} golden cases" in README


def test_every_dialect_is_one_object() -> None:
    """Every dialect is a Dialect, which has all that the commands use."""
    for name in plugins.names(dialects.__name__):
        assert isinstance(dialects.named(name), dialects.Dialect), name


def test_every_step_of_normalization_is_explained() -> None:
    """The pages on languages and on signatures name each step of `--normalize`, and
    so does the module that takes them.
    """
    pages = [
        (ROOT / "docs" / "how-to" / "other-languages.md").read_text("utf-8"),
        (ROOT / "docs" / "reference" / "signature.md").read_text("utf-8"),
    ]
    for step in normalization.STEPS:
        assert all(f"`{step}`" in page for page in pages), step
        assert f"\n    {step} " in str(normalization.__doc__), step
