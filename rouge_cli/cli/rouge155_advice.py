"""Advice on command lines that ROUGE-1.5.5 accepts silently, but probably not as intended."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rouge_cli.cli import getopt
from rouge_cli.core import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask, Notify

NUMBERS = "nw2tcprlb"
MOST_NAMES = 20


def unknown(words: getopt.Parsed) -> Iterator[Notice]:
    """Yield a notice for each letter that is not an option."""
    for letter in words.unknown:
        long = (
            " (an option is one letter: the others of this word are options, too)" if letter == "-" else ""
        )
        yield Notice(f"unknown option -{letter} is skipped{long}", of_the_original=True)


def warn_of_mistakes(
    words: getopt.Parsed, tasks: Sequence[EvalTask], peer_ids: Sequence[str], notify: Notify
) -> Sequence[EvalTask]:
    """Report probable mistakes on the command line; return the tasks that it scores."""
    config, *rest = words.arguments
    systems = {peer_id for task in tasks for peer_id in task.peers if task.peers[peer_id]}
    for notice in _values(words):
        notify(notice)
    # A file list has one system; if more words follow it, the original scores nothing.
    scores_nothing = "z" in words.values and len(rest) > 1
    if scores_nothing:
        what = f"{' '.join(rest)}: name one system after the list; more words give zeros (QUIRKS 15)"
        notify(Notice(what, of_the_original=True))
    elif any(word.startswith("-") and (word not in systems or "z" in words.values) for word in rest):
        notify(Notice(f"{' '.join(rest)}: options after {config} are not read; write them before it"))
    elif "a" in words.flags and "z" not in words.values and rest:
        notify(Notice(f"{' '.join(rest)}: ignored, since -a scores all systems"))
    elif rest[1:]:
        notify(Notice(f"{' '.join(rest[1:])}: ignored, since {rest[0]} alone is scored"))
    if systems.isdisjoint(peer_ids):
        notify(_nowhere(config, "".join(peer_ids), sorted(systems)))
        return ()
    return () if scores_nothing else tasks


def _values(words: getopt.Parsed) -> Iterator[Notice]:
    """Yield a notice for each option that counts as another, or not at all."""
    for letter, value in words.values.items():
        if letter in NUMBERS and not getopt.is_number(value):
            yield Notice(f"-{letter} {value}: not a number; read as {getopt.number(value):g}")
    if getopt.number(words.values.get("t", "0")) not in (0, 1, 2):
        yield Notice(f"-t {words.values['t']}: none of 0, 1 and 2; read as 0")
    if words.values.get("f", "A") not in ("A", "B"):
        yield Notice(f"-f {words.values['f']}: neither A nor B; read as A")
    if "3" in words.values:
        from rouge_cli.metrics.basic_elements import MODES

        mode = words.values["3"]
        if mode not in MODES:
            yield Notice(f"-3 {mode}: unknown mode, which counts nothing; use {', '.join(MODES)}")
    if words.flags & {"u", "U"} and "2" not in words.values:
        yield Notice("-u and -U: without -2 there is no ROUGE-S")
    reads_sentences = "x" not in words.flags or words.values.keys() & {"w", "2", "3"}
    if words.flags >= {"m", "M"} and reads_sentences:
        yield Notice(
            "-m and -M: read as -m; ROUGE-1.5.5 stops stemming peers after the first model (QUIRKS 21)"
        )


def swallowed_remedy(values: Mapping[str, str]) -> str:
    """Return the remedy if an option took the settings file, or another option, as its value."""
    for letter, value in values.items():
        is_option = value.startswith("-") and value[1:2].isalpha()
        if is_option or os.path.isfile(value) or value.endswith(".xml"):
            return f"option -{letter} took {value!r} as its value: give it one of its own"
    return ""


def _nowhere(config: str, peer_id: str, systems: Sequence[str]) -> Notice:
    """Return the notice on a system that no eval has, which the original scores with zeros (QUIRKS 14)."""
    names = ", ".join(systems[:MOST_NAMES]) + (", ..." if len(systems) > MOST_NAMES else "")
    what = (
        f"no system {peer_id!r}, so that it gets zeros; there are {names}"
        if names
        else "no eval has a peer"
    )
    return Notice(f"{config}: {what}", of_the_original=True)
