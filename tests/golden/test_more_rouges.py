"""Forks and other packages called ROUGE: every recorded case through their stand-ins, to the last bit.

HELD_OUT names a folder with other cases of the same form, as NAME.json, which are compared, too.
"""

import json
import math
import os
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from nltk.stem.snowball import SnowballStemmer

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.core import Counts, Text
from rouge_cli.dialects import js, korouge, py_rouge, rougeraw, xlsum
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.metrics import Bag, Metric, _lcs, bag, overlap
from rouge_cli.metrics.ngram import NGram
from rouge_cli.text import stemmers, treebank

Case = dict[str, Any]

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "others"
HELD_OUT = os.environ.get("HELD_OUT", "")


@cache
def golden(dialect: str) -> list[Case]:
    """Return the recorded cases of a package."""
    cases = list(map(json.loads, (FIXTURES / f"{dialect}.jsonl").read_text("utf-8").splitlines()))[1:]
    other = Path(HELD_OUT, f"{dialect}.json")
    return cases + (json.loads(other.read_text("utf-8")) if HELD_OUT and other.exists() else [])


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
    options = {name: value for name, value in case["options"].items() if name != "method"}
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
    assert case.get("tokens") in (None, [[form for _, form in scorer.pairs(text)] for text in texts])
    return {name: score._asdict() for name, score in scorer.score(*texts[::-1]).items()}


class Padded(NGram):
    """N-grams with n - 1 marks before and after the text, as js-rouge's `nGram` returns them."""

    def bag(self, text: Text) -> Bag:
        """Return the n-grams."""
        marks = [-1] * (self.n - 1)
        return super().bag(Text([*marks, *text.tokens, *marks]))


class GreedyLcs(Metric):
    """ROUGE-L with a user's function of js-rouge, whose tokens are looked for from the left."""

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
        match = overlap(bag(marked), bag(prediction.tokens))
        return self.counts(len(reference.tokens), len(prediction.tokens), match)


JS_NAMES = {"caseSensitive": "case_sensitive", "maxSkip": "max_skip"}
JS_VALUES: dict[str, Any] = {
    "whitespace": str.split, "characters": list, "none": lambda _: [],
    "lines": lambda text: text.split("\n"), "whole": lambda text: [text],
    "Infinity": math.inf, "NaN": math.nan,
}  # fmt: skip


def run_js(case: Case) -> Any:  # noqa: ANN401 - as above
    """Return the score of a hypothesis with the recorded sentences, or of several with our own."""
    options = dict(case["options"])
    function = options.pop("function")
    name = options.pop("scorer", function)
    given = {key: options.pop(key) for key in ("nGram", "skipBigram", "lcs") if key in options}
    for key, value in options.items():
        options[key] = JS_VALUES[value] if isinstance(value, str) else value
    if "sentences" in case and "segmenter" not in options:
        texts = case["hypothesis"], case["references"][0]
        options["segmenter"] = dict(zip(texts, case["sentences"], strict=True)).__getitem__
    try:
        scorer = js.JsRouge(name, **{JS_NAMES.get(key, key): value for key, value in options.items()})
        if "lcs" in given:
            scorer.metric = GreedyLcs()
        if given.get("nGram") == "padded":
            scorer.metric = Padded(scorer.n)
        score = partial(js_score, scorer, is_strict="strict" in given.values())
        if function == "jackKnife":
            return js.jack_knife(case["hypotheses"], case["references"][0], score)
        return score(case["hypothesis"], case["references"][0])
    except (UsageError, ValueError):
        return "RangeError"


def js_score(scorer: js.JsRouge, hypothesis: str, reference: str, *, is_strict: bool) -> float:
    """Return the score; raise ValueError if the text is too short for a strict function of units."""
    least = scorer.n if scorer.function == "n" else 2
    lengths = [sum(len(list(part)) for part in scorer.sentences(text)) for text in (hypothesis, reference)]
    if is_strict and min(lengths) < least:
        raise ValueError("too few tokens")
    return scorer(hypothesis, reference)


STAND_INS: dict[str, Callable[[Case], Any]] = {
    "rougeraw": run_rougeraw,
    "korouge": run_korouge,
    "py_rouge": run_py_rouge,
    "xlsum": run_xlsum,
    "js": run_js,
}


