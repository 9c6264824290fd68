"""`rouge-cli campaign`: a shared task in several languages, with submissions as zip
files.
"""

import io
import os
import re
import stat
import unicodedata
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import click

from rouge_cli import data, dialects, signature
from rouge_cli.cli import campaigns, leaderboards, output, streams
from rouge_cli.cli.option_groups import OptionGroup, Words, argument, option, takes
from rouge_cli.errors import RougeError, UsageError, escape, require, short, shown
from rouge_cli.io import files
from rouge_cli.text import languages

SECTION = "Score"

EVALS = "evals.txt"
LARGEST = 10_000_000  # bytes of a text; a longer one is a mistake, or an attack
LARGEST_SUM = 100_000_000  # bytes of all texts of a submission
# Bytes that are read of a text at a time. `zipfile` reads as many of the archive, and
# has no limit for what comes of these: of Deflate at most 1,032 times as many.
_PIECE = 1 << 12
# Of 45 bytes that bzip2 or xz compressed, gigabytes may come.
_METHODS = {ZIP_STORED, ZIP_DEFLATED}
# Bytes of the names of a submission's files, with the records that have them
LARGEST_DIRECTORY = 10_000_000
MOST_PROBLEMS = 100  # lines of a submission
LONGEST_PROBLEM = 1000  # characters of a line on the page
LARGEST_PAGE = 100_000_000  # bytes
LARGEST_FINDINGS = 10_000_000  # bytes of all lines of a submission
# Bits of an entry: it is encrypted; its name is UTF-8
_IS_ENCRYPTED = 0x1
_IS_UTF8 = 0x800
HALF = 0.5  # of the letters of a text that must be in the script of its language
# Files that systems add to archives.
_IGNORED = re.compile(r"(.*/)?(__MACOSX/.*|\.DS_Store|Thumbs\.db|desktop\.ini)|.*/")
# What `zipfile` raises for archives and texts that are damaged, encrypted, or
# compressed otherwise.
_UNREADABLE = (
    BadZipFile,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    zlib.error,
)


@click.group("campaign")
def command() -> None:
    """Run a shared task in several languages.

    Teams submit zip files with a text for each eval, LANGUAGE/EVAL.txt. `init` makes
    the folder of a campaign, whose Makefile checks and scores submissions and writes a
    leaderboard. `check` tells a team what is wrong with its submission.

    Example: rouge-cli campaign init clinical --languages es,el,ru
    """


class InitOptions(OptionGroup):
    """The campaign to begin."""

    name: str = argument(metavar="NAME")
    languages: str = option(
        "--languages CODES", "Languages, as in es,el,ru.", required=True
    )
    recipe: str | None = option(
        "--recipe NAME", "Score by this recipe (see `list recipes`)."
    )


@command.command("init")
@takes
def init(options: InitOptions) -> None:
    """Make the folder of a campaign, with its Makefile.

    Put references into NAME/references/LANGUAGE/EVAL.txt and submissions into
    NAME/submissions/TEAM.zip, and run `make -j leaderboard` in NAME.

    Example: rouge-cli campaign init clinical --languages es,el,ru
    """
    codes = dict.fromkeys(
        languages.named(code).code for code in options.languages.split(",")
    )
    signed = signature.signature_of(None, options.recipe)
    dialect = signature.fields(signed)["dialect"] if signed else dialects.DEFAULT
    # Each must change what the scores count, or scoring would fail later
    for code in codes:
        languages.named(code).options(dialect, dialects.named(dialect).defaults, {})
    makefile = os.path.join(options.name, "Makefile")
    if os.path.exists(makefile):
        raise UsageError(
            f"{makefile} exists", remedy="choose another name, or delete it"
        )
    title = options.name and os.path.basename(os.path.abspath(options.name))
    if not re.fullmatch(r"[\w.-]+", title):
        raise UsageError(
            f"name {title!r}",
            remedy="use letters, digits and hyphens, as in clinical-2026",
        )
    scored = f"--recipe {options.recipe}" if options.recipe else ""
    text = data.read("campaign.mk").decode()
    for name, value in (
        ("TITLE", title),
        ("LANGUAGES", " ".join(codes)),
        ("OPTIONS", scored),
    ):
        text = text.replace(f"{name} =\n", f"{name} = {value}".rstrip() + "\n", 1)
    for folder in ("submissions", *(f"references/{code}" for code in codes)):
        os.makedirs(os.path.join(options.name, folder), exist_ok=True)
    files.write(makefile, text)
    streams.emit(f"{makefile}: run make -j leaderboard in {options.name}\n")


class ManifestOptions(OptionGroup):
    """The languages of the campaign."""

    languages: Words = argument(metavar="LANGUAGE...", nargs=-1, required=True)
    make: int | None = option(
        "--make PROCESS", "Keep the folder for this make, by its number.", type=int
    )


