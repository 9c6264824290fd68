"""Forks and other packages called ROUGE: every recorded case through their stand-ins,
to the last bit.

HELD_OUT names a folder with other cases of the same form, as NAME.json, which are
compared, too.
"""

import json
import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Hashable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from nltk.stem.snowball import SnowballStemmer

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.core import Counts, Text, ignore_notice
from rouge_cli.dialects import js, korouge, pltrdy, py_rouge, rougeraw, xlsum
from rouge_cli.dialects._base import combine, mean_in_order
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.metrics import Metric, _lcs, overlap
from rouge_cli.metrics.ngram import NGram
from rouge_cli.options import resolve, whole
from rouge_cli.text import stemmers

Case = dict[str, Any]

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "others"
HELD_OUT = os.environ.get("HELD_OUT", "")


@cache
def golden(dialect: str) -> list[Case]:
    """Return the recorded cases of a package."""
    cases = list(
        map(json.loads, (FIXTURES / f"{dialect}.jsonl").read_text("utf-8").splitlines())
    )[1:]
    other = Path(HELD_OUT, f"{dialect}.json")
    others = json.loads(other.read_text("utf-8")) if HELD_OUT and other.exists() else []
    # Stems are recorded there by word.
    return cases + (
        [[word, *stems] for word, stems in others.items()]
        if isinstance(others, dict)
        else others
    )


def run_rougeraw(case: Case) -> Any:  # noqa: ANN401 - what the package returns
    """Return the scores of a document or of a corpus."""
    raw = rougeraw.RougeRaw()
    if case["options"]["method"] == "document":
        scores = raw.document(case["references"][0], case["hypothesis"])
    else:
        scores = raw.corpus(case["references"], case["hypotheses"])
    return {name: score._asdict() for name, score in scores.items()}


def run_korouge(case: Case) -> Any:  # noqa: ANN401 - as above
    """Return the scores against one reference or several."""
    options = {
        name: value for name, value in case["options"].items() if name != "method"
    }
    scorer = korouge.rouge_scorer.RougeScorer(**options)
    if case["options"]["method"] == "score":
        scores = scorer.score(case["references"][0], case["hypothesis"])
    else:
        scores = scorer.score_multi(case["references"], case["hypothesis"])
    return {name: score._asdict() for name, score in scores.items()}


def run_py_rouge(case: Case) -> Any:  # noqa: ANN401 - as above
    """Return the scores of a hypothesis or a list of them."""
    hypotheses = case["hypothesis"] if "hypothesis" in case else case["hypotheses"]
    return py_rouge.Rouge(**case["options"]).get_scores(hypotheses, case["references"])


def run_xlsum(case: Case) -> Any:  # noqa: ANN401 - as above
    """Return the scores of a hypothesis, after its tokens were compared."""
    scorer = xlsum.rouge_scorer.RougeScorer(**case["options"])
    texts = case["hypothesis"], case["references"][0]
    assert case.get("tokens") in (
        None,
        [[form for _, form in scorer.pairs(text)] for text in texts],
    )
    return {name: score._asdict() for name, score in scorer.score(*texts[::-1]).items()}


def run_rouge_fork(case: Case) -> Any:  # noqa: ANN401 - as above
    """Return the scores of lists of texts, without words of blank sentences."""
    rouge = pltrdy.Rouge(**case["init"], blank_sentences=False)
    return rouge.get_scores(case["hyps"], case["refs"], **case["call"])


class Padded(NGram):
    """N-grams with n - 1 marks before and after the text, as js-rouge's `nGram`
    returns them.
    """

    def bag(self, text: Text) -> Counter[Hashable]:
        """Count the n-grams."""
        marks = [-1] * (self.n - 1)
        return super().bag(Text([*marks, *text.tokens, *marks]))


