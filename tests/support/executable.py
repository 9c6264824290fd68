"""The executable ROUGE-1.5.5.pl of this checkout, as the tests run it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "executable"
# The name of the installed program in Python: beside the executable, or in its place.
PYTHON_PROGRAM = next(
    name
    for name in ("ROUGE-1.5.5.py", "ROUGE-1.5.5.pl")
    if name.endswith("l") or Path(sys.executable).with_name(name).exists()
)
HANDED_OVER = 99  # the status of a stand-in for the program in Python


def build() -> Path | None:
    """Build the executable if it is older than its sources; return its path, or None without a compiler."""
    if os.name != "posix":
        return None
    import fcntl

    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        command = [sys.executable, "setup.py", "-q", "build_scripts", "-d", str(BUILT)]
        subprocess.run(command, cwd=ROOT, check=True)
    program = BUILT / "ROUGE-1.5.5.pl"
    return program if program.exists() else None


def install(folder: Path, script: str) -> str:
    """Install the executable in a folder, with this script as the program in Python; return its path."""
    folder.mkdir()
    shutil.copy(BUILT / "ROUGE-1.5.5.pl", folder)
    (folder / "ROUGE-1.5.5.py").write_text(script)
    (folder / "ROUGE-1.5.5.py").chmod(0o755)
    return str(folder / "ROUGE-1.5.5.pl")


def draw(seed: str, index: int) -> tuple[dict[str, str], list[str]]:
    """Return the files and the command line of an ordinary set-up, which the executable should answer.

    The conformance kit draws unusual ones, of which few are answered.
    """
    rng = Random(f"{seed} {index}")
    form = rng.choice(["SEE", "SPL"])
    evals = rng.choice([1, 1, 2, 3, 5, 8, rng.randint(9, 40)])
    systems = rng.sample(["A", "B", "1", "10", "2", "a.b", "a", "X y", "sys_3"], rng.choice([1, 1, 2, 3]))
    ids = rng.sample([*map(str, range(1, 60)), "D1", "D1.M", "d1", "D1.A", "7.a", "-", "007"], evals)
    references = rng.choice([1, 1, 2, 4])
    is_list = rng.random() < 0.3
    files: dict[str, str] = {}
    vocabulary = rng.sample(_words(), rng.choice([6, 20, 60]))
    names = [
        [
            f"{kind}{number}.{text}"
            for kind, count in (("p", len(systems)), ("m", references))
            for text in range(count)
        ]
        for number in range(evals)
    ]
    for name in (name for row in names for name in row):
        files[name] = _text(rng, vocabulary, form)
    if is_list:
        config = "files.lst"
        rows = (" ".join([row[0], *row[len(systems) :]]) for row in names)
        files[config] = "".join(
            f"{rng.choice(['', '', '  ', '# none', chr(10)])}{row}\n".replace("# none", "# x\n")
            for row in rows
        )
        target = ["-z", rng.choice([form, form.lower()]), config, *rng.choice([[], ["-a"], ["our system"]])]
        if target[-1] == "-a":
            target = ["-a", *target[:-1]]
    else:
        config = "settings.xml"
        files[config] = _settings(rng, form, ids, systems, names)
        target = rng.choice([["-a", config], [config, rng.choice(systems)]])
    return files, [*_options(rng), *target]


def _words() -> list[str]:
    """Return words: irregular ones, stop words, words with digits or hyphens, words of eight letters."""
    data = ROOT / "rouge_cli" / "data"
    odd = "running ponies 1,000 state-of-the-art U.S. it's x generalizations caf\xe9 FLIES"
    irregular, stop_words = (
        (data / name).read_text().split() for name in ("irregular_forms.tsv", "stop_words.txt")
    )
    return [*irregular[::40], *stop_words[::4], *(f"word{number:04}" for number in range(40)), *odd.split()]


def _text(rng: Random, vocabulary: list[str], form: str) -> str:
    """Return a text; the first sentence has a token that is not a stop word."""
    sentences = [
        " ".join(rng.choices(vocabulary, k=rng.choice([1, 4, 9, 20])))
        for _ in range(rng.choice([1, 2, 3, 6]))
    ]
    sentences[0] = f"Token {sentences[0]}"
    if form == "SPL":
        return rng.choice(["\n", "\n", "\n\n", " \n"]).join(sentences) + rng.choice(["", "\n"])
    lines = (
        f'<a name="{number}">[{number}]</a> <a href="#{number}" id={number}>{sentence}.'
        + rng.choice(["</a>", ""])
        for number, sentence in enumerate(sentences, 1)
    )
    return "\n".join(["<html>", "<body>", *lines, "</body></html>", ""])


def _settings(rng: Random, form: str, ids: list[str], systems: list[str], names: list[list[str]]) -> str:
    feed = rng.choice(["\n", "", "\n  "])
    evals = []
    for eval_id, row in zip(ids, names, strict=True):
        peers = [f'<P ID="{system}">{name}</P>' for system, name in zip(systems, row, strict=False)]
        models = [f'<M ID="{number}">{name}</M>' for number, name in enumerate(row[len(systems) :])]
        rng.shuffle(peers)
        parts = [
            "<PEER-ROOT>.</PEER-ROOT>",
            "<MODEL-ROOT>.</MODEL-ROOT>",
            f'<INPUT-FORMAT TYPE="{form}"></INPUT-FORMAT>',
            f"<PEERS>{feed.join(peers)}</PEERS>",
            f"<MODELS>{feed.join(models)}</MODELS>",
        ]
        evals.append(feed.join([f'<EVAL ID="{eval_id}">', *parts, "</EVAL>"]))
    return feed.join(['<ROUGE-EVAL version="1.0">', *evals, "</ROUGE-EVAL>"])


def _options(rng: Random) -> list[str]:
    """Return options in any order, clustered and joined at random."""
    values = {
        "n": (0.8, ["1", "2", "4", "2.9", "+3"]),
        "w": (0.3, ["1.2", "1.20", "2", "0.5", "1"]),
        "2": (0.4, ["4", "-1", "0", "04", "1.5", "100"]),
        "f": (0.3, ["A", "B"]),
        "p": (0.3, ["0.5", "0", "1", ".3", "0.8"]),
        "t": (0.4, ["0", "1", "2", "1.0"]),
        "c": (0.3, ["95", "90", "99.9", "0", "100", "095"]),
        "r": (0.4, ["1", "2", "10", "99", "500.5", "1000"]),
        rng.choice("lb"): (0.4, ["0", "3", "10", "75", "665", "2.5"]),
    }
    flags = [flag for flag, share in (("m", 0.5), ("s", 0.3), ("d", 0.4)) if rng.random() < share]
    chosen = [
        (letter, rng.choice(some)) for letter, (share, some) in values.items() if rng.random() < share
    ]
    if any(letter == "2" for letter, _ in chosen):
        flags += rng.choice([[], ["u"], ["U"], ["u", "U"]])
    if any(letter in "nw2" for letter, _ in chosen) and rng.random() < 0.3:
        flags.append("x")
    words = [["-" + "".join(flags)]] if flags and rng.random() < 0.5 else [[f"-{flag}"] for flag in flags]
    words += [
        [f"-{letter}{value}"] if rng.random() < 0.5 else [f"-{letter}", value] for letter, value in chosen
    ]
    rng.shuffle(words)
    return [word for group in words for word in group]
