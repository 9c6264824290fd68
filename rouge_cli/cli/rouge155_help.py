"""The drop-in's own help; ROUGE-1.5.5's texts are not repeated (QUIRKS 1)."""

from __future__ import annotations

USAGE = """\
usage: ROUGE-1.5.5.pl [OPTIONS] SETTINGS.xml SYSTEM-ID     score one system
       ROUGE-1.5.5.pl [OPTIONS] -a SETTINGS.xml            score all systems
       ROUGE-1.5.5.pl [OPTIONS] -z FORMAT LIST [SYSTEM-ID] score a file list
       ROUGE-1.5.5.pl -h                                   explain all options"""

HELP = f"""{USAGE}

ROUGE-1.5.5 without Perl: scores peer summaries against model summaries and prints
recall, precision and F with bootstrap intervals, byte for byte as the original does.
Options are single letters, may be clustered (-axm), take their value joined (-n4) or
as the next word (-n 4), and end at the first word that is not an option.

What to measure
  -n N       ROUGE-1 to ROUGE-N: overlap of n-grams. Without -n there is no ROUGE-N
  -x         no ROUGE-L; otherwise it is always computed (but not with -3)
  -w W       ROUGE-W: longest common subsequences with runs of k words worth k^W; W > 0.
             1.2 is usual
  -2 D       ROUGE-S: pairs of words with at most D words between; -1 for any number
  -u         with -2: ROUGE-SU instead, pairs and single words
  -U         with -2: both, ROUGE-S and ROUGE-SU
  -3 MODE    ROUGE-BE: basic elements, from input of format SIMPLE. MODE is H (heads), HM
             (head, modifier) or HMR (and relation), which skip elements with nil;
             HM1, HMR1, HMR2 count such elements too (HMR1: but not with a nil modifier)

What to read
  SETTINGS   XML: EVALs with PEER-ROOT, MODEL-ROOT, INPUT-FORMAT TYPE, PEERS and MODELS
  -a         all systems in SETTINGS, in the order of their IDs as strings
  -z FORMAT  read a file list instead: a line is the peer's path and the models' paths.
             The system's ID is SYSTEM-ID, or X
  FORMAT     SEE (HTML with numbered anchors), SPL (one sentence per line), ISI
             (<S SNTNO="1">...</S>), SIMPLE (head|modifier|relation per line)
  -l N       only the first N words of every peer and model
  -b N       only the first N bytes; not together with -l
  -m         stem all words (Porter, after a list of irregular forms)
  -M         stem the models only; not together with -m. No effect on ROUGE-N
  -s         remove stop words
  -e DIR     a data folder with a stop list (smart_common_words.txt) and irregular forms
             (WordNet-2.0.exc.db) of your own; also by the environment variables
             ROUGE_EVAL_HOME and RED_EVAL_HOME. Not needed: both lists are built in

How to score
  -f A|B     several models: A (default) adds up the counts of all, B takes the best model
  -p ALPHA   F = P R / ((1 - ALPHA) P + ALPHA R), ALPHA in 0..1; default 0.5
  -t 0|1|2   0 (default) averages scores over evaluations; 1 adds up the counts of all
             evaluations first; 2 prints these counts only
  -c CF      confidence level in percent, 0..100; default 95
  -r N       number of bootstrap samples; default 1000. The average that is printed is
             the mean of the samples
  -d         also print the scores of each evaluation

Other
  -v         print what is read and counted, on stderr
  -h, -H     print this text

Environment
  ROUGE_CLI_QUIET=1           suppress notices that the original does not print
  ROUGE_CLI_JOBS=0            score on all cores (N: in N processes)
  ROUGE_CLI_KERNELS=python    count with the readable kernels, not the compiled ones

Exit status: 0 done; 255 wrong usage or data; the system's error number (2: no such file)
if a file cannot be read; 130 interrupted; 141 closed pipe. After an error, stderr has the
reason and stdout is empty.
"""
