"""`--dry-run`: a command shows what it would do, and does nothing."""

from __future__ import annotations

from pathlib import Path

import desk as desks
import program
import pytest
import sample_archive
from desk import Desk
from submissions import covid_tracer_report, secret
from test_keys import pairs, provision
from venue import Venue


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


def files(folder: Path) -> dict[Path, bytes]:
    """The files of a folder, without those that SQLite has while a program reads."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(("-shm", "-wal", ".lock")))
    return {path: path.read_bytes() for path in found}


async def well(desk: Desk, *command: str | Path) -> program.Ended:
    """Runs a dry run, which ends well and leaves every file of the desk as it is."""
    await desk.make_ready()
    before = files(desk.folder)
    ended = await desk.run(*command, "--dry-run")
    assert ended.exit_code == 0 and "because of --dry-run" in ended.errors, ended
    assert files(desk.folder) == before, command
    return ended


async def test_forgetting_shows_what_would_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = await sample_archive.at(tmp_path, monkeypatch)
    before = files(sample.folder)
    [first, *_] = await sample.document("encounters", "--scheme", "herald")
    for what in (("--expired",), ("--scheme", "herald", "--identity", first["identity"], "--yes")):
        ended = await sample.run("forget", *what, "--dry-run")
        assert ended.exit_code == 0 and "nothing was removed, because of --dry-run" in ended.errors, ended
        assert files(sample.folder) == before, what


async def test_a_submission_is_shown_and_not_written(desk: Desk) -> None:
    root = secret(desk, "root", bytes(range(32)))
    ended = await well(desk, *covid_tracer_report(root, "--output", desk.folder / "report.http"))
    assert "the keys of 16 days" in ended.errors and not ended.output, ended


async def test_trust_shows_the_boards_key(venue: Venue) -> None:
    agent = await venue.start_agent()
    archive = ("--archive", str(venue.tabardctl.archive))
    await venue.tabardctl.run("sync", "--port", str(agent.sync_port), *archive)
    listed = await venue.tabardctl.run("trust", *archive)
    ended = await program.run_well(venue.tabardctl.binary, "trust", listed.splitlines()[1].split()[1], "--dry-run", *archive)
    assert "board key" in ended.errors and "the board stays untrusted, because of --dry-run" in ended.errors, ended
    assert await venue.tabardctl.run("trust", *archive) == listed


async def test_a_board_keeps_its_settings_keys_and_log(venue: Venue, tmp_path: Path) -> None:
    agent = await venue.start_agent()
    port, archive = str(agent.sync_port), ("--archive", str(venue.tabardctl.archive))
    keys = await pairs(venue, "keys")
    public = ("--opening", str(keys / "opening.pub.pem"), "--operator", str(keys / "operator.pub.pem"))

    async def said(*command: str | Path) -> str:
        ended = await program.run_well(venue.tabardctl.binary, *command, "--dry-run")
        assert "because of --dry-run" in ended.errors, ended
        return ended.output + ended.errors

    # Without an archive a dry run makes none.
    assert "new owner key" in await said("provision", port, *public, *archive)
    assert not venue.tabardctl.archive.exists()
    settings = await venue.tabardctl.run("config", port)
    changed = await said("config", port, "set", "log.retention_days=14")
    assert "now   log.retention_days = 28" in changed and "then  log.retention_days = 14  # over the cable" in changed, changed
    empty = tmp_path / "none"
    made = await said("setup", port, "--venue-number", "77", "--name", "Bar", "--yes", "--keys", empty, *archive)
    assert "no keys; they would be created there" in made and "826/0/77, Bar" in made and not empty.exists(), made
    assert await venue.tabardctl.run("config", port) == settings

    await provision(venue, keys)
    await venue.tabardctl.sync(agent.sync_port)
    status = await venue.tabardctl.run("devices", "--json", "--port", port)
    other = await pairs(venue, "other")
    operator = ("--operator", str(keys / "operator.pem"))
    assert "new operator key" in await said("rotate", port, *operator, "--new-operator", other / "operator.pem", *archive)
    assert "nothing was erased" in await said("erase", port, *operator)
    assert '"operatorKey"' in status and await venue.tabardctl.run("config", port) == settings
    await venue.tabardctl.run("erase", port, *operator, "--yes")


async def test_values_that_the_board_would_refuse_are_refused(venue: Venue) -> None:
    agent = await venue.start_agent()
    command = ("config", str(agent.sync_port), "set", "radio.duty=fast", "--dry-run")
    ended = await program.run(venue.tabardctl.binary, *command)
    assert ended.exit_code == 64 and "the board would refuse this" in ended.errors and not ended.output, ended
