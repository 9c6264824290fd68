"""The stemmer: all golden words, and each difference from other stemmers."""

from pathlib import Path

import pytest
from case_tables import tabled

from rouge_cli.data.word_lists import irregular_forms
from rouge_cli.text.porter import stem

STEMS = Path(__file__).parents[3] / "fixtures" / "rouge155" / "stems.tsv"

PAPER = """\
caresses:caress ponies:poni caress:caress cats:cat
feed:feed agreed:agre plastered:plaster bled:bled motoring:motor sing:sing
conflated:conflat troubled:troubl sized:size hopping:hop tanned:tan falling:fall hissing:hiss fizzed:fizz
failing:fail filing:file happy:happi sky:sky
relational:relat conditional:condit rational:ration valenci:valenc hesitanci:hesit digitizer:digit
radicalli:radic vileli:vile analogousli:analog vietnamization:vietnam predication:predic operator:oper
feudalism:feudal decisiveness:decis hopefulness:hope callousness:callous sensitiviti:sensit
sensibiliti:sensibl triplicate:triplic formative:form formalize:formal electrical:electr goodness:good
revival:reviv allowance:allow inference:infer airliner:airlin gyroscopic:gyroscop adjustable:adjust
defensible:defens irritant:irrit replacement:replac adjustment:adjust dependent:depend adoption:adopt
homologou:homolog communism:commun activate:activ effective:effect bowdlerize:bowdler
probate:probat rate:rate cease:ceas controll:control roll:roll"""


def test_every_golden_word() -> None:
    """All 12,633 words have the original's form: short words unchanged, others
    irregular or stemmed.
    """
    irregular = irregular_forms(None, lambda _: None)
    pairs = [line.split("\t") for line in STEMS.read_text("latin-1").splitlines()]

    def form(word: str) -> str:
        if len(word) <= 3:
            return word
        base = irregular.get(word.encode())
        return stem(word) if base is None else base.decode()

    assert len(pairs) == 12633
    assert [] == [
        (word, expected, form(word))
        for word, expected in pairs
        if expected != form(word)
    ]


@pytest.mark.parametrize("line", PAPER.splitlines())
def test_porters_own_examples(line: str) -> None:
    """The examples of Porter (1980) have the stems that his steps give one after the
    other.
    """
    pairs = [pair.split(":") for pair in line.split()]

    assert [expected for _, expected in pairs] == [stem(word) for word, _ in pairs]


@tabled
def test_the_originals_particulars(word: str, expected: str) -> None:
    """ROUGE-1.5.5 is followed if it differs from Porter and other stemmers (QUIRKS
    11).
    """
    assert expected == stem(word)
