"""What a file behind --pred or --ref contains: lines of text, or records.

A known suffix decides, as for INPUT; else the start of the file does. A file is JSON if
it begins with an object, or with an array of texts or records; a line of text may begin
with a brace or a bracket. What is neither texts nor records is refused with its cause,
so that no name, ID or mark of a format is ever counted as a word.
"""

import json
import os
import re
from collections.abc import Mapping
from shlex import quote
from typing import NamedTuple

from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.tasks import directories, kinds
from rouge_cli.tasks.columns import TEXT_ROLES, is_common
from rouge_cli.tasks.kinds import _tables
from rouge_cli.tasks.nesting import is_text

PRED, REF, SOURCE = "--pred", "--ref", "--source"
ROLES = {
    PRED: "file of predictions",
    REF: "file of references",
    SOURCE: "file of sources",
}
FORCE = "if each line is a text, give --input lines"
_JSON = ("json", "jsonl")  # a line of text may begin as these do
_START = 1 << 18  # bytes of a file that are looked at

# An object, or an array of objects or texts, whose first line is not complete JSON.
_OBJECT = re.compile(r'\{\s*(\}|"([^"\\]|\\.)*"\s*:)')
_ARRAY = re.compile(r'\[\s*(\{\s*(\}|"([^"\\]|\\.)*"\s*:)|\n\s*["\[])')
_PYTHON = re.compile(r"\[?\s*\{\s*'[^']*'\s*:")
_FAIRSEQ = re.compile(r"^([STHDP])-[0-9]+\t", re.MULTILINE)
_MARKUP = re.compile(r"<(\?xml|!doctype|html|rouge[-_]eval)\b", re.IGNORECASE)
_HEADER = re.compile(r'"?[\w.-]+"?(?:([,;\t])"?[\w.-]+"?(\1"?[\w.-]+"?)*)?')
# An ID is of ASCII: Chinese has no blank behind a comma.
_ROW = re.compile(r"""["']?([\w.:-]+)["']?([,;|])(?=\S)""", re.ASCII)
_ROWS = 50  # lines that are looked at for a table
_SUFFIX = {",": "csv", "\t": "tsv"}


class Operand(NamedTuple):
    """A file, or a folder of files, behind --pred or --ref."""

    option: str  # PRED or REF
    name: str  # of the system; empty for references
    path: str
    files: Mapping[str, str]  # path -> kind; empty for a folder of texts


def kind_of(path: str, option: str) -> str:
    """Return the kind of records in a file, or LINES if its lines are texts.

    Args:
        option: --pred or --ref.

    Raises:
        RougeError: If the file contains neither.
        UnreadableFile: If the file cannot be read.
    """
    kind = kinds.by_suffix(path)
    if kind and not kinds.is_records(kind):
        raise _no_texts(
            path, kinds.named(kind).WHAT, f"give it as INPUT, without {option}; {FORCE}"
        )
    if kind:
        return kind
    start = files.head(path, ROLES[option])[:_START]
    kind = kinds.by_start(start)
    if kind and kinds.is_records(kind) and kind not in _JSON:
        return kind
    return _kind_of_text(start.decode("utf-8", "replace"), path)


def files_of_folder(path: str, option: str) -> dict[str, str]:
    """Return the files of a folder of records with their kinds; none for a folder of
    texts.

    Raises:
        RougeError: If only some of its files are records, or its sub-folders have them.
    """
    if _tables.files_of(path, _tables.COLUMNS) != []:
        return {path: "parquet"}
    folders, names = directories.entries(path, ROLES[option].removeprefix("file of "))
    paths = [os.path.join(path, name) for name in names]
    if not paths:
        for folder in folders:
            inner = os.path.join(path, folder)
            if files_of_folder(inner, option):
                remedy = f"name each: {option} {quote(inner)}"
                raise RougeError("sub-folders of records", where=path, remedy=remedy)
        return {}
    by_suffix = {file: kinds.by_suffix(file) for file in paths}
    are_records = [file for file, kind in by_suffix.items() if _has_rows(kind)]
    if not are_records and _is_json(paths[0]):
        return {file: kind_of(file, option) for file in paths}
    others = [file for file in paths if file not in are_records]
    if are_records and others:
        what = f"a folder with records ({are_records[0]}) and other files ({others[0]})"
        raise RougeError(what, where=path, remedy="put records into a folder alone")
    return {file: by_suffix[file] for file in are_records}


def check_is_text(path: str, option: str, remedy: str) -> None:
    """Raise UsageError if a file or folder that is read as whole texts has records."""
    if not os.path.exists(path):
        return  # the reader's error
    if os.path.isdir(path):
        has_records = bool(files_of_folder(path, option))
    else:
        has_records = _has_rows(kinds.by_suffix(path)) or _is_json(path)
    if has_records:
        what = "records, where whole texts are expected"
        raise UsageError(what, where=files.place(path), remedy=remedy)


def _has_rows(kind: str) -> bool:
    return kind != "" and kinds.is_records(kind)


def _is_json(path: str) -> bool:
    """Return True for a file without a suffix of JSON whose content is JSON."""
    start = files.head(path, "text")[:_START].decode("utf-8", "replace")
    first = start.partition("\n")[0].strip()
    return start.startswith(("{", "[")) and _json_kind(start, first) != ""


