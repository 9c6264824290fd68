"""Plots of scores, comparisons and correlations, readable for everybody at a paper's column width.

Colours are Okabe and Ito's (2008), which people with any colour vision can distinguish; shape or text
repeats their meaning. Needs matplotlib, the extra `plots`. There is a panel for each metric or pair of
scores; the grid of panels fits a column of a paper, or else its page.
"""

from rouge_cli.studies.plots.figures import COLUMN, PAGE, render
from rouge_cli.studies.plots.ranking import draw_comparison, draw_scores
from rouge_cli.studies.plots.scatter import draw_correlations

__all__ = [
    "COLUMN",
    "PAGE",
    "draw_comparison",
    "draw_correlations",
    "draw_scores",
    "render",
]
