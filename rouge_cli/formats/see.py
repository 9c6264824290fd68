"""SEE, the HTML of the Summary Evaluation Environment: numbered anchors, one sentence per line.

A sentence is a line that starts, to the letter, with `<a name="N">[N]</a>`, white space, and
`<a href="#N" id=N>`; its text goes up to the next `<`, or with its line feed to the end of the line: one
byte more, where bytes are counted (QUIRKS 10).
"""

from __future__ import annotations

import re

from rouge_cli.core import Summary

_SENTENCE = re.compile(
    rb'^<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>[ \t\v\f\r]+'
    rb'<a href="#[0-9]+" id=[0-9]+>([^<\n]*\n|[^<\n]+)',
    re.MULTILINE,
)


def read(data: bytes) -> Summary:
    """All other lines are decoration and are passed over."""
    return Summary(_SENTENCE.findall(data))
