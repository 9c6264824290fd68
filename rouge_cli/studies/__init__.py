"""Studies of scored runs: comparison, correlation with human scores, differences of
dialects.
"""
