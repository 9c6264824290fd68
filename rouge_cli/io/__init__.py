"""Input and output: the one place that opens a file of the user."""