@command.command("manifest")
@takes
def manifest(options: ManifestOptions) -> None:
    """List the teams of the campaign in the current folder, for its Makefile.

    Writes evals.txt, the names of all evals, and to the folder build copies of the
    references and digests of references and submissions, if they changed. File names
    may have letters, digits, dots, hyphens and underscores. What is not used is named,
    with the reason.

    Example: rouge-cli campaign manifest es el ru
    """
    codes = list(dict.fromkeys(options.languages))
    for code in codes:
        # The code becomes a part of paths
        if code not in languages.profiles():
            raise UsageError(
                f"unknown language {code!r}", remedy="see rouge-cli list languages"
            )
    if options.make is not None:
        campaigns.lock(options.make)
    evals = set()
    skipped = campaigns.check_references(codes)
    for code in codes:
        listing = campaigns.list_references(code)
        skipped += listing.skipped
        if not listing.paths:
            streams.say(f"references/{code}: no reference; put EVAL.txt into it")
        evals |= {f"{code}/{os.path.basename(path)}" for path in listing.paths}
        campaigns.copy_references(code, listing.paths)
    lines = "".join(f"{name}\n" for name in sorted(evals))
    campaigns.update(EVALS, lines.encode())
    submissions = campaigns.list_submissions()
    readable = campaigns.write_digests(submissions.paths)
    for entry in skipped + submissions.skipped + readable.skipped:
        streams.say(str(entry))
    for path in readable.paths:
        streams.emit(f"{campaigns.team_of(path)}\n")


class CheckOptions(OptionGroup):
    """The submission to check."""

    path: str = argument(metavar="FILE.zip")
    evals: str = option(
        "--evals FILE", f"The campaign's evals (default {EVALS}).", default=EVALS
    )
    output: str | None = option(
        "-o --output DIR", "Write the texts to DIR/LANGUAGE/TEAM/EVAL.txt."
    )
    findings: str | None = option(
        "--findings FILE", "Write what is wrong to FILE, also if nothing is."
    )


@command.command("check")
@takes
def check(options: CheckOptions) -> None:
    """Check a submission, and list what is wrong with it.

    FILE.zip contains a text for each eval, LANGUAGE/EVAL.txt. A team may leave out
    whole languages. The exit status is 1 if anything is wrong. The campaign's evals are
    lines LANGUAGE/EVAL.txt.

    Example: rouge-cli campaign check team.zip --evals evals.txt
    """
    evals = {*_lines(files.text(options.evals, "list of evals"))}
    unknown = {name for name in evals if not re.fullmatch(r"[^/]+/[^/]+\.txt", name)}
    if (
        not evals
        or unknown
        or not {name.split("/")[0] for name in evals} <= languages.profiles().keys()
    ):
        remedy = "expected LANGUAGE/EVAL.txt in each line"
        raise RougeError("not a list of evals", where=options.evals, remedy=remedy)
    team = campaigns.team_of(options.path)
    if not team.strip("."):
        raise UsageError(
            f"{options.path!r} has no name of a team", remedy="name the file TEAM.zip"
        )
    output.check_targets([options.findings], [options.path, options.evals])
    with files.opened(options.path, "submission") as file:
        texts: list[_Text] = []
        try:
            archive = _archive(file)
        except RougeError as error:
            problems = [f"{error.what}; {error.remedy}"]
        else:
            texts = _texts(archive, evals)
            problems = [*_of_names([text.name for text in texts], evals)]
            texts = [text for text in texts if text.name in evals]
            problems += _of_texts(archive, texts)
        if options.output and not problems:
            # From the same archive: another may have its name by now
            _extract(archive, texts, options.output, team)
    lines = _findings(options.path, problems)
    # Last, and whole: who finds this file also finds the texts
    if options.findings:
        files.write(options.findings, lines)
    else:
        streams.emit(lines)
    if problems:
        click.get_current_context().exit(1)


def _findings(path: str, problems: Sequence[str]) -> str:
    """Return a line for each problem, up to a limit."""
    lines = [f"{path}: {problem}" for problem in problems[:MOST_PROBLEMS]]
    if len(problems) > MOST_PROBLEMS:
        lines.append(f"{path}: and {len(problems) - MOST_PROBLEMS} more problems")
    return "".join(escape(line) + "\n" for line in lines)


class _Text(NamedTuple):
    """A file of an archive."""

    name: str  # as the list of evals spells it, if it has the name
    entry: ZipInfo


class _LongDirectory(BadZipFile):
    """An archive with too many names."""


