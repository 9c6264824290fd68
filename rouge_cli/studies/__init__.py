"""Studies of finished runs: comparison, correlation with human scores, differences of dialects."""
