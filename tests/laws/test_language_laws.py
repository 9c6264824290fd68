"""Laws over profiles of languages: the letters of long texts are counted, once each.

The Universal Declaration of Human Rights in 65 languages is beside the project;
elsewhere the sentences of tests/unit/text/languages.txt take its place.
"""

import unicodedata
from itertools import combinations
from pathlib import Path

import pytest
import regex

import rouge_cli
from rouge_cli.errors import RougeError
from rouge_cli.text import languages, stemmers, tokenizers
from rouge_cli.text.normalization import before, normalize

ROOT = Path(__file__).resolve().parents[2]
UDHR = ROOT.parent / "shared" / "golden" / "udhr"
CODES = [
    code
    for code, profile in languages.profiles().items()
    if profile.tokenizer not in tokenizers.EXTRAS
]


def texts_of(code: str) -> list[str]:
    """Return articles of the Declaration, or two sentences."""
    if UDHR.is_dir():
        return (UDHR / f"{code}.txt").read_text("utf-8").splitlines()
    lines = (
        (ROOT / "tests" / "unit" / "text" / "languages.txt")
        .read_text("utf-8")
        .splitlines()
    )
    return [
        part
        for line in lines
        if line.startswith(f"--language {code} ")
        for part in line.split(" | ")[1::2]
    ]


def letters(text: str) -> str:
    """Return the letters and digits of a text."""
    return "".join(regex.findall(r"[\p{L}\p{N}]", text))


@pytest.mark.parametrize("code", CODES)
def test_each_letter_is_counted_once(code: str) -> None:
    """At least 99 % of the letters of a text are in its tokens, in their order, none
    in two of them.
    """
    profile = languages.named(code)
    tokenize = before(profile.normalize, tokenizers.named(profile.tokenizer))
    text = "\n".join(texts_of(code))
    counted = letters(b"".join(tokenize(text.encode())).decode())
    expected = letters(
        unicodedata.normalize("NFC", normalize(profile.normalize, text).lower())
    )

    assert counted == expected
    assert len(counted) >= 0.99 * len(letters(unicodedata.normalize("NFKC", text)))
    assert b"" not in tokenize(text.encode())


@pytest.mark.parametrize("code", CODES)
def test_different_texts_are_not_taken_for_equal(code: str) -> None:
    """Different articles score below .9, each of them 1 against itself."""
    articles = [text for text in texts_of(code) if len(letters(text)) > 40] or texts_of(
        code
    )
    first, second = zip(*combinations(articles[:12], 2), strict=True)
    unlike = rouge_cli.score_rows(
        first, second, "R1", language=code, notify=lambda _: None
    )
    same = rouge_cli.score_rows(
        articles, articles, "R1,R2,RL", language=code, notify=lambda _: None
    )

    assert max(row["ROUGE-1.f"] for row in unlike) < 0.9
    assert {1} == {
        row[f"{label}.f"] for row in same for label in ("ROUGE-1", "ROUGE-2", "ROUGE-L")
    }


@pytest.mark.skipif(
    not UDHR.is_dir(), reason="the Universal Declaration is not beside the project"
)
@pytest.mark.parametrize("code", [code for code in languages.profiles() if "-" in code])
def test_the_words_of_a_segmenter_are_its_own(code: str) -> None:
    """Normalization before a segmenter changes no boundary of the Declaration: the
    words are those that the segmenter finds in the text as it is, each normalized.
    """
    profile = languages.named(code)
    try:
        segment = tokenizers.segmenter(profile.tokenizer)
    except RougeError as error:
        pytest.skip(str(error))
    tokenize = before(profile.normalize, tokenizers.named(profile.tokenizer))
    lines = (UDHR / f"{code[:2]}.txt").read_text("utf-8").splitlines()
    for line in lines:
        own = []
        for segmented in segment(unicodedata.normalize("NFC", line)):
            word = normalize(profile.normalize, segmented).strip().lower()
            if letters(word):
                own.append(word)

        assert own == [word.decode() for word in tokenize(line.encode())]


@pytest.mark.parametrize(
    "code",
    [
        code
        for code, each in languages.profiles().items()
        if "snowball:" in each.stemmer
    ],
)
def test_stems_are_those_of_snowballs_project(code: str) -> None:
    """Each profile's stems are those that Snowball's own package makes, and the
    signature states its version.
    """
    profile = languages.named(code)
    language = profile.stemmer.removeprefix("snowball:")
    package = pytest.importorskip(f"snowballstemmer.{language}_stemmer")
    theirs = getattr(package, f"{language.title()}Stemmer")()
    tokenize = before(profile.normalize, tokenizers.named(profile.tokenizer))
    words = set(tokenize("\n".join(texts_of(code)).encode()))
    stem = stemmers.snowball(profile.stemmer)

    assert all(stem(word).decode() == theirs.stemWord(word.decode()) for word in words)
    report = rouge_cli.score("a", "a", "R1", language=code, stem=True, samples=0)
    assert "|libraries:snowballstemmer-" in report.signature