class _Bounded(io.BufferedReader):
    """A file of which no more is read at a time than the names of a submission take.

    An archive states how many bytes its directory has, and `zipfile` reads them
    together: a record of 46 bytes takes a kilobyte of memory.
    """

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:  # the rest of the file, a comment
            size = LARGEST_DIRECTORY
        if size > LARGEST_DIRECTORY:
            raise _LongDirectory
        return super().read(size)


def _archive(file: BinaryIO) -> ZipFile:
    """Return the archive in a file; raise RougeError if it is none, or too large."""
    descriptor = file.fileno()
    if os.fstat(descriptor).st_size > campaigns.LARGEST:
        raise RougeError(
            f"larger than {campaigns.LARGEST:,} bytes", remedy="submit texts alone"
        )
    try:
        return ZipFile(_Bounded(io.FileIO(descriptor, closefd=False)))
    except _LongDirectory:
        raise RougeError(
            f"the names of its files take more than {LARGEST_DIRECTORY:,} bytes",
            remedy="submit texts alone",
        ) from None
    except _UNREADABLE:
        raise RougeError(
            "not a zip file", remedy="compress the folders of languages with zip"
        ) from None


def _texts(archive: ZipFile, evals: Collection[str]) -> list[_Text]:
    """Return the files in the archive but those that systems add, by name.

    Systems differ in the form of Unicode, and some programs do not mark names as
    UTF-8; such a name is that of the eval that looks the same.
    """
    by_form = {unicodedata.normalize("NFC", name): name for name in evals}
    texts = []
    for entry in archive.infolist():
        name = entry.filename
        if _IGNORED.fullmatch(name):
            continue
        for spelling in (name, _unmarked(entry)):
            form = unicodedata.normalize("NFC", spelling)
            if name not in evals and form in by_form:
                name = by_form[form]
        texts.append(_Text(name, entry))
    return sorted(texts, key=lambda text: text.name)


def _unmarked(entry: ZipInfo) -> str:
    """Return the name of an entry if its bytes are UTF-8 without a mark, which
    `zipfile` takes for code page 437.
    """
    if entry.flag_bits & _IS_UTF8:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def _lines(text: bytes) -> list[str]:
    """Return the lines of a text that are not empty.

    Only CR and LF end lines: a name of a file may hold another separator, U+2028.
    """
    return [line.decode() for line in text.splitlines() if line]


def _language_of(name: str) -> str:
    """Return the folder of a submission's file, which is the code of a language."""
    return name.split("/", maxsplit=1)[0]


