"""Record what the Python packages return for unusual arguments:
fixtures/others/odd_arguments.jsonl.bz2.

    python compat/odd_arguments.py rouge rouge_chinese rouge_metric rouge_score pycocoevalcap torchmetrics

prints a line per call: the package, the call, and its result with all types, or the
name of its error. Run it with a Python that has the packages, numpy and pandas.
Packages are black boxes.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import deque
from importlib import import_module
from importlib.metadata import version
from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Where a package has the names that a call uses.
NAMES: Mapping[str, Mapping[str, str]] = {
    "rouge": {"Rouge": "rouge", "FilesRouge": "rouge"},
    "rouge_chinese": {"Rouge": "rouge_chinese", "FilesRouge": "rouge_chinese"},
    "rouge_metric": {"PyRouge": "rouge_metric"},
    "rouge_score": {
        "RougeScorer": "rouge_score.rouge_scorer",
        "Score": "rouge_score.scoring",
        "AggregateScore": "rouge_score.scoring",
        "BootstrapAggregator": "rouge_score.scoring",
        "fmeasure": "rouge_score.scoring",
        "tokenize": "rouge_score.tokenize",
        "DefaultTokenizer": "rouge_score.tokenizers",
    },
    "pycocoevalcap": {
        "Rouge": "pycocoevalcap.rouge.rouge",
        "my_lcs": "pycocoevalcap.rouge.rouge",
    },
    "torchmetrics": {
        "rouge_score": "torchmetrics.functional.text.rouge",
        "ROUGEScore": "torchmetrics.text.rouge",
    },
}
DISTRIBUTIONS = {"rouge_chinese": "rouge-chinese", "rouge_metric": "rouge-metric"}


class String(str):
    """A caller's class of strings."""

    __slots__ = ()


# Objects in the place of a text.
TEXTS = (
    "'a b'", "''", "' '", "None", "5", "1.5", "True", "b'a b'", "bytearray(b'a b')", "String('a b')",
    "np.str_('a b')", "np.array('a b')", "[]", "['a b']", "['a b', 'c']", "('a b', 'c')", "[['a b']]",
)  # fmt: skip
# Objects in the place of a list of two texts.
LISTS = (
    "['a b', 'c']", "('a b', 'c')", "deque(['a b', 'c'])", "iter(['a b', 'c'])",
    "(text for text in ['a b', 'c'])", "map(str, ['a b', 'c'])", "np.array(['a b', 'c'])",
    "np.array(['a b', 'c'], dtype=object)", "pd.Series(['a b', 'c'])", "pd.Series(['a b', 'c'], index=[1, 0])",
    "pd.Index(['a b', 'c'])", "{'a b': 0, 'c': 0}.keys()", "{0: 'a b', 1: 'c'}.values()", "{'a b': 0, 'c': 0}",
    "{0: 'a b', 1: 'c'}", "{0: 'a b', 1: 'c'}.items()", "{'a b', 'c'}", "frozenset(['a b', 'c'])", "[]", "()",
    "np.array([])", "None", "5", "'ab'", "''", "b'ab'", "[b'a b', b'c']", "[None, 'c']", "[1, 2]",
    "['a b', '']", "['', '']", "[['a b'], ['c']]", "[('a b',), ('c',)]", "[['a b', 'c'], ['c']]",
    "(['a b', 'c'], ['c'])", "[[], ['c']]", "[['a b'], 'c']", "[{'a b', 'd'}, {'c', 'd'}]", "np.array([['a b'], ['c']])",
    "[np.array(['a b', 'd']), np.array(['c'])]", "[pd.Series(['a b', 'd']), pd.Series(['c'])]",
    "pd.DataFrame({'x': ['a b', 'c']})", "range(2)", "['a b', 'c', 'd']", "[String('a b'), String('c')]",
)  # fmt: skip
FLAGS = ("None", "0", "1", "'x'", "''", "[]", "np.bool_(True)", "2.5")


def pairs(call: str, usual: str = "['a b', 'c']") -> Iterator[str]:
    """Yield the call with every kind of list on either side, and on both."""
    for values in LISTS:
        yield call.format(values, usual)
        yield call.format(usual, values)
        yield call.format(values, values)
    for text in TEXTS:
        yield call.format(text, "'a c'")
        yield call.format("'a c'", text)


