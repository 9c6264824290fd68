"""`rouge-cli explain`: its output, byte for byte, and its errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rouge_cli

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Outcome, Program

    Explain = Callable[..., Outcome]

COMMAND = str(Path(sys.executable).with_name("rouge-cli"))

# Lin 2004: the examples of sections 3.1, 3.2 (the union of two sentences' LCS) and 5.
MODEL = "police killed the gunman"
KILL = """\
ROUGE-2
  model M.1  police killed [the] [gunman]
  peer X     police kill [the] [gunman]
    1 x the gunman
  model 3, peer 3, match 1
  recall = match / model = 1 / 3 = 0.33333
  precision = match / peer = 1 / 3 = 0.33333
  F = P R / ((1 - a) P + a R) = 0.33333 x 0.33333 / (0.5 x 0.33333 + 0.5 x 0.33333) = 0.33333

ROUGE-L
  model M.1  [police] killed [the] [gunman]
  peer X     [police] kill [the] [gunman]
    1 x police
    1 x the
    1 x gunman
  model 4, peer 4, match 3
  recall = match / model = 3 / 4 = 0.75000
  precision = match / peer = 3 / 4 = 0.75000
  F = P R / ((1 - a) P + a R) = 0.75000 x 0.75000 / (0.5 x 0.75000 + 0.5 x 0.75000) = 0.75000

ROUGE-S*
  model M.1  [police] killed [the] [gunman]
  peer X     [police] kill [the] [gunman]
    1 x police the
    1 x police gunman
    1 x the gunman
  model 6, peer 6, match 3
  recall = match / model = 3 / 6 = 0.50000
  precision = match / peer = 3 / 6 = 0.50000
  F = P R / ((1 - a) P + a R) = 0.50000 x 0.50000 / (0.5 x 0.50000 + 0.5 x 0.50000) = 0.50000
"""
GUNMAN_FIRST = """\
ROUGE-2
  model M.1  police killed [the] [gunman]
  peer X     [the] [gunman] kill police
    1 x the gunman
  model 3, peer 3, match 1
  recall = match / model = 1 / 3 = 0.33333
  precision = match / peer = 1 / 3 = 0.33333
  F = P R / ((1 - a) P + a R) = 0.33333 x 0.33333 / (0.5 x 0.33333 + 0.5 x 0.33333) = 0.33333

ROUGE-L
  model M.1  police killed [the] [gunman]
  peer X     [the] [gunman] kill police
    1 x the
    1 x gunman
  model 4, peer 4, match 2
  recall = match / model = 2 / 4 = 0.50000
  precision = match / peer = 2 / 4 = 0.50000
  F = P R / ((1 - a) P + a R) = 0.50000 x 0.50000 / (0.5 x 0.50000 + 0.5 x 0.50000) = 0.50000

ROUGE-S*
  model M.1  police killed [the] [gunman]
  peer X     [the] [gunman] kill police
    1 x the gunman
  model 6, peer 6, match 1
  recall = match / model = 1 / 6 = 0.16667
  precision = match / peer = 1 / 6 = 0.16667
  F = P R / ((1 - a) P + a R) = 0.16667 x 0.16667 / (0.5 x 0.16667 + 0.5 x 0.16667) = 0.16667
"""
UNION = """\
ROUGE-L
  model M.1  [w1] [w2] [w3] w4 [w5]
  peer X     [w1] [w2] w6 w7 w8
             {w1} [w3] w8 w9 [w5]
    1 x w1 (on an LCS 1, peer 2)
    1 x w2
    1 x w3
    1 x w5
  model 5, peer 10, match 4
  recall = match / model = 4 / 5 = 0.80000
  precision = match / peer = 4 / 10 = 0.40000
  F = P R / ((1 - a) P + a R) = 0.40000 x 0.80000 / (0.5 x 0.40000 + 0.5 x 0.80000) = 0.53333

ROUGE-W-1.2
  model M.1  [w1] [w2] [w3] w4 [w5]
  peer X     [w1] [w2] w6 w7 w8
             {w1} [w3] w8 w9 [w5]
    3.73719 for w1 w2 w3
    1 for w5
  model = (5^1.2)^1.2 = 10.15119
  peer = 10^1.2 = 15.84893
  match = 3^1.2 + 1^1.2 = 4.73719
  recall = (match / model)^(1/1.2) = (4.73719 / 10.15119)^(1/1.2) = 0.52987
  precision = (match / peer)^(1/1.2) = (4.73719 / 15.84893)^(1/1.2) = 0.36554
  F = P R / ((1 - a) P + a R) = 0.36554 x 0.52987 / (0.5 x 0.36554 + 0.5 x 0.52987) = 0.43263
