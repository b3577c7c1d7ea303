"""The wearer of a board: the keys at home, the share that the board gets, and the resulting identities."""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import herald_key_schedule
from desk import SCHEMES, Desk
from exposure_keys import ExposureKey
from sonar_authority import Installation, SonarAuthority, sonar_authority
from venue import TX_POWER_DBM, Venue

DAY = 86_400
FIRST_DAY_OF_SECRETS = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) // DAY
LINK_SECONDS = 30.0
"""A link keeps the identity of its beginning. No phone here reads over an older link."""


@dataclass(frozen=True)
class Wearer:
    """A board's owner, who has all of its keys on a desk."""

    desk: Desk
    authority: SonarAuthority
    sonar: Installation
    registration: Path
    secret: Path
    root: Path

    @staticmethod
    async def equip(venue: Venue) -> Wearer:
        """Makes all keys, and puts the board's share of them on the board, which has not been started yet."""
        desk = Desk(venue.directory)
        board = venue.directory / "agent"
        board.mkdir()
        authority = await sonar_authority(desk, "authority")
        sonar, registration, _ = await authority.install("wearer")
        wearer = Wearer(desk, authority, sonar, registration, desk.folder / "wearer.herald", desk.folder / "wearer.root")
        for scheme, source, file in (
            ("herald", ("--secret", wearer.secret, "--new"), "herald.secret"),
            ("covid-tracer", ("--root", wearer.root, "--new"), "encounters.log.keys.covid-tracer"),
            ("sonar", ("--registration", registration), "encounters.log.keys.sonar"),
        ):
            await desk.run_well("provision", "--scheme", scheme, *source, "--output", board / file)
        return wearer

    def settings(self, **radio: object) -> dict[str, dict[str, object]]:
        """The board's settings: a wearable with an identity in every scheme."""
        own = ("sonar", "covid_tracer", "ble_proximity", "exposure_notification")
        return {
            "agent": {"role": "wearable"},
            "radio": {"address": "", **radio},
            "herald": {"secret": str(self.desk.folder / "agent" / "herald.secret")},
            "schemes": {scheme: "on" for scheme in own},
            "encounters": {"gap_seconds": 30},
        }

    def identities(self, scheme: str, at: float) -> set[bytes]:
        """The identities that the board may have had at that time, in any scheme but Sonar.

        They follow from the owner's keys, or are in the board's log, which must have been synced.
        """
        makers: dict[str, Callable[[float], set[bytes]]] = {
            "herald": self._herald,
            "covid-tracer": self._covid_tracer,
            "ble-proximity": lambda _: self._written_down("SELECT payload FROM ownIdentity WHERE scheme = ?", "ble-proximity"),
            "exposure-notification": self._exposure,
        }
        return makers[scheme](at - LINK_SECONDS) | makers[scheme](at)

    async def upload(self) -> bytes:
        """The wearer's upload to Sonar's authority about the contacts of today."""
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        options = ("--symptom", "cough", "--symptoms-began", today, "--until", today, "--yes")
        path = self.desk.folder / f"upload-{time.time_ns()}.http"
        await self.desk.run_well(
            "submit", "sonar", "--registration", self.registration, *options, "--archive", self.desk.archive, "--output", path
        )
        return path.read_bytes()

    def _herald(self, at: float) -> set[bytes]:
        day = herald_key_schedule.keys(self.secret.read_bytes(), herald_key_schedule.LAST_DAY)[
            int(at) // DAY - FIRST_DAY_OF_SECRETS
        ]
        period = herald_key_schedule.keys(day, herald_key_schedule.PERIODS)[int(at) % DAY // 360]
        country, state = 826, 4
        return {b"\x10" + country.to_bytes(2, "little") + state.to_bytes(2, "little") + period[:16]}

    def _covid_tracer(self, at: float) -> set[bytes]:
        moment = datetime.fromtimestamp(at, UTC)
        day = hmac.digest(self.root.read_bytes(), f"{moment:%Y-%m-%d}".encode(), hashlib.sha256)
        return {hmac.digest(day, f"{moment:%Y-%m-%dT%H}".encode(), hashlib.sha256)[:20]}

    def _exposure(self, at: float) -> set[bytes]:
        """The identifiers that the board may have at a time, each of which lasts for twelve minutes.

        An identifier belongs to the ten-minute interval in which its twelve minutes began. If the board was
        started later, it belongs to the interval of the start.
        """
        intervals = range(int(at) // 720 * 720 // 600, int(at) // 600 + 1)
        keys = self._written_down("SELECT key FROM ownKey WHERE scheme = ?", "exposure-notification")
        return {ExposureKey(key).said(interval, TX_POWER_DBM) for key in keys for interval in intervals}

    def _written_down(self, query: str, scheme: str) -> set[bytes]:
        with sqlite3.connect(self.desk.archive) as archive:
            return {value for (value,) in archive.execute(query, [SCHEMES[scheme]])}
