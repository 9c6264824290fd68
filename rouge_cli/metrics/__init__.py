"""What is measured. One metric family a file; its docstring is its help; its label parses back."""
