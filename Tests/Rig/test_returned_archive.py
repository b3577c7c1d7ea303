"""`tabardctl` believes of an archive's file only the part that its own computer has written there."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import custody
import program
from agent import find_tabardctl
from printed_json import document_in
from test_version_0_1 import unpack, unpack_as_own


async def run(*command: str | Path, home: Path) -> program.Ended:
    """Runs `tabardctl`; the user's own archive and configuration are below that folder."""
    places = (f"XDG_DATA_HOME={home}", f"XDG_CONFIG_HOME={home}/configuration")
    return await program.run("env", *places, find_tabardctl(), *command)


async def document(*command: str | Path, home: Path) -> Any:
    ended = await run(*command, "--json", home=home)
    assert ended.output, ended
    return document_in(ended.output)


async def kinds(*command: str | Path, home: Path) -> list[str]:
    """The findings of `verify`."""
    boards = await document("verify", *command, home=home)
    return [finding["kind"] for board in boards for finding in board["findings"]]


async def converted(home: Path, name: str = "venue") -> Path:
    """The user's own archive, as this version has converted it."""
    archive = unpack_as_own(f"{name}.sqlite", home)
    assert (await run("archive", "upgrade", home=home)).exit_code == 0
    return archive


def settle(archive: Path, home: Path, patch: pytest.MonkeyPatch) -> None:
    """Records the file's state as `tabardctl` does when it closes it."""
    with patch.context() as patched:
        patched.setenv("XDG_CONFIG_HOME", f"{home}/configuration")
        custody.settle(archive)


def copy(archive: Path, name: str) -> Path:
    target = archive.parent / name
    shutil.copyfile(archive, target)
    return target


def change(archive: Path, statements: str) -> None:
    """Changes the file as any SQLite program does."""
    database = sqlite3.connect(archive)
    database.executescript(statements)
    database.close()


STRONGER = "UPDATE encounter SET maximumDBm = -1"


async def test_an_archive_in_custody_is_read_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other tests would prove nothing without it."""
    archive = await converted(tmp_path)
    change(archive, STRONGER)
    settle(archive, tmp_path, monkeypatch)
    found = await document("encounters", home=tmp_path)
    assert {encounter["rssi"]["maximum"] for encounter in found if encounter["samples"]} == {-1}


async def test_a_change_that_still_lies_beside_the_archive_counts_as_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = await converted(tmp_path)
    # As after a command that has written.
    change(archive, "PRAGMA journal_mode = WAL")
    settle(archive, tmp_path, monkeypatch)
    expected = await document("encounters", home=tmp_path)
    other = copy(archive, "other.sqlite")
    database = sqlite3.connect(other)
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.execute(STRONGER)
    database.commit()
    shutil.copyfile(f"{other}-wal", f"{archive}-wal")
    database.close()
    assert Path(f"{archive}-wal").stat().st_size > 0
    # The file now counts as one from elsewhere, and no list of boards vouches for its log.
    assert await document("encounters", home=tmp_path) == []
    assert expected


async def test_what_another_program_left_to_act_in_the_archive_is_removed_and_named(tmp_path: Path) -> None:
    archive = await converted(tmp_path)
    trigger = f"CREATE TRIGGER refill AFTER INSERT ON clockReading BEGIN {STRONGER}; END"
    change(archive, f"{trigger}; CREATE VIEW ownView AS SELECT * FROM board; CREATE TABLE notes (text)")
    untrusted = (await run("trust", home=tmp_path)).output.splitlines()[1].split()
    wanted = ("trust", untrusted[1], "--yes")
    ended = await run(*wanted, home=tmp_path)
    assert "removed what another program had put into the archive: trigger refill, view ownView\n" in ended.errors
    assert "removed" not in (await run(*wanted, home=tmp_path)).errors


async def test_an_archive_on_a_medium_that_travels_is_judged_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another computer can set any time on it."""
    medium = Path("/dev/shm") / f"tabard-{tmp_path.name}-{os.getpid()}"
    if not medium.parent.is_dir() or medium.parent.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no other medium")
    medium.mkdir()
    try:
        archive = unpack("venue.sqlite", medium)
        place = ("--archive", archive)
        assert (await run("archive", "upgrade", "--adopt", *place, home=tmp_path)).exit_code == 0
        expected = await document("encounters", *place, home=tmp_path)
        change(archive, STRONGER)
        settle(archive, tmp_path, monkeypatch)
        assert await document("encounters", *place, home=tmp_path) == expected
    finally:
        shutil.rmtree(medium)


