"""The common parts of dialects of Python packages that score pairs of strings."""
