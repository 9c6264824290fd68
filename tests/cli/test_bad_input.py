"""Bad input gives one clear message on stderr, a documented exit status, and nothing on stdout."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Program

HEAD = """<ROUGE-EVAL>
<EVAL ID="7"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>
"""
SPL = '<INPUT-FORMAT TYPE="SPL"/>\n'
PEERS = '<PEERS><P ID="1">p</P></PEERS>\n'
MODELS = '<MODELS><M ID="A">m</M></MODELS>\n'
TAIL = "</EVAL></ROUGE-EVAL>\n"

# what is wrong -> settings file, command line, exit status, part of the message
CASES = {
    "missing settings": (None, "-a s.xml", 2, "s.xml: cannot read the settings file: No such file"),
    "not well-formed": ("<ROUGE-EVAL>\n<EVAL>\n", "-a s.xml", 255, "s.xml:3:1: not well-formed XML"),
    "a file list without -z": ("p m\n", "-a s.xml", 255, "use -z FORMAT if this is a file list"),
    "no ID": (HEAD + SPL + "<PEERS><P>p</P></PEERS>" + TAIL, "-a s.xml", 255, "s.xml:4: P has no ID"),
    "eval without ID": ("<ROUGE-EVAL><EVAL/></ROUGE-EVAL>", "-a s.xml", 255, "s.xml:1: EVAL has no ID"),
    "unknown format": (
        HEAD + '<INPUT-FORMAT TYPE="XYZ"/>' + PEERS + MODELS + TAIL,
        "-a s.xml",
        255,
        "s.xml:3: eval 7 has the unknown input format 'XYZ'; use one of ISI, SEE, SIMPLE, SPL",
    ),
    "no format": (HEAD + PEERS + MODELS + TAIL, "-a s.xml", 255, "s.xml:2: eval 7 has no INPUT-FORMAT"),
    "missing peer": (
        HEAD + SPL + PEERS.replace(">p<", ">nosuch<") + MODELS + TAIL,
        "-a s.xml",
        2,
        "./nosuch: cannot read the peer 1 of eval 7 (s.xml:2): No such file",
    ),
    "missing model": (
        HEAD + SPL + PEERS + MODELS.replace(">m<", ">nosuch<") + TAIL,
        "-a s.xml",
        2,
        "./nosuch: cannot read the model A of eval 7 (s.xml:2): No such file",
    ),
    "a bad element": (
        HEAD + SPL.replace("SPL", "SIMPLE") + PEERS + MODELS.replace(">m<", ">bad.be<") + TAIL,
        "-a -3 HM s.xml",
        255,
        "./bad.be:2: not a basic element: 'head|modifier'; write HEAD|MODIFIER|RELATION",
    ),
    "elements from SPL": (
        HEAD + SPL + PEERS + MODELS + TAIL,
        "-a -3 HM s.xml",
        255,
        "s.xml:2: eval 7: ROUGE-BE-HM cannot be computed on format SPL",
    ),
    "one path in a list": ("# list\n\np\n", "-z SPL s.xml", 255, "s.xml:3: only one path (p)"),
    "unknown list format": ("p m\n", "-z HTML s.xml", 255, "-z HTML: unknown format"),
    "l and b": ("", "-a -l 5 -b 5 s.xml", 255, "-l and -b together"),
    "c out of range": ("", "-a -c 101 s.xml", 255, "-c 101: the confidence level in percent must be"),
    "p out of range": (
        "",
        "-a -p 1.5 s.xml",
        255,
        "-p 1.5: the weight of precision in F must be between 0",
    ),
    "w of zero": ("", "-a -w 0 s.xml", 255, "-w 0: ROUGE-W's weight must be above 0"),
    "no system": ("", "-n 1 s.xml", 255, "no system named; give its ID after the settings file, or -a"),
    "negative limit": ("", "-a -l -5 s.xml", 255, "-l -5: the length limit must not be negative"),
    "no samples": ("", "-a -r 0 s.xml", 255, "-r 0: the number of bootstrap samples must be at least 1"),
    "too many samples": ("", "-a -r 1e9 s.xml", 255, "-r 1e9: more than 10000000 bootstrap samples"),
    "n beyond reason": ("", "-a -n 1e9 s.xml", 255, "-n 1e9: n-grams longer than 100000 are not counted"),
    "an endless element": (
        HEAD + SPL.replace("SPL", "SIMPLE") + PEERS + MODELS.replace(">m<", ">long.be<") + TAIL,
        "-a -3 HM s.xml",
        255,
        f"./long.be:1: not a basic element: '{'x' * 77}...'; write HEAD",
    ),
    "no finite number": ("", "-a -n inf s.xml", 255, "-n inf: a finite number is needed"),
    "missing value at the end": (None, "-n", 255, "option -n needs a value"),
    "no arguments": (None, "", 255, "no settings file (or file list) given"),
    "the file as a value": (
        None,
        "-2 s.xml",
        255,
        "(or file list) given; option -2 took 's.xml' as its value",
    ),
    "the file as a value, a system": (
        None,
        "-2 s.xml x",
        255,
        "named; option -2 took 's.xml' as its value",
    ),
    "the file as a value, -a": (None, "-a -n s.xml x", 2, "directory; option -n took 's.xml' as its value"),
    "an option as a value": ("", "-n -a s.xml", 255, "no system named; option -n took '-a' as its value"),
    "outside an eval": (
        "<ROUGE-EVAL>" + PEERS + "</ROUGE-EVAL>",
        "-a s.xml",
        255,
        "s.xml:1: PEERS is outside an EVAL",
    ),
}


@pytest.mark.parametrize("wrong", CASES)
def test_bad_usage_is_one_clear_message(wrong: str, drop_in: Program, tmp_path: Path) -> None:
    """Each mistake is reported with place and remedy, exits as documented, and prints no report."""
    settings, line, status, message = CASES[wrong]
    (tmp_path / "p").write_text("a|b|c\n")
    (tmp_path / "m").write_text("a|b|c\n")
    (tmp_path / "long.be").write_text("x" * 1_000_000)
    (tmp_path / "bad.be").write_text("a|b|c\nhead|modifier\n")
    if settings is not None:
        (tmp_path / "s.xml").write_text(settings)
    outcome = drop_in(*line.split())

    assert (status, b"") == outcome[:2]
    assert message in outcome.stderr
    assert outcome.stderr.count("ROUGE-1.5.5.pl: ") == 1
    assert "Traceback" not in outcome.stderr


OUTSIDE = """<!DOCTYPE a [<!ENTITY secret SYSTEM "secret.txt">]>
<ROUGE-EVAL><EVAL ID="&secret;"/></ROUGE-EVAL>"""
OUTSIDE_TEXT = """<!DOCTYPE a [<!ENTITY secret SYSTEM "secret.txt">]>
<ROUGE-EVAL><EVAL ID="1"><PEER-ROOT>&secret;</PEER-ROOT></EVAL></ROUGE-EVAL>"""
BOMB = (
    "<!DOCTYPE a [<!ENTITY e0 'boom'>"
    + "".join(f"<!ENTITY e{n} '{f'&e{n - 1};' * 10}'>" for n in range(1, 10))
    + "]>\n<ROUGE-EVAL><EVAL ID='1'><PEER-ROOT>&e9;</PEER-ROOT></EVAL></ROUGE-EVAL>"
)


@pytest.mark.parametrize("settings", [OUTSIDE, OUTSIDE_TEXT, BOMB], ids=["attribute", "text", "bomb"])
def test_entities_from_outside_are_refused(settings: str, drop_in: Program, tmp_path: Path) -> None:
    """Settings can neither read other files nor exhaust the memory (QUIRKS 5)."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "s.xml").write_text(settings)
    outcome = drop_in("-a", "s.xml")

    assert (255, b"") == outcome[:2]
    assert "s.xml:" in outcome.stderr
    assert "are refused" in outcome.stderr
    assert "secret.txt" not in outcome.stderr.replace("&secret", "")