"""
NOTES = """\
Tokens
  model M.1: dropped (stop word): The; irregular form: geese -> goose
  peer X: irregular form: geese -> goose; Porter: flies -> fli, machines -> machin; \
dropped (beyond 4 words): the, end; separates (non-ASCII): é; separates (hyphen): -

ROUGE-1
  model M.1  ~The~ [geese]
  peer X     [geese] caf\u00e9 flies sky-machines ~the~ ~end~
    1 x goose
  model 1, peer 5, match 1
  recall = match / model = 1 / 1 = 1.00000
  precision = match / peer = 1 / 5 = 0.20000
  F = P R / ((1 - a) P + a R) = 0.20000 x 1.00000 / (0.5 x 0.20000 + 0.5 x 1.00000) = 0.33333
"""
SETTINGS = """<ROUGE-EVAL>
<EVAL ID="D071"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>
<PEERS><P ID="lead">p</P></PEERS><MODELS><M ID="A">a</M><M ID="B">b</M></MODELS></EVAL>
</ROUGE-EVAL>
"""


@pytest.fixture
def explain(tmp_path: Path, program: Program) -> Explain:
    """Run the command in a folder with a settings file and its texts."""
    (tmp_path / "s.xml").write_text(SETTINGS)
    (tmp_path / "p").write_text("a b c\n")
    (tmp_path / "a").write_text("a x\n")
    (tmp_path / "b").write_text("b c\n")
    (tmp_path / "empty").write_text("\n")

    def call(*arguments: str) -> Outcome:
        return program(COMMAND, "explain", *arguments, cwd=tmp_path)

    return call


@pytest.mark.parametrize(
    ("peer", "expected"), [("police kill the gunman", KILL), ("the gunman kill police", GUNMAN_FIRST)]
)
def test_the_papers_sentences(peer: str, expected: str, explain: Explain) -> None:
    """The paper's two peers share one bigram with the model, and differ in order only."""
    labels = ["-m", "ROUGE-2", "-m", "ROUGE-L", "-m", "ROUGE-S*"]

    assert (0, expected, "") == text(explain("--peer", peer, "--model", MODEL, *labels))


def test_the_papers_union(explain: Explain) -> None:
    """The union of two sentences' LCS has four words, and the shared one counts once."""
    peer = "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"
    outcome = explain("--peer", peer, "--model", "w1 w2 w3 w4 w5", "-m", "ROUGE-L", "-m", "ROUGE-W-1.2")

    assert (0, UNION, "") == text(outcome)


def text(outcome: Outcome) -> tuple[int, str, str]:
    """Return the outcome with stdout as text."""
    return outcome.status, outcome.stdout.decode(), outcome.stderr


def test_changed_and_dropped_words_are_listed(explain: Explain) -> None:
    """Dropped, stemmed and split words are listed with the reason, and marked."""
    peer = "geese caf\u00e9 flies sky-machines the end"
    options = ["--stem", "--stop", "--limit", "4words", "-m", "ROUGE-1"]
    status, stdout, _ = text(explain("--peer", peer, "--model", "The geese", *options))

    assert (0, NOTES) == (status, stdout)


POOLED = """\
  model = 2 + 2 = 4
  peer = 3 + 3 = 6 (once a model)
  match = 1 + 2 = 3
  recall = match / model = 3 / 4 = 0.75000
  precision = match / peer = 3 / 6 = 0.50000
  F = P R / ((1 - a) P + a R) = 0.50000 x 0.75000 / (0.2 x 0.50000 + 0.8 x 0.75000) = 0.53571
"""
BEST = """\
  best model = B, the first of the highest recall rounded to five places (A 0.50000, B 1.00000)
  recall = match / model = 2 / 2 = 1.00000
  precision = match / peer = 2 / 3 = 0.66667
  F = P R / ((1 - a) P + a R) = 0.66667 x 1.00000 / (0.2 x 0.66667 + 0.8 x 1.00000) = 0.71429
"""


@pytest.mark.parametrize(("formula", "arithmetic"), [("average", POOLED), ("best", BEST)])
def test_several_models_are_combined(formula: str, arithmetic: str, explain: Explain) -> None:
    """Counts of models are added, or the best is taken, and the lines explain it (QUIRKS 23, 24)."""
    words = ["s.xml", "--eval", "D071", "--peer-id", "lead", "-m", "ROUGE-1", "--alpha", "0.8"]
    status, stdout, stderr = text(explain(*words, "--formula", formula))

    assert (0, "") == (status, stderr)
    assert stdout.endswith(f"model 2, peer 3, match 2\n{arithmetic}")


