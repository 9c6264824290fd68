"""The counting loops on integer ids, written to be read; the oracles in tests/laws hold them."""
