"""What type checkers know of the Python interface."""

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from rouge_cli import api, dialects, plugins
from rouge_cli.options import AnyDialect, DialectOptions


def test_no_result_has_an_unknown_type(root: Path) -> None:
    """Mypy accepts a program with every public function, and reveals no Any;
    mistakes are found.
    """
    program = root / "tests" / "support" / "typed_program.py"
    command = [sys.executable, "-m", "mypy", "--strict", str(program)]
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False
    )
    revealed = re.findall(r'Revealed type is "(.*)"$', done.stdout, re.MULTILINE)

    assert 0 == done.returncode, done.stdout + done.stderr
    assert program.read_text("utf-8").count("reveal_type(") == len(revealed)
    assert [] == [name for name in revealed if re.search(r"\bAny\b", name)]


def test_every_dialect_and_every_option_has_a_type() -> None:
    """The names of dialects and of their options are those that type checkers
    accept.
    """
    literal, name = get_args(AnyDialect)
    names = plugins.names(dialects.__name__)
    options = {
        option for dialect in names for option in dialects.named(dialect).defaults
    }

    assert (names, api.DialectName) == (sorted(get_args(literal)), name)
    assert options - {"metrics"} == set(DialectOptions.__annotations__) - {
        "language",
        "stem",
        "use_stemmer",
    }
