"""Golden cases: their content, how they are read, and how they are written to disk."""

from __future__ import annotations

import bz2
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

OUTCOMES = ("ok", "error", "crash")


class CaseError(Exception):
    """A case file that cannot be used, with its path, line and reason."""


@dataclass(frozen=True)
class Case:
    """A set-up (`files`, `argv`) and the original's result (`outcome`, `stdout`).

    Each character of a file, of an argument and of `stdout` is one byte (latin-1).
    """

    id: str
    files: Mapping[str, str]
    argv: Sequence[str]
    outcome: str = ""
    stdout: str = ""

    def write_files(self, folder: Path) -> None:
        """Write the files below `folder`."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("latin-1"))

    def as_json(self) -> str:
        """Return one line that `load` reads back."""
        fields = {
            "id": self.id,
            "files": dict(self.files),
            "argv": list(self.argv),
            "outcome": self.outcome,
            "stdout": self.stdout,
        }
        return json.dumps(fields)


def see(sentences: Sequence[str]) -> str:
    """Return a summary in SEE, a sentence in each line."""
    lines = ["<html>", "<head><title>summary</title></head>", '<body bgcolor="white">']
    for number, sentence in enumerate(sentences, 1):
        lines.append(
            f'<a name="{number}">[{number}]</a> <a href="#{number}"'
            f" id={number}>{sentence}.</a>"
        )
    return "\n".join([*lines, "</body>", "</html>\n"])


def evaluation(eval_id: str, form: str, folder: str, *groups: Mapping[str, str]) -> str:
    """Return an EVAL of settings: files in a folder by the IDs of predictions, and
    of references.
    """
    lines = [f'<EVAL ID="{eval_id}">', f"<PEER-ROOT>{folder}</PEER-ROOT>"]
    lines += [
        f"<MODEL-ROOT>{folder}</MODEL-ROOT>",
        f'<INPUT-FORMAT TYPE="{form}">',
        "</INPUT-FORMAT>",
    ]
    for element, files in zip(("PEERS", "MODELS"), groups, strict=True):
        texts = [
            f'<{element[0]} ID="{name}">{file}</{element[0]}>'
            for name, file in files.items()
        ]
        lines += [f"<{element}>", *texts, f"</{element}>"]
    return "\n".join([*lines, "</EVAL>"])


def load(path: Path) -> list[Case]:
    """Load every case of a `.jsonl` or `.jsonl.bz2` file."""
    try:
        data = path.read_bytes()
        text = (bz2.decompress(data) if path.suffix == ".bz2" else data).decode("utf-8")
    except (OSError, ValueError) as problem:
        raise CaseError(f"cannot read the cases in {path}: {problem}") from problem
    lines = text.split("\n")
    return [
        _parse(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line
    ]


def _parse(line: str, where: str) -> Case:
    try:
        fields: dict[str, Any] = json.loads(line)
        case = Case(
            id=fields["id"],
            files=fields["files"],
            argv=fields["argv"],
            outcome=fields["outcome"],
            stdout=fields["stdout"],
        )
    except (ValueError, KeyError, TypeError) as problem:
        raise CaseError(f"{where}: not a golden case ({problem!r})") from problem
    if case.outcome not in OUTCOMES:
        raise CaseError(
            f"{where}: the outcome {case.outcome!r} is none of {', '.join(OUTCOMES)}"
        )
    return case
