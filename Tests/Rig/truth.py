"""The true events: every advert that reached the agent's controller while it scanned, every link, every note.

They are recorded on the air's side, independently of the agent's own records.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from air import Air, Hearing
from journal import Journal


@dataclass(frozen=True)
class TrueEncounter:
    """A phone in range without a silence longer than the encounter timeout: wall clock, seconds since 1970.
    """

    phone: str
    start: float
    end: float
    readings: int
    rssi_minimum_dbm: int
    rssi_maximum_dbm: int
    rssi_mean_dbm: float

    @property
    def seconds(self) -> float:
        """The time from the first to the last reading."""
        return self.end - self.start


@dataclass(frozen=True)
class LinkChange:
    """The beginning or end of a link with the agent."""

    at: float
    state: str
    phone: str


@dataclass(frozen=True)
class Note:
    """An action on the agent or on a phone."""

    at: float
    what: str


class Truth:
    """The record of one scene, as it reached the receiver named `receiver`."""

    def __init__(self, air: Air, receiver: str = "agent") -> None:
        self.receiver = receiver
        self.hearings: Journal[Hearing] = Journal(f"adverts that reached {receiver}")
        self.links: Journal[LinkChange] = Journal(f"links of {receiver}")
        self.notes: list[Note] = []
        air.on_hearing.append(self._hear)
        air.links.on_change.append(self._link)

    def note(self, what: str) -> float:
        """Records a note and returns its time."""
        self.notes.append(Note(time.time(), what))
        return self.notes[-1].at

    def heard(self, phone: str) -> list[Hearing]:
        """The adverts of a phone that reached the agent, in order."""
        return [hearing for hearing in self.hearings if hearing.sender == phone]

    def encounters(self, phone: str, gap_seconds: float) -> list[TrueEncounter]:
        """The encounters of a perfect observer: readings no further apart than the encounter timeout."""
        runs: list[list[Hearing]] = []
        for hearing in self.heard(phone):
            if not runs or hearing.at - runs[-1][-1].at > gap_seconds:
                runs.append([])
            runs[-1].append(hearing)
        return [_encounter(phone, run) for run in runs]

    def write(self, path: Path, phones: Iterable[dict[str, object]], gap_seconds: float) -> None:
        """Writes everything as JSON; `phones` describes the participants."""
        described = []
        for phone in phones:
            name = str(phone["name"])
            described.append(
                phone
                | {
                    "encounters": [asdict(encounter) for encounter in self.encounters(name, gap_seconds)],
                    "adverts": [[round(h.at, 4), h.address, h.rssi_dbm, h.is_scan_response] for h in self.heard(name)],
                }
            )
        document = {
            "clock": "seconds since 1970, UTC",
            "gapSeconds": gap_seconds,
            "notes": [asdict(note) for note in self.notes],
            "links": [asdict(link) for link in self.links],
            "phones": described,
        }
        path.write_text(json.dumps(document, indent=1))

    def _hear(self, hearing: Hearing) -> None:
        if hearing.receiver == self.receiver:
            self.hearings.append(hearing)

    def _link(self, state: str, one: str, other: str) -> None:
        if self.receiver in (one, other):
            self.links.append(LinkChange(time.time(), state, other if one == self.receiver else one))


def _encounter(phone: str, run: list[Hearing]) -> TrueEncounter:
    levels = [hearing.rssi_dbm for hearing in run]
    return TrueEncounter(phone, run[0].at, run[-1].at, len(run), min(levels), max(levels), sum(levels) / len(levels))
