"""One run of a program over many evals: batches, columns, processes and threads, parts."""
