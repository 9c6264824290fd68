"""ISI, the format of the Information Sciences Institute: `<S SNTNO="1">text</S>`, one per line."""

from __future__ import annotations

import re

from rouge_cli.core import Summary

_SENTENCE = re.compile(rb'^<S SNTNO="[0-9a-z,]+">([^<\n]+)</S>', re.MULTILINE)


def read(data: bytes) -> Summary:
    """All other lines are passed over; the text of a sentence holds no `<`."""
    return Summary(_SENTENCE.findall(data))
