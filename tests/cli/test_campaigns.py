"""The folder of a campaign holds whatever strangers put there, and make may be killed
at any time.
"""

import os
import re
import stat
import subprocess
import unicodedata
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest
from click.testing import CliRunner
from running import wait_until

from rouge_cli.cli.main import group
from rouge_cli.text import languages
from tests.conftest import ROUGE_CLI, Program

TEXTS = {"1.txt": "El niño comió la piña.\n", "2.txt": "La niña bebió agua fría.\n"}
OTHERS = {"1.txt": "Otra cosa comió.\n", "2.txt": "Un perro bebió agua.\n"}
# Kills make, its shells and this program at the n-th file that a command replaces.
KILLER = """
import os, signal, sys
command, number = os.environ.get("KILLED", ":0").split(":")
count = 0
replace = os.replace
def counted(*names, **options):
    global count
    count += 1
    if command in sys.argv[1:3] and count == int(number):
        os.killpg(os.getpgid(0), signal.SIGKILL)
    replace(*names, **options)
os.replace = counted
"""


def submit(folder: Path, team: str, texts: dict[str, str], time: int = 1000) -> None:
    """Write a submission, by renaming, with this time."""
    with ZipFile(folder / "new", "w") as archive:
        for name, text in texts.items():
            archive.writestr(f"es/{name}", text)
    os.utime(folder / "new", (time, time))
    os.replace(folder / "new", folder / "submissions" / f"{team}.zip")


def write(folder: Path, texts: dict[str, str]) -> None:
    """Write texts to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


@pytest.fixture
def campaign(program: Program, tmp_path: Path) -> Path:
    """Begin a campaign with a team."""
    program(ROUGE_CLI, "campaign", "init", "c", "--languages", "es", cwd=tmp_path)
    write(tmp_path / "c" / "references" / "es", TEXTS)
    submit(tmp_path / "c", "alpha", OTHERS)
    return tmp_path / "c"


def make(folder: Path, *words: str, **variables: str) -> tuple[int, str]:
    """Run make in a session of its own; return its status and all that it prints."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not re.search("ROUGE|^MAKE|^MFLAGS", name)
    }
    environment["PATH"] = f"{Path(ROUGE_CLI).parent}:/usr/bin:/bin"
    outcome = subprocess.run(
        ["make", "-j1", *(words or ("leaderboard",))],
        cwd=folder,
        env=environment | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        timeout=100,
        check=False,
    )
    return outcome.returncode, outcome.stdout


