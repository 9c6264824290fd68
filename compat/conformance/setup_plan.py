"""The evaluations of a drawn set-up: their peers and models, and their files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from setup_files import FORMATS, related, text, write
from setup_words import pool, vocabulary

if TYPE_CHECKING:
    from random import Random

# Never drawn in IDs: bytes outside ASCII, because the original's output encoding of
# them varies (spec, Corners); line ends, because an ID is written as a part of a line.
PREDICTION_IDS = (
    *pool("1 2 9 10 01 x X y sysA sysB 1-1 a.b a+b (c $d 50% %s <&> -a 0"),
    "",
    "a b",
    " p ",
)
EVAL_IDS = (
    *pool("1 2 3 9 10 11 100 007 20-x 31.5 4e2 x y X D061 a-1 -1 .5 + %d {z}"),
    "",
    "a 1",
    " 7",
)
# These share leading numbers with others of both lists.
EQUAL_NUMBERS = pool("01 1-1 1.1 1x 0009 9-2 10a 010 2.0 02")
REFERENCE_IDS = (*pool("A B C 1 2 0"), "", "M N")


@dataclass
class Evaluation:
    """One EVAL of the settings, or one line of a file list. Paths are below the
    roots.
    """

    id: str
    form: str
    prediction_root: str
    reference_root: str
    predictions: list[tuple[str, str]] = field(default_factory=list)
    references: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Plan:
    """All evaluations of a set-up, and every file that they may name."""

    form: str
    as_list: bool
    systems: list[str]
    evaluations: list[Evaluation] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


def plan(  # noqa: PLR0913 - what a set-up is like
    rng: Random,
    form: str,
    *,
    large: bool,
    as_list: bool,
    details: bool,
    heavy: bool = False,
) -> Plan:
    """Draw the evaluations.

    details: the report has a line for each (-d). heavy: each text has a word, since the
    original stops at an empty one in ROUGE-W.
    """
    count = rng.choice((1, 2, 12, 25)) if large else rng.choice((1, 1, 2, 2, 3, 4, 6))
    systems = ["X"] if as_list else rng.sample(PREDICTION_IDS, rng.choice((1, 1, 2, 3)))
    result = Plan(form, as_list, systems)
    roots = _roots(rng)
    for number, name in enumerate(_eval_ids(rng, count, details=details), 1):
        if rng.random() < 0.1:
            roots = _roots(rng)
        # BE reads no other format, and only BE reads BE files, so formats are not
        # mixed.
        mixed = not as_list and form != "SIMPLE" and rng.random() < 0.1
        own = rng.choice(FORMATS[:3]) if mixed else form
        evaluation = Evaluation(name, own, *(("", "") if as_list else roots))
        # Long texts in many evaluations would only take time.
        _Filler(rng, result, evaluation, number, large and count < 12, heavy).fill()
        result.evaluations.append(evaluation)
    return result


def _eval_ids(rng: Random, count: int, *, details: bool) -> list[str]:
    # Under -d, evaluations with equal leading numbers come in Perl's hash order (spec,
    # last section): there each ID has a leading number of its own, or none.
    ids = EVAL_IDS if details else EVAL_IDS + EQUAL_NUMBERS
    if count <= 6 and rng.random() < 0.5:
        return rng.sample(ids, count)
    return [str(number) for number in range(1, count + 1)]


def _roots(rng: Random) -> tuple[str, str]:
    pairs = (("systems", "models"), ("systems", "models"), ("all", "all"), ("a/b", "a/c"),
             ("./systems", "models/"), ("sys tems", "R&D/x"), (".", "./."))  # fmt: skip
    return rng.choice(pairs)


@dataclass
class _Filler:
    """Draw the models and peers of one evaluation, and their files."""

    rng: Random
    plan: Plan
    evaluation: Evaluation
    number: int
    large: bool
    heavy: bool
    words: list[str] = field(default_factory=list)
    written: list[list[str]] = field(default_factory=list)

    def fill(self) -> None:
        rng, evaluation = self.rng, self.evaluation
        self.words = vocabulary(rng)
        # Blanks separate paths in a file list. Never drawn: `<`, `>` and `|`, with
        # which Perl's open redirects, or runs a command.
        tails = (
            ("", "", ".txt", "&x", "'")
            if self.plan.as_list
            else ("", "", ".txt", " &x", "'")
        )
        names = rng.sample(REFERENCE_IDS, rng.choice((1, 1, 1, 2, 2, 3)))
        for position, name in enumerate(names):
            path = self._shared() or self._add(
                f"e{self.number}.m{position}{rng.choice(tails)}"
            )
            evaluation.references.append((name, path))
        for position, system in enumerate(self.plan.systems):
            # Now and then a system is missing from an evaluation; a file list has a
            # single one.
            if self.plan.as_list or rng.random() < 0.9:
                path = self._prediction(position)
                evaluation.predictions.append((system, path))

    def _prediction(self, position: int) -> str:
        """Return a new file; now and then the first model itself, if both have the
        same root.
        """
        own = self.evaluation
        if own.prediction_root == own.reference_root and self.rng.random() < 0.05:
            return own.references[0][1]
        return self._add(f"e{self.number}.p{position}", prediction=True)

    def _shared(self) -> str | None:
        """Now and then return a model of an earlier evaluation, if root and format
        are the same.
        """
        own = self.evaluation
        same = [
            path
            for other in self.plan.evaluations
            if (other.form, other.reference_root) == (own.form, own.reference_root)
            for _, path in other.references
        ]
        return self.rng.choice(same) if same and self.rng.random() < 0.15 else None

    def _add(self, path: str, *, prediction: bool = False) -> str:
        """Write one file; most share much with an earlier one."""
        rng, own = self.rng, self.evaluation
        if self.written and rng.random() < 0.6:
            lines = related(rng, own.form, self.words, rng.choice(self.written))
        else:
            lines = text(rng, own.form, self.words, large=self.large)
        if self.heavy:
            lines = [f"police {line}" for line in lines or [""]]
        self.written.append(lines)
        root = own.prediction_root if prediction else own.reference_root
        self.plan.files[f"{root}/{path}" if root else path] = write(
            rng, own.form, lines
        )
        return path
