"""Identification of a set-up: score the input in every set-up, and compare with the
published numbers.

Each dialect has lists of options, with usual values first. The set-ups are the product
of these lists. To save time, values of options that give all texts the same tokens are
scored once and reported together; texts are split once for each kind of sentence
boundary; metrics that do not use sentences are scored once for all boundaries; and
scored evals are reused for all ways of averaging.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, product
from time import monotonic

import numpy as np

from rouge_cli import metrics
from rouge_cli.core import Average, Document, EvalTask, Notice, Notify, ignore_notice
from rouge_cli.dialects import DialectRun
from rouge_cli.errors import RougeError, UsageError, shown, suggestion
from rouge_cli.options import Options
from rouge_cli.results.doubts import Identification, Published
from rouge_cli.runs import assembly, parallel
from rouge_cli.scoring.columns import Averages, KeyedColumns, keyed
from rouge_cli.studies import equivalents, setups
from rouge_cli.studies.draws import Array
from rouge_cli.studies.eval_texts import in_memory
from rouge_cli.studies.fitting import Ranking, TriedSetup, depends_on_sentences
from rouge_cli.studies.published import HIGHEST
from rouge_cli.studies.setups import Alternative
from rouge_cli.text import reading, sentences

SENTENCES = ("newline", "none", "mark:<q>", "split", "punkt")  # values of `--sentences`
# Splitting at marks removes text, since a mark of sentence ends may contain letters.
MARK = "mark:"
# Tried only without a length limit, since texts are usually split before they are cut.
UNLIMITED = ("none", "split", "punkt")
MEASURE_LETTERS = "FRP"  # tried in this order for published numbers without a measure
NEAREST = 5  # set-ups listed in addition to the set-ups that fit
SECONDS = 60.0  # for the dialects that are not usual
# Why a dialect was not tried.
FOUND = "a set-up of the usual dialects fits"
TIME_OUT = f"not all in {SECONDS:g} s"


def identify(  # noqa: PLR0913 - each is a parameter of the search
    tasks: Sequence[EvalTask],
    published: Sequence[Published],
    dialects: Sequence[str] | None = None,
    *,
    systems: Sequence[str] | None = None,
    reading: Mapping[str, str] = {},
    notify: Notify,
    watch: Callable[[Iterable[TriedSetup]], Iterable[TriedSetup]] = iter,
    most: int | None = NEAREST,
    language: str | None = None,
) -> Identification:
    """Return the set-ups that give the published numbers, and the nearest others.

    Args:
        tasks: The texts that the numbers were computed from.
        dialects: The dialects to try. By default, the usual dialects; if none of their
            set-ups fits, all others, the cheapest first, for at most SECONDS.
        systems: The systems that the numbers may belong to; None for all.
        reading: How texts were read, for signatures.
        watch: Yields the counts as they are done, to show progress.
        most: The number of other set-ups to return; None for all.
        language: Try each set-up also with the words of this language.

    Raises:
        RougeError: If the tasks do not have the system or the eval of a number.
        UsageError: If no dialect has all metrics, or if it is unclear which system the
            numbers belong to.
    """
    published = _with_systems(tasks, published, systems)
    tasks = in_memory(tasks, {number.system for number in published})
    search = Search(tasks, published, language)
    tried = Found(published)
    chosen = search.having_metrics(dialects, notify)
    for count in watch(list(search.counts(chosen))):
        is_first = not tried.groups
        notify_first = notify if is_first else ignore_notice
        for setup, numbers in search.numbers(count, notify_first):
            tried.add(setup, numbers)

    untried: dict[str, str] = {}
    if dialects is None:
        untried = _try_others(search, tried, chosen, watch)
    without_metrics = set(filter(search.missing_metrics, equivalents.IDENTIFIABLE))
    is_complete = without_metrics.issuperset(untried)  # if named, all of the named

    ranking = Ranking(published, list(tried.groups.values()), tried.scale, reading)
    result = ranking.identification(
        most, one_line=search.one_line, is_complete=is_complete
    )
    if dialects is None:
        chosen = [name for name in equivalents.IDENTIFIABLE if name not in untried]
    return result._replace(dialects=chosen, untried=untried)


def _try_others(
    search: "Search",
    tried: "Found",
    chosen: Sequence[str],
    watch: Callable[[Iterable[TriedSetup]], Iterable[TriedSetup]],
) -> dict[str, str]:
    """Try the other dialects, the cheapest first, until SECONDS have passed; none if a
    set-up fits already. Return dialect -> why it was not tried, or only in part.
    """
    untried: dict[str, str] = {}
    end = monotonic() + SECONDS
    is_found = tried.fits()
    for dialect in equivalents.IDENTIFIABLE:
        if dialect in chosen:
            continue
        missing = search.missing_metrics(dialect)
        if missing:
            reason = f"no {', '.join(missing)}"
        elif is_found:
            reason = FOUND
        else:
            reason = _try(dialect, search, tried, end, watch)
        if reason:
            untried[dialect] = reason
    return untried


def _try(
    dialect: str,
    search: "Search",
    tried: "Found",
    end: float,
    watch: Callable[[Iterable[TriedSetup]], Iterable[TriedSetup]],
) -> str:
    """Try the set-ups of a dialect until that time; return why some were not tried,
    empty if all were.
    """
    try:
        for count in watch(list(search.counts([dialect]))):
            if monotonic() >= end:
                return TIME_OUT
            for setup, numbers in search.numbers(count, ignore_notice):
                tried.add(setup, numbers)
    except RougeError as error:  # such as a library that is not installed
        return error.what
    return ""


class Found:
    """The numbers of the set-ups that were tried."""

    def __init__(self, published: Sequence[Published]) -> None:
        self._published = published
        is_share = all(number.value <= 1 for number in published)
        self.scale = 1 if is_share else HIGHEST
        # Numbers, rounded -> the numbers, and the set-ups that give them.
        self.groups: dict[bytes, tuple[Array, list[TriedSetup]]] = {}
        is_open = any(not number.measure for number in published)
        # The measures of numbers that do not state theirs.
        self._measures = list(MEASURE_LETTERS) if is_open else [""]

    def add(self, setup: TriedSetup, numbers: Array) -> None:
        """Add a set-up with recall, precision and F for each published number."""
        for index, measure in enumerate(self._measures):
            letters = [
                metrics.FIGURES.index(number.measure or measure)
                for number in self._published
            ]
            vector = numbers[np.arange(len(letters)), letters] * self.scale
            key = np.round(vector, 10).tobytes()
            _, alike = self.groups.setdefault(key, (vector, []))
            alike.append(setup._replace(measure=measure, oddity=setup.oddity + index))

    def fits(self) -> bool:
        """Return True if a set-up gives all published numbers."""
        if not self.groups:
            return False
        ranking = Ranking(self._published, list(self.groups.values()), self.scale, {})
        return ranking.fitting > 0


def _with_systems(
    tasks: Sequence[EvalTask],
    published: Sequence[Published],
    systems: Sequence[str] | None,
) -> list[Published]:
    """Return the numbers with their systems; raise UsageError if a system is
    ambiguous.

    Args:
        systems: The systems that the user chose, whose numbers count; the numbers of
            others, as in a report of all, do not. None or empty: all of the input.
    """
    if systems:
        chosen = [each for each in published if each.system in {"", *systems}]
        if not chosen:
            others = list(dict.fromkeys(each.system for each in published))
            raise RougeError(
                f"no published number of {shown(list(systems), 5)},"
                f" but of {shown(others, 5)}",
                where=published[0].where,
                remedy=f"name one of these, or --rename {systems[0]}={others[0]}",
            )
        published = chosen
    if not systems:
        names = chain.from_iterable(task.predictions for task in tasks)
        systems = list(dict.fromkeys(names))
    if not systems:
        raise assembly.nothing_to_score()
    for number in published:
        if not number.system and len(systems) > 1:
            what = f"{len(systems)} systems in the input ({shown(systems, 5)})"
            raise UsageError(what, remedy="name the published one with --system")
        if number.system and number.system not in systems:
            remedy = suggestion(number.system, list(systems))
            if len(systems) == 1:
                remedy = f"--rename {systems[0]}={number.system} if they are of it"
            raise RougeError(
                f"no system {number.system!r} in the input",
                where=number.where,
                remedy=remedy,
            )
    return [number._replace(system=number.system or systems[0]) for number in published]


class Search:
    """A search of the set-ups of an input.

    For each kind of sentence boundary, there is a variant of the tasks with one
    sentence per line.
    """

    def __init__(
        self,
        tasks: Sequence[EvalTask],
        published: Sequence[Published],
        language: str | None = None,
    ) -> None:
        self._published = published
        self._language = language
        self._metrics = list(dict.fromkeys(number.metric for number in published))
        self._variants, self._classes = vary_sentences(tasks)
        self._has_means = not all(number.eval_id for number in published)
        self._has_evals = any(number.eval_id for number in published)
        self._has_several = any(len(task.references) > 1 for task in tasks)
        self._shared: dict[object, dict[str, Array]] = {}
        self._averages: dict[object, DialectRun] = {}
        self.one_line = "none" in self._classes["newline"]

    def missing_metrics(self, dialect: str) -> list[str]:
        """Return the published metrics that a dialect does not have."""
        return [
            name
            for name in self._metrics
            if not equivalents.possible_labels(dialect, name)
        ]

    def having_metrics(
        self, dialects: Sequence[str] | None, notify: Notify
    ) -> list[str]:
        """Return the dialects, by default the usual ones, that have all metrics; warn
        of the others.

        Raises:
            UsageError: If none has, of the named dialects or of all.
        """
        names = equivalents.DEFAULT_DIALECTS if dialects is None else dialects
        messages = []
        having = []
        for name in names:
            missing = self.missing_metrics(name)
            if missing:
                messages.append(f"dialect {name} has no {', '.join(missing)}")
            else:
                having.append(name)
        possible = equivalents.IDENTIFIABLE if dialects is None else having
        if all(self.missing_metrics(name) for name in possible):
            raise UsageError(
                "; ".join(messages), remedy="give metrics that one dialect has"
            )
        for message in messages:
            notify(Notice(f"{message}, and is not tried"))
        return having

    def counts(self, dialects: Sequence[str]) -> Iterator[TriedSetup]:
        """Yield every way to count, without metrics and averages; the usual ways of
        each dialect first.
        """
        for dialect in dialects:
            yield from self._counts(dialect, _oddity(dialect))

    def _counts(self, dialect: str, oddity: int) -> Iterator[TriedSetup]:
        """Yield the ways to count of a dialect, and each with the words of the
        language.
        """
        space = setups.space(dialect)
        limits = vary_limits(space.limits, self._variants["newline"])
        divisions = self._relevant_sentences(dialect)
        by_reference = space.by_reference
        if not self._has_several:
            by_reference = by_reference[:1]
        axes = {
            **space.counting,
            "by reference": by_reference,
            "limit": [_alternative("limit", name, "none") for name in limits],
            "sentences": [
                _alternative("sentences", name, "newline") for name in divisions
            ],
        }
        for setup in setups.combinations(axes):
            limit = setup.values["limit"]
            division = setup.values["sentences"]
            if limit != "none" and division in UNLIMITED:
                continue

            also: list[Options] = [{"limit": name} for name in limits[limit]]
            also += [{"sentences": name} for name in divisions[division]]
            count = TriedSetup(
                dialect=dialect,
                options=setup.options,
                measure="",
                oddity=oddity + setup.oddity,
                also=also,
            )
            yield count
            in_language = self._in_language(count)
            if in_language:
                yield in_language

    def _relevant_sentences(self, dialect: str) -> dict[str, list[str]]:
        """Return the sentence boundaries that can change a score, each with the others
        of its class.
        """
        labels = chain.from_iterable(
            equivalents.possible_labels(dialect, name) for name in self._metrics
        )
        if any(depends_on_sentences(dialect, label) for label in labels):
            return self._classes
        return {
            name: others
            for name, others in self._classes.items()
            if name == "newline" or name.startswith(MARK)
        }

    def _in_language(self, count: TriedSetup) -> TriedSetup | None:
        """Return the way to count with the words of the language; None if the dialect
        or the language does not have it.
        """
        if self._language is None:
            return None
        options = count.options
        wanted = {
            "stem": options.get("stemmer", "none") != "none",
            "stop": options.get("stop", "none") != "none",
        }
        try:
            words = assembly.of_language(self._language, count.dialect, wanted)
        except UsageError:
            return None

        # Only the dialect's stemmer has irregular forms.
        if "irregular" in options:
            stemmer = words.get("stemmer")
            if stemmer is not None and stemmer != options["stemmer"]:
                return None
        return count._replace(options={**options, **words}, oddity=count.oddity + 1)

    def numbers(
        self, count: TriedSetup, notify: Notify
    ) -> Iterator[tuple[TriedSetup, Array]]:
        """Yield each set-up of a way to count, with recall, precision and F for each
        published number.
        """
        dialect = count.dialect
        space = setups.space(dialect)
        possible = [
            equivalents.possible_labels(dialect, name) for name in self._metrics
        ]
        division = count.options.get("sentences", "newline")
        counting = {
            name: value for name, value in count.options.items() if name != "sentences"
        }
        key = (dialect, tuple(sorted(counting.items())))
        # With other sentence ends, a length limit falls on another byte or word.
        is_shared = not (
            division == "newline" or "limit" in counting or division.startswith(MARK)
        )

        scored = []
        for label in dict.fromkeys(chain.from_iterable(possible)):
            if not is_shared or depends_on_sentences(dialect, label):
                scored.append(label)
        options = {**counting, "metrics": scored, "samples": 0}
        run = assembly.set_up(dialect, options, None)
        collected = parallel.collected(run.work, self._variants[division], notify)
        columns = keyed(collected.by_eval)

        averages = space.averages if self._has_means else space.averages[:1]
        names = dict(zip(scored, run.averages.labels, strict=True))
        for average in setups.combinations({"average": averages}):
            by_label = self._of_labels(columns, names, dialect, average.options)
            way = (key, average.values["average"])
            if division == "newline":
                self._shared[way] = by_label
            if is_shared:
                by_label = {**self._shared[way], **by_label}

            # ROUGE-L may stand for several labels, the usual ones first.
            for oddity, chosen in enumerate(
                product(*possible), count.oddity + average.oddity
            ):
                is_scored = not set(scored).isdisjoint(chosen)
                if division != "newline" and not is_scored:
                    continue
                label_of = dict(zip(self._metrics, chosen, strict=True))
                rows = []
                for row, number in enumerate(self._published):
                    rows.append(by_label[label_of[number.metric]][row])
                options = {"metrics": chosen, **count.options, **average.options}
                yield count._replace(options=options, oddity=oddity), np.array(rows)

    def _of_labels(
        self,
        columns: KeyedColumns,
        names: Mapping[str, str],
        dialect: str,
        average: Options,
    ) -> dict[str, Array]:
        """Return label -> a row for each published number, as if it had that label."""
        means: Averages = {}
        if self._has_means:
            key = (dialect, tuple(average.items()), tuple(names.values()))
            if key not in self._averages:
                options = {**average, "metrics": list(names)}
                self._averages[key] = assembly.set_up(dialect, options, None).averages
            means = self._averages[key].average(columns)

        @cache
        def scores_of(system: str, name: str) -> Mapping[str, Sequence[float]]:
            """Return eval -> its scores; the means have an empty name."""
            column = columns[system, name]
            by_eval: dict[str, Sequence[float]] = {}
            if self._has_evals:
                rows = zip(*column.scores(), strict=True)
                by_eval = dict(zip(column.of.ids, rows, strict=True))
            mean = means.get((system, name))
            if isinstance(mean, Average):
                by_eval[""] = [estimate.value for estimate in mean]
            return by_eval

        def row(number: Published, name: str) -> Sequence[float]:
            if (number.system, name) not in columns:
                raise RougeError(f"no texts of {number.system}", where=number.where)
            scores = scores_of(number.system, name)
            if number.eval_id not in scores:
                what = f"no eval {number.eval_id!r} of {number.system} in the input"
                remedy = suggestion(number.eval_id, list(filter(None, scores))[:1000])
                raise RougeError(what, where=number.where, remedy=remedy)
            return scores[number.eval_id]

        by_label = {}
        for label, name in names.items():
            rows = [row(number, name) for number in self._published]
            by_label[label] = np.array(rows, dtype=float)
        return by_label


def _alternative(option: str, value: str, usual: str) -> Alternative:
    """Return the alternative of an option's value; a usual one sets nothing."""
    options = {} if value == usual else {option: value}
    return Alternative(value, options)


