"""From counts to scores: several references, F, averages over evals."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, partial
from itertools import chain
from math import fsum, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import explanation
from rouge_cli.core import Average, Notice, Score, number, terms
from rouge_cli.dialects.rouge2 import counts, labels, texts
from rouge_cli.dialects.rouge2.counts import best_matching, look
from rouge_cli.dialects.rouge2.forms import dropping, forms, lines
from rouge_cli.dialects.rouge2.labels import L
from rouge_cli.dialects.rouge2.texts import Reading
from rouge_cli.explanation import Match, Pair, Side, Source, Token
from rouge_cli.pairwise.program import Pairwise, units_of
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.formula import NOTHING_TO_DIVIDE_BY, Formula, average
from rouge_cli.text.normalization import folding, with_places
from rouge_cli.text.survey import survey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalTask, Notify
    from rouge_cli.dialects.rouge2.counts import Synonyms, Unit
    from rouge_cli.dialects.rouge2.forms import Form, Preprocessing
    from rouge_cli.dialects.rouge2.labels import Measure
    from rouge_cli.explanation import Explanation
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column
    from rouge_cli.scoring.formula import Scored

    Place = tuple[int, ...]
    Look = tuple[str, ...]
    Places = Mapping[Unit, Sequence[Place]]

_TAG = re.compile(r"_[^_\s]+(?!\S)")
TAGGED = "tagged"  # the tagger of texts that come with tags


class Rouge2(Pairwise[Reading]):
    """The dialect for one run.

    preprocessing, synonyms: used for the measures that need them. tokenize: splits a line into words.
    names: the names of further data, for the report.
    """

    resamples = True

    def __init__(  # noqa: PLR0913, PLR0917 - what a run is made of
        self,
        options: Options,
        preprocessing: Preprocessing,
        synonyms: Synonyms,
        tokenize: Callable[[str], Sequence[str]],
        uses: Counter[str],
        notify: Notify,
        names: Mapping[str, Any],
    ) -> None:
        self.preprocessing = preprocessing
        self.synonyms = synonyms
        super().__init__(
            options, uses, notify, partial(survey, ascii_only=options["tokenizer"] == "classic")
        )
        self.needs_sentences = True  # no unit crosses the end of a line
        # In the program's definition scores without a model are nan (QUIRKS 52).
        self.needs_models = not preprocessing.program
        self._tokenize = tokenize
        self._names = names

    def measure(self, label: str) -> tuple[Any, Formula]:
        """Return the measure and formulas of a label."""
        measure = labels.parse(label)
        # If the program's L divides by nothing, the score is not a number (QUIRKS 52).
        undefined = nan if self.preprocessing.program and measure.kind == L else 0.0
        return measure, MeanShares(self.options["alpha"], undefined)

    def _prepare(self, document: Document, units: Sequence[bytes]) -> Reading:
        tagged = self.options["tagger"] == TAGGED
        if self.preprocessing.program:
            return Reading(texts.program_lines(document, tagged=tagged))
        lines = texts.paper_lines(document, units, self._tokenize, tagged=tagged)
        if not any(lines) and any(map(bytes.strip, units)):
            self.notify(Notice(f"{document.where}: text, but no words"))
        return Reading(lines)

    def scores(self, models: Sequence[Reading], peer: Reading) -> Mapping[str, Scored]:
        """Return the scores by label, against all models."""
        return {
            label: formula.combine([self.count(measure, model, peer) for model in models])
            for label, (measure, formula) in self.measures.items()
        }

    def count(self, measure: Measure, model: Reading, peer: Reading) -> Counts:
        """Return the counts of a pair."""
        return counts.count(measure, model, peer, self.preprocessing, self.synonyms)

    def explain(self, task: EvalTask) -> dict[str, list[Explanation]]:
        """Explain every peer of a loaded eval."""
        measures = [(measure, label, formula) for label, (measure, formula) in self.measures.items()]

        def read(document: Any, _: str) -> Callable[[Measure], View]:  # noqa: ANN401 - loaded
            reading = self.read(document, task, "")[0]
            data, spans = _shown(self, task, document)
            return cache(lambda measure: _view(reading, data, spans, measure, self))

        return explanation.explain(task, measures, read, partial(pair, self))

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return each token (`@` for a run of digits), and the form that is counted."""
        units = units_of(self.options, document, input_format)
        lines = texts.paper_lines(document, units, self._tokenize, tagged=False)
        return [(word, self.preprocessing.stem(word)) for line in lines for word, _ in line]

    def average(
        self, columns: Mapping[tuple[str, str], Column], jobs: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return plain means; with samples, resampled means and intervals, drawn as by ROUGE-1.5.5."""
        averages = dict(super().average(columns))
        samples, confidence, seed = (self.options[name] for name in ("samples", "confidence", "seed"))
        for size in sorted({len(column) for column in columns.values() if column}) if samples else ():
            group = {key: column for key, column in columns.items() if len(column) == size}
            figures = list(chain.from_iterable(column.scores() for column in group.values()))
            estimates = bootstrap.estimates_of_means(figures, samples, confidence, seed, jobs)
            for place, key in enumerate(group):
                averages[key] = Average(*estimates[3 * place : 3 * place + 3])
        return averages

    def details(self) -> Mapping[str, Any]:
        """Return the numbers of texts and sentences read, and the names of tagger and WordNet, if used."""
        return {**super().details(), **self._names}


class MeanShares(Formula):
    """Means of recall and of precision over the models, of which F is made (QUIRKS 50).

    undefined: recall or precision without a unit to divide by.
    """

    def __init__(self, alpha: float, undefined: float) -> None:
        super().__init__()
        self._alpha = alpha
        self._undefined = undefined

    def share(self, match: float, whole: float) -> float:
        """Return recall or precision against one model."""
        return match / whole if whole else self._undefined

    def mean(self, figures: Sequence[float]) -> float:
        """Return the mean over the models, undefined without one."""
        return fsum(figures) / len(figures) if figures else nan

    def combine(self, pairs: Sequence[Counts]) -> Scored:
        """Return the sum of the counts, and the score of the means."""
        recall = self.mean([self.share(pair.match, pair.model) for pair in pairs])
        precision = self.mean([self.share(pair.match, pair.peer) for pair in pairs])
        return average(pairs), Score(recall, precision, self.f(recall, precision))

    def f(self, recall: float, precision: float) -> float:
        """Return (1 + b^2) R P / (b^2 P + R), b^2 = (1 - alpha) / alpha; 0 unless one is above 0."""
        if not (recall > 0 or precision > 0):
            return 0.0
        if not self._alpha:
            return recall
        square = (1 - self._alpha) / self._alpha
        return (1 + square) * recall * precision / (square * precision + recall)

    def lines(self, names: Sequence[str], pairs: Sequence[Counts], scored: Scored) -> Iterator[str]:  # noqa: ARG002 - all count
        """Yield the means and their F."""
        for name, side, value in (
            ("recall", "model", scored[1].recall),
            ("precision", "peer", scored[1].precision),
        ):
            shares = [(pair.match, getattr(pair, side)) for pair in pairs]
            if len(shares) == 1:
                yield self.share_line(name, side, *shares[0], value)
                continue
            ratios = terms([f"{number(match)} / {number(whole)}" for match, whole in shares])
            note = "" if all(whole for _, whole in shares) else NOTHING_TO_DIVIDE_BY
            yield f"{name} = mean of match / {side} = ({ratios}) / {len(shares)} = {value:.5f}{note}"
        yield self.f_line(scored[1])

    def f_line(self, score: Score) -> str:
        """Return F in letters and in figures."""
        r, p = f"{score.recall:.5f}", f"{score.precision:.5f}"
        if not (score.recall > 0 or score.precision > 0):
            return f"F = {score.f:.5f}{NOTHING_TO_DIVIDE_BY}"
        if not self._alpha:
            return f"F = R, since alpha is 0, = {score.f:.5f}"
        square = f"{(1 - self._alpha) / self._alpha:g}"
        return (
            f"F = (1 + b^2) R P / (b^2 P + R), b^2 = (1 - alpha) / alpha = {square}: "
            f"(1 + {square}) x {r} x {p} / ({square} x {p} + {r}) = {score.f:.5f}"
        )


# Explanations.


class View(NamedTuple):
    """A text prepared for a measure.

    source: its bytes and lines, and all tokens. counted: the indices of the tokens that count. lines: the
    forms of these.
    """

    reading: Reading
    source: Source
    counted: Sequence[int]
    lines: Sequence[Sequence[Form]]

    @property
    def forms(self) -> Sequence[Form]:
        """The forms of the whole text."""
        return list(chain.from_iterable(self.lines))

    def side(self, marks: _Marks) -> Side:
        """Return the text with these marks."""
        first, second = (
            frozenset(self.counted[place] for place in places) for places in (marks.counted, marks.clipped)
        )
        return Side(self.source, self.source.tokens, first, second - first)


def _shown(program: Rouge2, task: EvalTask, document: Any) -> tuple[bytes, list[tuple[int, int]]]:  # noqa: ANN401
    """Return the bytes of a text as they are shown, and (start, end) of each line in them."""
    if program.preprocessing.program:
        ends = re.finditer(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", document.data)
        spans = [(end.start(), end.start() + len(end[0].rstrip(b"\r\n"))) for end in ends]
        if program.options["tagger"] == TAGGED:
            spans = [span for span in spans if document.data[slice(*span)].decode("latin-1").strip()]
        return document.data, spans
    shown = [unit.replace(b"\n", b" ") for unit in units_of(program.options, document, task.input_format)]
    starts = [0]
    for line in shown:
        starts.append(starts[-1] + len(line) + 1)
    return b"\n".join(shown), [(at, at + len(line)) for at, line in zip(starts, shown, strict=False)]


def _view(
    reading: Reading,
    data: bytes,
    spans: Sequence[tuple[int, int]],
    measure: Measure,
    program: Rouge2,
) -> View:
    """Return the tokens of a text, counted and dropped, and what the measure compares."""
    preprocessing = program.preprocessing
    why_dropped = dropping(measure, preprocessing)
    compared = forms(reading, measure, preprocessing)
    tokens: list[Token] = []
    counted: list[int] = []
    for sentence, words in enumerate(lines(reading, measure, preprocessing)):
        start, end = spans[sentence]
        line = data[start:end]
        left = iter(compared[sentence])
        for word, (first, last) in zip(words, _places(words, line, preprocessing.program), strict=True):
            surface = line[first:last].decode("utf-8", "replace")
            why = why_dropped(word)
            form = "" if why else next(left).form
            rule = "" if why or form == surface.lower() else "number" if form == "@" else "stemmer"
            if not why:
                counted.append(len(tokens))
            tokens.append(Token(surface, form, start + first, start + last, sentence, rule, why))
        for empty in left:  # of a line of stop words the program has one empty token (QUIRKS 47)
            counted.append(len(tokens))
            tokens.append(Token("", empty.form, end, end, sentence))
    return View(reading, Source(data, spans, tokens, tokens), counted, compared)


def _places(words: Iterable[texts.Word], line: bytes, program: bool) -> Iterator[tuple[int, int]]:  # noqa: FBT001
    """Yield the place of each word in its line; of no length if it is not there verbatim."""
    shown = line.decode("latin-1" if program else "utf-8")
    fold = str.lower if program else folding("rouge2")
    if program:
        lower, starts, ends = shown.lower(), list(range(len(shown))), list(range(1, len(shown) + 1))
    else:
        lower, starts, ends = with_places(shown, fold)
    if any(word.tag for word in words):
        lower = _TAG.sub(lambda tag: " " * len(tag[0]), lower)
    at = 0
    for word, _ in words:
        hit = re.compile(r"\d+|@" if word == "@" else re.escape(fold(word))).search(lower, at)
        if word and hit:
            at = hit.end()
            yield starts[hit.start()], ends[at - 1]
        else:
            place = ends[at - 1] if at else 0
            yield place, place


class _Marks:
    """The places of a text's units that count, taken one after the other, and of those that are clipped.

    once: True if each unit counts once, however often it occurs.
    """

    def __init__(self, places: Places, *, once: bool) -> None:
        self._places = places
        self._once = once
        self._by_look: dict[Look, list[Place]] = defaultdict(list)
        for unit, of_unit in places.items():
            self._by_look[look(unit)] += of_unit
        self._used: Counter[Unit] = Counter()
        self.counted: set[int] = set()
        self.clipped: set[int] = set()

    def count(self, unit: Unit, times: int) -> None:
        """Mark so many more occurrences as counted, and what is left of the unit as clipped."""
        # Units that differ only in part of speech were merged; look them up by spelling.
        places = self._places.get(unit) or self._by_look[look(unit)]
        start, self._used[unit] = self._used[unit], self._used[unit] + times
        self.counted.update(*places[start : start + times])
        self.clipped.update(*places[start + times :])

    def times(self, unit: Unit) -> int:
        """Return how often a unit that looks like this occurs."""
        return 1 if self._once else len(self._by_look[look(unit)])


def pair(program: Rouge2, measure: Measure, model_id: str, model: View, peer: View) -> Pair:
    """Return the matches of one model and the peer under a measure."""
    preprocessing, readings = program.preprocessing, (model.reading, peer.reading)
    result = program.count(measure, *readings)
    if measure.kind == L:
        taken, *places = _on_paths(program, measure, model, peer)
    else:
        models, peers = (reading.once(counts.units, measure, preprocessing) for reading in readings)
        taken = best_matching(peers, models, counts.links(measure, models, peers, program.synonyms))
        places = [_by_unit(view, measure, program) for view in (model, peer)]
    once = measure.once or (preprocessing.program and measure.kind == L)
    sides = [_Marks(of_side, once=once) for of_side in places]
    matches: dict[tuple[Look, Look], Match] = {}
    for unit, by_peer in taken.items():
        for other, times in by_peer.items():
            if not times:
                continue
            sides[0].count(unit, times)
            sides[1].count(other, times)
            words, peer_words = look(unit), look(other)
            earlier = matches.get((words, peer_words))
            matches[words, peer_words] = Match(
                words,
                sides[0].times(unit),
                sides[1].times(other),
                times + (earlier.counted if earlier else 0),
                peer_unit=peer_words if peer_words != words else (),
            )
    ranked = sorted(matches.values(), key=lambda match: -match.counted)
    return Pair(model_id, model.side(sides[0]), peer.side(sides[1]), ranked, result, [])


def _by_unit(view: View, measure: Measure, program: Rouge2) -> Places:
    """Return the places of each unit."""
    places: dict[Unit, list[Place]] = defaultdict(list)
    all_forms, start = view.forms, 0
    for line in view.lines:
        units = counts.units_of_line(range(start, start + len(line)), measure, program.preprocessing)
        for place in sorted(units):
            places[tuple(all_forms[at] for at in place)].append(place)
        start += len(line)
    return places


def _on_paths(
    program: Rouge2, measure: Measure, model: View, peer: View
) -> tuple[dict[Unit, dict[Unit, int]], Places, Places]:
    """Return which words on a longest common subsequence match, and the places of both sides' words.

    The peer's words on a path come first.
    """
    words, others = model.forms, peer.forms
    if program.preprocessing.program:
        on_peer = counts.program_places(model.lines, peer.lines)
        shared = dict.fromkeys(others[place] for place in on_peer)
        taken: dict[Unit, dict[Unit, int]] = {(form,): {(form,): 1} for form in shared}
        on_model: Sequence[int] = range(len(words))
    else:
        near = counts.near_words(measure, words, others, program.synonyms)
        on_model = counts.places_on_paths(model.lines, peer.lines, near)
        hits = Counter(words[place] for place in on_model)
        matching = best_matching(Counter(others), hits, counts.without_equals(near))
        taken = {
            (form,): {(other,): times for other, times in by_peer.items()}
            for form, by_peer in matching.items()
        }
        back: dict[Form, list[Form]] = defaultdict(list)
        for other, matched in near.items():
            for form in matched:
                back[form].append(other)
        on_peer = counts.places_on_paths(peer.lines, model.lines, back)
    first = dict.fromkeys([*on_peer, *range(len(others))])
    return taken, _by_word(words, on_model), _by_word(others, first)


def _by_word(words: Sequence[Form], places: Iterable[int]) -> Places:
    by_word: dict[Unit, list[Place]] = defaultdict(list)
    for place in places:
        by_word[words[place],].append((place,))
    return by_word
