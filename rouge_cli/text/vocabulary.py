"""One number per word form and run, so that everything after reading works on integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    # A raw token to the form that is counted, or None where it is dropped (a stop word).
    Normalise = Callable[[bytes], "bytes | None"]

DROPPED = -1


class Vocabulary(dict[bytes, int]):
    """raw token -> id of its normal form; each raw token is normalised once, at its first look-up.

    Several vocabularies (stemmed and not, say) may share `forms`, and then agree on the ids.
    """

    def __init__(self, normalise: Normalise | None, forms: dict[bytes, int]) -> None:
        super().__init__()
        self._normalise = normalise
        self._forms = forms

    def __missing__(self, raw: bytes) -> int:
        form = raw if self._normalise is None else self._normalise(raw)
        number = DROPPED if form is None else self._forms.setdefault(form, len(self._forms))
        self[raw] = number
        return number

    def ids(self, raw_tokens: Iterable[bytes]) -> list[int]:
        """The ids of the tokens that are not dropped, in order."""
        return [number for number in map(self.__getitem__, raw_tokens) if number != DROPPED]
