"""All programs state the version that the changelog's newest heading has."""

import re
import subprocess
from pathlib import Path

import pytest

from agent import find_agent, find_simulator, find_tabardctl

CHANGELOG = Path(__file__).resolve().parents[2] / "CHANGELOG.md"


def newest_version() -> str:
    """The number in the first heading of a version, such as 0.3.0."""
    heading = re.search(r"^## \[(\d+\.\d+\.\d+)\] - ", CHANGELOG.read_text(), re.MULTILINE)
    assert heading
    return heading[1]


@pytest.mark.parametrize("find", [find_agent, find_tabardctl, find_simulator], ids=["tabard", "tabardctl", "tabard-sim"])
def test_a_program_prints_the_newest_version(find) -> None:
    """--version prints the program's name and the version of the changelog."""
    printed = subprocess.run([find(), "--version"], check=True, capture_output=True, text=True).stdout.split()
    assert printed[:2] == [find().name, newest_version()]
