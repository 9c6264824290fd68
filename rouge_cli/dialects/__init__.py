"""The programs that are reproduced: each original is one module that reads from top to bottom."""
