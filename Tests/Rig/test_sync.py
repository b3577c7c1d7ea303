"""Fetches of a board's log that are interrupted, and a dock with several boards."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

import program
import smp
from agent import find_tabardctl
from archive import Snapshot, snapshot
from journal import Journal
from line import Line
from venue import Venue

BAUD = 921_600
LOG_BYTES = 256 << 10
MOMENTS = (1, 700, 1_500, 5_000, 20_000, 60_000, 100_000)
"""The numbers of bytes from the board before an interruption: in greeting, clock, index and pieces."""
SIGKILLED = -signal.SIGKILL
UNAVAILABLE, TRY_AGAIN = 69, 75


class Command:
    """A `tabardctl sync` that runs beside the test."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.errors: Journal[str] = Journal("tabardctl's lines")
        self.output = ""

    async def ended(self) -> int:
        """Waits for its exit code; `output` is complete then."""
        assert self.process.stdout is not None
        self.output = (await self.process.stdout.read()).decode()
        return await self.process.wait()

    def signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, number)

    async def _read(self) -> None:
        assert self.process.stderr is not None
        while line := await self.process.stderr.readline():
            self.errors.append(line.decode().rstrip())


@asynccontextmanager
async def sync(archive: Path, *arguments: str | Path) -> AsyncIterator[Command]:
    """Runs `tabardctl sync`, and leaves no process behind."""
    process = await asyncio.create_subprocess_exec(
        find_tabardctl(), "sync", "--trust", "new", "--archive", str(archive), *map(str, arguments),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    command = Command(process)
    reader = asyncio.create_task(command._read())
    try:
        yield command
    finally:
        if process.returncode is None:
            command.signal(signal.SIGKILL)
            await command.ended()
        await reader


async def full_board(venue: Venue, byte_count: int = LOG_BYTES) -> None:
    """Starts the agent and lets its log grow."""
    await venue.start_agent()
    with smp.Client(venue.agent.sync_port) as client:
        await asyncio.to_thread(client.fill_log, byte_count)


async def kept(venue: Venue, before: Snapshot | None) -> Snapshot | None:
    """The archive's content now, if it exists; asserts that nothing of its earlier content is missing."""
    if not venue.tabardctl.archive.exists():
        return before
    with suppress(Exception):  # The archive has no tables yet if the program was killed early.
        after = snapshot(venue.tabardctl.archive)
        assert before is None or before.lost_bytes(after) == 0
        return after
    return before


async def expect_whole(venue: Venue, before: Snapshot | None) -> None:
    """Fetches once more, and asserts that the archive equals one from an undisturbed fetch."""
    await venue.tabardctl.sync(venue.agent.sync_port)
    after = snapshot(venue.tabardctl.archive)
    assert before is None or before.lost_bytes(after) == 0
    other = venue.directory / "undisturbed.sqlite"
    await venue.tabardctl.run("sync", "--trust", "new", "--port", str(venue.agent.sync_port), "--archive", str(other))
    whole = snapshot(other)
    assert after.lost_bytes(whole) == 0
    assert 0 <= whole.byte_count - after.byte_count < 64 << 10  # written by the board since then


async def test_a_host_killed_at_any_moment_continues_where_it_was(venue: Venue) -> None:
    await full_board(venue)
    before: Snapshot | None = None
    for moment in MOMENTS:
        with Line(venue.agent.sync_port, BAUD) as line:
            async with sync(venue.tabardctl.archive, "--port", line.port) as command:
                line.after(moment, lambda: command.signal(signal.SIGKILL))
                assert await command.ended() == SIGKILLED
        before = await kept(venue, before)
    assert before is not None and before.byte_count > 0
    await expect_whole(venue, before)


async def test_a_cable_pulled_at_any_moment_costs_nothing(venue: Venue) -> None:
    await full_board(venue)
    loop = asyncio.get_running_loop()
    before: Snapshot | None = None
    for moment in MOMENTS:
        with Line(venue.agent.sync_port, BAUD) as line:
            line.after(moment, lambda: loop.call_soon_threadsafe(line.pull))
            async with sync(venue.tabardctl.archive, "--port", line.port) as command:
                assert await command.ended() in (UNAVAILABLE, TRY_AGAIN)
        before = await kept(venue, before)
    assert before is not None and before.byte_count > 0
    await expect_whole(venue, before)


async def test_a_board_killed_at_any_moment_loses_nothing_that_was_fetched(venue: Venue) -> None:
    await full_board(venue)
    before: Snapshot | None = None
    loop = asyncio.get_running_loop()
    for moment in MOMENTS:
        with Line(venue.agent.sync_port, BAUD) as line:

            def die() -> None:
                venue.agent.cut()
                loop.call_soon_threadsafe(line.pull)  # The board's port goes with it.

            line.after(moment, die)
            async with sync(venue.tabardctl.archive, "--port", line.port) as command:
                assert await command.ended() in (UNAVAILABLE, TRY_AGAIN)
        await venue.agent.discard()
        await venue.agent.start_and_wait(venue.endpoint.transport)
        before = await kept(venue, before)
    assert before is not None and before.byte_count > 0
    await expect_whole(venue, before)


async def test_a_dock_takes_boards_as_they_come_and_go(venue: Venue) -> None:
    archive = venue.directory / "dock.sqlite"
    await full_board(venue)
    async with Venue(venue.directory / "other", beside=venue) as other:
        # Its log is filled before the dock looks at its port, because two programs on one line would get each
        # other's answers.
        await full_board(other, 16 << 10)
        await other.agent.stop()
        ports = [venue.agent.sync_port, other.directory / "agent" / "sync"]
        async with sync(archive, "--watch", *(word for port in ports for word in ("--port", port))) as command:
            done = re.compile(r"done, safe to unplug")
            await command.errors.first(lambda line: str(ports[0]) in line and done.search(line), what="first board")
            await other.agent.start_and_wait(other.endpoint.transport)
            await command.errors.first(lambda line: str(ports[1]) in line and done.search(line), what="second board")
            await venue.agent.stop()
            await command.errors.first(lambda line: line.endswith("unplugged"), what="unplugged board")
            seen = len(command.errors)
            await venue.agent.start_and_wait(venue.endpoint.transport)
            await command.errors.first(
                lambda line: str(ports[0]) in line and done.search(line), what="board come back", after=seen
            )
            command.signal(signal.SIGINT)
            assert await command.ended() == 0
        assert command.output.count("complete fetch") == 2
        assert "2 complete fetches" in command.output
    assert len({board for board, _ in snapshot(archive).segments}) == 2


async def test_a_dock_that_is_stopped_during_a_fetch_reports_it(venue: Venue) -> None:
    await full_board(venue)
    with Line(venue.agent.sync_port, 115_200) as line:
        async with sync(venue.tabardctl.archive, "--watch", "--port", line.port) as command:
            line.after(30_000, lambda: command.signal(signal.SIGINT))
            assert await command.ended() == TRY_AGAIN
    assert "incomplete" in command.output
    await expect_whole(venue, snapshot(venue.tabardctl.archive))


async def test_boards_whose_cards_are_copies_of_one_are_named(venue: Venue) -> None:
    await full_board(venue)
    assert await venue.agent.stop() == 0
    shutil.copytree(venue.directory / "agent", venue.directory / "other" / "agent")
    await venue.agent.start_and_wait(venue.endpoint.transport)
    async with Venue(venue.directory / "other", beside=venue) as other:
        await other.start_agent()
        ports = [str(venue.agent.sync_port), str(other.agent.sync_port)]
        ended = await program.run(find_tabardctl(), "devices", "--port", ports[0], "--port", ports[1])
        assert ended.exit_code == 0 and "have one log" in ended.errors, ended
        assert all(port in ended.errors for port in ports), ended


async def test_several_boards_at_once(venue: Venue) -> None:
    await full_board(venue)
    async with Venue(venue.directory / "other", beside=venue) as other:
        await full_board(other, 16 << 10)
        ports = [venue.agent.sync_port, other.agent.sync_port]
        output = await venue.tabardctl.run(
            "sync", "--trust", "new", "--archive", str(venue.tabardctl.archive),
            *(word for port in ports for word in ("--port", str(port))),
        )
        assert output.count("fetched") == 2
        with pytest.raises(AssertionError, match="1 of 2 boards failed"):
            await venue.tabardctl.run(
                "sync", "--archive", str(venue.tabardctl.archive), "--port", str(ports[0]), "--port", "/dev/nowhere"
            )
