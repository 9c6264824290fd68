"""How results are printed. A report is a module with `render(report, ...) -> str`."""
