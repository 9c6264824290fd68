"""ROUGE-1.5.5.pl (Lin 2004-2005): reading, counting, rounding and averaging in the
original's order.

Tokens are runs of ASCII letters and digits, in lower case. The stemmer is Porter's,
after a list of irregular forms. The counts of several models are added; with `formula`
best, the model with the best recall counts. F is computed from R and P that are rounded
to five decimals. The average is the mean of 1,000 bootstrap samples.
docs/reference/drop-in.md lists the options of the original's command line.
"""


def __getattr__(name: str) -> object:
    """Import the dialect at its first use; ROUGE-1.5.5.pl does not need it."""
    if name == "DIALECT":
        from rouge_cli.dialects.rouge155.options import DIALECT

        return DIALECT
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
