"""The page: what `rouge-cli report` shows of a run in one HTML file, gathered and rendered."""
