"""Laws of the embedded tagger and of synonyms, for any words."""

from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.data import wordnet
from rouge_cli.text import tagging

# Words in rules, words of either kind that WordNet has, punctuation and pieces, and any others.
KNOWN = [
    "the", "a", "to", "that", "her", "is", "was", "have", "do", "screen", "light", "works", "put",
    "broken",
]  # fmt: skip
PIECES = ["London", "I", "@", ",", ".", "s", "t", "DT", "END"]
WORD = st.sampled_from([*KNOWN, *PIECES]) | st.text(max_size=6)


@given(st.lists(WORD, max_size=12))
def test_every_word_has_a_tag(words: list[str]) -> None:
    """Each word gets one Penn tag, the same each time, and the words are unchanged."""
    tagger = tagging.named("embedded")
    before = list(words)
    tags = tagger(words)

    assert len(words) == len(tags)
    assert set(tags).isdisjoint({"", "START", "END"})
    assert tags == tagger(tuple(words))
    assert before == words


@given(WORD, st.sampled_from("nva"), st.integers(0, 5))
def test_a_higher_limit_gives_no_more(word: str, pos: str, least: int) -> None:
    """Any word has synonyms or none, and a higher limit gives a subset."""
    ours = wordnet.load()

    assert ours.synonyms(word, pos, least=least + 1) <= ours.synonyms(word, pos, least=least)
