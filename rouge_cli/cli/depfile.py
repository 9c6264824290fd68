"""Make rules for the sources of a result, so that make rebuilds only what changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from collections.abc import Iterable

# Characters that GNU make would interpret, unless after a backslash; backslashes before them are doubled.
_IN_TARGET = re.compile(r"(\\*)([ #:*?\[%])")
_IN_PREREQUISITE = re.compile(r"(\\*)([ #:*?\[|])")

# Characters that cannot be quoted for make.
_IMPOSSIBLE = re.compile(r"[;\t\n\r\v\f\0]|[ \\&]\Z|\A\Z")


def depfile(target: str, paths: Iterable[str]) -> str:
    r"""Return one rule `target: path \ path ...`, and an empty rule for each path.

    The empty rules are for deleted files: without them make stops at a missing file, with them
    the target is rebuilt (as with `gcc -MP`). Paths are in order of first mention, each once.
    Raises RougeError for a name that make cannot express.
    """
    distinct = list(dict.fromkeys(paths))
    lines = [_escape(target, _IN_TARGET) + ":"]
    lines += [f"  {_escape(path, _IN_PREREQUISITE)}" for path in distinct]
    empty = "".join(f"\n{_escape(path, _IN_TARGET)}:\n" for path in distinct if path != target)
    return " \\\n".join(lines) + "\n" + empty


def _escape(path: str, special: re.Pattern[str]) -> str:
    if _IMPOSSIBLE.search(path):
        raise RougeError(
            f"make cannot name the file {path!r}",
            remedy="rename it: no ; or control character in it, no blank, \\ or & at its end",
        )
    path = special.sub(r"\1\1\\\2", path).replace("$", "$$")
    # A bare = would make the line an assignment, and a ~ at the start is expanded to a home folder.
    path = path.replace("=", "$(if 1,=)")
    return f"./{path}" if path.startswith("~") else path
