"""Options of dialects, their types, checks and defaults.

Values are strings, numbers and booleans, and a tuple of labels for `metrics`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from math import nan
from typing import Any, Literal, TypedDict, cast

from rouge_cli import plugins
from rouge_cli.errors import UsageError, suggestion

Options = dict[str, Any]
DialectLiteral = Literal[
    "chinese",
    "coco",
    "google",
    "js",
    "korouge",
    "pltrdy",
    "py_rouge",
    "rouge155",
    "rouge2",
    "rouge_metric",
    "rougeraw",
    "tilse",
    "torchmetrics",
    "xlsum",
]


class DialectName(str):
    """A dialect's name that type checkers cannot check: from another package, or
    from a command line.
    """

    __slots__ = ()


AnyDialect = DialectLiteral | DialectName
# Labels; None for the dialect's defaults.
Metrics = Iterable[str] | str | None


class PairOptions(TypedDict, total=False):
    """Options of dialects for single evals, as in `rouge-cli score`. No dialect has
    all of them.
    """

    accumulate: str | None
    alpha: float | None
    beta: float | None
    blank_sentences: bool | None
    case_sensitive: bool | None
    definition: str | None
    ensure_compatibility: bool | None
    exclusive: bool | None
    expand: str | None
    formula: str | None
    ignore_empty: bool | None
    jieba: bool | None
    irregular: str | None
    lang: str | None
    language: str | None  # the profile of a language, as `--language`
    least_count: int | None
    limit: str | None
    max_skip: str | None  # a number, or `any`
    min_char_length: int | None
    normalize: str | None
    protocol: str | None
    repeated: str | None
    rouge_types: Metrics  # rouge_score's name of the metrics
    segmenter: str | None
    sentences: str | None
    # Stem as the dialect's program does, as `--stem`; also by rouge_score's name
    stem: bool | None
    stemmer: str | None
    stop: str | None
    synonyms: str | None
    tagger: str | None
    # a name, or a function that returns the tokens of a string
    tokenizer: str | Callable[[str], Iterable[str]] | None
    use_stemmer: bool | None
    weight_factor: float | None


class TextsOptions(PairOptions, total=False):
    """Options for several evals, as in `correlate`: of the dialect, of the texts and
    of the run.
    """

    ids: Iterable[str | int] | None
    jackknife: bool | None
    jobs: int
    like: str | None
    read_as: str | None
    recipe: str | None
    sources: Iterable[str | Iterable[str]] | None  # what was summarized, by eval


class EvalsOptions(TextsOptions, total=False):
    """Options for several evals and their averages, as in `compare`."""

    samples: int | None


class DialectOptions(PairOptions, total=False):
    """All options of dialects, as in `rouge-cli score`. No dialect has all of them."""

    average: str | None
    confidence: float | None
    jackknife: bool | None
    samples: int | None
    seed: int | None


class RunsOptions(DialectOptions, total=False):
    """The options of `score` that are not parameters of their own."""

    jobs: int
    systems: Iterable[str] | None


# A `+` separates labels if a label follows, except within braces. All labels begin with
# R or LCS, or are a metric of one value.
_WITHIN_BRACES = r"(?:^|(?<=[{}]))[^{}]*\}"
_BETWEEN_LABELS = (
    r",\s*|[\s+](?=(?i:R|LCS)|(?:coverage|density|compression|novel-\d|length-ratio))"
)


def resolve(
    dialect: str, defaults: Mapping[str, object], requested: Mapping[str, object]
) -> Options:
    """Return the dialect's defaults, overridden by the requested values that are not
    None.

    Raise UsageError for an option that the dialect does not have, or a value of the
    wrong type.
    """
    chosen = {name: value for name, value in requested.items() if value is not None}
    for name in chosen:
        if name not in defaults:
            others = plugins.other_names("keyword")
            remedy = suggestion(name, sorted(defaults), others)
            raise UsageError(f"dialect {dialect} has no option {name!r}", remedy=remedy)
    return {
        name: _convert(name, chosen.get(name, default), default)
        for name, default in defaults.items()
    }


def _convert(name: str, value: object, default: object) -> object:
    """Convert the value to the type of the default; signatures and command lines
    have strings.
    """
    try:
        if isinstance(default, bool):
            return _truth(value)
        if isinstance(default, tuple):
            names = labels(value) if isinstance(value, str) else value
            return tuple(cast("Iterable[str]", names))
        return _converted(value, type(default))
    except (ArithmeticError, KeyError, TypeError, ValueError):
        if isinstance(default, bool):
            kind = "yes or no"
            usual = "yes" if default else "no"
        else:
            kind = "a whole number" if isinstance(default, int) else "a number"
            usual = f"{default:g}"
        remedy = f"give {kind}; by default it is {usual}"
        raise UsageError(f"{name} cannot be {brief(value)}", remedy=remedy) from None


def _truth(value: object) -> bool:
    """Return the meaning of yes, no or a boolean; raise KeyError or TypeError for
    others.
    """
    if isinstance(value, bool):
        return value
    return {"yes": True, "no": False}[cast("str", value)]


def _converted(value: object, kind: type) -> object:
    """Convert a string or number; raise ArithmeticError, TypeError or ValueError if
    it is impossible.
    """
    if kind is not str and isinstance(value, bool | bytes):
        raise TypeError
    if kind is str and isinstance(value, str):
        return value  # it may be an OwnTokenizer, which is more than its letters
    converted: object = kind(value)
    if kind is int and not isinstance(value, str) and converted != value:
        raise ValueError  # 1.5 is not 1
    return converted


def labels(text: str) -> list[str]:
    """Split a string into labels, at commas, white space or `+` (as in a signature).

    A `+` within a label does not split, as in `ROUGE-1+Synonyms` or `ROUGE-1-align+`,
    and nothing splits within braces, as in `ROUGE-Topic{NN|JJ}`.
    """
    masked = re.sub(_WITHIN_BRACES, lambda within: "x" * len(within[0]), text)
    pieces = []
    start = 0
    for separator in re.finditer(_BETWEEN_LABELS, masked):
        pieces.append(text[start : separator.start()])
        start = separator.end()
    pieces.append(text[start:])
    return [piece for piece in pieces if piece]


def in_range(options: Options, name: str, low: float, high: float) -> float:
    """Return the option's value; raise UsageError if it is outside low..high."""
    value: float = options[name]
    if not low <= value <= high:
        shown = f"{value:g}" if isinstance(value, float) else brief(value)
        raise UsageError(
            f"{name} is {shown}", remedy=f"it must be between {low:g} and {high:.15g}"
        )
    return value


