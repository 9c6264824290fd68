"""Other packages called ROUGE: all their recorded output, to the last bit."""

import json
import random
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from everyday import THOROUGH

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.dialects import chinese, coco, google, pltrdy, rouge_metric, torchmetrics
from rouge_cli.errors import UsageError

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "others"
GET_SCORES = {"pltrdy": pltrdy.Rouge, "chinese": chinese.Rouge}
SIDES = ("hyps", "refs")
# Errors of the packages alone, which have results here (QUIRKS 75).
ACCIDENTS = {"RecursionError"}


@cache
def golden(dialect: str) -> list[dict[str, Any]]:
    """Return the recorded cases of a package; the first gives its version."""
    return list(
        map(json.loads, (FIXTURES / f"{dialect}.jsonl").read_text("utf-8").splitlines())
    )


def as_lines(text: str) -> str:
    """Return the text as a file of sentences reads back, without empty lines."""
    return "\n".join(line for line in text.split("\n") if line)


@pytest.mark.parametrize("dialect", GET_SCORES)
def test_get_scores_is_the_packages(dialect: str) -> None:
    """Each recorded call of `Rouge` has the package's result, or raises its error."""
    cases = [case for case in golden(dialect) if "init" in case]
    wrong = []
    for case in cases:
        result: Any
        try:
            rouge = GET_SCORES[dialect](**case["init"])
            result = rouge.get_scores(case["hyps"], case["refs"], **case["arguments"])
        except Exception as error:  # noqa: BLE001 - compared below
            result = type(error).__name__
        if (
            result != case.get("result", case.get("error"))
            and case.get("error") not in ACCIDENTS
        ):
            wrong.append((case, result))

    assert len(cases) > 400
    assert [] == wrong


@pytest.mark.parametrize("dialect", GET_SCORES)
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_command_scores_as_get_scores(dialect: str) -> None:
    """`rouge-cli score` gives the package's scores for each pair."""
    cases = [
        case
        for case in golden(dialect)
        if case.get("init") in ({}, {"exclusive": False})
        and not case["arguments"]
        and all(
            isinstance(case[side], str) and case[side] == as_lines(case[side])
            for side in SIDES
        )
    ]
    for case in cases:
        texts = [case[side] for side in SIDES]
        report = rouge_cli.score(
            texts[0], texts[1], dialect=DialectName(dialect), **case["init"]
        ).to_dict()["system"]
        (scores,) = case.get(
            "result", [dict.fromkeys(report, dict.fromkeys("rpf", 0.0))]
        )

        assert {label: list(score.values()) for label, score in scores.items()} == {
            label: list(score.values()) for label, score in report.items()
        }

    assert len(cases) > 120


def test_paragraphs_are_cut_alike() -> None:
    """`cut_sent` splits the same sentences as rouge-chinese."""
    cases = [case for case in golden("chinese") if "paragraph" in case]

    assert len(cases) == 300
    assert [case["result"] for case in cases] == [
        chinese.Rouge().cut_sent(case["paragraph"]) for case in cases
    ]


@pytest.mark.parametrize("dialect", GET_SCORES)
def test_accidents_of_the_packages_are_results(dialect: str) -> None:
    """A sentence of 1,100 words is scored, an empty text gets 0, and averages of
    counts are refused.
    """
    long = " ".join(f"w{number}" for number in range(1100))
    (scores,) = GET_SCORES[dialect](["rouge-l"]).get_scores(long, long)
    empty = rouge_cli.score(
        ["", "a"],
        ["a", "a"],
        "rouge-1",
        dialect=DialectName(dialect),
        notify=lambda _: None,
    )
    left_out = rouge_cli.score(
        ["", "a"], ["a", "a"], "rouge-1", dialect=DialectName(dialect), notify=lambda _: None,
        ignore_empty=True,
    )  # fmt: skip

    assert {"r": 1.0, "p": 1.0, "f": 0.999999995} == scores["rouge-l"]
    assert [0.0, 1.0] == [
        result.score.recall for result in empty.results[0].evals if result.score
    ]
    assert 1.0 == left_out.to_dict()["system"]["rouge-1"]["recall"]
    with pytest.raises(ValueError, match="counts are not averaged"):
        GET_SCORES[dialect](raw_results=True).get_scores(["a"], ["a"], avg=True)


@pytest.mark.parametrize("dialect", GET_SCORES)
def test_labels_parse_back(dialect: str) -> None:
    """Labels print as in the packages, and are also parsed in other spellings."""
    report = rouge_cli.score(
        "a", "a", ["ROUGE-1", "r2", "rougel", "rouge-5"], dialect=DialectName(dialect)
    )

    assert ["rouge-1", "rouge-2", "rouge-l", "rouge-5"] == [
        result.label for result in report.results
    ]
    again = rouge_cli.score("a", "a", like=report.signature)
    assert again.signature == report.signature
    for wrong in ("rouge-6", "rouge-0", "rouge-w", ""):
        with pytest.raises(UsageError, match="unknown metric"):
            rouge_cli.score("a", "a", [wrong], dialect=DialectName(dialect))


