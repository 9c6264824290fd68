"""Metrics that several dialects compute: their dialects, and the label of each."""

from collections.abc import Mapping
from contextlib import suppress

from rouge_cli import dialects
from rouge_cli.errors import UsageError
from rouge_cli.text.sentences import has_punkt

# Dialects with equivalent metrics. Tokens are compared with the tokens of the first.
DIALECTS = (
    "google",
    "rouge155",
    "rouge2",
    "torchmetrics",
    "rouge_metric",
    "pltrdy",
    "chinese",
    "coco",
    "py_rouge",
    "xlsum",
    "korouge",
    "rougeraw",
    "js",
)
# The labels of metrics that programs name differently, and their dialects. All other
# labels are parsed by the dialects.
_ROUGE_L: Mapping[str, Mapping[str, str]] = {
    "ROUGE-L": {
        **dict.fromkeys(("google", "torchmetrics", "xlsum", "korouge"), "rougeLsum"),
        **dict.fromkeys(("rouge155", "rouge2"), "ROUGE-L"),
        **dict.fromkeys(("rouge_metric", "pltrdy", "py_rouge", "js"), "rouge-l"),
    },
    "ROUGE-L of the whole text": {
        **dict.fromkeys(("google", "torchmetrics", "xlsum", "korouge"), "rougeL"),
        "rouge155": "ROUGE-L-sentence",
        "chinese": "rouge-l",
        "coco": "ROUGE_L",
        "rougeraw": "ROUGE-L",
    },
}
METRICS = ("ROUGE-1", "ROUGE-2", *_ROUGE_L)
# Dialects whose set-ups `identify` tries. Most papers use the usual ones. The others
# follow, the cheapest first (measured on 500 evals: from 0.5 s to 40 s).
DEFAULT_DIALECTS = ("rouge155", "google")
OTHER_DIALECTS = (
    "coco",
    "rougeraw",
    "rouge_metric",
    "chinese",
    "pltrdy",
    "rouge2",
    "korouge",
    "torchmetrics",
    "xlsum",
    "py_rouge",
    "js",
)
IDENTIFIABLE = (*DEFAULT_DIALECTS, *OTHER_DIALECTS)


def parse_metric(label: str) -> str:
    """Return the label as the first dialect that has it spells it; raise UsageError
    if no dialect does.
    """
    for dialect in IDENTIFIABLE:
        with suppress(UsageError):
            return dialects.named(dialect).parse(label)
    return dialects.named(dialects.DEFAULT).parse(label)


def possible_labels(dialect: str, name: str) -> list[str]:
    """Return the dialect's labels that a published metric may stand for; empty if there
    are none.

    Papers use the name ROUGE-L for either metric of the table, unless their program has
    a metric of that name.
    """
    own = _parse(dialect, name)
    if own and (own == name or name not in _ROUGE_L):
        return [own]
    equivalent = [
        labels
        for labels in _ROUGE_L.values()
        if name == "ROUGE-L" or name in labels.values()
    ]
    return [labels[dialect] for labels in equivalent if dialect in labels]


def _parse(dialect: str, name: str) -> str:
    """Return the dialect's label of that name; empty if it has none."""
    try:
        return dialects.named(dialect).parse(name)
    except UsageError:
        return ""


def labels_of(dialect: str) -> dict[str, str]:
    """Return one of METRICS -> the dialect's label for it, for those that it has."""
    labels = {}
    for metric in METRICS:
        if metric in _ROUGE_L:
            label = _ROUGE_L[metric].get(dialect, "")
        else:
            label = _parse(dialect, metric)
        if label:
            labels[metric] = label
    if dialect == "torchmetrics" and not has_punkt():
        labels.pop("ROUGE-L")
    return labels
