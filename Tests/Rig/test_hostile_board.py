"""A device at a port claims to be a board that the archive knows. It can change nothing in the archive."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import program
from agent import find_tabardctl
from archive import snapshot
from hostile_board import HostileBoard, new_key, recorded_status
from phone_kinds import ANDROID_CURRENT
from program import Ended
from venue import Venue, until_left_alone

NO_PERMISSION = 77
SEGMENT = 4_096


def dump(archive: Path) -> str:
    """A hash of everything in the archive."""
    with sqlite3.connect(f"file:{archive}?mode=ro", uri=True) as database:
        return hashlib.sha256("\n".join(database.iterdump()).encode()).hexdigest()


async def sync(venue: Venue, port: Path, *arguments: str, archive: Path | None = None) -> Ended:
    chosen = archive or venue.tabardctl.archive
    return await program.run(find_tabardctl(), "sync", "--port", str(port), "--archive", str(chosen), *arguments)


@contextmanager
def impostor(venue: Venue) -> Iterator[HostileBoard]:
    """A device that claims the board's log, and has read from the board what anybody may read."""
    assert venue.agent is not None
    with HostileBoard(venue.directory, recorded_status(venue.agent.sync_port)) as device:
        yield device


async def expect_harmless(venue: Venue, device: HostileBoard, *arguments: str) -> Ended:
    """Lets the device speak to a sync, which must store nothing and send nothing but questions."""
    before = dump(venue.tabardctl.archive)
    ended = await sync(venue, device.port, *arguments)
    assert ended.exit_code == NO_PERMISSION and "nothing was stored" in ended.errors, ended
    assert dump(venue.tabardctl.archive) == before
    assert all(operation == 0 or (group, command) == (0, 0) for operation, group, command in device.requests)
    return ended


async def expect_complete(venue: Venue) -> None:
    """The true board's next fetch brings all that an undisturbed archive has."""
    assert venue.agent is not None
    await venue.tabardctl.sync(venue.agent.sync_port)
    other = venue.directory / "undisturbed.sqlite"
    ended = await sync(venue, venue.agent.sync_port, "--trust", "new", archive=other)
    assert ended.exit_code == 0, ended
    assert snapshot(venue.tabardctl.archive).lost_bytes(snapshot(other)) == 0


async def fetched_board(venue: Venue) -> None:
    agent = await venue.start_agent()
    await venue.tabardctl.sync(agent.sync_port)


@pytest.mark.parametrize("has_key", [False, True], ids=["without a key", "with a key of its own"])
async def test_a_gadget_that_claims_a_board_s_log_cannot_delete_segments(venue: Venue, has_key: bool) -> None:
    await fetched_board(venue)
    with impostor(venue) as device:
        device.segments = {ordinal: bytes([ordinal + 1]) * SEGMENT for ordinal in range(4)}
        device.key = new_key() if has_key else None
        ended = await expect_harmless(venue, device, "--trust", "new")
        assert ("has another key" in ended.errors) == has_key, ended
    await expect_complete(venue)


async def test_a_gadget_that_lists_one_segment_cannot_have_the_others_acknowledged(venue: Venue) -> None:
    await fetched_board(venue)
    with impostor(venue) as device:
        device.segments = {1: b""}
        device.key = new_key()
        await expect_harmless(venue, device)
    await expect_complete(venue)


async def test_a_gadget_that_answers_the_time_cannot_add_clock_readings(venue: Venue) -> None:
    await fetched_board(venue)
    with impostor(venue) as device:
        for clock in (0, 10_000_000_000):
            device.clock = clock
            for _ in range(3):
                await expect_harmless(venue, device)
    await expect_complete(venue)


async def test_a_gadget_that_is_fetched_first_cannot_make_the_true_board_unreadable(venue: Venue) -> None:
    agent = await venue.start_agent()
    with impostor(venue) as device:
        device.geometry = (32_768, 8)
        device.key = new_key()
        ended = await sync(venue, device.port)
        assert ended.exit_code == 0 and "untrusted" in ended.output, ended
    assert not await venue.tabardctl.encounters()
    await venue.tabardctl.sync(agent.sync_port)
    ended = await program.run(find_tabardctl(), "verify", "--archive", str(venue.tabardctl.archive))
    assert ended.exit_code == 0, ended
    assert "damaged" not in ended.output, ended


async def test_an_unknown_board_counts_only_after_it_is_trusted(venue: Venue) -> None:
    agent = await venue.start_agent()
    await until_left_alone(await venue.phone(ANDROID_CURRENT))
    archive = ("--archive", str(venue.tabardctl.archive))
    ended = await sync(venue, agent.sync_port)
    assert ended.exit_code == 0 and "untrusted" in ended.output, ended
    assert not await venue.tabardctl.encounters()
    listed = await venue.tabardctl.run("trust", *archive)
    log = recorded_status(agent.sync_port)["log"]
    assert isinstance(log, bytes) and log.hex()[:8] in listed
    refused = await program.run(
        find_tabardctl(), "trust", log.hex()[:8], "--fingerprint", "00" * 16, *archive
    )
    assert refused.exit_code == NO_PERMISSION, refused
    await venue.tabardctl.run("trust", log.hex()[:8], "--yes", *archive)
    assert await venue.tabardctl.encounters()
