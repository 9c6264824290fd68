"""The interface between the Python programs and their compiled equivalents.

All access to compiled code goes through the functions of this module. They return None
if compiled code cannot do the job: it was not built, ROUGE_CLI_KERNELS=python selects
Python, or the request is not supported. The Python program then does the job. Both
return the same numbers to the last bit.

The headers in this folder are named after the Python modules that they repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import twins

if TYPE_CHECKING:
    from typing import Any, TypeVar

    from rouge_cli.native import _compiled
    from rouge_cli.native._compiled import Program as Program
    from rouge_cli.native._compiled import WordNetPart as WordNetPart

    S = TypeVar("S")

# The numbers of `Kind` in texts.hpp.
(
    NGRAM,
    SKIP_BIGRAM,
    LCS,
    WEIGHTED_LCS,
    SENTENCE_LCS,
    DISTINCT_NGRAM,
    DISTINCT_LCS,
    LINE_NGRAM,
) = range(8)
# A vocabulary is started anew when it has grown to this number of forms.
MOST_FORMS = 1_000_000


class KernelSpec(NamedTuple):
    """The kernel of one metric."""

    kind: int
    number: int = 0  # n of n-grams; the distance for SKIP_BIGRAM, negative for any
    unigrams: bool = False
    weight: float = 1.0  # for WEIGHTED_LCS


class Normalizer(NamedTuple):
    """Maps a raw token to its counted form: None for a stop word, else its stem."""

    stop: frozenset[bytes]
    stem: Callable[[bytes], bytes] | None = None  # None to keep every form
    shortest: int = 0  # tokens of fewer bytes stay as they are

    def __call__(self, raw: bytes) -> bytes | None:
        """Return the form, or None."""
        if raw in self.stop:
            return None
        return raw if self.stem is None or len(raw) < self.shortest else self.stem(raw)


class ReadingRules(NamedTuple):
    """How texts are divided into sentences and tokens; by default as in ROUGE-1.5.5."""

    # Returns the tokens of a text; None for runs of ASCII letters and digits.
    tokenize: Callable[[bytes], Sequence[bytes]] | None = None
    # True if the tokens of a text are those of its parts between spaces, which are then
    # tokenized once.
    is_separable: bool = False
    by_character: bool = False  # True if Chinese characters are such parts
    # True if the tokens of ASCII text are runs of ASCII letters and digits
    keeps_ascii: bool = False
    # True if those of text with common letters of NFKC are such runs as well
    keeps_letters: bool = False
    # The mark between sentences, or a function from the lines to the sentences; None
    # for the lines.
    split: bytes | Callable[[bytes], Sequence[bytes]] | None = None
    # Before the survey: one text to a list of one
    normalize: Callable[[bytes], Sequence[bytes]] | None = None
    # True if the tokenizer drops all other letters, as the survey reports
    ascii_only: bool = True
    # Returns the lines of words, joined by NUL, that a dialect of strings makes of a
    # text; None for none.
    lines: Callable[[bytes], Sequence[bytes]] | None = None
    # True if the first line is the whole text, with other words than the rest
    reads_twice: bool = False


class KernelSetup(NamedTuple):
    """A run that compiled code can do."""

    labels: Sequence[str]  # of the metrics that have kernels, in the run's order
    specs: Sequence[KernelSpec]  # of these metrics
    # Returns the counted form of a raw token; None for no change
    normalize: Normalizer | None = None
    # `Formula`'s `several`, `compiled` and `constant`; None for ROUGE-1.5.5's.
    formula: tuple[str, str, float] | None = None
    stems_references: bool = False  # `normalize` stems references only (QUIRKS 21)
    folds: bool = False  # lower-case texts as Unicode, before they are tokenized
    limit: tuple[float, bool] | None = None  # a `text.tokens.Limit`
    best_reference: bool = False
    alpha: float = 0.5
    is_scored: bool = True  # rows hold scores; else counts only, to be averaged
    reading: ReadingRules = ReadingRules()


def extension() -> _compiled.Extension | None:
    """Return the extension module; None to run Python, see `twins.extension`."""
    compiled: Any = twins.extension()  # `Extension` stands for the module
    return compiled  # type: ignore[no-any-return]


def program(setup: KernelSetup | None) -> Program | None:
    """Return the compiled twin of a dialect's program, for one thread; None if its
    options have none.
    """
    compiled = extension()
    return compiled.Program(setup, MOST_FORMS) if compiled and setup else None


def pairs(
    normalize: Normalizer | None,
    specs: Sequence[tuple[str, KernelSpec | None]],
    score_class: type[S],
    unmatched: Callable[[str, float, float], S],
    most_forms: int = MOST_FORMS,
) -> _compiled.Pairs[S] | None:
    """Return a scorer of pairs of strings by Google's definition.

    Args:
        specs: (name of the score, its kernel).
        score_class: The named tuple of precision, recall and F.
        unmatched: Makes a score without matches, given its name and the numbers of
            units in the reference and in the prediction.
        most_forms: Of a vocabulary that is used again.
    """
    compiled = extension()
    compiled_specs = {name: spec for name, spec in specs if spec}
    if not compiled or len(compiled_specs) < len(dict(specs)):
        return None
    names, kernels = list(compiled_specs), list(compiled_specs.values())
    return compiled.Pairs(
        ReadingRules(), normalize, most_forms, names, kernels, score_class, unmatched
    )
