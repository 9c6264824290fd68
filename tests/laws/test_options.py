"""Every option of every command has an effect or is refused, and no value of it
breaks a command.
"""

import json
import os
import random
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import case_files
import click
import command_tree
import pytest
from everyday import THOROUGH, share

from rouge_cli.cli.option_groups import Conflict
from tests.conftest import ROUGE_CLI, inside

CASES = share(500, 40)  # of each law

# Of three systems, and two references.
TEXTS, REFERENCES = json.loads(
    Path(__file__).with_name("texts.json").read_text("utf-8")
).values()
CONFLICTS = [
    circumstance for name, circumstance in vars(Conflict).items() if name.isupper()
]
SIGNATURE = re.compile(rb"dialect:.*?version:[0-9.]+")
FOLDERS = "--pred peers --ref models"
LINES = "--pred a.txt --pred b.txt --ref X.txt --ref Y.txt"
PHONE = "score --dialect rouge2 --pred rouge2/systems --ref rouge2/models"
DATED = "timeline -p timeline/washington-post.txt -r timeline/ap.txt twice.txt"
DATED_SCORES = (
    "score --dialect tilse --read-as timeline --pred timeline/ap.txt --ref post.txt"
)
DAYS = f"{DATED} -m align,align+"
PROJECT = "rouge2 rouge2/project"
HUMAN = "correlate saved.json human.csv --human-score content --samples 20"
LEVEL = "--level system"
SWEPT = "--human human.csv --human-score content --trials 20 --level summary"
COMPARED = "compare saved.json"
SCORED = "score run.jsonl"
MERGED = "merge run.part"
ORACLE = "oracle run.jsonl --system a"
EXPLAINED = "explain a.txt X.txt Y.txt"
IDENTIFIED = [
    f"identify --published R1.F=40,RL=33.3 {words} --format csv --system b"
    for words in ("run.jsonl", "settings.xml", FOLDERS, LINES)
]

# Inputs on which the options of each command are tried.
LINES_OF_COMMANDS = (
    *(f"audit {words}" for words in ("run.jsonl", "settings.xml", FOLDERS, f"{LINES} -o x.json")),
    *(f"compare {words}" for words in ("run.jsonl", "settings.xml", LINES, "saved.csv", FOLDERS)),
    *(COMPARED, f"{COMPARED} --baseline a", f"{COMPARED} --format json", f"{COMPARED} --format csv"),
    *(f"{COMPARED} --format {name}" for name in ("latex", "markdown", "latex --baseline a --intervals")),
    *(f"plan {words}" for words in ("run.jsonl", "saved.json", "saved.csv --format json", LINES)),
    *(f"{COMPARED} -m R1.F", "compare run.jsonl --over evals,references", "completion bash"),
    "convert --to see -o out.html a.txt",
    *(HUMAN, *(HUMAN.replace("--samples 20", words) for words in ("--samples 0", LEVEL))),
    *(f"{HUMAN} {words}" for words in ("--format json", "--format csv", "-m R2.R")),
    *(HUMAN.replace("saved.json", words) for words in ("run.jsonl", "settings.xml", LINES)),
    *(f"sweep {words} {SWEPT}" for words in ("run.jsonl", "saved.json", LINES, "settings.xml -o x.json")),
    *(f"report -o - {words}" for words in ("run.jsonl", "settings.xml", LINES)),
    *(*IDENTIFIED, "describe ROUGE-2", "list", "list recipes", EXPLAINED),
    "explain settings.xml --eval 1 --system a",
    *(f"{EXPLAINED} --format json", f"{EXPLAINED} --dialects", "list formats", "home folder"),
    "evaluate-module folder",
    "explain --pred-text the,dogs,walk,home,every,day --ref-text dog,the,walks,days --ref-text a,dog",
    MERGED,
    *(f"{MERGED} --format {name}" for name in ("json", "classic", "csv", "latex")),
    *(f"{MERGED} --score-only R2.F", f"{MERGED} --per-eval", PROJECT, f"{PROJECT} --format csv"),
    *(f"{PROJECT} --compatible", f"{PROJECT} --synonyms wordnet", f"{PROJECT} --synonyms words.groups"),
    *(f"{PROJECT} -D rouge.type=topic", f"{PROJECT} --compatible --synonyms wordnet"),
    f"{PROJECT} --tagged -D rouge.type=topic",
    *(f"score {name}" for name in ("run.jsonl", "run.json", "run.csv", "run.tsv", "run.parquet")),
    *(f"score {words}" for words in ("settings.xml", "list.txt", FOLDERS, LINES, "a.jsonl b.jsonl")),
    *(f"{SCORED} --format {name}" for name in ("classic", "json", "jsonl", "csv", "markdown", "latex")),
    *(f"{SCORED} --per-eval --format {name}" for name in ("text", "json", "csv", "classic", "jsonl")),
    *(f"{SCORED} --score-only R2.F", f"{SCORED} --counts", f"{SCORED} --totals --samples 20", f"{SCORED} --samples 0", f"{SCORED} -o out"),
    *(f"{SCORED} --jackknife", f"{SCORED} --dialect google", f"{SCORED} --dialect google --samples 20"),
    *(PHONE, f"{PHONE} -m R1+Synonyms", f"settings {FOLDERS}", "settings --check settings.xml"),
    DATED_SCORES,
    *(f"{ORACLE} --method {method}" for method in ("greedy", "beam", "exact", "presumm")),
    *(f"oracle --most 1 {words}" for words in (f"{LINES} --system a", "settings.xml --system a")),
    "settings --check settings.xml --depfile s.d",
    *(f"similar {words} --threshold 0.05" for words in ("run.jsonl", "run.csv", "a.txt --against X.txt")),
    "verify run.lock",
    *("campaign init new --languages en", "campaign check team.zip", "campaign page en/saved.json"),
    "campaign manifest en",
    *(DATED, *(f"{DAYS} --format {name}" for name in ("text", "json", "jsonl", "csv", "dict"))),
    *(f"{DATED} --per-reference", "timeline battery battery", "timeline battery battery --format json"),
)  # fmt: skip

