"""From counts to scores: combining references, recall, precision and F, resampling."""
