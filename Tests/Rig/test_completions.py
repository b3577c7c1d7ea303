"""bash completes the values of options, by the script that the packages install."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

import program
import sample_archive
from agent import find_tabardctl
from sample_archive import Sample

COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
compopt() { :; }
_tabardctl "tabardctl" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
async def sample(programs: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    commands = tmp_path / "commands"
    commands.mkdir()
    (commands / "tabardctl").symlink_to(find_tabardctl())
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    return await sample_archive.at(tmp_path, monkeypatch, encounter_count=1_000)


async def completed(sample: Sample, line: str) -> list[str]:
    """The words that bash offers for the last word of a command line."""
    script = sample.folder / "script"
    script.write_text((await program.run_well(find_tabardctl(), "--generate-completion-script", "bash")).output)
    words = shlex.split(line) + ([""] if line.endswith(" ") else [])
    ended = await program.run_well("bash", "-c", COMPLETE, "bash", script, *words)
    return ended.output.splitlines()


async def test_boards_have_their_names(sample: Sample) -> None:
    assert "Board 7" in await completed(sample, "tabardctl encounters --board ")
    assert await completed(sample, "tabardctl report --archive nowhere.sqlite --board ") in ([], [""])


async def test_schemes_are_listed(sample: Sample) -> None:
    assert await completed(sample, "tabardctl encounters --scheme exp") == ["exposure-notification"]


async def test_keys_are_files_that_end_in_pem(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample.folder)
    for name in ("one.pem", "one.txt"):
        (sample.folder / name).touch()
    assert await completed(sample, "tabardctl open --opening one") == ["one.pem"]
