"""Signs that texts are not those that the user meant: notices about equal texts, and
about arguments from Python that are easily mixed up.

None of them changes a number, and each costs a few comparisons on ordinary input: a
comparison of texts ends at the first difference.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from filecmp import cmp as have_equal_contents
from itertools import chain
from typing import Any

from rouge_cli.core import Document, EvalTask, Notice, Notify
from rouge_cli.errors import shown
from rouge_cli.io import files, urls
from rouge_cli.tasks.ordering import READS_FILES
from rouge_cli.tasks.streams import Batch, Stream, origin_of

# The first evals, whose references are compared with each other.
MOST_COMPARED = 100
# Evals whose predictions all equal a reference, before there is a notice: fewer may be
# an example. One system among others that differ may be right in a few short texts.
FEWEST_EQUAL, FEWEST_OF_ONE = 2, 5
# Evals of sacrebleu's layout, whose texts are compared in both ways.
MOST_TRANSPOSED = 50
# Files whose beginnings are compared to find shifted pairs, and how much more similar
# those of the neighbours must be.
MOST_READ, FEWEST_READ, MOST_BYTES, MUCH = 20, 3, 10_000, 1.5
LONGEST_NAME = 255  # characters of a file's name that is looked up
TRANSPOSE = "references=list(zip(*references))"

Source = str | bytes  # a path, or a text
Part = EvalTask | Batch
Row = tuple[Mapping[str, Source | None], Sequence[Source]]


def watched(
    tasks: Iterable[EvalTask], notify: Notify, *, is_same: bool = False
) -> Iterable[EvalTask]:
    """Return the evals; warn of equal texts, for a stream when it ends.

    Args:
        is_same: The same file was named on both sides, of which there is a notice.
    """
    watch = EqualTexts(is_same=is_same)
    if isinstance(tasks, Stream):
        origin = origin_of(tasks, watch.wants_more)
        return Stream(_watch(tasks.parts, watch, notify), origin)
    parts: Iterable[Part] = [tasks] if isinstance(tasks, Batch) else tasks
    if not isinstance(parts, Sequence):
        return _watch_evals(tasks, watch, notify)
    for part in parts:
        watch.see(part)
    watch.report(notify)
    return tasks


def _watch(
    parts: Iterable[Part], watch: "EqualTexts", notify: Notify
) -> Iterator[Part]:
    for part in parts:
        watch.see(part)
        yield part
    watch.report(notify)


def _watch_evals(
    tasks: Iterable[EvalTask], watch: "EqualTexts", notify: Notify
) -> Iterator[EvalTask]:
    for task in tasks:
        watch.see(task)
        yield task
    watch.report(notify)


class EqualTexts:
    """Finds systems whose every prediction equals a reference, and references that
    occur twice in an eval.
    """

    def __init__(self, *, is_same: bool = False) -> None:
        self._is_same = is_same
        self._compared = 0  # evals whose references were compared with each other
        self._repeating = 0  # those of them with two equal references
        self._first_repeating = ""
        self._equal: dict[str, int] = {}  # system -> predictions so far
        self._differing: set[str] = set()  # systems that have a text of their own
        self._systems: set[str] = set()  # of the evals that were compared

    def wants_more(self) -> bool:
        """Return True if further evals may change what is reported."""
        is_decided = self._is_same or self._differing.issuperset(self._systems)
        return not is_decided or self._compared < MOST_COMPARED

    def see(self, part: Part) -> None:
        """Compare the texts of an eval, or of consecutive ones, as far as needed."""
        systems = part.systems if isinstance(part, Batch) else part.predictions
        is_decided = self._is_same or self._differing.issuperset(systems)
        if is_decided and self._compared >= MOST_COMPARED:
            return
        self._systems.update(systems)
        for place, (predictions, references) in enumerate(_rows(part)):
            if not is_decided:
                self._compare_sides(predictions, references)
                is_decided = self._differing.issuperset(systems)
            if self._compared < MOST_COMPARED:
                self._compared += 1
                if len(references) > 1 and _has_repeated(references):
                    self._repeating += 1
                    self._first_repeating = self._first_repeating or _where(part, place)
            elif is_decided:
                return

    def _compare_sides(
        self, predictions: Mapping[str, Source | None], references: Sequence[Source]
    ) -> None:
        for system, prediction in predictions.items():
            if system in self._differing or not prediction:
                continue
            if any(_are_equal(prediction, reference) for reference in references):
                self._equal[system] = self._equal.get(system, 0) + 1
            else:
                self._differing.add(system)

    def report(self, notify: Notify) -> None:
        """Warn of what was found in all evals."""
        fewest = FEWEST_OF_ONE if self._differing else FEWEST_EQUAL
        equal = [
            system
            for system, times in self._equal.items()
            if system not in self._differing and times >= fewest
        ]
        if equal:
            what = (
                f"every prediction of {shown(equal)} equals a reference, so it is"
                " scored against itself"
            )
            notify(Notice(f"{what}; check that each side has its own texts"))
        if self._repeating:
            evals = f"{self._repeating} of {self._compared} evals"
            if self._compared == MOST_COMPARED:
                evals = f"{self._repeating} of the first {MOST_COMPARED} evals"
            what = f"the same reference occurs twice in {evals}, and counts twice"
            notify(Notice(f"{self._first_repeating}: {what}; keep one of them"))


def _rows(part: Part) -> Iterator[Row]:
    """Yield the predictions and references of each eval, without making evals."""
    if isinstance(part, Batch):
        for place in range(len(part)):
            texts = part.texts(place)
            predictions = dict(zip(part.systems, texts, strict=False))
            yield predictions, texts[len(part.systems) :]
        return
    by_system = {system: _source(text) for system, text in part.predictions.items()}
    yield by_system, [_source(text) or b"" for _, text in part.references]


def _source(text: str | Document | None) -> Source | None:
    return text.data if isinstance(text, Document) else text


def _where(part: Part, place: int) -> str:
    if isinstance(part, Batch):
        return part.where(place)
    return part.where


def _has_repeated(references: Sequence[Source]) -> bool:
    """Return True if two references are equal; empty ones do not count."""
    for place, reference in enumerate(references):
        others = references[:place]
        if reference and any(_are_equal(reference, other) for other in others):
            return True
    return False


def _are_equal(first: Source, second: Source) -> bool:
    """Return True for texts with the same bytes; files that cannot be read differ."""
    if isinstance(first, bytes) or isinstance(second, bytes):
        return first == second
    try:
        return have_equal_contents(first, second, shallow=False)
    except (OSError, ValueError):
        return False


def warn_of_same_sources(
    predictions: Iterable[str], references: Iterable[str], notify: Notify
) -> bool:
    """Warn of files and folders of predictions that are references, too; return True if
    there are some.
    """
    others = list(references)
    same = [path for path in predictions if is_among(path, others)]
    for path in same:
        kind = "folder" if os.path.isdir(path) else "file"
        what = f"the same {kind} has the predictions and the references"
        notify(Notice(f"{path}: {what}; name another {kind} for one side"))
    return bool(same)


def is_among(path: str, others: Iterable[str]) -> bool:
    """Return True if one of the others is the same file or folder; stdin is not."""
    if path == files.STDIN:
        return False
    for other in others:
        if urls.is_url(path) and path == other:
            return True
        with suppress(OSError, ValueError):
            if other != files.STDIN and os.path.samefile(path, other):
                return True
    return False


def shift(predictions: Iterable[str], references: Iterable[str]) -> str:
    """Return what is wrong if names are numbered from 0 on one side and from 1 on the
    other; empty if they are not.

    Args:
        predictions: File names, or IDs.
        references: The same.
    """
    ours, theirs = _numbers(predictions), _numbers(references)
    if not ours or not theirs or abs(min(ours) - min(theirs)) != 1:
        return ""
    step = min(theirs) - min(ours)
    if {number + step for number in ours} != theirs:
        return ""
    return (
        f"predictions are numbered {min(ours)} to {max(ours)}, references"
        f" {min(theirs)} to {max(theirs)}: if the first belongs to the first, rename"
        " one side; to delete a file would shift all pairs by one"
    )


def _numbers(names: Iterable[str]) -> set[int]:
    """Return the numbers at the only place in the names where they differ; empty if
    there is no such place.
    """
    rows = []
    for name in names:
        rows.append([int(digits) for digits in re.findall("[0-9]{1,18}", name)])
    if not rows or len({len(row) for row in rows}) > 1:
        return set()
    places = [set(place) for place in zip(*rows, strict=True)]
    differing = [place for place in places if len(place) > 1]
    return differing[0] if len(differing) == 1 else set()


SHIFTED = (
    "most predictions fit the reference of the next number better, as if one side was"
    " numbered from 0 and the other from 1; if so, rename the files of one side"
)


def fit_better(
    predictions: Sequence[str], references: Sequence[str], others: Sequence[str]
) -> bool:
    """Return True if files of predictions have much more words in common with other
    files than with their references; few files are examined, and must be plain text.
    """
    own = of_others = 0.0
    examined = list(zip(predictions, references, others, strict=True))[:MOST_READ]
    if len(examined) < FEWEST_READ:
        return False
    for paths in examined:
        try:
            prediction, reference, other = map(_beginning, paths)
        except OSError:
            return False
        own += _similarity(prediction, reference)
        of_others += _similarity(prediction, other)
    return of_others > MUCH * own


def _beginning(path: str) -> str:
    with open(path, "rb") as file:
        return file.read(MOST_BYTES).decode("utf-8", "replace")


def warn_of_arguments(
    systems: Mapping[str, Any],
    references: Any,  # noqa: ANN401 - every form that `score` takes
    notify: Notify,
) -> bool:
    """Warn of arguments that are the same object, or columns of data frames in
    different orders; return True for the same object.
    """
    is_same = False
    for name, texts in systems.items():
        if texts is references and not isinstance(texts, str):
            is_same = True
            what = f"predictions of {name} and references are the same object"
            notify(Notice(f"{what}; check that each side has its own texts"))
        elif _have_other_indexes(texts, references):
            notify(Notice(_indexes(name, texts.index, references.index)))
    return is_same


def _have_other_indexes(texts: Any, references: Any) -> bool:  # noqa: ANN401 - any container
    """Return True for columns of pandas whose indexes differ."""
    for side in (texts, references):
        if not hasattr(type(side), "iloc") or not hasattr(side.index, "equals"):
            return False
    return not texts.index.equals(references.index)


def _indexes(name: str, index: Any, other: Any) -> str:  # noqa: ANN401 - of pandas
    """Return the message about two indexes."""
    what = "hold other labels"
    remedy = "join both into one frame first if they are not in the same order"
    if len(index) == len(other) and set(index) == set(other):
        what = "hold the same labels in another order"
        remedy = "to pair them by label, pass references.loc[predictions.index]"
    return (
        f"the indexes of predictions of {name} and of references {what}; texts are"
        f" paired by order, and {remedy}"
    )


def is_transposed(texts: Sequence[object], references: Sequence[object]) -> bool:
    """Return True if there is a list of references for every stream, as in sacrebleu,
    instead of one for every text.

    As many streams as texts could be either. The words of the texts decide.
    """
    size = len(texts)
    if not all(isinstance(stream, (list, tuple)) for stream in references):
        return False
    streams: Sequence[Sequence[object]] = references  # type: ignore[assignment]
    if not texts or not streams or any(len(stream) != size for stream in streams):
        return False
    if len(streams) != size:
        return True
    if not 1 < size <= MOST_TRANSPOSED:
        return False
    every = [*texts, *chain.from_iterable(streams)]
    if not all(isinstance(text, str) for text in every):
        return False
    as_passed = transposed = 0.0
    for place, text in enumerate(texts):
        for other in range(size):
            as_passed += _similarity(str(text), str(streams[place][other]))
            transposed += _similarity(str(text), str(streams[other][place]))
    return transposed > as_passed


def _similarity(text: str, other: str) -> float:
    """Return the share of words that both texts have."""
    words, others = set(text.lower().split()), set(other.lower().split())
    return len(words & others) / max(len(words | others), 1)


STREAMS = (
    "references fit the predictions better as lists of all texts, which is sacrebleu's"
    f" layout; if they are, pass {TRANSPOSE}"
)


def names_of_files(texts: Sequence[object]) -> bool:
    """Return True if all texts are names of files that exist; one look-up for texts
    that are not.
    """
    return bool(texts) and all(map(_names_file, texts))


def _names_file(text: object) -> bool:
    if not isinstance(text, str) or len(text) > LONGEST_NAME or "\n" in text:
        return False
    is_likely = "." in text or os.sep in text
    return is_likely and os.path.isfile(text)


def file_names(role: str, texts: Sequence[object]) -> Notice:
    """Return the notice about texts that are names of files."""
    what = f"{role} are names of files ({shown(list(map(str, texts)))})"
    return Notice(f"{what}, and the names were scored as texts; {READS_FILES}")
