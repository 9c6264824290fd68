"""The conformance kit accepts correct programs, the drop-in among them, and rejects
incorrect ones.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from everyday import sampled, share

from tests.conftest import ROOT, Program

KIT = ROOT / "compat" / "conformance"
TARGETED = ROOT / "fixtures" / "rouge155" / "targeted.jsonl"

DASHES = "-" * 45 + "\n"
AVERAGES = "".join(
    f"1 {{0}} Average_{x}: 0.50000 (95%-conf.int. 0.25000 - 0.75000)\n" for x in "RPF"
)
ROUGE_L, ROUGE_W = (DASHES + AVERAGES.format(tag) for tag in ("ROUGE-L", "ROUGE-W-1.2"))

# Stands in for a program: prints what its first argument, a JSON file, contains.
FAKE = """
import json, sys
script = json.load(open(sys.argv[1]))
sys.stdout.buffer.write(script["stdout"].encode("latin-1"))
sys.stderr.write(script["stderr"])
sys.exit(script["exit"])
"""


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run run.py as its users do."""
    command = [sys.executable, str(KIT / "run.py"), *arguments]
    return subprocess.run(
        command,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def golden(folder: Path, outcome: str, stdout: str) -> Path:
    """Write a file with one golden case."""
    case = {"id": "one", "files": {"sub/a.txt": "a\xe9\r\n"}, "argv": ["-a", "s.xml"]}
    path = folder / "cases.jsonl"
    path.write_text(json.dumps(case | {"outcome": outcome, "stdout": stdout}) + "\n")
    return path


def fake(folder: Path, stdout: str = "", stderr: str = "", status: int = 0) -> str:
    """Return the command line of a program that prints and exits so for any
    arguments.
    """
    (folder / "fake.py").write_text(FAKE)
    script = folder / "script.json"
    script.write_text(json.dumps({"stdout": stdout, "stderr": stderr, "exit": status}))
    return shlex.join([sys.executable, str(folder / "fake.py"), str(script)])


def complaint(
    kit: SimpleNamespace,
    expected: tuple[str, str],
    got: tuple[int | None, str, str],
    *,
    original: bool = False,
) -> str | None:
    """Return the complaint about (exit status, stdout, stderr) if (outcome, stdout)
    is expected.
    """
    case = kit.cases.Case("id", {}, [], *expected)
    status, stdout, stderr = got
    result: str | None = kit.judge.judge(
        case,
        kit.execute.Run(status, stdout.encode("latin-1"), stderr.encode()),
        original=original,
    )
    return result


def test_a_program_that_prints_the_golden_bytes_passes(tmp_path: Path) -> None:
    """Equal bytes and exit status 0 are all that an `ok` case requires."""
    cases = golden(tmp_path, "ok", ROUGE_L)
    ended = run(fake(tmp_path, ROUGE_L, "a notice\n"), "--cases", str(cases))
    assert (ended.returncode, ended.stdout) == (
        0,
        "outcomes: 1 ok\n1 passed, 0 failed\n",
    )


def test_an_executable_has_to_answer_so_many_cases_itself(tmp_path: Path) -> None:
    """With --answers a run that is not handed over is no failure, unless too few are
    answered; without it, it is.
    """
    cases = golden(tmp_path, "ok", ROUGE_L)
    words = [fake(tmp_path, "", "not handed over\n", status=126), "--cases", str(cases)]
    enough, too_few = (run(*words, "--answers", number) for number in "01")

    assert enough.returncode == 0
    assert enough.stdout.endswith("0 answered by the executable, 1 handed over\n")
    assert too_few.returncode == 1
    assert too_few.stdout.endswith("fewer than 1 answered\n")
    assert run(*words).returncode == 1


def test_digests_of_a_setup_that_is_drawn_otherwise_are_refused(
    kit: SimpleNamespace,
) -> None:
    """A recorded report counts for the set-up that the original ran, and for no other."""
    digest = kit.digests.load(ROOT / "fixtures" / "rouge155" / "ordinary.tsv")[0]

    assert kit.digests.of_setup(digest.case()) == digest.setup
    with pytest.raises(ValueError, match="set-up 0 is drawn otherwise"):
        digest._replace(setup="0").case()


def test_a_program_that_prints_other_bytes_fails_and_the_first_difference_is_shown(
    tmp_path: Path,
) -> None:
    """A wrong digit fails the run, and its line is shown both ways."""
    cases = golden(tmp_path, "ok", ROUGE_L)
    ended = run(
        fake(tmp_path, ROUGE_L.replace("0.75000", "0.75001")), "--cases", str(cases)
    )
    assert ended.returncode == 1
    assert re.search(
        r"^one: line 2: expected '.*0\.75000\)' / got '.*0\.75001\)'$",
        ended.stdout,
        re.MULTILINE,
    )
    assert ended.stdout.endswith("0 passed, 1 failed\n")


OTHER_SYSTEM = ROUGE_L.replace("1 R", "2 R")
DETAILS = "." * 45 + "\n1 ROUGE-W-1.2 Eval 1.1 R:0.50000 P:0.50000 F:0.50000\n"
COUNTS = DASHES + "1 ROUGE-W-1.2 M_count: 3 P_count: 2 H_count: 1\n"
NOTICES = "".join(f"peer 1 is missing from evaluation {n}\n" for n in range(50))
# The outcome under the original, its output, the candidate's outcome -> the fault;
# empty if there is none.
VERDICTS = [
    # Line ends, exit status, tracebacks and time count as much as digits do.
    ("ok", ROUGE_L, (0, ROUGE_L[:-1], ""), "line 5: expected '' / got nothing"),
    ("ok", ROUGE_L, (0, ROUGE_L + "\n", ""), "line 6: expected nothing / got ''"),
    ("ok", ROUGE_L, (0, "", ""), "line 1: expected"),
    ("ok", ROUGE_L, (0, ROUGE_L.replace("\n", "\r\n"), ""), "line 1: expected"),
    ("ok", ROUGE_L, (1, ROUGE_L, "no"), "exit code 1 instead of 0: 'no'"),
    (
        "ok",
        ROUGE_L,
        (-11, ROUGE_L, ""),
        "exit code -11 instead of 0: nothing on stderr",
    ),
    ("ok", ROUGE_L, (0, ROUGE_L, "Traceback (most recent call last):"), "traceback"),
    ("ok", ROUGE_L, (None, "", ""), "out of time"),
    # A refusal is one message, also after notices of one kind; no output, no traceback,
    # not a crash.
    ("error", "", (0, "", "no such file\n"), "exit code is 0"),
    ("error", "", (2, ROUGE_L, "no such file\n"), "bytes were printed"),
    ("error", "", (2, "", "\n"), "without a message"),
    ("error", "", (2, "", "Traceback (most recent call last):\n  boom\n"), "traceback"),
    ("error", "", (2, "", "".join(f"{'x' * n}\n" for n in range(1, 40))), "39 lines"),
    ("error", "", (-9, "", "Killed"), "killed by signal 9"),
    ("error", "", (2, "", NOTICES + "s.xml:7: no such file\n"), ""),
    # After a crash of the original a whole report with a notice is due: averages,
    # counts, details.
    (
        "crash",
        ROUGE_L,
        (1, ROUGE_L, "division by zero"),
        "exit code 1 where a report is due",
    ),
    ("crash", ROUGE_L, (0, ROUGE_L + ROUGE_W, ""), "no notice"),
    ("crash", ROUGE_L, (0, ROUGE_W, "empty model"), "line 2: expected"),
    ("crash", ROUGE_L, (0, ROUGE_L, "empty model"), "no ROUGE-W"),
    (
        "crash",
        ROUGE_L,
        (0, ROUGE_L + ROUGE_W[:-60], "empty model"),
        "does not end with a line end",
    ),
    (
        "crash",
        ROUGE_L,
        (0, ROUGE_L + ROUGE_W[: ROUGE_W.rindex("1 ROUGE")], "empty model"),
        "not whole",
    ),
    ("crash", ROUGE_L, (0, ROUGE_L + ROUGE_W + DASHES, "empty model"), "not whole"),
    (
        "crash",
        ROUGE_L,
        (0, ROUGE_L + ROUGE_W + ROUGE_L.replace("1 R", "2 R"), "empty model"),
        "the same measures",
    ),
    ("crash", ROUGE_L, (0, ROUGE_L + ROUGE_W, "empty model"), ""),
    ("crash", ROUGE_L, (0, ROUGE_L + ROUGE_W + DETAILS, "empty model"), ""),
    ("crash", ROUGE_L, (0, ROUGE_L + COUNTS, "empty model"), ""),
]


@pytest.mark.parametrize(("outcome", "expected", "got", "fault"), VERDICTS)
def test_a_verdict_names_the_fault(
    kit: SimpleNamespace,
    outcome: str,
    expected: str,
    got: tuple[int | None, str, str],
    fault: str,
) -> None:
    """Each fault of a report, a refusal or an answer to a crash is named, and what
    is right passes.
    """
    verdict = complaint(kit, (outcome, expected), got)

    assert fault in (verdict or "") if fault else verdict is None


def test_a_program_that_accepts_what_the_original_refuses_fails(tmp_path: Path) -> None:
    """Exit status 0 on an `error` case fails the run."""
    ended = run(fake(tmp_path, ROUGE_L), "--cases", str(golden(tmp_path, "error", "")))
    assert ended.returncode == 1
    assert ended.stdout.startswith("one: error expected, but the exit code is 0\n")


def test_the_original_may_crash_but_its_reports_are_compared(
    kit: SimpleNamespace,
) -> None:
    """--original lets it print before it refuses or crashes, but not exit with 0,
    nor print other bytes.
    """
    for outcome in ("error", "crash"):
        assert (
            complaint(kit, (outcome, ""), (255, ROUGE_L, "died\n" * 99), original=True)
            is None
        )
        assert complaint(kit, (outcome, ""), (0, ROUGE_L, "fine"), original=True)
    assert complaint(kit, ("ok", ROUGE_L), (0, ROUGE_W, ""), original=True)


def test_a_program_that_hangs_fails(tmp_path: Path) -> None:
    """A program that exceeds the time limit fails."""
    sleeper = f"{sys.executable} -c 'import time; time.sleep(60)'"
    ended = run(
        sleeper, "--timeout", "0.5", "--cases", str(golden(tmp_path, "error", ""))
    )
    assert (ended.returncode, ended.stdout.splitlines()[0]) == (1, "one: out of time")


def test_a_failing_case_can_be_kept_and_repeated(tmp_path: Path) -> None:
    """--keep leaves the files byte for byte, expected and actual output, and the
    command to repeat it.
    """
    cases = golden(tmp_path, "ok", ROUGE_L)
    run(
        fake(tmp_path, ROUGE_W, "noted"),
        "--cases",
        str(cases),
        "--keep",
        str(tmp_path / "kept"),
    )
    folder = tmp_path / "kept" / "one"
    assert (folder / "sub" / "a.txt").read_bytes() == b"a\xe9\r\n"
    assert (folder / "expected.stdout").read_text() == ROUGE_L
    assert (folder / "got.stdout").read_text() == ROUGE_W
    assert (folder / "got.stderr").read_text() == "noted"
    again = subprocess.run(
        ["sh", "command"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert again.stdout == ROUGE_W


def test_the_program_sees_the_data_folder_the_arguments_and_the_files(
    tmp_path: Path,
) -> None:
    """PROGRAM is run with -e DATA and the case's arguments, in the folder of the
    case's files.
    """
    show = tmp_path / "show.py"
    show.write_text("import sys\nprint(sys.argv[1:], open('sub/a.txt', 'rb').read())\n")
    cases = golden(tmp_path, "ok", "['-e', '/data', '-a', 's.xml'] b'a\\xe9\\r\\n'\n")
    ended = run(f"{sys.executable} {show}", "--data", "/data", "--cases", str(cases))
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize("content", ["[1]\n", '{"id": "x"}\n', "{"])
def test_an_unusable_case_file_is_an_error_of_usage(
    tmp_path: Path, content: str
) -> None:
    """A broken case file does not count as a pass."""
    cases = tmp_path / "cases.jsonl"
    cases.write_text(content)
    assert run(fake(tmp_path), "--cases", str(cases)).returncode == 2


def test_a_missing_case_file_or_program_is_an_error_of_usage(tmp_path: Path) -> None:
    """A missing case file or program does not count as a pass."""
    assert run(fake(tmp_path), "--cases", str(tmp_path / "nosuch")).returncode == 2
    assert (
        run("/no/such/program", "--cases", str(golden(tmp_path, "ok", ""))).returncode
        == 2
    )


def test_a_missing_original_skips_or_fails_with_the_remedy(tmp_path: Path) -> None:
    """The missing part and the command that installs it are named; only
    --require-original fails.
    """
    program = fake(tmp_path)
    skipped = run(program, "--random", "3", ROUGE_ORIGINAL_HOME=str(tmp_path))
    assert skipped.returncode == 0
    assert f"there is no {tmp_path / 'ROUGE-1.5.5.pl'}" in skipped.stderr
    assert "Remedy: set ROUGE_ORIGINAL_HOME" in skipped.stderr
    required = run(
        program,
        "--random",
        "3",
        "--require-original",
        ROUGE_ORIGINAL_HOME=str(tmp_path),
    )
    assert required.returncode == 3
    no_perl = run(
        program, "--random", "3", ROUGE_ORIGINAL_HOME=str(tmp_path), PATH=str(tmp_path)
    )
    assert "there is no perl" in no_perl.stderr
    assert "apt-get install -y perl libxml-parser-perl" in no_perl.stderr


def digest_elsewhere(seed: str) -> str:
    """Return what another process, with other hash seeds, draws for a seed."""
    code = (
        "import hashlib, setups\n"
        f"drawn = ''.join(setups.draw({seed!r}, i).as_json() for i in range(60))\n"
        "print(hashlib.sha256(drawn.encode()).hexdigest())\n"
    )
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=KIT, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_set_up_is_named_by_its_seed_and_index(kit: SimpleNamespace) -> None:
    """Each set-up can be drawn again alone, in another process too; other seeds give
    others.
    """
    alone = [kit.setups.draw("7", index).as_json() for index in reversed(range(60))]
    here = hashlib.sha256("".join(reversed(alone)).encode()).hexdigest()
    assert here == digest_elsewhere("7")
    assert here != digest_elsewhere("8")
    assert len(set(alone)) == 60


def drawn_options(kit: SimpleNamespace, index: int) -> dict[str, str | None]:
    """Return the options of one command line."""
    rng = Random(f"options-{index}")
    return dict(kit.setup_options.options(rng, rng.choice(kit.setup_files.FORMATS)))


def test_no_drawn_option_is_one_that_ours_treats_differently_on_purpose(
    kit: SimpleNamespace,
) -> None:
    """Negative limits, fewer than one sample, -m beside -M, -v and -h are left out."""
    for index in range(3000):
        options = drawn_options(kit, index)
        assert not {"v", "h", "H"} & set(options)
        assert not {"m", "M"} <= set(options)
        assert not {"l", "b"} <= set(options)
        for letter in "lb":
            assert not (options.get(letter) or "").strip().startswith("-")
        samples = re.match(r"\s*\+?([\d.]+)", options.get("r") or "1")
        assert samples
        assert float(samples[1]) >= 1


def test_no_drawn_set_up_depends_on_perls_hash_order(kit: SimpleNamespace) -> None:
    """Under -d every evaluation has a leading number of its own, or none."""
    for index in range(500):
        rng = Random(f"plan-{index}")
        drawn = kit.setup_plan.plan(
            rng, "SPL", large=index % 9 == 0, as_list=False, details=True
        )
        heads = [re.match(r"\d+", evaluation.id) for evaluation in drawn.evaluations]
        numbers = [int(head[0]) for head in heads if head]
        assert len(numbers) == len(set(numbers))


def test_drawn_set_ups_vary(kit: SimpleNamespace) -> None:
    """Each option, kind of settings and kind of byte occurs among the first few
    hundred.
    """
    drawn = [kit.setups.draw("1", index) for index in range(400)]
    letters = "".join(word for case in drawn for word in case.argv if word[:1] == "-")
    assert set("abcdeflmMnprst23wuUxz") <= set(letters)
    content = "".join("".join(case.files.values()) for case in drawn)
    for sample in (
        "\r\n",
        "\t",
        "\v",
        "\f",
        "\0",
        "\xe9",
        "\xc3\xa9",
        "<![CDATA[",
        "&#",
        "nil|",
        "SNTNO",
    ):
        assert sample in content
    assert {name for case in drawn for name in case.files} >= {
        "settings.xml",
        "files.lst",
    }


def test_heavy_set_ups_are_heavy(kit: SimpleNamespace) -> None:
    """Each has ROUGE-W, half of them a text of 60 words or more, and none is an
    ordinary one.
    """
    drawn = [kit.setups.draw("1", index, heavy=True) for index in range(40)]
    longest = [max(len(text.split()) for text in case.files.values()) for case in drawn]

    assert all("w" in "".join(case.argv) for case in drawn)
    assert sum(words >= 60 for words in longest) >= 20
    assert {case.as_json() for case in drawn}.isdisjoint(
        kit.setups.draw("1", n).as_json() for n in range(40)
    )


def first_cases(count: int, outcome: str) -> list[dict[str, Any]]:
    """Return the first hand-made golden cases of an outcome."""
    cases = [json.loads(line) for line in TARGETED.read_text("utf-8").splitlines()]
    return [case for case in cases if case["outcome"] == outcome][:count]


def test_the_original_passes_its_own_golden_cases(
    tmp_path: Path, original: SimpleNamespace
) -> None:
    """The original passes as itself, and as a candidate fails if it crashes."""
    cases = tmp_path / "cases.jsonl"
    numbers = {"ok": share(6, 1), "error": share(3, 1), "crash": 1}
    chosen = [
        case
        for outcome, count in numbers.items()
        for case in first_cases(count, outcome)
    ]
    cases.write_text("".join(json.dumps(case) + "\n" for case in chosen))
    ended = run(shlex.join(original.command), "--original", "--cases", str(cases))
    assert ended.stdout.endswith(f"{len(chosen)} passed, 0 failed\n"), ended.stdout
    strict = run(shlex.join(original.command), "--cases", str(cases))
    assert "empty-model-w: exit code 255 where a report is due" in strict.stdout


def test_a_drawn_set_up_is_judged_by_the_live_original(
    tmp_path: Path, original: SimpleNamespace
) -> None:
    """The original agrees with itself on drawn set-ups; a program that prints
    nothing does not.
    """
    set_ups = share(4, 1)
    ended = run(shlex.join(original.command), "--original", "--random", str(set_ups))
    assert ended.stdout.endswith(f"{set_ups} passed, 0 failed\n"), ended.stdout
    silent = run(fake(tmp_path), "--only", "0", "1", "2", "3")
    assert silent.returncode == 1
    assert re.search(
        r"^random-1-[0-3]: line 1: expected '-{45}' / got ''$",
        silent.stdout,
        re.MULTILINE,
    )


def test_the_originals_database_has_the_release_lists(
    original: SimpleNamespace,
) -> None:
    """The database that its package lacks is built by the rule: 5,930 entries, later
    ones count.
    """
    dump = (
        "use DB_File; use Fcntl;"
        "tie my %base, 'DB_File', $ARGV[0], O_RDONLY, 0644, $DB_HASH or die;"
        'print map { "$_\\t$base{$_}\\n" } sort keys %base'
    )
    command = ["perl", "-e", dump, str(original.data / "WordNet-2.0.exc.db")]
    ended = subprocess.run(command, capture_output=True, check=True)
    expected = "9664417fabf7d23f3b962e76244c917f225a182b5aa703807e3588d74c026c6d"
    assert hashlib.sha256(ended.stdout).hexdigest() == expected


@pytest.mark.parametrize("part", sampled(range(20), 20))
def test_random_setups_are_equal_to_the_live_originals(
    part: int,
    kit: SimpleNamespace,
    original: SimpleNamespace,
    drop_in: Program,
    tmp_path: Path,
) -> None:
    """Seeded set-ups end as under the original, byte for byte; `make conformance`
    draws more.
    """
    for index in range(part, 200, 20):
        case = kit.setups.draw("everyday", index)
        theirs = kit.execute.run_case(original.command, case, 600)
        folder = tmp_path / str(index)
        case.write_files(folder)
        status, stdout, stderr = drop_in(
            *(os.fsdecode(word.encode("latin-1")) for word in case.argv), cwd=folder
        )
        case = replace(
            case,
            outcome=kit.run.classify(theirs),
            stdout=theirs.stdout.decode("latin-1"),
        )

        assert (
            kit.judge.judge(case, kit.execute.Run(status, stdout, stderr.encode()))
            is None
        ), case.id
