"""Part-of-speech tags: the embedded tagger, and nltk's."""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_tables import tabled

from rouge_cli import data
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.text import tagging

# Example 1.1 of the paper, and the topics that its Tables 2 and 4 require: spec 11.6,
# the right reading.
SYSTEM_1 = """Lightweight phone.
Bright screen.
Screen is very clear."""
SYSTEM_2 = """I really love this phone it is just superb, it is extremely lightweight.
Hmmm, this was actually a gift to my girlfriend and I do feel that the screen is quite nice and extremely \
bright.
In terms of screen, the screen is really clear and crisp."""
REFERENCE = """The phone is very lightweight.
The display is also very bright and clear."""
TOPICS = {
    SYSTEM_1: "lightweight phone bright screen screen clear",
    SYSTEM_2: (
        "phone superb lightweight gift girlfriend screen nice bright terms screen"
        " screen clear crisp"
    ),
    REFERENCE: "phone lightweight display bright clear",
}


def tags(text: str) -> str:
    """Return the embedded tagger's tags of one sentence of tokens."""
    return " ".join(*tagging.named("embedded")([text.split()]))


@pytest.mark.parametrize("text", TOPICS)
def test_the_topics_of_the_papers_example(text: str) -> None:
    """The nouns and adjectives of Example 1.1 are those that give the paper's
    tables.
    """
    topics: list[str] = []
    for line in text.lower().splitlines():
        words = re.sub("[.,]", " ", line).split()
        tagged = zip(words, *tagging.named("embedded")([words]), strict=True)
        topics += [word for word, tag in tagged if tag.startswith(("NN", "JJ"))]

    assert TOPICS[text].split() == topics


@tabled
def test_tags_depend_on_neighbours(text: str, expected: str) -> None:
    """A word's tag depends on its use, for known words, unknown words, names and
    pieces of words.
    """
    assert expected == tags(text)


def test_long_words_are_tagged_by_their_ends() -> None:
    """A word of megabytes, on which nltk's patterns would time out, has the tag of
    its ending.
    """
    tag = tagging.named("embedded")

    assert [["VBN", "NN"]] == tag([["x" + "ing" * 1_000_000 + "ed", "dog"]])


def test_taggers_are_built_once() -> None:
    """A tagger is built once."""
    assert tagging.named("embedded") is tagging.named("embedded")


def test_unknown_taggers_are_refused() -> None:
    """An unknown tagger is refused with the nearest name."""
    with pytest.raises(UsageError) as error:
        tagging.named("embeded")

    assert "unknown tagger 'embeded'; did you mean embedded?" == str(error.value)


@pytest.fixture
def nltk_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let nltk look for its data only in a folder of the test."""
    import nltk.data

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    tagging.named.cache_clear()
    yield tmp_path
    tagging.named.cache_clear()


def test_nltk_without_its_data(nltk_data: Path) -> None:
    """If nltk's data is missing, the message has the command that downloads it."""
    with pytest.raises(RougeError) as error:
        tagging.named("nltk")

    assert (
        str(error.value) == "nltk's tagger has no data; python -m nltk.downloader"
        " averaged_perceptron_tagger_eng"
    )
    assert not list(nltk_data.iterdir())


def test_nltk_with_its_data(nltk_data: Path) -> None:
    """If nltk's data is there, the tags are its perceptron's."""
    folder = nltk_data / "taggers" / "averaged_perceptron_tagger_eng"
    folder.mkdir(parents=True)
    reference = {
        "weights": {"i word dog": {"NN": 1.0}, "i word barks": {"VBZ": 1.0}},
        "tagdict": {"the": "DT"},
    }
    for part, content in {**reference, "classes": ["DT", "NN", "VBZ"]}.items():
        (folder / f"averaged_perceptron_tagger_eng.{part}.json").write_text(
            json.dumps(content)
        )

    assert [["DT", "NN", "VBZ"], []] == tagging.named("nltk")(
        [["the", "dog", "barks"], []]
    )


@pytest.mark.slow
def test_the_numbers_in_the_documentation_are_true(root: Path) -> None:
    """The numbers in docs/explanation/tagging.md are those that the script prints."""
    script = [sys.executable, str(root / "docs" / "measure_taggers.py")]
    printed = subprocess.run(script, capture_output=True, check=True).stdout.decode()

    assert "held out" in printed
    assert printed in (root / "docs" / "explanation" / "tagging.md").read_text("utf-8")


def test_function_words_stand_once() -> None:
    """No function word is listed with two tags."""
    lines = [
        line.split() for line in data.read("function_words.txt").decode().splitlines()
    ]
    words = Counter(word for tag, *listed in lines if tag != "#" for word in listed)

    assert words["the"]
    assert [] == [word for word, times in words.items() if times > 1]
