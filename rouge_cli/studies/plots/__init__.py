"""Plots of scores, comparisons and correlations, to be read by everybody at a paper's column width.

Colours are Okabe and Ito's (2008), which people with any colour vision tell apart; shape or text repeats
what they mean. Needs matplotlib, the extra `plots`. A metric, or a pair of scores, is a panel; panels stand
in a grid that fits a column of a paper, or else its page.
"""

from rouge_cli.studies.plots.figures import COLUMN, PAGE, render
from rouge_cli.studies.plots.p_values import draw_p_values
from rouge_cli.studies.plots.ranking import draw_comparison, draw_scores
from rouge_cli.studies.plots.scatter import draw_correlations

__all__ = [
    "COLUMN",
    "PAGE",
    "draw_comparison",
    "draw_correlations",
    "draw_p_values",
    "draw_scores",
    "render",
]
