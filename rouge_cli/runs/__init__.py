"""A run over many evals: its set-up, batches, threads and processes, and its parts
in files.
"""
