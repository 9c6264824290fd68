"""Any container of strings is read as the list of its items, in every Python
function.
"""

from collections import deque
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest
from everyday import sampled

import rouge_cli
from rouge_cli.core import Document, EvalTask
from rouge_cli.dialects import chinese, coco, pltrdy, rouge_metric, torchmetrics
from rouge_cli.dialects.google import RougeScorer, compute
from rouge_cli.errors import UsageError

Make = Callable[[list[Any]], Any]

PREDICTIONS = ["the cat sat", "a dog ran far", "x y z", "birds sing"]
REFERENCES = ["the cat sat down", "the dog ran", "q", "a bird sings songs"]
SEVERAL = [
    ["the cat sat down", "one cat"],
    ["the dog ran", "a dog"],
    ["q", "x"],
    ["birds", "birds sing"],
]
TYPES = ["rouge1", "rougeLsum", "rouge2"]
LABELS = ["ROUGE-1", "ROUGE-L"]
DOCUMENTS = [
    (Document(p.encode(), ""), Document(m.encode(), ""))
    for p, m in zip(PREDICTIONS, REFERENCES, strict=True)
]
TASKS = [
    EvalTask(
        prediction.data.decode(),
        {"a": prediction, "b": reference},
        [("1", reference)],
        "spl",
        "",
    )
    for prediction, reference in DOCUMENTS
]


def objects(values: list[Any]) -> Any:  # noqa: ANN401 - numpy's
    """Return a one-dimensional array of any values."""
    numpy = pytest.importorskip("numpy")
    array = numpy.empty(len(values), dtype=object)
    array[:] = values
    return array


def series(index: Callable[[int], Iterable[Any]]) -> Make:
    """Return a pandas Series with that index."""
    return lambda values: pytest.importorskip("pandas").Series(
        objects(values), index=list(index(len(values)))
    )


def filtered(values: list[Any]) -> Any:  # noqa: ANN401 - pandas'
    """Return the result of filtering a data frame: an index with gaps that does not
    start at 0.
    """
    pandas = pytest.importorskip("pandas")
    column = pandas.Series(objects(["", *(x for value in values for x in (value, ""))]))
    return column[column.index % 2 == 1]


CONTAINERS: dict[str, Make] = {
    "tuple": tuple,
    "deque": deque,
    "iterator": iter,
    "generator": lambda values: (value for value in values),
    "map": lambda values: map(values.__getitem__, range(len(values))),
    "values of a dict": lambda values: dict(enumerate(values)).values(),
    "keys of a dict": lambda values: {
        x if isinstance(x, str) else tuple(x): 0 for x in values
    }.keys(),
    "numpy objects": objects,
    "numpy": lambda values: pytest.importorskip("numpy").array(values),
    "Series": series(range),
    "Series backwards": series(lambda size: range(size - 1, -1, -1)),
    "Series by name": series(lambda size: "abcdefgh"[:size]),
    "Series of one label": series(lambda size: [0] * size),
    "Series filtered": filtered,
    "Index": lambda values: pytest.importorskip("pandas").Index(objects(values)),
    "polars": lambda values: pytest.importorskip("polars").Series(values),
    "pyarrow": lambda values: pytest.importorskip("pyarrow").array(values),
    "chunked pyarrow": lambda values: pytest.importorskip("pyarrow").chunked_array(
        [values[:1], values[1:]]
    ),
}
A: Any = {"metrics": LABELS, "samples": 0}
FUNCTIONS: dict[str, Callable[[Make], Any]] = {
    "score": lambda make: rouge_cli.score(make(PREDICTIONS), make(REFERENCES), **A),
    "score systems": lambda make: rouge_cli.score(
        {"a": make(PREDICTIONS), "b": make(REFERENCES)}, make(REFERENCES), **A
    ),
    "score several": lambda make: rouge_cli.score(
        make(PREDICTIONS), make(SEVERAL), **A
    ),
    "score each several": lambda make: rouge_cli.score(
        PREDICTIONS, [make(references) for references in SEVERAL], **A
    ),
    "score one text": lambda make: rouge_cli.score(
        PREDICTIONS[0], make(REFERENCES), **A
    ),
    "score sentences": lambda make: rouge_cli.score(
        [make(PREDICTIONS)], [[make(REFERENCES)]], **A
    ),
    "score metrics": lambda make: rouge_cli.score(
        PREDICTIONS, REFERENCES, make(LABELS), samples=0
    ),
    "score_rows": lambda make: rouge_cli.score_rows(
        make(PREDICTIONS), make(REFERENCES), "R1,RL"
    ),
    "score_rows several": lambda make: rouge_cli.score_rows(
        make(PREDICTIONS), map(make, SEVERAL), make(LABELS)
    ),
    "evaluate": lambda make: rouge_cli.evaluate(
        iter(TASKS), make(LABELS), systems=make(["b", "a"]), samples=0
    ),
    "score_multi": lambda make: RougeScorer(TYPES).score_multi(
        make(REFERENCES), PREDICTIONS[0]
    ),
    "score_batch": lambda make: RougeScorer(TYPES).score_batch(
        make(REFERENCES), make(PREDICTIONS)
    ),
    "score_batch several": lambda make: RougeScorer(TYPES).score_batch(
        make(SEVERAL), make(PREDICTIONS)
    ),
    "types": lambda make: plain(
        RougeScorer(make(TYPES)).score_batch(REFERENCES, PREDICTIONS)
    ),
    "types of several": lambda make: plain(
        [RougeScorer(make(TYPES)).score_multi(REFERENCES, PREDICTIONS[0])] * 2
    ),
    "compute": lambda make: compute(make(PREDICTIONS), make(REFERENCES), seed=1),
    "compute several": lambda make: compute(
        make(PREDICTIONS), list(map(make, SEVERAL)), make(TYPES), seed=1
    ),
}


