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
    from collections.abc import Mapping
    from types import ModuleType

    from rouge_cli.core import Document, Summary


def named(name: str) -> ModuleType:
    """Return the format's module.

    Raises ModuleNotFoundError if there is none; callers check names when they read them.
    """
    return plugins.module(__name__, name)


def summary(name: str, document: Document) -> Summary:
    """Read the document in the format of that name.

    Raises RougeError for invalid data.
    """
    try:
        read_summary: Summary = named(name).read(document.data)
    except RougeError as error:
        raise RougeError(error.what, where=f"{document.where}{error.where}", remedy=error.remedy) from None
    return read_summary


def chosen(name: str | None, stated: Mapping[str, str]) -> str:
    """Return the format of texts: the one named, or that of a signature, or spl.

    Args:
        name: As typed by the user, in any case; None for none.
        stated: Facts of the signature; ignored if it lists several formats.

    Raises:
        UsageError: There is no such format.
    """
    if name is None:
        signed = stated.get("read_as", "spl")
        return signed if plugins.is_known(__name__, signed) else "spl"
    plugins.find(__name__, name.lower(), "format")
    return name.lower()
