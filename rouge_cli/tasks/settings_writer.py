"""Writing of settings XML: evals for ROUGE-1.5.5, and the jackknifed ones of DUC.

The output reads back as the same evals (`kinds.settings`), except that a path without a folder
becomes `./path`.
"""

from __future__ import annotations

import os
from itertools import takewhile
from typing import TYPE_CHECKING

from rouge_cli.core import Notice
from rouge_cli.errors import RougeError, require

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rouge_cli.core import Document, EvalTask, Notify


def render(tasks: Sequence[EvalTask]) -> bytes:
    """Return the settings as UTF-8, in the order of the tasks; the roots are the paths' common folders.

    Raises RougeError for tasks that settings cannot express: two evals with one ID, a name with white space
    around it or with a character that XML lacks, a text without a file of its own.
    """
    require("writing settings XML needs", "lxml")
    from lxml import etree  # costs start-up time

    peer_root = _Root(source for task in tasks for source in task.peers.values())
    model_root = _Root(source for task in tasks for _, source in task.models)
    document = etree.Element("ROUGE-EVAL", version="1.5.5")
    seen: set[str] = set()
    for task in tasks:
        if task.eval_id in seen:
            raise RougeError(f"duplicate eval ID {task.eval_id}", where=task.where)
        seen.add(task.eval_id)
        if len(dict(task.models)) < len(task.models):
            raise RougeError(f"duplicate model ID in eval {task.eval_id}", where=task.where)
        try:
            element = etree.SubElement(document, "EVAL", ID=task.eval_id)
            etree.SubElement(element, "PEER-ROOT").text = peer_root.path
            etree.SubElement(element, "MODEL-ROOT").text = model_root.path
            etree.SubElement(element, "INPUT-FORMAT", TYPE=task.input_format.upper())
            peers = etree.SubElement(element, "PEERS")
            for peer_id, source in task.peers.items():
                etree.SubElement(peers, "P", ID=peer_id).text = peer_root.name(source)
            models = etree.SubElement(element, "MODELS")
            for model_id, source in task.models:
                etree.SubElement(models, "M", ID=model_id).text = model_root.name(source)
        except ValueError:  # raised by lxml for a control character, or for bytes that are not UTF-8
            raise RougeError(
                f"eval {task.eval_id} has an ID or a path that XML cannot hold",
                where=task.where,
                remedy="rename: UTF-8, and no control characters",
            ) from None
    return etree.tostring(document, encoding="unicode", pretty_print=True).encode()


def jackknife(tasks: Sequence[EvalTask], notify: Notify) -> Iterator[EvalTask]:
    """Return, for each eval with M > 1 models, M evals that each have one model as a peer instead.

    This scores people and systems on equal terms, against M - 1 models each (Lin 2004, section 2.1). A
    system's average over these evals is that of its means over the M, if all evals have as many models.
    The eval without model A is `ID.without-A`; the human peer has the model's ID, as in DUC's settings,
    or `human A` if a system has that ID. An eval with fewer models stays unchanged, with a notice.
    """
    systems = {peer_id for task in tasks for peer_id in task.peers}
    for task in tasks:
        if len(task.models) < 2:
            notify(Notice(f"eval {task.eval_id} has {len(task.models)} model, and is unchanged"))
            yield task
            continue
        for left_out, source in task.models:
            human = f"human {left_out}" if left_out in systems else left_out
            yield task._replace(
                eval_id=f"{task.eval_id}.without-{left_out}",
                peers={**task.peers, human: source},
                models=[model for model in task.models if model[0] != left_out],
            )


class _Root:
    """The common folder of some paths, and their names below it: a path is exactly `root/name`."""

    def __init__(self, sources: Iterable[str | Document | None]) -> None:
        paths = [source for source in sources if isinstance(source, str)]
        # Paths outside the current folder share at least the root of the file system.
        self._absolute = any(map(os.path.isabs, paths)) and not all(map(os.path.isabs, paths))
        folders = [self._path(path).split("/")[:-1] for path in paths]
        levels = takewhile(lambda names: len(set(names)) == 1, zip(*folders, strict=False))
        shared = [names[0] for names in levels]
        try:
            self.path = _utf8("/".join(shared)) if shared else "."
        except ValueError:
            raise RougeError(
                "a folder whose name XML cannot hold", where="/".join(shared), remedy="rename it in UTF-8"
            ) from None
        self._length = len(shared)
        self._check(self.path)

    def name(self, source: str | Document | None) -> str | None:
        """Return the name of this path in a P or M element."""
        if source is None:
            return None
        if not isinstance(source, str):
            raise RougeError(
                "settings name files, but this text is not in a file of its own", where=source.where
            )
        name = _utf8("/".join(self._path(source).split("/")[self._length :]))
        if not name:
            raise RougeError("a folder; settings need a file", where=source)
        self._check(name)
        return name

    def _path(self, path: str) -> str:
        return os.path.abspath(path) if self._absolute else path

    @staticmethod
    def _check(name: str) -> None:
        if name != name.strip():
            raise RougeError(
                f"{name!r} cannot be named in settings", remedy="rename: no white space at either end"
            )


def _utf8(path: str) -> str:
    """Return the path as characters, whatever the locale; raise ValueError if its bytes are not UTF-8."""
    return os.fsencode(path).decode()
