"""Scoring of an input in every way of the search space, with each way of counting used once.

Texts are split into sentences once for each kind of boundary. Metrics that do not depend on sentences are
shared between these, and scored evals between the ways of averaging.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rouge_cli import api, plugins
from rouge_cli.core import Average, Notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.runs import parallel
from rouge_cli.studies.identify import search_space
from rouge_cli.studies.identify.search_space import SPACES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.core import EvalTask, Notify
    from rouge_cli.dialects import DialectRun
    from rouge_cli.results.identification import Published
    from rouge_cli.scoring.columns import Column
    from rouge_cli.studies.identify.search_space import Options

    # For each published number the recall, precision and F of one set-up.
    Numbers = NDArray[Any]


class Count(NamedTuple):
    """A way of counting: scored once.

    labels: for each measure its possible labels. oddity: its distance from the usual
    way. also: other options that give the same counts on this input.
    """

    dialect: str
    options: Options
    labels: Sequence[Sequence[str]]
    oddity: int
    also: Sequence[Options]


class Search:
    """Scores an input in many ways; its texts have their sentences on lines, for each kind of boundary."""

    def __init__(self, tasks: Sequence[EvalTask], published: Sequence[Published]) -> None:
        self._published = published
        self._measures = list(dict.fromkeys(number.measure for number in published))
        self._variants, self._classes = search_space.vary_sentences(tasks)
        self._has_means = any(not number.eval_id for number in published)
        self._has_several = any(len(task.models) > 1 for task in tasks)
        self._shared: dict[object, dict[str, Numbers]] = {}
        self._averages: dict[object, DialectRun] = {}
        self.one_line = "none" in self._classes["newline"]

    def counts(self, dialects: Sequence[str], notify: Notify) -> Iterator[Count]:
        """Yield every way of counting, each dialect's usual ones first."""
        lacking = []
        for place, dialect in enumerate(dialects):
            labels = [search_space.labels(dialect, name) for name in self._measures]
            if not all(labels):
                missing = [name for name, some in zip(self._measures, labels, strict=True) if not some]
                lacking.append(f"dialect {dialect} has no {', '.join(missing)}")
            else:
                yield from self._counts(dialect, labels, place)
        if len(lacking) == len(dialects):
            raise UsageError("; ".join(lacking), remedy="give metrics that one dialect has")
        for message in lacking:
            notify(Notice(f"{message}, and is not tried"))

    def _counts(self, dialect: str, labels: Sequence[Sequence[str]], place: int) -> Iterator[Count]:
        space = SPACES[dialect]
        limits = search_space.limits(space.limits or ("none",), self._variants["newline"])
        is_divided = any(
            search_space.depends_on_sentences(dialect, each) for some in labels for each in some
        )
        sentences = {
            name: others
            for name, others in self._classes.items()
            if is_divided or name == "newline" or search_space.changes_tokens(name)
        }
        combined = space.by_reference if self._has_several else space.by_reference[:1]
        axes = [*space.counting, combined, list(limits), list(sentences)]
        for places in product(*(range(len(axis)) for axis in axes)):
            *chosen, limit, division = (axis[at] for axis, at in zip(axes, places, strict=True))
            if limit != "none" and division in search_space.UNLIMITED:
                continue
            options: dict[str, Any] = {}
            for values in chosen:
                options |= values  # type: ignore[arg-type]
            options |= {"limit": limit} if limit != "none" else {}
            options |= {"sentences": division} if division != "newline" else {}
            also = [{"limit": name} for name in limits[str(limit)]]
            also += [{"sentences": name} for name in sentences[str(division)]]
            yield Count(dialect, options, labels, place + sum(places), also)

    def numbers(self, count: Count, notify: Notify) -> Iterator[tuple[int, Options, Numbers]]:
        """Yield each set-up of a count: oddity, options, and numbers, each as recall, precision and F."""
        space = SPACES[count.dialect]
        every = list(dict.fromkeys(label for labels in count.labels for label in labels))
        division = count.options.get("sentences", "newline")
        counting = {name: value for name, value in count.options.items() if name != "sentences"}
        key = (count.dialect, tuple(sorted(counting.items())))
        # A limit falls differently on other sentence ends, by a byte or a word.
        is_shared = not (
            division == "newline" or "limit" in counting or search_space.changes_tokens(division)
        )
        scored = [
            label
            for label in every
            if not is_shared or search_space.depends_on_sentences(count.dialect, label)
        ]
        run = api.set_up(count.dialect, {**counting, "metrics": scored, "samples": 0}, None)
        columns = parallel.collected(run.work, self._variants[division], notify).columns
        averages = space.averages if self._has_means else space.averages[:1]
        for place, average in enumerate(averages):
            by_label = self._of_labels(columns, run.averages.labels, scored, count.dialect, average)
            if division == "newline":
                self._shared[key, place] = by_label
            by_label = {**self._shared[key, place], **by_label} if is_shared else by_label
            for oddity, labels in enumerate(product(*count.labels), count.oddity + place):
                if division != "newline" and not any(label in scored for label in labels):
                    continue
                options = {"metrics": labels, **count.options, **average}
                names = dict(zip(self._measures, labels, strict=True))
                rows = [by_label[names[number.measure]][at] for at, number in enumerate(self._published)]
                yield oddity, options, np.array(rows)

    def _of_labels(
        self,
        columns: Mapping[tuple[str, str], Column],
        own: Sequence[str],
        labels: Sequence[str],
        dialect: str,
        average: Options,
    ) -> dict[str, Numbers]:
        """Return, by label, a row for each published number with that label."""
        means: Mapping[tuple[str, str], Any] = {}
        if self._has_means:
            key = (dialect, tuple(average.items()), tuple(own))
            if key not in self._averages:
                options = {**average, "metrics": list(labels)}
                self._averages[key] = api.set_up(dialect, options, None).averages
            means = self._averages[key].average(columns)
        by_label = {}
        for label, name in zip(labels, own, strict=True):
            rows: list[Sequence[float]] = []
            of_evals: dict[str, dict[str, tuple[float, ...]]] = {}  # system -> eval -> scores
            for number in self._published:
                column = columns.get((number.system, name))
                if column is None:
                    raise RougeError(f"no texts of {number.system}", where=number.where)
                if not number.eval_id:
                    mean = means[number.system, name]
                    rows.append([figure.value for figure in mean] if isinstance(mean, Average) else [])
                    continue
                if number.system not in of_evals:
                    scores = zip(*column.scores(), strict=True)
                    of_evals[number.system] = dict(zip(column.ids, scores, strict=True))
                rows.append(_scores(of_evals[number.system], number))
            by_label[label] = np.array(rows, dtype=float)
        return by_label


def _scores(of_evals: Mapping[str, tuple[float, ...]], number: Published) -> tuple[float, ...]:
    if number.eval_id not in of_evals:
        raise RougeError(
            f"no eval {number.eval_id!r} of {number.system} in the input",
            where=number.where,
            remedy=plugins.suggestion(number.eval_id, list(of_evals)[:1000]),
        )
    return of_evals[number.eval_id]
