"""Errors in some drawn set-ups: the original refuses them, and so must the program.

Some have no effect: a missing file that is not read is not an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random


@dataclass
class Draft:
    """A set-up under construction: the words before and after the settings file."""

    form: str
    as_list: bool
    config: str
    files: dict[str, str]
    before: list[str]
    after: list[str]

    def texts(self) -> list[str]:
        """Return the names of the summaries. Without its database the original
        prints nothing.
        """
        return [
            name
            for name in self.files
            if name != self.config and not name.startswith("own/")
        ]

    def add(self, *options: str) -> None:
        """Add options at the end, so that they take effect."""
        end = len(self.before) - (self.before[-1:] == ["--"])
        self.before[end:end] = options

    def swap(self, rng: Random, pattern: str, text: str) -> None:
        """Replace one of the places in the settings that match `pattern`."""
        places = list(re.finditer(pattern, self.files[self.config]))
        if places:
            place = rng.choice(places)
            content = self.files[self.config]
            self.files[self.config] = (
                content[: place.start()] + text + content[place.end() :]
            )


Mishap = Callable[[Draft, Random], None]


def _missing_file(draft: Draft, rng: Random) -> None:
    del draft.files[rng.choice(draft.texts())]


def _missing_config(draft: Draft, _rng: Random) -> None:
    del draft.files[draft.config]


def _cut_config(draft: Draft, rng: Random) -> None:
    content = draft.files[draft.config]
    draft.files[draft.config] = content[: rng.randint(0, max(0, len(content) - 2))]


def _garbled_config(draft: Draft, rng: Random) -> None:
    draft.swap(rng, "[<>\"'/]|[a-z]\\b", rng.choice("<&>\"'\x01\xe9"))


def _no_id(draft: Draft, rng: Random) -> None:
    draft.swap(rng, r"\bID\b", "id")


def _bad_format(draft: Draft, rng: Random) -> None:
    if draft.as_list:
        draft.add("-z", rng.choice(("XYZ", "", "SPL ", "SEEN", "0")))
    else:
        draft.swap(
            rng, f"(?i)\\b{draft.form}\\b", rng.choice(("XYZ", "", "SPL ", "SEEN", "0"))
        )


def _no_format(draft: Draft, rng: Random) -> None:
    draft.swap(rng, "(?i)TYPE", "KIND")


def _other_measure(draft: Draft, rng: Random) -> None:
    if draft.form == "SIMPLE":
        draft.add("-n", "1")
    else:
        draft.add("-3", rng.choice(("HM", "H", "XX")))


def _limits(draft: Draft, _rng: Random) -> None:
    draft.add("-l", "10", "-b", "100")


def _out_of_range(draft: Draft, rng: Random) -> None:
    pairs = ("-c 101", "-c -1", "-c 1e3", "-p 1.5", "-p -0.1", "-p 2abc", "-w 0", "-w -1", "-w x",
             "-w 0x1")  # fmt: skip
    draft.add(*rng.choice(pairs).split(" "))


def _no_system(draft: Draft, _rng: Random) -> None:
    draft.before = ["-n", "1"]
    draft.after = []


def _one_field(draft: Draft, rng: Random) -> None:
    if draft.as_list:
        lines = draft.files[draft.config].split("\n")
        lines.insert(
            rng.randint(0, len(lines)), rng.choice(("e1.p0", " e1.p0 ", " # x", "x"))
        )
        draft.files[draft.config] = "\n".join(lines)


def _bad_element(draft: Draft, rng: Random) -> None:
    """Return a BE line without exactly three fields."""
    if draft.form == "SIMPLE":
        name = rng.choice(draft.texts())
        line = rng.choice(
            ("", "a|b", "a|b|", "a|b|c|d", "a", "|||d", "||", " ", "\r", "\xc9")
        )
        draft.files[name] = rng.choice(
            (line + "\n" + draft.files[name], draft.files[name] + line)
        )


MISHAPS: tuple[Mishap, ...] = (
    _missing_file,
    _missing_file,
    _missing_config,
    _cut_config,
    _garbled_config,
    _no_id,
    _bad_format,
    _no_format,
    _other_measure,
    _limits,
    _out_of_range,
    _no_system,
    _one_field,
    _bad_element,
    _bad_element,
)


def befall(draft: Draft, rng: Random) -> None:
    """Add one error."""
    rng.choice(MISHAPS)(draft, rng)
