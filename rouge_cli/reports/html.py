"""A page that loads nothing: one eval with its words marked, what matches, and the arithmetic."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from rouge_cli import data
from rouge_cli._version import __version__
from rouge_cli.errors import require

if TYPE_CHECKING:
    from rouge_cli.reports import Layout
    from rouge_cli.results.explanations import Explanations

NEEDS = "page"
SUFFIX = "htm"


def render(result: Explanations, layout: Layout) -> str:
    """Return the page of a result, in the style of `rouge-cli report`; raise RougeError without Jinja2."""
    return fill("explanation.html.j2", **result.page(layout))


def fill(template: str, **values: Any) -> str:  # noqa: ANN401 - what the template names
    """Return a template of `data/report` with these values, escaped, and with the style of all pages.

    Raises:
        RougeError: If Jinja2 is not installed.
    """
    require("a page needs", "jinja2", extra="report")
    import jinja2

    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    style = file("style.css")
    return environment.from_string(file(template)).render(
        **values, version=__version__, style=markup(style), style_hash=content_hash(style)
    )


def markup(text: str) -> str:
    """Return a text of ours that is markup, and not to be escaped."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - our own files, and data that was escaped


def content_hash(text: str) -> str:
    """Return the hash by which a page's policy admits its style or script."""
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def file(name: str) -> str:
    """Return a file of `data/report`."""
    return data.read(f"report/{name}").decode()
