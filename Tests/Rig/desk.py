"""An operator's desk without a board: the operator's program, and an archive that tests fill."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import custody
import program
from agent import find_tabardctl
from printed_json import document_in

SCHEMES = {"herald": 1, "sonar": 2, "covid-tracer": 3, "ble-proximity": 4, "exposure-notification": 5}


@dataclass(frozen=True)
class Desk:
    """An operator's folder, with an archive in it."""

    folder: Path

    @property
    def archive(self) -> Path:
        """The archive's file."""
        return self.folder / "archive.sqlite"

    async def make_ready(self) -> None:
        """Lets the operator's program make the encounters of the rows that tests have written."""
        if custody.is_settled(self.archive):
            return
        with closing(sqlite3.connect(self.archive)) as database:
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'placement'").fetchone():
                return
            # With their tables' foreign keys off, as they are here, nothing else is removed with them.
            for table in ("presence", "sighting", "contact", "servedIdentity", "encounterPart", "encounter", "placement"):
                database.execute(f"DELETE FROM {table}")
            database.commit()
        custody.settle(self.archive)
        await program.run_well(find_tabardctl(), "archive", "upgrade", "--archive", self.archive)

    async def run(self, *arguments: str | Path) -> program.Ended:
        """Runs the operator's program without a terminal, so that it cannot ask anything."""
        await self.make_ready()
        return await program.run(find_tabardctl(), *arguments)

    async def run_well(self, *arguments: str | Path) -> str:
        """Runs the operator's program, which must end with exit code 0; returns its output."""
        await self.make_ready()
        return (await program.run_well(find_tabardctl(), *arguments)).output

    async def answer(self, text: str, *arguments: str | Path) -> program.Ended:
        """Runs the operator's program at a terminal where somebody types `text`."""
        await self.make_ready()
        return await program.answer(text, find_tabardctl(), *arguments)

    async def document(self, *arguments: str | Path) -> Any:
        """The program's JSON output."""
        return document_in(await self.run_well(*arguments))

    async def matches(self, scheme: str, published: Path, as_of: str) -> list[dict[str, Any]]:
        """The encounters that match a published file."""
        found = await self.document(
            "match", scheme, published, "--archive", self.archive, "--as-of", as_of, "--format", "json"
        )
        return found["encounters"]


async def at(folder: Path, board: str = "Foyer") -> Desk:
    """A desk whose archive has one board, started at 1970 with a correct clock."""
    desk = Desk(folder)
    desk.archive.touch(0o600)
    # An empty file becomes an archive.
    await program.run_well(find_tabardctl(), "archive", "upgrade", "--archive", desk.archive)
    with sqlite3.connect(desk.archive) as database:
        database.execute(
            "INSERT INTO board (id, logIdentity, name, blockByteCount, unitByteCount) VALUES (1, ?, ?, 4096, 512)",
            [bytes(range(16)), board],
        )
    return desk


def start(desk: Desk, unix_seconds: int, boot: int = 1) -> None:
    """Starts the board at that time; its monotonic clock begins with 0."""
    with sqlite3.connect(desk.archive) as database:
        database.execute(
            "INSERT INTO boot (id, boardID, bootIdentifier, firstSegmentOrdinal, firstByteOffset, startMilliseconds,"
            " softwareVersion, sampleMilliseconds, gapMilliseconds, lossWindowMilliseconds, role)"
            " VALUES (?, 1, ?, 0, ?, 0, '0.1.0', 8000, 30000, 30000, 0)",
            [boot, boot, boot],
        )
        database.execute(
            "INSERT INTO anchor (bootID, monotonicMilliseconds, wallClockMilliseconds, errorMilliseconds, source)"
            " VALUES (?, 0, ?, 40, 0)",
            [boot, unix_seconds * 1000],
        )


def make_key(desk: Desk, scheme: str, first_period: int, count: int, key: bytes, after: int, boot: int = 1) -> None:
    """Adds a key that the board made `after` seconds after its start, for `count` days or ten-minute periods.
    """
    with sqlite3.connect(desk.archive) as database:
        numbers = [SCHEMES[scheme], first_period, count, boot, after * 1000]
        database.execute(
            "INSERT INTO ownKey VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
            [*numbers[:3], key, *numbers[3:], custody.own_key_proof(bytes(range(16)), key, *numbers)],
        )


def show(desk: Desk, scheme: str, payload: bytes, after: int, boot: int = 1) -> None:
    """Records what the board showed of itself from that time on."""
    with sqlite3.connect(desk.archive) as database:
        database.execute(
            "INSERT INTO ownIdentity (bootID, monotonicMilliseconds, address, addressType, scheme, payload)"
            " VALUES (?, ?, ?, 1, ?, ?)",
            [boot, after * 1000, bytes(6), SCHEMES[scheme], payload],
        )


def meet(desk: Desk, scheme: str, payload: bytes, after: int, seconds: int, boot: int = 1, mean: int = -70) -> None:
    """Adds an encounter of `seconds` to the archive, with a sample every eight seconds.

    It begins `after` seconds after the board's start.
    """
    with sqlite3.connect(desk.archive) as database:
        [number] = database.execute("SELECT coalesce(max(id), 0) + 1 FROM track").fetchone()
        begin = after * 1000
        database.execute(
            "INSERT INTO track (id, bootID, number, firstSightingMilliseconds, address, addressType,"
            " lastReadingMilliseconds, readingCount) VALUES (?, ?, ?, ?, ?, 1, ?, ?)",
            [number, boot, number, begin, number.to_bytes(6, "little"), begin + seconds * 1000, seconds // 8 * 20],
        )
        database.execute(
            "INSERT INTO identification (trackID, monotonicMilliseconds, scheme, payload, marks) VALUES (?, ?, ?, ?, 0)",
            [number, begin, SCHEMES[scheme], payload],
        )
        database.executemany(
            "INSERT INTO sample (trackID, startMilliseconds, endMilliseconds, readingCount, minimumDBm, maximumDBm,"
            " meanTenthsDBm) VALUES (?, ?, ?, 20, ?, ?, ?)",
            [
                (number, begin + index * 8_000, begin + (index + 1) * 8_000, mean - 5, mean + 5, mean * 10)
                for index in range(seconds // 8)
            ],
        )
