"""The module `rouge_score.tokenizers`: tokenizers to pass to a scorer."""

from __future__ import annotations

from abc import ABC, abstractmethod

from rouge_cli.dialects.google import tokenize
from rouge_cli.dialects.google.patches import watch
from rouge_cli.text import porter


class Tokenizer(ABC):
    """The base class of tokenizers; the scorer accepts any object with this method."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        raise NotImplementedError


class DefaultTokenizer(Tokenizer):
    """Runs of a-z and 0-9 of the lower-cased text, stemmed on request."""

    def __init__(self, use_stemmer: bool = False) -> None:  # noqa: FBT001, FBT002 - rouge_score's
        self._stemmer = porter.PorterStemmer() if use_stemmer else None

    def __getstate__(self) -> dict[str, object]:
        """Return the state for pickles; of a stand-in's, one that rouge_score opens."""
        state = dict(vars(self))
        is_stand_in = type(self).__module__ != __name__
        if is_stand_in and type(self._stemmer) is porter.PorterStemmer:
            from nltk.stem.porter import PorterStemmer  # takes half a second

            state["_stemmer"] = PorterStemmer()
        return state

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore the state, of rouge_score's tokenizer too, with the faster
        stemmer.
        """
        vars(self).update(state)
        if type(self._stemmer).__module__ == "nltk.stem.porter":
            self._stemmer = porter.PorterStemmer()

    @property
    def stems(self) -> bool:
        """True if the tokenizer has a stemmer."""
        return self._stemmer is not None

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return tokenize.tokenize(text, self._stemmer)


watch(__name__, "tokenize")
