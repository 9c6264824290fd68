"""Recipes: the set-ups by which campaigns, benchmarks and scripts compute ROUGE.

tests/golden/test_recipes.py compares every recipe with the program that it names.
"""

from __future__ import annotations

from rouge_cli.core import NamedTuple
from rouge_cli.errors import UsageError, suggestion

PROOFS = "tests/golden/test_recipes.py"


class Recipe(NamedTuple):
    """A set-up with a name."""

    name: str
    summary: str  # one sentence, for lists
    source: str  # the publication or program that states the set-up
    notes: str  # what users must know
    signature: str  # all options of the dialect
    date: str = "2026-11-22"  # on which the source was read and the test was written

    @property
    def text(self) -> str:
        """The description in paragraphs."""
        from textwrap import wrap  # costs start-up time

        proof = f"Read on {self.date}; {PROOFS} compares it with the program itself."
        paragraphs = (self.summary, self.notes, f"Source: {self.source} {proof}")
        lines = ("\n".join(wrap(paragraph, 100, break_on_hyphens=False)) for paragraph in paragraphs)
        return "\n\n".join((*lines, self.signature))


_ROUGE155 = (
    "|irregular:full|stop:none|limit:{limit}|formula:average|alpha:0.5|average:macro|jackknife:no"
    "|confidence:95|samples:1000|seed:0|normalize:none|tokenizer:classic|sentences:{sentences}"
)
_NIST = (
    "dialect:rouge155|metrics:ROUGE-1+ROUGE-2+ROUGE-3+ROUGE-4+ROUGE-L+ROUGE-W-1.2+ROUGE-SU4|stemmer:rouge"
    + _ROUGE155.format(limit="none", sentences="newline")
)
_GOOGLE = "|jackknife:no|confidence:95|samples:{samples}|seed:0|normalize:none|tokenizer:google"
_GOOGLE += "|sentences:{sentences}"
_ALL_GOOGLE = "dialect:google|metrics:rouge1+rouge2+rougeL+rougeLsum|stemmer:"
_TO_BE_JACKKNIFED = (
    "NIST's tables of systems and people are jackknifed: add --jackknife, unless your settings do it."
)

