"""Whole runs by the compiled and by the readable program, for the laws that compare
them.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from rouge_cli import native, twins
from rouge_cli.core import Document, EvalTask, Notice
from rouge_cli.dialects import DialectRun
from rouge_cli.dialects.google import program as google
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.dialects.rouge155.setup import Setup
from rouge_cli.errors import RougeError
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.metrics.skip_bigram import SkipBigram
from rouge_cli.native.setups import setup_of
from rouge_cli.runs import evaluation, parallel

if TYPE_CHECKING:
    from rouge_cli.native import _compiled

Make = Callable[[Counter[str], Callable[[Notice], None]], DialectRun]

METRICS: list[Any] = [
    NGram(1), NGram(3), Lcs(), SentenceLcs(), *(WeightedLcs(weight) for weight in (1.0, 1.2, 2.0)),
    SkipBigram(4, unigrams=True), SkipBigram(None, unigrams=False),
]  # fmt: skip
KNOWN_TEXT = Document(b"the cat is a rust 2 z0 k\nber the name 1 cat\nx i s", "known")


def rouge155(**options: Any) -> Make:  # noqa: ANN401 - a Setup's
    """Return a function that makes ROUGE-1.5.5's program for these options."""
    return partial(Rouge155, Setup(**{"metrics": METRICS, "samples": 7, **options}))


def rouge_score(**options: Any) -> Make:  # noqa: ANN401 - Google's options
    """Return a function that makes Google's program for these options."""
    return partial(google.Google, {**google.DEFAULTS, **options})


def task(
    number: int,
    references: Sequence[str | Document],
    predictions: Mapping[str, str | Document | None],
    input_format: str = "spl",
) -> EvalTask:
    """Return a task with this number."""
    named = [(f"{place}", source) for place, source in enumerate(references)]
    return EvalTask(f"{number}", predictions, named, input_format, f"x:{number}")


def run(
    make: Make,
    tasks: Iterable[EvalTask],
    systems: Sequence[str] | None = None,
    *,
    jackknife: bool = False,
    jobs: int = 1,
) -> str:
    """Return a run's complete output, to the last bit: results, details and notices,
    or its error.
    """
    notices: list[Notice] = []
    work = parallel.Work(make, systems, jackknife)
    try:
        collected = parallel.collected(work, tasks, notices.append, jobs=jobs)
        report = evaluation.finish(
            collected, systems, work.dialect(notices.append), notices.append
        )
    except RougeError as error:
        return repr((str(error), notices))
    results = [
        (each.system, each.label, each.average, list(each.evals))
        for each in report.results
    ]
    return repr((results, report.details, notices))


@contextmanager
def readable() -> Iterator[None]:
    """Run without the extension."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twins, "extension", lambda: None)
        yield


def same_without_extension(call: Callable[[], object]) -> str:
    """Assert that a call returns the same with the extension and without it, to the
    last bit; return it.
    """
    compiled = repr(call())
    with readable():
        assert repr(call()) == compiled
    return compiled


def program_of(make: Make) -> "_compiled.Program":
    """Return the compiled program of a run."""
    setup = setup_of(make(Counter(), lambda _: None))
    assert setup
    return native.loaded().Program(setup, native.MOST_FORMS)


def assert_same(
    make: Make,
    tasks: Sequence[EvalTask],
    systems: Sequence[str] | None = None,
    *,
    jobs: int = 1,
    **how: bool,
) -> str:
    """Assert that a run is the same with the extension and without it; return its
    output.
    """
    program_of(make)
    scored = run(make, tasks, systems, jobs=jobs, **how)
    with readable():
        assert run(make, tasks, systems, **how) == scored
    return scored


def rows_of(
    program: "_compiled.Program", tasks: Sequence[EvalTask]
) -> list[list[bytes] | None]:
    """Return the rows of each eval's peers, or None for an eval that is handed back."""
    rows, _ = program.score(tasks, None)
    return rows


def lines(chance: random.Random) -> str:
    """Generate lines of few words or many, around the sizes of a machine word, many
    of them repeated.
    """
    sizes = chance.choices(
        [0, 1, 2, 20, 63, 64, 65, 130], k=chance.choice([0, 1, 2, 6])
    )
    words = chance.choice([3, 40, 1000])
    return "".join(
        " ".join(f"w{chance.randrange(words)}" for _ in range(size)) + "\n"
        for size in sizes
    )


def random_tasks(
    chance: random.Random, sources: Sequence[Any], size: int
) -> list[EvalTask]:
    """Return tasks of these sources, with three models, one or none, and peers that
    some tasks lack.
    """
    return [
        task(
            number,
            chance.choices(sources, k=chance.choice([0, 1, 1, 3])),
            {
                system: chance.choice(sources)
                for system in "abc"
                if chance.random() < 0.8
            },
        )
        for number in range(size)
    ]


CUT_UP = [
    "the cat \u00fcber\u00fc \u00e4rger \u00e9t\u00e9 \u00f1and\u00fa <q> {}",
    "a \u4e2d\u6587\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587 b\\n {}", "plain words {}", "",
    "\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587",
    '<a name="{}" \u00fcber\u00fc \u00e4rger \u00e9t\u00e9 \u00f1and\u00fa',
]  # fmt: skip
