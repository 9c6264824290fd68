"""From bytes to token ids: length limit, tokens, stop words, stems, ids."""
