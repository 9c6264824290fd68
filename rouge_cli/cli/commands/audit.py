"""`rouge-cli audit`: explain why dialects differ on one input.

It shares its options and functions with `explain`, whose module defines both.
"""

from rouge_cli.cli.commands.explain import audit

SECTION = "Doubt"
command = audit
