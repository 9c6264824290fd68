"""The lines of a part of a run, one JSON record each.

    {"schema": "rouge-cli counts 5", "version": "0.1.0", "dialect": "rouge155", ...}
    {"system": "a", "evals": ["1", "2"], "metrics": {"ROUGE-1": {...}}, "large": {}}
    {"end": "rouge-cli counts 5", "sha256": "..."}

    {"schema": "rouge-cli counts 5", ..., "totals": true, ...}
    {"system": "a", "sums": {"ROUGE-1": {"recall": [0.5], ...}}, "drawn": "...", ...}
    {"end": "rouge-cli counts 5", "sha256": "..."}

The first line has the number of evals of every system, and the IDs of evals without a
result. Each line of results has some evals of a system, and for each metric a column of
every count and score: doubles, lowest byte first, deflated (zlib) and in base64. A
count that is not stored has nan. The last line has the digest of all lines before it.

A part with totals (`score --totals --counts`) has a line for each system. Its sums are
doubles whose exact sum is that of all evals (`scoring/totals.py`). `drawn` has the
sums of samples as a column of whole numbers of 64 bits: of the evals, and then for each
metric of every field of the sums, in units of 10^-9 (scores) or 2^-16 (counts). `ids`
has the IDs of some evals, by which parts that share evals are found.

Numbers that do not fit in a double stand in `large`, by their places among all numbers
of the line: eval by eval, metric by metric, in the order of ROW.
"""

from __future__ import annotations

import json
import sys
from array import array
from base64 import b64decode, b64encode
from itertools import chain
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from rouge_cli._version import __version__
from rouge_cli.core import ROW, Counts, Score
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import compression
from rouge_cli.io.digests import sha256
from rouge_cli.results import checks
from rouge_cli.runs.evaluation import Collected
from rouge_cli.runs.totals import drawing_of
from rouge_cli.scoring.columns import Columns
from rouge_cli.scoring.perl_numbers import Number
from rouge_cli.scoring.poisson import LIMITS, keys_of
from rouge_cli.scoring.totals import MOST_KEPT, Totals, exact_sum
from rouge_cli.text import marks
from rouge_cli.text.survey import NOTHING_READ

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rouge_cli.options import Options

SCHEMA = "rouge-cli counts 5"
MOST_EVALS = 10_000  # in a line
COUNTS = Counts._fields
FIGURES = Score._fields
# Not stored by most metrics: its column may have nan.
_OPTIONAL = "prediction_match"
_RESULTS = ("system", "evals", "metrics", "large")  # the fields of a line of results
_TOTALS = ("system", "sums", "drawn", "ids")  # the fields of a line of totals
_NUMBER = 8  # bytes of a double, or of a whole number
_LONGEST_PLACE = 12  # digits


class Head(NamedTuple):
    """The first line of a part.

    Attributes:
        version: Of the program that wrote the part.
        dialect: The dialect of the run.
        options: Its options, with the labels of its metrics.
        collected: What the run has besides results.
        sizes: System -> the number of its evals.

    What is collected has totals if the part has totals.
    """

    version: str
    dialect: str
    options: Options
    collected: Collected
    sizes: Mapping[str, int]

    @property
    def labels(self) -> Sequence[str]:
        """The metrics."""
        labels: Sequence[str] = self.options["metrics"]
        return labels

    @property
    def is_scored(self) -> bool:
        """False if only counts are averaged, and stored."""
        average: str = self.options.get("average", "macro")
        return average == "macro"


def lines(dialect: str, options: Options, collected: Collected) -> Iterator[str]:
    """Yield the lines of the file, with line ends; raise RougeError for a number
    that is not finite.
    """
    sizes = {system: kept.size for system, kept in collected.systems.items()}
    head: dict[str, object] = {
        "schema": SCHEMA,
        "version": __version__,
        "dialect": dialect,
        "options": options,
        "evals": collected.evals,
        "unscored": list(collected.unscored),
        "references": list(collected.references),
        "details": collected.details,
        "systems": sizes,
    }
    if collected.totals is not None:
        head["totals"] = True
    digest = sha256()
    results = chain(_results(collected.by_eval), _totals(collected.added))
    for record in chain([head], results):
        line = json.dumps(record, allow_nan=False) + "\n"
        digest.update(line.encode())
        yield line
    yield json.dumps(end_of(digest.hexdigest())) + "\n"


