"""Explain why a document is not well-formed XML, and how to correct it."""

from __future__ import annotations

import re

# The parser of settings (settings_xml), for its errors.
from xml.parsers import expat

from rouge_cli.errors import RougeError

# Errors that are explained by an element that is still open.
_UNCLOSED = (
    expat.errors.XML_ERROR_TAG_MISMATCH,
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
)
# The end of what was read of a line, up to the invalid byte -> remedy.
_CAUSES = (
    (rb"&[\w.:#-]*[^;]?", "write &amp; for & in text and in IDs"),
    (rb"""=\s*[^"'\s]?""", "put the attribute's value in quotes"),
    (rb"<[^/]?", "write &lt; for < in text and in IDs, and close every quotation mark"),
    (rb"[\x80-\xff]", 'save the file as UTF-8, or begin it with <?xml version="1.0" encoding="..."?>'),
    (rb"[\x00-\x1f]", "remove the control character"),
)
_REMEDIES = {
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: "write the character itself (or &amp; for an ampersand)",
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "put all EVALs into one ROUGE-EVAL, and nothing else",
    expat.errors.XML_ERROR_MISPLACED_XML_PI: "remove what is before <?xml",
}
_codes = expat.errors.codes.__getitem__


def syntax_error(error: expat.ExpatError, data: bytes, path: str, opened: tuple[str, int]) -> RougeError:
    """Return the parser's error as a RougeError with its place and remedy.

    opened: name and line of the open element; an empty name if there is none.
    """
    what = expat.ErrorString(error.code)
    name, line = opened
    is_unclosed = bool(name) and error.code in map(_codes, _UNCLOSED)
    if error.code == _codes(expat.errors.XML_ERROR_INVALID_TOKEN):
        what = "invalid token"
    elif is_unclosed:
        what += f": {name} of line {line} is open"
    return RougeError(
        f"not well-formed XML ({what})",
        where=f"{path}:{error.lineno}:{error.offset + 1}",
        remedy=f"close it: </{name}>" if is_unclosed else _remedy(error, data),
    )


def _remedy(error: expat.ExpatError, data: bytes) -> str:
    what = expat.ErrorString(error.code)
    if not data.strip():
        return "the file is empty; settings hold <ROUGE-EVAL> and its EVALs"
    if not data.lstrip(b"\xef\xbb\xbf\xfe\xff\0 \t\r\n").startswith(b"<"):
        return "use -z FORMAT if this is a file list (rouge-cli: --input list)"
    if what in _REMEDIES:
        return _REMEDIES[what]
    if "entit" in what or "amplification" in what:
        return "entities from outside the file, and bombs made of them, are refused"
    read = b"".join(data.split(b"\n")[error.lineno - 1 : error.lineno])[: error.offset + 1]
    return next((remedy for end, remedy in _CAUSES if re.search(rb"(?s:%b)\Z" % end, read)), "")
