"""Click's usage errors in the wording of this program: one line with the remedy."""

from __future__ import annotations

import click

# The equivalents of ROUGE-1.5.5.pl's letters.
LETTERS = {
    "-n": "-m ROUGE-1,ROUGE-2",
    "-x": "-m, which names the metrics",
    "-w": "-m ROUGE-W-1.2",
    "-2": "-m ROUGE-S4 or ROUGE-SU4",
    "-u": "-m ROUGE-SU4",
    "-U": "-m ROUGE-S4,ROUGE-SU4",
    "-3": "-m ROUGE-BE-HM",
    "-a": "the default, all systems; --system NAME for some",
    "-z": "--input list --read-as FORMAT",
    "-l": "--limit 100words",
    "-b": "--limit 665bytes",
    "-s": "--stop",
    "-f": "--formula average or best",
    "-p": "--alpha",
    "-t": "--average macro or micro",
    "-c": "--confidence",
    "-r": "--samples",
    "-d": "--per-eval",
    "-e": "not needed: the word lists are built in (--stop-words FILE for others)",
    "-v": "rouge-cli explain",
}
SCORING = ("score", "compare")


def message(error: click.ClickException) -> str:
    """Return the error as one line: the command, what is wrong, what to do."""
    context = getattr(error, "ctx", None)
    command = context.command_path.partition(" ")[2] if context else ""
    what = " ".join(error.format_message().split()).rstrip(".").replace(". ", ": ")
    what = what[:1].lower() + what[1:]
    remedy = f"see rouge-cli {command} --help".replace("  ", " ")
    if isinstance(error, click.NoSuchOption):
        what = f"no such option {error.option_name!r}"
        if command in SCORING and error.option_name in LETTERS:
            remedy = f"here it is {LETTERS[error.option_name]} (or run ROUGE-1.5.5.pl itself)"
        elif error.possibilities:
            remedy = f"did you mean {' or '.join(sorted(error.possibilities))}?"
    return f"{command}: {what}; {remedy}".removeprefix(": ")
