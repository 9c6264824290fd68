"""A ROUGE home: a folder with `ROUGE-1.5.5.pl` and `data/`, which is all that wrappers look for."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from rouge_cli.errors import UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Python to Python, and shell to /bin/sh, which finds the interpreter. The first line must not say
# "perl": then `perl FILE`, as wrappers call it, hands the file to what the line names instead. Nor can it
# name the interpreter itself, whose path may hold a blank, be too long, or have "perl" in it.
LAUNCHER = '''\
#!/bin/sh
""":"
# ROUGE-1.5.5 without Perl: rouge-cli under the original's name. Runs as ./FILE and through an
# interpreter, whatever its name; what follows up to the quotes is for the shell, the rest is Python.
home=$(dirname "$(readlink -f "$0")")
for python in {interpreters}; do
    if command -v "$python" >/dev/null 2>&1; then exec "$python" "$0" "$@"; fi
done
echo "ROUGE-1.5.5.pl: no Python 3 found" >&2
exit 127
"""

import os
import sys

HOME = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.dirname(HOME))  # a checkout that is not installed

try:
    from rouge_cli.cli.rouge155 import main
except ImportError as error:
    sys.exit(f"ROUGE-1.5.5.pl: {{error}}; {remedy}")

if __name__ == "__main__":
    sys.exit(main(home=HOME))
'''

DATA_README = """\
Nothing has to be here: the stop list and the irregular forms come with rouge-cli.
A `smart_common_words.txt` or a `WordNet-2.0.exc.db` that you put here is used instead.
"""


def launcher(interpreters: Sequence[str], remedy: str) -> str:
    """The launcher's text.

    interpreters: shell words, tried in this order; `$home` is the launcher's folder.
    remedy: what to do where the interpreter that was found cannot import us.
    """
    return LAUNCHER.format(interpreters=" ".join(interpreters), remedy=remedy)


def write(folder: Path) -> list[Path]:
    """Write a home that runs under this very interpreter; returns the paths written.

    Raises UnreadableFile where the folder cannot be written.
    """
    script, readme = folder / "ROUGE-1.5.5.pl", folder / "data" / "README.md"
    try:
        readme.parent.mkdir(parents=True, exist_ok=True)
        readme.write_text(DATA_README)
        script.write_text(
            launcher([shlex.quote(sys.executable)], "the Python that wrote this home lacks it now")
        )
        script.chmod(0o755)
    except OSError as reason:
        raise UnreadableFile(str(folder), reason, role="folder to write to") from None
    return [script, readme]
