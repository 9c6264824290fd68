"""The case files of tests/cli/cases: the name of each case, its text, and the steps
of the text.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1] / "cli" / "cases"
SENTENCE = re.compile(r"(?:\[(?P<mark>\w+)\] )?(?P<text>.*\.)\n(?:# .*\n)*")


def cases() -> Iterator[tuple[str, str, str]]:
    """Yield the name of each case, FILE: SENTENCE, its mark or an empty string, and
    its text.
    """
    for path in sorted(FOLDER.glob("*.txt")):
        above, *texts = re.split("^== ", path.read_text("utf-8"), flags=re.MULTILINE)
        for text in texts:
            sentence = SENTENCE.match(text)
            assert sentence, f"{path.name}: not a sentence: {text.splitlines()[0]}"
            yield (
                f"{path.stem}: {sentence['text']}",
                sentence["mark"] or "",
                above + text[sentence.end() :],
            )


def is_case(name: str) -> bool:
    """Return True if a case has this name, or one that begins so."""
    return ": " in name and any(case.startswith(name) for case, _, _ in cases())


class Step(NamedTuple):
    """A file and its lines, or a command and what it prints."""

    kind: str
    name: str
    lines: list[str]


def steps(text: str) -> list[Step]:
    """Parse files and commands, in their order."""
    parsed: list[Step] = []
    for line in text.splitlines():
        kind, _, name = line.partition(" ")
        if kind in {"---", "+++", "$"}:
            parsed.append(Step(kind, name, []))
        elif parsed and (kind != "#" or parsed[-1].kind != "$"):
            parsed[-1].lines.append(line.rstrip() if parsed[-1].kind == "$" else line)
    for step in parsed:
        while step.lines and not step.lines[-1]:
            step.lines.pop()
    return parsed


def write(step: Step, folder: Path) -> None:
    """Write a file, or make a folder if its name ends in /."""
    path = folder / step.name
    (path if step.name.endswith("/") else path.parent).mkdir(
        parents=True, exist_ok=True
    )
    if step.kind == "+++":
        path.write_bytes(
            "".join(step.lines)
            .encode("latin-1")
            .decode("unicode-escape")
            .encode("latin-1")
        )
    elif not step.name.endswith("/"):
        path.write_text("".join(f"{line}\n" for line in step.lines), "utf-8")
