"""The drop-in compared with the live original, on newly drawn set-ups."""

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from everyday import sampled

from tests.conftest import Program

SETUPS, PARTS = 200, 20


@pytest.mark.parametrize("part", sampled(range(PARTS), PARTS))
def test_random_setups_are_equal_to_the_live_originals(
    part: int, kit: SimpleNamespace, original: SimpleNamespace, drop_in: Program, tmp_path: Path
) -> None:
    """Seeded set-ups end as under the original, byte for byte; `make conformance` draws more."""
    for index in range(part, SETUPS, PARTS):
        case = kit.setups.draw("everyday", index)
        theirs = kit.execute.run_case(original.command, case, 120)
        folder = tmp_path / str(index)
        case.write_files(folder)
        status, stdout, stderr = drop_in(
            *(os.fsdecode(word.encode("latin-1")) for word in case.argv), cwd=folder
        )
        case = replace(case, outcome=kit.run.classify(theirs), stdout=theirs.stdout.decode("latin-1"))

        assert kit.judge.judge(case, kit.execute.Run(status, stdout, stderr.encode())) is None, case.id
