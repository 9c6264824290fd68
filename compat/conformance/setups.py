"""Draw set-ups with unusual content; case INDEX of a seed is always the same.

Small (1 to 6 evaluations, 1 to 3 peers and models, 0 to 40 words), so that thousands
run in minutes; 1 in 40 is larger. As a script, write one: `setups.py SEED INDEX
FOLDER`.

Never drawn: input that this project handles differently on purpose, and input for which
the original's result is random. A comment gives the reason at each place.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from random import Random

from cases import Case
from setup_config import LIST, SETTINGS, file_list, settings
from setup_files import FORMATS
from setup_mishaps import Draft, befall
from setup_options import Option, heavy_options, options, target, words
from setup_ordinary import ordinary
from setup_plan import plan

ROOT = Path(__file__).resolve().parents[2]
OWN_DATABASE = ROOT / "fixtures" / "rouge155" / "db" / "small.db"


def draw(seed: str, index: int, *, heavy: bool = False, plain: bool = False) -> Case:
    """Return set-up `index` of the series that `seed` names, without its outcome.

    heavy: with long texts and a weight for ROUGE-W that gives numbers of more than 53
    bits. plain: ordinary content in place of unusual.
    """
    if plain:
        return ordinary(Random(f"{seed}-{index}-plain"), f"plain-{seed}-{index}")
    rng = Random(f"{seed}-{index}-heavy" if heavy else f"{seed}-{index}")
    large = rng.random() < 1 / 40 or heavy
    form = rng.choices(FORMATS, (35, 30, 12, 0 if heavy else 23))[0]
    as_list = rng.random() < 0.35
    chosen = heavy_options(rng) if heavy else options(rng, form)
    details = ("d", None) in chosen
    drawn = plan(rng, form, large=large, as_list=as_list, details=details, heavy=heavy)
    flags, after = target(rng, drawn.systems, as_list=as_list)
    chosen += flags
    if as_list:
        chosen.append(("z", rng.choice((form, form, form.lower(), form.title()))))
    config = LIST if as_list else SETTINGS
    files = dict(drawn.files)
    files[config] = file_list(rng, drawn) if as_list else settings(rng, drawn)
    if rng.random() < 0.03:
        chosen += _own_data(rng, files)
    unlucky = rng.random() < 0.1 and not heavy
    if unlucky:
        # In ROUGE-W the original may stop at an empty model before it reaches the
        # error.
        chosen = [option for option in chosen if option[0] != "w"]
    draft = Draft(form, as_list, config, files, words(rng, chosen), after)
    if unlucky:
        befall(draft, rng)
    argv = [*draft.before, config, *draft.after]
    return Case(f"{'heavy' if heavy else 'random'}-{seed}-{index}", draft.files, argv)


def _own_data(rng: Random, files: dict[str, str]) -> list[Option]:
    """Write a data folder of the set-up's own, whose stop list and database replace
    the usual ones.
    """
    if not OWN_DATABASE.is_file():
        return []
    stop = ["the", "police", "The", " of", "to ", "x-ray", "", "was\r", "1"]
    rng.shuffle(stop)
    files["own/smart_common_words.txt"] = "\n".join(stop)
    files["own/WordNet-2.0.exc.db"] = OWN_DATABASE.read_bytes().decode("latin-1")
    return [("e", rng.choice(("own", "own/", "./own")))]


def main(arguments: list[str]) -> int:
    """Write one set-up to a folder, and print its arguments."""
    if len(arguments) != 3 or not arguments[1].isdigit():
        print("usage: setups.py SEED INDEX FOLDER", file=sys.stderr)
        return 2
    case = draw(arguments[0], int(arguments[1]))
    case.write_files(Path(arguments[2]))
    print(shlex.join(case.argv))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
