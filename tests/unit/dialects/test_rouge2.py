"""ROUGE 2.0: labels, options, and the words of a text."""

import re
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled

import rouge_cli
from rouge_cli.core import Document
from rouge_cli.dialects import rouge2
from rouge_cli.dialects.rouge2 import MeanShares, preparation
from rouge_cli.errors import UsageError
from rouge_cli.options import resolve
from rouge_cli.runs import assembly
from rouge_cli.runs.evaluation import Collected

ALL = [
    *preparation.EXAMPLES,
    *(
        "ROUGE-12",
        "ROUGE-S0",
        "ROUGE-SU12",
        "ROUGE-SU*",
        "ROUGE-1Uniq",
        "ROUGE-S4Uniq+Stemming",
    ),
    *(
        "ROUGE-Topic{VBD}",
        "ROUGE-Topic{PRP$|W}",
        "ROUGE-TopicUniq{nn$}+StopWordRemoval+Stemming+Synonyms",
    ),
    *("ROUGE-Topic{_n.s?}", "ROUGE-Topic{nn.+|_r+rb,x}+Stemming"),
]


def canonical(**values: Any) -> dict[str, Any]:  # noqa: ANN401 - any option
    """Return the canonical options of a run."""
    return rouge2.DIALECT.canonical(resolve("rouge2", rouge2.DEFAULTS, values))


def scored(
    prediction: str,
    reference: str | list[str],
    label: str,
    **values: Any,  # noqa: ANN401
) -> tuple[float, float]:
    """Return recall and precision of a peer against its models."""
    report = rouge_cli.score(
        [prediction], [reference], [label], dialect="rouge2", **values
    )
    ((_, figures),) = report.to_dict()["system"].items()
    return figures["recall"], figures["precision"]


@pytest.mark.parametrize("label", ALL)
def test_labels_parse_back(label: str) -> None:
    """A measure's label parses back to the same measure, alone and in a signature
    with others.
    """
    measure = preparation.parse(label)

    assert measure == preparation.parse(measure.label)
    assert measure == preparation.parse(measure.label.lower())
    both = (measure.label, "ROUGE-1+Stemming+Synonyms")
    run = assembly.set_up("rouge2", {"metrics": both, "definition": "program"}, None)
    report = assembly.make_report(run, Collected({}, 0, (), {}), lambda _: None)
    signed = assembly.like_options(report.signature)[1]
    assert (
        canonical(**signed)["metrics"]
        == run.options["metrics"]
        == tuple(dict.fromkeys(both))
    )


@tabled
def test_spellings_of_labels(written: str, label: str) -> None:
    """Short forms, any case, the paper's own spelling and any order of modifiers
    give one label.
    """
    assert label == preparation.parse(written).label


@tabled
def test_unknown_labels_are_refused(label: str) -> None:
    """A label that names no measure is refused."""
    with pytest.raises(UsageError, match="unknown metric"):
        preparation.parse(label)


def test_labels_say_whether_and_options_which() -> None:
    """A label alone selects the usual stop list; an option that no label uses
    applies to all labels.
    """
    usual = canonical(metrics="ROUGE-1+StopWordRemoval+Stemming+Synonyms,ROUGE-2")
    explicit = canonical(
        metrics="ROUGE-1,ROUGE-2+Synonyms", stop="rouge", stemmer="snowball:german"
    )
    mixed = canonical(metrics="ROUGE-1,ROUGE-2+Stemming", stemmer="snowball:german")
    plain = canonical(metrics="ROUGE-1", tagger="nltk")

    assert {
        "stop": "glasgow", "stemmer": "snowball:english", "synonyms": "wordnet",
    }.items() <= usual.items()  # fmt: skip
    assert ("ROUGE-1+StopWordRemoval+Stemming+Synonyms", "ROUGE-2") == usual["metrics"]
    assert (
        "ROUGE-1+StopWordRemoval+Stemming",
        "ROUGE-2+StopWordRemoval+Stemming+Synonyms",
    ) == explicit["metrics"]
    assert ("ROUGE-1", "ROUGE-2+Stemming") == mixed["metrics"]
    assert ("embedded", "none") == (usual["tagger"], plain["tagger"])
    for settings in (usual, explicit, mixed, plain):
        assert settings == canonical(**settings)


