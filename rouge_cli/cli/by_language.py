"""Evals in several languages: each is scored by the profile of its language, which a
column of the input names, and reported by language and together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import dialects, signature
from rouge_cli.cli import scoring
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.results.languages import in_language
from rouge_cli.runs import assembly, evaluation
from rouge_cli.tasks import judgements
from rouge_cli.text import languages, tokenizers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.cli.inputs import Inputs
    from rouge_cli.cli.scoring import RunOptions
    from rouge_cli.core import EvalTask, Notify
    from rouge_cli.results.scores import Results
    from rouge_cli.runs.assembly import Run
    from rouge_cli.runs.evaluation import Collected


class _Group(NamedTuple):
    """The evals in a language, and their scores."""

    code: str  # of the profile
    run: Run
    collected: Collected


class LanguageColumn(NamedTuple):
    """The column of languages, and how its evals are scored.

    Attributes:
        name: Its name.
        ids: The column of eval IDs; None if it is found by its name.
        jobs: The number of processes.
        apart: Return the scores of each language beside those of all evals.
        lengths: The report shows the lengths of texts.
    """

    name: str
    ids: str | None
    jobs: int
    apart: bool
    lengths: bool


def score(
    column: LanguageColumn, scored: RunOptions, source: Inputs, notify: Notify
) -> Results:
    """Score each eval by the profile of its language; return the scores of all evals,
    and those of each language under the names `SYSTEM (CODE)`.

    Args:
        column: The column of languages.
        scored: The options, to which the languages are added.
        source: The evals.

    Raises:
        UsageError: If the input has no columns or is read once, as stdin.
        RougeError: If an eval names no language, or one without a profile.
    """
    if any(map(files.is_pipe, source.files)):
        what = "--language-column reads INPUT twice, and stdin can be read once"
        raise UsageError(what, remedy="name a file")
    tasks = source.listed()
    named = judgements.read_clusters(
        source.parts(), column.name, column.ids, source.encoding, "languages"
    )
    groups = []
    for code, evals in _by_code(tasks, named, column.name).items():
        request = scoring.request(scored.replace(language=code))
        if column.lengths:
            request = scoring.with_lengths(request)
        run = scoring.run(request, source.systems)
        of_language = source._replace(tasks=evals, systems=None)
        run, collected = scoring.score_inputs(
            run, of_language, request, notify, column.jobs, None
        )
        # The signature to repeat is that of all languages
        groups.append(_Group(code, run._replace(expected={}), collected))
    expected = scoring.request(scored).expected
    report = _of_all(groups, expected, notify)
    return _with_each(report, groups, notify) if column.apart else report


def _by_code(
    tasks: Sequence[EvalTask], named: dict[str, str], column: str
) -> dict[str, list[EvalTask]]:
    """Return the code of each profile, in order of appearance -> the evals of its
    language.
    """
    by_code: dict[str, list[EvalTask]] = {}
    for task in tasks:
        name = named.get(task.eval_id, "")
        code = name if name == languages.MULTI.code else languages.our_code(name)
        if name in languages.profiles():
            code = name
        if not code:
            what = f"eval {task.eval_id} has the language {name!r:.40} in {column}"
            remedy = "see rouge-cli list languages, or name it multi"
            raise RougeError(what, where=task.where, remedy=remedy)
        by_code.setdefault(code, []).append(task)
    return by_code


def _of_all(
    groups: Sequence[_Group], expected: Mapping[str, str], notify: Notify
) -> Results:
    """Return the report of all languages together."""
    merged = evaluation.merge(group.collected for group in groups)
    run = _together(groups)._replace(expected=expected)
    return assembly.make_report(run, merged, notify)


def _with_each(report: Results, groups: Sequence[_Group], notify: Notify) -> Results:
    """Return the report with the results of each language, too."""
    results = list(report.results)
    stated: dict[str, object] = {}
    for code, run, collected in groups:
        of_language = assembly.make_report(run, collected, notify)
        for result in of_language.results:
            results.append(result._replace(system=in_language(result.system, code)))
        stated[code] = {
            "evals": collected.evals,
            "signature": of_language.signature,
        }
    details = {**report.details, "languages": stated}
    return report._replace(results=results, details=details)


def _together(groups: Sequence[_Group]) -> Run:
    """Return the run of all languages: its signature states them in place of the
    options that differ.
    """
    run = groups[0].run
    options = dict(run.options)
    for name in options:
        values = {str(group.run.options[name]) for group in groups}
        if len(values) > 1 or name in {"tokenizer", "normalize"}:
            options[name] = signature.BY_LANGUAGE
    fields: dict[str, str] = {}
    packages: dict[str, None] = {}
    for group in groups:
        of_group = dialects.named(run.dialect).packages(group.run.options)
        packages.update(dict.fromkeys(of_group))
    fields.update(tokenizers.libraries(list(packages)))
    fields["languages"] = "+".join(_versions(groups))
    signed = signature.render({"dialect": run.dialect, **options})
    return run._replace(stated=(signed, fields, {}))


def _versions(groups: Sequence[_Group]) -> Iterator[str]:
    """Yield the codes of languages with the versions of their profiles, in order."""
    for code in sorted(group.code for group in groups):
        yield f"{code}@{languages.named(code).version}"
