"""Warnings about a run, from a sample of its texts.

Compiled code reads most texts, and need not look for what is rare. A sample of the
texts is read once more, in Python, after the run: for words that the dialect does not
find, and for lines that hold several sentences.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Document, EvalTask, Notice
from rouge_cli.errors import RougeError, install_command
from rouge_cli.text import languages, reading, segmentation, survey, tokenizers

if TYPE_CHECKING:
    from rouge_cli.dialects._run import DialectRun

# The most predictions or references of an eval that are read, and the bytes of one:
# reading takes much longer here than in compiled code.
MOST_OF_EVAL, MOST_BYTES = 4, 200_000
# Mean sentences per text, if most texts are one line; texts of a quick look.
MOST_LINES = 1.1
# Ends of sentences in other alphabets, of which ideographic ones have no blank.
_OTHER_ENDS = [
    end.encode() for end in ("\u3002", "\uff01", "\uff1f", "\u0964 ", "\u06d4 ")
]
SENTENCES_IN_LINES = (  # the same in all dialects, of which some commands run several
    "most texts of both sides are one line of several sentences, and a line is one"
    " sentence for ROUGE-L and rougeLsum, as in the original programs; use --sentences"
    " split (extra sentences; or punkt, or mark:TEXT), or put a line feed after each"
    " sentence (docs/how-to/questions.md)"
)
# Tokenizers whose words are single characters where blanks do not separate words.
BY_CHARACTER = ("unicode", "char", "zh")
MUCH_BY_CHANCE = 0.3  # ROUGE-1 F of unrelated texts
# Warn if at least 1 text in 20 of a sample has words that are not found.
ONE_IN = 20


class SideTexts(NamedTuple):
    """The texts of one side of a sample."""

    documents: list[Document]
    formats: list[str]  # the format of each


def remarks(
    sample: Sequence[EvalTask],
    details: Mapping[str, object],
    options: Mapping[str, object],
    dialect: DialectRun,
) -> Iterator[Notice]:
    """Yield warnings about words that the dialect does not find in the sample, about
    characters in place of words, and about lines that hold several sentences.

    Args:
        details: The details of the report.
        options: The options of the run.
        dialect: The run of the dialect, which reads the texts.
    """
    sides = _texts(sample)
    if not all(side.documents for side in sides):
        return
    if message := _message_of_words(sides, options, dialect):
        yield Notice(message)
    if options.get("tokenizer") in BY_CHARACTER:
        documents = [document for side in sides for document in side.documents]
        if message := _message_of_characters(documents):
            yield Notice(message)
    may_join = _may_join_sentences(_means(details), options, dialect)
    if may_join and all(_are_lines_of_sentences(side) for side in sides):
        yield Notice(SENTENCES_IN_LINES)


def _means(details: Mapping[str, Any]) -> list[float]:
    """Return the mean number of sentences of a text, by side; nothing without texts."""
    tallies: list[Any] = [details.get(side) or {} for side in survey.SIDES]
    if not all(tally.get("texts") for tally in tallies):
        return []
    return [tally["sentences"] / tally["texts"] for tally in tallies]


def _may_join_sentences(
    means: Sequence[float], options: Mapping[str, object], dialect: DialectRun
) -> bool:
    """Return True if most texts are one line, which a metric takes for a sentence."""
    are_lines = bool(means) and max(means) <= MOST_LINES
    is_by_line = dialect.needs_sentences and options.get("sentences") == "newline"
    return are_lines and is_by_line


def _may_be_faulty(text: bytes) -> bool:
    """Return True if the script of a text may have words that are not found."""
    return segmentation.may_be_faulty(text.decode("utf-8", "replace"))


def _may_hold_sentences(text: bytes) -> bool:
    """Return True if a sentence may end within a text: a quick look."""
    if b". " in text or b"? " in text or b"! " in text or b'." ' in text:
        return True
    return not text.isascii() and any(end in text for end in _OTHER_ENDS)


def _texts(sample: Sequence[EvalTask]) -> list[SideTexts]:
    """Return the predictions and the references of a sample, without files that
    cannot be read again.
    """
    sides = [SideTexts([], []), SideTexts([], [])]
    for task in sample:
        predictions = [source for source in task.predictions.values() if source]
        references = [source for _, source in task.references]
        for side, sources in zip(sides, (predictions, references), strict=True):
            for source in sources[:MOST_OF_EVAL]:
                document = _document(source)
                if document is not None:
                    side.documents.append(document)
                    side.formats.append(task.input_format)
    return sides


def _document(source: str | Document) -> Document | None:
    """Return a text; None if it is very long, or cannot be read again."""
    if isinstance(source, Document):
        return source if len(source.data) <= MOST_BYTES else None
    if not os.path.isfile(source):  # a pipe is empty by now
        return None
    try:
        if os.path.getsize(source) > MOST_BYTES:
            return None
        return reading.document(source)
    except (OSError, RougeError):  # it is gone
        return None


def _are_lines_of_sentences(side: SideTexts) -> bool:
    """Return True if most texts are one line that holds several sentences."""
    quick = sum(_may_hold_sentences(document.data) for document in side.documents)
    if 2 * quick <= len(side.documents):
        return False
    number = 0
    for document, name in zip(side.documents, side.formats, strict=True):
        try:
            units = reading.units(document, name)
        except RougeError:
            continue
        number += segmentation.is_line_of_sentences(units)
    return 2 * number > len(side.documents)


def _message_of_words(
    sides: Sequence[SideTexts], options: Mapping[str, object], dialect: DialectRun
) -> str:
    """Return the warning about words that the dialect does not find; empty if it
    finds them.
    """
    faulty: list[tuple[Document, str]] = []
    counts = []
    is_frequent = False
    for side, side_name in zip(sides, survey.SIDES, strict=True):
        number, of = 0, len(side.documents)
        for document, input_format in zip(side.documents, side.formats, strict=True):
            if fault := _fault(document, input_format, dialect):
                faulty.append((document, fault))
                number += 1
        is_frequent = is_frequent or number * ONE_IN >= of
        counts.append(f"{number} of {of} {side_name}")
    if not (faulty and is_frequent):
        return ""
    first, fault = faulty[0]
    return languages.unfound_words(first, fault, " and ".join(counts), options)


def _message_of_characters(documents: Sequence[Document]) -> str:
    """Return the warning about texts whose single characters are counted, where so
    many are equal by chance that scores say little; empty for other languages.
    """
    if all(document.data.isascii() for document in documents):
        return ""
    # Together: a heading alone may have the letters of another language, too.
    profile = languages.guess(b"\n".join([document.data for document in documents]))
    if profile is None or float(profile.chance) < MUCH_BY_CHANCE:
        return ""
    in_words = languages.profiles().get(f"{profile.code}-words")
    remedy = "to count words, name a segmenter: --tokenizer MODULE:FUNCTION"
    if in_words is not None:
        extra, *_ = tokenizers.EXTRAS[in_words.tokenizer]
        package = f"'rouge-cli[{extra}]'"
        remedy = (
            f"to count words, use --language {in_words.code}"
            f" ({install_command(package)})"
        )
    return (
        f"{profile.name} is counted in characters, and unrelated texts score about"
        f" {profile.chance} in ROUGE-1 F; {remedy}"
    )


def _fault(document: Document, input_format: str, dialect: DialectRun) -> str:
    """Return what is wrong with the words that the dialect finds in a document, or an
    empty string.
    """
    if document.data.isascii():
        return ""
    if not _may_be_faulty(document.data):
        return ""
    try:
        by_reading = dialect.readings(document, input_format)
    except RougeError:  # reported by the run
        return ""
    for words in by_reading:
        if fault := segmentation.fault(words):
            return fault
    return ""
