#!/usr/bin/env python3
"""Compare the taggers with sentences tagged by hand, and print the numbers of
docs/explanation/tagging.md.

usage: docs/measure_taggers.py [NAME ...]     (default: embedded)

For each part of the sample: how many words have the right tag, and how many the right
class (noun, adjective, verb, adverb, other), which ROUGE-Topic uses; then precision and
recall of NN|JJ. Each for the unchanged text without counting punctuation, and for the
text as ROUGE 2.0 reads it: lower case, no punctuation, numbers as `@`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rouge_cli.text import tagging

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SAMPLE = (
    Path(__file__).resolve().parents[1] / "fixtures" / "rouge2" / "tagged-sample.txt"
)
TOPICS = ("NN", "JJ")
Sentence = list[tuple[str, str]]


def parts(text: str) -> dict[str, list[Sentence]]:
    """Return the name of a part -> its sentences of words and tags."""
    by_name: dict[str, list[Sentence]] = {}
    sentences: list[Sentence] = []
    for line in text.splitlines():
        if heading := re.match(r"# ([A-Z ]+):", line):
            sentences = by_name.setdefault(heading[1].lower(), [])
        elif not line.startswith("#"):
            sentences.append(
                [
                    (word, tag)
                    for word, _, tag in (
                        token.rpartition("_") for token in line.split()
                    )
                ]
            )
    return by_name


def as_rouge_2_reads(sentence: Sentence) -> Sentence:
    """Return the words in lower case and without punctuation."""
    return [
        (re.sub("[0-9]+", "@", word.lower()), tag)
        for word, tag in sentence
        if tag[0].isalpha()
    ]


def compared(
    tagger: tagging.Tag, sentences: Iterable[Sentence]
) -> Iterator[tuple[str, str, str]]:
    """Return word, tag by hand and tag of the tagger, without punctuation."""
    for sentence in sentences:
        (tags,) = tagger([[word for word, _ in sentence]])
        yield from (
            (word, hand, tag)
            for (word, hand), tag in zip(sentence, tags, strict=True)
            if hand[0].isalpha()
        )


def coarse(tag: str) -> str:
    """Return the class that ROUGE-Topic can select."""
    return tag[:2] if tag[:2] in ("NN", "JJ", "VB", "RB") else "other"


def measured(pairs: list[tuple[str, str, str]]) -> str:
    """Format the numbers as one line."""
    right = sum(hand == tag for _, hand, tag in pairs)
    classes = sum(coarse(hand) == coarse(tag) for _, hand, tag in pairs)
    both = sum(
        hand.startswith(TOPICS) and tag.startswith(TOPICS) for _, hand, tag in pairs
    )
    precision = both / sum(tag.startswith(TOPICS) for *_, tag in pairs)
    recall = both / sum(hand.startswith(TOPICS) for _, hand, _ in pairs)
    size = len(pairs)
    return (
        f"{size:5}  {right / size:6.1%}  {classes / size:6.1%}  {precision:.3f} "
        f" {recall:.3f}"
    )


def main(names: list[str]) -> None:
    """Print one line for each tagger, part and form of the text; wrong words on
    stderr.
    """
    print("tagger    part      text      words    tag   class   NN|JJ P    R")
    for name in names:
        tagger = tagging.named(name)
        for part, sentences in parts(SAMPLE.read_text("utf-8")).items():
            normalized = [as_rouge_2_reads(sentence) for sentence in sentences]
            for form, texts in (("as is", sentences), ("rouge 2", normalized)):
                pairs = list(compared(tagger, texts))
                print(f"{name:9} {part:9} {form:9}{measured(pairs)}")
                if part == "mended":
                    print(
                        *(
                            f"{word}_{hand}:{tag}"
                            for word, hand, tag in pairs
                            if hand != tag
                        ),
                        file=sys.stderr,
                    )


if __name__ == "__main__":
    main(sys.argv[1:] or ["embedded"])