def get_scores() -> Iterator[str]:
    """Yield calls of `Rouge` in rouge and rouge_chinese."""
    for arguments in ("", ", avg=True", ", ignore_empty=True"):
        yield from pairs(f"Rouge().get_scores({{}}, {{}}{arguments})")
    names = (
        "['ROUGE-1']", "['Rouge-L']", "['rouge-1', 'ROUGE-1']", "['ROUGE-6']", "['rouge-6']", "[]", "()", "''",
        "'rouge-1'", "('rouge-1', 'rouge-l')", "{'rouge-1'}", "{'rouge-1': 0}", "iter(['rouge-1'])", "np.array(['rouge-1'])",
        "pd.Series(['rouge-1'])", "5", "[None]", "[1]", "['rouge-1', 'rouge-1']", "[b'rouge-1']", "['rouge1']",
        "['rouge-l', 'rouge-1']", "[' rouge-1']",
    )  # fmt: skip
    stats = (
        "['F']", "['f', 'F']", "['x']", "[]", "()", "''", "'f'", "'fp'", "'FP'", "('p', 'f')", "{'f'}", "iter(['f'])",
        "['f', 'f']", "[None]", "5", "[1]", "{'f': 0}", "['fp']", "['f', 'p', 'r']", "np.array(['f'])", "pd.Series(['f'])",
    )  # fmt: skip
    for tail in (
        "",
        ".get_scores('a b', 'a c')",
        ".get_scores(['a b', 'c'], ['a c', 'c'], avg=True)",
    ):
        for name in names:
            yield (
                f"Rouge(metrics={name}){tail}"
                if tail
                else f"Rouge(metrics={name}).metrics"
            )
            yield (
                f"Rouge({name}, return_lengths=True){tail}"
                if tail
                else f"Rouge({name}).stats"
            )
        for stat in stats:
            yield f"Rouge(stats={stat}){tail}" if tail else f"Rouge(stats={stat}).stats"
            yield f"Rouge(stats={stat}, raw_results=True){tail or '.stats'}"
        yield from (
            f"Rouge({flag}={value}){tail or '.' + flag}"
            for flag in ("return_lengths", "raw_results", "exclusive")
            for value in FLAGS
        )
    for flag in ("avg", "ignore_empty"):
        yield from (
            f"Rouge().get_scores(['a b', 'c'], ['a c', 'c'], {flag}={value})"
            for value in FLAGS
        )
    yield from (
        f"Rouge.{name}"
        for name in ("DEFAULT_METRICS", "DEFAULT_STATS", "AVAILABLE_STATS")
    )
    yield "list(Rouge.AVAILABLE_METRICS)"
    yield from (f"FilesRouge({name}).rouge.metrics" for name in names)
    # A number is a descriptor: no process has one so high, while a package would close 5,
    # which may be the caller's own, as it is under pytest.
    for path in ("None", "10**6", "b'x'", "''", "'missing'", "[]"):
        yield f"FilesRouge().get_scores({path}, {path})"