# An option, or COMMAND OPTION, or LINE OPTION -> the value that is tried.
VALUES = dict(
    re.findall(
        "^(?!#)(.+?): (.+)$",
        Path(__file__).with_name("values.txt").read_text("utf-8"),
        re.MULTILINE,
    )
)
# Options that never change the printed numbers, or that select what is the case
# already.
SILENT = {
    *("--quiet", "--jobs", "--scheduler"),
    *("--normalize", "--language"),  # these texts are ASCII
    *(
        "compare --all-pairs",
        "compare --all",
        "audit --all",
        "explain --all",
    ),  # few pairs, all shown
    *("plan --all", f"plan {LINES} --baseline"),  # as before
    "plan --samples",  # of averages, which a plan does not show; none take less time
    *("sweep --all", f"sweep {LINES} {SWEPT} --seed"),  # as before
    "compare --level",  # with a baseline it affects notices and plots only
    # fewer than 6 evals have no interval, as the column `no_interval` says
    "compare saved.json --format csv --confidence",
    "--safe-cells",  # no name here begins a formula
    *(
        f"{line} --totals"
        for line in (
            f"{SCORED} --samples 0",
            f"{SCORED} --dialect google",
            PHONE,
            f"{PHONE} -m R1+Synonyms",
        )
    ),  # without samples it takes less memory only
    "convert --force",
    *(
        f"{line} --format latex --scale" for line in (MERGED, "score run.jsonl")
    ),  # 100 is its default
    *(f"{DATED_SCORES} --stem", f"{DATED_SCORES} --stop"),  # as by default
    f"{HUMAN.replace('--samples 20', LEVEL)} --id-column",  # averages over all evals
    *(
        "rouge2 --compatible",
        "rouge2 --expand",
        "rouge2 --least-count",
    ),  # no such words in its texts
    *(
        f"{line} settings.xml --input"
        for line in ("score", "compare", "audit", "report -o -")
    ),
    *(
        f"{IDENTIFIED[1]} --input",
        f"{IDENTIFIED[0]} --id-column",
    ),  # averages over all evals
    "identify --rename",  # of a system whose numbers are not published
    "score --jackknife",  # reports itself if no eval has two models
    "score --formula",  # of several models, and jackknifing leaves one of two
    "score run.jsonl --score-only R2.F --sentences",  # only ROUGE-L depends on it
    *(f"{PHONE} --sort", f"{PHONE} -m R1+Synonyms --sort"),  # in this order already
    *(
        "score list.txt --sort",
        f"score {LINES} --sort",
        "score a.jsonl b.jsonl --sort",
    ),  # in this order
    *(
        f"sweep settings.xml -o x.json {SWEPT} {option}"
        for option in ("--input", "--format")
    ),  # as it is
    *(
        "explain settings.xml --eval 1 --system a --input",
        f"audit {LINES} -o x.json --format",
    ),
    f"{HUMAN.replace('saved.json', 'settings.xml')} --input",
    *(
        f"{HUMAN.replace('--samples 20', LEVEL)} {option}"
        for option in ("--sort", "--human-id-column")
    ),
    *(
        f"{HUMAN} -m R2.R --sort",
        "sweep --human-id-column",
    ),  # one metric; human scores by system
}