def test_a_dictionary_alone_needs_no_tagger(tmp_path: Path) -> None:
    """With synonyms from a dictionary only, tagging is not needed, in any language."""
    (tmp_path / "words").write_text("Bildschirm Anzeige\n")
    alone = canonical(metrics="ROUGE-1+Synonyms", synonyms=f"file:{tmp_path / 'words'}")
    both = canonical(
        metrics="ROUGE-1+Synonyms", synonyms=f"wordnet,file:{tmp_path / 'words'}"
    )
    metrics = {"label": "ROUGE-1+Synonyms", "synonyms": both["synonyms"]}

    assert ("none", "embedded") == (alone["tagger"], both["tagger"])
    assert (1.0, 1.0) == scored(
        "Der BILDSCHIRM.",
        "der Anzeige",
        alone["metrics"][0],
        synonyms=alone["synonyms"],
    )
    assert (1.0, 1.0) == scored(
        "Bildschirm screens", "Anzeige displays", **metrics, stemmer="snowball:english"
    )


def test_which_side_is_expanded() -> None:
    """Only the selected sides are expanded, and only by words with enough tags."""
    # The sense of `display` that stands above `screen` was never tagged; that of
    # `screen` was.
    recalls = {
        (side, least): scored(
            "a screen", "a display", "ROUGE-1+Synonyms", expand=side, least_count=least
        )[0]
        for side in ("both", "prediction", "reference")
        for least in (0, 1, 4)
    }

    assert [1, 1, 0.5] == [recalls["both", least] for least in (0, 1, 4)]
    assert [1, 0.5, 0.5] == [recalls["prediction", least] for least in (0, 1, 4)]
    assert [1, 1, 0.5] == [recalls["reference", least] for least in (0, 1, 4)]


def test_words_of_one_spelling_stand_together() -> None:
    """Matches of synonyms are tried spelling by spelling, in a fixed order:
    explanations depend on it.
    """
    noun, verb, other = (
        preparation.Form(*form)
        for form in (("a", (("a", "n"),)), ("a", (("a", "v"),)), ("b",))
    )
    preprocessing = preparation.Preprocessing()

    assert [noun, verb, other] == list(
        preprocessing.near([noun, other, verb], [other, noun], stems=False)
    )


def test_stems_of_synonyms_match(tmp_path: Path) -> None:
    """With stems, inflected words match inflected synonyms, of a dictionary too;
    without, only exactly.
    """
    assert (0.5, 0.5) == scored("bright screens", "bright displays", "ROUGE-1+Synonyms")
    assert (1.0, 1.0) == scored(
        "bright screens", "bright displays", "ROUGE-1+Stemming+Synonyms"
    )
    (tmp_path / "words").write_text("Bildschirm, Anzeige\n")
    values = {"synonyms": f"file:{tmp_path / 'words'}", "stemmer": "snowball:german"}

    assert (1.0, 1.0) == scored("Bildschirme", "Anzeigen", "ROUGE-1+Synonyms", **values)
    assert (0.0, 0.0) == scored(
        "Bildschirme", "Anzeigen", "ROUGE-1+Synonyms", synonyms=values["synonyms"]
    )


def test_a_topic_once_is_one_of_any_part_of_speech() -> None:
    """ROUGE-TopicUniq counts a word once whatever its tags, and it matches the
    synonyms of all of them.
    """
    prediction = "clear_JJ clear_VB screen_NN screen_NNP"
    label = "ROUGE-TopicUniq{NN|JJ|VB}"

    assert (1.0, 0.5) == scored(prediction, "clear_NN", label, tagger="tagged")
    assert (1.0, 1.0) == scored(
        prediction, "screen_VB clear_NN", label, tagger="tagged"
    )
    assert (1.0, 1.0) == scored(
        prediction, "screen_VB clear_NN", f"{label}+Synonyms", tagger="tagged"
    )


def test_topics_by_letters() -> None:
    """The program's definition finds a topic also by letters of the word; the
    paper's does not.
    """
    texts = "running_VBG fast_RB", "running_VBG", "ROUGE-Topic{NN}"

    assert (0.0, 0.0) == scored(*texts, tagger="tagged")
    assert (1.0, 1.0) == scored(*texts, tagger="tagged", definition="program")


def test_words_are_unicode() -> None:
    """Words are composed and lower-cased, a run of digits becomes @, and seven marks
    become blanks.
    """
    assert [
        "e\u0301te\u0301".replace("e\u0301", "é"), "@", "@", "nd", "don", "t", "well-known", "(it)?",
    ] == (preparation.words(' E\u0301TE\u0301, \u0663\u0665 2nd: don\'t; well-known "(it)?"'))  # fmt: skip
    assert [] == preparation.words(" .!'\" ")
    assert (1.0, 1.0) == scored("ÉTÉ", "été", "ROUGE-1")
    assert (0.0, 0.0) == scored("ÉTÉ", "été", "ROUGE-1", definition="program")


