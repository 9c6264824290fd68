"""Where evaluation tasks come from. A source is a module with `read(path, ...) -> [EvalTask]`."""
