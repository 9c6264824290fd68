"""ROUGE homes for other people's wrappers: one of rouge-cli, and one with the live
original.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import nltk
import pytest
from nltk.tokenize import punkt

from tests.conftest import ROUGE_CLI, Program


@pytest.fixture(scope="session")
def ours(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home as `rouge-cli home` writes it."""
    home = tmp_path_factory.mktemp("rouge") / "home"
    assert program(ROUGE_CLI, "home", str(home)).status == 0
    return home


@pytest.fixture(scope="session")
def theirs(original: SimpleNamespace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with the live original in it; skip if it is not available."""
    home = tmp_path_factory.mktemp("original") / "home"
    home.mkdir()
    # Wrappers execute the file, which PyPI's copy of the original does not allow.
    script = home / "ROUGE-1.5.5.pl"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(original.command[:-2])} "$@"\n')
    script.chmod(0o755)
    (home / "data").symlink_to(original.data)
    return home


@pytest.fixture
def splitter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put a sentence splitter, trained on a few lines, where nltk looks for the
    downloaded one.
    """
    trainer = punkt.PunktTrainer(
        "The cat sat with Dr. Who. A dog ran to Dr. No on Jan. 3 at home. He met Dr."
        " Who, etc. and so on. It is for Dr. Evil. We saw etc. on Jan. 5 there. We like"
        " it. He ran. The dog sat. It ran. " * 9
    )
    trainer.finalize_training()
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    folder = tmp_path / "tokenizers" / "punkt_tab" / "english"
    folder.mkdir(0o700, parents=True)
    punkt.save_punkt_params(trainer.get_params(), str(folder))
    # nltk keeps the splitter that it has read, here before the test and after it.
    kept = nltk.tokenize._get_punkt_tokenizer  # noqa: SLF001
    kept.cache_clear()
    yield
    kept.cache_clear()
