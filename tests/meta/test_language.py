"""The code is written in the field's English, within the bounds of eight well-read packages."""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Folder -> the least number of words in its docstrings and comments.
FOLDERS = {"rouge_cli": 30_000, "tests": 20_000, "compat": 2_000, "docs": 400}
# A variable is called what it holds.
EMPTY_NAMES = {"one", "found", "given", "asked", "said", "known", "kept"}
# Per 1,000 words of docstrings and comments.
MOST = {
    r"\bwhere\b(?!:)": 2.9,  # a condition begins with if, when or unless
    r"\b(say|says|said)\b": 0.1,  # programs print, warn, report
    r"\b(is|are|was|were) no (?!longer\b)\w+": 1.2,
}
MOST_RIDDLES = 3  # percent of docstrings that open with What, Whether or Where
COMMENTS = {".hpp": r"//.*", ".pyx": r'#.*|""".*?"""'}


def _files(folder: str, *suffixes: str) -> Iterator[Path]:
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in suffixes:
            yield path


@cache
def _trees(folder: str) -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in _files(folder, ".py")}


@cache
def _docstrings(folder: str) -> list[str]:
    nodes = (node for tree in _trees(folder).values() for node in ast.walk(tree))
    documented = (node for node in nodes if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef))
    return [text for node in documented if (text := ast.get_docstring(node))]


@cache
def _comments(folder: str) -> list[str]:
    comments = []
    for path in _files(folder, ".py"):
        tokens = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
        comments += [token.string for token in tokens if token.type == tokenize.COMMENT]
    for path in _files(folder, *COMMENTS):
        comments += re.findall(COMMENTS[path.suffix], path.read_text("utf-8"))
    return comments


def _variables(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


@pytest.mark.parametrize("folder", FOLDERS)
def test_variables_are_called_what_they_hold(folder: str) -> None:
    """No variable or parameter has a name that fits everything, such as `one` or `found`."""
    uses = Counter(
        f"{path.relative_to(ROOT).as_posix()}:{name}"
        for path, tree in _trees(folder).items()
        for name in _variables(tree)
        if name in EMPTY_NAMES
    )
    assert not uses


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("pattern", MOST)
def test_prose_keeps_to_plain_words(pattern: str, folder: str) -> None:
    """Docstrings and comments use the words of the field no less than its well-read packages do."""
    prose = [*_docstrings(folder), *_comments(folder)]
    words = sum(len(re.findall(r"[A-Za-z][A-Za-z'-]*", text)) for text in prose)
    uses = [text for text in prose for _ in re.findall(pattern, text, re.IGNORECASE)]
    assert words > FOLDERS[folder]
    assert 1000 * len(uses) / words <= MOST[pattern], uses


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_do_not_open_with_riddles(folder: str) -> None:
    """A docstring begins with what is done or returned, hardly ever with What, Whether or Where."""
    docstrings = _docstrings(folder)
    riddles = [text for text in docstrings if re.match(r"(What|Whether|Where)\b", text)]
    assert 100 * len(riddles) / len(docstrings) <= MOST_RIDDLES, riddles
