"""The search for oracle extracts: of many evals, by any metric, in several processes.

Documents are the predictions of evals. They are divided once; each candidate is scored
as a prediction of its own, by the run that `score` would use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from math import isnan
from typing import TYPE_CHECKING, Annotated, NamedTuple

from rouge_cli.core import (
    ROW,
    Document,
    EvalTask,
    Notice,
    Notify,
    PackedResult,
    Score,
    ignore_notice,
    once,
)
from rouge_cli.errors import (
    RougeError,
    UsageError,
    raise_all,
    until_error,
)
from rouge_cli.jobs import certificates, presumm
from rouge_cli.jobs.extracts import (
    Budget,
    Extracts,
    Selection,
    beam,
    exhaustive,
    greedy,
)
from rouge_cli.options import whole
from rouge_cli.results.printed import pluralize
from rouge_cli.results.study_settings import OneOf, Real, Whole, checked
from rouge_cli.runs import assembly, evaluation
from rouge_cli.runs.evaluation import usable_cores
from rouge_cli.tasks.streams import SPL
from rouge_cli.text import reading, sentences

if TYPE_CHECKING:
    from rouge_cli.core import EvalResult
    from rouge_cli.options import Options
    from rouge_cli.results.scores import Results
    from rouge_cli.runs.assembly import Run
    from rouge_cli.runs.evaluation import Collected

GREEDY, BEAM, EXACT, PRESUMM = "greedy", "beam", "exact", "presumm"
METHODS = (GREEDY, BEAM, EXACT, PRESUMM)
USUAL_MOST = 3  # sentences of an extract, unless there is a budget of words
# Extracts of a document that method exact scores one by one
MOST_TRIED = 100_000
NOTHING = Score(0.0, 0.0, 0.0)
MEASURES = {"R": "recall", "P": "precision", "F": "f"}
LETTERS = {"recall": "R", "precision": "P", "f": "F"}
_DIGITS = 12  # of a gap; further ones are rounding errors
_AT_ONCE = 16  # documents in a message to a process
_SCORED_AT_ONCE = 1000  # extracts


class OraclePlan(NamedTuple):
    """How the best extract is found.

    Attributes:
        budget: How much an extract may have.
        measure: What is compared: recall, precision or f.
    """

    budget: Budget = Budget(USUAL_MOST)
    measure: str = "f"
    method: Annotated[
        str, OneOf(f"How to search: {', '.join(METHODS)} (default {{}}).", METHODS)
    ] = GREEDY
    beam: Annotated[int, Whole("Extracts that method beam keeps (default {}).", 1)] = 8
    seconds: Annotated[
        float, Real("Time of method exact for a document (default {}).")
    ] = 60.0

    @property
    def description(self) -> str:
        """The method and its limits, as in `beam of 8, at most 3 sentences`."""
        search = self.method
        if self.method == BEAM:
            search = f"beam of {self.beam}"
        elif self.method == EXACT:
            search = f"exact, at most {self.seconds:g} s for a document"
        parts = [search]
        if self.budget.most is not None:
            parts.append(f"at most {pluralize(self.budget.most, 'sentence')}")
        if self.budget.words is not None:
            parts.append(f"at most {pluralize(self.budget.words, 'word')}")
        return ", ".join(parts)


class Oracle(NamedTuple):
    """The best extract of a document.

    Attributes:
        id: The ID of the document.
        document: Its sentences.
        sentences: The positions of the selected sentences, ascending, from 0.
        score: What was compared of the extract: F, or the measure of the metric.
        scores: Recall, precision and F of the extract.
        bound: What no extract within the budget exceeds; None unless the method is
            exact.
        references: The references, each a text.
    """

    id: str
    document: Sequence[str]
    sentences: Selection
    score: float
    scores: Score
    bound: float | None
    references: Sequence[str]

    @property
    def gap(self) -> float | None:
        """How much better an extract may be; 0 if none is, None if it is not known."""
        if self.bound is None:
            return None
        return round(self.bound - self.score, _DIGITS)

    @property
    def labels(self) -> list[int]:
        """For each sentence of the document, 1 if it is selected, else 0."""
        return [int(at in self.sentences) for at in range(len(self.document))]

    @property
    def extract(self) -> list[str]:
        """The selected sentences."""
        return [self.document[at] for at in self.sentences]

    def of_list(self, sentences: Sequence[str]) -> Oracle:
        """Return the oracle with the positions in a list of sentences, of which blank
        ones were left out.
        """
        places = []
        for place, sentence in enumerate(sentences):
            if sentence.encode("utf-8", "replace").strip():
                places.append(place)
        selected = tuple(places[position] for position in self.sentences)
        return self._replace(document=list(sentences), sentences=selected)

    def record(self) -> dict[str, object]:
        """Return what the command writes."""
        record: dict[str, object] = {
            "id": self.id,
            "document": list(self.document),
            "labels": self.labels,
            "sentences": list(self.sentences),
            "extract": self.extract,
            "references": list(self.references),
            "score": self.score,
            **self.scores._asdict(),
        }
        if self.bound is not None:
            record |= {"bound": self.bound, "gap": self.gap}
        return record


def make_plan(
    letter: str, most: int | None, words: int | None, **settings: object
) -> OraclePlan:
    """Return the plan of a caller; raise UsageError for an invalid setting.

    Args:
        letter: R, P or F; empty for F.
    """
    if most is not None:
        most = whole("most", most, 1)
    if words is not None:
        words = whole("words", words, 1)
    if most is None and words is None:
        most = USUAL_MOST
    measure = MEASURES[letter or "F"]
    plan = OraclePlan(Budget(most, words), measure, **settings)  # type: ignore[arg-type]
    return checked(plan)


class LabelSearch:
    """The search for the extracts of documents, which can be sent to a process.

    Args:
        run: Scores one metric, without resampling.
        plan: How to search.

    Raises:
        UsageError: The metric or an option has no scores of single extracts.
    """

    def __init__(self, run: Run, plan: OraclePlan) -> None:
        if len(run.averages.labels) != 1:
            raise UsageError(
                f"{len(run.averages.labels)} metrics", remedy="name one, as in R2"
            )
        (self.label,) = run.averages.labels
        if run.averages.measures[self.label].metric.counts_elements:
            raise UsageError(
                f"{self.label} counts basic elements, not sentences",
                remedy="name a metric of words, such as R2",
            )
        _check_options(run.options)
        self.run = run
        self.plan = plan
        # Texts are divided here, and scored as lines.
        self.lines = run
        if run.options.get("sentences", "newline") != "newline":
            lines = {**run.options, "sentences": "newline"}
            self.lines = assembly.set_up(run.dialect, lines, run.work.systems)

    def found(
        self, tasks: Iterable[EvalTask], notify: Notify, jobs: int
    ) -> Iterator[tuple[EvalTask, Oracle]]:
        """Yield the oracle of each eval, with the eval whose prediction is the extract.

        Raises:
            RougeError: After the evals before the error.
        """
        worker = partial(LabelWorker, self)
        jobs = jobs or usable_cores()
        errors: list[RougeError] = []
        chunks = _chunks(until_error(tasks, errors))
        if jobs == 1:
            yield from _passed_on(map(worker(), chunks), notify)
        else:
            from rouge_cli.runs import pools  # imports multiprocessing

            pool: pools.Processes[list[EvalTask], DocumentPart]
            pool = pools.Processes(worker, jobs, notify)
            with closing(pool.run(chunks)) as parts:
                yield from _passed_on(parts, notify)
        raise_all(errors)


def _check_options(options: Options) -> None:
    """Raise UsageError for options by which a single text has no score of its own."""
    if options.get("average", "macro") != "macro":
        raise UsageError(
            f"average {options['average']} has no scores of single extracts",
            remedy="use average macro",
        )
    if options.get("jackknife"):
        raise UsageError(
            "jackknifing leaves references out, and extracts are scored by all",
            remedy="use jackknife no",
        )


class ExtractScores:
    """The scores of the extracts of many documents, which are not kept.

    Args:
        search: The search for the extracts.
        notify: Receives what there is to report on the texts.
    """

    def __init__(self, search: LabelSearch, notify: Notify) -> None:
        self._search = search
        self._notify = once(notify)
        self._waiting: list[EvalTask] = []
        self._parts: list[Collected] = []

    def add(self, task: EvalTask) -> None:
        """Add an eval whose prediction is an extract."""
        self._waiting.append(task)
        if len(self._waiting) == _SCORED_AT_ONCE:
            self._score()

    def report(self, read: Mapping[str, str]) -> Results:
        """Return the report of all extracts; raise UsageError without any.

        Args:
            read: Format and encoding of the documents, unless they are the defaults.
        """
        if self._waiting or not self._parts:
            self._score()
        collected = evaluation.merge(self._parts)
        collected = collected._replace(sample=self._parts[0].sample)
        run = self._search.run._replace(reading=read)
        return assembly.make_report(run, collected, self._notify)

    def _score(self) -> None:
        _, collected = assembly.scored(self._waiting, self._search.lines, self._notify)
        self._parts.append(collected)
        self._waiting = []


class DocumentPart(NamedTuple):
    """What a worker returns: the extracts that it found, the notices, and the error
    that it stopped at.
    """

    found: Sequence[tuple[EvalTask, Oracle]]
    notices: Sequence[Notice]
    error: RougeError | None


def _chunks(tasks: Iterable[EvalTask]) -> Iterator[list[EvalTask]]:
    remaining = iter(tasks)
    while chunk := list(islice(remaining, _AT_ONCE)):
        yield chunk


def _passed_on(
    parts: Iterable[DocumentPart], notify: Notify
) -> Iterator[tuple[EvalTask, Oracle]]:
    """Yield what parts found; pass their notices on, and raise the first error."""
    for part in parts:
        yield from part.found
        for notice in part.notices:
            notify(notice)
        if part.error:
            raise part.error


class LabelWorker:
    """Finds the extracts of documents in one process."""

    def __init__(self, search: LabelSearch) -> None:
        self._plan = search.plan
        self._label = search.label
        self._run = search.lines
        self._divide = sentences.lines_of(
            search.run.options.get("sentences", "newline")
        )
        self._scorer = self._run.work.scorer(ignore_notice, self._run.division)
        self._field = ROW.index(search.plan.measure)

    def __call__(self, tasks: Sequence[EvalTask]) -> DocumentPart:
        """Find the extracts of some documents."""
        notices: list[Notice] = []
        found: list[tuple[EvalTask, Oracle]] = []
        try:
            for task in tasks:
                found.append(self._find(task, notices.append))
        except RougeError as error:
            return DocumentPart(found, notices, error)
        except MemoryError:
            full = RougeError("out of memory", remedy="try again with fewer jobs")
            return DocumentPart(found, notices, full)
        return DocumentPart(found, notices, None)

    def _find(self, task: EvalTask, notify: Notify) -> tuple[EvalTask, Oracle]:
        """Return the extract of an eval's document, and what it scores."""
        name, document = _document_of(task, self._run.work.systems)
        divided = self._divided(document, task, notify)
        if len(divided) == 1:
            what = "the document has one sentence"
            remedy = "if it has more, add --sentences split, or give a list"
            notify(Notice(f"{document.where}: {what}; {remedy}"))
        references = []
        of_references = []
        for reference, source in task.references:
            text = reading.document(source)
            lines = self._divided(text, task, notify)
            of_references.append(lines)
            references.append((reference, text._replace(data=b"\n".join(lines))))
        task = task._replace(references=references, input_format=SPL)

        extracts = Extracts(divided, self._plan.budget, partial(self._values, task))
        bound = None
        if self._plan.method == PRESUMM:
            selection = presumm.select(
                divided, of_references, self._plan.budget
            ).selection
        elif self._plan.method == GREEDY:
            selection = greedy(extracts).selection
        elif self._plan.method == BEAM:
            selection = beam(extracts, self._plan.beam).selection
        elif extracts.number() <= MOST_TRIED:
            selection, bound = exhaustive(extracts)
        else:
            selection, bound = self._proven(task, extracts)

        scores = NOTHING
        if selection:
            scores = self._score(task, extracts.text(selection))
        score = getattr(scores, self._plan.measure)
        extract = b"\n".join(extracts.text(selection))
        oracle = Oracle(
            id=task.eval_id,
            document=[_text(sentence) for sentence in divided],
            sentences=selection,
            score=score,
            scores=scores,
            bound=bound if bound is None else max(bound, score),
            references=[_text(text.data) for _, text in references],
        )
        extracted = {name: Document(extract, f"{document.where}, extract")}
        return task._replace(predictions=extracted), oracle

    def _divided(
        self, document: Document, task: EvalTask, notify: Notify
    ) -> list[bytes]:
        """Return the sentences of a text that are not blank; warn of those that are
        not read.
        """
        reading.note_nuls(document, notify)
        reading.note_unread(document, task.input_format, notify)
        units = reading.units(document, task.input_format, self._divide)
        return [unit for unit in units if unit.strip()]

    def _proven(self, task: EvalTask, extracts: Extracts) -> tuple[Selection, float]:
        """Return the best extract by a linear program, and the bound of all; raise
        RougeError if the metric has none.
        """
        run = self._run.work.make(Counter(), ignore_notice)
        try:
            problem = certificates.problem(
                run, task, extracts.sentences, self._label, self._plan.measure
            )
        except certificates.NotLinear as reason:
            what = f"{extracts.number()} extracts are too many to score them all"
            remedy = (
                "use method beam, a smaller budget, or ROUGE-N of the dialect google"
            )
            raise RougeError(
                f"{what}, and a proof needs more: {reason}",
                where=task.where,
                remedy=remedy,
            ) from None
        start = beam(extracts, self._plan.beam).selection
        return certificates.solve(
            problem, extracts.budget, extracts.lengths, start, self._plan.seconds
        )

    def _values(
        self, task: EvalTask, texts: Sequence[Sequence[bytes]]
    ) -> Sequence[float]:
        """Return what is compared of texts that are scored against an eval's
        references; 0 if it is not a number.
        """
        values = dict.fromkeys(map(str, range(len(texts))), 0.0)
        for system, result in self._results(task, texts).items():
            if isinstance(result, bytes):
                value = memoryview(result).cast("d")[self._field]
            else:
                value = getattr(self._read(result), self._plan.measure)
            if not isnan(value):
                values[system] = value
        return list(values.values())

    def _score(self, task: EvalTask, text: Sequence[bytes]) -> Score:
        """Return the score of a text against an eval's references."""
        results = self._results(task, [text])
        # A dialect may leave out a text without words.
        return self._read(results["0"]) if results else NOTHING

    def _results(
        self, task: EvalTask, texts: Sequence[Sequence[bytes]]
    ) -> Mapping[str, Mapping[str, EvalResult] | bytes]:
        """Return the results of texts, by their numbers."""
        predictions: dict[str, str | Document | None] = {}
        for number, text in enumerate(texts):
            predictions[str(number)] = Document(b"\n".join(text), task.where)
        candidates = task._replace(predictions=predictions)
        self._scorer.expect([candidates], None)
        ((_, results),) = self._scorer.score([candidates], None)
        return results

    def _read(self, result: Mapping[str, EvalResult] | bytes) -> Score:
        """Return the score of a result, packed or not."""
        if isinstance(result, bytes):
            row = PackedResult(*memoryview(result).cast("d"))
            return Score(row.recall, row.precision, row.f)
        score = result[self._label].score
        return NOTHING if score is None else score


def _document_of(task: EvalTask, systems: Sequence[str] | None) -> tuple[str, Document]:
    """Return the only prediction of an eval by these systems, which is the document;
    raise RougeError for another number.
    """
    requested = task.predictions if systems is None else systems
    present = task.present(requested)
    if len(present) != 1:
        shown = ", ".join(present) or "none"
        raise RougeError(
            f"eval {task.eval_id} has {len(present)} documents ({shown})",
            where=task.where,
            remedy="choose one with --pred-column or --system",
        )
    ((name, source),) = present.items()
    return name, reading.document(source)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
