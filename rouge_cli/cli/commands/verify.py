"""`rouge-cli verify`: score again what `score --lock` scored.

It shares its options and functions with `score`, whose module defines both.
"""

from rouge_cli.cli.commands.score import verify

SECTION = "Score"
command = verify
