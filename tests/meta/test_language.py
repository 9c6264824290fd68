"""The package is written in the field's English, within the bounds of eight well-read packages."""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "rouge_cli"
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


def _files(*suffixes: str) -> Iterator[Path]:
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in suffixes:
            yield path


@cache
def _docstrings() -> list[str]:
    nodes = (node for path in _files(".py") for node in ast.walk(ast.parse(path.read_text())))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    return [text for node in nodes if isinstance(node, kinds) and (text := ast.get_docstring(node))]


@cache
def _comments() -> list[str]:
    comments: list[str] = []
    for path in _files(".py"):
        tokens = tokenize.generate_tokens(io.StringIO(path.read_text()).readline)
        comments += (token.string for token in tokens if token.type == tokenize.COMMENT)
    for path in _files(*COMMENTS):
        comments += re.findall(COMMENTS[path.suffix], path.read_text())
    return comments


def _variables(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


def test_variables_are_called_what_they_hold() -> None:
    """No variable or parameter has a name that fits everything, such as `one` or `found`."""
    fields = {"results/correlation.py:one"}  # of a record, and so a key in JSON
    uses = Counter(
        use
        for path in _files(".py")
        for name in _variables(ast.parse(path.read_text()))
        if name in EMPTY_NAMES and (use := f"{path.relative_to(PACKAGE)}:{name}") not in fields
    )
    assert not uses


@pytest.mark.parametrize("pattern", MOST)
def test_prose_keeps_to_plain_words(pattern: str) -> None:
    """Docstrings and comments use the words of the field no less than its well-read packages do."""
    prose = [*_docstrings(), *_comments()]
    words = sum(len(re.findall(r"[A-Za-z][A-Za-z'-]*", text)) for text in prose)
    uses = [text for text in prose for _ in re.findall(pattern, text, re.IGNORECASE)]
    assert words > 30_000
    assert 1000 * len(uses) / words <= MOST[pattern], uses


def test_docstrings_do_not_open_with_riddles() -> None:
    """A docstring begins with what is done or returned, hardly ever with What, Whether or Where."""
    docstrings = _docstrings()
    riddles = [text for text in docstrings if re.match(r"(What|Whether|Where)\b", text)]
    assert 100 * len(riddles) / len(docstrings) <= MOST_RIDDLES, riddles
