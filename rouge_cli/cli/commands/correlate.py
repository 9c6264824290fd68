"""`rouge-cli correlate`: correlate metrics with human scores.

It shares its options and functions with `compare`, whose module defines both.
"""

from rouge_cli.cli.commands.compare import correlate

SECTION = "Study"
command = correlate