# What cases need besides rouge-cli.
NEEDS = {
    "rougeraw": [""],
    "korouge": ["", "punkt"],
    "py_rouge": ["", "punkt"],
    "js": [""],
    "xlsum": ["", "snowball", "jieba", "pythainlp", "TurkishStemmer", "bengali_stemmer"],
}


def needs(case: Case) -> str:
    """Return the library or data that a case needs; empty for the others."""
    options = case["options"]
    has_punkt = options.get("split_summaries") or not options.get("ensure_compatibility", True)
    return "punkt" if has_punkt else next(iter(case.get("needs", [])), "")


def require(need: str) -> None:
    """Skip the test unless the library or nltk's stop words are installed."""
    if need == "snowball":
        try:
            SnowballStemmer("english", ignore_stopwords=True)
        except LookupError:
            pytest.skip("nltk's stop words are not installed: python -m nltk.downloader stopwords")
    elif need:
        pytest.importorskip(need, reason=f"{need} is not installed")


@pytest.mark.parametrize(("dialect", "need"), [(name, need) for name in STAND_INS for need in NEEDS[name]])
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
    """Return the metrics and options by which `score` computes a case; None if it reads other texts."""
    references = case["references"] if isinstance(case["references"], list) else [case["references"]]
    texts = [case.get("hypothesis"), *references]
    if not case.get("ok") or not all(isinstance(text, str) and text == as_lines(text) for text in texts):
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
        others |= {name: options[name] for name in ("min_char_length",) if name in options}
        return options["rouge_types"], {
            "stemmer": stemmer if options.get("use_stemmer") else "none",
            **others,
        }
    average, best = options.get("apply_avg", True), options.get("apply_best", False)
    limit = options.get("length_limit", 665) if options.get("limit_length", True) else 0
    if limit < 0 or not (average or best) or not options.get("ensure_compatibility", True):
        return None
    return list(case["ok"]), {
        "stemmer": "py_rouge" if options.get("stemming", True) else "none",
        "limit": f"{limit}{options.get('length_limit_type', 'bytes')}" if limit else "none",
        "formula": "average" if average else "best",
        "alpha": options.get("alpha", 0.5),
        "weight_factor": options.get("weight_factor", 1.0),
    }


def as_lines(text: str) -> str:
    """Return the text as a file of sentences reads back, without empty lines."""
    return "\n".join(line for line in text.split("\n") if line)


@pytest.mark.parametrize("dialect", [name for name in STAND_INS if name != "js"])
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_command_scores_as_the_packages(dialect: str) -> None:
    """`score` has the package's precision, recall and F of every text that it can read."""
    compared = 0
    for case in golden(dialect):
        if (chosen := command_of(dialect, case)) is None:
            continue
        labels, options = chosen
        report = rouge_cli.score(
            [case["hypothesis"]], [case["references"]], labels, dialect=DialectName(dialect), **options
        ).to_dict()["system"]
        expected = {name.removeprefix("ROUGE-"): sorted(score.values()) for name, score in report.items()}
        assert expected == {name: sorted(score.values()) for name, score in case["ok"].items()}, case
        compared += 1

    assert compared > 25


def test_stems_are_py_rouges() -> None:
    """Irregular forms, listed words, and words for every rule of the stemmer have both recorded stems."""
    stems: list[Any] = list(golden("py_rouge_stems"))

    assert len(stems) > 1000
    assert [] == [
        stem for stem in stems if stem[1:] != [stemmers.py_rouge(stem[0], mode) for mode in (True, False)]
    ]


def test_py_rouge_has_no_state() -> None:
    """`cannot` and stems are an object's own, whatever objects were made before."""
    for compatible, matches in ((True, 1), (False, 2), (True, 1)):
        rouge = py_rouge.Rouge(["rouge-n"], 1, ensure_compatibility=compatible, apply_avg=False)
        scores = rouge.get_scores("cannot enjoy", "can not enjoi")
        assert [matches / 3] == scores["rouge-1"][0]["r"]


