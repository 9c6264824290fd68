"""Pages that open in the user's browser."""

from __future__ import annotations

import os

from rouge_cli.io import files


def open_page(path: str) -> bool:
    """Open a file in the browser; return False if there is none."""
    import webbrowser  # takes time to import, as pathlib
    from pathlib import Path

    try:
        return webbrowser.open(Path(path).resolve().as_uri())
    except (OSError, webbrowser.Error):
        return False


def show(html: str) -> str:
    """Write a page to a temporary file, open it in the browser, and return the path of
    the file, which stays.

    Without a browser, the caller can open the file by another way.
    """
    from tempfile import mkstemp  # takes time to import

    descriptor, path = mkstemp(prefix="rouge-cli-", suffix=".html")
    os.close(descriptor)
    files.write(path, [html])
    open_page(path)
    return path
