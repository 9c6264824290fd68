"""A self-contained page: one eval with marked words and all matches, or all variants
of a sweep.
"""

from base64 import b64encode
from collections.abc import Iterable
from math import ceil, floor, log10

from rouge_cli import data
from rouge_cli._version import __version__
from rouge_cli.errors import require
from rouge_cli.io.digests import sha256
from rouge_cli.results.base import Layout, Paged

NEEDS = "page"
SUFFIX = "htm"
# The files of the script of `rouge-cli report`, in order
PAGE_SCRIPTS = (
    "data.js",
    "address.js",
    "draw.js",
    "tables.js",
    "systems.js",
    "people.js",
    "evals.js",
    "source.js",
    "eval.js",
    "start.js",
)


def render(result: Paged, layout: Layout) -> str:
    """Return the page; raise RougeError if Jinja2 is not installed."""
    return fill(f"{result.kind}.html.j2", **result.page(layout))


def fill(template: str, scripts: Iterable[str] = (), **values: object) -> str:
    """Fill in a template of `data/report`; values are escaped, and all pages have the
    same style.

    Args:
        scripts: The files of the page's script, in order.

    Raises:
        RougeError: If Jinja2 is not installed.
    """
    require("a page needs", "jinja2", extra="report")
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        loader=jinja2.FunctionLoader(file),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = file("style.css"), joined(scripts)
    return environment.get_template(template).render(
        **values,
        style=markup(style),
        style_hash=digest(style),
        script=markup(script),
        script_hash=digest(script),
        version=__version__,
        round_ticks=round_ticks,
    )


def round_ticks(start: float, end: float) -> list[float]:
    """Return the three to seven round numbers of an axis."""
    size = 10 ** floor(log10((end - start) / 3))
    step = max(
        size * factor for factor in (1, 2, 5) if size * factor <= (end - start) / 3
    )
    first = ceil(start / step)
    last = floor(end / step)
    return [round(number * step, 12) for number in range(first, last + 1)]


def joined(scripts: Iterable[str]) -> str:
    """Return the script of a page that has these files."""
    return "".join(map(file, scripts))


def digest(text: str) -> str:
    """Return the hash that allows a style or script in a page's content security
    policy.
    """
    hashed = sha256(text.encode()).digest()
    return f"sha256-{b64encode(hashed).decode()}"


def markup(text: str) -> str:
    """Mark trusted text as HTML, so that it is not escaped."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - our own files, and data that was escaped


def file(name: str) -> str:
    """Return the text of a file in `data/report`."""
    return data.read(f"report/{name}").decode()