def scores(folder: Path) -> dict[str, str]:
    """Return the scores and the texts below build, and the copies of references.

    Hidden files of a killed process stay until the next one writes there.
    """
    found = {}
    for part in ("scores", "texts", "references"):
        for path in sorted((folder / "build" / part).rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                found[str(path.relative_to(folder))] = path.read_text("utf-8")
    return found


def test_what_is_scored_is_what_the_manifest_lists(campaign: Path) -> None:
    """No file that the manifest skips changes a score or causes work."""
    assert 0 == make(campaign)[0]
    before = scores(campaign)
    references = campaign / "references" / "es"
    write(references / "a person", TEXTS)
    write(references / ".hidden", TEXTS)
    write(references / "1.TXT", {"1.txt": "Un gato."})
    others = dict.fromkeys(("1.txt~", "2.TXT", "2.md", "1.A.txt.gz"), "Otra cosa.")
    write(references, others)
    _, printed = make(campaign)
    (references / "1.TXT" / "1.txt").unlink()
    make(campaign, "OPTIONS=--samples 1000")

    assert "contains files (1.txt, 2.txt) and folders" in printed
    assert {path: before[path] for path in before if "scores" not in path} == {
        path: text for path, text in scores(campaign).items() if "scores" not in path
    }
    assert before == scores(campaign)
    _, printed = make(campaign)
    assert before == scores(campaign)
    for name in (*others, "a person"):
        assert 1 == printed.count(f"references/es/{name}: skipped because"), name


def test_two_makes_do_not_share_a_folder(campaign: Path) -> None:
    """While a make works in a folder another one is refused with one message, and what
    it has killed or finished holds nobody up.
    """
    slow = campaign / "slow.mk"
    slow.write_text(
        "include Makefile\nleaderboard: wait\n"
        "wait: ; @touch begun; while test -e begun; do sleep 0.1; done\n"
    )
    with ThreadPoolExecutor() as pool:
        first = pool.submit(make, campaign, "-f", "slow.mk", "wait")
        wait_until((campaign / "begun").exists)
        second = make(campaign)
        (campaign / "begun").unlink()
        assert 0 == first.result()[0]
    third = make(campaign)

    messages = [line for line in second[1].splitlines() if "rouge-cli: " in line]
    assert 2 == second[0]
    assert 1 == len(messages)
    assert re.fullmatch(
        r"rouge-cli: build/lock: process \d+, another make, works in this folder;"
        " wait for its end, or delete the file if it is no make",
        messages[0],
    )
    assert 0 == third[0]


@pytest.mark.parametrize(
    "content", [b"", b"\xff\x00 1", b"x " + b"9" * 5000, b"0" * 99]
)
def test_a_lock_that_is_damaged_holds_nobody_up(content: bytes, campaign: Path) -> None:
    """A lock that names no process of this machine is replaced."""
    (campaign / "build").mkdir()
    (campaign / "build" / "lock").write_bytes(content)

    assert 0 == make(campaign, "evals.txt")[0]


def test_a_reference_that_is_gone_is_not_scored(campaign: Path) -> None:
    """The copies of references are exactly the references of this run: nothing that a
    person left in build is scored, removed elsewhere, or written to.
    """
    (campaign / "precious").mkdir()
    (campaign / "precious" / "1.txt").write_text("mine")
    copies = campaign / "build" / "references"
    copies.mkdir(parents=True)
    (copies / "es").symlink_to("../../precious")
    make(campaign)
    (copies / "es" / "1.txt").unlink()
    (copies / "es" / "1.txt").symlink_to("../../../precious/1.txt")
    write(copies / "es" / "someone", TEXTS)
    os.replace(campaign / "references/es/2.txt", campaign / "2.txt")
    submit(campaign, "alpha", {"1.txt": OTHERS["1.txt"]})
    status, printed = make(campaign)

    assert 0 == status, printed
    assert ["1.txt"] == os.listdir(copies / "es")
    assert TEXTS["1.txt"] == (copies / "es" / "1.txt").read_text("utf-8")
    assert "mine" == (campaign / "precious" / "1.txt").read_text()
    assert (campaign / "build/scores/es/alpha.json").stat().st_size


@pytest.mark.parametrize(
    "time", [1, *(pytest.param(time, marks=pytest.mark.slow) for time in (1000, 2**31))]
)
def test_a_submission_is_known_by_its_content(campaign: Path, time: int) -> None:
    """A submission that replaces another is scored, whatever its time is."""
    make(campaign)
    before = (campaign / "build/scores/es/alpha.json").read_text()
    submit(campaign, "alpha", TEXTS, time)
    make(campaign)
    after = (campaign / "build/scores/es/alpha.json").read_text()
    _, printed = make(campaign)

    assert before != after
    assert TEXTS["1.txt"] == (campaign / "build/texts/es/alpha/1.txt").read_text(
        "utf-8"
    )
    assert "rouge-cli score" not in printed
    assert "rouge-cli campaign check" not in printed


# Name of a submission -> why it is skipped.
UNUSED = {
    "TEAM.ZIP": "its name does not end in .zip",
    "team.zip.bak": "its name does not end in .zip",
    "README": "its name does not end in .zip",
    "sub": "it is a folder",
    "folder.zip": "it is a folder",
    "pipe.zip": "it is not a regular file",
    "dangling.zip": "it is a link",
    "passwd.zip": "it is a link",
    ".zip": "of its name",
    ".hidden.zip": "of its name",
    "-o.zip": "of its name",
    "=1+1.zip": "of its name",
    "+1.zip": "of its name",
    "@a.zip": "of its name",
    "$(shell touch pwned).zip": "of its name",
    "%.zip": "of its name",
    "a b.zip": "of its name",
    "e\u0301.zip": "of its name",
    f"{'x' * 230}.zip": "its name is longer than 200 bytes",
}


def test_what_is_not_scored_is_named_once(campaign: Path) -> None:
    """Everything among the submissions that is not scored is named once, with the
    reason; nothing but regular files is opened, and the others are scored.
    """
    submissions = campaign / "submissions"
    for name, reason in UNUSED.items():
        path = submissions / name
        if reason == "it is a folder":
            path.mkdir()
            submit(campaign, f"{name}/x", TEXTS)
        elif reason == "it is a link":
            path.symlink_to("/etc/passwd" if name == "passwd.zip" else "nowhere")
        elif reason == "it is not a regular file":
            os.mkfifo(path)
        else:
            path.write_bytes((submissions / "alpha.zip").read_bytes())
    (submissions / ".gitkeep").touch()
    os.mkfifo(campaign / "references" / "es" / "pipe.txt")
    status, printed = make(campaign)

    assert 0 == status, printed
    for name, reason in UNUSED.items():
        assert 1 == printed.count(f"submissions/{name}: skipped because {reason}; "), (
            name
        )
    assert "references/es/pipe.txt: skipped because it is not a regular" in printed
    assert len(UNUSED) + 1 == printed.count("skipped because")
    assert ["alpha.json"] == os.listdir(campaign / "build" / "scores" / "es")
    assert not [*campaign.rglob("pwned*")]


@pytest.mark.parametrize("name", ["x.zip", "es.html", "findings/x.txt"])
def test_a_pipe_is_never_waited_for(
    name: str, program: Program, tmp_path: Path
) -> None:
    """A pipe in place of a submission, a page or findings is an error at once."""
    (tmp_path / "findings").mkdir()
    (tmp_path / "evals.txt").write_text("es/1.txt\n")
    os.mkfifo(tmp_path / name)
    words = ["page", "--findings", "findings", "-o", "all.html", "es.html"]
    if name != "es.html":
        words.pop()
    if name == "x.zip":
        words = ["check", "x.zip"]
    words = ["timeout", "20", ROUGE_CLI, "campaign", *words]
    status, _, stderr = program(*words, cwd=tmp_path)

    assert int(name != "findings/x.txt") == status
    assert stderr.startswith(f"rouge-cli: {name}: ")
    assert "not a regular file" in stderr
    assert 1 == stderr.count("\n")


STEPS = [
    *(("manifest", number) for number in range(1, 6)),
    *(("check", number) for number in range(1, 4)),
    *(("score", 1), ("report", 1), ("page", 1)),
]


@pytest.mark.parametrize(
    ("command", "number"),
    [
        pytest.param(*step, marks=[pytest.mark.slow] * (step != ("check", 2)))
        for step in STEPS
    ],
)
def test_nothing_half_written_is_taken_for_whole(
    command: str, number: int, campaign: Path, tmp_path: Path
) -> None:
    """Whatever was being written when make and its programs were killed, the next make
    ends as an undisturbed one.
    """
    (tmp_path / "killer").mkdir()
    (tmp_path / "killer" / "sitecustomize.py").write_text(KILLER)
    submit(campaign, "beta", TEXTS)
    if number > 1 and command == "manifest":
        make(campaign)
    write(campaign / "references" / "es", {"1.txt": "El niño comió.", "3.txt": "Y él."})
    for team in ("alpha", "beta"):
        submit(campaign, team, TEXTS | {"3.txt": "Y ella."}, 999)
    status, printed = make(
        campaign, PYTHONPATH=str(tmp_path / "killer"), KILLED=f"{command}:{number}"
    )
    assert -9 == status, printed
    assert 0 == make(campaign)[0]
    page, found = (campaign / "leaderboard.html").read_text("utf-8"), scores(campaign)
    make(campaign, "clean")
    make(campaign)

    assert found == scores(campaign)
    assert page == (campaign / "leaderboard.html").read_text("utf-8")


def archive_with(path: Path, *entries: tuple[ZipInfo | str, str]) -> None:
    """Write an archive; a name may be repeated."""
    with warnings.catch_warnings(), ZipFile(path, "w") as archive:
        warnings.simplefilter("ignore")
        for name, text in entries:
            archive.writestr(name, text)


def linked(name: str, kind: int = stat.S_IFLNK) -> ZipInfo:
    """Return the entry of a link, or of another kind."""
    entry = ZipInfo(name)
    entry.create_system, entry.external_attr = 3, (kind | 0o777) << 16
    return entry


EVAL = "es/niño.txt"
TEXT = "El niño comió."
GOOD = (EVAL, TEXT)
# The entries of an archive, and what `check` prints of it.
ENTRIES = [
    ([GOOD], ""),
    ([(unicodedata.normalize("NFD", EVAL), TEXT)], ""),
    (
        [GOOD, (unicodedata.normalize("NFD", EVAL), TEXT)],
        f"{EVAL}: 2 times in the arch",
    ),
    ([GOOD, GOOD], f"{EVAL}: 2 times in the archive"),
    ([GOOD, ("es/NIÑO.txt", TEXT)], "es: not in the campaign: es/NIÑO.txt"),
    ([GOOD, ("/es/niño.txt", TEXT)], "/es/niño.txt: not in the folder of a language"),
    ([GOOD, ("../es/niño.txt", TEXT)], "../es/niño.txt: not in the folder of a lang"),
    ([GOOD, ("es/../../x", TEXT)], "es: not in the campaign: es/../../x"),
    ([GOOD, ("es/./niño.txt", TEXT)], "es: not in the campaign: es/./niño.txt"),
    ([GOOD, ("es//niño.txt", TEXT)], "es: not in the campaign: es//niño.txt"),
    ([GOOD, ("es\\niño.txt", TEXT)], "es\\niño.txt: not in the folder of a language"),
    ([GOOD, (linked("es"), "/etc")], "es: not in the campaign: es"),
    ([(linked(EVAL), "/etc/passwd")], f"{EVAL}: a link to another file"),
    ([GOOD, ("es/\x1b]0;x\x07", "")], "es: not in the campaign: es/\\x1b]0;x\\x07"),
]


@pytest.mark.parametrize(("entries", "message"), ENTRIES)
def test_a_name_in_an_archive_is_an_eval_or_a_problem(
    entries: list[tuple[ZipInfo | str, str]],
    message: str,
    program: Program,
    tmp_path: Path,
) -> None:
    """A text is that of the eval whose name it has, in any form of Unicode; every other
    name is a problem, and nothing is written outside the folder of texts.
    """
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "evals.txt").write_text(f"{EVAL}\n", "utf-8")
    archive_with(tmp_path / "here" / "x.zip", *entries)
    words = ("campaign", "check", "x.zip", "-o", "texts", "--findings", "found")
    status, stdout, stderr = program(ROUGE_CLI, *words, cwd=tmp_path / "here")
    texts = [path.name for path in (tmp_path / "here" / "texts").rglob("*.txt")]
    findings = (tmp_path / "here" / "found").read_text("utf-8")

    assert (int(bool(message)), b"", "") == (status, stdout, stderr)
    assert findings.startswith(f"x.zip: {message}" if message else "")
    assert bool(message) == bool(findings)
    assert ([] if message else ["niño.txt"]) == texts
    assert ["here"] == os.listdir(tmp_path)


