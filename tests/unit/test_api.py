"""The Python interface."""

import json
import pickle
import sys
import warnings
from decimal import Decimal
from functools import partial
from math import inf, nan
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from case_tables import tabled

import rouge_cli
from rouge_cli import dialects, errors, plugins
from rouge_cli.api import DialectName
from rouge_cli.core import Document, EvalTask, Notice
from rouge_cli.dialects import google
from rouge_cli.errors import RougeError, RougeWarning, UsageError
from rouge_cli.runs import assembly
from tests.conftest import ROOT

BOTH = Document(b"a b", "")


def test_the_papers_sentences() -> None:
    """Two strings are one eval, and the figures are ROUGE-1.5.5's, rounded as it
    rounds them.
    """
    report = rouge_cli.score(
        "police kill the gunman", "police killed the gunman", "R1,ROUGE-2,ROUGE-S*"
    )

    assert {
        "system": {
            "ROUGE-1": {"recall": 0.75, "precision": 0.75, "f": 0.75},
            "ROUGE-2": {"recall": 0.33333, "precision": 0.33333, "f": 0.33333},
            "ROUGE-S*": {"recall": 0.5, "precision": 0.5, "f": 0.5},
        }
    } == rounded(report.to_dict())


def rounded(scores: Any) -> Any:  # noqa: ANN401 - any depth
    """Round all numbers to five decimals."""
    return (
        {k: rounded(v) for k, v in scores.items()}
        if isinstance(scores, dict)
        else round(scores, 5)
    )


def test_lists_are_evals_and_lists_in_them_models() -> None:
    """Texts, lists of texts, several references and several systems give what each
    gives alone.
    """
    predictions = ["the cat sat", "a dog ran far"]
    references = [["the cat sat down", "one cat sat"], ["the dog ran", "a dog"]]
    together = rouge_cli.score(
        {"a": predictions, "b": predictions[::-1]}, references, "ROUGE-1", samples=0
    )
    single = [
        rouge_cli.score(*pair, "ROUGE-1", samples=0)
        for pair in zip(predictions, references, strict=True)
    ]
    mean = sum(report.to_dict()["system"]["ROUGE-1"]["recall"] for report in single) / 2

    assert ["a", "b"] == [result.system for result in together.results]
    assert mean == together.to_dict()["a"]["ROUGE-1"]["recall"]
    assert (
        rouge_cli.score(predictions, references, "ROUGE-1", samples=0).to_dict()[
            "system"
        ]
        == together.to_dict()["a"]
    )


def test_sentences_may_be_lists_of_strings() -> None:
    """In a system's list, a list is a text whose items are its sentences."""
    lines = rouge_cli.score(["a b\nc d"], [["x\na b"]], "ROUGE-L")

    assert (
        lines.to_dict()
        == rouge_cli.score([["a b", "c d"]], [[["x", "a b"]]], "ROUGE-L").to_dict()
    )


@tabled
def test_other_languages(
    tokenizer: str, prediction: str, reference: str, recall: float, precision: float
) -> None:
    """Text in other alphabets has the scores that counting its words by hand gives."""
    scores = rouge_cli.score(
        prediction, reference, "ROUGE-1", tokenizer=tokenizer, samples=0
    ).to_dict()["system"]["ROUGE-1"]

    assert (round(recall, 5), round(precision, 5)) == (
        scores["recall"],
        scores["precision"],
    )


def test_text_without_tokens_causes_a_notice() -> None:
    """The classic tokenizer finds no token in another alphabet, and the notice names
    its language.
    """
    notices: list[Notice] = []
    rouge_cli.score("кошка спит", "кошка", notify=notices.append)

    assert 1 == len(notices)  # which both texts cause
    assert "no tokens" in notices[0].message
    assert "--language ru" in notices[0].message


def test_a_database_with_other_forms_causes_a_notice() -> None:
    """A database of irregular forms that is not the release's is reported, as by the
    programs.
    """
    notices: list[Notice] = []
    database = f"file:{ROOT / 'fixtures/rouge155/db/empty.db'}"
    rouge_cli.score(
        ["a"], [["a"]], stemmer="rouge", irregular=database, notify=notices.append
    )

    assert (
        "other scores than ROUGE-1.5.5's release (0 irregular forms, "
        in notices[0].message
    )
    assert "irregular:none" in notices[0].message


WORDLESS = "кошка спит"
WARNING_CALLS: dict[str, Any] = {
    "score": rouge_cli.score,
    "score_rows": rouge_cli.score_rows,
    "score of google": partial(rouge_cli.score, dialect="google"),
    "evaluate": lambda predictions, references, **options: rouge_cli.evaluate(
        [
            EvalTask(
                prediction, {"a": Document(prediction.encode(), "p")},
                [("1", Document(reference.encode(), "m"))], "spl", "",
            )
            for prediction, reference in zip(predictions, references, strict=True)
        ],
        **options,
    ),
}  # fmt: skip