def _kind_of_text(start: str, path: str) -> str:
    first, _, rest = start.partition("\n")
    first = first.strip()
    kind = _json_kind(start, first) if start.startswith(("{", "[")) else ""
    if kind:
        return kind
    if _PYTHON.match(start):
        remedy = f"write each with json.dumps(record); {FORCE}"
        raise _no_texts(path, "Python's print of a dict, not JSON", remedy)
    mark = _FAIRSEQ.search(start)
    if mark:
        letter = mark[1] if mark[1] in "ST" else "H"
        field = 2 if letter in "ST" else 3
        shown = quote(files.place(path))
        remedy = f"write the texts: grep ^{letter}- {shown} | sort -V | cut -f{field}-"
        raise _no_texts(path, f"output of fairseq ({mark[0].strip()})", remedy)
    if _MARKUP.match(start):
        remedy = (
            "give settings as INPUT, without --pred and --ref, and SEE as folders with"
            f" --read-as see; {FORCE}"
        )
        raise _no_texts(path, f"markup ({first[:30]})", remedy)
    if is_header(first, rest):
        delimiter = _HEADER.fullmatch(first)[1] or ","  # type: ignore[index]
        kind = _SUFFIX.get(delimiter, "csv")
        options = f"--input {kind}"
        if delimiter not in _SUFFIX:
            options += f" --delimiter '{delimiter}'"
        remedy = f"if it is, end its name in .{kind}, or give {options}; {FORCE}"
        raise _no_texts(
            path, f"probably a table, with the columns {first[:60]!r}", remedy
        )
    delimiter = row_delimiter(start)
    if delimiter:
        kind = _SUFFIX.get(delimiter, "csv")
        options = f"--input {kind} --no-header"
        if delimiter not in _SUFFIX:
            options += f" --delimiter '{delimiter}'"
        remedy = f"if it is, give {options} and name its columns; {FORCE}"
        shown = f"{first[:40]!r}"
        raise _no_texts(path, f"probably a table without names ({shown})", remedy)
    if _is_file_list(first):
        remedy = f"give the list as INPUT, or the folders of the files; {FORCE}"
        raise _no_texts(path, f"names of files ({first[:60]})", remedy)
    return kinds.LINES


def _json_kind(start: str, first: str) -> str:
    """Return the kind of JSON that a file with this start is; empty if its lines are
    texts.
    """
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        is_whole = _OBJECT.match(start) or _ARRAY.match(start)
        return "json" if is_whole else ""
    is_alone = not start.partition("\n")[2].strip()
    if is_alone:
        return "json"
    if isinstance(value, dict):
        return "jsonl"
    # A line of text may be an array of numbers.
    are_texts = all(isinstance(item, dict) or is_text(item) for item in value)
    return "jsonl" if value and are_texts else ""


def is_header(first: str, rest: str) -> bool:
    """Return True if a first line has the names of columns, and the next line as many
    cells.
    """
    header = _HEADER.fullmatch(first)
    if not header:
        return False
    names = [name.strip('"') for name in first.split(header[1])]
    if not any(is_common(name, TEXT_ROLES) for name in names):
        return False
    following = rest.partition("\n")[0]
    if header[1] is None:
        return following != ""  # a column without IDs
    return not following.strip() or following.count(header[1]) >= len(names) - 1


def row_delimiter(start: str) -> str:
    """Return the delimiter if all lines have as many tabs, or begin with a different
    word each and a delimiter; empty for texts.
    """
    # The last line may be cut.
    rows = [line for line in start.split("\n")[:-1] if line.strip()][:_ROWS]
    if len(rows) < 2:
        return ""
    tabs = {row.count("\t") for row in rows}
    if len(tabs) == 1 and tabs != {0}:
        return "\t"
    matches = [_ROW.match(row) for row in rows]
    heads = [(match[1], match[2]) for match in matches if match]
    names = {name for name, _ in heads}
    delimiters = {delimiter for _, delimiter in heads}
    if len(names) == len(rows) and len(delimiters) == 1:
        return delimiters.pop()
    return ""


def _is_file_list(first: str) -> bool:
    """Return True if all words of a line are files, and look so."""
    words = first.split()
    look_so = any(os.sep in word or "." in word for word in words)
    return bool(words) and look_so and all(map(os.path.isfile, words))


def _no_texts(path: str, what: str, remedy: str) -> RougeError:
    return RougeError(
        f"{what}, where lines of text or records are expected",
        where=files.place(path),
        remedy=remedy,
    )


def operand_of(option: str, name: str, path: str, kind: str | None) -> Operand:
    """Return a source with the kinds of its files.

    Args:
        option: PRED or REF.
        name: The system of predictions; empty for references.
        kind: The kind of all files; None to tell each by its suffix and its start.
    """
    if os.path.isdir(path):
        by_path = files_of_folder(path, option)
        if kind is not None:
            by_path = dict.fromkeys(by_path, kind)
        return Operand(option, name, path, by_path)
    by_path = {}
    for table in _tables.joined([path]):
        parts = _tables.files_of(table) if _tables.is_pattern(table) else [table]
        for file in parts:
            by_path[file] = kind_of(file, option) if kind is None else kind
    return Operand(option, name, path, by_path)
