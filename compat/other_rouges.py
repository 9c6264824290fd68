"""Record what other ROUGE packages print, as goldens: fixtures/others/PACKAGE.jsonl.

    python compat/other_rouges.py pltrdy > fixtures/others/pltrdy.jsonl

Run it with a Python that has the package (`rouge`, `rouge-chinese`, `pycocoevalcap`,
`torchmetrics` with torch and nltk, or `rouge-metric`) and not rouge-cli. Packages are
black boxes: the results of calls are recorded with the package's version, or the name
of the error.
"""

from __future__ import annotations

import json
import random
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

CASES = 360
ALPHABETS = (
    "a b",
    "a b c d",
    " ".join(f"w{number}" for number in range(25)),
    "the The a of cat cats sat on mat running , ! ? ... 3.5 U.S. don't e-mail <q>",
    "猫 坐 在 垫子 上 。 ， ！ ？ 走る é É ñ ß naïve Кот İ ſ",
    "a b 。 ！ ？ ? ” ’ “ ...... …… … ， c。 d？ .",
)
SPACES = (
    *[" "] * 12,
    "  ",
    "\n",
    "\n",
    "\t",
    "\u00a0",
    "\u3000",
    "\u200b",
    ". ",
    ".",
    "\r\n",
    "。",
)
PHRASES = (
    *(
        "今天天气很好",
        "人人生而自由",
        "会议讨论了预算",
        "，",
        "。",
        "在尊严和权利上",
        "一律平等",
        "3.5 亿元",
    ),
    *(
        "U.S.",
        " ",
        "专家表示",
        "会议",
        "预算增加了",
        "！",
        "\n",
        "（第一季度）",
        "GPT-4 模型",
    ),
    *("北京大学生", "研究生命起源", "、", "…", "他说：“不行”"),
)
WEIGHTS = ((0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 30), (1, 2, 2, 3, 4, 4, 4, 4, 4, 3, 1))
# Empty texts, blanks, dots alone, repeated words, ties between subsequences.
PAIRS = (
    *(
        ("", ""),
        ("", "a"),
        ("a", ""),
        (" ", "a"),
        ("a", "\n"),
        (".", "a"),
        ("a", "."),
        (". .", ". a"),
    ),
    *(
        ("a", "a"),
        ("A", "a"),
        ("a b c", "a b d"),
        ("a a a", "a a"),
        ("a a b b", "b b a a"),
        ("!", "?"),
    ),
    *(
        ("a b. b a", "a b"),
        ("a b", "a b. b a"),
        ("a.b c", "a.b c d"),
        ("a b\nc d", "c d\na b"),
    ),
    *(("a b c d", "d c b a"), ("a c b d", "a b c d"), ("a b a b. b a", "b a b. a b a")),
)
LONG = " ".join(f"w{number}" for number in range(1100))


def text(chance: random.Random, alphabet: Sequence[str]) -> str:
    """Return a random text, of up to 30 words."""
    (size,) = chance.choices(*WEIGHTS)
    words = (chance.choice(alphabet) + chance.choice(SPACES) for _ in range(size))
    return "".join(words)[: chance.choice((None, None, -1))]


def pairs(
    chance: random.Random, most_references: int
) -> Iterator[tuple[str, list[str]]]:
    """Return hypotheses, each with its references."""
    yield from ((hypothesis, [reference]) for hypothesis, reference in PAIRS)
    while True:
        alphabet = chance.choice(ALPHABETS).split(" ")
        references = [
            text(chance, alphabet) for _ in range(chance.randint(1, most_references))
        ]
        yield text(chance, alphabet), references


def outcome(call: Callable[[], Any]) -> dict[str, Any]:
    """Return the result of a call, or the name of the error that it raised."""
    try:
        return {"result": call()}
    except Exception as error:  # noqa: BLE001 - any error of a package
        return {"error": type(error).__name__}


