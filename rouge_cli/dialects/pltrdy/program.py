"""Texts, ROUGE-L and the class `Rouge` as in PyPI's `rouge`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.core import Counts
from rouge_cli.metrics._lcs_bits import paths
from rouge_cli.metrics.sentence_lcs import layout
from rouge_cli.pairwise import get_scores

if TYPE_CHECKING:
    from rouge_cli.core import Text


class Rouge(get_scores.Rouge):
    """`rouge.Rouge`."""

    __doc__ = get_scores.Rouge.__doc__

    @staticmethod
    def sentences(string: str) -> list[list[str]]:
        """Split at dots; a sentence of only white space has one empty word."""
        return [part.split() or [""] for part in string.split(".") if part]

    @staticmethod
    def lcs(model: Text, peer: Text, *, exclusive: bool) -> Counts:
        """Return the different words on any path, or if not exclusive the summed lengths of all paths.

        On ties the package's paths are those of ROUGE-1.5.5 with model and peer exchanged.
        """
        rows = peer.once(layout)
        by_sentence = paths(rows, model.sentences)
        if not exclusive:
            match = sum(path.bit_count() for path in by_sentence)
            return Counts.of(len(model.tokens), len(peer.tokens), match)
        marked = 0
        for path in by_sentence:
            marked |= path
        words = {token for token, mask in rows.masks.items() if mask & marked}
        return Counts.of(len(set(model.tokens)), len(set(peer.tokens)), len(words))


class FilesRouge(get_scores.FilesRouge):
    """`rouge.FilesRouge`."""

    package = Rouge


class Pltrdy(get_scores.Program):
    """The dialect for one run."""

    package = Rouge