class Heard(list["Notice"]):
    """Collect notices; false as long as there are none."""

    __call__ = list.append


@pytest.mark.parametrize("call", WARNING_CALLS)
def test_notices_are_warnings(call: str) -> None:
    """Without `notify` the notices are warnings at the caller's line."""
    with pytest.warns(RougeWarning, match="no tokens") as caught:
        WARNING_CALLS[call]([WORDLESS], ["cat"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", rouge_cli.RougeWarning)
        notices = Heard()
        WARNING_CALLS[call]([WORDLESS], ["cat"], notify=notices)
        with pytest.raises(RougeWarning):
            WARNING_CALLS[call]([WORDLESS], ["cat"])

    assert [1, 1] == [len(caught), len(notices)]
    assert __file__ == caught[0].filename


@pytest.mark.parametrize("jobs", [1, 2])
def test_warnings_do_not_flood(jobs: int) -> None:
    """The first notices of a call are warnings, and a last one gives the number of
    the others.
    """
    number = errors.MOST_WARNINGS + 7
    with pytest.warns(RougeWarning) as caught:
        rouge_cli.score([WORDLESS] * number, ["cat"] * number, "R1", jobs=jobs)

    assert errors.MOST_WARNINGS + 1 == len(caught)
    assert "... and 7 more warnings" == str(caught[-1].message)


@pytest.mark.filterwarnings("error")
def test_replacements_do_not_warn_either() -> None:
    """rouge_score and Hugging Face's metric never warn of texts without tokens; nor
    do their stand-ins.
    """
    scorer = google.RougeScorer(["rouge1"])

    assert 0.0 == scorer.score(WORDLESS, WORDLESS)["rouge1"].fmeasure
    assert 0.0 == scorer.score_multi([WORDLESS], WORDLESS)["rouge1"].fmeasure
    assert 0.0 == google.compute([WORDLESS], [WORDLESS])["rouge1"]


def test_jackknife_by_hand() -> None:
    """A prediction has the mean over sets that lack one reference, which is scored
    against the rest.
    """
    prediction, references = "a b c d", ["a b", "a b c", "x y"]
    report = rouge_cli.score(
        [prediction], [references], "ROUGE-1", jackknife=True, formula="best", samples=0
    )
    recall = {result.system: result.average.recall.value for result in report.results}  # type: ignore[union-attr]
    # Sets {2,3}, {1,3}, {1,2}: the best recall is 1 each time. Model 1 has 2 of model
    # 2's 3 words, model 2 all of model 1's, model 3 none.
    assert {
        "system": 1.0,
        "human 1": round(2 / 3, 5),
        "human 2": 1.0,
        "human 3": 0.0,
    } == recall
    assert ["human 1", "human 2", "human 3"] == report.details["humans"]
    assert "|jackknife:yes|" in report.signature
    (row,) = rouge_cli.score_rows(
        [prediction], [references], "ROUGE-1", jackknife=True, formula="best"
    )
    assert row["ROUGE-1.recall"] == recall["system"]


def test_jackknife_of_pooled_counts_by_hand() -> None:
    """With the average formula each set is one big model."""
    report = rouge_cli.score(
        ["a b c"], [["a b", "a x y z", "b"]], "ROUGE-1", jackknife=True, samples=0
    )
    prediction = report.results[0].average.recall.value  # type: ignore[union-attr]
    sets = [(1 + 1) / (4 + 1), (2 + 1) / (2 + 1), (2 + 1) / (2 + 4)]

    assert sum(round(value, 5) for value in sets) / 3 == pytest.approx(
        prediction, abs=1e-15
    )


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_people_are_not_systems_of_the_same_name() -> None:
    """A system called 1 is averaged over its own evals only, whatever the
    references' names.
    """
    tasks = [
        EvalTask(
            "e", {"1": BOTH}, [("1", BOTH), ("2", Document(b"a x", ""))], "spl", ""
        ),
        EvalTask("f", {"x": BOTH}, [("1", BOTH), ("2", BOTH)], "spl", ""),
    ]
    report = rouge_cli.evaluate(tasks, "ROUGE-1", jackknife=True, samples=0)
    recall = {
        name: scores["ROUGE-1"]["recall"] for name, scores in report.to_dict().items()
    }

    assert {"1": 0.75, "human 1": 0.75, "human 2": 0.75, "x": 1.0} == recall


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_jackknifed_counts_are_means_too() -> None:
    """An eval of many references weighs no more in the micro average than one of
    few.
    """
    predictions, references = ["a b", "a x"], [["a b", "a b", "a b"], ["a b", "a b"]]
    report = rouge_cli.score(
        predictions, references, "ROUGE-1", jackknife=True, average="micro", samples=0
    )
    # The mean counts of a set: 2 models of 2 words each, all matched; 1 model of 2
    # words, 1 of them.
    assert (4 + 1) / (4 + 2) == report.to_dict()["system"]["ROUGE-1"]["recall"]


def test_a_single_model_is_scored_as_it_is() -> None:
    """With a single reference the score is the plain one, and no reference is
    scored.
    """
    plain, knifed = (
        rouge_cli.score("a b", ["a c"], "ROUGE-1", jackknife=on) for on in (False, True)
    )

    assert plain.to_dict() == knifed.to_dict()


def test_a_signature_repeats_the_setup() -> None:
    """The options in a signature give the same signature and scores; other options
    override it.
    """
    setup: dict[str, Any] = {
        "stemmer": "rouge", "stop": "rouge", "limit": "3words", "formula": "best", "alpha": 0.25,
        "average": "micro", "confidence": 90, "samples": 50, "seed": 3, "tokenizer": "unicode",
        "sentences": "mark:<q>",
    }  # fmt: skip
    texts = (
        ["cats sat <q> on the mats", "x"],
        [["the cat sat", "a cat sits"], ["x y", "z"]],
    )
    first = rouge_cli.score(*texts, ["ROUGE-SU4", "R2", "ROUGE-L", "R2"], **setup)
    dialect, options = assembly.like_options(first.signature)
    again = rouge_cli.score(*texts, dialect=dialect, **options)  # type: ignore[arg-type]

    assert first == again
    assert (
        "dialect:rouge155|metrics:ROUGE-SU4+ROUGE-2+ROUGE-L|stemmer:rouge|"
        in first.signature
    )
    assert first.signature.endswith(
        f"|sentences:mark:<q>|references:2|evals:2|version:{rouge_cli.__version__}"
    )
    unstemmed = first.signature.replace("stemmer:rouge", "stemmer:none")
    assert (
        first.signature == rouge_cli.score(*texts, like=unstemmed, stem=True).signature
    )


def test_a_stop_list_is_identified_by_its_words(tmp_path: Path) -> None:
    """A signature with a custom stop list is refused if the words of the list have
    changed.
    """
    path = tmp_path / "stop|words"
    path.write_text("the\n")
    first = rouge_cli.score("the cat", "the dog cat", "ROUGE-1", stop=f"file:{path}")
    _, options = assembly.like_options(first.signature)

    assert 0.5 == first.to_dict()["system"]["ROUGE-1"]["recall"]
    assert first == rouge_cli.score("the cat", "the dog cat", **options)  # type: ignore[arg-type]
    path.write_text("a\n")
    with pytest.raises(UsageError, match="is not the stop list of the signature"):
        rouge_cli.score("the cat", "the dog cat", **options)  # type: ignore[arg-type]


@tabled
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_equivalent_command_line(options: dict[str, Any], words: str) -> None:
    """If ROUGE-1.5.5.pl has options for a set-up, the report gives its command line."""
    assert words in str(rouge_cli.score("a", "a", **options).details["command"])


@tabled
def test_what_the_original_cannot_do_has_no_command_line(
    options: dict[str, Any],
) -> None:
    """No command line is given that would print other numbers."""
    assert "command" not in rouge_cli.score("a", "a", **options).details


def test_seeds_draw_other_samples() -> None:
    """The seed changes the interval, and the same seed gives the same interval."""
    predictions, references = (
        [f"a b c {n}" for n in range(9)],
        [f"a b {n % 3}" for n in range(9)],
    )
    zero, first, again = (
        rouge_cli.score(
            predictions, references, "ROUGE-1", samples=50, seed=seed
        ).results
        for seed in (0, 1, 1)
    )

    assert first == again
    assert zero[0].average != first[0].average


def test_streams_are_read_once() -> None:
    """Tasks may come from a generator, and systems are collected as they appear."""
    stream = (
        EvalTask(str(n), {"x": BOTH, **({"y": Document(b"a", "")} if n else {})}, [("1", BOTH)], "spl", "")
        for n in range(3)
    )  # fmt: skip
    notices: list[Notice] = []
    report = rouge_cli.evaluate(stream, "ROUGE-1", notify=notices.append, samples=0)

    assert {"x": 1.0, "y": 0.5} == {
        name: scores["ROUGE-1"]["recall"] for name, scores in report.to_dict().items()
    }
    assert ["y: in 2 of 3 evals only, and averaged over these"] == [
        notice.message for notice in notices
    ]


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (
            ["a", "b"],
            ["a"],
            (
                "different numbers of predictions and references: 1 references, 2"
                " predictions of system"
            ),
        ),
        (
            {"s": ["a"], "t": ["a", "b"]},
            ["a"],
            "1 references, 1 predictions of s, 2 predictions of t",
        ),
        (["a"], "a", "one reference for a list of predictions"),
        ([1], ["a"], "eval 1: not a text but int: 1"),
        (
            [[101, 7592]],
            ["a"],
            (
                "eval 1: not a text but list: [101, 7592]; give a string; join token"
                ' ids by blanks, for tokenizer="whitespace"'
            ),
        ),
        (
            ["a", "b"],
            ["a", None],
            "eval 2: the reference is missing (None); leave the eval out",
        ),
        (["a", nan], ["a", "b"], "eval 2: the prediction is missing (nan)"),
    ],
)
def test_texts_that_do_not_fit_together(
    predictions: Any,  # noqa: ANN401
    references: Any,  # noqa: ANN401
    message: str,
) -> None:
    """Lists of unequal length, and values that are not texts, are named."""
    with pytest.raises(UsageError) as error:
        rouge_cli.score(predictions, references)

    assert message in str(error.value)


