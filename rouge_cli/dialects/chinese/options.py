"""The options of `rouge-cli score --dialect chinese`."""

from functools import partial

from rouge_cli.dialects.chinese.program import Chinese
from rouge_cli.pairwise import get_scores, program

DEFAULTS = get_scores.DEFAULTS
STEMMER = STOP_LIST = ""  # the package has neither
parse = partial(program.parse, "chinese", get_scores.LABELS)
canonical = partial(program.canonical, parse=parse)
build = Chinese
