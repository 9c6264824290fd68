"""The results of each language beside those of all: names of systems, and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.results import printed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import Result


def in_language(system: str, code: str) -> str:
    """Return the name of a system's results in a language."""
    return f"{system} ({code})"


def language_of(system: str, codes: Iterable[str]) -> str:
    """Return the language in the name of a system's results; empty for all."""
    for code in codes:
        if system.endswith(in_language("", code)):
            return code
    return ""


def grouped(
    results: Iterable[Result], details: Mapping[str, object]
) -> dict[str, Sequence[Result]]:
    """Return the code of each language -> its results, first those of all languages
    under an empty code; nothing if languages were not told apart.

    The systems have their own names.

    Args:
        results: The results of a report.
        details: Its details.
    """
    stated = details.get("languages")
    if not isinstance(stated, dict):
        return {}
    groups: dict[str, list[Result]] = {code: [] for code in ("", *stated)}
    for result in results:
        code = language_of(result.system, stated)
        system = result.system
        if code:
            system = system.removesuffix(in_language("", code))
        groups[code].append(result._replace(system=system))
    return dict(groups)


def caption(details: Mapping[str, Any], code: str) -> str:
    """Return the caption of the table of a language, given the report's details."""
    if not code:
        return "all languages"
    evals = details["languages"][code]["evals"]
    return f"language {code}, {printed.pluralize(evals, 'eval')}"
