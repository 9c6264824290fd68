"""The case files of tests/cli/cases: the name of each case, and its text."""

import re
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "cli" / "cases"
SENTENCE = re.compile(r"(?:\[(?P<mark>\w+)\] )?(?P<text>.*\.)\n(?:# .*\n)*")


def cases() -> Iterator[tuple[str, str, str]]:
    """Yield the name of each case, FILE: SENTENCE, its mark or an empty string, and its text."""
    for path in sorted(FOLDER.glob("*.txt")):
        above, *texts = re.split("^== ", path.read_text("utf-8"), flags=re.MULTILINE)
        for text in texts:
            sentence = SENTENCE.match(text)
            assert sentence, f"{path.name}: not a sentence: {text.splitlines()[0]}"
            yield f"{path.stem}: {sentence['text']}", sentence["mark"] or "", above + text[sentence.end() :]


def is_case(name: str) -> bool:
    """Return True if a case has this name, or one that begins so."""
    return ": " in name and any(case.startswith(name) for case, _, _ in cases())