class GreedyLcs(Metric):
    """ROUGE-L with a user's function of js-rouge, whose tokens are looked for from
    the left.
    """

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the tokens of both texts, and the tokens found."""
        marked: list[int] = []
        for sentence in reference.sentences:
            rows, places = _lcs.rows([sentence]), set()
            for path in _lcs.paths(rows, prediction.sentences):
                place = -1
                for row in _lcs.marked_bits(path):
                    place = sentence.index(sentence[row], place + 1)
                    places.add(place)
            marked += (sentence[place] for place in places)
        match = overlap(Counter(marked), Counter(prediction.tokens))
        return self.counts(len(reference.tokens), len(prediction.tokens), match)


JS_NAMES = {"maxSkip": "max_skip", "beta": "beta"}
JS_VALUES: dict[str, Any] = {
    "whitespace": str.split, "characters": list, "none": lambda _: [],
    "lines": lambda text: text.split("\n"), "whole": lambda text: [text],
}  # fmt: skip


def js_run(label: str, **options: object) -> js.Js:
    """Return a run of the dialect for one metric."""
    resolved = resolve("js", js.DIALECT.defaults, {"metrics": [label], **options})
    return js.Js(js.DIALECT.canonical(resolved), Counter(), ignore_notice)


def run_js(case: Case) -> Any:  # noqa: ANN401 - as above
    """Return the score of a hypothesis with the recorded sentences, or of several
    with our own.
    """
    options = case["options"]
    function = options.get("scorer", options["function"])
    given = {options.get(key) for key in ("nGram", "skipBigram", "lcs")}
    chosen = {
        ours: str(options[name]) for name, ours in JS_NAMES.items() if name in options
    }
    chosen["max_skip"] = chosen.get("max_skip", js.ANY).replace("Infinity", js.ANY)
    texts = [case["references"][0], *case.get("hypotheses", [case.get("hypothesis")])]
    try:
        least = whole("n", options.get("n", 1), 1) if function == "n" else 2
        label = f"rouge-{least if function == 'n' else function}"
        run = js_run(label, case_sensitive=options.get("caseSensitive", True), **chosen)
    except UsageError:
        return "RangeError"
    if "tokenizer" in options:
        run.tokenize = JS_VALUES[options["tokenizer"]]
    if "tokenizer" in options and function != "l":
        run.segment = JS_VALUES["whole"]
    elif "segmenter" in options:
        run.segment = JS_VALUES[options["segmenter"]]
    elif "sentences" in case:
        run.segment = dict(
            zip(reversed(texts), case["sentences"], strict=True)
        ).__getitem__
    metric, formula = run.measures[label]
    metric = (
        GreedyLcs()
        if "builtin" in given
        else Padded(least)
        if "padded" in given
        else metric
    )
    prepared = list(map(run.prepare, texts))
    is_short = "strict" in given and min(len(text.tokens) for text in prepared) < least
    if is_short or not all(map(js.tokens, texts)):
        return "RangeError"
    counts = [metric.count(prepared[0], text) for text in prepared[1:]]
    if options["function"] != "jackKnife":
        return formula.combine(counts)[1].f
    sets = [counts[:place] + counts[place + 1 :] for place in range(len(counts))]
    return (
        mean_in_order([formula.combine(some)[1].f for some in sets])
        if len(sets) > 1
        else "RangeError"
    )


STAND_INS: dict[str, Callable[[Case], Any]] = {
    "rougeraw": run_rougeraw,
    "korouge": run_korouge,
    "py_rouge": run_py_rouge,
    "xlsum": run_xlsum,
    "js": run_js,
    "rouge_fork": run_rouge_fork,
}


# What cases need besides rouge-cli.
NEEDS = {
    "rougeraw": [""],
    "korouge": ["", "punkt"],
    "py_rouge": ["", "punkt"],
    "js": [""],
    "rouge_fork": [""],
    "xlsum": [
        "",
        "snowball",
        "jieba",
        "pythainlp",
        "TurkishStemmer",
        "bengali_stemmer",
    ],
}


def needs(case: Case) -> str:
    """Return the library or data that a case needs; empty for the others."""
    options = case.get("options", {})
    has_punkt = options.get("split_summaries") or not options.get(
        "ensure_compatibility", True
    )
    return "punkt" if has_punkt else next(iter(case.get("needs", [])), "")


def require(need: str) -> None:
    """Skip the test unless the library or nltk's stop words are installed."""
    if need == "snowball":
        try:
            SnowballStemmer("english", ignore_stopwords=True)
        except LookupError:
            pytest.skip(
                "nltk's stop words are not installed: python -m nltk.downloader"
                " stopwords"
            )
    elif need:
        pytest.importorskip(need, reason=f"{need} is not installed")


@pytest.mark.parametrize(
    ("dialect", "need"), [(name, need) for name in STAND_INS for need in NEEDS[name]]
)
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_stand_ins_have_the_packages_outcome(dialect: str, need: str) -> None:
    """Each recorded call has the package's result, or raises its error."""
    require(need)
    wrong = []
    for case in (case for case in golden(dialect) if needs(case) == need):
        try:
            result = STAND_INS[dialect](case)
        except Exception as error:  # noqa: BLE001 - compared below
            result = type(error).__name__
        if result != case.get("ok", case.get("error")):
            wrong.append((case, result))

    assert [] == wrong


