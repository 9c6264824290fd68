"""The two LCS measures of Lin's paper that ROUGE-1.5.5 does not print, on numbers
worked out by hand.
"""

import pytest

from rouge_cli.core import Text
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.metrics.mead_lcs import MeadLcs
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.scoring.formula import f_measure, ratio


def text(*sentences: str) -> Text:
    """Return a text whose tokens are letters."""
    units = [[ord(letter) for letter in sentence] for sentence in sentences]
    return Text([token for unit in units for token in unit], units)


# police killed the gunman; police kill the gunman; the gunman kill police; the gunman
# police killed
S1, S2, S3, S4 = "pdtg", "pktg", "tgkp", "tgpd"


@pytest.mark.parametrize(("prediction", "score"), [(S2, 0.75), (S3, 0.5), (S4, 0.5)])
def test_the_papers_sentences(prediction: str, score: float) -> None:
    """With beta 1 the paper gives S2 3/4 and S3 2/4 (section 3.1), and S4 the same
    as S3.
    """
    counts = SentenceLcs().count(text(S1), text(prediction))
    recall, precision = (
        ratio(counts.match, counts.reference),
        ratio(counts.match, counts.prediction),
    )

    assert score == f_measure(recall, precision, 0.5)


def test_sentences_run_on() -> None:
    """The text counts as one sentence, however many lines it has; the summary-level
    measure counts two.
    """
    reference, prediction = text("ab", "cd"), text("cd", "ab")

    assert 2 == SentenceLcs().count(reference, prediction).match
    assert 4 == Lcs().count(reference, prediction).match


def test_beta_is_alpha() -> None:
    """Equation 4 with beta is F with alpha 1 / (1 + beta^2)."""
    counts = SentenceLcs().count(text("abcdefgh"), text("abxd"))
    recall, precision, beta = 3 / 8, 3 / 4, 2.0
    by_the_paper = (1 + beta**2) * recall * precision / (recall + beta**2 * precision)

    assert (8, 4, 3) == counts[:3]
    assert by_the_paper == pytest.approx(
        f_measure(recall, precision, 1 / (1 + beta**2))
    )


def test_the_best_sentence_not_the_union() -> None:
    """Lin's w1..w5: the union LCS marks four words, the best single sentence has
    three (section 3.3).
    """
    reference, prediction = text("12345"), text("12678", "13895")
    counts = MeadLcs().count(reference, prediction)

    assert 4 == Lcs().count(reference, prediction).match
    # Model: its best is 1 3 5. Peer: 1 2 in the first sentence, 1 3 5 in the second.
    assert (5, 10, 3, 5) == (
        counts.reference,
        counts.prediction,
        counts.match,
        counts.matched,
    )
    marks = MeadLcs().matches(reference, prediction)
    assert ({0, 2, 4}, {0, 1, 5, 6, 9}) == (
        marks.reference.counted,
        marks.prediction.counted,
    )


def test_meads_own_figure() -> None:
    """If both sums are equal, F is the sum of both divided by all words (equation
    8).
    """
    counts = MeadLcs().count(text("abcd", "efg"), text("abxx", "efgh", "yy"))
    recall, precision = (
        ratio(counts.match, counts.reference),
        ratio(counts.matched, counts.prediction),
    )

    assert (7, 10, 5, 5) == (
        counts.reference,
        counts.prediction,
        counts.match,
        counts.matched,
    )
    assert (5 + 5) / (7 + 10) == pytest.approx(f_measure(recall, precision, 0.5))


def test_repeated_sentences_earn_no_more_than_their_words() -> None:
    """A sentence of the model repeated three times has precision 1, and recall that
    of one copy.
    """
    counts = MeadLcs().count(text("ab", "cd"), text("ab", "ab", "ab"))

    assert (0.5, 1.0) == (
        counts.match / counts.reference,
        counts.matched / counts.prediction,
    )
