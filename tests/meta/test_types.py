"""What type checkers know of the Python interface."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pages
import pytest

import rouge_cli
from rouge_cli import api, dialects, plugins
from rouge_cli.options import AnyDialect, DialectOptions, RunsOptions


def test_no_result_has_an_unknown_type(root: Path) -> None:
    """Mypy accepts a program with every public function, and reveals no Any;
    mistakes are found.
    """
    pytest.importorskip("mypy")
    program = root / "tests" / "support" / "typed_program.py"
    command = [sys.executable, "-m", "mypy", "--strict", str(program)]
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False
    )
    revealed = re.findall(r'Revealed type is "(.*)"$', done.stdout, re.MULTILINE)

    assert 0 == done.returncode, done.stdout + done.stderr
    assert program.read_text("utf-8").count("reveal_type(") == len(revealed)
    assert [] == [name for name in revealed if re.search(r"\bAny\b", name)]


def run(*command: str, cwd: Path) -> str:
    """Return the output of a type checker if it found something, else nothing."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr if done.returncode else ""


def test_every_public_name_has_its_type(root: Path) -> None:
    """The file that type checkers read asserts the type of every public function."""
    assertions = root / "tests" / "typing" / "public.py"
    used = {
        node.attr
        for node in ast.walk(ast.parse(assertions.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "rouge_cli"
    }

    assert [] == sorted(set(rouge_cli.__all__) - used)


def test_pyright_knows_the_same_types(root: Path) -> None:
    """Pyright accepts the types that mypy accepts."""
    pytest.importorskip("basedpyright", reason="basedpyright is not installed")

    assert "" == run("basedpyright", cwd=root)


DOCUMENTS = ["README.md", "docs/**/*.md"]


@pytest.mark.parametrize(
    "pattern", [DOCUMENTS[0], pytest.param(DOCUMENTS[1], marks=pytest.mark.slow)]
)
def test_type_checkers_accept_the_examples(
    pattern: str, root: Path, tmp_path: Path
) -> None:
    """Mypy and pyright find nothing in the Python examples of README and
    documentation.
    """
    pytest.importorskip("mypy", reason="mypy is not installed")
    files = []
    for path in sorted(root.glob(pattern)):
        blocks = pages.python_blocks(path.read_text("utf-8"))
        for number, block in enumerate(blocks):
            files.append(
                f"{path.stem.replace('-', '_')}_{path.parent.name}_{number}.py"
            )
            (tmp_path / files[-1]).write_text(block, "utf-8")
    options = ["--ignore-missing-imports", "--check-untyped-defs", "--config-file="]
    (tmp_path / "pyrightconfig.json").write_text(
        """{"typeCheckingMode": "standard", "reportMissingImports": false,
            "reportMissingModuleSource": false, "reportUnusedExpression": false}"""
    )

    assert files
    assert "" == run("mypy", *options, *files, cwd=tmp_path)
    pytest.importorskip("basedpyright", reason="basedpyright is not installed")
    assert "" == run("basedpyright", "--pythonpath", sys.executable, cwd=tmp_path)


def rendered_options() -> str:
    """Return the lines on options in the help of `score`, from their declarations."""
    defaults = dialects.named(dialects.DEFAULT).defaults
    own = [
        f"{name}={value!r}"
        for name, value in sorted(defaults.items())
        if name != "metrics"
    ]
    of_run = set(RunsOptions.__annotations__) - set(DialectOptions.__annotations__)
    others = sorted(set(DialectOptions.__annotations__) - set(defaults))
    return (
        "options: Options of `rouge-cli score`, whose help explains them. Those of the"
        f" dialect {dialects.DEFAULT}, with their defaults: {', '.join(own)}. Of the"
        f" run: {', '.join(sorted(of_run))}. Of other dialects, and short names:"
        f" {', '.join(others)}; `rouge-cli describe DIALECT` prints the defaults."
    )


def test_the_help_lists_the_options_with_their_defaults() -> None:
    """`help(rouge_cli.score)` has every option and the defaults as they are declared."""
    help_text = " ".join((rouge_cli.score.__doc__ or "").split())

    assert rendered_options() in help_text, (
        f"write in the docstring of `score` (rouge_cli/api.py): {rendered_options()}"
    )


def test_every_dialect_and_every_option_has_a_type() -> None:
    """The names of dialects and of their options are those that type checkers
    accept.
    """
    literal, name = get_args(AnyDialect)
    names = plugins.names(dialects.__name__)
    options = {
        option for dialect in names for option in dialects.named(dialect).defaults
    }

    typed = set(DialectOptions.__annotations__)
    of_all = {"language", "rouge_types", "stem", "use_stemmer"}

    assert api.DialectName == name
    for dialect in sorted(set(names) ^ set(get_args(literal))):
        raise AssertionError(
            f"dialect {dialect}: in DialectLiteral of rouge_cli/options.py or in"
            " rouge_cli/dialects/, not in both"
        )
    for option in sorted((options - {"metrics"}) ^ (typed - of_all)):
        raise AssertionError(
            f"option {option}: in the types of rouge_cli/options.py or in the defaults"
            " of a dialect, not in both; PairOptions has what a single eval can have,"
            " DialectOptions the rest"
        )
