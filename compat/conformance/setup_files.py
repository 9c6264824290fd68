"""Summary files for drawn set-ups, in the four formats, with noise around the
sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from setup_words import cased, sentence, sentences, varied

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

FORMATS = ("SEE", "SPL", "ISI", "SIMPLE")

SEE_NOISE = (
    "<html>",
    '<body bgcolor="white">',
    "</body>",
    "not a sentence",
    "",
    " ",
    '<A NAME="1">[1]</A> <A HREF="#1" ID=1>wrong case</A>',
    '<a name="1">[1]</a><a href="#1" id=1>no blank between</a>',
    ' <a name="1">[1]</a> <a href="#1" id=1>not at the start</a>',
    '<a name="1">[1]</a> <a href="#1" id="1">quoted id</a>',
    "<a name='1'>[1]</a> <a href='#1' id=1>single quotes</a>",
    '<a name="x">[1]</a> <a href="#1" id=1>no digits</a>',
    '<a name="1">[1]</a> <a href="#1" id=1></a>',
    '<a size="x" name="1">[1]</a> <a href="#1" id=1>size no number</a>',
    '<a size="1"  name="1">[1]</a> <a href="#1" id=1>two blanks</a>',
    '<a name="1">[1]</a> <a href="#1" id=1 >blank before the bracket</a>',
)

ISI_NOISE = (
    "<DOC>",
    "",
    "text",
    '<S SNTNO="">no number</S>',
    '<S SNTNO="A">a capital</S>',
    '<s sntno="1">wrong case</s>',
    ' <S SNTNO="1">not at the start</S>',
    '<S SNTNO="1">no end',
    '<S SNTNO="1"></S>',
    '<S SNTNO="1">with <b>markup</b></S>',
    '<S  SNTNO="1">two blanks</S>',
    '<S SNTNO="1">one</S><S SNTNO="2">and another</S>',
)


def write(rng: Random, form: str, lines: Sequence[str]) -> str:
    """Return a file in format `form` with these sentences (or BE lines, for SIMPLE)."""
    if form == "SIMPLE":
        # Noise in a BE file is an error, and is not skipped.
        file = "".join(line + "\n" for line in lines)
        return file if rng.random() < 0.9 else file[:-1]
    if form == "SEE":
        written = _noisy(
            rng, SEE_NOISE, [_see(rng, n, line) for n, line in enumerate(lines, 1)]
        )
    elif form == "ISI":
        written = _noisy(
            rng, ISI_NOISE, [_isi(rng, n, line) for n, line in enumerate(lines, 1)]
        )
    else:
        written = _noisy(rng, ("", " ", "\t \t", "-", "\r", "\xa0"), list(lines))
    return _joined(rng, written)


def _see(rng: Random, number: int, text: str) -> str:
    size = f'size="{rng.randint(0, 999)}" ' if rng.random() < 0.2 else ""
    n = [
        str(number if rng.random() < 0.9 else rng.choice((0, 7, "01", 123)))
        for _ in range(4)
    ]
    blank = " " if rng.random() < 0.9 else rng.choice(("  ", "\t", "\r", "\v"))
    end = (
        "</a>"
        if rng.random() < 0.85
        else rng.choice(("", "<", "</a></a>", " <b>more</b></a>"))
    )
    return (
        f'<a {size}name="{n[0]}">[{n[1]}]</a>{blank}<a href="#{n[2]}"'
        f" id={n[3]}>{text}{end}"
    )


def _isi(rng: Random, number: int, text: str) -> str:
    name = (
        str(number) if rng.random() < 0.8 else rng.choice(("1a", "2,3", "x,", ",", "0"))
    )
    tail = "" if rng.random() < 0.9 else rng.choice((" ", "trailing", "\r"))
    return f'<S SNTNO="{name}">{text}</S>{tail}'


def _noisy(rng: Random, noise: Sequence[str], lines: list[str]) -> list[str]:
    for _ in range(rng.choice((0, 0, 0, 1, 2, 5))):
        lines.insert(rng.randint(0, len(lines)), rng.choice(noise))
    return lines


def _joined(rng: Random, lines: Sequence[str]) -> str:
    """Join lines with their ends: LF, CRLF, or now and then a lone CR, which does
    not end a line.
    """
    kind = rng.random()
    ends = (
        ("\n",)
        if kind < 0.8
        else ("\r\n",)
        if kind < 0.92
        else ("\n", "\n", "\r\n", "\r")
    )
    text = "".join(line + rng.choice(ends) for line in lines)
    return text if rng.random() < 0.85 else text[:-1]


def elements(rng: Random, words: Sequence[str], *, large: bool) -> list[str]:
    """Return the lines of a BE file: HEAD|MODIFIER|RELATION."""
    count = rng.choice((0, 1, 2, 3, 5, 8, 12)) if not large else 150
    # Two fields have to agree, or three, so the choice is small.
    return [element(rng, words[: rng.choice((2, 4, 8))]) for _ in range(count)]


def element(rng: Random, words: Sequence[str]) -> str:
    """Return one valid line: three fields after empty ones at its end are dropped."""
    fields = [_part(rng, words), _part(rng, words), _relation(rng)]
    if rng.random() < 0.05:
        fields[rng.randrange(2)] = rng.choice(("", " ", "NIL", "nil ", "nils", "-"))
    end = "" if rng.random() < 0.95 else rng.choice(("|", "||", "\r", " "))
    return "|".join(fields) + end


def _part(rng: Random, words: Sequence[str]) -> str:
    """Return a head or modifier: a word, several, or nil."""
    kind = rng.random()
    if kind < 0.2:
        return "nil"
    if kind < 0.85:
        return _unbarred(cased(rng, rng.choice(words)))
    return _unbarred(sentence(rng, words, rng.randint(2, 4)))


def _relation(rng: Random) -> str:
    if rng.random() < 0.8:
        return rng.choice(("subj", "obj", "nil"))
    return rng.choice(("mod", "NN", "SUBJ", "pcomp-n", "a b", "\xc9"))


def _unbarred(text: str) -> str:
    # A bar inside would add a field, and so be an error; those are drawn as mishaps.
    return text.replace("|", "") or "x"


def text(rng: Random, form: str, words: Sequence[str], *, large: bool) -> list[str]:
    """Return the sentences of a new text, or its BE lines."""
    return (elements if form == "SIMPLE" else sentences)(rng, words, large=large)


def related(
    rng: Random, form: str, words: Sequence[str], lines: Sequence[str]
) -> list[str]:
    """Return a text that shares much with another one."""
    if form == "SIMPLE":
        return [line if rng.random() < 0.7 else element(rng, words) for line in lines]
    return varied(rng, words, lines)
