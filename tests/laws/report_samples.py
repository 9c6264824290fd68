"""A result of every kind, with any names, for the laws of reports."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from math import inf

from rouge_cli.core import (
    Average,
    Counts,
    Document,
    Estimate,
    EvalResult,
    EvalTask,
    Result,
    Score,
)
from rouge_cli.dialects.rouge155 import options
from rouge_cli.dialects.tilse.counts import Aligned, Link
from rouge_cli.options import resolve
from rouge_cli.results import comparison, correlation, planning
from rouge_cli.results.base import Presentable
from rouge_cli.results.doubts import (
    REGULAR,
    Audit,
    Candidate,
    Dialects,
    Difference,
    Identification,
    Published,
)
from rouge_cli.results.explanations import Explanations
from rouge_cli.results.scores import Project, Results
from rouge_cli.results.timelines import Battery, Line, Timelines

SCORE = Score(0.25, 0.8125, 0.38235294117647056)
ESTIMATE = Estimate(0.123456789, 0.0625, 0.1875)
LABEL = "ROUGE-1"


def _scores(name: str) -> Results:
    evals = [EvalResult(f"{name}{place}", Counts(16, 5, 4), SCORE) for place in (1, 2)]
    average = Average(
        ESTIMATE, ESTIMATE._replace(value=0.5), ESTIMATE._replace(value=0.198)
    )
    results = [Result(f"{name}{place}", LABEL, average, evals) for place in (1, 2)]
    return Results(results, name, {"evals": 2})


def _project(name: str) -> Project:
    systems = dict.fromkeys((f"{name}1", f"{name}2"))
    topics = [EvalTask(f"{name}{place}", systems, [], "plain", "") for place in (1, 2)]
    scores = _scores(name)
    return Project(
        scores.results, scores.signature, scores.details, topics, {LABEL: LABEL}
    )


def _comparison(name: str) -> comparison.Comparison:
    standing = comparison.Standing(name, f"{name}1", 1, ESTIMATE, 2, "a", human=False)
    other = standing._replace(
        system=f"{name}2", rank=2, mean=ESTIMATE._replace(value=0.07), human=True
    )
    difference = Estimate(-0.053456789, -0.11, 0.02)
    pair = comparison.ComparedPair(
        name,
        standing.system,
        other.system,
        2,
        difference,
        0.25,
        0.5,
        0.00001,
        0.75,
        exact=True,
    )
    return comparison.Comparison(comparison.Plan(), [standing, other], [pair], name)


def _correlation(name: str) -> correlation.Correlations:
    names = (name, name, "all", "system")
    values = [ESTIMATE, Estimate(float("nan"), None, None), Estimate(-0.75, None, None)]
    correlations = [
        correlation.Correlation(*names, coefficient, value, 3, 0, name)
        for coefficient, value in zip(
            ("pearson", "spearman", "kendall"), values, strict=True
        )
    ]
    test = correlation.Williams(
        name, "all", name, name, 0.5, 0.25, 0.125, 7, -1.5, 0.1875, ""
    )
    plan = correlation.CorrelationPlan(coefficients=("pearson", "spearman", "kendall"))
    return correlation.Correlations(plan, correlations, [test], [], name)


def _explanation(name: str) -> Explanations:
    task = EvalTask(
        name,
        {name: Document(b"He swims fast", name)},
        [(name, Document(b"he swam", name))],
        "spl",
        name,
    )
    chosen = options.DIALECT.canonical(
        resolve(
            "rouge155",
            options.DEFAULTS,
            {"metrics": ["ROUGE-1", "ROUGE-W-1.2"], "stemmer": "rouge"},
        )
    )
    return Explanations(
        options.DIALECT.build(chosen, Counter(), print).explain(task)[name]
    )


def _audit(name: str) -> Audit:
    own = {LABEL: LABEL, "ROUGE-2": "ROUGE-2"}
    labels = {"google": {LABEL: "rouge1"}, "rouge155": own, REGULAR: own}
    report = _scores(name)
    google = report._replace(
        results=[result._replace(label="rouge1") for result in report.results]
    )
    (first, second) = report.results[0].evals
    scores = {
        "google": first,
        "rouge155": second._replace(score=Score(0.5, 0.25, 1 / 3)),
    }
    difference = Difference(
        first.eval_id, f"{name}1", LABEL, scores, [f"tokens of {name}", name]
    )
    reports = {"google": google._replace(), "rouge155": report, REGULAR: report}
    return Audit(labels, reports, [difference])


def _dialects(name: str) -> Dialects:
    tokens = [(name, name, {"google": name, "rouge155": None})]
    return Dialects(**_audit(name)._asdict(), tokens=tokens)  # type: ignore[arg-type]


def _timeline(name: str) -> Timelines:
    day, other = date(2010, 5, 6), date(2010, 5, 7)
    link = Link(day, other, 0.5, 0.25, [1.0, 0.0])
    alignments = {"align": Aligned([link], [link])}
    line = Line(
        name, name, {"align": [SCORE, SCORE]}, SCORE, alignments, [day], [day, other]
    )
    lines = [line, line._replace(name=f"{name}2")]
    return Timelines(lines, {"align": "align"}, alignments=True, signature=name)


def _battery(name: str) -> Battery:
    return Battery(
        {("remove", "align", 1): SCORE, ("shift 1", "align", 2): SCORE}, 2, name
    )


def _identification(name: str) -> Identification:
    published = [
        Published(name, name, LABEL, "", 44.16, 2, name),
        Published(name, "", name, "P", 9.5, 1, ""),
    ]
    fit = Candidate(name, "F", "half even", [44.162, 9.54], [True, True], [name])
    miss = Candidate(f"{name}2", "R", "", [43.07, 9.5123], [False, False], [])
    reasons = [f"only {name} does not fit"]
    return Identification(published, 100, [fit, miss], 1, 1440, 512, 0.00025, reasons)


def _plan(name: str) -> planning.Planning:
    pair = planning.PlannedPair(
        name, f"{name}1", f"{name}2", 9, None, -0.0534, 0.1, 0.25, 0.075, 750.0, inf
    )
    metric = planning.PlannedMetric(name, 1, 3, 9, 0.1, 0.075, 0.125, 750.0, inf, 1)
    stability = [planning.Stability(name, 5.0, 0.75, 0.5, 0.125)]
    return planning.Planning(planning.Goal(), [metric], [pair], stability, name)


def _sweep(name: str) -> correlation.Sweep:
    settings = {"metric": name, "stem": "yes", "measure": "F"}
    values = {"pearson": 0.123456789, "spearman": 0.0625, "kendall": 0.1875}
    best = correlation.Variant(
        name, "system", settings, values, 7, float("nan"), float("nan"), name
    )
    values = {**values, "pearson": 0.07, "kendall": float("nan")}
    worse = best._replace(
        settings={**settings, "stem": "no"}, values=values, p=0.00001, williams=0.25
    )
    return correlation.Sweep(correlation.SweepPlan(), [best, worse])


# Kind -> a function that makes a result with that name in all places, and one without
# content.
SAMPLES: dict[str, tuple[Callable[[str], Presentable], Presentable]] = {
    "audit": (_audit, Audit({}, {}, [])),
    "battery": (_battery, Battery({}, 0, "")),
    "comparison": (_comparison, comparison.Comparison(comparison.Plan(), [], [])),
    "correlation": (
        _correlation,
        correlation.Correlations(correlation.CorrelationPlan(), [], [], []),
    ),
    "dialects": (_dialects, Dialects({}, {}, [])),
    "explanation": (_explanation, Explanations([])),
    "identification": (_identification, Identification([], 1, [], 0, 0, 0, None)),
    "plan": (_plan, planning.Planning(planning.Goal(), [], [], [])),
    "project": (_project, Project([], "", {}, [], {})),
    "scores": (_scores, Results([])),
    "sweep": (_sweep, correlation.Sweep(correlation.SweepPlan(), [])),
    "timeline": (_timeline, Timelines([], {}, alignments=False, signature="")),
}
