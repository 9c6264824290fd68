"""The evaluation loop, with a dialect that only records its calls."""

from collections.abc import Iterable, Mapping, Sequence

from rouge_cli.core import (
    Counts,
    EvalResult,
    EvalTask,
    Notice,
    Notify,
    Report,
    Result,
)
from rouge_cli.dialects import DialectRun
from rouge_cli.runs.evaluation import Scorer, collect, finish
from rouge_cli.scoring.columns import Column

Columns = Mapping[tuple[str, str], Column]


class Fake(DialectRun):
    """Score a prediction by the eval's number, and average to the number of evals."""

    needs_sentences = False

    def __init__(self, *labels: str) -> None:
        self.labels = labels
        self.scored: list[str] = []
        self.averaged = 0

    def score(
        self, task: EvalTask, systems: Iterable[str]
    ) -> dict[str, dict[str, EvalResult]]:
        self.scored.append(task.eval_id)
        return {
            system: {label: result(task.eval_id) for label in self.labels}
            for system in systems
            if task.predictions.get(system)
        }

    def details(self) -> dict[str, int]:
        return {"averaged": self.averaged}

    def average(self, columns: Columns, _: int = 1) -> dict[tuple[str, str], Counts]:
        self.averaged += 1
        return {key: Counts(len(evals), 0, 0) for key, evals in columns.items()}


def evaluate(
    tasks: Sequence[EvalTask], systems: Sequence[str], fake: Fake, notify: Notify
) -> Report:
    """Score the systems in the evals."""
    return finish(
        collect(tasks, systems, Scorer(lambda *_: fake, notify), notify),
        systems,
        fake,
        notify,
    )


def result(eval_id: str) -> EvalResult:
    """Return the result that any prediction gets in an eval."""
    return EvalResult(eval_id, Counts(1, 1, 1), None)


def task(eval_id: str, *systems: str, **predictions: str | None) -> EvalTask:
    """Return a task with a file for each of these peers."""
    return EvalTask(
        eval_id, {**dict.fromkeys(systems, "file"), **predictions}, [], "spl", "s.xml:1"
    )


def test_results_are_of_the_selected_peers_and_metrics() -> None:
    """The report has a result for each system and metric, systems first, with its
    evals in order.
    """
    notices: list[Notice] = []
    tasks = [task("2", "A", "B"), task("1", "A", "B", "C")]
    report = evaluate(tasks, ["B", "A"], Fake("ROUGE-L", "ROUGE-1"), notices.append)
    both = [result("2"), result("1")]

    assert [
        Result("B", "ROUGE-L", Counts(2, 0, 0), both), Result("B", "ROUGE-1", Counts(2, 0, 0), both),
        Result("A", "ROUGE-L", Counts(2, 0, 0), both), Result("A", "ROUGE-1", Counts(2, 0, 0), both),
    ] == report.results  # fmt: skip
    assert notices == []


def test_a_missing_peer_is_left_out_and_reported_once() -> None:
    """A system missing in an eval, or without a file there, is averaged over the
    others (QUIRKS 14).
    """
    notices: list[Notice] = []
    tasks = [task("1", "A"), task("2", A=None), task("3", "B")]
    report = evaluate(tasks, ["A"], Fake("ROUGE-1", "ROUGE-2"), notices.append)

    assert [[result("1")]] * 2 == [column.evals for column in report.results]
    assert [
        ("eval 2: no text of A; it is averaged over the other evals", True),
        ("eval 3: no text of A; it is averaged over the other evals", True),
    ] == notices


def test_a_peer_of_no_eval_is_reported_all_the_same() -> None:
    """A selected prediction is in the report even if no eval has it."""
    report = evaluate([task("1", "A")], ["Z"], Fake("ROUGE-1"), lambda _: None)

    assert [Result("Z", "ROUGE-1", Counts(0, 0, 0), [])] == report.results


def test_all_columns_are_averaged_in_one_go() -> None:
    """For any number of systems and evals, the dialect averages once, so that it can
    share its draws.
    """
    fake = Fake("ROUGE-1", "ROUGE-2")
    evaluate([task("1", "A"), task("2", "A", "B")], ["A", "B"], fake, lambda _: None)

    assert (["1", "2"], 1) == (fake.scored, fake.averaged)


def test_without_metrics_or_peers_nothing_is_read() -> None:
    """Without a metric, or without a prediction, the report is empty and no file is
    opened.
    """
    nothing, something = Fake(), Fake("ROUGE-1")

    assert Report(()) == evaluate([task("1", "A")], ["A"], nothing, lambda _: None)
    assert Report(()) == evaluate([task("1", "A")], [], something, lambda _: None)
    assert [] == nothing.scored == something.scored
