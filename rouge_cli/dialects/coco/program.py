"""ROUGE-L of a caption, and the class `Rouge` of pycocoevalcap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.core import Counts, Score, Text
from rouge_cli.errors import require
from rouge_cli.metrics.sentence_lcs import length
from rouge_cli.options import in_range
from rouge_cli.pairwise.program import Pairwise
from rouge_cli.scoring import formula
from rouge_cli.tasks.containers import refuse_sets
from rouge_cli.text.vocabulary import Forms

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Hashable, Mapping, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.options import Options
    from rouge_cli.pairwise.program import Scored

LABEL = "ROUGE_L"
BETA = 1.2


class Rouge:
    """`pycocoevalcap.rouge.rouge.Rouge`."""

    def __init__(self) -> None:
        self.beta = BETA

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """Return the F of the single candidate; raise AssertionError for another number of candidates."""
        refuse_sets(candidate, refs)
        if len(candidate) != 1 or len(refs) == 0:
            raise AssertionError(f"{len(candidate)} candidates, or no references")
        forms = Forms()
        models = [read(reference, forms) for reference in refs]
        return score_peer(models, read(candidate[0], forms), self.beta)[1].f

    def compute_score(self, gts: Mapping[Any, list[str]], res: Mapping[Any, list[str]]) -> tuple[Any, Any]:
        """Return the mean and the array of the scores, in the order of `gts`; `res` must have its keys.

        Raises AssertionError for other keys, and unless values are a list of one candidate and a list of
        references.
        """
        require("the mean of the scores needs", "numpy", extra="stats")
        import numpy as np

        if gts.keys() != res.keys():
            raise AssertionError("the results are not those of the references' images")
        for key, references in gts.items():
            if not isinstance(res[key], list) or not isinstance(references, list):
                raise AssertionError(f"image {key!r}: not a list")  # noqa: TRY004 - the package's
        scores = np.array([self.calc_score(res[key], references) for key, references in gts.items()])
        return np.mean(scores), scores

    def method(self) -> str:
        """Return the measure's name."""
        return "Rouge"


class Coco(Pairwise[Text]):
    """The dialect for one run."""

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        super().__init__(options, uses, notify)
        self._beta = in_range(options, "beta", 0, 1e6)
        self._forms = Forms()

    def prepare(self, string: str) -> Text:
        """Return the words of a text."""
        return read(string, self._forms)

    def is_empty(self, text: Text) -> bool:
        """Return True if all words are empty."""
        return not any(text.words)

    def scores(self, models: Sequence[Text], peer: Text) -> Mapping[str, Scored]:
        """Return the score against all models."""
        return dict.fromkeys(self.labels, score_peer(models, peer, self._beta))


def my_lcs(string: Sequence[Hashable], sub: Sequence[Hashable]) -> int:
    """Return the length of the longest common subsequence of two lists of words; not of sets."""
    refuse_sets(string, sub)
    ids: dict[Hashable, int] = {}
    numbered = ([ids.setdefault(word, len(ids)) for word in words] for words in (string, sub))
    return length(*(Text(tokens, [tokens]) for tokens in numbered))


def read(string: str, forms: Forms) -> Text:
    """Return the text split at blanks; `forms` assigns ids to its words."""
    tokens = [forms[word.encode("utf-8", "surrogatepass")] for word in string.split(" ")]
    return Text(tokens, [tokens], forms=forms.by_number)


def score_peer(models: Sequence[Text], peer: Text, beta: float) -> Scored:
    """Return the highest R, the highest P and their F, with the counts of the model with that R."""
    pairs = [Counts.of(len(model.tokens), len(peer.tokens), length(model, peer)) for model in models]
    recall = max(pair.match / pair.model for pair in pairs)
    precision = max(pair.match / pair.peer for pair in pairs)
    f = 0.0
    if recall and precision:
        f = ((1 + beta**2) * precision * recall) / float(recall + beta**2 * precision)
    return formula.best(pairs), Score(recall, precision, f)