def test_all_cases_are_compared() -> None:
    """No recorded case needs anything that the test above does not try."""
    for dialect, tried in NEEDS.items():
        assert len(golden(dialect)) >= 300
        assert {needs(case) for case in golden(dialect)} == set(tried), dialect


def command_of(dialect: str, case: Case) -> tuple[list[str], dict[str, Any]] | None:
    """Return the metrics and options by which `score` computes a case; None if it
    reads other texts.
    """
    references = (
        case["references"]
        if isinstance(case["references"], list)
        else [case["references"]]
    )
    texts = [case.get("hypothesis"), *references]
    if not case.get("ok") or not all(
        isinstance(text, str) and text == as_lines(text) for text in texts
    ):
        return None
    options = case["options"]
    if dialect == "rougeraw":
        return [f"ROUGE-{name}" for name in case["ok"]], {}
    if dialect in {"korouge", "xlsum"}:
        if (
            needs(case)
            or options.get("split_summaries")
            or any("\n" in name for name in options["rouge_types"])
        ):
            return None
        stemmer = "nltk" if dialect == "korouge" else "xlsum"
        others = {"lang": options.get("lang") or "none"} if dialect == "xlsum" else {}
        others |= {
            name: options[name] for name in ("min_char_length",) if name in options
        }
        return options["rouge_types"], {
            "stemmer": stemmer if options.get("use_stemmer") else "none",
            **others,
        }
    average, best = options.get("apply_avg", True), options.get("apply_best", False)
    limit = options.get("length_limit", 665) if options.get("limit_length", True) else 0
    if (
        limit < 0
        or not (average or best)
        or not options.get("ensure_compatibility", True)
    ):
        return None
    return list(case["ok"]), {
        "stemmer": "py_rouge" if options.get("stemming", True) else "none",
        "limit": (
            f"{limit}{options.get('length_limit_type', 'bytes')}" if limit else "none"
        ),
        "formula": "average" if average else "best",
        "alpha": options.get("alpha", 0.5),
        "weight_factor": options.get("weight_factor", 1.0),
    }


def as_lines(text: str) -> str:
    """Return the text as a file of sentences reads back, without empty lines."""
    return "\n".join(line for line in text.split("\n") if line)


@pytest.mark.parametrize(
    "dialect", [name for name in STAND_INS if name not in {"js", "rouge_fork"}]
)
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_command_scores_as_the_packages(dialect: str) -> None:
    """`score` has the package's precision, recall and F of every text that it can
    read.
    """
    compared = 0
    for case in golden(dialect):
        if (chosen := command_of(dialect, case)) is None:
            continue
        labels, options = chosen
        report = rouge_cli.score(
            [case["hypothesis"]],
            [case["references"]],
            labels,
            dialect=DialectName(dialect),
            **options,
        ).to_dict()["system"]
        expected = {
            name.removeprefix("ROUGE-"): sorted(score.values())
            for name, score in report.items()
        }
        assert expected == {
            name: sorted(score.values()) for name, score in case["ok"].items()
        }, case
        compared += 1

    assert compared > 25


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_command_scores_as_the_fork_of_rouge() -> None:
    """`score` with blank_sentences=no has the fork's scores of every pair that it can
    read.
    """
    compared = 0
    for case in golden("rouge_fork"):
        is_read = all(text == as_lines(text) for text in case["hyps"] + case["refs"])
        if not is_read or "ok" not in case or case["call"].get("avg"):
            continue
        labels = case["init"].get("metrics", pltrdy.Rouge.DEFAULT_METRICS)
        ignore_empty = case["call"].get("ignore_empty", False)
        scores = rouge_cli.score_rows(
            case["hyps"],
            case["refs"],
            labels,
            dialect="pltrdy",
            blank_sentences=False,
            ignore_empty=ignore_empty,
        )
        if len(scores) != len(case["ok"]):  # a text that only the package leaves out
            continue
        for row, expected in zip(scores, case["ok"], strict=True):
            for label, stats in expected.items():
                names = {"r": "recall", "p": "precision", "f": "f"}
                ours = {stat: row[f"{label}.{names[stat]}"] for stat in stats}
                assert stats == ours, case
                compared += 1

    assert compared > 300