def test_utf8_names_need_no_mark(program: Program, tmp_path: Path) -> None:
    """Names in UTF-8 are read as such, also if the archive does not mark them, as zip
    on many systems does not.
    """
    (tmp_path / "evals.txt").write_text(f"{EVAL}\n", "utf-8")
    archive_with(tmp_path / "x.zip", GOOD)
    data = bytearray((tmp_path / "x.zip").read_bytes())
    for start, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        mark = data.index(start) + place
        data[mark : mark + 2] = b"\0\0"
    (tmp_path / "x.zip").write_bytes(data)

    outcome = program(ROUGE_CLI, "campaign", "check", "x.zip", cwd=tmp_path)
    assert (0, b"", "") == outcome[:3]


def overstated(data: bytes) -> bytes:
    """Return an archive whose zip64 record has a directory of 2^62 bytes."""
    end = data.rindex(b"PK\5\6")
    size, offset = data[end + 12 : end + 16], data[end + 16 : end + 20]
    record = (
        b"PK\6\6" + (44).to_bytes(8, "little") + b"\x2d\0\x2d\0" + bytes(8)
        + (1).to_bytes(8, "little") * 2 + (1 << 62).to_bytes(8, "little")
        + ((1 << 64) - (1 << 62) + int.from_bytes(offset, "little")
           + int.from_bytes(size, "little")).to_bytes(8, "little")
    )  # fmt: skip
    locator = b"PK\6\7" + bytes(4) + end.to_bytes(8, "little") + b"\1\0\0\0"
    ends = b"PK\5\6" + bytes(4) + b"\xff" * 12 + bytes(2)
    return data[:end] + record + locator + ends


