#!/usr/bin/env python3
"""Make rouge_cli/data/wordnet-3.0.xz from a WordNet 3.0 database; the same bytes each
time.

usage: docs/extract_wordnet.py [FOLDER]     (default: /usr/share/wordnet, Debian's
wordnet-base)

The extract has all synsets with their words, tag counts and hypernyms (adjectives:
heads), and the lists of irregular forms; no glosses and no other links.
`rouge_cli/data/FORMATS.md` describes the form.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

from rouge_cli.data import wordnet
from rouge_cli.io import files

TARGET = Path(__file__).resolve().parents[1] / "rouge_cli" / "data" / "wordnet-3.0.xz"
# lc, lp and pb are those that make this text smallest; the preset alone gives half a
# percent more.
FILTERS = [
    {
        "id": lzma.FILTER_LZMA2,
        "preset": 9 | lzma.PRESET_EXTREME,
        "lc": 4,
        "lp": 0,
        "pb": 0,
    }
]


def compressed(folder: str) -> bytes:
    """Return the extract of that database."""
    return lzma.compress(
        wordnet.short_form(folder), format=lzma.FORMAT_XZ, filters=FILTERS
    )


if __name__ == "__main__":
    files.write_bytes(
        str(TARGET),
        compressed(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet"),
    )
