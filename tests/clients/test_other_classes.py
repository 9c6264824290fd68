"""Classes of the other packages compared with the packages themselves: files and
captions.
"""

import inspect
import random
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest
from outcomes import outcome

from rouge_cli.dialects import chinese, coco, pltrdy

OURS = {"rouge": pltrdy, "rouge_chinese": chinese}
WORDS = (
    "cat",
    "cats",
    "sat.",
    "on",
    "U.S.",
    "猫",
    "坐。",
    "naïve",
    "a",
    "b",
    "\u2028",
    "c\x0bd",
)
FILES = (
    *(
        "", "\n", "a", "a\n", "a b\nc", "a\n\nb\n", "a\r\nb\r\n", "a\rb\r", "\ufeffa\nb\n", "a. b\n c\n",
        ".\n.",
    ),
    *("猫 坐\n狗\n", "猫 坐。狗\nb", "a b c\nd"),
)  # fmt: skip


@pytest.mark.parametrize("package", OURS)
def test_files_are_scored_alike(package: str, tmp_path: Path) -> None:
    """`FilesRouge` has the package's scores and means of any two files, or its
    errors.
    """
    theirs = pytest.importorskip(package)
    chance = random.Random(16)
    files = [
        *FILES,
        *(
            "".join(
                " ".join(chance.choices(WORDS, k=chance.randint(0, 8))) + "\n"
                for _ in range(4)
            )
            for _ in range(40)
        ),
    ]
    for number, text in enumerate(files):
        (tmp_path / str(number)).write_text(text, "utf-8", newline="")
    (tmp_path / "bytes").write_bytes(b"\xff\n")
    names = ["missing", ".", "bytes", *map(str, range(len(files)))]
    pairs = [(first, second) for first in names[:16] for second in names[:16]]
    pairs += pairwise(names)
    scored = 0
    for pair in pairs:
        paths = [str(tmp_path / name) for name in pair]
        for init in ({}, {"metrics": ["rouge-1"], "stats": ["f"], "exclusive": False}):
            for options in ({}, {"avg": True}, {"ignore_empty": True, "avg": True}):
                expected = outcome(
                    theirs.FilesRouge(**init).get_scores, *paths, **options
                )
                ours = outcome(
                    OURS[package].FilesRouge(**init).get_scores, *paths, **options
                )
                assert expected == ours, (pair, options)
                scored += not isinstance(expected, str)

    assert scored > 200
    signatures = [
        list(inspect.signature(module.FilesRouge.get_scores).parameters)
        for module in (theirs, OURS[package])
    ]
    assert signatures[0] == signatures[1]


def test_captions_are_scored_alike() -> None:
    """`my_lcs` and `compute_score` have pycocoevalcap's values."""
    pytest.importorskip("pycocoevalcap")
    theirs = import_module("pycocoevalcap.rouge.rouge")
    chance = random.Random(16)
    for _ in range(300):
        first, second = (
            chance.choices("abcd", k=chance.randint(0, 9)) for _ in range(2)
        )
        assert theirs.my_lcs(first, second) == coco.my_lcs(first, second)
    texts = {
        image: [" ".join(chance.choices("abcde", k=6)) for _ in range(4)]
        for image in range(20)
    }
    captions = (
        {image: each[1:] for image, each in texts.items()},
        {i: each[:1] for i, each in texts.items()},
    )
    (mean, scores), (own_mean, own_scores) = (
        module.Rouge().compute_score(*captions) for module in (theirs, coco)
    )

    assert (mean, scores.tolist()) == (own_mean, own_scores.tolist())


@pytest.mark.parametrize("package", OURS)
def test_metrics_of_a_program_are_called(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Functions that a program adds to AVAILABLE_METRICS, or puts in place of others,
    have the package's arguments, and their scores are used.
    """
    pytest.importorskip(package)
    outcomes = []
    for module in (import_module(package), OURS[package]):
        calls: list[object] = []

        def score(
            *texts: object, calls: list[object] = calls, **choice: object
        ) -> object:
            calls.append((texts, list(choice.items())))
            return {
                "f": 0.25,
                "p": 0.5,
                "r": len(calls),
                "hyp": 1,
                "ref": 2,
                "overlap": 1,
            }

        metrics = module.Rouge.AVAILABLE_METRICS
        monkeypatch.setitem(metrics, "rouge-own", score)
        monkeypatch.setitem(metrics, "rouge-2", score)
        results = [
            module.Rouge(metrics=["ROUGE-OWN", "rouge-1"]).get_scores(text, "b c")
            for text in ("a  b. . c.", "A\x1cb\u2003c.\xa0d\u3002 e")
        ]
        results.append(module.Rouge().get_scores(["a b", "c"], ["a", "c"], avg=True))
        raw = module.Rouge(metrics=["rouge-2"], raw_results=True, exclusive=False)
        results.append(raw.get_scores(["a", "b. c"], ["b", "a"]))
        for label, function in metrics.items():
            if function is not score:
                results.append([label, function(["a b", "c"], ["c b a"])])
                results.append(outcome(function, [], ["a"]))
        outcomes.append((repr(results), calls))

    assert outcomes[0] == outcomes[1]
    with pytest.raises(ValueError, match="Unknown metric"):
        OURS[package].Rouge(metrics=["rouge-unknown"])