def plain(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return scores under labels of type str, whatever the caller's string class."""
    return [{str(kind): score for kind, score in scores.items()} for scores in rows]


@pytest.mark.parametrize(
    ("container", "function"), sampled(product(CONTAINERS, FUNCTIONS), 4)
)
def test_a_container_is_read_as_the_list_of_its_items(
    container: str, function: str
) -> None:
    """Items pair by the order of iteration, never by an index of the container."""
    call, make = FUNCTIONS[function], CONTAINERS[container]

    assert call(list) == call(make)


REFUSED: dict[str, Make] = {
    "a string": "".join,
    "bytes": lambda values: "".join(values).encode(),
    "a dict": lambda values: dict.fromkeys(values, ""),
    "a set": set,
    "a frame": lambda values: pytest.importorskip("pandas").DataFrame(
        {value: [value] for value in values}
    ),
    "a polars frame": lambda values: pytest.importorskip("polars").DataFrame(
        {v: [v] for v in values}
    ),
    "nothing": lambda _: None,
    "a number": len,
    "numbers": lambda values: list(range(len(values))),
    "missing values": lambda values: [None] * len(values),
    "an array without dimensions": lambda values: pytest.importorskip("numpy").array(
        " ".join(values)
    ),
}
PAIRS: dict[str, Callable[[Any, Any], Any]] = {
    "score": rouge_cli.score,
    "score systems": lambda predictions, references: rouge_cli.score(
        {"a": PREDICTIONS, "b": predictions}, references
    ),
    "score_rows": rouge_cli.score_rows,
    "score_batch": lambda predictions, references: RougeScorer(TYPES).score_batch(
        references, predictions
    ),
    "compute": compute,
}


@pytest.mark.parametrize("function", PAIRS)
@pytest.mark.parametrize("container", REFUSED)
def test_containers_without_ordered_texts_are_refused(
    container: str, function: str
) -> None:
    """A string, a table, a mapping, a set and a container of other objects are
    errors on either side.
    """
    call, make = PAIRS[function], REFUSED[container]
    # For `score` a string is a single peer, and a dict holds systems.
    as_predictions = function != "score" or container not in {"a string", "a dict"}
    as_references = (function, container) != (
        "score_rows",
        "a string",
    )  # which is the reference of all
    for predictions, references in [
        *([(make(PREDICTIONS), REFERENCES)] * as_predictions),
        *([(PREDICTIONS, make(REFERENCES))] * as_references),
    ]:
        with pytest.raises(
            (UsageError, ValueError, TypeError, AttributeError)
        ) as error:
            call(predictions, references)
        assert function != "compute" or isinstance(error.value, ValueError)
        assert not function.startswith("score ") or isinstance(error.value, UsageError)


UNORDERED: dict[str, Callable[[Make], Any]] = {
    **FUNCTIONS,
    "rouge": lambda make: pltrdy.Rouge().get_scores(
        make(PREDICTIONS), make(REFERENCES)
    ),
    "rouge without empty texts": lambda make: pltrdy.Rouge().get_scores(
        PREDICTIONS, make(REFERENCES), ignore_empty=True
    ),
    "rouge_chinese": lambda make: chinese.Rouge().get_scores(
        make(PREDICTIONS), make(REFERENCES), avg=True
    ),
    "captions": lambda make: coco.Rouge().calc_score(PREDICTIONS[:1], make(REFERENCES)),
    "words of captions": lambda make: coco.my_lcs(PREDICTIONS, make(REFERENCES)),
    "torchmetrics": lambda make: torchmetrics.rouge_score(
        PREDICTIONS, make(REFERENCES), rouge_keys="rouge1"
    ),
    "torchmetrics predictions": lambda make: torchmetrics.rouge_score(
        make(PREDICTIONS), REFERENCES, rouge_keys="rouge1"
    ),
    "torchmetrics several": lambda make: torchmetrics.rouge_score(
        PREDICTIONS, [make(references) for references in SEVERAL], rouge_keys="rouge1"
    ),
    "torchmetrics words": lambda make: torchmetrics.rouge_score(
        "a", "a", tokenizer=lambda _: make(["a"])
    ),
    "PyRouge": lambda make: rouge_metric.PyRouge().evaluate(make(PREDICTIONS), SEVERAL),
    "PyRouge references": lambda make: rouge_metric.PyRouge().evaluate(
        PREDICTIONS, make(REFERENCES)
    ),
    "PyRouge several": lambda make: rouge_metric.PyRouge().evaluate(
        PREDICTIONS, [make(m) for m in SEVERAL]
    ),
    "PyRouge sentences": lambda make: rouge_metric.PyRouge().evaluate(
        PREDICTIONS, SEVERAL, sentencizer=lambda text: make(text.split())
    ),
    "PyRouge words": lambda make: rouge_metric.PyRouge().evaluate(
        PREDICTIONS, SEVERAL, tokenizer=lambda text: make(text.split())
    ),
    "words": lambda make: RougeScorer(
        TYPES,
        tokenizer=type("Words", (), {"tokenize": lambda _, text: make(text.split())})(),
    ).score("a", "a"),
}


@pytest.mark.parametrize("function", UNORDERED)
@pytest.mark.parametrize("make", [set, frozenset])
def test_no_function_reads_a_set(make: Make, function: str) -> None:
    """Sets have another order in each process, so every function that takes texts or
    words refuses them.
    """

    def unordered(values: list[Any]) -> Any:  # noqa: ANN401 - a set
        return make(
            [tuple(value) if isinstance(value, list) else value for value in values]
        )

    with pytest.raises((ValueError, UsageError), match=r"a set|(not|but) (frozen)?set"):
        UNORDERED[function](unordered)


def test_characters_that_are_targets_are_named() -> None:
    """Strings in a tuple are read letter by letter, as in torchmetrics, but with a
    warning.
    """
    with pytest.warns(UserWarning, match="each of its characters is a target"):
        scores = torchmetrics.rouge_score(["ab a"], ("ab a",), rouge_keys="rouge1")
    assert pytest.approx(2 / 3) == scores["rouge1_fmeasure"]


@pytest.mark.parametrize("function", ["score_rows", "score_batch"])
def test_no_pairs_have_no_scores(function: str) -> None:
    """An empty batch, such as the empty partition of a data frame, has no rows."""
    for make in CONTAINERS.values():
        assert [] == PAIRS[function](make([]), make([]))
