"""The options of `rouge-cli score --dialect pltrdy`."""

from functools import partial

from rouge_cli.dialects.pltrdy.program import Pltrdy
from rouge_cli.pairwise import get_scores, program

DEFAULTS = get_scores.DEFAULTS
STEMMER = STOP_LIST = ""  # the package has neither
parse = partial(program.parse, "pltrdy", get_scores.LABELS)
canonical = partial(program.canonical, parse=parse)
build = Pltrdy
