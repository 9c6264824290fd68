"""A pytest plugin for interpreters that lack compiled packages: tests that need them,
or processes and threads, are skipped by name.

Pure Python packages alone can be installed into a CPython that is WebAssembly
(`make test-newest`), which starts neither processes nor threads.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Generator

import pytest

# Messages of what an interpreter without processes and threads lacks.
UNABLE = re.compile(r"emscripten does not support processes|can't start new thread")


def missing(error: BaseException | None) -> str | None:
    """Return what an error says is missing; None if it is another error."""
    while error:
        if isinstance(error, ModuleNotFoundError) and error.name:
            name = error.name.partition(".")[0]
            if name != "rouge_cli" and name not in sys.stdlib_module_names:
                return f"{name} is not installed"
        if UNABLE.search(str(error)):
            return str(error)
        error = error.__cause__ or error.__context__
    return None


def pytest_configure(config: pytest.Config) -> None:
    """Count the tests that pass."""
    config.stash[PASSED] = 0


PASSED = pytest.StashKey[int]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make a test skipped if its error is of something that this interpreter lacks."""
    report = yield
    reason = missing(call.excinfo.value) if call.excinfo else None
    if report.failed and reason:
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1] or 0, f"Skipped: {reason}")
    if report.when == "call" and report.passed:
        item.config.stash[PASSED] += 1
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Make a module of tests skipped if it imports a package that is missing."""
    report = yield
    error = getattr(report, "longrepr", None)
    text = str(error) if report.outcome == "failed" else ""
    name = re.search(r"No module named '(?!rouge_cli)(\w+)", text)
    if name and name[1] not in sys.stdlib_module_names:
        report.outcome = "skipped"
        report.longrepr = (
            str(collector.path),
            0,
            f"Skipped: {name[1]} is not installed",
        )
    return report
