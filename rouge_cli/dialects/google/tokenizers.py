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

    @property
    def stems(self) -> bool:
        """True if the tokenizer has a stemmer."""
        return self._stemmer is not None

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return tokenize.tokenize(text, self._stemmer)


watch(__name__)