def rouge_metric() -> Iterator[str]:
    """Yield calls of PyRouge."""
    documents = "[['a b'], ['c', 'd']]"
    for values in LISTS:
        yield f"PyRouge().evaluate({values}, {documents})"
        yield f"PyRouge().evaluate(['a b', 'c'], {values})"
        yield f"PyRouge().evaluate({values}, [{values}] * 2)"
        yield f"PyRouge().evaluate_tokenized([[['a', 'b']]], [[{values}]])"
        yield f"PyRouge().evaluate_tokenized([[{values}]], [[[['a', 'b']]]])"
        yield f"PyRouge().evaluate_tokenized({values}, {values})"
    for text in TEXTS:
        yield f"PyRouge().evaluate([{text}], [['a c']])"
        yield f"PyRouge().evaluate(['a c'], [[{text}]])"
        yield f"PyRouge().evaluate({text}, [['a c']])"
    options = {
        "rouge_n": ("0", "-1", "1", "True", "None", "[]", "[0]", "[-1]", "(1, 3)", "{2}", "'1'", "['1']", "1.5", "[1.0]", "iter([1])", "np.array([1, 2])", "np.int64(2)", "range(1, 3)", "[2, 2]", "[2, 1]", "{1: 2}", "pd.Series([1])", "[1.5]"),
        "rouge_w=True, rouge_w_weight": (".5", "0", "-1", "1", "1.0", "2", "np.float64(1.2)", "'1.2'", "None", "True", "float('nan')", "float('inf')", "[1.2]", "1.2", "1e-3", ".99", "10", "np.float32(1.5)"),
        "rouge_w_weight": (".5", "None", "'x'"),
        "rouge_s=True, rouge_su=True, skip_gap": ("-1", "-5", "0", "1", "None", "True", "False", "'1'", "1.5", "1.0", "-0.5", "np.int64(2)", "np.int64(-2)", "[]", "''", "float('nan')", "float('inf')", "100"),
        "multi_ref_mode": ("'x'", "None", "'BEST'", "'Average'", "''", "5", "b'best'", "'best'", "[]"),
        "rouge_l=False, rouge_n=[], multi_ref_mode": ("'x'",),
        "alpha": ("-1", "2", "None", "'x'", "True", "float('nan')", "0", "1", "np.float64(.5)"),
        "mode": ("'x'", "None", "'AVERAGE'", "'Individual'", "''", "5", "'individual'", "[]"),
        "rouge_l": FLAGS,
        "rouge_w": FLAGS,
        "rouge_s": FLAGS,
    }  # fmt: skip
    for name, numbers in options.items():
        for value in numbers:
            yield f"PyRouge({name}={value}) and None"
            yield (
                f"PyRouge({name}={value}).evaluate(['a b c d e', 'c'], [['a x y e b',"
                " 'a b c d'], ['c']])"
            )
            yield f"PyRouge({name}={value}).evaluate([], [])"
            yield f"PyRouge({name}={value}).evaluate([''], [['']])"
    for function in (
        "str.split",
        "list",
        "str.upper",
        "len",
        "None",
        "5",
        "bytes",
        "set",
        "lambda text: [text, 'x']",
        "lambda text: (word for word in text.split())",
        "lambda text: []",
    ):
        yield (
            "PyRouge().evaluate(['a b\\nc d', 'c'], [['a c\\na'], ['c']],"
            f" sentencizer={function})"
        )
        yield (
            "PyRouge().evaluate(['a b\\nc d', 'c'], [['a c\\na'], ['c']],"
            f" tokenizer={function})"
        )


