"""The files of a campaign in the current folder: references, submissions, and what is
built from them.

Strangers choose the names, kinds and sizes of these files. A file is used if it is
regular and has a plain name; every other is skipped with a reason. What is scored is
what is listed: references are copied to build/references, and only the copies are
scored.
"""

import errno
import os
import re
import stat
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from rouge_cli.errors import RougeError, UnreadableFile, escape, short, shown
from rouge_cli.io import files
from rouge_cli.io.digests import sha256

REFERENCES = "references"
SUBMISSIONS = "submissions"
BUILD = "build"
# A name of a file that means the same to make, shells and people.
_PLAIN = re.compile(r"\w[\w.-]*")
# Bytes of a submission's name: names of scores are longer, and systems allow 255.
_LONGEST_NAME = 200
LARGEST = 200_000_000  # bytes of a submission; a larger one is not read
# The make that works in the folder: its machine and its number
_LOCK = os.path.join(BUILD, "lock")
_PIECE = 1 << 20  # bytes that are read at a time
_CHARACTERS = "use letters, digits, dots, hyphens and underscores"


class Skipped(NamedTuple):
    """An entry of a folder that is not used."""

    path: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return (
            f"{escape(short(self.path))}: skipped because {self.reason}; {self.remedy}"
        )


class Listing(NamedTuple):
    """The files that are used, and the other entries of their folders."""

    paths: list[str]
    skipped: list[Skipped]


def check_references(codes: Collection[str]) -> list[Skipped]:
    """Return the entries among the references that are not of these languages."""
    skipped = []
    for entry in _entries(REFERENCES):
        if entry.name not in codes and not entry.name.startswith("."):
            reason = "it is not a language of the campaign"
            skipped.append(Skipped(entry.path, reason, "add its code to LANGUAGES"))
    return skipped


def list_references(code: str) -> Listing:
    """Return the references in a language: EVAL.txt, or PERSON/EVAL.txt.

    Raises:
        RougeError: If there are both, which cannot be scored together.
    """
    folder = os.path.join(REFERENCES, code)
    remedy = f"put texts into {folder}/EVAL.txt or {folder}/PERSON/EVAL.txt"
    texts = Listing([], [])
    of_people = Listing([], [])
    for entry in _entries(folder):
        if not entry.is_dir():
            _sort(entry, ".txt", remedy, texts)
        elif _PLAIN.fullmatch(entry.name):
            for text in _entries(entry.path):
                _sort(text, ".txt", remedy, of_people)
        elif not entry.name.startswith("."):
            texts.skipped.append(Skipped(entry.path, "of its name", _CHARACTERS))
    if texts.paths and of_people.paths:
        names = [os.path.relpath(path, folder) for path in of_people.paths]
        plain = [os.path.basename(path) for path in texts.paths]
        raise RougeError(
            f"contains files ({shown(plain)}) and folders with files ({shown(names)})",
            where=folder,
            remedy="put references by several people into a folder each",
        )
    return Listing(texts.paths + of_people.paths, texts.skipped + of_people.skipped)


def list_submissions(folder: str = SUBMISSIONS) -> Listing:
    """Return the submissions in a folder, which are regular files TEAM.zip."""
    listing = Listing([], [])
    remedy = f"put submissions into {folder}/TEAM.zip"
    for entry in _entries(folder):
        if entry.is_symlink():
            # The file that it names may be anyone's, also another team's.
            reason = "it is a link"
            listing.skipped.append(Skipped(entry.path, reason, "put the file here"))
        elif len(os.fsencode(entry.name)) > _LONGEST_NAME:
            reason = f"its name is longer than {_LONGEST_NAME} bytes"
            listing.skipped.append(Skipped(entry.path, reason, "shorten it"))
        else:
            _sort(entry, ".zip", remedy, listing)
    return listing


def list_findings(folder: str) -> Listing:
    """Return the files TEAM.txt in a folder, the findings of `check`; raise
    UnreadableFile if there is no such folder.
    """
    listing = Listing([], [])
    if not os.path.isdir(folder):
        reason = OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        raise UnreadableFile(folder, reason, role="folder of findings")
    for entry in _entries(folder):
        _sort(entry, ".txt", "name findings TEAM.txt", listing)
    return listing


