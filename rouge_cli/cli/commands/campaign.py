"""`rouge-cli campaign`: a shared task in several languages, with submissions as zip
files.
"""

import os
import re
import stat
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from lzma import LZMAError
from zipfile import BadZipFile, ZipFile, ZipInfo

import click

from rouge_cli import data, dialects, signature
from rouge_cli.cli import output, streams
from rouge_cli.cli.option_groups import OptionGroup, Words, argument, option, takes
from rouge_cli.errors import RougeError, UsageError, escape, require, short, shown
from rouge_cli.io import files
from rouge_cli.reports import html
from rouge_cli.text import languages

SECTION = "Score"

EVALS = "evals.txt"
# The hash by which a page of `report` allows its script
_POLICY = re.compile(r"script-src '([\w+/=-]+)'; style-src '[\w+/=-]+'")
# A name of a file that means the same to make, shells and people.
_PLAIN = re.compile(r"\w[\w.-]*")
LARGEST = 10_000_000  # bytes of a text; a longer one is a mistake, or an attack
LARGEST_SUM = 100_000_000  # bytes of all texts of a submission
# Bytes that are read of a text at a time. `zipfile` reads as many of the archive, and
# has no limit for what comes of these if they are compressed by bzip2 or xz.
_PIECE = 1 << 12
HALF = 0.5  # of the letters of a text that must be in the script of its language
# Files that systems add to archives.
_IGNORED = re.compile(r"(.*/)?(__MACOSX/.*|\.DS_Store|Thumbs\.db|desktop\.ini)|.*/")
# What `zipfile` raises for archives and texts that are damaged, encrypted, or
# compressed otherwise.
_UNREADABLE = (
    BadZipFile,
    EOFError,
    LZMAError,
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


@command.command("manifest")
@takes
def manifest(options: ManifestOptions) -> None:
    """List the teams of the campaign in the current folder, for its Makefile.

    Writes evals.txt, the names of all evals, and build/references/LANGUAGE.txt, the
    digests of the references, if they changed. File names may have letters, digits,
    dots, hyphens and underscores. Files with other names are skipped, with a warning.

    Example: rouge-cli campaign manifest es el ru
    """
    evals = set()
    skipped = []
    for code in options.languages:
        names, others = _listed(os.path.join("references", code), ".txt", depth=2)
        skipped += others
        evals |= {f"{code}/{os.path.basename(name)}" for name in names}
        digests = [f"{_digest(name)}  {name}\n" for name in names]
        _update(os.path.join("build", "references", f"{code}.txt"), "".join(digests))
    _update(EVALS, "".join(f"{name}\n" for name in sorted(evals)))
    teams, others = _listed("submissions", ".zip", depth=1)
    for path in skipped + others:
        remedy = "use letters, digits, dots, hyphens and underscores"
        streams.say(f"{escape(short(path))}: skipped because of its name; {remedy}")
    for path in teams:
        streams.emit(f"{os.path.basename(path).removesuffix('.zip')}\n")


def _listed(folder: str, suffix: str, depth: int) -> tuple[list[str], list[str]]:
    """Return the paths of files with the suffix in the folder, and in its folders up
    to a depth: those with plain names, and the others. Hidden files are ignored.
    """
    plain: list[str] = []
    others: list[str] = []
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in names:
        path = os.path.join(folder, name)
        if name.startswith("."):
            continue
        if os.path.isdir(path) and depth > 1:
            plain_inside, others_inside = _listed(path, suffix, depth - 1)
            if _PLAIN.fullmatch(name):
                plain += plain_inside
                others += others_inside
            else:
                others += plain_inside + others_inside
        elif name.endswith(suffix):
            (plain if _PLAIN.fullmatch(name) else others).append(path)
    return plain, others


def _digest(path: str) -> str:
    from hashlib import sha256  # loads OpenSSL

    return sha256(files.read(path, "reference")).hexdigest()


def _update(path: str, text: str) -> None:
    """Write the file unless it has this content: make compares times."""
    if os.path.isfile(path) and files.read(path, "list") == text.encode():
        return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    files.write(path, text)


class CheckOptions(OptionGroup):
    """The submission to check."""

    path: str = argument(metavar="FILE.zip")
    evals: str = option(
        "--evals FILE", f"The campaign's evals (default {EVALS}).", default=EVALS
    )
    output: str | None = option(
        "-o --output DIR", "Write the texts to DIR/LANGUAGE/TEAM/EVAL.txt."
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
    team = os.path.basename(options.path).removesuffix(".zip")
    if not team.strip("."):
        raise UsageError(
            f"{options.path!r} has no name of a team", remedy="name the file TEAM.zip"
        )
    problems = []
    try:
        with files.opened(options.path, "submission") as file, ZipFile(file) as archive:
            names = [
                name for name in archive.namelist() if not _IGNORED.fullmatch(name)
            ]
            problems = [*_of_names(names, evals), *_of_texts(archive, evals)]
    except _UNREADABLE:
        problems = ["not a zip file; compress the folders of languages with zip"]
    if problems:
        streams.emit(
            "".join(escape(f"{options.path}: {what}") + "\n" for what in problems)
        )
        click.get_current_context().exit(1)
    if options.output:
        _extract(options.path, evals, options.output, team)


def _lines(text: bytes) -> list[str]:
    """Return the lines of a text that are not empty.

    Only CR and LF end lines: a name of a file may hold another separator, U+2028.
    """
    return [line.decode() for line in text.splitlines() if line]


def _of_names(names: Sequence[str], evals: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with the names of a submission's files."""
    by_language = {
        code: [*group]
        for code, group in groupby(sorted(evals), lambda name: name.split("/")[0])
    }
    unknown = sorted(
        name for name in set(names) if name.split("/")[0] not in by_language
    )
    if unknown:
        remedy = (
            f"name files LANGUAGE/EVAL.txt; the languages are {', '.join(by_language)}"
        )
        yield f"{shown(unknown)}: not in the folder of a language; {remedy}"
    for name, number in Counter(names).items():
        if number > 1:
            yield f"{name}: {number} times in the archive"
    for language, expected in by_language.items():
        present = {name for name in names if name.split("/")[0] == language}
        if extra := sorted(present.difference(expected)):
            yield f"{language}: not in the campaign: {shown(extra)}"
        if present and (missing := [name for name in expected if name not in present]):
            yield (
                f"{language}: {len(missing)} of {len(expected)} texts are missing:"
                f" {shown(missing)}"
            )
    if not names:
        yield f"no text; expected files such as {min(evals)}"


def _entries(archive: ZipFile, evals: Collection[str]) -> list[ZipInfo]:
    """Return the campaign's texts in the archive, by name."""
    entries = [entry for entry in archive.infolist() if entry.filename in evals]
    return sorted(entries, key=lambda entry: entry.filename)


def _of_texts(archive: ZipFile, evals: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with the texts of a submission, which are read one at a
    time.
    """
    total = 0
    for entry in _entries(archive, evals):
        name = entry.filename
        if stat.S_ISLNK(entry.external_attr >> 16):
            yield f"{name}: a link to another file; put the file into the archive"
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


def _extract(path: str, evals: Collection[str], folder: str, team: str) -> None:
    """Write the texts of a checked submission to FOLDER/LANGUAGE/TEAM/EVAL.txt."""
    with ZipFile(path) as archive:
        for entry in _entries(archive, evals):
            language, name = entry.filename.split("/")
            target = os.path.join(folder, language, team, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            files.write_bytes(target, _read(archive, entry))


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
    findings: str | None = option(
        "--findings DIR", "Folder of the output of `check`, TEAM.txt each."
    )
    output: str | None = option(
        "-o --output FILE", "Write the page to FILE (- is stdout)."
    )


@command.command("page")
@takes
def page(options: LeaderboardOptions) -> None:
    """Write a leaderboard, with a section for each language.

    PAGES are LANGUAGE.html, the output of `report`. Empty files are skipped.

    Example: rouge-cli campaign page pages/*.html -o leaderboard.html
    """
    output.check_suffix(
        options.output, "htm html", "a page is HTML: end the name in .html"
    )
    require("a page needs", "jinja2", extra="report")
    output.check_targets([options.output], options.paths)
    from rouge_cli.studies.page_html import SCRIPTS  # costs start-up time

    script = html.digest(html.joined(SCRIPTS))
    sections = []
    for path in options.paths:
        code = os.path.basename(path).removesuffix(".html")
        text = files.text(path, "page").decode()
        if code not in languages.profiles():
            remedy = "name it LANGUAGE.html (see rouge-cli list languages)"
            raise UsageError("not the page of a language", where=path, remedy=remedy)
        if text:
            _check_page(text, path, script)
            sections.append((languages.named(code), text))
    names = sorted(os.listdir(options.findings)) if options.findings else []
    found = {
        name: files.text(os.path.join(options.findings or "", name), "findings")
        for name in names
    }
    rejected = [
        (name.removesuffix(".txt"), _lines(text))
        for name, text in found.items()
        if text
    ]
    filled = html.fill(
        "leaderboard.html.j2",
        title=options.title,
        sections=sections,
        section_script=script,
        rejected=rejected,
    )
    output.write(filled, options.output)


def _check_page(text: str, path: str, script: str) -> None:
    """Raise RougeError for a page that is not of `report`, or whose script is not the
    one with this hash.
    """
    policy = _POLICY.search(text)
    if not policy:
        remedy = "expected the output of rouge-cli report"
        raise RougeError("not a page", where=path, remedy=remedy)
    if policy[1] != script:
        remedy = "write it again: rouge-cli report"
        raise RougeError(
            "a page with another script than this version's", where=path, remedy=remedy
        )
