"""Dialects of Python packages that score a string against a string: what their programs have in common."""
