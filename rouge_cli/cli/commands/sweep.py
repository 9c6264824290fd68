"""`rouge-cli sweep`: rank variants of ROUGE by their correlation with people.

It shares its options and functions with `compare`, whose module defines both.
"""

from rouge_cli.cli.commands.compare import sweep

SECTION = "Study"
command = sweep
