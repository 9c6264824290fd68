"""Laws of -o: over every command that has it, and the suffix of every report format."""

import sys
from pathlib import Path

import command_tree
import pytest

from rouge_cli import plugins, reports
from rouge_cli.cli import output
from rouge_cli.cli.main import main
from rouge_cli.errors import UsageError
from tests.conftest import Program

# The command, its words without -o (of files that are missing), and its kind of
# results.
REPORTS = {
    "audit": ("x", "audit"), "compare": ("x", "comparison"),
    "plan": ("x", "plan"), "correlate": ("x y", "correlation"),
    "explain": ("x y", "explanation"), "identify": ("x --published R1=1", "identification"),
    "merge": ("x", "scores"), "rouge2": ("x", "project"), "score": ("x", "scores"),
    "sweep": ("x --human y", "sweep"), "timeline": ("-p x -r y", "timeline"),
    "timeline battery": ("x", "battery"),
}  # fmt: skip
BETWEEN_DIALECTS = ("x y --dialects", "dialects")
# Commands with one format, and the format of reports whose suffix they take.
OTHERS = {
    "campaign page": ("x", "html"), "report": ("x", "html"),
    "settings": ("--pred x --ref y", "text"), "oracle": ("x", "jsonl"),
}  # fmt: skip
# They write texts or pairs, not reports; convert requires their format, --to.
NO_REPORT = {"campaign check", "convert", "similar"}

SUFFIXES = {
    suffix: name
    for name in reports.names()
    for suffix in {
        name,
        getattr(plugins.module(reports.__name__, name), "SUFFIX", name),
    }
}
CASES = [
    *(
        (name, words, reports.names_for(kind))
        for name, (words, kind) in REPORTS.items()
    ),
    ("explain", BETWEEN_DIALECTS[0], reports.names_for(BETWEEN_DIALECTS[1])),
    *((name, words, [only]) for name, (words, only) in OTHERS.items()),
]


WORDS = {
    name: {word for param in command.params for word in param.opts}
    for name, command in command_tree.commands()
}


@pytest.mark.parametrize("name", [name for name in WORDS if "-o" in WORDS[name]])
def test_every_command_with_an_output_is_here(name: str) -> None:
    """A command with -o is among the cases; it has --format if its results have
    several formats.
    """
    known = {*REPORTS, *OTHERS, *NO_REPORT}
    assert name in known, f"{name}: has -o; add it to REPORTS, OTHERS or NO_REPORT"
    assert "--format" in WORDS[name] or name not in REPORTS, f"{name}: no --format"
    assert "--to" in WORDS["convert"]


@pytest.mark.parametrize(
    ("name", "words", "rendered"), CASES, ids=[" ".join(case[:2]) for case in CASES]
)
def test_a_suffix_names_the_format_or_is_refused(
    name: str,
    words: str,
    rendered: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A suffix of a format that the command does not write is an error, before
    anything is read.
    """
    monkeypatch.chdir(tmp_path)
    assert 1 <= len(rendered) < len(set(SUFFIXES.values()))
    for suffix, format_ in SUFFIXES.items():
        target = f"out.{suffix}"
        monkeypatch.setattr(
            sys, "argv", ["rouge-cli", *name.split(), *words.split(), "-o", target]
        )
        with pytest.raises(SystemExit) as ended:
            main()
        stdout, stderr = capsys.readouterr()
        other = (
            f"report format {format_!r}",
            f"suffix .{suffix} is that of another format",
        )
        refused = stderr.startswith(f"rouge-cli: {target}: ") and any(
            what in stderr for what in other
        )

        assert refused == (format_ not in rendered), stderr
        assert ended.value.code == (2 if refused else 1), stderr
        assert "" == stdout
        assert not refused or stderr.count("\n") == 1
        assert not (tmp_path / target).exists()


@pytest.mark.parametrize("name", REPORTS)
def test_a_compression_is_written_or_refused(name: str, here: Program) -> None:
    """A suffix that promises a compression which is not written is an error, even if a
    format is named; before .gz and .zst, the suffix names the format.
    """
    command = (*name.split(), *REPORTS[name][0].split(), "-o")
    for options in ((), ("--format", "json")):
        status, _, stderr = here(*command, "out.json.xz", *options)
        refusal = "out.json.xz: .xz is read, but not written; name a .gz or .zst"
        assert (2, f"rouge-cli: {refusal}, or leave .xz out\n") == (status, stderr)
    for suffix in (".gz", ".zst"):
        status, _, stderr = here(*command, f"out.json{suffix}")
        assert (1, True) == (status, "out.json" not in stderr), stderr
        status, _, stderr = here(*command, f"out.foo{suffix}")
        assert (2, True) == (status, "no report format has the suffix .foo" in stderr)


def test_a_new_kind_is_refused_in_the_same_words() -> None:
    """Every kind of results refuses the suffixes of formats that do not render it."""
    for kind in list(reports.KINDS):
        for suffix, name in SUFFIXES.items():
            if reports.renders(name, kind):
                assert name == output.chosen_format(kind, None, f"x.{suffix.upper()}")
            else:
                with pytest.raises(
                    UsageError, match=f"report format '{name}' does not render results"
                ):
                    output.chosen_format(kind, None, f"x.{suffix}")
