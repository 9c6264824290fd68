"""The options of the timeline metrics in `rouge-cli score --dialect tilse` and `rouge-cli timeline`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.tilse import labels
from rouge_cli.dialects.tilse.counts import Engine
from rouge_cli.dialects.tilse.program import Tilse
from rouge_cli.errors import UsageError, all_of
from rouge_cli.formats import timeline
from rouge_cli.options import in_range, one_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from rouge_cli.core import Notify
    from rouge_cli.options import Options

# The use of several references: together, or each in an evaluation of its own.
POOLED, PER_REFERENCE = "pooled", "per-reference"
DEFAULTS: Mapping[str, Any] = {
    "metrics": tuple(labels.DEFAULT),
    "stemmer": "rouge",
    "stop": "rouge",
    "alpha": 0.5,
    "samples": 0,
    "protocol": POOLED,
    "repeated": timeline.LAST,
}
STEMMER = "rouge"  # the meaning of `--stem`
STOP_LIST = "rouge"  # the meaning of `--stop`
F_OF_MEANS = True  # the average F is that of the mean R and the mean P
parse = labels.parse


def canonical(options: Options) -> Options:
    """Return the options as in the signature."""
    measures = all_of(partial(parse, label) for label in dict.fromkeys(options["metrics"]))
    return {**options, "metrics": tuple(dict.fromkeys(measure.label for measure in measures))}


def build(options: Options, uses: Counter[str], notify: Notify) -> Tilse:
    """Build the dialect for a run; raise UsageError for invalid values."""
    if options["samples"]:
        raise UsageError("no resampling in dialect tilse", remedy="leave --samples out, or set it to 0")
    if one_of(options, "protocol", POOLED, PER_REFERENCE) != POOLED:
        raise UsageError(
            "models are pooled here", remedy="use rouge-cli timeline for an evaluation per reference"
        )
    in_range(options, "alpha", 0, 1)
    one_of(options, "repeated", *timeline.REPEATED)
    longest = max((parse(label).n for label in options["metrics"]), default=1)
    stem, stop = (one_of(options, name, "none", "rouge") == "rouge" for name in ("stemmer", "stop"))
    return Tilse(options, Engine(stem=stem, stop=stop, longest=longest, notify=notify), uses, notify)
