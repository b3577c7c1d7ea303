"""The operator's archive, read like any SQLite program reads it, for comparison with the truth."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

_CLOCKS = """
    SELECT bootID, wallClockMilliseconds - monotonicMilliseconds FROM anchor
    ORDER BY bootID, errorMilliseconds DESC, monotonicMilliseconds
"""
_SAMPLES = """
    SELECT track.bootID, track.address, sample.startMilliseconds, sample.endMilliseconds, sample.readingCount
    FROM sample JOIN track ON track.id = sample.trackID
"""
_BYTES = """
    SELECT segment.boardID, segment.ordinal, chunk.bytes
    FROM chunk JOIN segment ON segment.id = chunk.segmentID
    ORDER BY segment.boardID, segment.ordinal, chunk.byteOffset
"""


@dataclass(frozen=True)
class Sample:
    """The RSSI digest of a part of an encounter; times are wall clock, seconds since 1970."""

    address: str
    start: float
    end: float
    readings: int


@dataclass(frozen=True)
class Snapshot:
    """The content of an archive at one moment."""

    segments: dict[tuple[int, int], bytes]
    """Raw log bytes by board and segment ordinal."""
    samples: frozenset[Sample]

    @property
    def byte_count(self) -> int:
        """The number of log bytes."""
        return sum(map(len, self.segments.values()))

    def lost_bytes(self, later: "Snapshot") -> int:
        """How many of these bytes differ in a later snapshot, or are missing there."""
        lost = 0
        for key, data in self.segments.items():
            if not later.segments.get(key, b"").startswith(data):
                lost += len(data)
        return lost


def snapshot(path: Path) -> Snapshot:
    """Reads an archive. Samples of a boot whose clock was never set are left out."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        # For each boot, the row with the least error comes last, so that it wins.
        clocks = dict(connection.execute(_CLOCKS).fetchall())
        samples = frozenset(
            Sample(address[::-1].hex(":"), (start + clocks[boot]) / 1000, (end + clocks[boot]) / 1000, readings)
            for boot, address, start, end, readings in connection.execute(_SAMPLES)
            if boot in clocks and address is not None
        )
        segments: dict[tuple[int, int], bytes] = {}
        for board, ordinal, data in connection.execute(_BYTES):
            segments[board, ordinal] = segments.get((board, ordinal), b"") + data
        return Snapshot(segments, samples)
    finally:
        connection.close()