def test_a_missing_value_of_pandas_is_not_a_text() -> None:
    """`pandas.NA` is named as a missing text."""
    pd = pytest.importorskip("pandas")

    with pytest.raises(UsageError, match=r"eval 1: the reference is missing \(<NA>\)"):
        rouge_cli.score(["a"], [pd.NA])


@tabled
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    """Each invalid option is named, with the nearest valid one."""
    with pytest.raises(RougeError) as error:
        rouge_cli.score("a", "a", **options)

    assert message in str(error.value)


def test_averages_are_found_by_system_and_label() -> None:
    """`report[system][label]` has the averages that the tables show, for labels in
    any spelling.
    """
    report = rouge_cli.score(
        {"a": ["x y", "z"], "b": ["x", "u"]}, ["x y", "z"], "R1,RL", samples=0
    )

    assert report["b"]["R1"] == report["b"]["ROUGE-1"]
    assert report.to_dict()["b"]["ROUGE-1"]["recall"] == report["b"]["rouge1"][0]
    assert "0.33333" in str(report)
    assert str(report) == report.to_text().rstrip()
    with pytest.raises(
        UsageError, match="no system 'c' in the report; use one of a, b"
    ):
        report["c"]
    with pytest.raises(
        UsageError, match="no R2 among the scores; use one of ROUGE-1, ROUGE-L"
    ):
        report["a"]["R2"]
    with pytest.raises(
        UsageError,
        match=r"no system 'R1' in the report; name the system first, as in \['a'\]\['R1'\]",
    ):
        report["R1"]
    anything: Any = report
    with pytest.raises(UsageError, match=r"no system 0 .*as in \['a'\]\['ROUGE-1'\]"):
        anything[0]


