"""ROUGE-1.5.5.pl (Lin 2004-2005): its reading, counting, rounding and averaging, in its order.

Tokens are runs of ASCII letters and digits, in lower case; the stemmer is Porter's, after a list of
irregular forms. With several models, their counts add up; with `formula` best, the model with the best
recall counts. F is computed from R and P that are rounded to five decimals. The average is the mean of
1,000 bootstrap samples. docs/reference/drop-in.md has the options of the original's command line.
"""
