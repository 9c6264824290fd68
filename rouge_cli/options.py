"""The options of any dialect: those requested, completed with the dialect's own defaults.

A dialect's module `options` has DEFAULTS, name -> value for each of its options, in the order of the
signature. The names are those of the command's options and of the signature's fields. Values are plain:
texts, numbers, booleans, and a tuple of labels for `metrics`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rouge_cli import files, plugins
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

Options = dict[str, Any]

# A `+` separates labels if a label follows it, and all labels begin like these; within braces it does not.
_BETWEEN_LABELS = re.compile(r",|\+(?=R|LCS)", re.IGNORECASE)


def resolve(dialect: str, defaults: Mapping[str, Any], requested: Mapping[str, Any]) -> Options:
    """Return the defaults, replaced by the requested values that are not None.

    Raises UsageError for options that the dialect does not have, and for values of a wrong type.
    """
    chosen = {name: value for name, value in requested.items() if value is not None}
    for name in chosen:
        if name not in defaults:
            raise UsageError(
                f"dialect {dialect} has no option {name!r}",
                remedy=plugins.suggestion(name, sorted(defaults)),
            )
    return {name: _convert(name, chosen.get(name, default), default) for name, default in defaults.items()}


def _convert(name: str, value: Any, default: Any) -> Any:  # noqa: ANN401 - any option's
    """Convert the value to its default's type; signatures and command lines have text."""
    try:
        if isinstance(default, bool):
            return value if isinstance(value, bool) else {"yes": True, "no": False}[value]
        if isinstance(default, tuple):
            return tuple(labels(value) if isinstance(value, str) else value)
        return type(default)(value)
    except (KeyError, TypeError, ValueError):
        kind = "yes or no" if isinstance(default, bool) else "a number"
        remedy = f"give {kind}; by default it is {_spell(default)}"
        raise UsageError(f"{name} cannot be {value!r}", remedy=remedy) from None


def labels(text: str) -> list[str]:
    """Split a text into labels at commas, or at `+` as in a signature.

    A `+` within a label does not split, as in `ROUGE-1+Synonyms` or `ROUGE-1-align+`.
    """
    pieces = [""]
    *closed, rest = text.split("}")
    for part in closed:
        before, brace, within = part.rpartition("{")
        first, *others = _BETWEEN_LABELS.split(before)
        pieces[-1] += first
        pieces += others
        pieces[-1] += f"{brace}{within}}}"
    first, *others = _BETWEEN_LABELS.split(rest)
    return [label for label in (*pieces[:-1], pieces[-1] + first, *others) if label]


def users_file(value: str, role: str) -> tuple[str, bytes]:
    """Return the option's value `file:PATH` as in the signature, and the file's bytes.

    The signature adds the beginning of the file's SHA-256, `file:PATH#0123abcd`, which reveals
    another file of the same name.
    role: the file's purpose. Raises UsageError for another value or another file, UnreadableFile.
    """
    kind, _, rest = value.partition(":")
    signed = re.fullmatch(r"(.+)#([0-9a-f]{8})", rest, re.DOTALL)
    path, expected = signed.groups() if signed else (rest, "")
    if kind != "file" or not path:
        raise UsageError(f"no {role}: {value!r}", remedy="name it as file:PATH")
    data = files.read(path, role)
    from hashlib import sha256  # loads OpenSSL

    checksum = sha256(data).hexdigest()[:8]
    if expected not in ("", checksum):
        raise UsageError(f"{path} is not the {role} of the signature (checksum {checksum}, not {expected})")
    return f"file:{path}#{checksum}", data


def users_files(options: Options) -> list[str]:
    """Return the paths of the user's files in canonical options."""
    texts = (value for value in options.values() if isinstance(value, str))
    matches = (re.search(r"(?:^|,)file:(.+)#[0-9a-f]{8}$", text, re.DOTALL) for text in texts)
    return [match[1] for match in matches if match]


def in_range(options: Options, name: str, low: float, high: float) -> float:
    """Return the option's value; raise UsageError if it is outside low..high."""
    value: float = options[name]
    if not low <= value <= high:
        shown = f"{value:g}" if isinstance(value, float) else f"{value!s:.40}"
        raise UsageError(f"{name} is {shown}", remedy=f"it must be between {low:g} and {high:.15g}")
    return value


def one_of(options: Options, name: str, *values: str) -> str:
    """Return the option's value; raise UsageError if it is none of these."""
    value: str = options[name]
    if value not in values:
        raise UsageError(f"unknown {name} {value!r}", remedy=f"use one of {', '.join(values)}")
    return value


def number_with_unit(text: str, units: tuple[str, ...]) -> tuple[float, str]:
    """Parse `100words` as (100.0, "words").

    Raises UsageError for anything else.
    """
    for unit in units:
        number = text.removesuffix(unit).strip()
        if text.endswith(unit) and number.isdecimal() and float(number):
            return float(number), unit
    examples = " or ".join(f"100{unit}" for unit in units)
    raise UsageError(f"cannot read the limit {text!r}", remedy=f"write {examples}")


def _spell(value: object) -> str:
    """Return a value as a user would write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value:g}"
