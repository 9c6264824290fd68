"""The loops on integer ids: readable (bags, lcs, wlcs) and, where it was built, their compiled twin.

`choice` says which of them run, `counting` calls them. Tests in tests/laws hold the readable ones to slow,
obvious oracles, and the compiled ones to the readable.
"""