def end_of(digest: str) -> dict[str, str]:
    """Return the record of the last line, given the digest of the lines before it."""
    return {"end": SCHEMA, "sha256": digest}


def _results(systems: Mapping[str, Columns]) -> Iterator[dict[str, object]]:
    """Yield the records of the lines of results."""
    for system, columns in systems.items():
        width = len(columns.labels) * Columns.WIDTH
        for start in range(0, len(columns.ids), MOST_EVALS):
            ids = columns.ids[start : start + MOST_EVALS]
            first, end = start * width, (start + len(ids)) * width
            rows = columns.rows[first:end]
            names = COUNTS + FIGURES if columns.scored else COUNTS
            metrics: dict[str, dict[str, str]] = {}
            for place, label in enumerate(columns.labels):
                metrics[label] = {}
                for name in names:
                    index = place * Columns.WIDTH + ROW.index(name)
                    values = rows[index::width]
                    _check_finite(values, name, ids, system, label)
                    metrics[label][name] = packed(values)
            large = {}
            for index, value in columns.large.items():
                if first <= index < end:
                    large[str(index - first)] = _state(value)
            record = (system, ids, metrics, large)
            yield dict(zip(_RESULTS, record, strict=True))


def _totals(systems: Mapping[str, Totals]) -> Iterator[dict[str, object]]:
    """Yield the records of the lines of totals."""
    for system, totals in systems.items():
        sums: dict[str, dict[str, list[float]]] = {}
        place = 0
        for label in totals.labels:
            sums[label] = {}
            for measure in totals.measures:
                sums[label][measure] = totals.sums[place]
                place += 1
        record = (system, sums, packed(totals.drawn), list(totals.kept.values()))
        yield dict(zip(_TOTALS, record, strict=True))


def _check_finite(
    values: Sequence[float], name: str, ids: Sequence[str], system: str, label: str
) -> None:
    """Raise RougeError for a number that is not finite."""
    if all(map(isfinite, values)):
        return
    for eval_id, value in zip(ids, values, strict=True):
        if isfinite(value) or (name == _OPTIONAL and isnan(value)):
            continue
        raise RougeError(
            "a number that is not finite, which a part cannot store",
            where=f"eval {eval_id}, system {system}, metric {label}",
            remedy="score without --counts",
        )


def _state(value: float) -> list[object]:
    """Return what is stored of a number that does not fit in a double."""
    number = Number(value)
    return [float(number), number.whole, number.is_double, number.is_text]


