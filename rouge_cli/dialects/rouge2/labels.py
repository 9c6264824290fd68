"""ROUGE 2.0: n-grams with synonyms, and topics by part of speech (--dialect rouge2).

Its measures and their labels:

    ROUGE-1  ROUGE-2  ROUGE-L  ROUGE-S4  ROUGE-SU4  ROUGE-S*
    ROUGE-Topic{NN|JJ}  ROUGE-TopicUniq{NN|JJ}  ROUGE-1Uniq

each with any of `+StopWordRemoval`, `+Stemming` and `+Synonyms`. `ROUGE-1Uniq` counts a unit once, however
often it occurs (`rouge.type` normalCompressed of the Java program, an undocumented setting).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rouge_cli import plugins
from rouge_cli.errors import UsageError

N, L, S, SU, TOPIC = "N", "L", "S", "SU", "Topic"
# Labels of this dialect only.
LABELS = (
    *("ROUGE-1+Synonyms", "ROUGE-1+StopWordRemoval", "ROUGE-1+Stemming"),
    *("ROUGE-Topic{NN|JJ}", "ROUGE-TopicUniq{NN|JJ}", "ROUGE-Topic{NN|JJ}+Synonyms"),
)
EXAMPLES = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-S4", "ROUGE-SU4", "ROUGE-S*", *LABELS)
# Beginnings of Penn tags, which the paper writes without braces.
_PENN = "(?:CC|CD|DT|EX|FW|IN|JJ|LS|MD|NN|PDT|POS|PRP|RB|RP|SYM|TO|UH|VB|W)[A-Z$]{0,2}"
# Suffixes of the name of a measure, as in `ROUGE-1+Stemming+Synonyms`, in this order.
MODIFIERS = ("StopWordRemoval", "Stemming", "Synonyms")
_WITHOUT_MODIFIERS = re.compile(
    r"(?:ROUGE-?|R-?)?(?:"
    r"(?P<topic>TOPIC)(?P<topics_once>UNIQ)?"
    rf"(?:\{{(?P<tags>[^{{}}]+)\}}|(?P<bare>{_PENN}(?:\|{_PENN})*))"
    r"|(?P<lcs>L)"
    r"|(?:(?P<pairs>SU?)(?P<distance>\*|[0-9]{1,9})|(?P<n>[1-9][0-9]{0,4}))(?P<once>UNIQ)?"
    r")",
    re.IGNORECASE,
)
_BEFORE_MODIFIERS = re.compile(r"\+(?![^{}]*\})")  # not within a regular expression
PREFIXES = re.compile(r"[A-Za-z$]+(\|[A-Za-z$]+)*")


class Measure(NamedTuple):
    """A measure: kind of unit, modifiers and tags.

    kind: N, L, S, SU or TOPIC. size: n, or the skip distance; None for any distance, and if the kind has
    none. tags: of topics, beginnings of part-of-speech tags joined by `|` (a regular expression in the
    program's definition). once: a unit counts once, however often it occurs. stop, stem, synonyms: True if
    they are applied to both texts first.
    """

    kind: str
    size: int | None = None
    tags: str = ""
    once: bool = False
    stop: bool = False
    stem: bool = False
    synonyms: bool = False

    @property
    def label(self) -> str:
        """`ROUGE-Topic{NN|JJ}+Synonyms`."""
        name = {N: "", TOPIC: "Topic"}.get(self.kind, self.kind)
        size = "" if self.kind in (L, TOPIC) else "*" if self.size is None else self.size
        modifiers = zip(MODIFIERS, (self.stop, self.stem, self.synonyms), strict=True)
        return "".join(
            [
                f"ROUGE-{name}{size}",
                "Uniq" if self.once else "",
                f"{{{self.tags}}}" if self.kind == TOPIC else "",
                *(f"+{modifier}" for modifier, is_set in modifiers if is_set),
            ]
        )

    @property
    def needs_tags(self) -> bool:
        """Return True if the measure uses parts of speech."""
        return self.kind == TOPIC or self.synonyms


def parse(label: str) -> Measure:
    """Parse a label in any case, with modifiers in any order; `R1` is accepted for `ROUGE-1`.

    Topics may also be written as in the paper, `ROUGE-TopicNN|JJ`. Raises UsageError with similar labels.
    """
    name, *written = (part.strip() for part in _BEFORE_MODIFIERS.split(label))
    match = _WITHOUT_MODIFIERS.fullmatch(name)
    valid = {modifier.lower() for modifier in MODIFIERS}
    modifiers = {modifier.lower() for modifier in written}
    if not match or modifiers - valid or len(modifiers) < len(written):
        raise UsageError(
            f"unknown metric {label!r} in dialect rouge2", remedy=plugins.suggestion(label, list(EXAMPLES))
        )
    stop, stem, synonyms = (modifier.lower() in modifiers for modifier in MODIFIERS)
    part = match.groupdict()
    if part["topic"]:
        tags = part["tags"] or part["bare"]
        if PREFIXES.fullmatch(tags):  # not a regular expression
            tags = "|".join(dict.fromkeys(tags.upper().split("|")))
        return Measure(TOPIC, None, tags, bool(part["topics_once"]), stop, stem, synonyms)
    once = bool(part["once"])
    if part["lcs"]:
        return Measure(L, stop=stop, stem=stem, synonyms=synonyms)
    if part["n"]:
        return Measure(N, int(part["n"]), "", once, stop, stem, synonyms)
    size = None if part["distance"] == "*" else int(part["distance"])
    return Measure(part["pairs"].upper(), size, "", once, stop, stem, synonyms)
