"""The operator's program, run like an operator runs it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import program
from printed_json import document_in


@dataclass(frozen=True)
class FoundEncounter:
    """One encounter of `tabardctl encounters --json`; times are seconds since 1970."""

    identity: bytes | None
    label: str
    start: float | None
    end: float | None
    seconds: float
    readings: int
    samples: int
    addresses: tuple[str, ...]
    boots: int
    board: str
    clock_error_seconds: float | None
    rssi: dict[str, float]
    scheme: str | None = "herald"
    identity_marks: tuple[str, ...] = ()
    claimed: bool = False
    written_readings: int = 0

    @staticmethod
    def from_json(item: dict[str, Any]) -> "FoundEncounter":
        """Reads one element of the array."""
        return FoundEncounter(
            identity=bytes.fromhex(item["identity"]) if item["identity"] else None,
            label=item["label"],
            start=_seconds(item["start"]),
            end=_seconds(item["end"]),
            seconds=float(item["durationSeconds"]),
            readings=int(item["readings"]),
            samples=int(item["samples"]),
            addresses=tuple(address.lower() for address in item["addresses"]),
            boots=int(item["boots"]),
            board=item["board"],
            clock_error_seconds=item["clockErrorSeconds"],
            rssi=item["rssi"],
            scheme=item["scheme"],
            identity_marks=tuple(item["identityMarks"]),
            claimed=bool(item["isClaimed"]),
            written_readings=int(item["writtenReadings"]),
        )


@dataclass(frozen=True)
class CoverageInterval:
    """A covered or blind interval of `tabardctl coverage --json`; times are seconds since 1970."""

    state: str
    start: float
    end: float
    reports: int
    cause: str | None
    faults: tuple[str, ...]
    rungs: tuple[str, ...]

    @property
    def is_covered(self) -> bool:
        return self.state == "covered"

    @staticmethod
    def from_json(item: dict[str, Any]) -> "CoverageInterval":
        """Reads one element of `intervals`."""
        return CoverageInterval(
            state=item["state"],
            start=datetime.fromisoformat(item["start"]).timestamp(),
            end=datetime.fromisoformat(item["end"]).timestamp(),
            reports=int(item["reports"] or 0),
            cause=item["cause"],
            faults=tuple(item["faults"]),
            rungs=tuple(item["rungs"]),
        )


def _seconds(text: str | None) -> float | None:
    return datetime.fromisoformat(text).timestamp() if text else None


class Tabardctl:
    """`tabardctl` with an archive of its own."""

    def __init__(self, binary: Path, archive: Path) -> None:
        self.archive = archive
        self.binary = binary

    async def run(self, *arguments: str) -> str:
        """Runs a command, which must succeed, and returns its output."""
        return (await program.run_well(self.binary, *arguments)).output

    async def sync(self, port: Path) -> str:
        """Fetches from the board what is not in the archive yet."""
        return await self.run("sync", "--port", str(port), "--archive", str(self.archive), "--trust", "new")

    async def encounters(self) -> list[FoundEncounter]:
        """All encounters in the archive."""
        text = await self.run("encounters", "--json", "--archive", str(self.archive))
        return [FoundEncounter.from_json(item) for item in document_in(text)]

    async def coverage(self) -> list[CoverageInterval]:
        """When the archive's only board was able to receive, and when not.

        Intervals of boots without a clock are left out.
        """
        text = await self.run("coverage", "--json", "--archive", str(self.archive))
        documents = [document for document in document_in(text) if document["clock"] == "wall"]
        return [CoverageInterval.from_json(item) for document in documents for item in document["intervals"]]

    async def table(self) -> str:
        """The encounters as an operator sees them."""
        return await self.run("encounters", "--archive", str(self.archive))

    async def coverage_table(self) -> str:
        """The coverage as an operator sees it."""
        return await self.run("coverage", "--archive", str(self.archive))

    async def report(self, output: Path) -> str:
        """Writes the HTML report."""
        return await self.run("report", "--archive", str(self.archive), "--output", str(output))
