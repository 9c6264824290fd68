"""Tab-separated values, below a line of names; a row may span several lines inside
quotes.
"""

from functools import partial

from rouge_cli.tasks.kinds import csv

SUFFIXES = (".tsv",)
CELLS_ARE_TEXT = True
DELIMITER = "\t"
OPTIONS = csv.OPTIONS
rows = partial(csv.rows, delimiter=DELIMITER)
parse = partial(csv.parse, delimiter=DELIMITER)
