"""Counting: the units of a measure, which of them may match, and how many do; numbers are QUIRKS numbers.

A unit is a tuple of forms: one word, n of them, or two. It matches another whose forms match its own place
by place; a form matches its equal and, where synonyms are asked for, its synonyms. One unit takes one unit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain, compress, product
from math import prod
from typing import TYPE_CHECKING

from rouge_cli.core import Counts
from rouge_cli.dialects.rouge2.forms import Form, forms
from rouge_cli.dialects.rouge2.labels import SU, TOPIC, L, N
from rouge_cli.kernels.lcs import alignments, rows
from rouge_cli.kernels.matching import most_matches

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.dialects.rouge2.forms import Means
    from rouge_cli.dialects.rouge2.labels import Measure
    from rouge_cli.dialects.rouge2.texts import Reading

    Unit = tuple[Form, ...]
    # A peer's form -> the model's forms that it matches, its equal among them.
    Near = Mapping[Form, Collection[Form]]


# As many combinations of synonyms are tried before the units are looked through instead.
MOST_WAYS = 16


class Synonyms:
    """Which forms may stand for which.

    expansions: a word and its part of speech to words that may stand for it. stem: to the stems that
    measures with stemming compare. peer, model: whose words are expanded.
    """

    def __init__(
        self,
        expansions: Callable[[str, str], Iterable[str]],
        stem: Callable[[str], str],
        *,
        peer: bool,
        model: bool,
    ) -> None:
        self._expansions = expansions
        self._stem = stem
        self._sides = peer, model
        self._kept: dict[tuple[Form, bool], frozenset[str]] = {}

    def near(self, peer: Iterable[Form], model: Iterable[Form], *, stems: bool) -> Near:
        """The forms that match, for each of the peer's that has any."""
        ours, theirs = _by_form(peer), _by_form(model)
        found: dict[Form, set[Form]] = defaultdict(set)
        for form in ours.keys() & theirs.keys():
            for one in ours[form]:
                found[one].update(theirs[form])
        if self._sides[0]:
            for one in chain.from_iterable(ours.values()):
                for form in self._of(one, stems) & theirs.keys():
                    found[one].update(theirs[form])
        if self._sides[1]:
            for other in chain.from_iterable(theirs.values()):
                for form in self._of(other, stems) & ours.keys():
                    for one in ours[form]:
                        found[one].add(other)
        return found

    def _of(self, form: Form, stems: bool) -> frozenset[str]:  # noqa: FBT001 - a cache key
        key = form, stems
        kept = self._kept.get(key)
        if kept is None:
            words = chain.from_iterable(self._expansions(*sense) for sense in form.senses)
            kept = self._kept[key] = frozenset(map(self._stem, words) if stems else words)
        return kept


def count(measure: Measure, model: Reading, peer: Reading, means: Means, synonyms: Synonyms) -> Counts:
    """Units of the model, of the peer, and matched ones."""
    if measure.kind == L:
        if means.program:
            return _program_lcs(forms(model, measure, means), forms(peer, measure, means))
        return _lcs(measure, model, peer, means, synonyms)
    models, peers = (text.once(_units, measure, means) for text in (model, peer))
    links: Mapping[Unit, Collection[Unit]] = {}
    if measure.synonyms:
        sides = (set(chain.from_iterable(units)) for units in (peers, models))
        links = _links(peers, models, synonyms.near(*sides, stems=measure.stem))
    return Counts.of(models.total(), peers.total(), most_matches(peers, models, links))


def _by_form(found: Iterable[Form]) -> dict[str, list[Form]]:
    by_form: dict[str, list[Form]] = {}
    for one in found:
        by_form.setdefault(one.form, []).append(one)
    return by_form


def _units(text: Reading, measure: Measure, means: Means) -> Counter[Unit]:
    """The units, none of which crosses the end of a line; each once where the measure says so."""
    found = [unit for line in forms(text, measure, means) for unit in _of_line(line, measure, means)]
    if not measure.once:
        return Counter(found)
    return Counter(set(found) if means.program else _merged(found))


def _of_line(line: Sequence[Form], measure: Measure, means: Means) -> Iterator[Unit]:
    if measure.kind in (N, TOPIC):
        n = measure.size or 1
        yield from zip(*(line[start:] for start in range(min(n, len(line) + 1))), strict=False)
        return
    far = len(line) if measure.size is None else measure.size + (not means.program)
    for step in range(1, min(far, len(line) - 1) + 1):
        yield from zip(line, line[step:], strict=False)
    if measure.kind == SU:
        yield from ((form,) for form in line)


