"""Oracle labels: which sentences of a document make the best extract by ROUGE.

They are the labels that extractive summarizers are trained on, and the highest score
that such a program can reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rouge_cli import metrics, signature
from rouge_cli.core import Notify
from rouge_cli.errors import NoticeHandler, UsageError
from rouge_cli.jobs.oracle_search import (
    GREEDY,
    ExtractScores,
    LabelSearch,
    Oracle,
    make_plan,
)
from rouge_cli.options import whole
from rouge_cli.runs import assembly
from rouge_cli.runs.parallel import MOST_JOBS
from rouge_cli.tasks import containers
from rouge_cli.tasks.streams import formats_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.options import AnyDialect, PairOptions
    from rouge_cli.tasks.containers import Text


class Oracles(list[Oracle]):
    """The oracles of documents, in their order.

    Attributes:
        signature: How the extracts were scored, as in reports.
    """

    signature: str = ""


def oracle(  # noqa: PLR0913 - the public parameters
    documents: Text | Iterable[Text],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]],
    *,
    metric: str = "R2",
    method: str = GREEDY,
    most: int | None = None,
    words: int | None = None,
    beam: int = 8,
    seconds: float = 60.0,
    dialect: AnyDialect | None = None,
    ids: Iterable[str | int] | None = None,
    read_as: str | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    jobs: int = 1,
    **options: Unpack[PairOptions],
) -> Oracles:
    """Return the sentences of each document that make the best extract by ROUGE.

    The sentences of an extract are in the document's order. Of extracts that are equal,
    one with few and early sentences is returned.

        >>> documents = [["A dog ran.", "The cat sat.", "It lay down."]]
        >>> (best,) = rouge_cli.oracle(documents, ["the cat sat, it lay down"])
        >>> best.sentences, best.labels, best.score
        ((1, 2), [0, 1, 1], 1.0)

    Args:
        documents: A text; or a list with an item per document: a text, whose lines are
            its sentences (see the option `sentences`), or a list of sentences, whose
            positions are then those of the list.
        references: As in `score`.
        metric: The label of a metric, such as `R2`. Add .R, .P or .F to compare by that
            measure, as in "R2.R"; F by default.
        method: "greedy" adds the sentence that gains most, until none gains. "beam"
            keeps several extracts of each length. "exact" returns the best of all
            extracts, with a proof: `gap` is 0. "presumm" selects as PreSumm's data
            builder, whatever the metric, which scores the extract.
        most: The most sentences; by default 3, and any number if `words` is passed.
        words: The most words, which white space separates.
        beam: The number of extracts that "beam" keeps.
        seconds: The time that "exact" has for a document. What was found by then has a
            gap above 0.
        jobs: The number of processes, 0 for one per core.

    The other parameters are those of `score`.

    Raises:
        UsageError: An option is invalid.
        RougeError: A document cannot be read, or the metric cannot be searched exactly.
    """
    like = signature.signature_of(like, recipe)
    read_as = assembly.text_format(read_as, signature.stated_facts(like))
    label, letter = metrics.figure(metric)
    plan = make_plan(letter, most, words, method=method, beam=beam, seconds=seconds)
    jobs = whole("jobs", jobs, 0, MOST_JOBS)
    run = assembly.of_call([label], dialect, like, samples=0, **options)()
    search = LabelSearch(run, plan)
    oracles = Oracles()

    texts, lists = _as_texts(documents)
    if any(lists) and search.run.options.get("sentences", "newline") != "newline":
        raise UsageError(
            "the option sentences, but documents are lists of sentences",
            remedy="leave it out, or pass texts",
        )
    with NoticeHandler(notify) as handle:
        tasks = containers.tasks(texts, references, ids, read_as, handle)
        scores = ExtractScores(search, handle)
        for extract, found in search.found(tasks, handle, jobs):
            scores.add(extract)
            listed = lists[len(oracles)] if lists else None
            oracles.append(found if listed is None else found.of_list(listed))
        report = scores.report(signature.reading(formats_of(tasks)))
    oracles.signature = report.signature
    return oracles


def _as_texts(
    documents: Text | Iterable[Text],
) -> tuple[Text | Iterable[Text], list[Sequence[str] | None]]:
    """Return documents with lists of sentences as texts, and the lists; None for a
    text.
    """
    if isinstance(documents, str | Mapping):
        return documents, []
    texts: list[Text] = []
    lists: list[Sequence[str] | None] = []
    for document in containers.checked_items(documents, "documents"):
        is_list = isinstance(document, list | tuple)
        if is_list and all(isinstance(sentence, str) for sentence in document):
            lines = [" ".join(sentence.split("\n")) for sentence in document]
            texts.append("\n".join(lines))
            lists.append(document)
        else:
            texts.append(document)
            lists.append(None)
    return texts, lists