def test_files_are_explained_as_settings_are(explain: Explain) -> None:
    """A peer's file and its models' files give the output of their settings file, except for the IDs."""
    files = explain("p", "a", "b").stdout.decode()
    settings = explain("s.xml", "--eval", "D071", "--peer-id", "lead").stdout.decode()

    def renamed(output: str) -> list[list[str]]:
        names = {"M.1": "A", "M.2": "B", "X": "lead"}
        return [[names.get(word, word) for word in line.split()] for line in output.splitlines()]

    assert files.count("ROUGE-") == 3
    assert renamed(files) == renamed(settings)


def test_elements_are_explained(explain: Explain, tmp_path: Path) -> None:
    """SIMPLE files are explained element by element, by ROUGE-BE unless another metric is selected."""
    (tmp_path / "e").write_text("he|says|subj\nhouse|nil|x\n")
    status, stdout, _ = text(explain("e", "e", "--read-as", "simple"))

    assert status == 0
    assert [
        "ROUGE-BE-HM",
        "  model M.1  [he|says|subj]",
        "             house|nil|x",
        "  peer X     [he|says|subj]",
        "             house|nil|x",
        "    1 x he|says",
    ] == stdout.splitlines()[:6]


@pytest.mark.parametrize("dialect", ["rouge155", "google"])
def test_capitals_of_other_alphabets_are_marked(explain: Explain, dialect: str) -> None:
    """A word is marked at its place, even if lower-casing changes its length."""
    texts = [
        "--peer",
        "\u041a\u043e\u0448\u043a\u0430 \u0130 \u00c9t\u00e9",
        "--model",
        "\u043a\u043e\u0448\u043a\u0430 \u00e9t\u00e9",
    ]
    outcome = explain(*texts, "--tokenizer", "unicode", "--dialect", dialect, "-m", "R1")

    assert (0, "") == (outcome.status, outcome.stderr)
    assert "[\u041a\u043e\u0448\u043a\u0430] \u0130 [\u00c9t\u00e9]" in outcome.stdout.decode()


def test_long_lists_are_cut(explain: Explain) -> None:
    """The list of matches is truncated after twenty, unless --all is set."""
    words = " ".join(f"w{number}" for number in range(23))
    words_given = ["--peer", words, "--model", words, "-m", "ROUGE-1"]
    some, every = (explain(*words_given, *more).stdout.decode() for more in ([], ["--all"]))

    assert (20, 23) == (some.count("1 x w"), every.count("1 x w"))
    assert "and 3 more (--all shows them)" in some
    assert "more" not in every


def test_json_has_every_token(explain: Explain) -> None:
    """JSON holds the score, the counts, and each token with its place, its form and its mark."""
    words = ["--peer", "the flies", "--model", "a fly", "--stem", "--stop", "-m", "ROUGE-1"]
    (metric,) = json.loads(explain(*words, "--format", "json").stdout)["metrics"]
    (model,) = metric["models"]

    assert ("ROUGE-1", 0.0, {"model": 1, "peer": 1, "match": 0}) == (
        metric["metric"],
        metric["f"],
        metric["counts"],
    )
    assert [("the", "", 0, 3, "stop word", "dropped"), ("flies", "fli", 4, 9, "", "")] == [
        tuple(token[name] for name in ("surface", "form", "start", "end", "why_dropped", "mark"))
        for token in model["peer"]["tokens"]
    ]