class Outcome(NamedTuple):
    """The outcome of a command: exit status, both streams, and the files that it
    wrote.
    """

    status: int
    stdout: bytes
    stderr: str
    written: Mapping[Path, bytes]

    def numbers(self) -> tuple[bytes, Mapping[Path, bytes]]:
        """Return everything that was printed and written, without signatures, which
        repeat every option.
        """
        return SIGNATURE.sub(b"", self.stdout), {
            path: SIGNATURE.sub(b"", data) for path, data in self.written.items()
        }


class Trial(NamedTuple):
    """An option to be tried on a command line; `words` are those of its command's
    name.
    """

    line: str
    command: Sequence[str]
    option: click.Option

    @property
    def names(self) -> list[str]:
        """Return the option's names, and these after the command's."""
        names = [*self.option.opts, *self.option.secondary_opts]
        return [
            f"{prefix}{name}"
            for prefix in ("", f"{self.command[-1]} ", f"{self.line} ")
            for name in names
        ]


def invoke(words: Sequence[str]) -> Outcome:
    """Run `rouge-cli` in this process, and restore every file that it wrote."""
    before = _files()
    ended = inside(ROUGE_CLI, words, Path.cwd(), os.environ, b"")
    written = {
        path: data for path, data in _files().items() if before.get(path) != data
    }
    for path in written:
        if path in before:
            path.write_bytes(before[path])
        else:
            path.unlink()
    return Outcome(*ended, written)


