"""The content of the page of a scored run: its material, and the records of what is
computed of it.

`page` computes the content, and `page_html` renders it.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Document
from rouge_cli.results.comparison import Plan
from rouge_cli.text.reading import document

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import EvalTask, Explanation, Notice, Notify
    from rouge_cli.results.comparison import Comparison
    from rouge_cli.results.correlation import Correlations
    from rouge_cli.results.scores import Results
    from rouge_cli.runs.assembly import Run
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.tasks.judgements import Judgements

Column = tuple[str, str]  # a metric's label and R, P or F
RULE = (
    "one half are the evals in which the systems differ most, the others are spread"
    " evenly by mean score"
)
# The texts of more take longer to mark than anybody will read.
MOST_EVALS = 5000
_LONG_WORD = re.compile("[^ ]{401,}")  # of which only the ends are shown
# Control characters are replaced by pictures, since they could act on a terminal; line
# feeds end lines.
_PICTURES = {code: 0x2400 + code for code in range(32) if code not in (9, 10)}
_PICTURES[127] = 0x2421
_PICTURES |= dict.fromkeys(range(128, 160), 0xFFFD)


class Material(NamedTuple):
    """The material of a page."""

    tasks: Sequence[EvalTask]  # the scored tasks; empty for saved scores
    run: Run | None  # None for saved scores
    report: Results
    # the user's selection; the page opens with the first column
    columns: Sequence[Column]
    judgements: Sequence[Judgements] = ()
    evals: int = MOST_EVALS  # the most evals with texts
    size: float = 10e6  # the most bytes of texts in the file, up to a group of evals
    plan: Plan = Plan()  # of the comparison
    confidence: str = "95"  # the level of intervals, as the user typed it
    notes: Sequence[str] = ()  # which saved scores could not be checked


class Choice(NamedTuple):
    """The ranking with a subset of the references."""

    name: str  # such as `without reference A`
    evals: int  # their number
    means: Mapping[Column, Mapping[str, float]]  # column -> system -> mean
    # column -> Kendall's tau with the ranking by all references
    agreement: Mapping[Column, float]


class Gain(NamedTuple):
    """A unit that one system matches more often than another."""

    unit: str
    times: int  # how much more often, over all evals
    evals: Sequence[int]  # the indices of these evals
    is_stop: bool  # True if all its words are stop words


class PageTexts(NamedTuple):
    """The texts of some evals, packed in groups, and what the systems match in them."""

    places: Sequence[Sequence[int]]  # the indices of the evals of each group
    packed: Sequence[str]  # for each group, a list of records for the script
    # (label, system, other) -> units
    gains: Mapping[tuple[str, str, str], Sequence[Gain]]
    are_marked: bool  # True if words have marks
    evals: int  # their number


class Page(NamedTuple):
    """The whole content of a page."""

    material: Material
    systems: Sequence[str]
    evals: Sequence[str]
    labels: Sequence[str]
    matrices: Mapping[Column, Scores]  # column -> scores
    # R, P or F -> the comparison by that measure; empty if there is one system
    comparisons: Mapping[str, Comparison]
    alone: Mapping[Column, Comparison]  # the same, each metric corrected by itself
    correlations: Correlations | None
    choices: Sequence[Choice]
    texts: PageTexts
    notices: Sequence[Notice]

    @property
    def numbers(self) -> dict[str, int]:
        """Return system -> its index."""
        return {system: number for number, system in enumerate(self.systems)}


def keeping(notices: list[Notice], notify: Notify) -> Notify:
    """Return a function that adds new notices to those of the page, and passes them
    on.
    """

    def warn(notice: Notice) -> None:
        if notice not in notices:
            notices.append(notice)
            notify(notice)

    return warn


def sources(tasks: Iterable[EvalTask]) -> dict[str, Document]:
    """Return eval -> its source; raise UnreadableFile."""
    by_eval = {}
    for task in tasks:
        if task.source is not None:
            by_eval[task.eval_id] = document(task.source)
    return by_eval


def count_spellings(
    spellings: dict[str, Counter[str]], explanation: Explanation
) -> None:
    """Add how often each form that matches is written as which word."""
    for pair in explanation.pairs:
        for side in (pair.reference, pair.prediction):
            for index in side.counted:
                token = side.tokens[index]
                spellings[token.form][token.surface] += 1


def spelled(unit: str, spellings: Mapping[str, Counter[str]]) -> str:
    """Return the words that a unit of forms came from most often, safe to show."""
    words = []
    for form in unit.split(" "):
        counted = spellings.get(form)
        words.append(counted.most_common(1)[0][0] if counted else form)
    return legible(" ".join(words))


def pack(data: bytes) -> str:
    """Return the bytes deflated (zlib) and in base64, as the script expects them."""
    return b64encode(zlib.compress(data, 6)).decode()


def decode(data: bytes) -> str:
    """Return UTF-8 as text that is safe to show."""
    return legible(data.decode("utf-8", "replace"))


def legible(text: str) -> str:
    """Replace control characters by pictures, and shorten very long words."""
    return _LONG_WORD.sub(_shorten_word, text.translate(_PICTURES))


def _shorten_word(match: re.Match[str]) -> str:
    """Return the beginning and the end of a very long word."""
    word = match[0]
    return f"{word[:200]}\u2026{word[-20:]}"
