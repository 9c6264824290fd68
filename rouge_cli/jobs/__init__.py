"""Jobs around ROUGE that are not scoring, one in each module."""
