"""An example of a package that adds to rouge-cli: each module is one plugin."""
