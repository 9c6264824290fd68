"""An explanation marks the words of the text as it was before normalization."""

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rouge_cli import reports
from rouge_cli.core import Document, EvalTask, Explanation, Side
from rouge_cli.results.explanations import Explanations
from rouge_cli.studies import explainers
from rouge_cli.text import normalization, tokenizers

# Accents composed and not, full-width letters, ligatures, syllables of several
# characters, letters whose lower case is longer, a final sigma, invisible characters,
# and separators of words.
PIECES = [
    *("a", "B", "ni\u00f1o", "comio\u0301", "\u00c9t\u00e9", "e\u0323\u0301", "\uff32\uff4f\uff55"),
    *("\ufb01n", "o\ufb03ce", "\ud55c", "\u1112\u1161\u11ab", "\uff76\uff9e", "\u0130stanbul"),
    *("\u212aelvin", "\u023a", "\u03a3\u039f\u03a3"),
    *("so\u00adft", "q\u0315\u0301", "\u05d0\u05b8", "\u0434\u0306", "\u0301", *"-.'\u00b7   "),
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
STEPS = ["none", "nfkc", "diacritics", "nfkc+diacritics"]


def explained(
    dialect: str, prediction: str | bytes, options: dict[str, Any]
) -> Sequence[Explanation]:
    """Explain a peer against a model of a word."""
    data = prediction.encode() if isinstance(prediction, str) else prediction
    task = EvalTask(
        "1", {"p": Document(data, "p")}, [("M", Document(b"a", "m"))], "spl", "here"
    )
    return explainers.explain(task, "p", dialect, options, lambda _: None).metrics


def read_again(options: dict[str, str], surface: str) -> list[str]:
    """Return the tokens of a marked piece of text by itself, sigmas as they are
    within words.
    """
    text = normalization.normalize(options["normalize"], surface)
    if options["tokenizer"] == "google":
        return re.findall("[a-z0-9]+", text.lower())
    tokens = tokenizers.named(options["tokenizer"])(text.encode())
    return [token.decode().replace("\u03c2", "\u03c3") for token in tokens]


@pytest.mark.parametrize(
    ("dialect", "tokenizer"),
    [
        *(("rouge155", name) for name in ("classic", "unicode", "whitespace")),
        *(("google", name) for name in ("google", "classic", "unicode", "whitespace")),
    ],
)
@given(text=TEXTS, normalize=st.sampled_from(STEPS))
@example(text="el ni\u00f1o comi\u00f3", normalize="diacritics")
@example(text="\u0130stanbul a", normalize="none")
def test_marked_words_give_their_tokens(
    dialect: str, tokenizer: str, text: str, normalize: str
) -> None:
    """Every marked surface, normalized and tokenized by itself, is the token that is
    counted.
    """
    options = {"tokenizer": tokenizer, "normalize": normalize}
    for explanation in explained(dialect, text, options):
        prediction = explanation.pairs[0].prediction
        at = 0
        for token in prediction.tokens:
            assert at <= token.start < token.end
            at = token.end
            assert prediction.source.data[token.start : at].decode() == token.surface
            assert [token.form.replace("\u03c2", "\u03c3")] == read_again(
                options, token.surface
            )
        assert prediction.source.data.decode().split() == text.split()


@given(text=TEXTS)
def test_rouge2_marks_composed_words_in_decomposed_texts(text: str) -> None:
    """ROUGE 2.0's words are composed; their places are in the unchanged text."""
    (explanation,) = explained(
        "rouge2", text, {"metrics": ("ROUGE-1",), "stemmer": "none"}
    )
    prediction = explanation.pairs[0].prediction
    assert text.encode() == prediction.source.data
    for token in prediction.tokens:
        # Whether a sigma is final depends on what follows in the text, not in the word
        # alone.
        form, lowered = (
            word.replace("\u03c2", "\u03c3")
            for word in (token.form, token.surface.lower())
        )
        assert [form] == unicodedata.normalize("NFC", lowered).split()


def marked(side: Side) -> list[str]:
    """Return the surfaces of a side's tokens."""
    return [token.surface for token in side.tokens]


@pytest.mark.parametrize("dialect", ["rouge155", "google"])
def test_every_format_marks_the_words_that_were_given(dialect: str) -> None:
    """Plain text, JSON and HTML show accented words with their accents, and bytes of
    that text.
    """
    text = "el ni\u00f1o comio\u0301 \ufb01n"
    options = {"normalize": "nfkc+diacritics", "metrics": ("rouge1",)}
    explanations = Explanations(explained(dialect, text, options))
    words = text.split()
    assert words == marked(explanations.metrics[0].pairs[0].prediction)

    def report(form: str) -> str:
        return reports.render(explanations, form, reports.Layout())

    (metric,) = json.loads(report("json"))["metrics"]
    tokens = metric["references"][0]["prediction"]["tokens"]
    assert words == [
        text.encode()[token["start"] : token["end"]].decode() for token in tokens
    ]
    assert all(word in report("html") for word in words)
    assert all(word in report("text") for word in words)


def test_two_tokens_of_one_character_share_its_place() -> None:
    """Of a fraction that becomes two numbers the first is marked, and the second has
    no length.
    """
    options = {"normalize": "nfkc", "metrics": ("R1",)}
    (explanation,) = explained("rouge155", "a \u00bd b", options)
    assert ["a", "\u00bd", "", "b"] == marked(explanation.pairs[0].prediction)
