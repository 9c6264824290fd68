"""A line that states how scores were computed, and that can be parsed.

    dialect:rouge155|metrics:ROUGE-1+ROUGE-2|stemmer:rouge|...|evals:50|version:0.1.0

Fields are separated by `|`, a name from its value by the first `:`. In values `%` and `|` are written as in
URLs, `%25` and `%7C` (and `%0A`), so any text is possible. The style is sacrebleu's (Post 2018).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

NONE = "none"
EARLIER_NAMES = {"models": "references"}


def render(fields: Mapping[str, object]) -> str:
    """Return the signature of named values: None is `none`, booleans are `yes` or `no`, lists have `+`."""
    return "|".join(f"{name}:{_text(value)}" for name, value in fields.items())


def parse(signature: str) -> dict[str, str]:
    """Parse a signature into its fields, name -> value as text.

    A line of a report is accepted too, with its `signature:` and quotes around the rest.

    Raises:
        UsageError: If it is not a signature.
    """
    fields: dict[str, str] = {}
    line = re.fullmatch(r"\W*signature\W*:\s*([`\"]?)(.*)\1\W*", signature.strip(), re.DOTALL)
    for field in (line[2] if line else signature).strip().split("|"):
        name, colon, value = field.partition(":")
        if not colon or not name:
            raise UsageError(
                f"not a signature: {field!r} is not NAME:VALUE",
                remedy="copy the whole line that a report gives as its signature",
            )
        name = EARLIER_NAMES.get(name.strip(), name.strip())
        fields[name] = value.replace("%7C", "|").replace("%0A", "\n").replace("%25", "%")
    return fields


def fields(text: str) -> dict[str, str]:
    """Return the fields of a signature; none if the text, such as that of another program, is not one."""
    try:
        return parse(text)
    except UsageError:
        return {}


def _text(value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        text = repr(value).removesuffix(".0")
    elif isinstance(value, list | tuple):
        text = "+".join(map(str, value))
    else:
        text = str(value)
    return text.replace("%", "%25").replace("|", "%7C").replace("\n", "%0A")