def test_the_programs_tokens() -> None:
    """The program has an empty token for an empty line, and for a blank, digit or
    mark at its beginning.
    """
    document = Document(b'one, two\r\n\n 2 x\r   \n"a\xc3\xa9" .\n', "text")
    lines = preparation.program_lines(document, tagged=False)

    assert [[word for word, _ in line] for line in lines] == [
        ["one", "two"], [""], ["", "@", "x"], [], ["", "a\u00e3\u00a9"],
    ]  # fmt: skip
    assert [] == preparation.program_lines(Document(b"", "text"), tagged=False)


def test_stop_lists(tmp_path: Path) -> None:
    """The built-in list keeps the words that the paper's rows count; ROUGE-1.5.5's
    list drops them.
    """
    words = "actually just quite really"

    assert (1.0, 1.0) == scored(words, words, "ROUGE-1", stop="glasgow")
    assert (0.0, 0.0) == scored(words, words, "ROUGE-1", stop="rouge")
    assert (0.0, 0.0) == scored("the of and", "the of and", "ROUGE-1+StopWordRemoval")
    (tmp_path / "stop").write_text("\ufeff  E\u0301te\u0301 \r\n\n", "utf-8")
    assert (1.0, 1.0) == scored("été chaud", "ÉTÉ chaud", "ROUGE-1", stop="none")
    assert (0.0, 0.0) == scored(
        "été", "ÉTÉ", "ROUGE-1", stop=f"file:{tmp_path / 'stop'}"
    )
    (tmp_path / "stop").write_text("cat\u2028dog\x85x\n", "utf-8")  # a single line
    assert (1.0, 1.0) == scored(
        "cat dog", "cat dog", "ROUGE-1", stop=f"file:{tmp_path / 'stop'}"
    )


def test_scores_are_means_over_the_models() -> None:
    """R and P are the means over the models, and F is computed from those means."""
    # 2 of 2 and 2 of 3; 0 of 3 and 0 of 3.
    report = rouge_cli.score(
        ["a b c"], [["a b", "x y z"]], ["ROUGE-1"], dialect="rouge2", alpha=0.2
    )
    figures = report.to_dict()["system"]["ROUGE-1"]

    assert [0.5, pytest.approx(1 / 3)] == [figures["recall"], figures["precision"]]
    assert pytest.approx(5 * (1 / 2) * (1 / 3) / (4 / 3 + 1 / 2)) == figures["f"]


@pytest.mark.parametrize(("alpha", "f"), [(1, 0.25), (0, 0.5), (0.5, 1 / 3)])
def test_f_weighs(alpha: float, f: float) -> None:
    """Alpha 1 is precision, 0 is recall, 0.5 their harmonic mean; 0 divided by 0 is
    0.
    """
    assert pytest.approx(f) == MeanShares(alpha, 0.0).f(0.5, 0.25)
    assert MeanShares(alpha, 0.0).f(0.0, 0.0) == 0


def test_text_without_a_word_is_reported() -> None:
    """A text that holds only punctuation is reported as without words; an empty text
    as empty.
    """
    messages: list[str] = []
    rouge_cli.score(
        ["...", ""], ["a", "a"], "ROUGE-1", dialect="rouge2",
        notify=lambda notice: messages.append(notice.message),
    )  # fmt: skip

    assert ["eval 1: text, but no words"] == messages


def test_quirks_that_are_cited_are_of_this_program(root: Path) -> None:
    """The dialect cites entries of QUIRKS on ROUGE 2.0 or on ROUGE-1.5.5, and on no
    other program.
    """
    quirks = (root / "compat" / "QUIRKS.md").read_text("utf-8")
    sections = re.split(r"^## (.+)\n", quirks, flags=re.MULTILINE)
    of_others = {
        number
        for title, text in zip(sections[1::2], sections[2::2], strict=True)
        if title.startswith(("Google", "Timelines"))
        for number in re.findall(r"^\*\*(\d+)\. ", text, re.MULTILINE)
    }
    cited = {
        number
        for path in (root / "rouge_cli" / "dialects" / "rouge2").glob("*.py")
        for numbers in re.findall(
            r"\((?:QUIRKS )?(\d\d(?:, \d\d)*)\)", path.read_text("utf-8")
        )
        for number in numbers.split(", ")
    }

    assert {"51", "53"} <= cited
    assert set() == cited & of_others