@pytest.mark.parametrize(
    "words",
    [
        "--hyp lead=p --ref a --ref b",
        "--hyp other=a --hyp lead=p --ref a --ref b --system lead",
        "run.jsonl --system lead",
        "run.jsonl --peer-id lead",
        "run.csv --system lead --peer-column mine --model-column A --model-column B",
        "s1.xml",
        "s1.xml --system lead",
        "--peers peers --models models",
    ],
)
def test_every_input_of_score_is_explained(words: str, explain: Explain, tmp_path: Path) -> None:
    """An eval of any input is explained as its texts are, except for the IDs of the models."""
    texts = {name: (tmp_path / name).read_text().strip() for name in "pab"}
    references = [texts["a"], texts["b"]]
    records = [
        {"id": "1", "system": "lead", "prediction": texts["p"], "references": references},
        {"id": "1", "system": "other", "prediction": "x", "references": references},
        {"id": "2", "system": "lead", "prediction": "x y", "references": ["x"]},
    ]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (tmp_path / "run.csv").write_text(
        f"id,system,mine,A,B\n1,lead,{texts['p']},{texts['a']},{texts['b']}\n"
    )
    (tmp_path / "s1.xml").write_text(SETTINGS.replace("D071", "1"))
    for folder, name in (("peers/lead", "p"), ("models/A", "a"), ("models/B", "b")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "1.txt").write_text(texts[name])

    def scores(*arguments: str) -> list[tuple[Any, ...]]:
        outcome = explain(*arguments, "-m", "R1,R2,ROUGE-SU4", "--formula", "best", "--format", "json")
        assert (0, "") == (outcome.status, outcome.stderr)
        document = json.loads(outcome.stdout)
        assert document["peer_id"] in {"lead", "X"}
        return [
            (*(metric[name] for name in ("metric", "recall", "precision", "f", "counts")),
             [(pair["counts"], pair["matches"], pair["peer"]["tokens"]) for pair in metric["models"]])
            for metric in document["metrics"]
        ]  # fmt: skip

    assert scores("p", "a", "b") == scores(*words.split(), "--eval", "1")


def test_an_explanation_is_written_whole(explain: Explain, tmp_path: Path) -> None:
    """-o writes the output in the format of the suffix, and never over an input."""
    printed = explain("p", "a", "--format", "json").stdout
    assert (0, b"", "") == explain("p", "a", "-o", "why.json")
    refused = explain("p", "a", "-o", "a")

    assert printed == (tmp_path / "why.json").read_bytes()
    assert (2, b"") == refused[:2]
    assert "a is also an input" in refused.stderr
    assert "a x\n" == (tmp_path / "a").read_text()


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("", 2, "what to explain is not clear; give PEER MODEL... as files"),
        ("p a --peer x --model y", 2, "what to explain is not clear"),
        ("--peer x", 2, "--peer and --model go together"),
        ("s.xml", 2, "one file alone; give PEER MODEL... as files, or"),
        ("p a --eval 1", 2, "several inputs, and p is read as a file list"),
        ("s.xml --eval D071 --system lead --peer-id lead", 2, "2 systems; explain one at a time"),
        ("p a --hyp p", 2, "--hyp with the texts of one pair; leave it out, or name an eval of an input"),
        ("--hyp p --ref a", 2, "what to explain is not clear"),
        ("--peer x --model y --eval 1", 2, "--eval with the texts of one pair"),
        ("p a --read-as xyz", 2, "unknown format 'xyz'"),
        (
            "--hyp p --hyp a --ref b --eval 1",
            2,
            "2 systems in eval 1; name one by --system: there are p, a",
        ),
        ("--hyp p --hyp a --ref b --eval 1 --system c", 1, "eval 1 has no peer c; there are p, a"),
        ("--hyp p --ref b --eval 2", 1, "p, b: no eval 2; there are 1"),
        ("s.xml --eval D017 --peer-id lead", 1, "s.xml: no eval D017; did you mean D071?"),
        ("s.xml --eval 9 --peer-id lead", 1, "s.xml: no eval 9; there are D071"),
        ("s.xml --eval D071 --peer-id led", 1, "s.xml:2: eval D071 has no peer led; did you mean lead?"),
        ("p a -m ROUGE-X", 2, "unknown metric 'ROUGE-X'; did you mean ROUGE-L"),
        ("p a --limit 100", 2, "cannot read the limit '100'; write 100words or 100bytes"),
        ("p a --limit 0words", 2, "cannot read the limit '0words'"),
        ("p a --alpha 2", 2, "alpha is 2; it must be between 0 and 1"),
        ("p a --alpha nan", 2, "alpha is nan; it must be between"),
        ("p nosuch", 1, "nosuch: cannot read the model: No such file"),
        ("p a -m ROUGE-BE-HM", 1, "ROUGE-BE-HM cannot be computed on format SPL"),
        ("- -", 2, "stdin (-) is named twice, but can be read only once"),
    ],
)
def test_mistakes_are_one_message(words: str, status: int, message: str, explain: Explain) -> None:
    """Each mistake ends with one message and the documented status, and prints nothing."""
    outcome = explain(*words.split())

    assert (status, b"") == outcome[:2]
    assert message in outcome.stderr
    assert 1 == outcome.stderr.count("\n")