def get_scores(
    rouge_class: Callable[..., Any], longest: int
) -> Iterator[dict[str, Any]]:
    """Record `rouge` and `rouge_chinese`: single pairs, options of the class, lists
    and their averages.
    """
    chance = random.Random(16)
    settings: Sequence[dict[str, Any]] = (
        *([{}] * 4),
        {"exclusive": False},
        {"metrics": ["rouge-l", "rouge-4", "rouge-3"], "stats": ["p", "f"]},
        {"return_lengths": True},
        {"raw_results": True},
        {"raw_results": True, "exclusive": False},
    )

    def case(
        hypotheses: object, references: object, init: dict[str, Any], **arguments: bool
    ) -> dict[str, Any]:
        call = outcome(
            lambda: rouge_class(**init).get_scores(hypotheses, references, **arguments)
        )
        return {
            "init": init,
            "hyps": hypotheses,
            "refs": references,
            "arguments": arguments,
            **call,
        }

    source = pairs(chance, 1)
    for number in range(CASES):
        hypothesis, (reference,) = next(source)
        yield case(
            hypothesis,
            reference,
            settings[number % len(settings)] if number >= len(PAIRS) else {},
        )
    for number in range(40):
        several = [next(source) for _ in range(chance.randint(0, 9))]
        hypotheses, references = (
            [pair[0] for pair in several],
            [pair[1][0] for pair in several],
        )
        init: dict[str, Any] = {"return_lengths": True} if number % 5 == 4 else {}
        yield case(
            hypotheses,
            references,
            init,
            avg=number % 4 != 3,
            ignore_empty=number % 3 != 2,
        )
    unequal: Sequence[tuple[Any, Any]] = (
        *(
            (["a"], ["a", "b"]),
            (["a"], "a"),
            ("a", ["a"]),
            (["a", "b"], ["a"]),
            (["a"], ["."]),
        ),
    )
    for texts in unequal:
        yield case(texts[0], texts[1], {})
        yield case(texts[0], texts[1], {}, ignore_empty=True)
    few: Sequence[dict[str, Any]] = (
        *({"metrics": ["rouge-6"]}, {"stats": ["x"]}, {"metrics": []}, {"stats": []}),
    )
    for settings_of_few in few:
        yield case("a b", "a c", settings_of_few)
    yield case(LONG[:longest], LONG[:longest], {"metrics": ["rouge-l"]})


def pltrdy() -> Iterator[dict[str, Any]]:
    """Record PyPI's rouge; a sentence of 1,100 words exceeds its limit of recursion."""
    from rouge import Rouge

    yield {"package": "rouge", "version": version("rouge")}
    yield from get_scores(Rouge, len(LONG))


def chinese() -> Iterator[dict[str, Any]]:
    """Record PyPI's rouge-chinese, and how it splits paragraphs."""
    from rouge_chinese import Rouge

    yield {"package": "rouge-chinese", "version": version("rouge-chinese")}
    yield from get_scores(Rouge, 1500)
    chance = random.Random(17)
    marks = [*"ab。！？?!.…”’“，\n \r;」\"'", "......", "……"]
    for _ in range(300):
        paragraph = "".join(chance.choices(marks, k=chance.randint(0, 10)))
        yield {"paragraph": paragraph, "result": Rouge().cut_sent(paragraph)}


def longbench_zh() -> Iterator[dict[str, Any]]:
    """Record LongBench's rouge_zh_score: PyPI's rouge on the words of jieba, 0 for
    its errors.
    """
    import jieba  # type: ignore[import-untyped]
    from rouge import Rouge

    yield {
        "package": "rouge",
        "version": {name: version(name) for name in ("rouge", "jieba")},
    }
    chance = random.Random(22)
    for _ in range(CASES):
        some = chance.sample(PHRASES, 9)
        texts = [
            "".join(chance.choices(some, k=chance.randint(0, 12))) for _ in range(2)
        ]
        words = [[" ".join(jieba.cut(text, cut_all=False))] for text in texts]
        scored = outcome(lambda: Rouge().get_scores(*words, avg=True)["rouge-l"]["f"])  # noqa: B023
        yield {"hyps": texts[0], "refs": texts[1], "result": scored.get("result", 0.0)}