def test_one_system_needs_no_name() -> None:
    """`report[label]` has the averages of the only system; a system of that name comes
    first.
    """
    report = rouge_cli.score("x y", "x", "R1,RL", samples=0)

    assert report["R1"] == report["rouge1"] == report["system"]["ROUGE-1"]
    assert report["R1"].precision == 0.5
    named = rouge_cli.score({"R1": ["x y"]}, ["x"], "R1,RL", samples=0)
    of_system: Any = named["R1"]
    assert ["ROUGE-1", "ROUGE-L"] == list(of_system)
    with pytest.raises(
        UsageError, match="no system 'R2' in the report; use one of system, ROUGE-1, "
    ):
        report["R2"]


def test_a_report_prints_its_scores_in_a_line() -> None:
    """In the interactive interpreter, a report has the F of its first metrics and
    systems.
    """
    report = rouge_cli.score({"a": ["x y"], "b": ["x"]}, ["x y"], "R1,RL", samples=0)
    many = rouge_cli.score(
        {f"s{n}": ["x"] for n in range(9)}, ["x"], "R1,R2,R3,R4,RL,RSU4", samples=0
    )

    assert (
        "Results(a: ROUGE-1 F 1.00000, ROUGE-L F 1.00000;"
        " b: ROUGE-1 F 0.66667, ROUGE-L F 0.66667; evals: 1)" == repr(report)
    )
    assert "ROUGE-4 F 0.00000, 2 more; " in repr(many)
    assert repr(many).endswith("; 6 more systems; evals: 1)")


OTHER_NAMES = {
    "fmeasure": "use .f",
    "f1": "use .f",
    "F": "use .f",
    "r": "use .recall",
    "prec": "use .precision",
    "mid": "use .f",
    "low": "use .average.f.low of an item of report.results",
}


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_names_of_other_packages_are_answered_with_ours(name: str) -> None:
    """A score that is asked for the attribute of another package names its own."""
    report: Any = rouge_cli.score("x y", "x", "R1", samples=9)
    for score in (report["R1"], report.results[0].evals[0].score):
        with pytest.raises(
            AttributeError, match=f"no attribute '{name}'; .*{OTHER_NAMES[name]}"
        ):
            getattr(score, name)
        assert not hasattr(score, name)
    with pytest.raises(AttributeError, match=r"no attribute 'mid'; use \.value"):
        _ = report.results[0].average.f.mid
    with pytest.raises(AttributeError, match=r"no attribute 'fmeasure'; use \.f"):
        _ = report.results[0].average.fmeasure
    with pytest.raises(AttributeError, match=r"no attribute 'unknown'$"):
        _ = report["R1"].unknown


