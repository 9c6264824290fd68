"""Similar texts: all pairs whose score reaches a threshold, and an index of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import core, dialects, metrics, signature
from rouge_cli._version import __version__
from rouge_cli.core import Document, EvalTask, Notice, Notify
from rouge_cli.errors import NoticeHandler, UsageError
from rouge_cli.jobs import join, overlaps
from rouge_cli.jobs.join import SimilarPair
from rouge_cli.jobs.overlaps import THRESHOLD
from rouge_cli.jobs.texts import FlatTexts, TextReader
from rouge_cli.options import whole
from rouge_cli.runs import assembly, hints
from rouge_cli.runs.evaluation import usable_cores
from rouge_cli.runs.parallel import MOST_JOBS
from rouge_cli.tasks import containers, doubts
from rouge_cli.text import tokenizers
from rouge_cli.text.survey import REFERENCES, SIDES, cut_up_message

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.jobs.overlaps import Element
    from rouge_cli.options import AnyDialect, PairOptions
    from rouge_cli.tasks.containers import Text

MOST_EXAMINED = 50  # texts of a side, for hints
SAME_TEXTS = "the texts are compared with themselves; give no others for their pairs"


class SimilarText(NamedTuple):
    """A text of an index that is similar to another text.

    Attributes:
        position: Its position in the index, from 0.
        score: The score of the other text against it.
    """

    position: int
    score: float


class SimilarPairs(list[SimilarPair]):
    """Pairs of similar texts, in order of their positions.

    Attributes:
        texts: The number of texts; of those that were compared with others, if there
            are others.
        signature: How the scores were computed, in one line that `like` takes.
    """

    def __init__(
        self, pairs: Iterable[SimilarPair], texts: int, signature: str, *, are_one: bool
    ) -> None:
        super().__init__(pairs)
        self.texts = texts
        self.signature = signature
        self._are_one = are_one  # the pairs are of one set of texts

    def keep_first(self) -> list[int]:
        """Return the positions of the texts that are kept if a text is dropped that is
        similar to one before it that is kept, as self-instruct filters instructions.

        With other texts, those are kept that are similar to none of them.
        """
        dropped: set[int] = set()
        for first, second, _ in self:
            if not self._are_one:
                dropped.add(first)
            elif first not in dropped:
                dropped.add(second)
        return [text for text in range(self.texts) if text not in dropped]

    def groups(self) -> list[list[int]]:
        """Return the positions of the texts by group: similar texts are in one group,
        and so are texts that are similar to the same text.
        """
        if not self._are_one:
            raise UsageError(
                "groups of two sets of texts",
                remedy="leave out the texts that they are compared with",
            )
        return join.groups(self.texts, self)


class PairReading:
    """Compares texts by one score of a dialect.

    Args:
        run: The run of the dialect, with one metric.
        letter: The measure: R, P or F.
        threshold: The score that similar texts reach.
        read_as: The format of the texts.
        notify: Receives notices.
    """

    def __init__(
        self,
        run: assembly.Run,
        letter: str,
        threshold: float,
        read_as: str,
        notify: Notify,
    ) -> None:
        for notice in run.notices:
            notify(notice)
        self._options = run.options
        self._dialect = run.work.make(Counter(), notify)
        self._notify = notify
        self._read_as = read_as
        self.overlap = overlaps.chosen(self._dialect, run.dialect, letter, threshold)
        self._reader = TextReader(self._dialect, self.overlap.metric, read_as)
        program = dialects.named(run.dialect)
        fields = {
            "dialect": run.dialect,
            **run.options,
            **(run.reading or signature.reading([read_as])),
            **tokenizers.libraries(program.packages(run.options)),
            "version": __version__,
        }
        self.signature = signature.render(fields)
        for notice in signature.differences(run.expected, self.signature):
            notify(notice)

    def read(self, documents: Iterable[Document]) -> FlatTexts:
        """Return the texts of documents; warn of common causes of wrong scores."""
        sample: list[EvalTask] = []

        def watched() -> Iterator[Document]:
            for document in documents:
                if len(sample) < MOST_EXAMINED:
                    sample.append(self._task(document))
                yield document

        texts = self._reader.read(watched())
        tally = self._dialect.details()[REFERENCES]
        # Both sides of a pair are texts of the same kind.
        details = dict.fromkeys(SIDES, tally)
        message = cut_up_message(details, has_tokenizers="tokenizer" in self._options)
        if message:
            self._notify(Notice(message))
        for notice in hints.remarks(sample, details, self._options, self._dialect):
            self._notify(notice)
        return texts

    def text(self, document: Document) -> core.Text:
        """Return one document as the metric counts it."""
        texts = self._reader.read([document])
        return texts[0]

    def _task(self, document: Document) -> EvalTask:
        """Return the eval of a text with itself."""
        return EvalTask(
            document.where,
            {containers.SYSTEM: document},
            [("1", document)],
            self._read_as,
            document.where,
        )


def similar(  # noqa: PLR0913 - the public parameters
    texts: Iterable[Text],
    against: Iterable[Text] | None = None,
    *,
    metric: str = "RL",
    threshold: float = THRESHOLD,
    dialect: AnyDialect | None = None,
    read_as: str | None = None,
    like: str | None = None,
    recipe: str | None = None,
    jobs: int = 0,
    notify: Notify | None = None,
    **options: Unpack[PairOptions],
) -> SimilarPairs:
    """Return all pairs of texts whose score reaches the threshold: those that comparing
    each with each finds, and no other.

        >>> texts = ["Name a large city.", "Name a very large city.", "Sort the list."]
        >>> rouge_cli.similar(texts, threshold=0.7)
        [SimilarPair(first=0, second=1, score=0.88889)]

    Texts that share few words are not compared, so that a million sentences take
    minutes.

    Args:
        texts: The texts. In a pair of them the earlier one is the reference, and the
            later one the prediction.
        against: Other texts, which are the predictions: each pair is of a text and one
            of them. Then recall is the share of the text that the other one has.
        metric: One label, such as `RL`, `R2` or `R2.R`; F by default. ROUGE-N and
            ROUGE-L can be used, of all dialects but rouge2 and tilse.
        threshold: The score that similar texts reach: above 0 and up to 1.
        dialect: The program whose numbers are reproduced; rouge155 by default.
        read_as: The format of the texts, by default spl (a sentence per line).
        like: The signature of a report, whose options are used unless you pass others.
        recipe: The name of a set-up, instead of `like`.
        jobs: The number of threads; 0 for all cores.
        notify: A function that receives each warning; see `score`.
        options: Options of the dialect, as in `score`.

    Raises:
        UsageError: An option is invalid, or the score is no ratio of overlaps.
        RougeError: A text cannot be read.
    """
    run, letter = prepare(metric, dialect, like, recipe, options)
    read_as = assembly.text_format(read_as, signature.stated_facts(like))
    threads = whole("jobs", jobs, 0, MOST_JOBS) or usable_cores()
    with NoticeHandler(notify) as handle:
        if against is texts:
            handle(Notice(SAME_TEXTS))
        comparison = PairReading(run, letter, threshold, read_as, handle)
        read = comparison.read(_documents(texts, "texts", handle))
        others = None
        if against is not None:
            others = comparison.read(_documents(against, "against", handle))
        parts = join.parts_of(len(read))
        found = join.joined(read, others, comparison.overlap, parts, threads)
        pairs = map(SimilarPair._make, sorted(chain.from_iterable(found)))
    return SimilarPairs(pairs, len(read), comparison.signature, are_one=against is None)


def prepare(
    metric: str,
    dialect: AnyDialect | None,
    like: str | None,
    recipe: str | None,
    options: Mapping[str, Any],
) -> tuple[assembly.Run, str]:
    """Return the run of one metric, and its measure.

    Raises:
        UsageError: There are several labels, or an option is invalid.
    """
    label, letter = metrics.figure(metric)
    like = signature.of_pairs(signature.signature_of(like, recipe))
    names = assembly.metric_labels(label)
    if len(names) > 1:
        raise UsageError(
            f"texts are similar by one score, not by {len(names)}",
            remedy="name one metric, as in RL",
        )
    run = assembly.of_call(names, dialect, like, **{**options, "samples": 0})()
    return run, letter or "F"


def _documents(texts: Iterable[Text], name: str, notify: Notify) -> list[Document]:
    """Return the texts of an argument as documents; warn if they are names of files."""
    items = containers.checked_items(texts, name)
    if doubts.names_of_files(items):
        notify(doubts.file_names(name, items))
    documents = []
    for place, item in enumerate(items):
        where = f"{name}[{place}]"
        documents.append(Document(containers.encoded(item, where, "text"), where))
    return documents


class SimilarIndex:
    """Texts to which further texts are compared, one at a time.

        >>> index = rouge_cli.SimilarIndex("RL")
        >>> index.add("Name a large city.")
        0
        >>> index.most_similar("Name a very large city.", 0.7)
        [SimilarText(position=0, score=0.88889)]

    A generator adds what is new enough:

        for text in generated:
            if not index.most_similar(text, 0.7):
                index.add(text)

    An index can be pickled. Several threads may use it at once.

    Args:
        metric: One label, as in `similar`.
        dialect: The program whose numbers are reproduced; rouge155 by default.
        read_as: The format of the texts, by default spl (a sentence per line).
        like: The signature of a report, whose options are used unless you pass others.
        recipe: The name of a set-up, instead of `like`.
        notify: A function that receives each warning; see `score`.
        options: Options of the dialect, as in `score`.

    Raises:
        UsageError: An option is invalid, or the score is no ratio of overlaps.
    """

    def __init__(  # noqa: PLR0913 - as `similar`
        self,
        metric: str = "RL",
        *,
        dialect: AnyDialect | None = None,
        read_as: str | None = None,
        like: str | None = None,
        recipe: str | None = None,
        notify: Notify | None = None,
        **options: Unpack[PairOptions],
    ) -> None:
        like = signature.signature_of(like, recipe)
        self._settings = metric, dialect, read_as, like, notify, options
        self._texts: list[Document] = []
        self._start()

    def _start(self) -> None:
        """Make what is not pickled."""
        metric, dialect, read_as, like, notify, options = self._settings
        run, letter = prepare(metric, dialect, like, None, options)
        read_as = assembly.text_format(read_as, signature.stated_facts(like))
        self._lock = Lock()
        self._notices = NoticeHandler(notify)
        with self._notices as handle:
            self._comparison = PairReading(run, letter, 1.0, read_as, handle)
        self._needed: dict[float, Callable[[int, int], float]] = {}
        self._read: list[core.Text] = []
        self._elements: list[frozenset[Element]] = []
        self._sizes: set[int] = set()
        self._texts_of: dict[Element, list[int]] = {}

    def __getstate__(self) -> Mapping[str, object]:
        """Return the settings and the texts, which are read again."""
        with self._lock:
            return {"settings": self._settings, "texts": list(self._texts)}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self._settings = state["settings"]
        self._texts = []
        self._start()
        for document in state["texts"]:
            self._add(document)

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, text: Text) -> int:
        """Add a text; return its position, which counts from 0."""
        with self._lock:
            position = len(self._texts)
            where = f"texts[{position}]"
            self._add(Document(containers.encoded(text, where, "text"), where))
            return position

    def _add(self, document: Document) -> None:
        text = self._comparison.text(document)
        elements = self._comparison.overlap.elements(text)
        position = len(self._texts)
        self._texts.append(document)
        self._read.append(text)
        self._elements.append(frozenset(elements))
        self._sizes.add(len(elements))
        for element in elements:
            self._texts_of.setdefault(element, []).append(position)

    def most_similar(
        self, text: Text, threshold: float = THRESHOLD
    ) -> list[SimilarText]:
        """Return the texts of the index against which the text reaches the threshold,
        the most similar first; of equal scores, the earlier text.

        The texts of the index are the references.

        Args:
            threshold: The score that similar texts reach: above 0 and up to 1.
        """
        overlaps.check_threshold(threshold)
        with self._lock:
            document = Document(
                containers.encoded(text, "the text", "text"), "the text"
            )
            overlap = self._comparison.overlap._replace(threshold=threshold)
            needed = self._needed.setdefault(threshold, cache(overlap.needed))
            prediction = self._comparison.text(document)
            elements = frozenset(overlap.elements(prediction))
            found = []
            for position in self._candidates(elements, needed):
                reference = self._elements[position]
                fewest = needed(len(reference), len(elements))
                if fewest == inf or len(reference & elements) < fewest:
                    continue
                score = overlap.score(self._read[position], prediction)
                if score >= threshold:
                    found.append(SimilarText(position, score))
        return sorted(found, key=lambda similar: (-similar.score, similar.position))

    def _candidates(
        self, elements: Collection[Element], needed: Callable[[int, int], float]
    ) -> list[int]:
        """Return the positions of the texts that share one of the rarest units, as a
        similar text does (`jobs.join`).
        """
        size = len(elements)
        fewest = min([needed(other, size) for other in self._sizes], default=inf)
        if fewest == inf:
            return []
        by_rarity = sorted(elements, key=lambda unit: len(self._texts_of.get(unit, ())))
        found: set[int] = set()
        for element in by_rarity[: size - int(fewest) + 1]:
            found.update(self._texts_of.get(element, ()))
        return sorted(found)
