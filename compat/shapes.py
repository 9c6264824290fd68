"""Record the shapes of other ROUGE packages' results: fixtures/others/shapes/PACKAGE.json.

    python compat/shapes.py rouge > fixtures/others/shapes/rouge.json

Run it with a Python that has the package and not rouge-cli. A shape has types, and
keys in their order, which programs see when they print a result or make columns of it.
`tests/laws/test_shapes.py` makes the same calls of the stand-ins.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HYPOTHESES, REFERENCES = ["a b c", "d e. f"], ["a c b", "d f"]
SEVERAL = [["a c b", "b"], ["d f", "e"]]
# Attributes of classes: names of metrics and stats, as programs read them.
NAMES = (
    "AVAILABLE_LENGTH_LIMIT_TYPES",
    "AVAILABLE_METRICS",
    "AVAILABLE_STATS",
    "DEFAULT_METRICS",
    "DEFAULT_N",
    "DEFAULT_STATS",
    "STATS",
)


def attributes(rouge_class: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a class
    """Yield the attributes of a class that have names of metrics and stats."""
    for name in NAMES:
        if hasattr(rouge_class, name):
            yield name, getattr(rouge_class, name)


def rouge(module: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a module
    """Yield results of `rouge` and rouge-chinese."""
    yield from attributes(module.Rouge)
    for init in (
        {},
        {"metrics": ["rouge-l", "rouge-3"], "stats": ["p", "f", "r"]},
        {"return_lengths": True},
        {"raw_results": True, "exclusive": False},
    ):
        scored = module.Rouge(**init)
        yield f"{init} single", scored.get_scores(HYPOTHESES[0], REFERENCES[0])
        yield f"{init} list", scored.get_scores(HYPOTHESES, REFERENCES)
        if "raw_results" not in init:
            yield f"{init} mean", scored.get_scores(HYPOTHESES, REFERENCES, avg=True)
    function = module.Rouge.AVAILABLE_METRICS["rouge-l"]
    for raw in (False, True):
        yield f"function {raw}", function(HYPOTHESES, REFERENCES, raw_results=raw)


def py_rouge(module: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a module
    """Yield results of py-rouge in its three modes.

    Their labels are sorted here: the package's are in the order of a set, another in
    each process.
    """
    yield from attributes(module.Rouge)
    orders = (["rouge-n", "rouge-l", "rouge-w"], ["rouge-w", "rouge-l", "rouge-n"])
    for metrics in (*orders, ["rouge-w", "rouge-l"]):
        for average, best in ((True, False), (False, True), (False, False)):
            scored = module.Rouge(
                metrics=metrics, max_n=2, apply_avg=average, apply_best=best
            )
            name = f"{metrics} {average} {best}"
            for kind, texts in (
                ("several", (HYPOTHESES, SEVERAL)),
                ("single", (HYPOTHESES[0], REFERENCES[0])),
                ("none", ([], [])),
            ):
                result = scored.get_scores(*texts)
                yield f"{name} {kind}", dict(sorted(result.items()))


def rouge_metric(module: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a module
    """Yield results of rouge-metric's PyRouge."""
    every = {"rouge_n": (2, 1), "rouge_w": True, "rouge_s": True, "rouge_su": True}
    for init in ({}, {**every, "skip_gap": 4}):
        for mode in ("average", "individual"):
            scored = module.PyRouge(**init, mode=mode)
            yield f"{init} {mode}", scored.evaluate(HYPOTHESES, SEVERAL)
            yield f"{init} {mode} none", scored.evaluate([], [])


def scorer(module: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a module
    """Yield results of rouge_score's RougeScorer and its forks'."""
    scored = module.RougeScorer(["rougeLsum", "rouge2", "rougeL", "rouge1"])
    yield "score", scored.score(REFERENCES[0], HYPOTHESES[0])
    if hasattr(scored, "score_multi"):
        yield "score_multi", scored.score_multi(SEVERAL[0], HYPOTHESES[0])
    yield "no types", module.RougeScorer([]).score("a", "a")


def coco(module: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a module
    """Yield results of pycocoevalcap's Rouge."""
    scored = module.Rouge()
    yield "method", scored.method()
    yield "calc_score", scored.calc_score(["a b"], ["a", "b c"])
    yield "compute_score", scored.compute_score({"1": ["a"]}, {"1": ["a b"]})


# Package -> its name on PyPI, the module of its class, and the function that calls it.
PACKAGES: dict[str, tuple[str, str, Callable[[Any], Iterator[tuple[str, Any]]]]] = {
    "rouge": ("rouge", "rouge", rouge),
    "rouge_fork": ("fitzyracing-rouge", "rouge", rouge),
    "rouge_chinese": ("rouge-chinese", "rouge_chinese", rouge),
    "py_rouge": ("py-rouge", "rouge", py_rouge),
    "rouge_metric": ("rouge-metric", "rouge_metric", rouge_metric),
    "rouge_score": ("rouge-score", "rouge_score.rouge_scorer", scorer),
    "korouge_score": ("korouge-score", "korouge_score.rouge_scorer", scorer),
    "multilingual_rouge": (
        "multilingual-rouge",
        "multilingual_rouge.rouge_scorer",
        scorer,
    ),
    "pycocoevalcap": ("pycocoevalcap", "pycocoevalcap.rouge.rouge", coco),
}


def shape(value: Any) -> Any:  # noqa: ANN401 - any result
    """Return the types of a value, and its keys and fields in their order."""
    if isinstance(value, float):
        return "float"  # or numpy's
    if isinstance(value, str):
        return f"str {value}"
    if isinstance(value, dict):
        return ["dict", *([key, shape(item)] for key, item in value.items())]
    if hasattr(value, "_fields"):
        return [
            type(value).__name__,
            *zip(value._fields, map(shape, value), strict=True),
        ]
    if isinstance(value, (set, frozenset)):
        return ["set", *sorted(value)]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(shape, value)]
    return type(value).__name__


def shapes(module: Any, calls: Callable[[Any], Iterator[tuple[str, Any]]]) -> Any:  # noqa: ANN401
    """Return the shapes of all results, as JSON has them."""
    document = {name: shape(result) for name, result in calls(module)}
    return json.loads(json.dumps(document))


def main() -> None:
    """Print the shapes of the named package."""
    package, module, calls = PACKAGES[sys.argv[1]]
    document = {
        "package": package,
        "version": version(package),
        "shapes": shapes(import_module(module), calls),
    }
    print(json.dumps(document))


if __name__ == "__main__":
    main()