@pytest.mark.parametrize("dialect", ["rouge155", "google", "rouge2", "coco"])
@pytest.mark.parametrize("name", ["stem", "use_stemmer"])
def test_every_dialect_that_stems_stems_by_either_name(name: str, dialect: Any) -> None:  # noqa: ANN401 - any
    """`stem` and `use_stemmer` are the stemmer of `--stem`; dialects without one
    refuse them.
    """
    score: Any = partial(
        rouge_cli.score, ["he walks home"], ["he walked home"], dialect=dialect
    )
    stem: Any = {name: True}
    if stemmer := dialects.named(dialect).stemmer:
        assert score(stemmer=stemmer) == score(**stem)
        assert score() == score(**dict.fromkeys(stem, False))
    else:
        with pytest.raises(UsageError, match="does not stem"):
            score(**stem)


def test_to_pandas() -> None:
    """If pandas is installed, a report becomes a table with a row for each eval,
    system and metric.
    """
    pd = pytest.importorskip("pandas")
    table = rouge_cli.score(
        {"a": ["x y", "z"], "b": ["x", "z"]}, ["x", "z"], "R1,R2"
    ).to_pandas()
    weights = rouge_cli.score("x y", "x y z", "ROUGE-W-1.2").to_pandas()

    assert isinstance(table, pd.DataFrame)
    assert 8 == len(table)
    assert [
        "eval", "system", "metric", "recall", "precision", "f", "reference", "prediction", "match",
    ] == list(table)  # fmt: skip
    assert {"int64"} == {
        str(table[name].dtype) for name in ("reference", "prediction", "match")
    }
    assert pytest.approx(3**1.44) == weights["reference"][0]


def test_to_polars() -> None:
    """If polars is installed, every table of `to_pandas` is a table of polars, with
    the same values.
    """
    pytest.importorskip("polars")
    scores = rouge_cli.score(
        {"a": ["x y", "z"], "b": ["x", "z"]}, ["x", "z"], "R1,R2", samples=0
    )
    for result in (
        scores,
        rouge_cli.explain("he swims", "he swam", "R1", stemmer="rouge"),
    ):
        table, expected = result.to_polars(), result.to_pandas()

        assert list(expected) == table.columns
        assert expected.astype(object).where(
            expected.notna(), None
        ).to_numpy().tolist() == [list(row) for row in table.rows()]


def test_a_language_stems_by_either_name() -> None:
    """`use_stemmer` stems by the rules of the language, as `stem` does."""
    score = partial(rouge_cli.score, ["das Haus"], ["die Häuser"], "R1", language="de")
    by_stem, by_use_stemmer = score(stem=True), score(use_stemmer=True)

    assert by_stem.signature == by_use_stemmer.signature
    assert "stemmer:snowball:german" in by_stem.signature


def test_batches_are_scored_as_all_texts_at_once() -> None:
    """An accumulator's report is that of all texts, also of other processes, and
    before and after more.
    """
    predictions, references = (
        ["the cat", "a dog ran", "rain"],
        ["the cat sat", ["dogs", "dogs ran"], "sun"],
    )
    score = partial(rouge_cli.score, metrics="R1,RL", stem=True)
    first, second = (rouge_cli.Accumulator("R1,RL", stem=True) for _ in "12")
    first.add(predictions[:2], references[:2])
    second.add(predictions[2], references[2])
    before = score(predictions[:2], references[:2]).to_json(), first.report().to_json()
    first.merge(pickle.loads(pickle.dumps(second)))  # noqa: S301 - our own

    assert before[0] == before[1]
    assert score(predictions, references).to_json() == first.report().to_json()


@pytest.mark.parametrize("jobs", [1, 2])
def test_messages_name_the_texts_of_a_batch_by_their_place_among_all(
    kernels: str,  # noqa: ARG001 - both roads
    jobs: int,
) -> None:
    """A notice about a text of any batch names the eval of the report, and so it does
    after pickling, in every thread or process.
    """
    notices: list[str] = []
    texts = rouge_cli.Accumulator("R1", jobs=jobs, samples=0)
    for size in (2, 20, 1):
        texts.add(["a cat"] * (size - 1) + ["..."], ["a cat"] * size)
    copy = pickle.loads(pickle.dumps(texts))  # noqa: S301 - our own
    copy._notify = lambda notice: notices.append(notice.message)  # noqa: SLF001
    report = copy.report()
    named = [notice for notice in notices if notice.startswith("eval ")]

    assert [f"eval {number}" for number in (2, 22, 23)] == [
        notice.partition(":")[0] for notice in named
    ]
    assert [str(number) for number in range(1, 24)] == [
        row["eval"]
        for row in map(json.loads, report.to_jsonl(per_eval=True).splitlines())
        if "eval" in row
    ]


