"""The original's two word lists: stop words and irregular forms.

They come from a data folder of ROUGE (the argument of the original's `-e`) or from the
package. A data folder may have `smart_common_words.txt`, with one stop word per line,
and `WordNet-2.0.exc.db`, a Berkeley DB hash file.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice

from rouge_cli.core import Notice, Notify, ignore_notice
from rouge_cli.data import read
from rouge_cli.data.berkeley_db import read_hash
from rouge_cli.io import files

STOP_LIST = "smart_common_words.txt"
IRREGULAR_FORMS = "WordNet-2.0.exc.db"

# The release's four lists of irregular forms, and the number of lines that each has in
# the package's file.
EXCEPTION_LISTS = {"adj.exc": 1490, "adv.exc": 7, "noun.exc": 2041, "verb.exc": 2401}


def stop_words(
    folder: str | None = None, notify: Notify = ignore_notice
) -> frozenset[bytes]:
    """Return the stop words, the exact lines of the folder's list or else of the
    package's list.
    """
    users_list = _read(folder, STOP_LIST, notify)
    if users_list is None:
        users_list = read("stop_words.txt")
    return frozenset(users_list.split(b"\n"))


def irregular_forms(
    folder: str | None = None, notify: Notify = ignore_notice
) -> dict[bytes, bytes]:
    """Return irregular form -> base form, from the folder's database or else from the
    package's list.

    Warn if a database differs from the release's: widely copied databases are empty
    (QUIRKS 63).
    """
    users_list = _read(folder, IRREGULAR_FORMS, notify)
    if users_list is None:
        return _release()
    path = os.path.join(folder or "", IRREGULAR_FORMS)
    forms = read_hash(users_list, path)
    repeat = f"rouge-cli score --stem --irregular {f'file:{path}' if forms else 'none'}"
    remedy = f"delete the file for the release's scores, or repeat these by {repeat}"
    report_other_forms(path, forms, remedy, notify)
    return forms


def report_other_forms(
    path: str, forms: Mapping[bytes, bytes], remedy: str, notify: Notify
) -> None:
    """Warn if the forms of a database differ from the release's."""
    release = _release()
    if forms != release:
        same = len(forms.items() & release.items())
        what = (
            f"{path}: stemming gives other scores than ROUGE-1.5.5's release"
            f" ({len(forms):,} irregular forms, {same:,} of the release's"
            f" {len(release):,})"
        )
        notify(Notice(f"{what}; {remedy}"))


@cache
def _release() -> dict[bytes, bytes]:
    """Return the package's list; callers must not change it."""
    pairs = read("irregular_forms.tsv").split()
    return dict(zip(pairs[::2], pairs[1::2], strict=True))


def exception_lists() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of the release's four lists, with one base form
    for each word.
    """
    lines = iter(
        read("irregular_forms.tsv").replace(b"\t", b" ").splitlines(keepends=True)
    )
    for name, size in EXCEPTION_LISTS.items():
        yield name, b"".join(islice(lines, size))


def has_lists(folder: str, *, replaced: bool = False) -> bool:
    """Return True if the folder has a database or a stop list; `replaced`: not if
    the list is ours.
    """
    stop_list = os.path.join(folder, STOP_LIST)
    has_list = os.path.exists(stop_list)
    if has_list and replaced:
        has_list = files.read(stop_list, "word list") != read("stop_words.txt")
    return has_list or os.path.exists(os.path.join(folder, IRREGULAR_FORMS))


def _read(folder: str | None, name: str, notify: Notify) -> bytes | None:
    """Return the bytes of the file; warn and return None if the folder does not have
    it.
    """
    if folder is None:
        return None
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        notify(
            Notice(
                f"{path}: missing; the list that comes with rouge-cli is used instead"
            )
        )
        return None
    return files.read(path, "word list")
