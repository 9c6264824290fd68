"""Keys of evals in the names of files: by the name's stem, or by patterns as in pyrouge."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

SEPARATORS = "._-"
REMEDY = (
    r"use matching names, or give --peer-pattern 'sum.(\d+).txt' and --model-pattern 'ref.[A-Z].#ID#.txt'"
)
_ID = "#ID#"


def peer_key_finder(pattern: str | None) -> Callable[[str], str | None]:
    """Return a function from the name of a peer's file to its key, or to None if it does not match."""
    if pattern is None:
        return files.stem
    compiled = _compile(pattern, "--peer-pattern", pattern)
    if compiled.groups != 1:
        raise UsageError(
            f"--peer-pattern {pattern}: {compiled.groups} groups; expected one",
            remedy=r"put the eval's ID into round brackets, and nothing else, as in sum.(\d+).txt",
        )

    def key(name: str) -> str | None:
        match = compiled.fullmatch(name)
        return match[1] if match else None

    return key


def find_key(name: str, keys: Collection[str]) -> str | None:
    """Return the key in the name of a model's file: its stem, or the longest key at either end of the stem.

    None if there is no key. The name may lack a suffix. Raises RougeError if two keys fit equally well.
    """
    for stem in (files.stem(name), files.uncompressed(name)):
        if stem in keys:
            return stem
        places = [place for place, letter in enumerate(stem) if letter in SEPARATORS]
        before = max((key for place in places if (key := stem[:place]) in keys), key=len, default="")
        after = max((key for place in places if (key := stem[place + 1 :]) in keys), key=len, default="")
        fit_equally = len(before) == len(after) or (before.isdigit() and after.isdigit())
        if before and after and before != after and fit_equally:
            raise RougeError(f"could be a model of {before} or of {after}", remedy=REMEDY)
        if before or after:
            return max(before, after, key=len)
    return None


def key_finder(pattern: str) -> Callable[[str, Collection[str]], str | None]:
    """Return a function like `find_key` for a pattern with #ID#; it returns the longest key that fits."""
    if _ID not in pattern:
        raise UsageError(
            f"--model-pattern {pattern}: no {_ID}", remedy=f"write {_ID} in place of the eval's ID"
        )
    _compile(pattern.replace(_ID, "1"), "--model-pattern", pattern)
    compiled: dict[str, re.Pattern[str]] = {}
    capture = _compile_with_group(pattern)
    lengths: list[int] = []

    def key(name: str, keys: Collection[str]) -> str | None:
        if not lengths:
            lengths.extend(sorted(set(map(len, keys)), reverse=True))
        match = capture.fullmatch(name) if capture else None
        for length in lengths:
            parts = {name[start : start + length] for start in range(len(name) - length + 1)}
            for part in sorted(part for part in parts if part in keys):
                if match and match["rouge_id"] == part:
                    return part
                if part not in compiled:
                    compiled[part] = re.compile(pattern.replace(_ID, re.escape(part)))
                if compiled[part].fullmatch(name):
                    return part
        return None

    return key


def _compile_with_group(pattern: str) -> re.Pattern[str] | None:
    """Return the pattern with a group in place of #ID#, so that it need not be compiled for each key.

    None if the group could capture anything but a key.
    """
    if pattern.count(_ID) > 1 or re.search(r"\\[0-9]|\(\?\(|#ID#[*+?{]", pattern):
        return None
    try:
        compiled = re.compile(pattern.replace(_ID, "(?P<rouge_id>.+)"))
    except re.error:
        return None
    return compiled if "rouge_id" in compiled.groupindex else None


def _compile(expression: str, option: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(expression)
    except re.error as error:
        raise UsageError(f"{option} {pattern}: not a regular expression ({error})") from None


def remainder(stem: str, key: str) -> str:
    """Return a model's stem without the key and the separators around it."""
    if stem.startswith(key):
        return stem[len(key) :].strip(SEPARATORS)
    before, _, after = stem.rpartition(key)
    return ".".join(part for part in (before.strip(SEPARATORS), after.strip(SEPARATORS)) if part)
