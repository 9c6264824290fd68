"""Any notices are a few lines on stderr; cases/many_notices.txt has those of every
command.
"""

from itertools import takewhile

from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.cli.streams import Notices
from rouge_cli.core import Notice
from rouge_cli.errors import escape

# A pipe holds 64 KiB on Linux; the unread notices must fit easily.
MOST = 16 * 1024


@given(st.lists(st.text(max_size=300), max_size=400))
def test_any_notices_fit_a_pipe(messages: list[str]) -> None:
    """For any notices of any length, few bytes are printed, and every notice is
    counted.
    """
    printed: list[str] = []
    with Notices(printed.append) as notices:
        for message in messages:
            notices(Notice(message))
    rest = map(escape, messages)
    shown = len(list(takewhile(lambda line: line in rest, printed)))  # in their order
    omitted = [int(line.split("... and ")[1].split()[0]) for line in printed[shown:]]

    assert len(messages) == shown + sum(omitted)
    assert (
        sum(len(line.encode("utf-8", "surrogateescape")) + 20 for line in printed)
        < MOST
    )