def _merged(found: Iterable[Unit]) -> Iterable[Unit]:
    """Units that look alike as one, with the senses of all: `clear` is one word as any part of speech."""
    by_look: dict[tuple[str, ...], Unit] = {}
    for unit in found:
        look = tuple(form.form for form in unit)
        known = by_look.setdefault(look, unit)
        if known != unit:
            by_look[look] = tuple(
                Form(one.form, tuple(sorted({*one.senses, *other.senses})))
                for one, other in zip(known, unit, strict=True)
            )
    return by_look.values()


def _links(peer: Iterable[Unit], model: Mapping[Unit, int], near: Near) -> Mapping[Unit, Collection[Unit]]:
    """For each of the peer's units the model's that it may match, other than its equal."""
    by_first: dict[Form, list[Unit]] = defaultdict(list)
    for unit in model:
        by_first[unit[0]].append(unit)
    links: dict[Unit, list[Unit]] = {}
    for unit in peer:
        ways = [near.get(form, ()) for form in unit]
        if prod(map(len, ways)) <= MOST_WAYS:
            found = [other for other in product(*ways) if other in model and other != unit]
        else:  # long n-grams: there are fewer units than ways
            found = [
                other
                for first in ways[0]
                for other in by_first.get(first, ())
                if len(other) == len(unit) and other != unit and _matches(other, ways)
            ]
        if found:
            links[unit] = found
    return links


def _matches(unit: Unit, ways: Iterable[Collection[Form]]) -> bool:
    return all(form in way for form, way in zip(unit, ways, strict=True))


def _lcs(measure: Measure, model: Reading, peer: Reading, means: Means, synonyms: Synonyms) -> Counts:
    """ROUGE-L of Lin (2004), section 3.2: the union of longest common subsequences, line against line.

    A marked word counts once for each word of the peer that it can be matched with one to one, which
    without synonyms is ROUGE-1.5.5's clipping (16).
    """
    models, peers = forms(model, measure, means), forms(peer, measure, means)
    words = [list(chain.from_iterable(lines)) for lines in (models, peers)]
    ids: dict[Form, int] = {}
    numbered = [
        [[ids.setdefault(one, len(ids)) for one in line] for line in lines] for lines in (models, peers)
    ]
    near: Near = {}
    layout = rows(numbered[0])
    if measure.synonyms:
        near = synonyms.near(set(words[1]), set(words[0]), stems=measure.stem)
        masks = {}
        for one, others in near.items():
            mask = 0
            for other in others:
                mask |= layout.masks[ids[other]]
            masks[ids[one]] = mask
        layout = layout._replace(masks=masks)
    marked = 0
    for alignment in alignments(layout, numbered[1]):
        marked |= alignment.marked
    known = list(ids)
    hits = [known[one] for one in compress(layout.tokens, map("1".__eq__, bin(marked)[:1:-1]))]
    links: dict[Form, Collection[Form]] = {
        one: [other for other in others if other != one] for one, others in near.items()
    }
    match = most_matches(Counter(words[1]), Counter(hits), links)
    return Counts.of(len(words[0]), len(words[1]), match)


def _program_lcs(models: Sequence[Sequence[Form]], peers: Sequence[Sequence[Form]]) -> Counts:
    """The program's L: different words on some longest common subsequence, of all different words (44)."""
    shared: set[Form] = set()
    for model in models:
        for peer in peers:
            shared.update(_on_path(model, peer))
    words, others = (len(set(chain.from_iterable(lines))) for lines in (models, peers))
    return Counts.of(words, others, len(shared))


def _on_path(model: Sequence[Form], peer: Sequence[Form]) -> Iterator[Form]:
    """The words of one longest common subsequence; empty tokens match nothing here.

    Walked back from the ends: in the model only where that is strictly longer.
    """
    table = [[0] * (len(peer) + 1)]
    for word in model:
        before, row = table[-1], [0]
        for place, other in enumerate(peer):
            row.append(before[place] + 1 if _same(word, other) else max(before[place + 1], row[-1]))
        table.append(row)
    i, j = len(model), len(peer)
    while i and j:
        if _same(model[i - 1], peer[j - 1]):
            i, j = i - 1, j - 1
            yield model[i]
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1


def _same(one: Form, other: Form) -> bool:
    return one == other and one.form != ""
