"""Kinds of results: a module for each, with the record and with what report formats ask of it.

tables(result, layout): Table, what people read. notes(result, layout): lines below the tables.
paper(result, layout): the one Table that a paper has of it, its caption saying what notes would; latex and
markdown render it in place of the tables.
prose(result, layout): lines of pieces, which the format text prints in place of the tables.
document(result, layout): one JSON value. lines(result, layout): JSON values, a line each; by default the
document's fields, then the records in its lists.
rows(result, layout): cells of a delimited table, its head first.

A kind may lack some of these, and may have others for formats of its own: a format renders the kinds that
have the function that its NEEDS names. Numbers in documents, lines and rows are not rounded.
"""
