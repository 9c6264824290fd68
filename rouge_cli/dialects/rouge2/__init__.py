"""ROUGE 2.0 (Ganesan 2015): ROUGE with synonyms, and of topics by part of speech.

A word also matches its synonyms, one to one, and words of chosen parts of speech can be scored by
themselves: ROUGE-1+Synonyms, ROUGE-Topic{NN|JJ}, ROUGE-TopicUniq{NN|JJ}; ROUGE-N, L, S and SU too, each
with +StopWordRemoval, +Stemming and +Synonyms in any combination. Units never cross the end of a line; of
several models the mean counts. By the paper's definitions, or with `definition` program by those of its
Java program 1.2.2, which differ (docs/how-to/rouge2.md). Topics and synonyms are as good as the tagger and
the WordNet that find them, so report which you used; the signature names them.
"""