def lock(process: int) -> None:
    """Keep the folder for a process of make, as long as it runs.

    Two at once would remove each other's texts. Makes of other machines are not known
    here.

    Raises:
        RougeError: Another make of this machine works in the folder.
    """
    import fcntl  # Windows has none, and no make of ours

    os.makedirs(BUILD, exist_ok=True)
    with open(_LOCK, "a+", encoding="ascii", errors="replace") as file:
        # Two that begin at once wait here for each other; not all systems of files can
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        machine, _, holder = file.read(100).partition(" ")
        if (
            machine == files.machine()
            and holder.isdecimal()
            and int(holder) != process
            and files.is_alive(int(holder))
        ):
            raise RougeError(
                f"process {holder}, another make, works in this folder",
                where=_LOCK,
                remedy="wait for its end, or delete the file if it is no make",
            )
        file.truncate(0)
        file.write(f"{files.machine()} {process}")


def copy_references(code: str, paths: Sequence[str]) -> None:
    """Make build/references/LANGUAGE a copy of the references, and nothing else, and
    write their digests to build/references/LANGUAGE.txt if they changed.

    The digests come last: if the process is killed, the next one does it again.
    """
    folder = os.path.join(BUILD, REFERENCES, code)
    copies = {path: os.path.join(BUILD, path) for path in paths}
    _remove_others(folder, set(copies.values()))
    digests = []
    for path, copy in copies.items():
        with files.opened(path, "reference") as file:
            data = file.read()
        update(copy, data)
        digests.append(f"{_digest([data])}  {path}\n")
    update(f"{folder}.txt", "".join(digests).encode())


def write_digests(paths: Sequence[str]) -> Listing:
    """Write the digest of each submission to build/submissions/TEAM.txt if it changed.

    A submission may be replaced by an older file, as `mv` and `rsync -t` do: its time
    does not tell.

    Returns:
        The submissions, without those that cannot be read.
    """
    listing = Listing([], [])
    digests = {}
    for path in paths:
        try:
            digest = _digest_of_submission(path)
        except UnreadableFile as error:
            reason = f"rouge-cli {error.what}"
            listing.skipped.append(Skipped(path, reason, "let it read the file"))
            continue
        listing.paths.append(path)
        digests[os.path.join(BUILD, SUBMISSIONS, f"{team_of(path)}.txt")] = digest
    _remove_others(os.path.join(BUILD, SUBMISSIONS), digests)
    for path, digest in digests.items():
        update(path, f"{digest}\n".encode())
    return listing


def team_of(path: str) -> str:
    """Return the name of the team of a submission."""
    return os.path.basename(path).removesuffix(".zip")


def update(path: str, data: bytes) -> None:
    """Write the file unless it has this content: make compares times."""
    if os.path.isfile(path) and files.read(path, "list") == data:
        return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    files.write_bytes(path, data)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Return the entries of a folder by name, without those of systems; none if there
    is no such folder.
    """
    if not os.path.isdir(folder):
        return []
    try:
        with os.scandir(folder) as entries:
            kept = [entry for entry in entries if not entry.name.startswith("._")]
    except OSError as reason:
        raise UnreadableFile(folder, reason, role="folder") from None
    return sorted(kept, key=lambda entry: entry.name)


def _sort(entry: os.DirEntry[str], suffix: str, remedy: str, listing: Listing) -> None:
    """Add a folder's entry to the listing: to the files if it is regular and has a
    plain name with the suffix.

    Other hidden files, such as .gitkeep, are left out.
    """
    is_plain = _PLAIN.fullmatch(entry.name)
    has_suffix = entry.name.endswith(suffix)
    if entry.name.startswith(".") and not entry.name.lower().endswith(suffix):
        return
    if has_suffix and not is_plain:
        reason, remedy = "of its name", _CHARACTERS
    elif entry.is_dir():
        reason = "it is a folder"
    elif not entry.is_file():
        reason = "it is not a regular file"
    elif not has_suffix:
        reason = f"its name does not end in {suffix}"
    else:
        listing.paths.append(entry.path)
        return
    listing.skipped.append(Skipped(entry.path, reason, remedy))


def _digest_of_submission(path: str) -> str:
    with files.opened(path, "submission") as file:
        size = os.fstat(file.fileno()).st_size
        if size > LARGEST:
            return f"{size} bytes"
        return _digest(iter(lambda: file.read(_PIECE), b""))


def _digest(pieces: Iterator[bytes] | Sequence[bytes]) -> str:
    digest = sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def _remove_others(folder: str, kept: Collection[str]) -> None:
    """Remove all from a folder of build but these files.

    No link is followed, or a file outside would be removed or overwritten.
    """
    if os.path.islink(folder):
        os.unlink(folder)
    for path, folders, names in os.walk(folder, topdown=False):
        for name in names + folders:
            entry = os.path.join(path, name)
            mode = os.lstat(entry).st_mode
            if stat.S_ISDIR(mode):
                if not os.listdir(entry):
                    os.rmdir(entry)
            elif entry not in kept or not stat.S_ISREG(mode):
                os.unlink(entry)
