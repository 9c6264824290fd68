"""Input formats. A format is a module with `read(data: bytes) -> Summary`; its name is its file's.

What a format cannot read is a RougeError, whose place is `:line`, the part behind the file's name.

A format that can be converted to has `write(summary, name) -> bytes` beside it: reading it back gives the
same summary, and what the format cannot hold is a RougeError. name: what the text is called.
A format of dated sentences declares HAS_DATES, and plain text is not converted to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import folders
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from types import ModuleType

    from rouge_cli.core import Document, Summary


def named(name: str) -> ModuleType:
    """Return the format's module.

    Raises ModuleNotFoundError if there is none; callers check names where they read them.
    """
    return folders.module(__name__, name)


def summary(name: str, document: Document) -> Summary:
    """Return the document as a summary, read by the format of that name.

    Raises RougeError for what the format cannot read.
    """
    try:
        read_summary: Summary = named(name).read(document.data)
    except RougeError as error:
        raise RougeError(error.what, where=f"{document.where}{error.where}", remedy=error.remedy) from None
    return read_summary
