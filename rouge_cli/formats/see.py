"""SEE, the HTML of the Summary Evaluation Environment: numbered anchors, one sentence
per line.

A sentence is a line that starts with exactly `<a name="N">[N]</a>`, white space, and
`<a href="#N" id=N>`. Its text ends before the next `<`, or else after the line feed,
which counts as a byte if bytes are counted (QUIRKS 10).
"""

import re

from rouge_cli.core import Summary
from rouge_cli.errors import RougeError, encode

SENTENCE = re.compile(
    rb'^<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>[ \t\v\f\r]+'
    rb'<a href="#[0-9]+" id=[0-9]+>([^<\n]*\n|[^<\n]+)',
    re.MULTILINE,
)


def read(data: bytes) -> Summary:
    """Read the sentences and ignore all other lines, which are decoration."""
    return Summary(SENTENCE.findall(data))


def write(summary: Summary, name: str) -> bytes:
    """Return the file that SEE would write, with the name as title; sentences are
    not escaped.
    """
    import html  # imported late: only needed for writing

    if any(not unit or b"<" in unit or b"\n" in unit[:-1] for unit in summary.units):
        raise RougeError(
            "an empty sentence, or one with a line feed or <, cannot be written as SEE"
        )
    title = encode(html.escape(" ".join(name.split())))
    sentences = (
        b'<a name="%d">[%d]</a> <a href="#%d" id=%d>%b'
        % (number, number, number, number, unit)
        # The line feed of a sentence without closing tag is part of its text.
        + (b"" if unit.endswith(b"\n") else b"</a>\n")
        for number, unit in enumerate(summary.units, 1)
    )
    page = b"<html>\n<head><title>%b</title></head>\n<body>\n%b</body>\n</html>\n"
    return page % (title, b"".join(sentences))
