"""Settings XML of ROUGE-1.5.5: evals, which name the files of their peers and models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.tasks import settings_xml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import EvalTask
    from rouge_cli.tasks.kinds import Texts

SUFFIXES = (".xml",)
START = b"<"
WHAT = "settings"


def tasks(path: str, system: str, texts: Texts) -> Sequence[EvalTask]:  # noqa: ARG001 - settings name systems
    """Return the evals; raise RougeError for an eval without a model."""
    return settings_xml.require_models(settings_xml.read(path, texts.formats, texts.notify))
