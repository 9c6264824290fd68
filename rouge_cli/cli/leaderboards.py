"""The leaderboard of a campaign: its page, and the pages of `report` that it takes."""

import errno
import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from urllib.parse import quote

from rouge_cli.cli import campaigns
from rouge_cli.errors import RougeError, UnreadableFile
from rouge_cli.io import files
from rouge_cli.reports import html
from rouge_cli.results.printed import format_interval, pluralize
from rouge_cli.text.languages import Profile

# How a page of `report` begins, with the hash by which it allows its script
_HEAD = re.compile(
    r'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    r'<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
    r" script-src '([\w+/=-]+)'; style-src '[\w+/=-]+'; img-src data:;"
    r" base-uri 'none'; form-action 'none'\">\n"
    r'<meta name="viewport"[^>\n]*>\n<meta name="color-scheme"[^>\n]*>\n'
)
# The data of a page, and what leads elsewhere or runs, which no page has besides.
_DATA = '<script type="application/json" id="data">'
_FOREIGN = re.compile(
    r"<(script|base|embed|form|frame|iframe|meta|object)", re.IGNORECASE
)


def dates(folder: str) -> dict[str, str]:
    """Return team -> the day on which its submission's file was last written, in UTC.

    Raises:
        UnreadableFile: If there is no such folder.
    """
    if not os.path.isdir(folder):
        reason = OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        raise UnreadableFile(folder, reason, role="folder of submissions")
    days = {}
    for path in campaigns.list_submissions(folder).paths:
        written = datetime.fromtimestamp(os.stat(path).st_mtime, timezone.utc)
        days[campaigns.team_of(path)] = written.date().isoformat()
    return days


def render(
    pages: Sequence[tuple[Profile, str, str]],
    rejected: Sequence[tuple[str, list[str]]],
    dates: Mapping[str, str] | None,
    title: str,
    target: str | None,
) -> str:
    """Return the leaderboard.

    Args:
        pages: The languages, the paths of their pages, and their texts.
        rejected: Teams, and what is wrong with their submissions.
        dates: Team -> date; None for no dates.
        target: The file of the leaderboard, from which links lead to the pages.

    Raises:
        RougeError: If a page has no scores that can be read.
    """
    from rouge_cli.studies import leaderboard, page_html

    sections = []
    for _, path, text in pages:
        document = text.partition(_DATA)[2].partition("</script>")[0]
        try:
            sections.append(leaderboard.read(document))
        except ValueError:
            remedy = "write it again: rouge-cli report"
            raise RougeError(
                "a page without readable scores", where=path, remedy=remedy
            ) from None
    shown = []
    for language, path, _ in pages:
        shown.append({"language": language, "link": _link(path, target)})
    return html.fill(
        "leaderboard.html.j2",
        ["tables.js"],
        title=title,
        sections=shown,
        metrics=dict.fromkeys(section.metric for section in sections),
        teams=leaderboard.rank(sections) if sections else [],
        samples=leaderboard.SAMPLES,
        dates=dates,
        rejected=rejected,
        short=page_html.short,
        pluralize=pluralize,
        format_interval=format_interval,
        times_100=page_html.times_100,
    )


def _link(path: str, target: str | None) -> str:
    """Return the address of a page as the leaderboard's folder sees it."""
    folder = "."
    if target and target != files.STDIN:
        folder = os.path.dirname(target) or "."
    relative = os.path.relpath(path, folder)
    return quote(relative.replace(os.sep, "/"))


def check_page(text: str, path: str) -> None:
    """Raise RougeError for a page that is not of `report`, or with another script than
    this.

    The leaderboard leads its readers to it.
    """
    script = html.joined(html.PAGE_SCRIPTS)
    head = _HEAD.match(text)
    remedy = "expected the output of rouge-cli report"
    if not head:
        raise RougeError("not a page", where=path, remedy=remedy)
    if head[1] != html.digest(script):
        remedy = "write it again: rouge-cli report"
        raise RougeError(
            "a page with another script than this version's", where=path, remedy=remedy
        )
    rest = text[head.end() :].replace(f"<script>{script}</script>", "", 1)
    rest = rest.replace(_DATA, "", 1)
    if foreign := _FOREIGN.search(rest):
        raise RougeError(
            f"a page with {foreign[0]}>, which a report never has",
            where=path,
            remedy=remedy,
        )
