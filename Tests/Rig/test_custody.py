"""The files of `tabardctl` about archives, outside of them."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest

import custody
import desk
import program
from agent import find_tabardctl
from desk import Desk
from venue import Venue

DATA, INPUT_OUTPUT, UNPROVEN = 65, 74, 76


@pytest.fixture
async def sealed_off(tmp_path: Path, programs: None, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk with a configuration folder of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    return await desk.at(tmp_path)


def secret() -> Path:
    return Path(os.environ["XDG_CONFIG_HOME"]) / "tabard" / "archive.secret"


async def run(*arguments: str | Path) -> program.Ended:
    return await program.run(find_tabardctl(), *arguments)


async def test_a_secret_that_was_cut_short_stops_commands_that_write(sealed_off: Desk) -> None:
    secret().write_bytes(secret().read_bytes()[:16])
    ended = await run("archive", "upgrade", "--adopt", "--archive", sealed_off.archive)
    assert ended.exit_code == DATA and str(secret()) in ended.errors, ended
    assert ended.errors.count("\n") == 1, ended

    ended = await run("clocks", "--board", "nobody", "--archive", sealed_off.archive)
    assert ended.exit_code != DATA and str(secret()) in ended.errors, ended
    assert len(secret().read_bytes()) == 16


async def test_a_secret_that_cannot_be_made_stops_commands_that_write(
    sealed_off: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sealed_off.folder / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(sealed_off.folder / "file"))
    ended = await run("archive", "upgrade", "--adopt", "--archive", sealed_off.archive)
    assert ended.exit_code == INPUT_OUTPUT and "archive.secret" in ended.errors, ended
    assert ended.errors.count("\n") == 1, ended


async def test_commands_that_begin_at_once_make_one_secret(
    tmp_path: Path, programs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    archives = [tmp_path / f"{number}.sqlite" for number in range(6)]
    for archive in archives:
        archive.touch(0o600)
    ended = await asyncio.gather(*(run("archive", "upgrade", "--archive", archive) for archive in archives))
    assert [each.exit_code for each in ended] == [0] * 6, ended
    assert len(secret().read_bytes()) == 32 and secret().stat().st_mode & 0o777 == 0o600
    assert [path.name for path in secret().parent.iterdir() if "secret" in path.name] == ["archive.secret"]


def is_known(archive: Path) -> bool:
    """Whether the recorded state of an archive is its state."""
    states = secret().parent / "archives"
    before = [path.read_text() for path in states.iterdir()]
    custody.settle(archive)
    return before == [path.read_text() for path in states.iterdir()]


async def test_a_reader_that_closes_later_does_not_change_the_state(sealed_off: Desk) -> None:
    numbers = (1, 20_000, 56, 1, 1_000)
    with sqlite3.connect(sealed_off.archive) as database:
        database.execute(
            "INSERT INTO ownKey VALUES (1, ?, ?, ?, ?, ?, ?, NULL)", [*numbers[:3], bytes(32), *numbers[3:]]
        )
    custody.settle(sealed_off.archive)
    reader = sqlite3.connect(sealed_off.archive)
    reader.execute("SELECT count(*) FROM board").fetchall()
    ended = await run("archive", "upgrade", "--adopt", "--archive", sealed_off.archive)
    assert ended.exit_code == 0, ended
    reader.close()
    assert is_known(sealed_off.archive)
    with sqlite3.connect(sealed_off.archive) as database:
        [proof] = database.execute("SELECT proof FROM ownKey").fetchone()
    assert proof is not None


def edited(archive: Path) -> None:
    """Another program changes the archive, in nothing that matters."""
    database = sqlite3.connect(archive)
    database.execute("CREATE TABLE other (number INTEGER)")
    database.execute("DROP TABLE other")
    database.close()


async def test_on_another_computer_a_board_counts_once_it_is_trusted_there(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = await venue.start_agent()
    archive = venue.tabardctl.archive
    await venue.tabardctl.sync(agent.sync_port)
    assert (await run("verify", "--archive", archive)).exit_code == 0
    monkeypatch.setenv("XDG_CONFIG_HOME", str(venue.directory / "elsewhere"))
    for command in (("verify",), ("encounters",), ("archive", "upgrade"), ("verify",)):
        ended = await run(*command, "--archive", archive)
        expected = UNPROVEN if command == ("verify",) else 0
        assert ended.exit_code == expected, ended.output + ended.errors
        if command == ("encounters",):
            assert "not among your known boards" in ended.errors, ended

    ended = await run("trust", "--archive", archive)
    [board] = [line.split() for line in ended.output.splitlines()[1:]]
    ended = await run("trust", board[1], "--fingerprint", board[-1], "--archive", archive)
    assert ended.exit_code == 0, ended
    assert len((secret().parent / "known-boards").read_text().split()) == 2
    ended = await run("archive", "upgrade", "--adopt", "--archive", archive)
    assert ended.exit_code == 0, ended
    ended = await run("verify", "--archive", archive)
    assert ended.exit_code == 0, ended
    await venue.tabardctl.sync(agent.sync_port)


async def test_a_board_with_a_new_key_that_was_provisioned_stays_usable(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(venue.directory / "configuration"))
    agent = await venue.start_agent()
    archive = venue.tabardctl.archive
    await venue.tabardctl.sync(agent.sync_port)
    await agent.stop()
    Path(f"{agent.log_path}.keys").unlink()
    await agent.start_and_wait(venue.endpoint.transport)
    keys = venue.directory / "keys"
    keys.mkdir()
    await venue.tabardctl.run("keys", "new", "--directory", str(keys))
    edited(archive)
    halves = ("--opening", keys / "opening.pub.pem", "--operator", keys / "operator.pub.pem")
    ended = await run("provision", str(agent.sync_port), *halves, "--yes", "--archive", archive)
    assert ended.exit_code == 0, ended
    for command in (("encounters",), ("archive", "upgrade")):
        ended = await run(*command, "--archive", archive)
        assert ended.exit_code == 0, ended
    assert len((secret().parent / "known-boards").read_text().split()) == 4


async def test_a_command_that_locks_open_pages_again_names_the_key_and_the_remedy(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(venue.directory / "configuration"))
    agent = await venue.start_agent()
    keys = venue.directory / "keys"
    keys.mkdir()
    await venue.tabardctl.run("keys", "new", "--directory", str(keys))
    archive = ("--archive", venue.tabardctl.archive)
    halves = ("--opening", keys / "opening.pub.pem", "--operator", keys / "operator.pub.pem")
    opening = ("--opening", keys / "opening.pem")
    assert (await run("provision", agent.sync_port, *halves, "--yes", *archive)).exit_code == 0
    # The next boot encrypts its pages.
    await agent.stop()
    await agent.start_and_wait(venue.endpoint.transport)
    ended = await run("sync", "--port", agent.sync_port, *opening, *archive)
    assert ended.exit_code == 0 and "locked again" not in ended.errors, ended
    assert "locked" not in (await run("encounters", *archive)).errors

    edited(venue.tabardctl.archive)
    ended = await run("sync", "--port", agent.sync_port, *archive)
    assert ended.errors.count("locked again") == 1 and "tabardctl open --opening" in ended.errors, ended
    ended = await run("open", *opening, *archive)
    assert ended.exit_code == 0 and "0 pages opened" not in ended.output, ended
