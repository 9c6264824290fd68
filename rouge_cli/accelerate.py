"""Run a Python program with rouge-cli in place of rouge_score.

Usage: python -m rouge_cli.accelerate SCRIPT [ARGUMENTS]
       python -m rouge_cli.accelerate -m MODULE [ARGUMENTS]
       export PYTHONPATH=$(python -m rouge_cli.accelerate --path)

The program is not changed. It prints the same numbers, and computes them faster.
Processes that it starts have a folder in PYTHONPATH from which they import the
replacement. Others cost nothing. `-m rouge_score.rouge` runs the program of the
installed package, which scores with the replacement. Programs that import rouge or
rouge_chinese use the installed packages.

  --path  Print the PYTHONPATH with which any Python process has the replacement.
"""

from __future__ import annotations

import os
import runpy
import sys
from importlib.util import find_spec
from types import ModuleType

from rouge_cli.dialects.google import install_as_rouge_score
from rouge_cli.errors import RougeError, UnreadableFile, UsageError, install_command

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "spawned")


def main() -> None:
    """Run the program on the command line, as Python itself does."""
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        sys.stdout.write(__doc__ or "")
        return
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        dict.fromkeys(filter(None, [FOLDER, *paths]))
    )
    if arguments == ["--path"]:
        sys.stdout.write(os.environ["PYTHONPATH"] + "\n")
        return
    sys.path.insert(1, FOLDER)  # `spawn` passes the path on
    is_module = arguments[:1] == ["-m"]
    arguments = arguments[is_module:]
    try:
        name = arguments[0] if arguments else ""
        check(name, is_module=is_module)
        install_as_rouge_score()
        if is_module and name.startswith("rouge_score."):
            check_of_original(name)
    except RougeError as error:
        sys.stderr.write(f"rouge_cli.accelerate: {error}\n")
        sys.exit(2)
    sys.argv = arguments
    if is_module:
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
        return
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(os.path.realpath(arguments[0]))
    # As Python does: argv has the script as typed, `__file__` is absolute. runpy sets
    # both to one path.
    sys.modules["__main__"] = program = ModuleType("__main__")
    program.__file__ = os.path.abspath(arguments[0])
    with open(arguments[0], "rb") as file:
        exec(compile(file.read(), program.__file__, "exec"), vars(program))  # noqa: S102 - the user's program


def check(name: str, *, is_module: bool) -> None:
    """Raise RougeError if there is no script or module of that name."""
    if not name:
        raise UsageError("no program named", remedy="give a script, or -m and a module")
    if is_module:
        # Looking up a submodule would import its package
        package = name.partition(".")[0]
        if not package or find_spec(package) is None:
            raise UsageError(
                f"no module named {name!r}", remedy="install it, or give a script"
            )
        return
    try:
        open(name, "rb").close()
    except (OSError, ValueError) as reason:
        raise UnreadableFile(name, reason, role="script") from None


def check_of_original(name: str) -> None:
    """Raise UsageError if a module of rouge_score is neither replaced nor installed."""
    if find_spec(name) is None:
        raise UsageError(
            f"no module named {name!r}, which is rouge_score's own",
            remedy=f"{install_command('rouge-score')}, or use `rouge-cli score`",
        )


if __name__ == "__main__":
    main()