def coco() -> Iterator[dict[str, Any]]:
    """Record pycocoevalcap's ROUGE-L alone: single captions, and sets of them."""
    from pycocoevalcap.rouge.rouge import Rouge

    yield {"package": "pycocoevalcap", "version": version("pycocoevalcap")}
    source = pairs(random.Random(18), 5)
    for _ in range(CASES):
        candidate, references = next(source)
        call = outcome(lambda: float(Rouge().calc_score([candidate], references)))  # noqa: B023
        yield {"candidate": candidate, "references": references, **call}
    for size in (1, 2, 3, 7, 8, 9, 17, 140):
        captions = [next(source) for _ in range(size)]
        gts = {
            str(image): references[:2] for image, (_, references) in enumerate(captions)
        }
        res = {str(image): [candidate] for image, (candidate, _) in enumerate(captions)}
        mean, scores = Rouge().compute_score(gts, dict(reversed(res.items())))
        yield {"gts": gts, "res": res, "result": [float(mean), scores.tolist()]}
    wrong: Sequence[tuple[Any, Any]] = (
        *(
            ({"1": ["a"]}, {"2": ["a"]}),
            ({"1": []}, {"1": ["a"]}),
            ({"1": ["a"]}, {"1": ["a", "b"]}),
        ),
        *(
            ({"1": "a"}, {"1": ["a"]}),
            ({"1": ["a"]}, {"1": "a"}),
            ({"1": ["a"]}, {"1": []}),
        ),
    )
    for gts, res in wrong:
        call = outcome(lambda: Rouge().compute_score(gts, res))  # noqa: B023
        yield {"gts": gts, "res": res, **call}


def torchmetrics() -> Iterator[dict[str, Any]]:
    """Record the rouge_score of torchmetrics: one prediction against its targets, and
    batches of them.

    Without rougeLsum, which requires the data of nltk's punkt.
    """
    from torchmetrics.functional.text.rouge import rouge_score

    names = ("torchmetrics", "torch", "nltk")
    yield {"package": names[0], "version": {name: version(name) for name in names}}
    chance = random.Random(19)
    source = pairs(chance, 4)
    keys = (
        ("rouge1", "rouge2", "rougeL"),
        ("rougeL", "rouge3", "rouge1"),
        ("rouge2", "rougeL"),
    )
    for number in range(CASES + 40):
        size = 1 if number < CASES else chance.choice((2, 3, 17, 40))
        batch = [next(source) for _ in range(size)]
        options = {
            "rouge_keys": chance.choice(keys),
            "use_stemmer": chance.random() < 0.3,
            "accumulate": chance.choice(("best", "best", "avg")),
        }
        predictions, targets = [pair[0] for pair in batch], [pair[1] for pair in batch]
        scores = rouge_score(predictions, targets, **options)
        result = {name: value.item() for name, value in scores.items()}
        yield {
            "preds": predictions,
            "target": targets,
            "options": options,
            "result": result,
        }


