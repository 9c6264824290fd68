"""rouge-cli: the ROUGE evaluator. Importing the package does nothing and costs nothing."""

__version__ = "0.1.0"