def known_boards(archive: Path, folder: Path) -> Path:
    """A list with the keys that an archive has of its boards."""
    database = sqlite3.connect(archive)
    rows = database.execute(
        "SELECT hex(logIdentity), hex(publicKey) FROM boardKey JOIN board ON board.id = boardID"
    ).fetchall()
    database.close()
    target = folder / "known-boards"
    target.write_text("".join(f"{identity.lower()} {key.lower()}\n" for identity, key in rows))
    return target


async def test_a_file_s_own_tables_do_not_say_when_it_was_complete(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    archive = await converted(tmp_path)
    options = ("--known-boards", known_boards(archive, tmp_path))
    file = copy(archive, "courier.sqlite")
    [before] = await document("verify", file, *options, home=tmp_path / "home")
    assert before["completeThrough"], before
    change(file, "UPDATE anchor SET wallClockMilliseconds = wallClockMilliseconds + 864000000")
    [after] = await document("verify", file, *options, home=tmp_path / "home")
    assert after["completeThrough"] == before["completeThrough"]


async def test_a_file_of_an_earlier_format_proves_none_of_its_rows(tmp_path: Path) -> None:
    file = unpack("venue.sqlite", tmp_path)
    change(file, "INSERT INTO forgotten VALUES (1, 0, 1795262400000)")
    assert "forgottenUnproven" in await kinds(file, home=tmp_path)


async def test_verify_of_a_file_knows_the_boards_that_were_trusted(tmp_path: Path) -> None:
    file = unpack("venue.sqlite", tmp_path)
    assert "boardKeyUnknown" in await kinds(file, home=tmp_path) or "unsigned" in await kinds(file, home=tmp_path)
    found = await kinds(file, "--known-boards", known_boards(file, tmp_path), home=tmp_path)
    assert "boardKeyUnknown" not in found and "unsigned" not in found and "keyNotVouched" not in found, found


async def test_the_usual_place_adopts_an_archive_only_once(tmp_path: Path) -> None:
    """Later somebody may have put another file there."""
    archive = unpack_as_own("venue.sqlite", tmp_path)
    change(archive, "INSERT INTO forgotten VALUES (1, 0, 1795262400000)")
    courier = copy(archive, "courier.sqlite")
    assert (await run("archive", "upgrade", home=tmp_path)).exit_code == 0
    found = await kinds(home=tmp_path)
    assert "forgotten" in found and "forgottenUnproven" not in found
    Path(f"{archive}.version-0.1").unlink()
    courier.replace(archive)
    assert "forgottenUnproven" in await kinds(home=tmp_path)
    assert (await run("archive", "upgrade", home=tmp_path)).exit_code == 0
    assert "forgottenUnproven" in await kinds(home=tmp_path)


async def test_verify_of_a_file_says_why_the_own_archive_cannot_be_read(tmp_path: Path) -> None:
    archive = await converted(tmp_path)
    file = unpack("venue.log", tmp_path)
    change(archive, "UPDATE decoder SET version = 1")
    ended = await run("verify", file, home=tmp_path)
    assert ended.exit_code not in (0, 76) and "archive upgrade" in ended.errors, ended


async def test_the_own_archive_under_any_spelling_is_the_own_archive(tmp_path: Path) -> None:
    archive = await converted(tmp_path)
    expected = await document("verify", home=tmp_path)
    link = tmp_path / "link.sqlite"
    link.symlink_to(archive)
    for spelling in (archive, archive.parent / ".." / archive.parent.name / archive.name, link):
        assert await document("verify", spelling, home=tmp_path) == expected, spelling