def rouge_score() -> Iterator[str]:
    """Yield calls of RougeScorer and BootstrapAggregator."""
    types = "['rouge1', 'rouge2', 'rougeL', 'rougeLsum']"
    others = (
        "''",
        "'a c'",
        "b'a c'",
        "bytearray(b'A c')",
        "b''",
        "None",
        "5",
        "['a c']",
        "String('a c')",
        "np.str_('a c')",
        "np.bytes_(b'a c')",
        "memoryview(b'a c')",
        "b'a\\nc d'",
        "b'\\xff a'",
        "'\\xe9 a'.encode()",
        "'a\\nc d'",
    )
    for text in (*TEXTS, *others):
        for stem in ("", ", True"):
            yield f"RougeScorer({types}{stem}).score({text}, 'a c')"
            yield f"RougeScorer({types}{stem}).score('a c', {text})"
            yield f"RougeScorer({types}{stem}).score({text}, {text})"
        for kind in ("rouge1", "rougeL", "rougeLsum"):
            yield f"RougeScorer(['{kind}']).score({text}, {text})"
        yield f"tokenize({text}, None)"
        yield f"DefaultTokenizer(True).tokenize({text})"
        yield f"RougeScorer(['rouge1']).score_multi([{text}, 'a'], 'a c')"
        yield f"RougeScorer(['rouge1']).score_multi(['a'], {text})"
    for values in LISTS:
        yield f"RougeScorer({types}).score_multi({values}, 'a c')"
    for names in (
        "'rouge1'",
        "('rouge1',)",
        "{'rouge1'}",
        "{'rouge1': 0}",
        "iter(['rouge1'])",
        "np.array(['rouge1'])",
        "pd.Series(['rouge1'])",
        "[]",
        "None",
        "5",
        "[None]",
        "[1]",
        "['ROUGE1']",
        "['rouge-1']",
        "['rouge0']",
        "['rouge10']",
        "['rouge1', 'rouge1']",
        "[b'rouge1']",
        "['rouge9']",
        "['rougel']",
        "['']",
        "[String('rouge1')]",
        "['rouge']",
        "['rougeN']",
        "['rouge-1']",
        "['rouge1.5']",
        "['rouge²']",
        "['rouge1\\n']",
    ):
        yield f"RougeScorer({names}).score('a b', 'a c')"
        yield f"RougeScorer({names}).score('', '')"
        yield f"RougeScorer({names}).score_multi(['a b', 'a c'], 'a c')"
    for split in (
        "t.split()",
        "set(t.split())",
        "(w for w in t.split())",
        "[1, 2]",
        "[None]",
        "t",
        "()",
        "np.array(t.split())",
    ):
        for text, kind in product(
            ("'a b\\nc'", "b'a b\\nc'"), ("rouge1", "rougeL", "rougeLsum")
        ):
            tokenizer = f"type('T', (), {{'tokenize': lambda _, t: {split}}})()"
            yield (
                f"RougeScorer(['{kind}'], tokenizer={tokenizer}).score({text}, 'a b d')"
            )
    for flag in FLAGS:
        yield (
            f"RougeScorer({types}, use_stemmer={flag}).score('running cats', 'runs"
            " cat')"
        )
        yield (
            f"RougeScorer({types}, tokenizer={flag}).score('running cats', 'runs cat')"
        )
    numbers = (
        "1",
        "0.5",
        "np.float64(.5)",
        "np.float32(.5)",
        "(1, 2)",
        "(1, 2, 3)",
        "[1, 2]",
        "Score(1, 2, 3)",
        "Score(.25, .5, .75)",
        "Score(np.float64(.25), 0, True)",
        "None",
        "'x'",
        "AggregateScore(1, 2, 3)",
        "True",
        "np.array([1., 2.])",
        "np.array([1, 2])",
        "(1,)",
        "()",
    )
    for number in numbers:
        yield f"seeded(BootstrapAggregator(n_samples=5), {{'x': {number}}})"
        yield (
            f"seeded(BootstrapAggregator(n_samples=5), {{'x': {number}}}, {{'x':"
            f" {number}}}, {{'y': .5}})"
        )
    for arguments in (
        "confidence_interval=0",
        "confidence_interval=1",
        "confidence_interval=-1",
        "confidence_interval=2",
        "confidence_interval=None",
        "confidence_interval='.9'",
        "n_samples=0",
        "n_samples=-1",
        "n_samples=2.5",
        "n_samples=2.0",
        "n_samples=None",
        "n_samples='9'",
        "n_samples=True",
        "confidence_interval=np.float64(.5)",
    ):
        yield (
            f"seeded(BootstrapAggregator({arguments}), {{'x': Score(.25, .5, .75)}},"
            " {'x': Score(0, 0, 0)})"
        )
    yield "BootstrapAggregator().aggregate()"
    yield (
        f"seeded(BootstrapAggregator(), *map(RougeScorer({types}).score, ['a b', 'c',"
        " ''], ['a c', 'c', 'b']))"
    )
    yield f"seeded(BootstrapAggregator(), RougeScorer({types}).score('a b', ''))"
    yield from (
        f"seeded(BootstrapAggregator(), {scores})"
        for scores in ("{}", "None", "[]", "'x'", "{1: 2}", "[('x', 1)]")
    )
    yield "seeded(BootstrapAggregator(), {'x': Score(1, 2, 3)}, {'x': 1})"
    yield "seeded(BootstrapAggregator(), {'x': 1}, {'x': Score(1, 2, 3)})"
    yield from (
        f"fmeasure({pair})"
        for pair in (
            "0, 0",
            "1, 1",
            "0., 0.",
            ".5, .25",
            "None, 1",
            "-1, 1",
            "np.float64(.5), .5",
            "-1, -1",
        )
    )


def pycocoevalcap() -> Iterator[str]:
    """Yield calls of the class of captions."""
    yield from pairs("Rouge().calc_score({}, {})", "['a b']")
    for text in TEXTS:
        yield f"Rouge().calc_score([{text}], ['a c'])"
        yield f"Rouge().calc_score(['a c'], [{text}, 'b'])"
        yield f"my_lcs({text}, ['a b', 'a', 'b'])"
        yield f"my_lcs(['a b', 'a', 'b'], {text})"
    for values in LISTS:
        yield f"my_lcs({values}, ['a b', 'd', 'c'])"
        yield f"my_lcs(['a b', 'd', 'c'], {values})"
        yield f"Rouge().compute_score({{1: {values}}}, {{1: ['a b']}})"
        yield f"Rouge().compute_score({{1: ['a b']}}, {{1: {values}}})"
    maps = (
        "{1: ['a b'], 2: ['c']}",
        "{2: ['c'], 1: ['a b']}",
        "{1: ['a b']}",
        "{1: ['a b'], '2': ['c']}",
        "{}",
        "None",
        "[]",
        "[['a b'], ['c']]",
        "pd.Series([['a b'], ['c']], index=[1, 2])",
        "pd.Series([['a b'], ['c']])",
    )
    for gts in maps:
        for res in maps:
            yield f"Rouge().compute_score({gts}, {res})"
    yield "Rouge().beta"
    yield "Rouge().method()"


