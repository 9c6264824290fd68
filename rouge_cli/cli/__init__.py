"""The commands: `rouge-cli` and the drop-in `ROUGE-1.5.5.pl`."""
