"""The order of the files in a folder."""

from __future__ import annotations

import re


def natural(name: str) -> tuple[list[str | tuple[int, str]], str]:
    """Return a key that sorts numbers in names as numbers, of any length."""
    key: list[str | tuple[int, str]] = []
    for index, part in enumerate(re.split("([0-9]+)", name)):
        if index % 2:  # a number
            digits = part.lstrip("0")
            key.append((len(digits), digits))
        else:
            key.append(part)
    return key, name
