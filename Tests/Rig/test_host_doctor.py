"""`tabardctl doctor`: what keeps a board from its work, seen from the computer at its cable."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path

import program
from agent import find_tabardctl
from journal import PATIENCE_SECONDS
from printed_json import document_in
from test_keys import pairs
from test_setup import fresh
from venue import Venue


async def found(venue: Venue, port: Path | None) -> dict[str, dict[str, str]]:
    """The findings about the board that are not good, by subject."""
    arguments = [str(port)] if port else []
    ended = await program.run(find_tabardctl(), "doctor", *arguments, "--json", "--archive", venue.tabardctl.archive)
    patients = document_in(ended.output)
    findings = [each for each in patients[-1]["findings"] if each["level"] != "ok"]
    faults = [each for patient in patients for each in patient["findings"] if each["level"] == "fault"]
    assert ended.exit_code == (69 if faults else 0), ended
    return {each["subject"]: each for each in findings}


async def mend(command: str, *options: str | Path) -> None:
    """Runs the command of a finding as it is printed. `options` answer what it would ask at a terminal."""
    words = shlex.split(command)
    assert words[0] == "tabardctl", command
    await program.run_well(find_tabardctl(), *words[1:], *options)


async def test_a_new_board_is_mended_by_the_named_commands(venue: Venue, tmp_path: Path) -> None:
    port = (await fresh(venue)).sync_port
    before = await found(venue, port)
    assert {"place", "log", "keys", "archive"} <= set(before), before
    command = f"tabardctl setup {port} --archive {venue.tabardctl.archive}"
    assert before["place"]["level"] == "fault" and before["place"]["run"] == command, before
    await pairs(venue, "keys")
    await mend(before["place"]["run"], "--venue-number", "7", "--name", "Foyer", "--keys", tmp_path / "keys", "--yes")
    assert await found(venue, port) == {}


async def test_a_role_that_is_off_is_switched_on_by_the_named_command(venue: Venue) -> None:
    agent = await venue.start_agent(radio={"scan": False})
    before = await found(venue, agent.sync_port)
    assert before["scan"]["level"] == "warning", before
    await mend(before["scan"]["run"])
    async with asyncio.timeout(PATIENCE_SECONDS):
        while "scan" in (after := await found(venue, agent.sync_port)):
            assert after["scan"]["level"] == "warning", after


async def test_a_log_that_was_never_fetched_is_fetched_by_the_named_command(venue: Venue) -> None:
    agent = await venue.start_agent()
    before = await found(venue, agent.sync_port)
    assert before["archive"]["finding"] == "has nothing of this board", before
    await mend(before["archive"]["run"])
    after = await found(venue, agent.sync_port)
    assert after["archive"]["finding"].startswith("the board is not trusted"), after
    await mend(after["archive"]["run"], "--yes")
    assert "archive" not in await found(venue, agent.sync_port)


async def test_a_port_without_a_board_is_a_fault_that_says_what_to_try(programs: None, tmp_path: Path) -> None:
    ended = await program.run(find_tabardctl(), "doctor", tmp_path / "none", "--archive", tmp_path / "archive.sqlite")
    assert ended.exit_code == 69 and "no such port" in ended.output, ended
    assert "this computer\nok       clock" in ended.output and "1 fault" in ended.errors, ended


async def test_a_broken_archive_is_a_fault(venue: Venue, tmp_path: Path) -> None:
    agent = await venue.start_agent()
    broken = tmp_path / "broken.sqlite"
    broken.write_text("not an archive")
    ended = await program.run(find_tabardctl(), "doctor", agent.sync_port, "--archive", broken)
    assert ended.exit_code == 69 and "not an archive" in ended.output, ended
    assert "unknown  archive" in ended.output, ended