def _files() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@cache
def plain(line: str) -> Outcome:
    """Return the outcome of a valid command line, which succeeds."""
    outcome = invoke(line.split())
    assert not outcome.status, (line, outcome.stderr)
    return outcome


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command except the drop-in, whose options differ."""
    return (item for item in command_tree.commands() if item[0] != "rouge155")


def trials() -> Iterator[Trial]:
    """Return every option of every command on every line of it that does not have
    it.
    """
    tree = dict(commands())
    for line in LINES_OF_COMMANDS:
        words = line.split()
        name = " ".join(words[:2]) if " ".join(words[:2]) in tree else words[0]
        for option in tree[name].params:
            if isinstance(option, click.Option) and not {
                *option.opts,
                *option.secondary_opts,
            } & {*words}:
                yield Trial(line, name.split(), option)


def typed(trial: Trial, value: str | None) -> list[str]:
    """Return the trial's words: the option after its command, with the value if it
    takes one.
    """
    flags = [
        *trial.option.opts,
        *(trial.option.secondary_opts if trial.command[-1] != "battery" else ()),
    ]
    named = [flags[-1]] if value is None else [trial.option.opts[-1], value]
    rest = trial.line.split()[len(trial.command) :]
    return [*trial.command, *named, *rest]


def fault(outcome: Outcome) -> str:
    """Return the fault in how a command ended; empty if it ended as documented."""
    starts = [
        line
        for line in outcome.stderr.splitlines()
        if line.startswith(("rouge-cli: ", "Error: "))
    ]
    if outcome.status not in (0, 1, 2, 3):
        return f"exit status {outcome.status}"
    if "Traceback" in outcome.stderr:
        return outcome.stderr
    is_whole = (
        outcome.status == 3 or b": error: " in outcome.stdout
    )  # a gate comes after the report
    if outcome.status and (outcome.stdout or outcome.written) and not is_whole:
        return "output in spite of an error"
    if outcome.status and not starts:
        return f"no message: {outcome.stderr!r}"
    return ""


def effect(trial: Trial) -> str:
    """Return the fault in an option's effect; empty if it changes numbers or layout,
    or is refused.
    """
    values = [VALUES[name] for name in trial.names if name in VALUES]
    assert values or trial.option.is_flag, f"no value to try {trial.names}"
    outcome = invoke(typed(trial, None if trial.option.is_flag else values[-1]))
    if outcome.status or outcome.numbers() != plain(trial.line).numbers():
        return fault(outcome)
    return (
        ""
        if outcome.stderr != plain(trial.line).stderr
        else "no effect, and not a word of it"
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Iterator[Path]:
    """Create a folder of three systems' texts in every form, and of everything else
    that options name.
    """
    folder = tmp_path_factory.mktemp("world")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        _write_texts()
        _write_others(root)
        yield folder
    plain.cache_clear()


def _write_texts() -> None:
    import pandas as pd

    rows = [
        {
            "id": str(place + 1), "system": system, "prediction": texts[place], "other": texts[place - 1],
            "other_id": f"{place}{system}",
            "references": [references[place] for references in REFERENCES.values()],
        }
        for place in range(3)
        for system, texts in TEXTS.items()
    ]  # fmt: skip
    table = pd.DataFrame(
        [{**row, "references": json.dumps(row["references"])} for row in rows]
    )
    Path("run.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    Path("run.json").write_text(json.dumps(rows))
    table.to_csv("run.csv", index=False)
    table.to_csv("run.tsv", index=False, sep="\t")
    pd.DataFrame(rows).to_parquet("run.parquet")
    for system, texts in {**TEXTS, **REFERENCES}.items():
        Path(f"{system}.txt").write_text(
            "".join(text.replace("\n", " ") + "\n" for text in texts)
        )
        unnamed = [
            {name: row[name] for name in ("id", "prediction", "other", "references")}
            for row in rows
        ]
        own = [
            row for row, of in zip(unnamed, rows, strict=True) if of["system"] == system
        ]
        Path(f"{system}.jsonl").write_text(
            "".join(f"{json.dumps(row)}\n" for row in own)
        )
    for folder in (
        "models",
        *(f"{parent}/{system}" for parent in ("peers", "others") for system in TEXTS),
    ):
        Path(folder).mkdir(parents=True)
    for place in range(3):
        for system, texts in TEXTS.items():
            Path(f"peers/{system}/{place + 1}.txt").write_text(texts[place])
            Path(f"others/{system}/{place + 1}.txt").write_text(texts[place][::2])
        for name, texts in REFERENCES.items():
            Path(f"models/{name}.{place + 1}.txt").write_text(texts[place])
    places = (1, 2, 3)
    Path("list.txt").write_text(
        "".join(f"peers/a/{n}.txt models/X.{n}.txt models/Y.{n}.txt\n" for n in places)
    )


def _write_others(root: Path) -> None:
    Path("stop.txt").write_text("the\na\n")
    Path("words.groups").write_text("dog cat\nscreen display\n")
    Path("two.properties").write_text("ngram=2\nrouge.type=topic\ntopic.type=jj\n")
    judged = [
        (n, system, n + place * 2, 5 - n * place)
        for n in (1, 2, 3)
        for place, system in enumerate("abc")
    ]
    lines = (
        f"{n},{s},{c},{f},{4 - n},{'bca'['abc'.index(s)]}\n" for n, s, c, f in judged
    )
    Path("human.csv").write_text(
        "eval,system,content,fluency,wing,judge\n" + "".join(lines)
    )
    others = (f"{n},{s},{c * c % 7}\n" for n, s, c, _ in judged)
    Path("others.csv").write_text("eval,system,content\n" + "".join(others))
    Path("rouge2").symlink_to(root / "fixtures/rouge2/example")
    Path("timeline").symlink_to(root / "fixtures/timeline/table1")
    days = Path("timeline/ap.txt").read_text()
    Path("twice.txt").write_text(f"{days}\n{days.replace(' the ', ' a ')}")
    Path("post.txt").symlink_to("timeline/washington-post.txt")
    Path("battery").mkdir()
    Path("battery/one.txt").write_text(Path("twice.txt").read_text())
    for name, line in {
        "settings.xml": f"settings {FOLDERS}",
        "saved.json": f"{SCORED} --per-eval --format json -m R1,R2",
        "saved.csv": f"{SCORED} --per-eval --format csv -m R1,R2",
        "run.part": f"{SCORED} --counts --samples 50",
    }.items():
        Path(name).write_bytes(plain(line).stdout)
    Path("run.lock").write_bytes(plain(f"{SCORED} --samples 0 -o out --lock -").stdout)
    Path("en").mkdir()
    Path("en/saved.json").write_bytes(Path("saved.json").read_bytes())
    Path("evals.txt").write_text("en/1.txt\n")
    with zipfile.ZipFile("team.zip", "w") as archive:
        archive.writestr("en/1.txt", "the cat")


def chosen(law: str) -> random.Random:
    """Return the random generator of a law, with the same cases in every run."""
    return random.Random(f"{law} {max(THOROUGH, 1)}")


def test_an_option_has_an_effect_or_is_refused(world: Path) -> None:  # noqa: ARG001
    """No option is silently ignored: numbers or layout change, or a message gives
    the reason.
    """
    every = [trial for trial in trials() if not SILENT & {*trial.names}]
    faults = [
        (trial.line, trial.option.opts[-1], wrong)
        for trial in chosen("effect").sample(every, len(every) if THOROUGH else CASES)
        if (wrong := effect(trial))
    ]

    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize("name", dict(commands()))
def test_every_command_has_a_line(name: str) -> None:
    """The laws cover all commands that have options."""
    params = dict(commands())[name].params
    has_options = any(isinstance(param, click.Option) for param in params)
    tried = {" ".join(trial.command) for trial in trials()}

    assert name in tried or not has_options, f"{name}: no line in LINES_OF_COMMANDS"


def test_every_conflict_is_declared_beside_its_options() -> None:
    """Each group of options names fields of its own in its conflicts, and each
    conflict has a group.
    """
    groups = {
        group
        for _, command in commands()
        for group in getattr(command.callback, "groups", ())
    }
    named = [
        (conflict, group, name)
        for conflict in CONFLICTS
        for group in groups
        for name in group.without_effect(conflict)
    ]

    assert not [(group, name) for _, group, name in named if name not in group.fields]
    assert {conflict for conflict, _, _ in named} == set(CONFLICTS)


def test_every_conflict_has_its_case() -> None:
    """The message of each conflict of options is in `cases/conflicts.txt`, below a
    command that has it.
    """
    messages = (case_files.FOLDER / "conflicts.txt").read_text("utf-8")

    assert [] == [
        conflict
        for conflict in CONFLICTS
        if f"{conflict}\n" not in messages
        and f"{conflict}; leave it out\n" not in messages
    ]


NINES = "9" * 400
HOSTILE = (
    *("", " ", "\0", "a\0b", "\n", "\r\x1b[31m", "\udcff", "\u202e", "\U0001f0a1" * 50, "-", "=", ":"),
    *(NINES, f"-{NINES}", f"0.{NINES}", f"1e{NINES}", "1" * 5000, "1e400", "-1e-400", "nan", "inf", "-inf"),
    *("../" * 50 + "x", "x" * 100_000, "/dev/null/x", ".", "(", "[", "(?P<", "%s%n", "{0}", "*", "--"),
    *(f"R{NINES}", f"ROUGE-SU{NINES}", f"ROUGE-W-{NINES}", f"ROUGE-W-0.{NINES}", "R1," * 2000, "RL." * 500),
    *(f"{NINES}words", f"{'1' * 5000}bytes", f"samples={NINES}", f"seed=-{NINES}", "alpha=nan", "metrics="),
    *(f"dialect:rouge155|samples:{NINES}", "dialect:\0", "dialect:google|seed:-1", "|" * 1000, "file:\0"),
    *("mark:", "split:\0", "os:nosuch", f"wordnet:{NINES}", "file:" + "x" * 5000, "a" * 5000 + ".csv"),
    *("ngram=" + "1," * 2000, f"beta={NINES}", f"snowball:{NINES}", "outputFile=\0", "a" * 5000 + "="),
)  # fmt: skip
# Addresses are not tried, since a server may listen there.
NOT_ABUSED = {"--scheduler"}


def test_no_value_of_an_option_breaks_a_command(world: Path) -> None:  # noqa: ARG001
    """For any value of an option there is a documented exit status, a message, and
    no partial report.
    """
    every = [
        trial
        for trial in trials()
        if not trial.option.is_flag and not NOT_ABUSED & {*trial.option.opts}
    ]
    chance = chosen("abuse")
    faults = []
    for _ in range(CASES):
        trial, value = chance.choice(every), chance.choice(HOSTILE)
        words = typed(trial, value)
        words += chance.choice([[], [], words[len(trial.command) :][:2] * 300])
        outcome = invoke(words)
        taken = value == "nan" and isinstance(
            trial.option.type, click.types.FloatParamType
        )
        if wrong := fault(outcome) or (
            "nan is no number" if taken and not outcome.status else ""
        ):
            faults.append((trial.line, trial.option.opts[-1], value[:60], wrong))

    assert not faults, "\n".join(map(str, faults))