def test_a_blank_sentence_is_a_word_of_rouge_and_not_of_its_fork() -> None:
    """The empty word of `a. .` is counted by default; texts of blank sentences alone
    have empty words in the fork, too.
    """
    for blank, precision in ((True, 1 / 2), (False, 1)):
        report = rouge_cli.score(
            "a. .", "a.", "R1", dialect="pltrdy", blank_sentences=blank
        )
        assert f"blank_sentences:{'yes' if blank else 'no'}" in report.signature
        assert precision == report.to_dict()["system"]["rouge-1"]["precision"]
        rouge = pltrdy.Rouge(["rouge-1"], ["r"], blank_sentences=blank)
        assert [{"rouge-1": {"r": 1.0}}] == rouge.get_scores(". .", ". . .")
        assert [[""], [""]] == rouge.sentences(". . .")


def test_stems_are_py_rouges() -> None:
    """Irregular forms, listed words, and words for every rule of the stemmer have
    both recorded stems.
    """
    stems: list[Any] = list(golden("py_rouge_stems"))

    assert len(stems) > 1000
    assert [] == [
        stem
        for stem in stems
        if stem[1:] != [stemmers.py_rouge(stem[0], mode) for mode in (True, False)]
    ]


def test_py_rouge_has_no_state() -> None:
    """`cannot` and stems are an object's own, whatever objects were made before."""
    require("punkt")
    for compatible, matches in ((True, 1), (False, 2), (True, 1)):
        rouge = py_rouge.Rouge(
            ["rouge-n"], 1, ensure_compatibility=compatible, apply_avg=False
        )
        scores = rouge.get_scores("cannot enjoy", "can not enjoi")
        assert [matches / 3] == scores["rouge-1"][0]["r"]


def test_punctuation_is_apart_in_sixteen_words() -> None:
    """RougeRaw splits at 32 word boundaries and joins 32 runs of white space; the
    rest stays as it is.
    """
    words = [f"w{number}" for number in range(20)]
    tokens = rougeraw.tokens(", ".join(words))
    late = rougeraw.tokens("a " * 35 + "b\nc  d\te")

    assert [part for word in words[:16] for part in (word, ",")] == tokens[:32]
    assert ["w16,", "w17,", "w18,", "w19"] == tokens[32:]
    assert ["b\nc", "", "d\te"] == late[-3:]
    assert ["...", "x_1", "-", "\u00c9".lower()] == rougeraw.tokens("... X_1 - \u00c9")
    assert [1.0, 0.0, 1.0] == [
        score.f for score in rougeraw.RougeRaw().document("", " \n").values()
    ]


def test_tabs_join_the_n_grams_of_rougeraw() -> None:
    """After 32 runs of white space tokens may contain tabs, and different pairs of
    them may be equal.
    """
    start = "x " * 40
    scores = rougeraw.RougeRaw().document(f"{start}a b\tc", f"{start}a\tb c")

    assert 80 / 82 == scores["2"].f  # all but `x a`
    assert (0.5, 0.25, 1 / 3) == rougeraw.RougeRaw().corpus(["a b", "d"], ["a", "c"])[
        "1"
    ]


