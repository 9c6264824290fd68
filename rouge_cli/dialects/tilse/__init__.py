"""Timeline summarization: the metrics of Martschat and Markert (2017), as in their toolkit tilse 0.2.

A timeline is dated days with sentences. The metrics differ in the days that they compare: `concat` all days
joined; `agreement` days of one date; `align` each day with another, near in time; `align+` (label
`align-content`) near in time and with similar words; `align+ m:1` (`align-content-m1`) the same, several
days with one. Matches of days that are k days apart count 1 / (k + 1). Counts are ROUGE-1.5.5's, by default
stemmed and without stop words, as in the toolkit; the paper's numbers are of plain tokens. Several models
are pooled: their counts add up. The average is the mean precision, the mean recall, and the F of these two.

Labels look like ROUGE-1-align-content; the names of paper and toolkit are accepted too. Texts are read
as format `timeline`. `rouge-cli timeline` has more: presets, alignments, date selection, folders of topics.
Martschat and Markert, "Improving ROUGE for Timeline Summarization", 2017.
"""
