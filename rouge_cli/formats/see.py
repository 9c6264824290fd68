"""SEE, the HTML of the Summary Evaluation Environment: numbered anchors, one sentence
per line.

A sentence is a line that starts with exactly `<a name="N">[N]</a>`, white space, and
`<a href="#N" id=N>`. Its text ends before the next `<`, or else after the line feed,
which counts as a byte if bytes are counted (QUIRKS 10).
"""

import re

from rouge_cli.core import Summary
from rouge_cli.errors import RougeError, encode
from rouge_cli.formats._numbered import SentenceShape, Unread, find_unread

SENTENCE = re.compile(
    rb'^<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>[ \t\v\f\r]+'
    rb'<a href="#[0-9]+" id=[0-9]+>([^<\n]*\n|[^<\n]+)',
    re.MULTILINE,
)
SHAPE = SentenceShape(
    example='<a name="1">[1]</a> <a href="#1" id=1>text</a>',
    sentence=SENTENCE,
    # An anchor with a name, however it is written.
    opening=re.compile(rb"<a\s(?:[^<>]*\s)?name\s*=", re.IGNORECASE),
    parts=(
        (re.compile(rb'<a (?:size="[0-9]+" )?name="[0-9]+">'), '<a name="1">'),
        (re.compile(rb"\[[0-9]+\]</a>"), "[1]</a>"),
        (re.compile(rb"[ \t\v\f\r]+"), "a blank"),
        (re.compile(rb'<a href="#[0-9]+" id=[0-9]+>'), '<a href="#1" id=1>'),
        (re.compile(rb"[^<]"), "text"),
    ),
    # A number whose second anchor is empty, or a name alone, as of a bookmark.
    empty=re.compile(
        rb"<a\s[^<>]*>[^<>]*</a>\s*<a\s[^<>]*>\s*</a>"
        rb"|<a\s[^<>]*>\s*</a>(?!\s*<a\s[^<>]*href)",
        re.IGNORECASE,
    ),
    # A tag other than </a> or the next sentence's; if there is no tag, text in the
    # next line.
    cut=re.compile(rb"(?<!\n)<(?!/?a[\s>])|(?<=\n)[^<\n]*[^<\s]", re.IGNORECASE),
)


def read(data: bytes) -> Summary:
    """Read the sentences and ignore all other lines, which are decoration."""
    return Summary(SENTENCE.findall(data))


def unread(data: bytes) -> Unread | None:
    """Return the sentences that are not read as a whole; None if there are none."""
    return find_unread(data, SHAPE)


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
    sentences = []
    for number, unit in enumerate(summary.units, 1):
        names = b'<a name="%d">[%d]</a> <a href="#%d" id=%d>' % ((number,) * 4)
        # The line feed of a sentence without closing tag is part of its text.
        end = b"" if unit.endswith(b"\n") else b"</a>\n"
        sentences.append(names + unit + end)
    page = b"<html>\n<head><title>%b</title></head>\n<body>\n%b</body>\n</html>\n"
    return page % (title, b"".join(sentences))