@pytest.mark.parametrize("dialect", GET_SCORES)
def test_several_models_are_combined(dialect: str) -> None:
    """The packages take one model; several give the mean of their scores, or those
    of the best F.
    """
    references = ["a b", "a c d e"]
    one_by_one = GET_SCORES[dialect]().get_scores(["a b c"] * 2, references)
    mean = rouge_cli.score(
        ["a b c"], [references], dialect=DialectName(dialect)
    ).to_dict()["system"]
    best = rouge_cli.score(
        ["a b c"], [references], dialect=DialectName(dialect), formula="best"
    ).to_dict()["system"]

    for label, score in mean.items():
        recalls = [scores[label]["r"] for scores in one_by_one]
        assert pytest.approx(sum(recalls) / 2) == score["recall"]
        assert max(scores[label]["f"] for scores in one_by_one) == best[label]["f"]


def test_captions_are_cocos() -> None:
    """Single captions, and sets of them, have pycocoevalcap's scores and mean, or
    its errors.
    """
    rouge = coco.Rouge()
    for case in golden("coco")[1:]:
        if "candidate" in case:
            assert case["result"] == rouge.calc_score(
                [case["candidate"]], case["references"]
            )
        elif "error" in case:
            with pytest.raises(AssertionError):
                rouge.compute_score(case["gts"], case["res"])
        else:
            mean, scores = rouge.compute_score(case["gts"], case["res"])
            assert case["result"] == [mean, scores.tolist()]

    assert ("Rouge", 1.2) == (rouge.method(), rouge.beta)


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_command_scores_captions() -> None:
    """`score` has pycocoevalcap's score of each caption; R and P are separate
    maxima.
    """
    cases = [
        case
        for case in golden("coco")
        if "candidate" in case
        and all(
            text == as_lines(text) for text in (case["candidate"], *case["references"])
        )
    ]
    rows = rouge_cli.score_rows(
        [case["candidate"] for case in cases],
        [case["references"] for case in cases],
        dialect="coco",
    )
    (both,) = rouge_cli.score_rows(
        ["a b c d e"], [["a b", "c e d a b x y"]], "ROUGE-L", dialect="coco"
    )

    assert len(cases) > 150
    assert [case["result"] for case in cases] == [row["ROUGE_L.f"] for row in rows]
    assert (1.0, 2 / 5) == (both["ROUGE_L.recall"], both["ROUGE_L.precision"])


@pytest.mark.parametrize(
    ("recorded", "least"), [("torchmetrics", 250), ("torchmetrics_lsum", 300)]
)
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_command_scores_as_torchmetrics(recorded: str, least: int) -> None:
    """A prediction's scores are torchmetrics' to the last bit; means differ by its
    single precision.
    """
    if recorded == "torchmetrics_lsum":
        pytest.importorskip("punkt", reason="the extra `punkt` is not installed")
    cases = [
        case
        for case in golden(recorded)[1:]
        if all(
            text == as_lines(text) for text in [*case["preds"], *chain(*case["target"])]
        )
    ]
    for case in cases[:: 1 if THOROUGH else 4]:
        options = case["options"]
        report = rouge_cli.score(
            case["preds"], case["target"], options["rouge_keys"], dialect="torchmetrics",
            stemmer="nltk" if options["use_stemmer"] else "none", accumulate=options["accumulate"],
        ).to_dict()["system"]  # fmt: skip
        scores = {
            f"{label}_{'fmeasure' if name == 'f' else name}": value
            for label, score in report.items()
            for name, value in score.items()
        }
        tolerance = 0 if len(case["preds"]) == 1 else 1e-7
        assert pytest.approx(case["result"], abs=tolerance, rel=0) == scores

    assert len(cases) > least


@pytest.mark.parametrize("recorded", ["torchmetrics", "torchmetrics_lsum"])
def test_the_drop_in_scores_as_torchmetrics(recorded: str) -> None:
    """`rouge_score` without torch has torchmetrics' means, of texts with any lines
    and sentences.
    """
    if recorded == "torchmetrics_lsum":
        pytest.importorskip("punkt", reason="the extra `punkt` is not installed")
    cases = golden(recorded)[1:]
    for case in cases[:: 1 if THOROUGH else 4]:
        options = {
            **case["options"],
            "rouge_keys": tuple(case["options"]["rouge_keys"]),
        }
        scores = torchmetrics.rouge_score(case["preds"], case["target"], **options)
        assert pytest.approx(case["result"], abs=1e-7, rel=0) == scores

    assert len(cases) >= 400


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_torchmetrics_is_rouge_score() -> None:
    """With `best`, torchmetrics' F is rouge_score's except for single precision.

    R and P may be another model's, whose F is the same in single precision and not in
    double.
    """
    cases = [
        case
        for case in golden("torchmetrics")[1:]
        if case["options"]["accumulate"] == "best" and len(case["preds"]) == 1
    ]
    for case in cases:
        keys = case["options"]["rouge_keys"]
        scorer = google.RougeScorer(keys, use_stemmer=case["options"]["use_stemmer"])
        scores = scorer.score_multi(case["target"][0], case["preds"][0])
        assert [
            pytest.approx(case["result"][f"{key}_fmeasure"], abs=1e-7) for key in keys
        ] == [scores[key].fmeasure for key in keys]

    assert len(cases) > 200


