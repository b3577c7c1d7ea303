"""Archives that a user may not read or write, and files of other kinds."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import desk as desks
import pytest
from desk import Desk

import custody
import program
from agent import find_tabardctl
from submissions import DAY, ONSET

# Without these capabilities root obeys the mode of a file, as everybody else does.
AS_A_USER = (
    ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
    if os.geteuid() == 0
    else ()
)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """An archive with one encounter, in a folder of its own."""
    folder = tmp_path / "shared"
    folder.mkdir()
    desk = await desks.at(folder)
    desks.start(desk, ONSET)
    desks.meet(desk, "ble-proximity", bytes(range(8)), after=DAY, seconds=80)
    await desk.make_ready()
    yield desk
    folder.chmod(0o700)


async def run(*arguments: str | Path) -> program.Ended:
    return await program.run(*AS_A_USER, find_tabardctl(), *arguments)


async def test_an_archive_that_may_not_be_written_can_be_read(desk: Desk) -> None:
    expected = await run("encounters", "--csv", "--archive", desk.archive)
    assert expected.exit_code == 0 and expected.output.count("\n") == 2, expected
    before = desk.archive.read_bytes()
    desk.archive.chmod(0o400)
    for mode in (0o700, 0o500):
        desk.folder.chmod(mode)
        custody.settle(desk.archive)
        ended = await run("encounters", "--csv", "--archive", desk.archive)
        assert (ended.exit_code, ended.output) == (0, expected.output), ended
    assert desk.archive.read_bytes() == before


async def test_an_archive_that_may_not_be_read_is_said_so(desk: Desk) -> None:
    desk.archive.chmod(0o000)
    ended = await run("encounters", "--archive", desk.archive)
    assert ended.exit_code == 77 and "you may not read this file" in ended.errors, ended


async def test_a_command_that_writes_needs_permission(desk: Desk) -> None:
    desk.archive.chmod(0o400)
    desk.folder.chmod(0o500)
    ended = await run("archive", "upgrade", "--archive", desk.archive)
    assert ended.exit_code == 77 and "you may not write there" in ended.errors, ended


async def test_an_archive_is_not_created_where_the_user_may_not_write(tmp_path: Path) -> None:
    place = tmp_path / "closed"
    place.mkdir(0o500)
    archive = place / "new" / "archive.sqlite"
    command = ("sync", "--port", "/dev/null", "--archive", archive)
    ended = await run(*command)
    assert ended.exit_code in (69, 77) and "could not be completed" not in ended.errors, ended


@pytest.mark.parametrize("command", [("encounters",), ("open",), ("archive", "upgrade"), ("verify",)], ids=" ".join)
async def test_a_folder_is_no_archive_and_keeps_its_mode(tmp_path: Path, command: tuple[str, ...]) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(0o755)
    ended = await run(*command, "--archive", folder)
    assert ended.exit_code == 66 and "a folder; give the archive file in it" in ended.errors, ended
    assert "chmod" not in ended.errors, ended
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755 and not list(folder.iterdir())


@pytest.mark.parametrize("command", [("encounters",), ("open",), ("archive", "upgrade")], ids=" ".join)
async def test_a_file_of_another_program_keeps_its_mode(tmp_path: Path, command: tuple[str, ...]) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE x (y)")
    other.chmod(0o644)
    before = other.read_bytes()
    ended = await run(*command, "--archive", other)
    assert ended.exit_code == 65 and "not an archive of tabardctl" in ended.errors, ended
    assert stat.S_IMODE(other.stat().st_mode) == 0o644 and other.read_bytes() == before


async def test_files_are_sought_in_the_folders_of_the_environment(tmp_path: Path) -> None:
    """HOME counts, and the variables of the XDG specification before it."""
    bare = ("env", "-u", "XDG_CONFIG_HOME", "-u", "XDG_DATA_HOME")
    for variables, archive in [
        ((f"HOME={tmp_path}/home",), tmp_path / "home/.local/share"),
        ((f"HOME={tmp_path}/home", f"XDG_DATA_HOME={tmp_path}/data"), tmp_path / "data"),
        ((f"HOME={tmp_path}/home", "XDG_DATA_HOME=data"), tmp_path / "home/.local/share"),
    ]:
        ended = await program.run(*bare, *variables, find_tabardctl(), "encounters")
        assert f"{archive}/tabard/archive.sqlite: no such archive" in ended.errors, ended
    for variables, folder in [
        ((f"HOME={tmp_path}/home",), tmp_path / "home/.config/tabard"),
        ((f"HOME={tmp_path}/home", f"XDG_CONFIG_HOME={tmp_path}/settings"), tmp_path / "settings/tabard"),
    ]:
        folder.mkdir(parents=True)
        (folder / "opening.pem").write_text("not a key")
        (folder / "opening.pem").chmod(0o600)
        archive = tmp_path / f"{len(variables)}.sqlite"
        archive.touch(0o600)
        upgraded = await program.run(*bare, *variables, find_tabardctl(), "archive", "upgrade", "--archive", archive)
        assert f"{folder}/opening.pem" in upgraded.errors, upgraded