def test_nothing_is_written_but_to_the_streams(drop_in: Program, tmp_path: Path) -> None:
    """A run leaves no other file behind, whether it succeeds or fails."""
    (tmp_path / "p").write_text("a b c\n")
    (tmp_path / "list").write_text("p p\n")
    (tmp_path / "bad").write_text("p\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    statuses = [drop_in("-n", "1", "-m", "-s", "-z", "SPL", name).status for name in ("list", "bad")]

    assert [0, 255] == statuses
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_scoring_needs_no_lxml(tmp_path: Path, program: Program) -> None:
    """Without lxml settings are scored; writing settings names the missing library."""
    (tmp_path / "lxml.py").write_text("raise ImportError\n")
    (tmp_path / "p").write_text("a b c\n")
    (tmp_path / "list").write_text("p p\n")
    (tmp_path / "s.xml").write_text("<ROUGE-EVAL/>")
    call = "import sys; from rouge_cli.cli.{} import main; sys.exit(main())"
    settings, listed, written = (
        program(
            sys.executable,
            *("-c", call.format(module), *words.split()),
            cwd=tmp_path,
            environment={"PYTHONPATH": str(tmp_path)},
        )
        for module, words in (
            ("rouge155", "-a s.xml"),
            ("rouge155", "-z SPL list"),
            ("main", "settings --peers p --models p"),
        )
    )

    assert [0, 0, 1] == [settings.status, listed.status, written.status]
    assert "writing settings XML needs the library lxml; pip install lxml" in written.stderr


def test_far_distances_reach_all_pairs(tmp_path: Path, drop_in: Program) -> None:
    """A distance beyond any text, and beyond any machine integer, counts what `-2 -1` counts."""
    (tmp_path / "p").write_text("a b c d e f a b\n")
    (tmp_path / "m").write_text("b a d c f e b a\n")
    (tmp_path / "list").write_text("p m\n")
    for kernels in ("python", ""):
        far, every = (
            drop_in(
                "-x", "-2", typed, "-u", "-z", "SPL", "list", environment={"ROUGE_CLI_KERNELS": kernels}
            )
            for typed in ("1e30", "-1")
        )

        assert 0 == far.status == every.status
        assert far.stdout.replace(b"SU1e30", b"SU*") == every.stdout


def test_names_in_settings_are_utf8_in_any_locale(tmp_path: Path, drop_in: Program) -> None:
    """A path outside ASCII in a settings file finds its file in any locale."""
    (tmp_path / "résumé").write_text("a b c\n")
    text = HEAD + SPL + PEERS.replace(">p<", ">résumé<") + MODELS.replace(">m<", ">résumé<") + TAIL
    (tmp_path / "s.xml").write_text(text, "utf-8")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    assert drop_in("-a", "s.xml", environment=plain).status == 0
