"""`rouge-cli merge`: merge the parts of a run, which `score --counts` writes.

It shares its options and functions with `score`, whose module defines both.
"""

from rouge_cli.cli.commands.score import merge

SECTION = "Score"
command = merge
