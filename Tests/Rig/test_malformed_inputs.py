"""Malformed inputs of every kind: one clear line, the status of the help, and no file changed.

The tables say what is made, what is run and what is said: malformed_archives.py, malformed_logs.py,
malformed_tables.py, malformed_publications.py and malformed_options.py.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import malformed
import malformed_archives
import malformed_logs
import malformed_options
import malformed_publications
import malformed_tables
from malformed import Case, Workshop

CASES = [
    *malformed_archives.CASES,
    *malformed_logs.CASES,
    *malformed_tables.CASES,
    *malformed_publications.CASES,
    *malformed_options.CASES,
]


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return malformed.open_workshop(tmp_path_factory.mktemp("workshop"))


@pytest.fixture(scope="session")
def can_mount() -> bool:
    return malformed.can_mount()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_malformed_input_is_one_line_and_changes_nothing(
    case: Case, tmp_path: Path, workshop: Workshop, can_mount: bool
) -> None:
    if "unshare" in case.wrapper and not can_mount:
        pytest.skip("this computer does not let a test mount a disk (unshare)")
    if "setpriv" in case.wrapper and shutil.which("setpriv") is None:
        pytest.skip("root may read and write everything, and there is no setpriv to take that away")
    await malformed.check(case, tmp_path, workshop)


def test_there_are_sixty_cases_of_different_names_and_inputs() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)
    assert {case.status for case in CASES} == {64, 65, 66, 73, 74, 75, 76, 77}


async def test_the_commands_work_without_a_malformed_input(tmp_path: Path, workshop: Workshop) -> None:
    """The cases would prove little if the same commands failed with good inputs."""
    good = Case("good", "contacts --names people.csv", 0, "", {"people.csv": b"id,name\nBoard 1,Ada\n"})
    with pytest.raises(AssertionError, match="exit_code=0"):
        await malformed.check(Case(**{**vars(good), "status": 65}), tmp_path, workshop)