def torchmetrics() -> Iterator[str]:
    """Yield calls of the function and the class."""
    keys = "rouge_keys=('rouge1', 'rougeL')"
    yield from pairs(f"rouge_score({{}}, {{}}, {keys})", "['a c', 'c']")
    yield from pairs(
        f"rouge_score({{}}, {{}}, accumulate='avg', {keys})", "['a c', 'c']"
    )
    for values in LISTS:
        yield f"rouge_score('a c d', {values}, {keys})"
        yield f"rouge_score(['a c d', 'c'], [{values}, {values}], {keys})"
        yield f"ROUGEScore({keys})({values}, {values})"
    for names in (
        "'rouge1'",
        "['rouge1']",
        "{'rouge1'}",
        "[]",
        "()",
        "None",
        "5",
        "'ROUGE1'",
        "'rouge10'",
        "('rouge1', 'rouge1')",
        "{'rouge1': 0}",
        "('rouge-1',)",
        "iter(['rouge1'])",
        "''",
        "(1,)",
        "np.array(['rouge1'])",
    ):
        yield f"rouge_score('a b', 'a c', rouge_keys={names})"
        yield f"ROUGEScore(rouge_keys={names})('a b', 'a c')"
        yield f"ROUGEScore(rouge_keys={names}).compute()"
    for flag in FLAGS:
        for name in ("use_stemmer", "normalizer", "tokenizer", "accumulate"):
            yield f"rouge_score('running cats', 'runs cat', {name}={flag}, {keys})"
    for function in (
        "list",
        "set",
        "str.split",
        "len",
        "lambda text: [1, 2]",
        "lambda text: None",
        "lambda text: ['a', '', 'b']",
        "lambda text: (word for word in text.split())",
        "str.upper",
    ):
        yield f"rouge_score('a b', 'a c', tokenizer={function}, {keys})"
        yield f"rouge_score('a b', 'a c', normalizer={function}, {keys})"


CALLS: Mapping[str, Any] = {
    "rouge": get_scores,
    "rouge_chinese": get_scores,
    "rouge_metric": rouge_metric,
    "rouge_score": rouge_score,
    "pycocoevalcap": pycocoevalcap,
    "torchmetrics": torchmetrics,
}


def seeded(aggregator: Any, *scores: Any) -> Any:  # noqa: ANN401 - the packages'
    """Return the aggregates of the scores, after numpy's generator was seeded."""
    import numpy as np

    for score in scores:
        aggregator.add_scores(score)
    np.random.seed(1)  # noqa: NPY002 - the generator that rouge_score draws from
    return aggregator.aggregate()


def namespace(modules: Mapping[str, str]) -> dict[str, Any]:
    """Return the names that calls use, from these modules."""
    import numpy as np
    import pandas as pd

    classes = {
        name: getattr(import_module(module), name) for name, module in modules.items()
    }
    return {
        **classes,
        "np": np,
        "pd": pd,
        "deque": deque,
        "String": String,
        "seeded": seeded,
    }


def render(value: object) -> str:
    """Return the text of a value with the names of all types."""
    kind = type(value).__name__
    if isinstance(value, dict):
        return f"{kind}{{{', '.join(f'{render(key)}: {render(item)}' for key, item in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"{kind}[{', '.join(map(render, value))}]"
    numbers = getattr(
        value, "tolist", None
    )  # numpy's and torch's print differently by version
    return f"{kind} {repr(numbers()) if numbers else repr(value)}"


def outcome(call: str, names: Mapping[str, Any]) -> str:
    """Return the result of a call with its types, or the name of its error after an
    exclamation mark.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return render(eval(call, dict(names)))  # noqa: S307 - calls of this file
    except Exception as error:  # noqa: BLE001 - any error of a package
        return f"!{type(error).__name__}"


def main(packages: Sequence[str]) -> None:
    """Print the calls of these packages and their outcomes."""
    for package in packages:
        print(json.dumps([package, version(DISTRIBUTIONS.get(package, package))]))
        names = namespace(NAMES[package])
        for call in dict.fromkeys(CALLS[package]()):
            print(json.dumps([package, call, outcome(call, names)], ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])