def test_white_space_at_the_ends_is_a_word_of_korouge() -> None:
    """An empty token stands before and after a text that begins and ends with white
    space.
    """
    scorer = korouge.rouge_scorer.RougeScorer(
        ["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer=True
    )
    nothing, shifted = scorer.score("", ""), scorer.score(" a b", "a b ")

    assert [1.0, 0.0, 1.0, 0] == [score.fmeasure for score in nothing.values()]
    assert {} == korouge.rouge_scorer.RougeScorer([]).score_multi([], "a")
    assert (1.0, 2 / 3) == (shifted["rouge1"].fmeasure, shifted["rougeL"].fmeasure)
    assert 0.5 == scorer.score("running. ran", "runs. ran")["rouge1"].fmeasure
    assert 1.0 == scorer.score("running ai\ub97c", "run AI\ub97c")["rouge1"].fmeasure


def test_xlsum_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without nltk's stop words or a language's library, an error says how to get
    them.
    """

    def without_data(*_: object, **__: object) -> None:
        raise LookupError

    monkeypatch.setattr(SnowballStemmer, "__init__", without_data)
    monkeypatch.setitem(sys.modules, "TurkishStemmer", None)
    with pytest.raises(
        LookupError, match=r"German need nltk's stop words; run .*downloader stopwords"
    ):
        xlsum.rouge_scorer.RougeScorer(["rouge1"], lang="german", use_stemmer=True)
    for lang, remedy in (
        ("german", "downloader stopwords"),
        ("turkce", "pip install TurkishStemmer"),
    ):
        with pytest.raises(RougeError, match=remedy):
            rouge_cli.score("a", "a", dialect="xlsum", lang=lang, stemmer="xlsum")


def test_odd_strings_have_the_packages_tokens() -> None:
    """These are what multilingual-rouge 0.0.1 and js-rouge 3.2.3 return for strings
    beside the records.
    """
    odd = ["sb.a.", "b.a.", "\u00e9.c.", "1b.c.", "'n't", "_n't'S", "''''<'''ll >"]
    words = [
        ["sb.a", "."], ["b.a."], ["\u00e9.c", "."], ["1b.c", "."], ["'", "n't"], ["_", "n't", "'S"],
        ["''", "''", "<", "''", "'ll", ">"],
    ]  # fmt: skip
    burmese = xlsum.rouge_scorer.RougeScorer(
        [], lang="burmese"
    )  # a stacking sign joins the letters on both sides
    syllables = [
        burmese.pairs(text)
        for text in ("\u1000\u1039", "\u1039\u1000", "\u1000\u1039\u1010")
    ]
    run = js_run(
        "rouge-l", case_sensitive=False
    )  # a final sigma, in a sentence whose blanks are replaced
    sigmas = map(
        run.prepare,
        (
            "\u039f\u0394\u039f\u03a3\n \u039f\u03a3 a",
            "\u03bf\u03b4\u03bf\u03c2 \u03bf\u03c2 a",
        ),
    )

    assert words == [js.tokens(text) for text in odd]
    assert [2, 2, 1] == list(map(len, syllables))
    assert (0.39174311926605504, 0.5219955937744296) == (
        js.FBeta(1.2).f(0.3, 0.7),
        js.FBeta(3.7).f(5 / 9, 2 / 7),
    )
    assert 1 == len({tuple(text.words) for text in sigmas})


def test_xlsum_keeps_marks_and_symbols() -> None:
    """Marks belong to letters, symbols are tokens, punctuation separates, and
    rougeLsum splits no more.
    """
    scorer = xlsum.rouge_scorer.RougeScorer(["rouge1"], unknown="ignored")
    pairs = dict(
        scorer.pairs(
            "don't abc123 x\u00b2 \u65e5\u672c\u306e\u30c6 \u20ac5 \u0301a b\u200dc"
            " e\u0301"
        )
    )
    burmese = xlsum.rouge_scorer.RougeScorer([], lang="burmese")

    assert [
        "don",
        "t",
        "abc",
        "123",
        "x",
        "\u00b2",
        "\u65e5",
        "\u672c",
        "\u306e\u30c6",
    ] == list(pairs)[:9]
    assert ["\u20ac", "5", "\uff050020\u0301", "a", "bc", "e\u0301"] == list(pairs)[9:]
    assert [("abc123", "abc123")] == scorer.pairs("abc123", of_sentence=True)
    syllables = [
        word
        for word, _ in burmese.pairs(
            "\u1019\u103c\u102d\u102f\u1037\u1010\u1031\u102c\u103a"
        )
    ]
    assert ["\u1019\u103c\u102d\u102f\u1037", "\u1010\u1031\u102c\u103a"] == syllables
    assert (
        "\u0932\u0921\u093c\u0915"
        == xlsum.rouge_scorer.RougeScorer([], lang="hindi", use_stemmer=True).pairs(
            "\u0932\u0921\u093c\u0915\u093f\u092f\u093e\u0901"
        )[0][1]
    )


def test_xlsum_does_not_stem_thai() -> None:
    """A language without a stemmer is not stemmed, with a warning."""
    pytest.importorskip("pythainlp", reason="pythainlp is not installed")
    with pytest.warns(rouge_cli.RougeWarning, match="no stemmer for thai"):
        xlsum.rouge_scorer.RougeScorer([], lang="thai", use_stemmer=True)


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_js_scores_given_sentences() -> None:
    """`score` has js-rouge's F, and its tokens, of texts whose sentences are lines."""
    compared = 0
    for case in golden("js"):
        for sentences, tokens in zip(
            case.get("sentences", []), case.get("tokens", []), strict=False
        ):
            assert tokens == [
                token for sentence in sentences for token in js.tokens(sentence)
            ]
        chosen = dict(case["options"])
        label = f"rouge-{chosen.get('n', 1) if chosen.pop('function') == 'n' else case['options']['function']}"
        is_plain = all(
            not isinstance(value, str) or name in {"maxSkip", "beta"}
            for name, value in chosen.items()
        )
        if (
            isinstance(case.get("ok"), dict)
            or "sentences" not in case
            or "ok" not in case
            or not is_plain
        ):
            continue
        lines = [
            "\n".join(part.replace("\n", " ") for part in sentences)
            for sentences in case["sentences"]
        ]
        report = rouge_cli.score(
            lines[0], lines[1], [label], dialect="js", segmenter="lines", beta=float(chosen.get("beta", 1)),
            max_skip=str(chosen.get("maxSkip", "any")).replace("Infinity", "any"),
            case_sensitive=chosen.get("caseSensitive", True),
        ).to_dict()["system"]  # fmt: skip
        assert case["ok"] == report[label]["f"], case
        compared += 1

    assert compared > 100


def test_js_finds_most_sentences() -> None:
    """The segmenter of the dialect finds js-rouge's sentences in most texts, and in
    ordinary prose.
    """
    found = [
        sentences
        == js.sentences(text, neutral=not case["options"].get("caseSensitive", True))
        for case in golden("js")
        if "sentences" in case
        for text, sentences in zip(
            (case["hypothesis"], *case["references"]), case["sentences"], strict=True
        )
    ]

    assert sum(found) / len(found) > 0.85
    for text, expected in (
        ("Wait... what? Yes! no", ["Wait... what?", "Yes!", "no"]),
        ("One line\ntwo line", ["One line", "two line"]),
        (
            "Dr. Ng came at 5 p.m. and left. He ran.",
            ["Dr. Ng came at 5 p.m. and left.", "He ran."],
        ),
        (
            "The cat sat.The dog ran, e.g. home.",
            ["The cat sat.", "The dog ran, e.g. home."],
        ),
    ):
        assert expected == js.sentences(text)
    assert ["Run a_b.py 1.5.", "pl.", "on"] == js.sentences(
        "Run a_b.py 1.5.pl. on", neutral=True
    )


def test_js_tokens_and_f() -> None:
    """Tokens, F with beta and pairs are those of js-rouge's documentation."""
    tokens = js.tokens(
        "1,000 12:30 a,b 5%, $5 What?! U.S. don't CAN'T 'tis wanna go ---c dogs' x."
    )

    assert tokens[:10] == ["1,000", "12:30", "a", ",", "b", "5", "%", ",", "$", "5"]
    assert tokens[10:16] == ["What", "?", "!", "U.S.", "do", "n't"]
    assert tokens[16:] == [
        "CA",
        "N'T",
        "'t",
        "is",
        "wan",
        "na",
        "go",
        "--",
        "-c",
        "dogs",
        "'",
        "x",
        ".",
    ]
    assert 0.2777777777777778 == js.FBeta(2).f(0.25, 0.5)
    assert [0.5, 0.25] == [js.FBeta(beta).f(0.25, 0.5) for beta in (0, math.inf)]
    texts = list(
        map(
            js_run("rouge-l").prepare,
            ("the cat sat. the dog ran", "the dog sat. the cat ran"),
        )
    )
    scores = combine(js_run("rouge-l").measures, texts[:1], texts[1])
    assert 1 == scores["rouge-l"][1].f
    for case, words in ((True, [b"Hello", b"World"]), (False, [b"hello", b"world"])):
        assert (
            words == js_run("rouge-1", case_sensitive=case).prepare("Hello World").words
        )
    assert [] == js_run("rouge-1").prepare("\u0085 \ufeff").words
    assert ["a", "\x1c", "b\x1fc"] == js.tokens("a \x1c b\x1fc")
    lines = js_run("rouge-l", segmenter="lines").prepare("a\u2028b\x85c\x1cd\ne")
    assert [[b"a", b"b", b"c\x1cd"], [b"e"]] == [
        [lines.forms[token] for token in sentence] for sentence in lines.sentences
    ]
    collapsing = js_run("rouge-1", case_sensitive=False)
    collapsing.segment, collapsing.tokenize = lambda _: ["A \u039f\u03a3 b"], list
    assert (
        "a \u03bf\u03c2 b"
        == b"".join(collapsing.prepare("A \n\u039f\u03a3\t b").words).decode()
    )
    for label, wrong in (
        ("rouge-0", {}), ("rouge-1.5", {}), ("rouge-1", {"beta": -1}), ("rouge-1", {"beta": math.nan}),
        ("rouge-s", {"max_skip": "-1"}),
    ):  # fmt: skip
        with pytest.raises(UsageError):
            js_run(label, **wrong)