def packed(values: array[float] | array[int]) -> str:
    """Return doubles, or whole numbers of 64 bits, as they stand in a line."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return b64encode(compression.deflated(values.tobytes())).decode()


def unpacked(text: str, number: int) -> array[float]:
    """Return so many doubles of a line; raise RougeError unless it has these."""
    values = array("d")
    _fill(values, text, number)
    return values


def unpacked_whole(text: str, number: int) -> array[int]:
    """Return so many whole numbers of a line; raise as `unpacked`."""
    values = array("q")
    _fill(values, text, number)
    return values


def _fill(values: array[Any], text: str, number: int) -> None:
    """Fill an empty array with so many numbers, each packed with its lowest byte first;
    raise as `unpacked`.
    """
    size = number * _NUMBER
    try:
        data = compression.inflated(b64decode(text, validate=True), size + 1)
    except ValueError:
        raise RougeError("not packed numbers") from None
    if len(data) != size:
        raise RougeError(f"not {number} packed numbers")
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()


def parse(line: bytes) -> checks.Fields:
    """Return the fields of a line; raise RougeError if it is no JSON object."""
    try:
        record = checks.load(line)
    except (ValueError, RecursionError) as error:
        raise RougeError(f"not JSON: {error!s:.80}") from None
    if not isinstance(record, dict):
        raise RougeError("not a JSON object")
    return checks.Fields(record)


def head_of(fields: checks.Fields) -> Head:
    """Return what the first line states; raise RougeError if it is not that of a
    part.
    """
    if fields.record.get("schema") != SCHEMA:
        schema = fields.record.get("schema", "missing")
        what = f"not a part of a run (its schema is {schema!s:.40}, not {SCHEMA})"
        raise RougeError(
            what, remedy="write it with rouge-cli score --counts of this version"
        )
    dialect = fields.get("dialect", str)
    options: Options = {}
    for name, value in fields.get("options", _is_options).items():
        options[name] = tuple(value) if isinstance(value, list) else value
    totals = None
    if "totals" in fields.record:
        fields.get("totals", _is_true)
        try:
            totals = drawing_of(options)
        except (TypeError, ValueError, UsageError):
            raise RougeError("options cannot be those of totals") from None
    collected = Collected(
        systems={},
        evals=fields.get("evals", checks.is_whole),
        references=fields.get("references", _are_whole),
        details=fields.get("details", _is_details),
        unscored=fields.get("unscored", checks.is_texts),
        totals=totals,
    )
    sizes = fields.get("systems", _is_sizes)
    return Head(fields.get("version", str), dialect, options, collected, sizes)


def results_of(fields: checks.Fields, head: Head) -> tuple[str, Columns]:
    """Return the system of a line of results, and its results.

    Args:
        fields: The fields of the line.
        head: The first line of the part.

    Raises:
        RougeError: A field is missing or not expected, a column has another length, or
            a number is not possible.
    """
    _check_names(fields.record, _RESULTS, "results")
    system = fields.get("system", str)
    columns = Columns(head.labels, is_scored=head.is_scored)
    columns.ids = fields.get("evals", checks.is_texts)
    width = len(columns.labels) * Columns.WIDTH
    columns.rows = array("d", [0.0]) * (len(columns.ids) * width)
    metrics = fields.within("metrics")
    _check_names(metrics.record, columns.labels, "these metrics")
    names = COUNTS + FIGURES if head.is_scored else COUNTS
    for place, label in enumerate(columns.labels):
        of_metric = metrics.within(label)
        _check_names(of_metric.record, names, label)
        limits = _limits(label, head.options)
        for name in ROW:
            index = place * Columns.WIDTH + ROW.index(name)
            if name not in names:  # there are no scores
                columns.rows[index::width] = _unknown(len(columns.ids))
                continue
            values = unpacked(of_metric.get(name, str), len(columns.ids))
            _check_range(values, name, columns.ids, label, limits[name])
            columns.rows[index::width] = values
    for digits, state in fields.get("large", _is_large).items():
        index = int(digits)
        if index >= len(columns.rows):
            raise RougeError(f"large has no number {index}")
        columns.large[index] = _number(state, columns.rows[index])
    return system, columns


def add_totals(systems: dict[str, Totals], fields: checks.Fields, head: Head) -> None:
    """Add the totals of a line to those of other systems.

    Args:
        systems: The totals of each system before the line.
        fields: The fields of the line.
        head: The first line of the part.

    Raises:
        RougeError: A field is missing or not expected, a number is not possible, or the
            system has totals already.
    """
    _check_names(fields.record, _TOTALS, "totals")
    system = fields.get("system", str)
    if system in systems:
        raise RougeError(f"system {system} has totals already")
    drawing = head.collected.totals
    assert drawing is not None  # noqa: S101 - the line is read in a part with totals
    totals = Totals(head.labels, drawing, is_scored=head.is_scored)
    totals.size = head.sizes.get(system, 0)
    sums = fields.within("sums")
    _check_names(sums.record, totals.labels, "these metrics")
    totals.sums.clear()
    for label in totals.labels:
        of_metric = sums.within(label)
        _check_names(of_metric.record, totals.measures, label)
        for measure in totals.measures:
            doubles = of_metric.get(measure, _is_exact_sum)
            totals.sums.append([float(value) for value in doubles])
    totals.drawn = unpacked_whole(fields.get("drawn", str), len(totals.drawn))
    ids = fields.get("ids", checks.is_texts)
    keys = keys_of(ids, drawing.seed)
    totals.kept = dict(zip(keys, ids, strict=True))
    if len(totals.kept) != min(totals.size, MOST_KEPT) or len(ids) != len(totals.kept):
        raise RougeError(f"ids has {len(ids)} IDs, which is not possible")
    for place, label in enumerate(totals.labels):
        _check_totals(totals, label, place, head.options)
    systems[system] = totals


def _check_totals(
    totals: Totals, label: str, place: int, options: Mapping[str, object]
) -> None:
    """Raise RougeError for sums of a metric that so many evals cannot have."""
    limits = _limits(label, options)
    exact = totals.of_metric(place)
    rows = [("", totals.size, exact)]
    for number, (size, sums) in enumerate(totals.rounded_samples(place)):
        most = totals.size * len(LIMITS) if number else totals.size
        if not 0 <= size <= most or (number == 0 and size < most):
            raise RougeError(f"{size} evals in sample {number} are not possible")
        rows.append((f" in sample {number}", size, sums))
    for where, size, sums in rows:
        rounding = size / totals.units
        for measure, total in zip(totals.measures, sums, strict=True):
            lowest, highest = limits[measure]
            is_low = total < lowest * size - rounding
            if is_low or total > highest * size * checks.HIGHEST + rounding:
                what = f"{measure} under {label} cannot add up to {total:.10g}"
                raise RougeError(f"{what}{where} of {size} evals")
        if not totals.scored and checks.is_bounded(label, options):
            reference, prediction, match, matched = sums
            for matches, units in ((match, reference), (matched, prediction)):
                if matches > units * checks.HIGHEST + 2 * rounding:
                    raise RougeError(f"more matches than units under {label}{where}")
    if len(rows) > 1:
        _, size, whole = rows[1]
        for measure, value, total in zip(totals.measures, exact, whole, strict=True):
            if abs(value - total) > size / totals.units + value * (checks.HIGHEST - 1):
                what = f"{measure} under {label} adds up to {value:.10g}"
                raise RougeError(f"{what}, but as evals are drawn to {total:.10g}")


def _unknown(number: int) -> array[float]:
    return array("d", [float("nan")]) * number


def _check_names(record: Mapping[str, object], names: Iterable[str], what: str) -> None:
    """Raise RougeError unless the fields of a record are these."""
    if tuple(record) == tuple(names):
        return
    differing = record.keys() ^ set(names)
    if not differing:
        raise RougeError(f"the fields of {what} are in another order")
    name = min(differing)
    problem = "unexpected" if name in record else "missing"
    raise RougeError(f"not a record of {what}: {problem} field {name!r:.40}")


def _limits(
    label: str, options: Mapping[str, object]
) -> dict[str, tuple[float, float]]:
    """Return the lowest and the highest value of each field of a metric."""
    largest = sys.float_info.max
    limits = dict.fromkeys(COUNTS, (0.0, largest))
    fewest = max(checks.fewest_units(label), -largest)
    limits["reference"] = limits["prediction"] = (fewest, largest)
    highest = min(checks.highest_score(label, options), largest)
    limits.update(dict.fromkeys(FIGURES, (0.0, highest)))
    return limits


def _check_range(
    values: array[float],
    name: str,
    ids: Sequence[str],
    label: str,
    limits: tuple[float, float],
) -> None:
    """Raise RougeError for a number outside the limits, or for nan where there is
    none.
    """
    lowest, highest = limits
    numbers: Sequence[float] = values
    if name == _OPTIONAL:
        numbers = [value for value in values if not isnan(value)]
    is_number = not any(map(isnan, numbers))
    if not numbers or (is_number and lowest <= min(numbers) <= max(numbers) <= highest):
        return
    for eval_id, value in zip(ids, values, strict=True):
        if lowest <= value <= highest or (name == _OPTIONAL and isnan(value)):
            continue
        what = f"{name} of eval {eval_id} under {label} cannot be {value:.10g}"
        raise RougeError(what)


def _number(state: Sequence[object], double: float) -> Number:
    """Return a number that does not fit in a double; raise RougeError unless that is
    its double.
    """
    value, whole, is_double, is_text = state
    is_same = isinstance(value, int | float) and float(value) == double
    if whole is not None and is_same:
        assert isinstance(whole, int)  # noqa: S101 - checked by _is_large
        is_same = float(whole) == double
    if not is_same:
        raise RougeError(f"large has {value}, but the column {double:.17g}")
    number = Number(double)
    number.whole = whole  # type: ignore[assignment]
    number.is_double = bool(is_double)
    number.is_text = bool(is_text)
    return number


def _is_large(value: object) -> TypeGuard[dict[str, list[object]]]:
    if not isinstance(value, dict):
        return False
    for place, state in value.items():
        if not (place.isascii() and place.isdecimal()) or len(place) > _LONGEST_PLACE:
            return False
        if not isinstance(state, list) or len(state) != 4:
            return False
        number, whole, is_double, is_text = state
        is_whole = whole is None or (isinstance(whole, int) and checks.is_number(whole))
        are_flags = isinstance(is_double, bool) and isinstance(is_text, bool)
        if not (checks.is_number(number) and is_whole and are_flags):
            return False
    return True


def _are_whole(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(map(checks.is_whole, value))


def _is_amount(value: object) -> bool:
    return checks.is_number(value) and value >= 0


def _is_options(value: object) -> TypeGuard[dict[str, object]]:
    """Return True for options of a run, among them its metrics."""
    if not isinstance(value, dict) or not checks.is_texts(value.get("metrics")):
        return False
    for option in value.values():
        is_plain = isinstance(option, str | int) or _is_amount(option)
        if not is_plain and not checks.is_texts(option):
            return False
    return True


def _is_details(value: object) -> TypeGuard[dict[str, object]]:
    if not isinstance(value, dict):
        return False
    return all(_is_detail(name, detail) for name, detail in value.items())


def _is_detail(name: object, detail: object) -> bool:
    """Return True for a detail that a report may have under this name: the tally of a
    side, an amount or texts.
    """
    if name in NOTHING_READ:
        return _is_alike(detail, NOTHING_READ[name])
    if name in {"evals", "references_per_eval"}:  # the part has these itself
        return False
    return _is_amount(detail) or checks.is_texts(detail)


def _is_alike(value: object, pattern: object) -> bool:
    """Return True if the value has the structure of the pattern: counts, strings,
    and its mappings.
    """
    if isinstance(pattern, str):
        return isinstance(value, str)
    if not isinstance(pattern, dict):
        return checks.is_whole(value)
    if not isinstance(value, dict) or value.keys() != pattern.keys():
        return False
    for name, detail in pattern.items():
        part = value[name]
        is_alike = _are_marks(part) if name == "marks" else _is_alike(part, detail)
        if not is_alike:
            return False
    return True


def _are_marks(value: object) -> bool:
    """Return True for the numbers of marks, each under the mark."""
    if not isinstance(value, dict):
        return False
    for numbers in value.values():
        if not isinstance(numbers, dict) or numbers.keys() != marks.NOWHERE.keys():
            return False
        if not all(map(checks.is_whole, numbers.values())):
            return False
    return True


def _is_true(value: object) -> TypeGuard[bool]:
    return value is True


def _is_exact_sum(value: object) -> TypeGuard[list[float]]:
    """Return True for doubles as `exact_sum` returns them."""
    if not isinstance(value, list) or not all(map(checks.is_number, value)):
        return False
    try:
        return exact_sum(map(float, value)) == value
    except ValueError:
        return False


def _is_sizes(value: object) -> TypeGuard[dict[str, int]]:
    return isinstance(value, dict) and all(map(checks.is_whole, value.values()))
