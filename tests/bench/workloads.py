"""Seeded workloads for the benchmark: text with the overlaps of real summaries, made
from word lists.

Half of the tokens are common words in the proportions of Zipf's law, the other half
come from a small vocabulary of the eval's topic, and now and then a phrase of the topic
is used whole. This gives ROUGE-1 of about 0.4 and ROUGE-2 of about 0.1, like good
systems on news.
"""

import csv
import json
import random
import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "compat" / "conformance"))

from cases import Case, evaluation, see

ROOT = Path(__file__).resolve().parents[2]


class Workload(NamedTuple):
    """The sizes of texts, and the options of a ROUGE on them; the settings file is
    the last argument.
    """

    name: str
    evals: int
    predictions: int
    references: int
    sentences: int
    words: int
    options: str


W1 = Workload("W1", 50, 10, 4, 5, 20, "-n 4 -w 1.2 -m -2 4 -u -c 95 -r 1000 -a")
W2 = Workload("W2", 2000, 1, 1, 5, 20, "-n 2 -m -a -r 1000")
SMALL = Workload("small", 1, 1, 1, 3, 15, "-n 2 -m -a")


def write(workload: Workload, folder: Path, seed: int = 1) -> Path:
    """Write the workload's files, in SEE, below `folder`; return the settings file."""
    evals: list[str] = []
    files: dict[str, str] = {}
    for number, sides in enumerate(made(workload, seed), 1):
        groups = [
            {
                f"{place}": f"{number}.{letter}.{place}.html"
                for place in range(1, len(summaries) + 1)
            }
            for letter, summaries in zip("PM", sides, strict=True)
        ]
        for group, summaries in zip(groups, sides, strict=True):
            files.update(zip(group.values(), map(see, summaries), strict=True))
        evals.append(evaluation(f"{number}", "SEE", str(folder), *groups))
    files["settings.xml"] = "\n".join(
        ["<ROUGE-EVAL version='1.0'>", *evals, "</ROUGE-EVAL>"]
    )
    Case(workload.name, files, []).write_files(folder)
    return folder / "settings.xml"


def made(
    workload: Workload, seed: int = 1
) -> Iterator[tuple[list[list[str]], list[list[str]]]]:
    """Yield peers and models of each eval, as lists of sentences."""
    for number in range(1, workload.evals + 1):
        topic = _Topic(random.Random(f"{workload.name} {seed} {number}"))
        predictions, references = (
            [
                [topic.sentence(workload.words) for _ in range(workload.sentences)]
                for _ in range(count)
            ]
            for count in (workload.predictions, workload.references)
        )
        yield predictions, references


def texts(
    chance: random.Random, count: int, *, sentences: int, words: int
) -> list[tuple[list[str], list[str]]]:
    """Return pairs of texts on one topic each, as lists of sentences."""
    pairs = []
    for _ in range(count):
        topic = _Topic(random.Random(chance.random()))
        first, second = (
            [topic.sentence(words) for _ in range(sentences)] for _ in range(2)
        )
        pairs.append((first, second))
    return pairs


def write_pairs(folder: Path, count: int) -> None:
    """Write line-aligned files `hyp` and `ref`: texts of three sentences of 18
    words, separated by <q>.
    """
    pairs = texts(random.Random(2), count, sentences=3, words=18)
    for name, side in (("hyp", 0), ("ref", 1)):
        (folder / name).write_text(
            "".join("<q>".join(pair[side]) + "\n" for pair in pairs)
        )


def write_records(path: Path, count: int) -> None:
    """Write jsonl of pairs of texts, each of two to four of six sentences of 18
    words.
    """
    chance = random.Random(3)
    frequent = [f"w{number}" for number in range(300)]
    rare = [f"word{number}" for number in range(20_000)]

    def sentence() -> str:
        words = (
            chance.choice(frequent if chance.random() < 0.5 else rare)
            for _ in range(18)
        )
        return " ".join(words).capitalize() + "."

    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            shared = [sentence() for _ in range(6)]
            prediction, reference = (
                "\n".join(chance.choice(shared) for _ in range(chance.randint(2, 4)))
                for _ in range(2)
            )
            record = {
                "id": f"d{number}",
                "prediction": prediction,
                "reference": reference,
            }
            file.write(json.dumps(record) + "\n")


def write_kinds(records: Path, folder: Path) -> None:
    """Write the pairs of a file of records in other kinds of input, each text on one
    line.
    """
    with (
        (folder / "lists.jsonl").open("w", encoding="utf-8") as lists,
        (folder / "table.csv").open("w", encoding="utf-8", newline="") as table,
        (folder / "hyp.txt").open("w", encoding="utf-8") as hyps,
        (folder / "ref.txt").open("w", encoding="utf-8") as refs,
        records.open(encoding="utf-8") as lines,
    ):
        rows = csv.writer(table)
        rows.writerow(["id", "prediction", "reference"])
        for line in lines:
            record = json.loads(line)
            prediction, reference = (
                record[name].replace("\n", " ") for name in ("prediction", "reference")
            )
            lists.write(
                json.dumps(
                    {
                        "id": record["id"],
                        "prediction": prediction,
                        "references": [reference],
                    }
                )
                + "\n"
            )
            rows.writerow([record["id"], prediction, reference])
            hyps.write(prediction + "\n")
            refs.write(reference + "\n")


def write_long(folder: Path, words: int) -> None:
    """Write two texts of one line of that many words, and a file list that pairs
    them.
    """
    chance = random.Random(words)
    for name in ("p", "m"):
        drawn = (f"w{int(chance.paretovariate(0.7)) % 30_000}" for _ in range(words))
        (folder / f"{name}{words}").write_text(" ".join(drawn) + "\n")
    (folder / f"list{words}").write_text(f"{folder}/p{words} {folder}/m{words}\n")


class _Topic:
    """A topic's words and phrases, and sentences made of them."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._common = _words(ROOT / "rouge_cli/data/stop_words.txt")
        self._own = chance.sample(_words(ROOT / "fixtures/rouge155/stems.tsv"), 120)
        self._common_weights = _zipf(len(self._common))
        self._own_weights = _zipf(len(self._own))
        self._phrases = [self._plain(chance.randint(2, 5)) for _ in range(12)]

    def sentence(self, words: int) -> str:
        """Return a sentence of that many words."""
        drawn: list[str] = []
        while len(drawn) < words:
            drawn += (
                self._chance.choice(self._phrases)
                if self._chance.random() < 0.05
                else self._plain(1)
            )
        return " ".join(drawn[:words]).capitalize()

    def _plain(self, count: int) -> list[str]:
        return [
            self._chance.choices(self._common, cum_weights=self._common_weights)[0]
            if self._chance.random() < 0.5
            else self._chance.choices(self._own, cum_weights=self._own_weights)[0]
            for _ in range(count)
        ]


@lru_cache
def _words(path: Path) -> list[str]:
    """Return the first fields of the lines, words of letters only, in a fixed random
    order.
    """
    words = [line.split("\t")[0] for line in path.read_text("latin-1").splitlines()]
    words = sorted({word for word in words if word.isascii() and word.isalpha()})
    random.Random(0).shuffle(words)
    return words


def _zipf(count: int) -> list[float]:
    return list(accumulate(1 / rank for rank in range(1, count + 1)))
