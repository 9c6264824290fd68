"""ROUGE 2.0 (Ganesan 2015): ROUGE with synonyms, and of topics by part of speech.

A word also matches its synonyms, one to one, and words of chosen parts of speech can be scored by
themselves: ROUGE-1+Synonyms, ROUGE-Topic{NN|JJ}, ROUGE-TopicUniq{NN|JJ}; ROUGE-N, L, S and SU too, each
with +StopWordRemoval, +Stemming and +Synonyms in any combination. Units never cross the end of a line; with
several models, recall and precision are means. The definitions are the paper's or, with `definition`
program, those of its Java program 1.2.2; the two differ (docs/how-to/rouge2.md). Topics and synonyms are
only as good as the tagger and the WordNet that find them: report which you used. The signature names them.
"""
