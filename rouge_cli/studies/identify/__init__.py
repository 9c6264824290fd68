"""Identification of the set-up of published numbers, by comparing every set-up of a search space."""