def test_evaluate_is_rouge_metrics() -> None:
    """Documents and their averages have PyRouge's scores to the last bit, or its
    errors.
    """
    for case in golden("rouge_metric")[1:]:
        if "error" in case:
            with pytest.raises(
                ValueError, match=r"Invalid|same size|without references"
            ):
                rouge_metric.PyRouge(**case["init"]).evaluate(
                    case["hypotheses"], case["references"]
                )
        else:
            ours = rouge_metric.PyRouge(**case["init"])
            assert case["result"] == ours.evaluate(
                case["hypotheses"], case["references"]
            )


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_command_scores_as_rouge_metric() -> None:
    """`score` has PyRouge's scores to the last bit; means differ by the order of
    summation.
    """
    cases = [
        case
        for case in golden("rouge_metric")[1:]
        if case.get("result")
        and case["init"]["mode"] == "average"
        and case["init"]["skip_gap"] != 0
    ]
    for case in cases:
        init = case["init"]
        report = rouge_cli.score(
            case["hypotheses"], case["references"], list(case["result"]), dialect="rouge_metric",
            formula=init["multi_ref_mode"], alpha=init["alpha"],
        ).to_dict()["system"]  # fmt: skip
        scores = {
            label: dict(zip("rpf", score.values(), strict=True))
            for label, score in report.items()
        }
        for label, score in case["result"].items():
            tolerance = 0 if len(case["hypotheses"]) == 1 else 1e-12
            assert pytest.approx(score, abs=tolerance, rel=0) == scores[label]

    assert len(cases) > 200


def test_tokens_may_be_anything() -> None:
    """PyRouge takes tokenized documents, and functions that split strings."""
    rouge = rouge_metric.PyRouge(1)
    expected = {"r": 1.0, "p": 2 / 3, "f": 0.8}

    assert (
        expected == rouge.evaluate_tokenized([[[1, 2], [3]]], [[[[1], [2]]]])["rouge-l"]
    )
    halves = rouge.evaluate(
        ["a-b;c"], [["a;b"]], lambda text: text.split(";"), lambda text: text.split("-")
    )
    assert {"rouge-1": expected, "rouge-l": expected} == halves


def test_packages_are_the_original_on_plain_words() -> None:
    """Each package equals the dialect in docs/explanation/which-rouge.md, on random
    lower-case words.
    """
    chance = random.Random(1)
    words = [f"{first}{second}" for first in "bcdfg" for second in "aeioulmn"]

    def figures(
        dialect: str, label: str, prediction: str, reference: str
    ) -> list[float]:
        """Return R and P of a pair, as ROUGE-1.5.5 rounds them."""
        score = rouge_cli.score(
            prediction, reference, [label], dialect=DialectName(dialect), samples=0
        ).to_dict()["system"]
        ((_, values),) = score.items()
        return [round(values[name], 5) for name in ("recall", "precision")]

    for _ in range(60 if THOROUGH else 12):
        once = [" ".join(chance.sample(words, chance.randint(3, 12))) for _ in "12"]
        often = [
            " ".join(chance.choices(words[:8], k=chance.randint(3, 12))) for _ in "12"
        ]
        lines = ["\n".join(texts) for texts in (once, [often[0], once[1]])]
        for n in (1, 2):
            label = f"ROUGE-{n}"
            assert figures("rouge155", label, *once) == figures("pltrdy", label, *once)
            assert figures("pltrdy", label, *often) == figures("chinese", label, *often)
            for dialect in ("torchmetrics", "google", "rouge2"):
                assert figures("rouge155", label, *often) == figures(
                    dialect, label, *often
                )
        for label in (
            "ROUGE-1",
            "ROUGE-2",
            "ROUGE-L",
            "ROUGE-W-1.2",
            "ROUGE-SU4",
            "ROUGE-S*",
        ):
            assert figures("rouge155", label, *lines) == figures(
                "rouge_metric", label, *lines
            )
        assert figures("rouge155", "ROUGE-L", *once) == figures(
            "pltrdy", "ROUGE-L", *once
        )
        whole = figures("rouge155", "ROUGE-L-sentence", *often)
        for dialect in ("chinese", "coco", "torchmetrics"):
            assert whole == figures(dialect, "ROUGE-L", *often)
