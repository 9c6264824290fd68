"""The files of the package; README.md in this folder has their sources."""

import os

from rouge_cli.errors import UnreadableFile


def read(name: str) -> bytes:
    """Return the bytes of a file in this folder; raise UnreadableFile if it is missing
    from the installation.
    """
    path = os.path.join(os.path.dirname(__file__), name)
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as reason:
        raise UnreadableFile(path, reason, role="file of rouge-cli itself") from None