RECIPES = (
    Recipe(
        "cnndm-pyrouge",
        "CNN/DailyMail as PreSumm scores it: ROUGE-1.5.5 through pyrouge, F of ROUGE-1, 2 and L.",
        "github.com/nlpyang/PreSumm, src/cal_rouge.py (Liu and Lapata 2019). It runs ROUGE-1.5.5.pl "
        "-c 95 -m -r 1000 -n 2 -a.",
        "Its files of candidates and references have a summary on each line, with <q> between sentences. "
        "For files with a sentence on each line, add --sentences newline.",
        "dialect:rouge155|metrics:ROUGE-1+ROUGE-2+ROUGE-L|stemmer:rouge"
        + _ROUGE155.format(limit="none", sentences="mark:<q>"),
    ),
    Recipe(
        "duc2004",
        "DUC 2004 as papers run it with ROUGE-1.5.5: the first 665 bytes, stemmed.",
        "duc.nist.gov/duc2004 states the length and the measures; papers run ROUGE-1.5.5.pl -a -c 95 "
        "-b 665 -m -n 4 -w 1.2 (github.com/miso-belica/sumy, issue 120).",
        "Recall was reported. NIST itself ran a release of ROUGE before 1.5.5, which is not public. "
        "For headlines (tasks 1 and 3), add --limit 75bytes.",
        "dialect:rouge155|metrics:ROUGE-1+ROUGE-2+ROUGE-3+ROUGE-4+ROUGE-L+ROUGE-W-1.2|stemmer:rouge"
        + _ROUGE155.format(limit="665bytes", sentences="newline"),
    ),
    Recipe(
        "duc2007",
        "DUC 2007, main and update task: ROUGE-2 and SU4 among all that NIST computed, stemmed.",
        "README of NIST's evaluation results of DUC 2007: ROUGE-1.5.5.pl -n 4 -w 1.2 -m -2 4 -u -c 95"
        " -r 1000 -f A -p 0.5 -t 0 -a -d.",
        "Recall was reported. NIST cut summaries to 250 words (update task: 100) before it scored "
        f"them: add --limit 250words if yours are longer. {_TO_BE_JACKKNIFED}",
        _NIST,
    ),
    Recipe(
        "hf-evaluate",
        "Hugging Face's evaluate.load('rouge').compute with its defaults: the middle of 1,000 samples.",
        "PyPI's evaluate 0.4, metric rouge, on rouge-score 0.1.2.",
        "The measure is F. The samples are those of seed=0. Without a seed, evaluate draws others in every "
        "process, and the last digits change. For use_stemmer=True add --stem, for "
        "use_aggregator=False --samples 0.",
        _ALL_GOOGLE + "none" + _GOOGLE.format(samples=1000, sentences="newline"),
    ),
    Recipe(
        "hf-summarization",
        "Hugging Face's run_summarization.py: sentences by nltk's punkt, stemmed, the middle of 1,000"
        " samples.",
        "github.com/huggingface/transformers, examples/pytorch/summarization/run_summarization.py, "
        "commit 00e6a185ca97.",
        "The measure is F, times 100. The samples are those of seed 0, as in hf-evaluate. Needs the extra "
        "punkt.",
        _ALL_GOOGLE + "nltk" + _GOOGLE.format(samples=1000, sentences="punkt"),
    ),
    Recipe(
        "longbench",
        "LongBench's rouge_score: F of ROUGE-L by PyPI's rouge 1.0.1, the best reference.",
        "github.com/THUDM/LongBench, metrics.py, commit f6227eb7a25c.",
        "LongBench gives 0 to texts at which the package fails. These are empty texts, which get 0 here "
        "too, and sentences of about 1,000 words, which are scored here (QUIRKS 75). For rouge_zh_score, "
        "separate words by blanks first.",
        "dialect:pltrdy|metrics:rouge-l|exclusive:yes|ignore_empty:no|formula:best|samples:0|sentences:newline",
    ),
    Recipe(
        "mlperf",
        "MLPerf inference (GPT-J, CNN/DailyMail): sentences by nltk's punkt, stemmed, plain means of F.",
        "github.com/mlcommons/inference, language/gpt-j/evaluation.py, commit 2900d83beff0.",
        "The measure is F, times 100. Needs the extra punkt.",
        _ALL_GOOGLE + "nltk" + _GOOGLE.format(samples=0, sentences="punkt"),
    ),
    Recipe(
        "nemo",
        "NeMo's peft_metric_calc.py: F of rougeL by rouge_score, stemmed, the best answer, plain means.",
        "github.com/NVIDIA/NeMo, scripts/metric_calculation/peft_metric_calc.py, commit 05b89e2c5d94.",
        "The measure is F, times 100.",
        "dialect:google|metrics:rougeL|stemmer:nltk" + _GOOGLE.format(samples=0, sentences="newline"),
    ),
    Recipe(
        "pyrouge",
        "PyPI's pyrouge 0.1.3 with its default arguments: ROUGE-1 to 4, L, W, S* and SU*, stemmed.",
        "PyPI's pyrouge 0.1.3, which runs ROUGE-1.5.5.pl -c 95 -2 -1 -U -r 1000 -n 4 -w 1.2 -a -m.",
        "A line is a sentence, as in the files that pyrouge converts.",
        "dialect:rouge155|metrics:ROUGE-1+ROUGE-2+ROUGE-3+ROUGE-4+ROUGE-L+ROUGE-W-1.2+ROUGE-S*+ROUGE-SU*"
        "|stemmer:rouge" + _ROUGE155.format(limit="none", sentences="newline"),
    ),
    Recipe(
        "tac2008",
        "TAC 2008, update summarization: ROUGE-2 and SU4 among all that NIST computed, stemmed.",
        "README of NIST's evaluation results of TAC 2008: ROUGE-1.5.5.pl -n 4 -w 1.2 -m -2 4 -u -c 95"
        " -r 1000 -f A -p 0.5 -t 0 -a -d.",
        "Recall was reported. NIST cut summaries to 100 words before it scored them: add --limit "
        f"100words if yours are longer. {_TO_BE_JACKKNIFED}",
        _NIST,
    ),
    Recipe(
        "torchmetrics",
        "torchmetrics 1.9.0, rouge_score and ROUGEScore with their defaults.",
        "PyPI's torchmetrics 1.9.0.",
        "The means are those of torchmetrics, except for its single precision. For use_stemmer=True "
        "add --stem. rougeLsum needs the extra punkt; without it, add -m rouge1,rouge2,rougeL.",
        "dialect:torchmetrics|metrics:rouge1+rouge2+rougeL+rougeLsum|stemmer:none|accumulate:best|samples:0"
        "|sentences:newline",
    ),
)
NAMES = tuple(recipe.name for recipe in RECIPES)


def signature_of(like: str | None, name: str | None) -> str | None:
    """Return the signature to repeat: `like`, or the signature of the recipe; None without both.

    Raises:
        UsageError: Both are passed, or there is no such recipe.
    """
    if name is None:
        return like
    if like is not None:
        raise UsageError("recipe and like together", remedy="give one of them")
    if name not in NAMES:
        raise UsageError(f"unknown recipe {name!r}", remedy=suggestion(name, list(NAMES)))
    return RECIPES[NAMES.index(name)].signature
