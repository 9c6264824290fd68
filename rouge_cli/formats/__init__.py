"""Input formats. A format is a module of the same name with `read(data: bytes) ->
Summary`.

`read` raises RougeError for invalid data. The error's place is `:LINE`, which callers
append to the file.

A format that `convert` can write also has `write(summary, name) -> bytes`, with the
title of the text. To read the result returns the same summary. `write` raises
RougeError for a summary that the format cannot express. A format that skips decoration
has `unread(data) -> Unread | None`: the sentences that it skips although they were
probably meant to be read. A format with dated sentences declares HAS_DATES; plain text
is not converted to it.
"""

from types import ModuleType

from rouge_cli import plugins


def named(name: str) -> ModuleType:
    """Return the module of a format; raise ModuleNotFoundError if it is unknown."""
    return plugins.module(__name__, name)
