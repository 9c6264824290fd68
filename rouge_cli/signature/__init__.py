"""Signatures: lines that state how scores were computed, and can be parsed.

    dialect:rouge155|metrics:ROUGE-1+ROUGE-2|stemmer:rouge|...|evals:50|version:0.1.0

Fields are separated by `|`, and name and value by the first `:`. In values, `%`, `|` and line ends are
written as `%25`, `%7C` and `%0A`. The style is sacrebleu's (Post 2018).
"""

import re
from collections.abc import Mapping

from rouge_cli.errors import UsageError

NONE = "none"
EARLIER_NAMES = {"models": "references"}


def render(fields: Mapping[str, object]) -> str:
    """Return the signature of fields: None is `none`, booleans `yes` or `no`, lists are joined by `+`."""
    return "|".join(f"{name}:{_text(value)}" for name, value in fields.items())


def parse(signature: str) -> dict[str, str]:
    """Parse a signature into its fields: name -> value as a string.

    The whole line of a report is accepted too, with `signature:` and quotes.

    Raises:
        UsageError: It is not a signature.
    """
    fields: dict[str, str] = {}
    if not isinstance(signature, str):
        raise UsageError(f"not a signature: {signature!r}", remedy="give a report's signature, a string")
    line = re.fullmatch(r"\W*signature\W*:\s*([`\"]?)(.*)\1\W*", signature.strip(), re.DOTALL)
    for field in (line[2] if line else signature).strip().split("|"):
        name, colon, value = field.partition(":")
        if not colon or not name:
            what = f"not a signature: {field!r} is not NAME:VALUE"
            raise UsageError(what, remedy="copy the whole signature line of a report")
        name = EARLIER_NAMES.get(name.strip(), name.strip())
        fields[name] = value.replace("%7C", "|").replace("%0A", "\n").replace("%25", "%")
    return fields


def fields(text: str) -> dict[str, str]:
    """Return the fields of a signature; an empty mapping if the text is not a signature."""
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
        return repr(value).removesuffix(".0")
    text = "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text.replace("%", "%25").replace("|", "%7C").replace("\n", "%0A")
