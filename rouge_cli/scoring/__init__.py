"""From counts to scores: several models, recall, precision and F, resampling."""
