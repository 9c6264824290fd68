"""Kinds of results: a module for each, with its record and the functions that report formats call.

tables(result, layout): Tables for people. notes(result, layout): lines below the tables.
paper(result, layout): a single Table for a paper, with the notes in its caption; latex and
markdown render it in place of the tables.
prose(result, layout): lines of pieces, which the format text prints in place of the tables.
document(result, layout): one JSON value. lines(result, layout): JSON values, a line each; by default the
document's fields, then the records in its lists.
rows(result, layout): cells of a delimited table, its head first.

A kind may lack some of these, and may have others for its own formats: a format renders the kinds that
have the function that its NEEDS names. Numbers in documents, lines and rows are not rounded.
"""
