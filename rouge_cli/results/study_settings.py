"""Settings of studies: each is declared once, with its default, its range and its help.

A field of a record of settings declares it:

    SUBSETS = Whole("Subsets of each size (default {}).", 1, MOST_DRAWS)

    class Goal(NamedTuple):
        trials: Annotated[int, SUBSETS] = 1000

Commands make their options from it (`cli.study_scores.setting`), and functions of the
Python API check their parameters by it (`checked`). Type checkers need the defaults in
the signatures of these functions, too; `tests/laws/test_study_settings.py` holds these
to the declaration.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

from rouge_cli.options import choice, inside, percent, whole

R = TypeVar("R")
MOST_DRAWS = 1_000_000  # random draws of a study, of any kind
SIGNIFICANCE = 0.05  # the usual level of significance
# Numbers without an end: Python's messages name this end, commands take any number.
ENDLESS = 1e9


class Whole(NamedTuple):
    """A whole number in least..most."""

    help: str  # of the option, with {} in place of the default
    least: int
    most: int | None = None

    def check(self, name: str, value: object) -> int:
        """Return the value; raise UsageError if it is not in the range."""
        return whole(name, value, self.least, self.most)


class Real(NamedTuple):
    """A number above 0 and below the end."""

    help: str
    end: float = ENDLESS
    has_zero: bool = False  # True if it may be 0
    has_end: bool = False  # True if it may be the end

    def check(self, name: str, value: object) -> float:
        """Return the value; raise UsageError if it is not in the range."""
        if self.has_zero and value == 0:
            return 0.0
        return inside(name, value, self.end, closed=self.has_end)


class Percent(NamedTuple):
    """A level in percent, which is easily mistaken for a share."""

    help: str

    def check(self, name: str, value: object) -> float:
        """Return the value; raise UsageError unless it is in percent."""
        return percent(inside(name, value, 100))


class OneOf(NamedTuple):
    """One of some names."""

    help: str
    names: Collection[str]

    def check(self, name: str, value: Any) -> str:  # noqa: ANN401 - `choice` checks it
        """Return the value; raise UsageError if it is not one of the names."""
        return choice(name, value, self.names)


class SeveralOf(NamedTuple):
    """Some of some names."""

    help: str
    names: Collection[str]

    def check(self, name: str, value: Sequence[Any]) -> tuple[str, ...]:
        """Return the values; raise UsageError if one is not one of the names."""
        return tuple(choice(name, item, self.names) for item in value)


Kind = Whole | Real | Percent | OneOf | SeveralOf

# Settings of several studies
SEED = Whole("Seed of all draws (default {}).", 0)
CONFIDENCE = Percent("Level of the intervals (default {}).")
LEVEL = Real("Significance level (default {}).", 1, has_end=True)


class Declared(NamedTuple):
    """The declaration of a setting."""

    kind: Kind
    default: Any

    @property
    def help(self) -> str:
        """The help of the option, with the default."""
        default = self.default
        if isinstance(default, float):
            default = f"{default:g}"
        return self.kind.help.format(default)


def declarations(record: type[Any]) -> dict[str, Declared]:
    """Return the settings that a record declares: the field -> its declaration."""
    declared = {}
    for name, hint in get_type_hints(record, include_extras=True).items():
        for note in get_args(hint)[1:]:
            if isinstance(note, Kind):
                declared[name] = Declared(note, record._field_defaults[name])
    return declared


def checked(settings: R) -> R:
    """Return the settings with their values converted; raise UsageError if one is not
    in its range.
    """
    values: dict[str, Any] = {}
    for name, declared in declarations(type(settings)).items():
        values[name] = declared.kind.check(name, getattr(settings, name))
    replaced: R = settings._replace(**values)  # type: ignore[attr-defined]
    return replaced
