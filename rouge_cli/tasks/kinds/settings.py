"""Settings XML of ROUGE-1.5.5: evals with the paths of their peers and models.

    <ROUGE-EVAL>
      <EVAL ID="1">
        <PEER-ROOT>systems</PEER-ROOT> <MODEL-ROOT>models</MODEL-ROOT>
        <INPUT-FORMAT TYPE="SPL"/>
        <PEERS><P ID="A">a.txt</P></PEERS> <MODELS><M ID="1">m.txt</M></MODELS>
      </EVAL>
    </ROUGE-EVAL>

Element names are matched in any case. The tags of unknown elements are ignored, but
their contents are read. QUIRKS 12 describes repeated elements.
"""

from collections.abc import Collection, Sequence

from rouge_cli.core import EvalTask, Notify
from rouge_cli.errors import RougeError, raise_all
from rouge_cli.io import files
from rouge_cli.tasks.kinds import Texts
from rouge_cli.twins import twin

SUFFIXES = (".xml",)
START = b"<"
WHAT = "settings"


def tasks(path: str, system: str, texts: Texts) -> Sequence[EvalTask]:  # noqa: ARG001 - settings name systems
    """Return the evals; raise RougeError for an eval without a model."""
    return require_references(read(path, texts.formats, texts.notify))


def read(path: str, formats: Collection[str], notify: Notify) -> Sequence[EvalTask]:
    """Return the evals in document order; `formats` are those that the caller can read,
    in lower case.

    Raises:
        RougeError: If the file has an error or an unknown format. The error has the
            line (and column).
    """
    data = files.read_any(path, "settings file", is_local=True)
    return evals_of_settings(data, path, formats, notify)


@twin
def evals_of_settings(
    data: bytes, path: str, formats: Collection[str], notify: Notify
) -> Sequence[EvalTask]:
    """Return the evals of the bytes of a file; see `read`."""
    # Imported late: most settings need no parser of XML.
    from rouge_cli.tasks.settings_xml import Settings

    settings = Settings(data, path, formats, notify)
    if settings.problems:
        raise settings.problems[0]
    return settings.tasks


def require_references(tasks: Sequence[EvalTask]) -> Sequence[EvalTask]:
    """Return the tasks; raise RougeError if some have no models, with up to ten of
    these tasks.
    """
    remedy = "add the files of its models to MODELS, or remove the EVAL"
    empty = [
        (task, f"eval {task.eval_id} has no models (no <M> in it)")
        for task in tasks
        if not task.references
    ]
    raise_all(
        [RougeError(what, where=task.where, remedy=remedy) for task, what in empty]
    )
    return tasks