def _oddity(dialect: str) -> int:
    """Return how unusual a dialect is in papers."""
    names = list(equivalents.IDENTIFIABLE)
    return names.index(dialect) if dialect in names else len(names)


def vary_sentences(
    tasks: Sequence[EvalTask],
) -> tuple[dict[str, list[EvalTask]], dict[str, list[str]]]:
    """Split the texts, which must be in memory, at each kind of sentence boundary.

    Boundaries that split all texts in the same way form a class, named after the first
    of them. Return the tasks of each class, and the other boundaries of each class.
    Tasks with the boundaries of their format are unchanged, others have one sentence
    per line.
    """
    units = {}
    for task in tasks:
        for source in _sources(task):
            units[id(source)] = reading.units(source, task.input_format)

    variants: dict[str, list[EvalTask]] = {}
    classes: dict[str, list[str]] = {}
    names: dict[tuple[bytes, ...], str] = {}  # the split texts -> the class
    for name in SENTENCES:
        try:
            split = sentences.named(name)
            if split:
                split(b"A sentence.")
        except RougeError:  # a library is not installed
            continue

        texts = {}
        for key, lines in units.items():
            split_lines = lines
            if split:
                split_lines = split(b"\n".join(lines))
            texts[key] = b"\n".join(line.replace(b"\n", b" ") for line in split_lines)
        first = names.setdefault(tuple(texts.values()), name)
        if first != name:
            classes[first].append(name)
            continue

        classes[name] = []
        variants[name] = list(tasks)
        if split:
            divide = partial(_divided, texts)
            variants[name] = [
                task.with_texts(divide)._replace(input_format="spl") for task in tasks
            ]
    return variants, classes


