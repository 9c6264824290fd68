"""rouge_score's types: ROUGE as Google's package defines it (--dialect google).

    rouge1            single tokens
    rouge2            pairs of tokens in a row; rouge3 to rouge9: longer n-grams
    rougeL            the longest common subsequence of the texts, each taken as one sentence
    rougeLsum         longest common subsequences sentence by sentence, as ROUGE-1.5.5's ROUGE-L: a line is
                      a sentence unless --sentences is used

Tokens are runs of a-z and 0-9 of the lower-cased text. Papers that print "ROUGE-L" of a language model's
summaries mean rougeLsum or rougeL, and the two differ: name the one that you used.
"""

# Labels of this dialect only; the number stands for any.
LABELS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