def encrypted(data: bytes) -> bytes:
    """Return an archive whose entry is marked as encrypted."""
    marked = bytearray(data)
    for start, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        marked[data.index(start) + place] |= 1
    return bytes(marked)


def with_many_names(data: bytes) -> bytes:
    """Return an archive with 300,000 records of its first entry."""
    start, end = data.index(b"PK\1\2"), data.rindex(b"PK\5\6")
    records = data[start:end] * 300_000
    sizes = len(records).to_bytes(4, "little") + data[end + 16 : end + 20]
    return data[:start] + records + data[end : end + 12] + sizes + data[end + 20 :]


DAMAGES: list[tuple[Callable[[bytes], bytes], str]] = [
    (overstated, "x.zip: not a zip file"),
    (encrypted, "x.zip: es/1.txt: encrypted; make the archive without a password"),
    (with_many_names, "x.zip: the names of its files take more than 10,000,000 bytes"),
    (lambda data: data + b"\0" * 200_000_001, "x.zip: larger than 200,000,000 bytes"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
def test_a_false_archive_is_a_problem_of_its_own(
    damage: Callable[[bytes], bytes], message: str, program: Program, tmp_path: Path
) -> None:
    """What an archive states of itself costs little memory, and is one line."""
    (tmp_path / "evals.txt").write_text("es/1.txt\n")
    archive_with(tmp_path / "x.zip", ("es/1.txt", TEXT))
    (tmp_path / "x.zip").write_bytes(damage((tmp_path / "x.zip").read_bytes()))
    command = f"ulimit -v 500000; exec {ROUGE_CLI} campaign check x.zip"
    status, stdout, stderr = program("sh", "-c", command, cwd=tmp_path)

    assert (1, "") == (status, stderr)
    assert stdout.decode().startswith(message)
    assert 1 == stdout.count(b"\n")


def test_findings_are_bounded(program: Program, tmp_path: Path) -> None:
    """An archive with endless mistakes has a list that people can read."""
    (tmp_path / "evals.txt").write_text("es/1.txt\n")
    names = [f"es/{'x' * 5000}{number}" for number in range(300)]
    entries = [(name, "") for name in names + names]
    archive_with(tmp_path / "x.zip", *entries)
    stdout = program(ROUGE_CLI, "campaign", "check", "x.zip", cwd=tmp_path).stdout

    assert 101 == stdout.count(b"\n")
    assert stdout.endswith(b"x.zip: and 202 more problems\n")
    assert max(map(len, stdout.splitlines())) < 4000


def test_a_language_of_a_manifest_is_known(program: Program, tmp_path: Path) -> None:
    """The language of a manifest is never a path."""
    outcome = program(ROUGE_CLI, "campaign", "manifest", "../x", cwd=tmp_path)

    assert 2 == outcome.status
    assert [] == os.listdir(tmp_path)


def test_a_list_of_problems_replaces_no_input(here: Program, tmp_path: Path) -> None:
    """The list of problems is never written over the submission or the evals."""
    (tmp_path / "evals.txt").write_text("es/1.txt\n")
    archive_with(tmp_path / "x.zip", ("es/1.txt", TEXT))
    for name in ("x.zip", "evals.txt"):
        before = (tmp_path / name).read_bytes()
        outcome = here("campaign", "check", "x.zip", "--findings", name)
        message = f"rouge-cli: {name} is also an input; write to another file\n"

        assert (2, b"", message) == outcome[:3]
        assert before == (tmp_path / name).read_bytes()


def test_what_is_checked_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The texts are those of the archive that was checked, also if another has its
    name by then.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evals.txt").write_text("es/1.txt\n")
    archive_with(tmp_path / "x.zip", ("es/1.txt", TEXT))
    archive_with(tmp_path / "y.zip", ("es/1.txt", "\0"))
    share = languages.share_of_script

    def replace_archive(text: str, script: str) -> float:
        os.replace("y.zip", "x.zip")
        return share(text, script)

    monkeypatch.setattr(languages, "share_of_script", replace_archive)
    words = ["campaign", "check", "x.zip", "-o", "texts"]
    outcome = CliRunner().invoke(group, words)

    assert (0, "") == (outcome.exit_code, outcome.output)
    assert TEXT == (tmp_path / "texts/es/x/1.txt").read_text("utf-8")