def _of_names(names: Sequence[str], evals: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with the names of a submission's files."""
    by_language: dict[str, list[str]] = {}
    for name in sorted(evals):
        by_language.setdefault(_language_of(name), []).append(name)
    unknown = sorted(
        name for name in set(names) if _language_of(name) not in by_language
    )
    if unknown:
        remedy = (
            f"name files LANGUAGE/EVAL.txt; the languages are {', '.join(by_language)}"
        )
        yield f"{shown(unknown)}: not in the folder of a language; {remedy}"
    for name, number in Counter(names).items():
        if number > 1:
            yield f"{short(name)}: {number} times in the archive"
    for language, expected in by_language.items():
        present = {name for name in names if _language_of(name) == language}
        extra = sorted(present.difference(expected))
        if extra:
            yield f"{language}: not in the campaign: {shown(extra)}"
        missing = [name for name in expected if name not in present]
        if present and missing:
            yield (
                f"{language}: {len(missing)} of {len(expected)} texts are missing:"
                f" {shown(missing)}"
            )
    if not names:
        yield f"no text; expected files such as {min(evals)}"


def _of_texts(archive: ZipFile, texts: Sequence[_Text]) -> Iterator[str]:
    """Yield what is wrong with the texts of a submission, which are read one at a
    time.
    """
    total = 0
    for name, entry in texts:
        if stat.S_ISLNK(entry.external_attr >> 16):
            yield f"{name}: a link to another file; put the file into the archive"
            continue
        if entry.flag_bits & _IS_ENCRYPTED:
            yield f"{name}: encrypted; make the archive without a password"
            continue
        if entry.compress_type not in _METHODS:
            yield f"{name}: not compressed by Deflate; make the archive with zip"
            continue
        try:
            text = _read(archive, entry)
        except _UNREADABLE as reason:
            yield f"{name}: cannot be read ({reason})"
            continue
        total += len(text)
        if total > LARGEST_SUM:
            yield f"{name}: with it, the texts are larger than {LARGEST_SUM:,} bytes"
            return
        if len(text) > LARGEST:
            yield f"{name}: larger than {LARGEST:,} bytes"
        elif problem := _problem(text, languages.named(name.split("/")[0])):
            yield f"{name}: {problem}"


def _read(archive: ZipFile, entry: ZipInfo) -> bytes:
    """Return a text, or its first bytes if it is larger than LARGEST, whatever size the
    archive states.
    """
    pieces = []
    size = 0
    with archive.open(entry) as file:
        while size <= LARGEST and (piece := file.read(_PIECE)):
            pieces.append(piece)
            size += len(piece)
    return b"".join(pieces)[: LARGEST + 1]


def _extract(archive: ZipFile, texts: Sequence[_Text], folder: str, team: str) -> None:
    """Write the texts of a checked submission to FOLDER/LANGUAGE/TEAM/EVAL.txt."""
    for text in texts:
        language, name = text.name.split("/")
        target = os.path.join(folder, language, team, name)
        try:
            data = _read(archive, text.entry)
        except _UNREADABLE:
            raise RougeError(
                "changed while it was checked", where=text.name, remedy="run it again"
            ) from None
        os.makedirs(os.path.dirname(target), exist_ok=True)
        files.write_bytes(target, data)


def _problem(text: bytes, profile: languages.Profile) -> str:
    """Return what is wrong with a text in a language; an empty string if nothing is."""
    try:
        string = files.as_text(text, "").decode()
    except RougeError as error:
        return f"not UTF-8 ({error.what}); save it as UTF-8"
    if "\0" in string:
        return "NUL bytes, as in UTF-16; save it as UTF-8"
    if not any(map(str.isalnum, string)):
        return "no words" if string.strip() else "empty"
    share = languages.share_of_script(string, profile.script)
    if share >= HALF or not any(map(str.isalpha, string)):
        return ""
    return (
        f"{1 - share:.0%} of its letters are not {profile.script}; is it"
        f" {profile.name}?"
    )


class LeaderboardOptions(OptionGroup):
    """The pages of the languages, and the page of all."""

    paths: Words = argument(metavar="PAGES...", nargs=-1)
    title: str = option("--title TEXT", "Heading of the page.", default="Leaderboard")
    submissions: str | None = option(
        "--submissions DIR", "Folder of TEAM.zip: show the dates of these files."
    )
    findings: str | None = option(
        "--findings DIR", "Folder of the output of `check`, TEAM.txt each."
    )
    output: str | None = option(
        "-o --output FILE", "Write the page to FILE (- is stdout)."
    )


@command.command("page")
@takes
def page(options: LeaderboardOptions) -> None:
    """Write a leaderboard: a table of teams by languages.

    PAGES are LANGUAGE.html, the output of `report`; the leaderboard links to them, so
    publish them with it. Empty files are skipped. Teams are ranked by their mean rank
    over the languages, by the first metric of each page.

    Example: rouge-cli campaign page pages/*.html -o leaderboard.html
    """
    output.check_suffix(
        options.output, "htm html", "a page is HTML: end the name in .html"
    )
    require("a page needs", "jinja2", "numpy", "scipy", extra="report")
    output.check_targets([options.output], options.paths)
    pages = []
    for path in options.paths:
        text = _text(path, "page", LARGEST_PAGE).decode()
        code = os.path.basename(path).removesuffix(".html")
        if code not in languages.profiles():
            remedy = "name it LANGUAGE.html (see rouge-cli list languages)"
            raise UsageError("not the page of a language", where=path, remedy=remedy)
        if text:
            leaderboards.check_page(text, path)
            pages.append((languages.named(code), path, text))
    rejected = _rejected(options.findings) if options.findings else []
    dates = None
    if options.submissions is not None:
        dates = leaderboards.dates(options.submissions)
    filled = leaderboards.render(pages, rejected, dates, options.title, options.output)
    output.write(filled, options.output)


def _rejected(folder: str) -> list[tuple[str, list[str]]]:
    """Return the teams with findings, and their first lines; warn of other files."""
    listing = campaigns.list_findings(folder)
    for entry in listing.skipped:
        streams.say(str(entry))
    rejected = []
    for path in listing.paths:
        lines = _lines(_text(path, "findings", LARGEST_FINDINGS))
        problems = [escape(short(line, LONGEST_PROBLEM)) for line in lines]
        # The last line of `check` may be the number of the others
        most = MOST_PROBLEMS + 1
        if len(problems) > most:
            problems[most:] = [f"and {len(problems) - most} more lines"]
        team = os.path.basename(path).removesuffix(".txt")
        if problems:
            rejected.append((team, problems))
    return rejected


def _text(path: str, role: str, most: int) -> bytes:
    """Return the UTF-8 text of a regular file.

    Raises:
        RougeError: If it has more than this many bytes, or is not UTF-8.
    """
    with files.opened(path, role) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise RougeError(
            f"the {role} has more than {most:,} bytes",
            where=path,
            remedy="expected the output of rouge-cli",
        )
    return files.as_text(data, path)
