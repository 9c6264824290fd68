"""File lists: an eval on each line, the peer's file and then its models' files (-z of ROUGE-1.5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.tasks import file_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import EvalTask
    from rouge_cli.tasks.kinds import Texts

SUFFIXES = (".lst", ".list")
WHAT = "a file list"


def tasks(path: str, system: str, texts: Texts) -> Sequence[EvalTask]:
    """Return the evals of a single system."""
    return file_list.read(path, system, texts.format)
