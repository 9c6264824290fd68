"""Samples of a run, taken while its evals are read: evals, which `hints` reads once
more after the run, and the first texts, which are examined for marks that count as
words (`text.marks`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rouge_cli import formats
from rouge_cli.core import Document, EvalTask
from rouge_cli.errors import RougeError
from rouge_cli.tasks.streams import SPL, Batch, watched
from rouge_cli.text import reading, sentences
from rouge_cli.text.marks import FEWEST_OF_A_SYSTEM, SAMPLE, MarkSample, find_marks
from rouge_cli.text.survey import SIDES

if TYPE_CHECKING:
    from typing import Any

    from rouge_cli.dialects._run import DialectRun

LINES = (SPL, "plain")  # formats whose sentences are the lines of a text
MOST_FILES = 200  # files of a side; the run reads them again
# The most evals of a sample, and of a list or a packed part of a stream.
MOST_EVALS, MOST_OF_PART = 200, 50


def take_evals(tasks: Iterable[EvalTask], sample: list[EvalTask]) -> Iterable[EvalTask]:
    """Return the evals of a run; append a sample to the list, while a stream is read.

    The sample does not depend on how the run is divided.
    """

    def look(part: Sequence[EvalTask]) -> None:
        left = MOST_EVALS - len(sample)
        if left > 0:
            sample.extend(_spread(part, min(left, MOST_OF_PART)))

    return watched(tasks, look, lambda: len(sample) < MOST_EVALS)


def _spread(tasks: Sequence[EvalTask], most: int) -> list[EvalTask]:
    """Return so many evals, at equal distances."""
    step = -(-len(tasks) // most) if tasks else 1
    return [tasks[index] for index in range(0, len(tasks), step)]


class TextSample:
    """The first texts of a run.

    Args:
        systems: The systems that are scored; None for all.
        split: The option `sentences` of the run; its mark is not a part of texts.
    """

    def __init__(self, systems: Sequence[str] | None, split: str) -> None:
        self._systems = systems
        rule = sentences.rule(split)
        self._mark = rule if isinstance(rule, bytes) else None
        self._predictions: dict[str, MarkSample] = {}  # by system
        self._references = MarkSample()
        self._files = dict.fromkeys(SIDES, 0)

    def watch(self, tasks: Iterable[EvalTask]) -> Iterable[EvalTask]:
        """Return the evals, whose first are examined."""
        return watched(tasks, self.add, lambda: not self._is_full)

    def add(self, tasks: Sequence[EvalTask]) -> None:
        """Examine evals, until there are enough texts."""
        if isinstance(tasks, Batch):
            if not self._is_full:
                self._add_batch(tasks)
            return
        for task in tasks:
            if self._is_full:
                return
            self._add_task(task)

    @property
    def _is_full(self) -> bool:
        if min(self._files.values()) >= MOST_FILES:
            return True
        of_systems = self._predictions.values()
        return self._references.is_full and all(sample.is_full for sample in of_systems)

    def _sample_of(self, system: str, systems: int) -> MarkSample:
        """Return the sample of a system, given the number of systems."""
        if system not in self._predictions:
            most = max(SAMPLE // systems, FEWEST_OF_A_SYSTEM)
            self._predictions[system] = MarkSample(most)
        return self._predictions[system]

    def _add_batch(self, tasks: Batch) -> None:
        rows = [tasks.texts(index) for index in range(min(len(tasks), SAMPLE))]
        number = len(tasks.systems)
        for place, system in enumerate(tasks.systems):
            if self._systems is None or system in self._systems:
                sample = self._sample_of(system, number)
                self._examine(sample, [texts[place] for texts in rows])
        references = [text for texts in rows for text in texts[number:]]
        self._examine(self._references, references)

    def _add_task(self, task: EvalTask) -> None:
        predictions = task.predictions
        systems = predictions if self._systems is None else self._systems
        for system in systems:
            if text := predictions.get(system):
                sample = self._sample_of(system, len(systems))
                self._add_text(SIDES[0], sample, text, task.input_format)
        for _, text in task.references:
            self._add_text(SIDES[1], self._references, text, task.input_format)

    def _add_text(
        self, side: str, sample: MarkSample, source: str | Document, input_format: str
    ) -> None:
        """Examine a text; a text that cannot be read is reported by the run."""
        if sample.is_full or self._files[side] >= MOST_FILES:
            return
        if isinstance(source, str):
            if not os.path.isfile(source):  # a pipe can be read only once
                return
            self._files[side] += 1
        try:
            text = self._text(source, input_format)
        except RougeError:
            return
        self._examine(sample, [text])

    @staticmethod
    def _text(source: str | Document, input_format: str) -> bytes:
        """Return the sentences of a text; raise RougeError, as `reading.units`."""
        if input_format in LINES:  # as they are, empty lines included
            return reading.document(source).data
        module = formats.named(input_format or SPL)
        if input_format == "simple" or getattr(module, "HAS_DATES", False):
            return b""  # elements and timelines have no marks
        return b"\n".join(reading.units(source, input_format))

    def _examine(self, sample: MarkSample, texts: Sequence[bytes]) -> None:
        if self._mark is not None:
            texts = [text.replace(self._mark, b"\n") for text in texts]
        sample.add(texts)

    def add_marks(
        self, details: Mapping[str, Any], dialect: Callable[[], DialectRun]
    ) -> Mapping[str, object]:
        """Return the details of a run with the marks of both sides.

        Args:
            dialect: Makes a run of the dialect, which counts words; called only if
                there are marks.
        """

        def words() -> Callable[[bytes], Sequence[str]]:
            forms = dialect().forms

            def divide(text: bytes) -> list[str]:
                return [form for _, form in forms(Document(text, ""), "spl")]

            return divide

        samples = [[*self._predictions.values()], [self._references]]
        with_marks = dict(details)
        for side, of_side, marks in zip(
            SIDES, samples, find_marks(samples, words), strict=True
        ):
            if side in details:
                examined = sum(sample.texts for sample in of_side)
                with_marks[side] = {
                    **details[side],
                    "examined": examined,
                    "marks": marks,
                }
        return with_marks
