"""The table of ROUGE 2.0, byte for byte, as `rouge-cli rouge2` writes it."""

from rouge_cli.results.base import Layout, Presentable

NEEDS = "program_rows"
_HEADER = (
    "ROUGE-Type,Task Name,System Name,Avg_Recall,Avg_Precision,Avg_F-Score,Num"
    " Reference Summaries\n"
)


def render(result: Presentable, layout: Layout) -> str:
    """Return the table with its header; nothing is quoted, as in the program."""
    return _HEADER + "".join(
        f"{','.join(row)}\n" for row in result.program_rows(layout)
    )
