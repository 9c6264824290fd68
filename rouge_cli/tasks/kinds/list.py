"""File lists: each line is an eval, the path of a prediction and of its references (-z
of ROUGE-1.5.5).

The paths are separated by white space. Blank lines and lines that start with `#` (in
the first column) are ignored. Evals are numbered from 1, references `M.1`, `M.2`, ...
The caller names the only system. If the list's own path is `-`, it is read from stdin.
"""

import os
from collections.abc import Sequence

from rouge_cli.core import EvalTask
from rouge_cli.errors import RougeError
from rouge_cli.io import files
from rouge_cli.tasks.kinds import Texts

SUFFIXES = (".lst", ".list")
WHAT = "a file list"


def tasks(path: str, system: str, texts: Texts) -> Sequence[EvalTask]:
    """Return the evals of a single system in order; raise RougeError for XML or
    missing references.
    """
    lines = files.read_any(path, "file list", is_local=True).split(b"\n")
    tasks: list[EvalTask] = []
    for number, line in enumerate(lines, 1):
        paths = [os.fsdecode(field) for field in line.split()]
        if not paths or line.startswith(b"#"):
            continue
        where = f"{path}:{number}"
        if (
            not tasks
            and line.lstrip().startswith(b"<")
            and not os.path.exists(paths[0])
        ):
            remedy = (
                "if these are settings, leave -z FORMAT out (rouge-cli: --input list)"
            )
            raise RougeError("XML instead of a file list", where=where, remedy=remedy)
        if len(paths) < 2:
            remedy = "write the path of the text to score, and then of texts by people"
            raise RougeError(f"only one path ({paths[0]})", where=where, remedy=remedy)
        references = [
            (f"M.{reference}", name) for reference, name in enumerate(paths[1:], 1)
        ]
        eval_id = str(len(tasks) + 1)
        tasks.append(
            EvalTask(eval_id, {system: paths[0]}, references, texts.format, where)
        )
    return tasks
