"""Whose program computes it: each original is one module that reads from top to bottom."""