def test_punctuation_is_apart_in_sixteen_words() -> None:
    """RougeRaw splits at 32 word boundaries and joins 32 runs of white space; the rest stays as it is."""
    words = [f"w{number}" for number in range(20)]
    tokens = rougeraw.tokens(", ".join(words))
    late = rougeraw.tokens("a " * 35 + "b\nc  d\te")

    assert [part for word in words[:16] for part in (word, ",")] == tokens[:32]
    assert ["w16,", "w17,", "w18,", "w19"] == tokens[32:]
    assert ["b\nc", "", "d\te"] == late[-3:]
    assert ["...", "x_1", "-", "\u00c9".lower()] == rougeraw.tokens("... X_1 - \u00c9")
    assert [1.0, 0.0, 1.0] == [score.f for score in rougeraw.RougeRaw().document("", " \n").values()]


def test_tabs_join_the_n_grams_of_rougeraw() -> None:
    """After 32 runs of white space tokens may contain tabs, and different pairs of them may be equal."""
    start = "x " * 40
    scores = rougeraw.RougeRaw().document(f"{start}a b\tc", f"{start}a\tb c")

    assert 80 / 82 == scores["2"].f  # all but `x a`
    assert (0.5, 0.25, 1 / 3) == rougeraw.RougeRaw().corpus(["a b", "d"], ["a", "c"])["1"]


def test_white_space_at_the_ends_is_a_word_of_korouge() -> None:
    """An empty token stands before and after a text that begins and ends with white space."""
    scorer = korouge.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer=True)
    nothing, shifted = scorer.score("", ""), scorer.score(" a b", "a b ")

    assert [1.0, 0.0, 1.0, 0] == [score.fmeasure for score in nothing.values()]
    assert (1.0, 2 / 3) == (shifted["rouge1"].fmeasure, shifted["rougeL"].fmeasure)
    assert 0.5 == scorer.score("running. ran", "runs. ran")["rouge1"].fmeasure
    assert 1.0 == scorer.score("running ai\ub97c", "run AI\ub97c")["rouge1"].fmeasure


