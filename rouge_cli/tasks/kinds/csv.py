"""Comma-separated values, below a line of names; a row may span several lines inside quotes."""

from __future__ import annotations

from functools import partial

from rouge_cli.tasks.kinds import _delimited

SUFFIXES = (".csv",)
CELLS_ARE_TEXT = True
DELIMITER = ","
rows = partial(_delimited.read, delimiter=DELIMITER)
