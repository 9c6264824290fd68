"""Draw ordinary set-ups: settings, lists and texts as programs write them, and
options in common use.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cases import Case, evaluation, see
from setup_config import LIST, SETTINGS
from setup_options import Option, words

if TYPE_CHECKING:
    from random import Random

DATA = Path(__file__).resolve().parents[2] / "rouge_cli" / "data"
SYSTEMS = ("A", "B", "1", "10", "2", "a.b", "a", "X y", "sys_3")
EVAL_IDS = (*map(str, range(1, 60)), "D1", "D1.M", "d1", "D1.A", "-")
# They share the leading number of an ID above. Never drawn with -d, whose lines the
# original then prints in a random order (QUIRKS 28).
EQUAL_NUMBERS = ("7.a", "007")
# Option -> how often it is drawn, and its values; None if it has none.
OPTIONS: dict[str, tuple[float, tuple[str | None, ...]]] = {
    "n": (0.8, ("1", "2", "4", "2.9", "+3")),
    "w": (0.3, ("1.2", "1.20", "2", "0.5", "1")),
    "2": (0.4, ("4", "-1", "0", "04", "1.5", "100")),
    "f": (0.3, ("A", "B")),
    "p": (0.3, ("0.5", "0", "1", ".3", "0.8")),
    "t": (0.4, ("0", "1", "2", "1.0")),
    "c": (0.3, ("95", "90", "99.9", "0", "100", "095")),
    "r": (0.4, ("1", "2", "10", "99", "500.5", "1000")),
    "l": (0.2, ("0", "3", "10", "75", "665", "2.5")),
    "b": (0.2, ("0", "3", "10", "75", "665", "2.5")),
    **dict.fromkeys("mMsd", (0.4, (None,))),
}


def ordinary(rng: Random, name: str) -> Case:
    """Return a set-up of up to 40 evals and 3 systems, without its outcome."""
    form, as_list = rng.choice(("SEE", "SPL")), rng.random() < 0.3
    systems = rng.sample(SYSTEMS, 1 if as_list else rng.choice((1, 1, 2, 3)))
    chosen = _options(rng)
    with_details = ("d", None) in chosen
    all_ids = EVAL_IDS if with_details else (*EVAL_IDS, *EQUAL_NUMBERS)
    ids = rng.sample(all_ids, rng.choice((1, 1, 2, 3, 5, 8, rng.randint(9, 40))))
    vocabulary = rng.sample(_words(), rng.choice((6, 20, 60)))
    references = [str(number) for number in range(rng.choice((1, 1, 2, 4)))]
    files: dict[str, str] = {}
    evals = []
    for number, eval_id in enumerate(ids):
        groups = [
            # A blank would end the path in a file list.
            {of: f"{kind}{number}.{of.replace(' ', '-')}" for of in group}
            for kind, group in zip("pm", (systems, references), strict=True)
        ]
        paths = [path for group in groups for path in group.values()]
        files.update((path, _text(rng, vocabulary, form)) for path in paths)
        comment = rng.choice(("", "", "  ", "# x\n", "\n"))
        evals.append(
            f"{comment}{' '.join(paths)}\n"
            if as_list
            else evaluation(eval_id, form, ".", *groups)
        )
    if as_list:
        files[LIST] = "".join(evals)
        chosen.append(("z", rng.choice((form, form.lower()))))
        return Case(
            name,
            files,
            [*words(rng, chosen, plain=True), LIST, *rng.choice(([], ["our system"]))],
        )
    files[SETTINGS] = "\n".join(['<ROUGE-EVAL version="1.0">', *evals, "</ROUGE-EVAL>"])
    if rng.random() < 0.5:
        return Case(
            name, files, [*words(rng, [*chosen, ("a", None)], plain=True), SETTINGS]
        )
    return Case(
        name, files, [*words(rng, chosen, plain=True), SETTINGS, rng.choice(systems)]
    )


def _options(rng: Random) -> list[Option]:
    chosen = [
        (letter, rng.choice(values))
        for letter, (share, values) in OPTIONS.items()
        if rng.random() < share
    ]
    letters = {letter for letter, _ in chosen}
    for first, second in ("lb", "mM"):  # together an error, and undefined
        if {first, second} <= letters:
            chosen = [option for option in chosen if option[0] != second]
    if "2" in letters:
        chosen += rng.choice(
            ([], [("u", None)], [("U", None)], [("u", None), ("U", None)])
        )
    if letters & {"n", "w", "2"} and rng.random() < 0.3:
        chosen.append(("x", None))
    return chosen


def _words() -> list[str]:
    """Return words: irregular ones, stop words, words with digits or hyphens, words
    of eight letters.
    """
    odd = (
        "running ponies 1,000 state-of-the-art U.S. it's x generalizations caf\xe9"
        " FLIES"
    )
    irregular, stop_words = (
        (DATA / name).read_text("ascii").split()
        for name in ("irregular_forms.tsv", "stop_words.txt")
    )
    return [
        *irregular[::40],
        *stop_words[::4],
        *(f"word{number:04}" for number in range(40)),
        *odd.split(),
    ]


def _text(rng: Random, vocabulary: list[str], form: str) -> str:
    """Return a text; the first sentence has a token that is not a stop word."""
    sentences = [
        " ".join(rng.choices(vocabulary, k=rng.choice((1, 4, 9, 20))))
        for _ in range(rng.choice((1, 2, 3, 6)))
    ]
    sentences[0] = f"Token {sentences[0]}"
    if form == "SEE":
        return see(sentences)
    return rng.choice(("\n", "\n", "\n\n", " \n")).join(sentences) + rng.choice(
        ("", "\n")
    )
