"""`rouge-cli identify`: find the set-up of published scores.

It shares its options and functions with `explain`, whose module defines both.
"""

from rouge_cli.cli.commands.explain import identify

SECTION = "Doubt"
command = identify