def test_xlsum_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without nltk's stop words or a language's library, an error says how to get them."""

    def without_data(*_: object, **__: object) -> None:
        raise LookupError

    monkeypatch.setattr(SnowballStemmer, "__init__", without_data)
    monkeypatch.setitem(sys.modules, "TurkishStemmer", None)
    with pytest.raises(LookupError, match=r"German need nltk's stop words; run .*downloader stopwords"):
        xlsum.RougeScorer(["rouge1"], lang="german", use_stemmer=True)
    for lang, remedy in (("german", "downloader stopwords"), ("turkce", "pip install TurkishStemmer")):
        with pytest.raises(RougeError, match=remedy):
            rouge_cli.score("a", "a", dialect="xlsum", lang=lang, stemmer="xlsum")


def test_odd_strings_have_the_packages_tokens() -> None:
    """These are what multilingual-rouge 0.0.1 and js-rouge 3.2.3 return for strings beside the records."""
    odd = ["sb.a.", "b.a.", "\u00e9.c.", "1b.c.", "'n't", "_n't'S", "''''<'''ll >"]
    words = [
        ["sb.a", "."], ["b.a."], ["\u00e9.c", "."], ["1b.c", "."], ["'", "n't"], ["_", "n't", "'S"],
        ["''", "''", "<", "''", "'ll", ">"],
    ]  # fmt: skip
    burmese = xlsum.RougeScorer([], lang="burmese")  # a stacking sign joins the letters on both sides
    syllables = [burmese.pairs(text) for text in ("\u1000\u1039", "\u1039\u1000", "\u1000\u1039\u1010")]
    whole = js.JsRouge("l", case_sensitive=False)  # a final sigma, in a sentence whose blanks are replaced

    assert words == [treebank.tokens(text) for text in odd]
    assert [2, 2, 1] == list(map(len, syllables))
    assert (0.39174311926605504, 0.5219955937744296) == (
        js.FBeta(1.2).f(0.3, 0.7),
        js.FBeta(3.7).f(5 / 9, 2 / 7),
    )
    assert 1 == whole(
        "\u039f\u0394\u039f\u03a3\n \u039f\u03a3 a", "\u03bf\u03b4\u03bf\u03c2 \u03bf\u03c2 a"
    )


def test_xlsum_keeps_marks_and_symbols() -> None:
    """Marks belong to letters, symbols are tokens, punctuation separates, and rougeLsum splits no more."""
    scorer = xlsum.RougeScorer(["rouge1"], unknown="ignored")
    pairs = dict(
        scorer.pairs("don't abc123 x\u00b2 \u65e5\u672c\u306e\u30c6 \u20ac5 \u0301a b\u200dc e\u0301")
    )
    burmese = xlsum.RougeScorer([], lang="burmese")

    assert ["don", "t", "abc", "123", "x", "\u00b2", "\u65e5", "\u672c", "\u306e\u30c6"] == list(pairs)[:9]
    assert ["\u20ac", "5", "\uff050020\u0301", "a", "bc", "e\u0301"] == list(pairs)[9:]
    assert [("abc123", "abc123")] == scorer.pairs("abc123", of_sentence=True)
    syllables = [
        word for word, _ in burmese.pairs("\u1019\u103c\u102d\u102f\u1037\u1010\u1031\u102c\u103a")
    ]
    assert ["\u1019\u103c\u102d\u102f\u1037", "\u1010\u1031\u102c\u103a"] == syllables
    assert (
        "\u0932\u0921\u093c\u0915"
        == xlsum.RougeScorer([], lang="hindi", use_stemmer=True).pairs(
            "\u0932\u0921\u093c\u0915\u093f\u092f\u093e\u0901"
        )[0][1]
    )
    with pytest.warns(rouge_cli.RougeWarning, match="no stemmer for thai"):
        xlsum.RougeScorer([], lang="thai", use_stemmer=True)


@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_js_scores_given_sentences() -> None:
    """`score` has js-rouge's F, and its tokens, of texts whose sentences are lines."""
    compared = 0
    for case in golden("js"):
        for sentences, tokens in zip(case.get("sentences", []), case.get("tokens", []), strict=False):
            assert tokens == [token for sentence in sentences for token in treebank.tokens(sentence)]
        chosen = dict(case["options"])
        label = (
            f"rouge-{chosen.get('n', 1) if chosen.pop('function') == 'n' else case['options']['function']}"
        )
        is_plain = all(
            not isinstance(value, str) or name in {"maxSkip", "beta"} for name, value in chosen.items()
        )
        if isinstance(case.get("ok"), dict) or "sentences" not in case or "ok" not in case or not is_plain:
            continue
        lines = [
            "\n".join(part.replace("\n", " ") for part in sentences) for sentences in case["sentences"]
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
    """The segmenter of the dialect finds js-rouge's sentences in most texts, and in ordinary prose."""
    found = [
        sentences == treebank.sentences(text, neutral=not case["options"].get("caseSensitive", True))
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
        ("Dr. Ng came at 5 p.m. and left. He ran.", ["Dr. Ng came at 5 p.m. and left.", "He ran."]),
        ("The cat sat.The dog ran, e.g. home.", ["The cat sat.", "The dog ran, e.g. home."]),
    ):
        assert expected == treebank.sentences(text)


def test_js_tokens_and_f() -> None:
    """Tokens, F with beta and pairs are those of js-rouge's documentation."""
    tokens = treebank.tokens("1,000 12:30 a,b 5%, $5 What?! U.S. don't CAN'T 'tis wanna go ---c dogs' x.")

    assert tokens[:10] == ["1,000", "12:30", "a", ",", "b", "5", "%", ",", "$", "5"]
    assert tokens[10:16] == ["What", "?", "!", "U.S.", "do", "n't"]
    assert tokens[16:] == ["CA", "N'T", "'t", "is", "wan", "na", "go", "--", "-c", "dogs", "'", "x", "."]
    assert 0.2777777777777778 == js.FBeta(2).f(0.25, 0.5)
    assert [0.5, 0.25] == [js.FBeta(beta).f(0.25, 0.5) for beta in (0, math.inf)]
    assert 1 == js.JsRouge("l")("the cat sat. the dog ran", "the dog sat. the cat ran")
    assert [0, 1] == [
        js.JsRouge(case_sensitive=case)("Hello World", "hello world") for case in (True, False)
    ]
    recall = js.jack_knife(
        ["a b", "a c d", "a b c d e"], "a", lambda text, other: len(other) / len(text.split())
    )
    assert pytest.approx(4 / 9) == recall
    for wrong in ({"n": 0}, {"n": 1.5}, {"beta": -1}, {"beta": math.nan}, {"max_skip": -1}):
        with pytest.raises(UsageError):
            js.JsRouge(**wrong)
    with pytest.raises(UsageError, match="empty"):
        js.JsRouge()("a", "\u0085 \ufeff")
