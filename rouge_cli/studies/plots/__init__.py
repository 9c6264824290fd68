"""Plots of scores, comparisons and correlations, to be read by everybody at a paper's column width.

Colours are Okabe and Ito's (2008), which people with any colour vision tell apart; shape or text repeats
what they mean. Needs matplotlib, the extra `plots`. A metric, or a pair of scores, is a panel; panels stand
in a grid that fits a column of a paper, or else its page.
"""

from rouge_cli.studies.plots.figures import COLUMN, PAGE, rendered
from rouge_cli.studies.plots.p_values import matrix
from rouge_cli.studies.plots.ranking import forest, scores
from rouge_cli.studies.plots.scatter import scatter

__all__ = ["COLUMN", "PAGE", "forest", "matrix", "rendered", "scatter", "scores"]
