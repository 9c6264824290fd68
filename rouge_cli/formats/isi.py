"""ISI, the format of the Information Sciences Institute: `<S SNTNO="1">text</S>`,
one per line.
"""

import re

from rouge_cli.core import Summary
from rouge_cli.errors import RougeError
from rouge_cli.formats._numbered import SentenceShape, Unread, find_unread

SENTENCE = re.compile(rb'^<S SNTNO="[0-9a-z,]+">([^<\n]+)</S>', re.MULTILINE)
SHAPE = SentenceShape(
    example='<S SNTNO="1">text</S>',
    sentence=SENTENCE,
    # A tag S, however it is written.
    opening=re.compile(rb"<S[\s>]", re.IGNORECASE),
    parts=(
        (re.compile(rb'<S SNTNO="[0-9a-z,]+">'), '<S SNTNO="1">'),
        (re.compile(rb"[^<\n]+"), "text"),
        (re.compile(rb"</S>"), "</S>"),
    ),
    empty=re.compile(rb"<S(?:\s[^<>]*)?>\s*</S>", re.IGNORECASE),
    cut=re.compile(rb"(?!)"),  # a sentence is read as a whole or not at all
)


def read(data: bytes) -> Summary:
    """Read the sentences and ignore all other lines; the text of a sentence ends at
    `<`.
    """
    return Summary(SENTENCE.findall(data))


def unread(data: bytes) -> Unread | None:
    """Return the sentences that are not read as a whole; None if there are none."""
    return find_unread(data, SHAPE)


def write(summary: Summary, _: str) -> bytes:
    """Write one numbered sentence per line, without escapes, since ROUGE does not
    decode escapes.
    """
    if any(not unit or b"\n" in unit or b"<" in unit for unit in summary.units):
        raise RougeError(
            "an empty sentence, or one with a line feed or <, cannot be written as ISI"
        )
    return b"".join(
        b'<S SNTNO="%d">%b</S>\n' % numbered for numbered in enumerate(summary.units, 1)
    )
