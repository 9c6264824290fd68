"""Input formats. A format is a module of the same name with `read(data: bytes) -> Summary`.

`read` raises RougeError for invalid data. The error's place is `:LINE`, which callers append to the file.

A format that `convert` can write also has `write(summary, name) -> bytes`, with the title of the text. To
read the result returns the same summary. `write` raises RougeError for a summary that the format cannot
express. A format with dated sentences declares HAS_DATES; plain text is not converted to it.
"""

from types import ModuleType

from rouge_cli import plugins
from rouge_cli.core import Document, Summary
from rouge_cli.errors import RougeError


def named(name: str) -> ModuleType:
    """Return the module of a format; raise ModuleNotFoundError if it is unknown."""
    return plugins.module(__name__, name)


def summary(name: str, document: Document) -> Summary:
    """Read a document in a format; raise RougeError if the data are invalid."""
    try:
        read_summary: Summary = named(name).read(document.data)
    except RougeError as error:
        raise RougeError(error.what, where=f"{document.where}{error.where}", remedy=error.remedy) from None
    return read_summary