def vary_limits(
    names: Sequence[str], tasks: Sequence[EvalTask]
) -> dict[str, list[str]]:
    """Return the limits that cut a text and `none`, each with the other limits of
    the same effect.
    """
    longest = {"words": 0, "bytes": 0}
    for task in tasks:
        for source in _sources(task):
            if isinstance(source, Document):
                text = source.data
                words = len(text.split()) + text.count(b"\n") + 1
                longest["words"] = max(longest["words"], words)
                longest["bytes"] = max(longest["bytes"], len(text))

    classes: dict[str, list[str]] = {"none": []}
    for name in names:
        number, unit = re.fullmatch(r"(\d*)(\w+)", name).groups()  # type: ignore[union-attr]
        if name != "none" and int(number) > longest[unit]:
            classes["none"].append(name)
        else:
            classes.setdefault(name, [])
    return classes


def _sources(task: EvalTask) -> Iterable[str | Document]:
    """Yield the texts of an eval: of the predictions that exist, and of the
    references.
    """
    for prediction in task.predictions.values():
        if prediction:
            yield prediction
    for _, reference in task.references:
        yield reference


def _divided(
    texts: Mapping[int, bytes], source: str | Document, _: str
) -> str | Document:
    """Return the text with one sentence per line."""
    if isinstance(source, Document):
        return source._replace(data=texts[id(source)])
    return source