@pytest.mark.parametrize(
    "words", [("--peer", "", "--model", "a"), ("--peer", "a", "--model", "b", "--model", " ")]
)
def test_an_empty_text_is_refused(words: tuple[str, ...], explain: Explain) -> None:
    """An empty text on the command line is a usage error that names its option."""
    outcome = explain(*words)

    assert (2, b"") == outcome[:2]
    assert "an empty text; put the text in quotes" in outcome.stderr


def test_an_empty_file_gets_nothing(explain: Explain) -> None:
    """An empty file is scored 0, with the notice that `score` prints."""
    status, stdout, stderr = text(explain("empty", "a", "-m", "ROUGE-1"))

    assert (0, "rouge-cli: empty: no text in it\n") == (status, stderr)
    assert "  peer X     (empty)\n" in stdout
    assert "precision = match / peer = 0 / 0 = 0.00000, the denominator is 0\n" in stdout


def test_texts_cannot_steer_the_terminal(explain: Explain) -> None:
    """Control characters of a text are blanks in its explanation."""
    outcome = explain("--peer", "a\x1b[2Jb \x07c", "--model", "a b c")

    assert 0 == outcome.status
    assert b"\x1b" not in outcome.stdout
    assert b"\x07" not in outcome.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
@pytest.mark.parametrize(
    ("kind", "shown"), [("xterm", b"\x1b[1;32mthe\x1b[0m cat"), ("dumb", b"[the] cat")]
)
def test_a_terminal_gets_its_colours(kind: str, shown: bytes) -> None:
    """On a terminal words are highlighted, or in brackets if the terminal has no colours."""
    import pty

    ours, theirs = pty.openpty()
    environment = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORTERM")
    }
    subprocess.run(
        [COMMAND, "explain", "--peer", "the cat", "--model", "the dog", "-m", "ROUGE-1"],
        env={**environment, "TERM": kind}, stdout=theirs, check=True, timeout=60,
    )  # fmt: skip
    os.close(theirs)

    assert shown in os.read(ours, 10_000)
    os.close(ours)


def test_html_of_dialects_has_a_way_out(explain: Explain) -> None:
    """HTML is refused for several dialects, and the message names the option to leave out."""
    status, stdout, stderr = text(
        explain("--peer", "a b", "--model", "a", "--dialects", "--format", "html")
    )
    assert (2, "") == (status, stdout)
    assert stderr.endswith(", tsv, or leave --dialects out: html renders the explanation by one dialect\n")

    refused = text(explain("--peer", "a b", "--model", "a", "--dialects", "--format", "classic"))
    assert refused[2].endswith(", tsv\n")


def test_matches_by_synonyms_do_not_depend_on_the_process(program: Program, tmp_path: Path) -> None:
    """Of several synonyms the same ones are matched in every process, whatever Python's hashes are."""
    (tmp_path / "groups.txt").write_text("screen display monitor panel\nbig large huge great\n")
    words = ["explain", "--dialect", "rouge2", "--set", "synonyms=file:groups.txt", "--set", "tagger=none"]
    words += ["--peer", "big panel large screen great", "--model", "huge display great monitor the big"]
    for label in ("ROUGE-1+Synonyms", "ROUGE-L+Synonyms", "ROUGE-SU4+Synonyms"):
        call = partial(program, COMMAND, *words, "-m", label, cwd=tmp_path, forked=False)
        (outcome,) = {call(environment={"PYTHONHASHSEED": seed}) for seed in "123456"}

        assert not outcome.status, outcome


def test_a_signature_states_the_format_of_texts(here: Program, tmp_path: Path) -> None:
    """`explain --like` reads a pair of files in the signature's format, as `score --like` does."""
    (tmp_path / "p").write_text('<html>\n<a name="1">[1]</a> <a href="#1" id=1>the cat sat</a>\n</html>\n')
    signature = "dialect:rouge155|metrics:ROUGE-1|read_as:see"
    shown = here("explain", "p", "p", "--like", signature).stdout

    assert b"model 3, peer 3, match 3" in shown
    assert shown == here("explain", "p", "p", "-m", "R1", "--read-as", "see").stdout


def test_a_signature_of_several_formats_states_none() -> None:
    """A report of texts in several formats can be repeated by the API on texts of the usual one."""
    signature = "dialect:rouge155|metrics:ROUGE-1|samples:0|read_as:see+spl"

    scored = rouge_cli.score("a b", "a b", like=signature, notify=print).to_dict()

    assert 1 == scored["peer"]["ROUGE-1"]["f"]
    assert 1 == rouge_cli.explain("a b", "a b", like=signature).metrics[0].score.f
