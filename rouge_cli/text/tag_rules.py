"""Rules that correct a word's part-of-speech tag by its neighbours, as nltk's transformation rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.text.tag_lexicon import Lexicon

_BE = "be am is are was were been being 'm 're 's s m re isn aren wasn weren"
_HAVE = "have has had having 've ve haven hasn hadn d 'd"
_DO = "do does did don doesn didn"
_DEGREE = "very so too quite really rather extremely just as how more most less least pretty fairly almost"
_FINITE = "VBZ VBP VBD MD"
_OWNER = "DT PRP$ POS CD"
# Each rule is applied to the whole sentence before the next. A line is
#
#     OLD TAGS > NEW TAG SHARE | PLACES TAGS AND WORDS | PLACES TAGS AND WORDS ...
#
# Each part after a | is a condition: at least one of these places, counted from the word (0), has one of
# these tags or words; with a leading !, none has. START and END are the places around a sentence. If no
# condition is on the word itself, the lexicon must also give it the new tag with more than that share (0
# if omitted).
RULES = f"""
POS > VBZ | 0 s 's | -1 PRP WP EX WRB that here there
POS > VBZ | 0 s 's | 1 VBG DT not
IN > DT | 0 that | 1 VBZ VBD MD | -1 START IN CC VB VBP VBD VBZ
IN > WDT | 0 that | -1 NN NNS NNP | 1 VBZ VBP VBD VB MD RB
IN > WDT | 0 that | -1 NNS | 1 NNS PRP NNP
IN > DT | 0 that | 1 NN NNP | 2 {_FINITE} END IN | -1 START IN CC VB TO
PRP$ > PRP | 0 her | 1 END IN TO DT RB PRP PRP$ CC . , WRB
EX > RB | 0 there | 1 END IN CC . , NN NNS JJ RB VB | -1 !START
WP > WDT | 0 what | 1 NN NNS a an
IN > VB | 0 like | -1 TO MD {_DO} t not n't
IN > VBP | 0 like | -1 i you we they really also always
JJR > RBR | 0 more less | 1 JJ RB
JJS > RBS | 0 most least | 1 JJ RB
DT > PDT | 0 all half | 1 DT PRP$
JJ > PDT | 0 such | 1 a an
DT > RB | 0 no | 1 RBR JJR
IN > RB | 0 as | 1 JJ RB many much | 2 IN
IN > RB | 0 about over around | 1 CD $
RP > IN | 0 up off out down | 1 DT PRP$ IN
RB > IN | 0 so | 1 PRP DT | -1 !VB IN
UH > RB | 0 no | 1 RBR JJR longer
VBP > VB | 0 have do | -1,-2,-3 MD TO {_DO}
VBD > VBN | 0 had | -1,-2 {_HAVE}
VBD > MD | 0 won | 1 t
VBP > VB | 0 are am | -1 MD TO
NN NNS JJ VBP VBD VBN RB NNP IN > VB | -1 MD {_DO}
NN JJ VBP RB NNP > VB 0.2 | -1 TO
NN JJ RB > VB 0.02 | -1 TO | 1 DT CD PRP PRP$
VBD VBN > VB | -1 TO MD {_DO}
NN JJ VBP VBD VBN NNP > VB | -1 RB | -2 MD {_DO}
NN JJ VBP VBD VBN > VB 0.2 | -1 RB | -2 TO
NN JJ VBP VBD > VB | -1 PRP | -2 MD {_DO}
VB NN JJ NNP > VBP | -1 i you we they
VB NN JJ > VBP | -1 RB | -2 i you we they
NNS NN > VBZ | -1 he she it
NNS > VBZ 0.2 | -1 RB | -2 he she it
NNS > VBZ 0.3 | -1 who which WDT
NN JJ > VB 0.3 | -1 let lets
VB NN > VBP 0.3 | -1 who WDT
VB > VBD | -1 he she it NNP
VB > VBP | -1 NNS NNPS EX | -2 !MD TO help let make makes made
VB > VBP | -1 RB | -2 NNS NNPS
VBD > VBN | -1 {_BE} {_HAVE} get gets got getting
VBD > VBN | -1 RB PRP | -2 {_BE} {_HAVE}
VBD > VBN | -1 RB | -2 RB PRP NN | -3 {_BE} {_HAVE}
VBD > VBN | 1 by
VBD > VBN | -1 START as when if than | 1 IN TO
VBD > VBN | -1 {_OWNER} IN JJ WRB RB | 1 NN NNS JJ
VBN > VBD | -1 PRP NNP WDT who | 1 !by
VBN > VBD 0.3 | -1 NN NNS | 1 DT PRP PRP$ IN TO RB END | 1 !by
VB VBP VBD > NN | -1 {_OWNER} JJ VBG | 1 !DT PRP
VB VBP > NN | -1 IN
VB VBP VBD > NN 0.1 | -1 NN NNP | 1 {_FINITE} IN CC END . ,
VB VBP > NN 0.1 | -1 NN NNP | -2,-3 !MD let help make makes made see saw {_DO}
VB VBP > NN | 1 VBZ VBD MD
VB > NN 0.3 | -1 START | 1 END VBZ IN CC NN NNS
VBZ > NNS | -1 {_OWNER} JJ IN VBG CC VB VBP JJR JJS
VBZ > NNS 0.2 | -1 NN | 1 {_FINITE} IN CC END
VBZ > NNS 0.2 | -1 START
NNS > VBZ | -1 this a an each every another
NNS > VBZ 0.2 | -1 CC RB | 1 DT PRP PRP$ CD
NN > VBP 0.1 | -1 NNS WDT | 1 DT PRP PRP$
NN > VBP 0.1 | -1 that | -2 NNS | 1 DT PRP PRP$
IN > WDT | 0 that | 1 VBP | -1 NNS
NNS > VBZ 0.3 | -1 NN NNP | 1 DT PRP PRP$ RB TO JJ
NN > VBD 0.2 | -1 PRP he she
NN JJ > VBG | -1 {_BE} | 1 DT PRP PRP$ IN TO RB CD JJ NNS
VBG VBN > JJ 0.1 | -1 {_OWNER} | 1 NN NNS
VBG > NN 0.25 | -1 {_OWNER} JJ | 1 !NN NNS DT
VBG > NN 0.3 | -1 NN | 1 {_FINITE} IN END
JJ > NN 0.02 | -1 DT PRP$ JJ POS | 1 {_FINITE} END . , IN WDT CC TO WRB
JJ > NN 0.4 | 1 {_FINITE}
NN NNP VB > JJ 0.25 | 1 NN NNS NNP | -1 DT PRP$ IN START JJ VB VBP VBZ VBD CC
NN VB VBP > JJ 0.05 | -1 {_DEGREE} | 1 !NN NNS
NN VB RB VBP > JJ 0.2 | -1 {_BE} look looks looked feel feels felt seem seems seemed | 1 END . , CC IN TO
NN VB VBP VBD > JJ 0.1 | -1 CC | -2 JJ | 1 END . , IN
NN > JJ 0.1 | -1 , | -2 JJ
RB > JJ 0.2 | 1 NN NNS NNP | -1 {_OWNER} IN VB VBD VBP VBZ
JJ > RB 0.1 | -1 VB VBD VBZ VBP VBG VBN | 1 END . , IN DT VBN
JJ > RB 0.2 | 1 JJ VBN VB | -1 {_BE} DT
JJ > RB 0.2 | 1 VBD VBZ | -1 PRP NN
IN > RP | 0 in on over around about through | 1 END . , CC | -1 VB VBD VBZ VBP VBG VBN
RP > RB | 0 away out up down off | -1 !VB VBD VBZ VBP VBG VBN NN NNS PRP
"""


class _Neighbour(NamedTuple):
    """A condition on tags and words, with the interface of an nltk.tbl Feature.

    must_match: True if one of the places must have one of `values`, False if none may.
    """

    places: tuple[int, ...]
    values: frozenset[str]
    must_match: bool
    positions: tuple[int, ...] = (0,)  # for nltk: the rule is tested at the word that may change

    def extract_property(self, tokens: Sequence[tuple[str, str]], index: int) -> bool:
        """Return True if the condition holds for the word at that index."""
        size = len(tokens)
        for place in self.places:
            if 0 <= (at := index + place) < size:
                word, tag = tokens[at]
                # In lower case, so that no word equals a tag, START or END.
                matches = tag in self.values or word.lower() in self.values
            else:
                matches = ("START" if at < 0 else "END") in self.values
            if matches:
                return self.must_match
        return not self.must_match


class _Share(NamedTuple):
    """The condition that the lexicon gives the word this tag with more than this share."""

    lexicon: Lexicon
    tag: str
    share: float
    positions: tuple[int, ...] = (0,)

    def extract_property(self, tokens: Sequence[tuple[str, str]], index: int) -> bool:
        """Return True if the condition holds for the word at that index."""
        return self.lexicon.shares(tokens[index][0]).get(self.tag, 0) > self.share


def make_rules(lexicon: Lexicon) -> Iterator[Any]:
    """Yield RULES as nltk's rules, one for each old tag."""
    from nltk.tbl.rule import Rule

    for line in RULES.strip().splitlines():
        change, *conditions = line.split(" | ")
        old, _, new = change.partition(" > ")
        tag, _, share = new.partition(" ")
        tests: list[_Neighbour | _Share] = list(map(_parse_condition, conditions))
        if not any(condition.startswith("0 ") for condition in conditions):
            # The lexicon does not distinguish the infinitive from the present.
            tests.append(_Share(lexicon, "VB" if tag == "VBP" else tag, float(share or 0)))
        features = [(test, True) for test in tests]
        yield from (Rule(line, before, tag, features) for before in old.split() if before != tag)


def _parse_condition(condition: str) -> _Neighbour:
    places, first, *others = condition.split()
    values = frozenset([first.removeprefix("!"), *others])
    return _Neighbour(tuple(map(int, places.split(","))), values, must_match=not first.startswith("!"))