def percent(level: float) -> float:
    """Return a confidence level in percent; raise UsageError for a fraction such as
    0.95.
    """
    if level < 1:
        raise UsageError(
            f"confidence is {level:g}", remedy="give it in percent, as in 95"
        )
    return level


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return a parameter as an integer; raise UsageError unless it is a whole number
    in least..most.
    """
    number = _real(value)
    if not (number % 1 == 0 and number >= least and (most is None or number <= most)):
        limits = f"of {least} or more" if most is None else f"from {least} to {most}"
        raise UsageError(
            f"{name} is {brief(value)}", remedy=f"use a whole number {limits}"
        )
    return int(number)


def inside(name: str, value: object, end: float, *, closed: bool = False) -> float:
    """Return a parameter as a float; raise UsageError unless 0 < value < end, or =
    end if closed.
    """
    number = _real(value)
    if not (0 < number < end or (closed and number == end)):
        raise UsageError(
            f"{name} is {brief(value)}", remedy=f"use a number above 0 and below {end}"
        )
    return float(number)


def choice(name: str, value: str, choices: Collection[str]) -> str:
    """Return a parameter; raise UsageError if it is not one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise UsageError(
            f"{name} is {brief(value)}", remedy=f"use one of {', '.join(choices)}"
        )
    return value


def brief(value: object) -> str:
    """Return a value for messages, cut to 60 characters."""
    try:
        return f"{value!r:.60}"
    except ValueError:  # Python does not print an integer of thousands of digits
        return "a number of thousands of digits"


def _real(value: object) -> float:
    """Return the value if it is a number, else nan."""
    if isinstance(value, bool):
        return nan
    if isinstance(value, int | float):
        return value
    from numbers import Real  # of numpy; costs start-up time

    return cast("float", value) if isinstance(value, Real) else nan


def one_of(options: Options, name: str, *values: str) -> str:
    """Return the option's value; raise UsageError if it is not one of these."""
    value: str = options[name]
    if value not in values:
        raise UsageError(
            f"unknown {name} {value!r}", remedy=f"use one of {', '.join(values)}"
        )
    return value


def number_with_unit(text: str, units: tuple[str, ...]) -> tuple[float, str]:
    """Parse `100words` as (100.0, "words"); raise UsageError unless it is 1 or more
    of one of the units.
    """
    for unit in units:
        number = text.removesuffix(unit).strip()
        if text.endswith(unit) and number.isdecimal() and float(number):
            return float(number), unit
    examples = " or ".join(f"100{unit}" for unit in units)
    raise UsageError(f"cannot read the limit {text!r}", remedy=f"write {examples}")
