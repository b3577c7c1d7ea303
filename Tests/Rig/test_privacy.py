"""Files about people are for their owner alone."""

from __future__ import annotations

import stat
from pathlib import Path

import program
from agent import find_tabardctl
from venue import Venue


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_other_users_can_read_neither_archive_nor_report(venue: Venue) -> None:
    agent = await venue.start_agent()
    archive = venue.directory / "new" / "archive.sqlite"
    sync = (find_tabardctl(), "sync", "--trust", "new", "--port", agent.sync_port, "--archive", archive)
    await program.run_well(*sync)
    assert mode(archive) == 0o600 and mode(archive.parent) == 0o700
    report = venue.directory / "report.html"
    await program.run_well(find_tabardctl(), "report", "--archive", archive, "--output", report)
    assert mode(report) == 0o600

    archive.chmod(0o644)
    ended = await program.run(find_tabardctl(), "coverage", "--archive", archive)
    assert ended.exit_code == 0 and "chmod 600" in ended.errors and mode(archive) == 0o644, ended
    ended = await program.run(*sync)
    assert ended.exit_code == 0 and "now only you can" in ended.errors and mode(archive) == 0o600, ended
