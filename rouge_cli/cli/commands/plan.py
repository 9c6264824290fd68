"""`rouge-cli plan`: print how many evals show a difference.

It shares its options and functions with `compare`, whose module defines both.
"""

from rouge_cli.cli.commands.compare import plan

SECTION = "Study"
command = plan
