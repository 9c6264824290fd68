"""Laws over dialects and commands: text that a tokenizer does not read is never
scored without a word.
"""

import pytest

import rouge_cli
from rouge_cli import dialects, plugins
from rouge_cli.api import DialectName
from rouge_cli.dialects.google import compute
from rouge_cli.errors import RougeWarning
from rouge_cli.tasks.containers import tasks as tasks_of

DIALECTS = plugins.names(dialects.__name__)
PREDICTIONS = [f"苹果发布新手机 iPhone {number}" for number in range(40)]
REFERENCES = [f"小米下架旧电脑 iPhone {number}" for number in range(40)]
ACCENTS = [
    f"the café on the corner of the square served tourists in {number}"
    for number in range(1900, 1940)
]


def notices_of(
    dialect: str, predictions: list[str], references: list[str], jobs: int = 1
) -> tuple[float, list[str]]:
    """Return the highest F and the notices of a run."""
    if dialect == "tilse":
        predictions, references = (
            [f"2020-01-01\n{text}" for text in texts]
            for texts in (predictions, references)
        )
    notices: list[str] = []
    tasks = tasks_of(predictions, references)
    report = rouge_cli.evaluate(
        tasks, dialect=DialectName(dialect), notify=lambda notice: notices.append(notice.message),
        samples=0, jobs=jobs,
    )  # fmt: skip
    return (
        max(row["f"] for rows in report.to_dict().values() for row in rows.values()),
        notices,
    )


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_letters_dropped_over_a_run_are_named_once(dialect: str, jobs: int) -> None:
    """A dialect that takes different Chinese texts for equal gives one notice in a
    run, divided or not.
    """
    score, notices = notices_of(dialect, PREDICTIONS, REFERENCES, jobs=jobs)
    named = [notice for notice in notices if "letters outside ASCII" in notice]

    assert len(named) == (score == 1)
    assert all(
        "in 40 of 40 predictions and 40 of 40 references" in notice for notice in named
    )


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "texts", [ACCENTS, ["Beyoncé"], ["Pelé", *["the cat sat on the mat"] * 60]]
)
def test_english_with_accents_is_not_named(dialect: str, texts: list[str]) -> None:
    """A few names and loanwords in English cause no notice about letters."""
    assert not [
        notice
        for notice in notices_of(dialect, texts, texts)[1]
        if "outside ASCII" in notice
    ]


def test_few_texts_of_many_do_not_matter() -> None:
    """Single texts of another language in a large English run cause no notice; two
    in a hundred do.
    """
    english, german = (
        ["the cat sat on the mat"] * 98,
        ["Die Größe der Straße überraschte"],
    )

    assert "2 of 100 predictions" in "".join(
        notices_of("rouge155", [*german * 2, *english], ["a"] * 100)[1]
    )
    assert "outside" not in "".join(
        notices_of("rouge155", [*german, *english], ["a"] * 99)[1]
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nul_bytes_are_named(dialect: str) -> None:
    """Text that is UTF-16 read as UTF-8 is named by every dialect, with its place
    and a remedy.
    """
    spoiled = [
        "".join(f"{letter}\0" for letter in text) for text in ("the cat", "act eth")
    ]
    _, notices = notices_of(dialect, spoiled[:1], spoiled[1:])

    assert any(
        notice.startswith("eval 1: NUL bytes") and "utf-16-le" in notice
        for notice in notices
    )


def test_compute_warns() -> None:
    """`compute` warns of dropped letters once in a run, and of NUL bytes once in a
    text.
    """
    with pytest.warns(
        RougeWarning, match="^prediction 1: words .*40 of 40 references"
    ) as warned:
        compute(PREDICTIONS, REFERENCES)
    assert len(warned) == 1
    with pytest.warns(RougeWarning, match="reference 2: NUL bytes"):
        compute(["a", "b"], [["a"], ["b\0c"]])
