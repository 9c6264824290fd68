"""`rouge-cli report`: numbers of the other commands, escaped texts, one message for
each error.
"""

import json
import re
import struct
import sys
import zlib
from base64 import b64decode
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from everyday import sampled, share
from pages import Tags

import rouge_cli
import rouge_cli.errors
from tests.conftest import ROOT, Program

METRICS = ("-m", "R1,R2,RL", "--stem")
# Far fewer than by default; how many there are changes nothing of what is held here.
TRIALS = ("--trials", "200")
FIGURES = {"R": "recall", "P": "precision", "F": "f"}
EVALS, SYSTEMS = 12, ("good", "fair", "poor")

Report = Callable[..., dict[str, Any]]


@pytest.fixture
def run(tmp_path: Path) -> str:
    """Write records of three systems with two references each, and a file of human
    scores.
    """
    lines, human = [], ["eval,system,quality"]
    for number in range(EVALS):
        words = [f"word{number}n{place}" for place in range(12)] + ["running", "cats"]
        references = [" ".join(words[:8]), " ".join([*words[4:], "running"])]
        for place, system in enumerate(("good", "fair", "poor")):
            prediction = [
                word
                for at, word in enumerate(words)
                if (at + number) % (place + 2) or at < 2 - place
            ]
            record = {
                "id": f"e{number}", "system": system, "prediction": " ".join(prediction),
                "doc": " ".join(words[: 6 + number % 5]),
            }  # fmt: skip
            lines.append(json.dumps({**record, "references": references}))
            human.append(f"e{number},{system},{(number * 7 + place * 3) % 5}")
    (tmp_path / "run.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "human.csv").write_text("\n".join(human) + "\n")
    scores = [
        f"e{number},{system},BERTScore,0.{90 - 7 * number}"
        for number in range(EVALS)
        for system in SYSTEMS
    ]
    (tmp_path / "b.csv").write_text("\n".join(["eval,system,metric,f", *scores]))
    return "run.jsonl"


def data_of(path: Path) -> dict[str, Any]:
    """Return the data of a page."""
    match = re.search(
        '<script type="application/json" id="data">(.*?)</script>',
        path.read_text("utf-8"),
    )
    assert match
    data: dict[str, Any] = json.loads(match[1])
    return data


def unpacked(text: str) -> bytes:
    """Inflate the page's compressed data."""
    return zlib.decompress(b64decode(text))


def texts_of(data: dict[str, Any]) -> dict[int, Any]:
    """Return the index of an eval -> its texts."""
    texts = [text for chunk in data["chunks"] for text in json.loads(unpacked(chunk))]
    return dict(zip(chain.from_iterable(data["texts"]), texts, strict=True))


@pytest.fixture
def report(here: Program, tmp_path: Path) -> Report:
    """Write page.html, check that nothing is printed, and return the data of the
    page.
    """

    def make(*arguments: str, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - a Program's
        page = tmp_path / "page.html"
        outcome = here(
            "report", *arguments, *TRIALS, "-o", str(page), "--quiet", **options
        )
        assert (0, b"", "") == outcome
        return data_of(page)

    return make


def saved(here: Program, *arguments: str) -> dict[str, Any]:
    """Return a command's output as json."""
    outcome = here(*arguments, "--format", "json")
    assert 0 == outcome.status, outcome.stderr
    document: dict[str, Any] = json.loads(outcome.stdout)
    return document


@pytest.mark.parametrize("dialect", ["rouge155", "google"])
def test_scores_are_those_of_score(
    dialect: str, run: str, report: Report, here: Program
) -> None:
    """Averages, intervals and signature are score's, and every eval's scores to a
    millionth.
    """
    options = (
        "--dialect",
        dialect,
        "-m",
        "R1,R2" if dialect == "rouge155" else "rouge1,rougeL",
    )
    data = report(run, *options)
    scored = saved(here, "score", run, *options, "--per-eval")

    assert scored["signature"] == data["signature"]
    averages = [
        {name: value for name, value in result.items() if name != "evals"}
        for result in scored["results"]
    ]
    assert averages == data["averages"]
    size = len(data["labels"]) * 3 * len(data["systems"]) * len(data["evals"])
    values = struct.unpack(f"<{size}i", unpacked(data["scores"]))
    for result in scored["results"]:
        for row in result["evals"]:
            for figure, name in enumerate(FIGURES.values()):
                place = (data["labels"].index(result["metric"]) * 3 + figure) * len(
                    data["systems"]
                )
                place = (place + data["systems"].index(result["system"])) * EVALS
                value = values[place + data["evals"].index(row["eval"])] * data["unit"]
                assert row[name] == pytest.approx(value, abs=5.1e-7)


@pytest.mark.parametrize(
    "options", [(), ("--baseline", "poor", "--human", "human.csv")]
)
def test_saved_scores_have_the_page_of_their_texts(
    options: tuple[str, ...], run: str, report: Report, here: Program, tmp_path: Path
) -> None:
    """Scores, tests and correlations are the same without texts; -m selects metrics;
    no text is missed.
    """
    expected = report(run, *METRICS, *options)
    here(
        "score",
        run,
        *METRICS,
        "--per-eval",
        "--format",
        "json",
        "-o",
        "scores.json",
        "--quiet",
    )
    data = report("scores.json", *options)

    of_texts = {"texts", "chunks", "gains", "lengths", "beginnings", "copies"}
    assert {**expected, **{name: data[name] for name in of_texts}} == data
    assert "Saved scores have no texts." in (tmp_path / "page.html").read_text("utf-8")
    selected = report("scores.json", "-m", "RL.R", *options)
    assert (["ROUGE-L"], [0, 0]) == (selected["labels"], selected["first"])


@pytest.mark.parametrize(
    "options", [(), ("--baseline", "fair"), ("--over", "references")]
)
def test_comparisons_are_those_of_compare(
    options: tuple[str, ...], run: str, report: Report, here: Program
) -> None:
    """Rankings, letters, differences, p-values and shares of draws of each figure
    are compare's.
    """
    data = report(run, *METRICS, *options)
    for letter, measure in FIGURES.items():
        expected = saved(
            here, "compare", run, *METRICS, "--measure", measure, *TRIALS, *options
        )
        comparison = data["comparisons"][letter]
        for pair in comparison["pairs"]:
            pair.pop("places")
        assert {
            name: value for name, value in expected.items() if "signature" not in name
        } == comparison


def test_correlations_are_those_of_correlate(
    run: str, report: Report, here: Program, tmp_path: Path
) -> None:
    """Correlations, intervals and Williams' tests are correlate's."""
    labels = ["R1", "R2"][: share(2, 1)]
    metrics = ("-m", ",".join(labels), "--stem")
    correlations = report(run, *metrics, "--human", "human.csv")["correlations"]
    here("score", run, *metrics, "--per-eval", "-o", "scores.json", "--quiet")
    expected = saved(here, "correlate", "scores.json", "human.csv")

    assert {
        name: value for name, value in expected.items() if "signature" not in name
    } == correlations
    assert len(correlations["correlations"]) == 9 * len(labels)
    lines = (
        (tmp_path / "human.csv").read_text().replace("eval,system", "topic,\u00e9quipe")
    )
    (tmp_path / "other.csv").write_text(lines, "latin-1")
    named = ("--human-id-column", "topic", "--human-system-column", "\u00e9quipe")
    again = report(
        run, *metrics, "--human", "other.csv", *named, "--human-encoding", "latin-1"
    )
    assert correlations == again["correlations"]


@pytest.mark.parametrize(
    "options",
    [
        METRICS,
        ("-m", "R1,R2,RL,rougeLsum", "--dialect", "google", "--stem"),
        ("-m", "R1,R2+StopWordRemoval,RL,ROUGE-Topic{NN}", "--dialect", "rouge2"),
    ],
)
@pytest.mark.parametrize("place", sampled(range(3), 3))
def test_explanations_are_those_of_explain(
    place: int, options: tuple[str, ...], report: Report, here: Program
) -> None:
    """Arithmetic, counts and marks of an eval are explain's, in every dialect with
    explanations.
    """
    settings = "fixtures/demo/settings.xml"
    data = report(settings, *options, cwd=ROOT)
    text = texts_of(data)[place]
    for number, prediction in text["predictions"].items():
        system = data["systems"][int(number)]
        pair_of = ("--eval", data["evals"][place], "--system", system)
        explained = saved(
            partial(here, cwd=ROOT), "explain", settings, *pair_of, *options
        )
        for metric in explained["metrics"]:
            why = prediction["why"][metric["metric"]]
            assert metric["arithmetic"] == why["steps"]
            for reference, pair in zip(metric["references"], why["pairs"], strict=True):
                assert [str(count) for count in reference["counts"].values()] == pair[
                    "counts"
                ]
                for side in ("prediction", "reference"):
                    marks = {"counted": "c", "clipped": "x", "dropped": "d", "": "."}
                    assert (
                        "".join(
                            marks[token["mark"]] for token in reference[side]["tokens"]
                        )
                        == pair[side]
                    )
            words = [piece for line in prediction["s"] for piece in line[1::2]]
            assert [
                token["surface"]
                for token in metric["references"][0]["prediction"]["tokens"]
            ] == words


def test_buckets_and_parts_of_the_references(
    run: str, report: Report, here: Program, tmp_path: Path
) -> None:
    """A page with sources has buckets by novelty, and ranks by parts of the
    references as score would.
    """
    report(run, *METRICS, "--source", "doc")
    page = (tmp_path / "page.html").read_text("utf-8")
    lines = [json.loads(line) for line in (tmp_path / run).read_text().splitlines()]
    first = "".join(
        json.dumps({**line, "references": line["references"][:1]}) + "\n"
        for line in lines
    )
    (tmp_path / "first.jsonl").write_text(first)
    scored = saved(here, "score", "first.jsonl", *METRICS)
    mean = next(
        result["f"]["value"]
        for result in scored["results"]
        if (result["system"], result["metric"]) == ("good", "ROUGE-1")
    )

    assert "only reference 1" in page
    assert f"{mean:.4f}" in page
    for respect in ("Novelty", "Compression"):
        assert f"<caption>{respect}" in page
    assert "<caption>References" not in page  # every eval has as many


def test_texts_of_some_evals(run: str, here: Program, tmp_path: Path) -> None:
    """With --evals N half of the texts are of the evals in which systems differ
    most; scores are of all.
    """
    outcome = here("report", run, *METRICS, *TRIALS, "--evals", "4", "-o", "page.html")
    assert (
        "the page has the texts of 4 of 12 evals: one half are the evals"
        in outcome.stderr
    )
    size = (tmp_path / "page.html").stat().st_size / 1e6
    assert outcome.stderr.endswith(
        f"page.html: {size:.1f} MB, texts of 4 of 12 evals\n"
    )
    data = data_of(tmp_path / "page.html")
    scored = saved(here, "score", run, "-m", "R1", "--stem", "--per-eval")
    by_eval: dict[str, list[float]] = {}
    for result in scored["results"]:
        for row in result["evals"]:
            by_eval.setdefault(row["eval"], []).append(row["f"])
    spread = sorted(by_eval, key=lambda name: min(by_eval[name]) - max(by_eval[name]))

    assert len(texts_of(data)) == 4
    assert EVALS == len(data["evals"])
    assert {data["evals"].index(name) for name in spread[:2]} <= set(texts_of(data))


def test_units_that_one_system_gets(report: Report, tmp_path: Path) -> None:
    """Units that A matches and B misses are summed over evals, and each unit lists
    its evals.
    """
    rows = [
        {
            "id": eval_id,
            "system": system,
            "prediction": text,
            "reference": "red cat blue dog",
        }
        for eval_id in ("x", "y")
        for system, text in (
            ("a", "red cat"),
            ("b", "blue dog" if eval_id == "x" else "red cat"),
        )
    ]
    (tmp_path / "two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = report("two.jsonl", "-m", "R2")
    gains = {
        (data["systems"][gain["system"]], data["systems"][gain["other"]]): gain["units"]
        for gain in data["gains"]
    }

    assert {
        ("a", "b"): [["red cat", 1, [0], False]],
        ("b", "a"): [["blue dog", 1, [0], False]],
    } == gains


def test_metrics_whose_explanation_is_too_long(here: Program, tmp_path: Path) -> None:
    """A metric whose matches would be too many is scored too, and the words of the
    others are marked.
    """
    words = " ".join(f"word{number}" for number in range(3300))
    record = {"id": "e", "prediction": words, "reference": "word1 word2"}
    (tmp_path / "long.jsonl").write_text(json.dumps(record) + "\n")
    outcome = here("report", "long.jsonl", "-m", "ROUGE-S*,R1", "-o", "page.html")
    data = data_of(tmp_path / "page.html")

    assert 0 == outcome.status
    assert 1 == outcome.stderr.count(
        "words are not marked: ROUGE-S*: more than 5000000 pairs of words"
    )
    assert ["ROUGE-S*", "ROUGE-1"] == data["labels"]
    assert all(
        list(prediction["why"]) == ["ROUGE-1"]
        for prediction in texts_of(data)[0]["predictions"].values()
    )


def test_hostile_texts_are_text(report: Report, tmp_path: Path) -> None:
    """Markup and control codes in names, texts and the title are escaped."""
    nul = "\x00" * (
        sys.version_info >= (3, 11)
    )  # older Pythons cannot write it to the page's table
    bad = (
        f"</script><img src=x onerror=alert(1)>\x1b[31m\u202e{nul}\u2028{{{{ 7 * 7 }}}}"
    )
    rows = [
        {
            "id": bad + eval_id, "system": system + bad, "prediction": bad, "reference": "script img",
            "doc": bad,
        }
        for eval_id in "12"
        for system in "ab"
    ]  # fmt: skip
    (tmp_path / "bad.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    human = "".join(
        json.dumps({"eval": row["id"], "system": row["system"], bad: len(row["id"])})
        + "\n"
        for row in rows
    )
    (tmp_path / "human.jsonl").write_text(human)
    report(
        "bad.jsonl", "-m", "R1", "--source", "doc", "--title", bad.replace("\0", ""), "--human",
        "human.jsonl",
    )  # fmt: skip
    page = (tmp_path / "page.html").read_text("utf-8")
    tags = Tags(page)

    assert 2 == tags.tags.count("script")
    assert "img" not in tags.tags
    assert not [name for name, _ in tags.attributes if name.startswith("on")]
    assert "49" not in re.findall("<title>(.*?)</title>", page)[0]
    assert not set("\x00\x1b\u202e\u2028") & set(page)


def test_one_system_alone(report: Report, run: str, tmp_path: Path) -> None:
    """With a single system the page has no pairs."""
    data = report(run, *METRICS, "--system", "good")

    assert ["good"] == data["systems"]
    assert {} == data["comparisons"]
    assert 'id="pairs"' not in (tmp_path / "page.html").read_text("utf-8")


def test_very_many_systems(report: Report, tmp_path: Path) -> None:
    """With too many systems for a matrix the page shows the first pairs, and the
    number of others.
    """
    rows = [
        {"id": str(number), "system": f"s{place}", "prediction": f"a b c w{place} v{place % 7}",
         "reference": f"a b w{number} v{number}"}
        for number in range(6) for place in range(40)
    ]  # fmt: skip
    (tmp_path / "many.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows)
    )
    data = report("many.jsonl", "-m", "R1")

    assert f"and {40 * 39 // 2 - 300} more" in (tmp_path / "page.html").read_text(
        "utf-8"
    )
    assert len(data["comparisons"]["F"]["pairs"]) == 300


def test_texts_fit_into_a_size(run: str, report: Report, tmp_path: Path) -> None:
    """Texts are kept up to --texts MB; every eval has the beginning of its reference
    in any case.
    """
    lines = (tmp_path / run).read_text().splitlines()
    many = [
        line.replace('"id": "e', f'"id": "{copy}e')
        for copy in range(5)
        for line in lines
    ]
    (tmp_path / "many.jsonl").write_text("\n".join(many))
    data = report("many.jsonl", "-m", "R1", "--texts", "0.001")

    assert [20] == list(map(len, data["texts"]))
    beginnings = json.loads(unpacked(data["beginnings"]))
    assert len(beginnings) == 5 * EVALS
    assert beginnings[0] == " ".join(f"word0n{place}" for place in range(8))
    assert len(texts_of(report("many.jsonl", "-m", "R1"))) == 5 * EVALS


def test_the_headline_and_its_corrections(
    run: str, report: Report, here: Program, tmp_path: Path
) -> None:
    """The page opens with the leader; a metric alone has the p-values and LaTeX of
    compare for it alone.
    """
    data = report(run, *METRICS)
    page = (tmp_path / "page.html").read_text("utf-8")
    (shown,) = re.findall(
        r'data-figure="F">\s*<p class="headline[^>]*>(.*?)</p>', page, re.DOTALL
    )
    words = " ".join(re.sub("<.*?>", "", shown).split())
    assert re.fullmatch(
        r"(good|fair|poor) leads at \d\d\.\d\d ROUGE-1 F, \d+\.\d\d points ahead of"
        r" (good|fair|poor) and"
        r" (is significantly better than both others|cannot be told apart from"
        r" [^.]*)\.",
        words,
    )
    assert page.index("headline") < page.index('id="ranking"') < page.index('id="made"')
    for metric, label in (("R1.F", "ROUGE-1 F"), ("R2.R", "ROUGE-2 R")):
        compared = ("compare", run, *METRICS[2:], *TRIALS, "-m", metric)
        alone = saved(here, *compared)["pairs"]
        assert [
            [pair["randomization_corrected"], pair["bootstrap_corrected"]]
            for pair in alone
        ] == data["alone"][label]
        table = here(*compared, "--format", "latex", "--quiet").stdout.decode()
        assert "over 3 comparisons" in table
        assert unsigned(table) == unsigned(data["copies"][f"latex {label}"])
    table = here(
        "compare", run, *METRICS, *TRIALS, "--format", "latex", "--quiet"
    ).stdout.decode()
    assert "over 9 comparisons" in table
    assert unsigned(table) == unsigned(data["copies"]["latex F"])


def unsigned(latex: str) -> str:
    """Return LaTeX without the signature, which names all metrics of a run."""
    return re.sub(r"(?m)^.*signature: .*\n", "", latex)


def test_saved_scores_of_other_metrics(run: str, here: Program, tmp_path: Path) -> None:
    """Scores of another metric stand beside ROUGE as in compare; those without texts
    are counted.
    """
    names = [
        (f"e{number}", system)
        for number in range(EVALS)
        for system in ("good", "fair", "poor")
    ]
    rows = [
        f"{name},{system},BERTScore,0.{90 - 3 * place % 17}"
        for place, (name, system) in enumerate(names)
    ]
    (tmp_path / "bert.csv").write_text(
        "\n".join(["eval,system,metric,f", *rows, "x,good,BERTScore,0.5"])
    )
    outcome = here(
        "report", run, *METRICS, *TRIALS, "--scores", "bert.csv", "-o", "page.html"
    )
    data = data_of(tmp_path / "page.html")

    assert "1 saved scores are of systems or evals without texts" in outcome.stderr
    assert ["ROUGE-1", "ROUGE-2", "ROUGE-L", "BERTScore"] == data["labels"]
    assert "BERTScore F" in data["columns"]
    assert "BERTScore R" not in data["columns"]
    (tmp_path / "bert.csv").write_text("\n".join(["eval,system,metric,f", *rows]))
    (tmp_path / "scores.json").write_bytes(
        here(
            "score", run, *METRICS, "--per-eval", "--format", "json", "--samples", "0"
        ).stdout
    )
    compared = saved(here, "compare", "scores.json", "bert.csv", *TRIALS)["pairs"]
    shown = data["comparisons"]["F"]["pairs"]
    key = "randomization_corrected"
    assert [pair[key] for pair in compared if pair["metric"] == "BERTScore F"] == [
        pair[key] for pair in shown if pair["metric"] == "BERTScore F"
    ]
    for text, message in (
        (
            "eval,system,metric,f\nother,good,chrF,0.5",
            "no saved score is of a system and an eval",
        ),
        ("eval,system,metric,f\ne1,good,ROUGE-1,0.5", "ROUGE-1 is scored and saved"),
    ):
        (tmp_path / "other.csv").write_text(text)
        outcome = here(
            "report", run, *METRICS, "--scores", "other.csv", "-o", "page.html"
        )
        assert (1, True) == (outcome.status, message in outcome.stderr)


def test_references_that_differ_by_system(
    run: str, here: Program, tmp_path: Path
) -> None:
    """Each system is scored with its own references, as alone; a warning counts the
    evals that differ.
    """
    lines = [json.loads(line) for line in (tmp_path / run).read_text().splitlines()]
    for line in lines:
        if line["system"] == "poor" and line["id"] in ("e1", "e2"):
            line["references"] = [
                text.replace("word", "Word ") for text in line["references"]
            ]
    (tmp_path / "other.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines)
    )
    outcome = here("report", "other.jsonl", *METRICS, *TRIALS, "-o", "page.html")
    data = data_of(tmp_path / "page.html")

    assert "2 of 12 evals have references that differ by system" in outcome.stderr
    assert "references:2|evals:12|" in data["signature"]
    assert [2, 1] == [len(texts_of(data)[place]["references"]) for place in (1, 3)]
    (tmp_path / "poor.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines if line["system"] == "poor")
    )
    alone = [
        {**result, "evals": None}
        for result in saved(here, "score", "poor.jsonl", *METRICS)["results"]
    ]
    shown = [
        {**average, "evals": None}
        for average in data["averages"]
        if average["system"] == "poor"
    ]
    assert alone == shown
    assert 1 == here("score", "other.jsonl", *METRICS).status


def test_python_makes_the_page_of_the_command(
    run: str, report: Report, tmp_path: Path
) -> None:
    """`rouge_cli.report` has the content of the command's page, saves it, and shows
    it in notebooks.
    """
    lines = [json.loads(line) for line in (tmp_path / run).read_text().splitlines()]
    files = ("--source", "doc", "--human", "human.csv", "--scores", "b.csv")
    data = report(run, "-m", "R1,R2.R", "--stem", *files, "--over", "evals,references")
    texts = {
        name: [line["prediction"] for line in lines if line["system"] == name]
        for name in SYSTEMS
    }
    references, sources = (
        [line[name] for line in lines[::3]] for name in ("references", "doc")
    )
    notices: list[str] = []
    page = rouge_cli.report(
        texts, references, "R1,R2.R", sources=sources,
        human=tmp_path / "human.csv", scores=tmp_path / "b.csv", over="evals,references",
        ids=[line["id"] for line in lines[::3]], trials=200, stem=True,
        notify=lambda notice: notices.append(notice.message),
    )  # fmt: skip
    page.save(str(tmp_path / "python.html"))

    assert data == data_of(tmp_path / "python.html")
    assert notices
    pairs = data["comparisons"]["F"]["pairs"]
    assert all(
        (pair["reordered"] is None) == (pair["metric"] == "BERTScore F")
        for pair in pairs
    )
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    assert f"Html(<{len(page)} characters>)" == repr(page)
    with pytest.raises(rouge_cli.errors.UsageError, match="no system"):
        rouge_cli.report(texts, references, "R1", baseline="other", stem=True)
