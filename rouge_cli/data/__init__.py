"""The files that come with the package (sources: README.md in this folder), and the original's two lists.

The stop list and the irregular forms come from a ROUGE data folder, the argument of the original's `-e`, or
from the package. A data folder may have `smart_common_words.txt`, one stop word a line, and
`WordNet-2.0.exc.db`, a Berkeley DB hash file.
"""

from __future__ import annotations

import os
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from rouge_cli.core import Notice
from rouge_cli.io import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rouge_cli.core import Notify

STOP_LIST = "smart_common_words.txt"
IRREGULAR_FORMS = "WordNet-2.0.exc.db"

# The release's four lists of irregular forms, and the number of lines of each in the package's file.
EXCEPTION_LISTS = {"adj.exc": 1490, "adv.exc": 7, "noun.exc": 2041, "verb.exc": 2401}


def read(name: str) -> bytes:
    """Return the bytes of a file in this folder."""
    return files.read(os.path.join(os.path.dirname(__file__), name), "word list of rouge-cli itself")


def stop_words(folder: str | None, notify: Notify) -> frozenset[bytes]:
    """Return the stop words: exact lines of the folder's list, or of the package's."""
    users_list = _read(folder, STOP_LIST, notify)
    return frozenset((read("stop_words.txt") if users_list is None else users_list).split(b"\n"))


def irregular_forms(folder: str | None, notify: Notify) -> dict[bytes, bytes]:
    """Return base forms by irregular form, from the folder's database or from the package's list.

    A database with forms other than the release's is reported: widely copied ones are empty (QUIRKS 63).
    """
    users_list = _read(folder, IRREGULAR_FORMS, notify)
    if users_list is None:
        return _release()
    from rouge_cli.data.berkeley_db import read_hash  # for users with a database of their own

    path = os.path.join(folder or "", IRREGULAR_FORMS)
    forms = read_hash(users_list, path)
    report_other_forms(
        path,
        forms,
        "delete the file for the release's scores, or repeat these by "
        f"rouge-cli score --stem --irregular {f'file:{path}' if forms else 'none'}",
        notify,
    )
    return forms


def report_other_forms(path: str, forms: Mapping[bytes, bytes], remedy: str, notify: Notify) -> None:
    """Report a database with other forms than the release's."""
    release = _release()
    if forms != release:
        same = len(forms.items() & release.items())
        what = (
            f"{path}: stemming gives other scores than ROUGE-1.5.5's release ({len(forms):,} irregular "
            f"forms, {same:,} of the release's {len(release):,})"
        )
        notify(Notice(f"{what}; {remedy}"))


@cache
def _release() -> dict[bytes, bytes]:
    """Return the package's own list; callers must not change it."""
    pairs = read("irregular_forms.tsv").split()
    return dict(zip(pairs[::2], pairs[1::2], strict=True))


def exception_lists() -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each of the release's four lists, with one base form for each word."""
    lines = iter(read("irregular_forms.tsv").replace(b"\t", b" ").splitlines(keepends=True))
    for name, size in EXCEPTION_LISTS.items():
        yield name, b"".join(islice(lines, size))


def has_other_lists(folder: str) -> bool:
    """Return True if the folder has a list that differs from the package's own."""
    stop_list = os.path.join(folder, STOP_LIST)
    if os.path.exists(stop_list) and files.read(stop_list, "word list") != read("stop_words.txt"):
        return True
    return os.path.exists(os.path.join(folder, IRREGULAR_FORMS))


def in_folder(folder: str) -> bool:
    """Return True if the folder has at least one of the two lists."""
    return any(os.path.exists(os.path.join(folder, name)) for name in (STOP_LIST, IRREGULAR_FORMS))


def _read(folder: str | None, name: str, notify: Notify) -> bytes | None:
    """Return the file's bytes; None, and a notice, if the folder does not have it."""
    if folder is None:
        return None
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        notify(Notice(f"{path}: missing; the list that comes with rouge-cli is used instead"))
        return None
    return files.read(path, "word list")
