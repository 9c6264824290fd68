"""Sources of evaluation tasks. A source is a module with `read(path, ...) ->
[EvalTask]`.
"""
