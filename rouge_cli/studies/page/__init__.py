"""The page of `rouge-cli report`: a run in one HTML file, gathered and rendered."""
