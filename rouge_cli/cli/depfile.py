"""Make rules that say what a result was made from, so that make makes again only what changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from collections.abc import Iterable

# What GNU make reads as something else and takes back after a backslash; backslashes before it are doubled.
_IN_TARGET = re.compile(r"(\\*)([ #:*?\[%])")
_IN_PREREQUISITE = re.compile(r"(\\*)([ #:*?\[|])")

# What no quoting brings through make.
_IMPOSSIBLE = re.compile(r"[;\t\n\r\v\f\0]|[ \\&]\Z|\A\Z")


def depfile(target: str, paths: Iterable[str]) -> str:
    r"""Return one rule `target: path \ path ...`, and an empty rule for each path.

    The empty rules are for files that go: without them make stops at a file that is not there, with them
    the target is made again (as with `gcc -MP`). Paths are in order of first mention, each once.
    Raises RougeError for a name that make cannot take.
    """
    distinct = list(dict.fromkeys(paths))
    lines = [_escaped(target, _IN_TARGET) + ":"]
    lines += [f"  {_escaped(path, _IN_PREREQUISITE)}" for path in distinct]
    empty = "".join(f"\n{_escaped(path, _IN_TARGET)}:\n" for path in distinct if path != target)
    return " \\\n".join(lines) + "\n" + empty


def _escaped(path: str, special: re.Pattern[str]) -> str:
    if _IMPOSSIBLE.search(path):
        raise RougeError(
            f"make cannot name the file {path!r}",
            remedy="rename it: no ; or control character in it, no blank, \\ or & at its end",
        )
    path = special.sub(r"\1\1\\\2", path).replace("$", "$$")
    # A bare = would make the line an assignment, and a ~ at the start is somebody's home.
    path = path.replace("=", "$(if 1,=)")
    return f"./{path}" if path.startswith("~") else path
