"""Input formats. A format is a module with `read(data: bytes) -> Summary`; it is named after its file.

Invalid data is a RougeError, whose place is `:line`, to follow the file's name.

A format for `convert` also has `write(summary, name) -> bytes`: reading the result returns the
same summary, and a summary that the format cannot express is a RougeError. name: the text's title.
A format with dated sentences declares HAS_DATES, and plain text is not converted to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import plugins
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from types import ModuleType

    from rouge_cli.core import Document, Summary


def named(name: str) -> ModuleType:
    """Return the format's module.

    Raises:
        ModuleNotFoundError: If there is none; callers check names when they read them.
    """
    return plugins.module(__name__, name)


def summary(name: str, document: Document) -> Summary:
    """Read the document in the format of that name.

    Raises:
        RougeError: For invalid data.
    """
    try:
        read_summary: Summary = named(name).read(document.data)
    except RougeError as error:
        raise RougeError(error.what, where=f"{document.where}{error.where}", remedy=error.remedy) from None
    return read_summary