def torchmetrics_lsum() -> Iterator[dict[str, Any]]:
    """Record the rougeLsum of torchmetrics, on texts that nltk's punkt has to split.

    NLTK_DATA must name a folder with punkt's data, as for `punkt_sentences.py`.
    """
    from punkt_sentences import PLAIN, SPACES, WORDS  # type: ignore[import-not-found]  # beside this file
    from torchmetrics.functional.text.rouge import rouge_score

    names = ("torchmetrics", "torch", "nltk")
    yield {"package": names[0], "version": {name: version(name) for name in names}}
    chance = random.Random(21)
    lines = [space for space in SPACES if space != "\n\n"]  # files have no empty lines
    for number in range(CASES + 40):
        some = chance.sample(WORDS, chance.choice((8, 15, 30)))
        spaces = SPACES if number % 10 == 9 else lines
        texts = [
            "".join(
                chance.choice(some) + chance.choice(spaces)
                for _ in range(chance.randint(0, 40))
            ).strip()
            for _ in range(4)
        ]
        targets = texts[1 : chance.choice((2, 2, 3, 4))]
        batch = (
            [(texts[0], targets)]
            if number >= len(PLAIN)
            else [(PLAIN[number], [PLAIN[-number]])]
        )
        if number >= CASES:
            batch += [(target, [texts[0]]) for target in targets]
        options: dict[str, Any] = {
            "rouge_keys": chance.choice((["rougeLsum"], ["rougeLsum", "rougeL"])),
            "use_stemmer": chance.random() < 0.3,
            "accumulate": chance.choice(("best", "best", "avg")),
        }
        predictions, references = (
            [pair[0] for pair in batch],
            [pair[1] for pair in batch],
        )
        scores = rouge_score(
            predictions,
            references,
            **{**options, "rouge_keys": tuple(options["rouge_keys"])},
        )
        result = {name: value.item() for name, value in scores.items()}
        yield {
            "preds": predictions,
            "target": references,
            "options": options,
            "result": result,
        }


def rouge_metric() -> Iterator[dict[str, Any]]:
    """Record PyRouge, the class of PyPI's rouge-metric: single documents, and
    averages of several.
    """
    from rouge_metric import PyRouge

    yield {"package": "rouge-metric", "version": version("rouge-metric")}
    chance = random.Random(20)
    source = pairs(chance, 3)
    for number in range(CASES + 40):
        size = 1 if number < CASES else chance.choice((0, 2, 3, 17))
        batch = [next(source) for _ in range(size)]
        measured = chance.choice(("n", "lw", "s"))
        init = {
            "rouge_n": chance.choice((2, [1, 3], [4, 1])) if measured == "n" else [],
            "rouge_l": measured == "lw",
            "rouge_w": measured == "lw",
            "rouge_w_weight": chance.choice((1.2, 1.5, 2)),
            "rouge_s": measured == "s",
            "rouge_su": measured == "s",
            "skip_gap": chance.choice((None, 0, 1, 4)),
            "multi_ref_mode": chance.choice(("average", "best")),
            "alpha": chance.choice((0.5, 0.5, 0.5, 0.2, 0.0, 1.0)),
            "mode": "individual" if number % 7 == 0 else "average",
        }
        texts = [pair[0] for pair in batch], [pair[1] for pair in batch]
        call = outcome(lambda: PyRouge(**init).evaluate(*texts))  # noqa: B023
        yield {"init": init, "hypotheses": texts[0], "references": texts[1], **call}
    wrong: Sequence[tuple[dict[str, Any], list[str], list[list[str]]]] = (
        ({"mode": "x"}, ["a"], [["a"]]),
        ({"multi_ref_mode": "x"}, ["a"], [["a"]]),
        ({}, ["a"], []),
        ({}, ["a"], [[]]),
        ({"multi_ref_mode": "best"}, ["a"], [[]]),
    )
    for init, hypotheses, references in wrong:
        call = outcome(lambda: PyRouge(**init).evaluate(hypotheses, references))  # noqa: B023
        yield {"init": init, "hypotheses": hypotheses, "references": references, **call}


PACKAGES = {
    "pltrdy": pltrdy,
    "chinese": chinese,
    "longbench_zh": longbench_zh,
    "coco": coco,
    "torchmetrics": torchmetrics,
    "torchmetrics_lsum": torchmetrics_lsum,
    "rouge_metric": rouge_metric,
}


def main() -> None:
    """Print the cases of the named package, one per line."""
    for case in PACKAGES[sys.argv[1]]():
        print(json.dumps(case, ensure_ascii=False))


if __name__ == "__main__":
    main()