def test_an_accumulator_checks_its_parameters() -> None:
    """Invalid parameters are refused at once, like anything but an accumulator to
    merge.
    """
    make: Any = rouge_cli.Accumulator
    for arguments, message in (
        (("R1,Rx", {}), "unknown metric 'Rx'"), (("", {}), "no metric named"),
        (("R1", {"foo": 3}), "no option 'foo'"),
        (("R1", {"read_as": "x"}), "unknown format 'x'"), (("R1", {"jobs": -1}), "jobs is -1"),
        (("R1", {"recipe": "x"}), "unknown recipe 'x'"), (("R1", {"dialect": "x"}), "unknown dialect 'x'"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            make(arguments[0], **arguments[1])
    with pytest.raises(
        UsageError, match=r"^expected an Accumulator to merge, got NoneType$"
    ):
        make("R1").merge(None)
    notices: list[str] = []
    texts = make(
        like="dialect:google|metrics:rouge1",
        notify=lambda notice: notices.append(notice.message),
    )
    texts.add(["..."], ["a"])
    assert 0 == texts.report()["system"]["rouge1"].f
    assert notices


@pytest.mark.parametrize("metrics", ["", ",", [], ()])
def test_metrics_without_a_label_are_refused(metrics: Any) -> None:  # noqa: ANN401
    """Every function refuses metrics without a label, in one line."""
    texts: dict[str, list[str]] = {"a": ["x"], "b": ["y"]}
    message = 'no metric named; name metrics as in "R1,RL", or leave them out'
    for function in (
        rouge_cli.score,
        rouge_cli.compare,
        rouge_cli.plan,
        rouge_cli.report,
    ):
        with pytest.raises(UsageError, match=f"^{message}$"):
            function(texts, ["x"], metrics)
    with pytest.raises(UsageError, match=f"^{message}$"):
        rouge_cli.score_rows(["x"], ["x"], metrics)
    with pytest.raises(UsageError, match=f"^{message}$"):
        rouge_cli.explain("x", ["x"], metrics)


def test_empty_cells_are_missing_in_pandas() -> None:
    """A table with rows of several kinds has missing values, beside which counts
    stay integers.
    """
    pytest.importorskip("pandas")
    table = rouge_cli.explain("he swims", "he swam", "R1", stemmer="rouge").to_pandas()

    assert {"Int64"} == {
        str(table[name].dtype)
        for name in ("reference", "prediction", "match", "counted")
    }
    assert [2, 1] == [table["match"][0], table["counted"][1]]
    assert table["match"].isna().tolist() == [False, True, True]
    assert "float64" == str(table["f"].dtype)


def test_a_kept_set_up_is_as_a_new_one(tmp_path: Path) -> None:
    """What is kept between calls changes no report: not the options' types, nor a
    file that changed.
    """
    stop = tmp_path / "stop.txt"
    calls: list[dict[str, Any]] = [
        {"samples": 1}, {"samples": True}, {"samples": 1.0}, {"dialect": "google"}, {"stop": f"file:{stop}"}
    ]  # fmt: skip

    def outcome(options: dict[str, Any]) -> str:
        try:
            return rouge_cli.score(
                ["the cat sat on a mat"], ["the cat lay on a mat"], **options
            ).to_json()
        except UsageError as error:
            return str(error)

    stop.write_text("the\n")
    first = [*map(outcome, calls)]
    assert first == [*map(outcome, calls)]
    assert len({*first}) == 4, "1 and 1.0 are the same, True is refused"
    stop.write_text("cat\n")
    other = [*map(outcome, calls)]
    assert first[:4] == other[:4]
    assert first[4] != other[4]


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_rows_are_scored_by_themselves() -> None:
    """Each pair's row has the figures that the pair has alone."""
    predictions, references = (
        ["the cat sat", "", "a b c"],
        ["the cat sat down", ["x", "y"], ["a b", "c d"]],
    )
    rows = rouge_cli.score_rows(predictions, references, "R1,RL", stemmer="rouge")

    assert ["ROUGE-1.recall", "ROUGE-1.precision", "ROUGE-1.f"] == list(rows[0])[:3]
    for row, prediction, reference in zip(rows, predictions, references, strict=True):
        expected = rouge_cli.score(
            [prediction], [reference], "R1,RL", stemmer="rouge", samples=0
        ).to_dict()["system"]
        assert row == {
            f"{label}.{name}": value
            for label, figures in expected.items()
            for name, value in figures.items()
        }


def test_one_reference_for_many_predictions() -> None:
    """A string is the reference of every row, as if it had been repeated."""
    many = rouge_cli.score_rows(["the cat", "a dog"], "the cat sat", "R1")

    assert many == rouge_cli.score_rows(["the cat", "a dog"], ["the cat sat"] * 2, "R1")
    assert [0.8, 0.0] == [row["ROUGE-1.f"] for row in many]


def test_rows_in_a_dask_frame() -> None:
    """Mapped over the partitions of a Dask data frame, the rows are those of one
    call.
    """
    pd = pytest.importorskip("pandas")
    dd = pytest.importorskip("dask.dataframe")
    frame = pd.DataFrame(
        {
            "p": [f"a b c {n}" for n in range(20)],
            "r": [f"a c {n % 3}" for n in range(20)],
        }
    )
    whole = pd.DataFrame(rouge_cli.score_rows(frame["p"], frame["r"], "R1"))

    def score(part: Any) -> Any:  # noqa: ANN401 - a frame
        return pd.DataFrame(
            rouge_cli.score_rows(part["p"], part["r"], "R1"), index=part.index
        )

    mapped = dd.from_pandas(frame, npartitions=3).map_partitions(
        score, meta=whole.head(0)
    )
    assert whole.equals(mapped.compute(scheduler="synchronous"))


HUGE = 10**5000  # which Python does not print
ABSURD = [nan, inf, -inf, -1, 0.5, True, "3", "x", b"3", 1j, [1], Decimal("nan")]


@pytest.mark.parametrize("value", [*ABSURD, pytest.param(HUGE, id="huge")])
def test_absurd_numbers_of_jobs_are_refused(
    value: Any,  # noqa: ANN401 - anything
) -> None:
    """A number of jobs that is not a whole number of 0 or more is refused by name."""
    with pytest.raises(
        UsageError, match=r"^jobs is .*; use a whole number from 0 to 1024$"
    ):
        rouge_cli.evaluate([], jobs=value)


@pytest.mark.parametrize("field", ["digits", "scale", "width", "most", "columns"])
def test_absurd_layouts_are_refused(field: str) -> None:
    """A field of a layout whose value makes no sense is refused by name, in every
    format.
    """
    report = rouge_cli.score("a b", "a c", "R1", samples=10)
    for value in [*ABSURD, *([] if field in {"most", "width"} else [HUGE])]:
        for name in ("to_text", "to_json", "to_latex", "to_classic", "to_csv"):
            with pytest.raises(UsageError, match=f"^{field} is "):
                getattr(report, name)(**{field: value})


@pytest.mark.parametrize("value", [nan, inf, -1, 101, True, "x", "", b"3", 1j, [1]])
def test_absurd_confidences_are_refused(value: Any) -> None:  # noqa: ANN401 - anything
    """A level of intervals that is not a number from 0 to 100 is refused by name."""
    with pytest.raises(UsageError, match=r"^confidence (is|cannot be) "):
        rouge_cli.score("a b", "a c", "R1", samples=10).to_text(confidence=value)


@pytest.mark.parametrize("name", ["trials", "seed", "confidence", "level"])
def test_absurd_numbers_of_studies_are_refused(name: str) -> None:
    """A parameter of `compare` or `correlate` that is not a number, or a bool, is
    refused by name.
    """
    for value in (nan, -inf, -1, True, "3", b"3", 1j, [1], Decimal("nan")):
        with pytest.raises(UsageError, match=f"^{name} is "):
            rouge_cli.compare({"a": ["x"], "b": ["y"]}, ["x"], **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", ["google", "rouge155"])
def test_a_text_without_tokens_has_the_right_cause(dialect: str) -> None:
    """The notice on a text without tokens names the alphabet only if the tokenizer
    is for ASCII.
    """
    for tokenizer, cause in (
        (None, "only ASCII letters and digits count"),
        ("char", "the tokenizer returns"),
    ):
        notices: list[Notice] = []
        rouge_cli.score(
            "…",
            "a",
            dialect=DialectName(dialect),
            tokenizer=tokenizer,
            notify=notices.append,
            samples=0,
        )
        assert cause in notices[0].message


@pytest.mark.parametrize(
    "dialect", sorted({*plugins.names("rouge_cli.dialects")} - {"rouge155", "tilse"})
)
@pytest.mark.parametrize("evals", [1, 2])
def test_an_eval_without_models_is_an_error(dialect: str, evals: int) -> None:
    """`evaluate` names the eval that no program can score, in every dialect that
    gives it no zeros.
    """
    tasks = [
        EvalTask("1", {"a": BOTH}, [("1", BOTH)], "spl", "here"),
        EvalTask("2", {"a": BOTH}, [], "spl", "x:7"),
    ]
    options: dict[str, Any] = {"metrics": "rouge1"} if dialect == "torchmetrics" else {}

    with pytest.raises(RougeError, match="x:7: eval 2 has no references"):
        rouge_cli.evaluate(
            iter(tasks[-evals:]), dialect=DialectName(dialect), **options
        )


@pytest.mark.parametrize("dialect", plugins.names("rouge_cli.dialects"))
def test_nothing_to_score_is_an_error(dialect: str) -> None:
    """No text at all is an error, as in `compute`, and not an empty report."""
    options: dict[str, Any] = {"metrics": "rouge1"} if dialect == "torchmetrics" else {}
    predictions: Any
    for predictions in ([], {"a": []}):
        with pytest.raises(UsageError, match="nothing to score: no evals"):
            rouge_cli.score(predictions, [], dialect=DialectName(dialect), **options)
    with pytest.raises(UsageError, match="nothing to score: no evals"):
        rouge_cli.evaluate(iter([]), dialect=DialectName(dialect), **options)


def test_no_systems_have_an_empty_report() -> None:
    """An empty list of systems is a report without results, and rows without scores."""
    assert [] == [*rouge_cli.score(["a"], ["a"], systems=[]).results]
    assert [{}] == rouge_cli.score_rows(["a"], ["a"], systems=[])


def test_parameters_that_only_compare_equal_do_not_share_scores() -> None:
    """The run of an earlier call serves those with the same parameters, of the same
    types, and no others that compare equal to them.
    """
    alike = type(
        "Alike",
        (str,),
        {"__eq__": lambda *_: True, "__hash__": lambda _: hash("rouge155")},
    )
    metrics = ["R1"]

    def columns(*metrics: Any, **options: Any) -> list[str]:  # noqa: ANN401 - as of score_rows
        (scores,) = rouge_cli.score_rows(["a"], ["a"], *metrics, **options)
        return [name for name in scores if name.endswith(".f")]

    assert ["ROUGE-1.f"] == columns(metrics)
    metrics[0] = "R2"
    assert ["ROUGE-2.f"] == columns(metrics)
    # What claims to be equal is looked up as rouge155, and google stays google.
    assert [3, 3, 4, 3] == [
        len(columns(dialect=name))
        for name in ("rouge155", alike("google"), "google", alike("google"))
    ]
    assert columns(seed=1)
    with pytest.raises(UsageError, match="seed cannot be True"):
        columns(seed=True)


def test_set_ups_in_turn_are_each_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls with many set-ups in turn make each set-up once."""
    made, kept = Mock(wraps=assembly.set_up), dict[str, Any]()
    monkeypatch.setattr(assembly, "set_up", made)
    monkeypatch.setattr(assembly, "_KEPT", kept)
    for seed in [*range(30), *range(30)]:
        rouge_cli.score_rows(["a"], ["a b"], "R1", seed=seed)
    rouge_cli.score_rows(
        ["a"], ["a b"], "R1", stop=f"file:{ROOT}/rouge_cli/data/stop_words.txt"
    )

    assert [30, 31] == [len(kept), made.call_count]


def test_results_offer_what_users_call() -> None:
    """An interactive interpreter offers fields and formats of every kind of result, and
    nothing else.
    """
    report = rouge_cli.score("x y", "x", "R1", samples=0)
    explained = rouge_cli.explain("x y", "x", "R1")

    offered = [name for name in dir(report) if not name.startswith("_")]
    assert offered == [
        *("details", "plot", "results", "short_signature", "signature", "to"),
        *("to_classic", "to_csv", "to_dict", "to_json", "to_jsonl", "to_junit"),
        *("to_latex", "to_markdown", "to_pandas", "to_polars", "to_text", "to_tsv"),
    ]
    assert report._ipython_key_completions_() == ["system", "ROUGE-1"]
    assert {"to_html", "signature"} <= set(dir(explained))
    assert not {"layout", "tables", "document"} & set(dir(explained))
    for result in (report, explained):
        public = [name for name in dir(result) if not name.startswith("_")]
        assert all(hasattr(result, name) for name in public)


@pytest.mark.parametrize(
    ("library", "method"), [("pandas", "to_pandas"), ("polars", "to_polars")]
)
def test_a_data_frame_names_the_library_that_it_needs(
    library: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without pandas or polars, a data frame is an error with the command that installs
    it.
    """
    monkeypatch.setitem(sys.modules, library, None)
    report = rouge_cli.score("x y", "x", "R1", samples=0)
    with pytest.raises(RougeError, match=f"needs the library .*pip install {library}"):
        getattr(report, method)()


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["a", None], ["a", "b"], "prediction 2 is None, not a string; leave the row"),
        (["a", "b"], ["a", float("nan")], "reference 2 is nan, not a string; leave"),
        (["a", 5], ["a", "b"], "prediction 2 is 5, not a string; convert it with str"),
        (["a", "b"], ["a", ["b"]], r"reference 2 is \['b'\], not a string; pass lists"),
        (
            ["a", "b"],
            [["a"], ["b", None]],
            "reference 2 of prediction 2 is None, not a string",
        ),
        (["a", "b"], [["a"], "b"], "the references of prediction 2 are lists of"),
        (["a", "b"], [["a"], None], "the references of prediction 2 are lists of"),
    ],
)
def test_errors_of_compute_name_the_row(
    predictions: Any,  # noqa: ANN401
    references: Any,  # noqa: ANN401
    message: str,
) -> None:
    """The row of a text that is not a string is named, counted from 1."""
    with pytest.raises(ValueError, match=message):
        google.compute(predictions, references)
