"""Random archives and published lists, from a seed, with the rules of the matchers at their borders.

The rows are those that an import decodes from logs. `tabardctl` itself computes encounters and contacts from them.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "spark"), str(ROOT / "Tests" / "Rig")]
from encoding import date_text, field_of, time_text, write  # noqa: E402
from exposure_keys import ExposureKey  # noqa: E402

from tabard_spark import derivations  # noqa: E402

DAY = 86_400
FIRST_DAY = 20_760  # 2026-11-03
DAYS = 34
NOW = (FIRST_DAY + DAYS) * DAY + 43_200
UNKNOWN_ERROR = 2**32 - 1
HERALD, SONAR, COVID_TRACER, BLE_PROXIMITY, EXPOSURE_NOTIFICATION, UNKNOWN = 1, 2, 3, 4, 5, 77
TOLERANCES = {HERALD: 360, COVID_TRACER: 3_600, BLE_PROXIMITY: 3_600, EXPOSURE_NOTIFICATION: 7_200}

@dataclass(frozen=True)
class Shown:
    """An identity, and when it is valid, in seconds since 1970."""
    scheme: int
    payload: bytes
    start: int
    end: int


@dataclass
class Boot:
    """A boot of a board. `wall` is the wall-clock time of its monotonic zero in milliseconds, or None."""

    row: int
    board: int
    wall: int | None
    length: int
    timeout: int
    begin: int  # The second since 1970 at which it truly began.


@dataclass
class World:
    """An archive in the making, and the lists of authorities."""

    seed: int
    random: random.Random = field(init=False)
    identities: list[Shown] = field(default_factory=list)
    served: list[tuple[int, Shown]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(f"world {self.seed}")

    def bytes(self, count: int) -> bytes:
        return self.random.randbytes(count)

    def second(self) -> int:
        return FIRST_DAY * DAY + self.random.randrange(DAYS * DAY)

    # MARK: Lists of authorities

    def publish(self, folder: Path) -> None:
        """Writes a list of each scheme. Identities of its keys are what boards then hear."""
        self._publish_exposure_keys(folder)
        herald = []
        for _ in range(self.random.randrange(2, 6)):
            key, day = self.bytes(32), FIRST_DAY + self.random.randrange(DAYS)
            herald.append({"key": key.hex(), "date": date_text(day)})
            for period, identifier in derivations.herald_identifiers(key):
                start = day * DAY + period * 360
                self.identities.append(Shown(HERALD, self._herald(identifier), start, start + 360))
        write(folder / "herald.json", {"format": "tabard-herald-matching-keys-1", "keys": sorted(herald, key=lambda row: row["key"])})
        cases = []
        for _ in range(self.random.randrange(2, 6)):
            key, day = self.bytes(32), FIRST_DAY + self.random.randrange(DAYS)
            kind = self.random.choice(["positive", "symptomatic"])
            cases.append({"key": key.hex().upper(), "date": date_text(day), "type": kind})
            if self.random.random() < 0.2:
                cases.append(cases[-1] | {"type": "positive"})
            for hour, identifier in derivations.covid_tracer_identifiers(date_text(day), key):
                start = day * DAY + hour * 3_600
                self.identities.append(Shown(COVID_TRACER, identifier, start, start + 3_600))
        write(folder / "covid-tracer.json", {"cases": cases})
        positives = []
        for _ in range(self.random.randrange(2, 9)):
            identity, start = self.bytes(8), self.second()
            end = start + self.random.choice([1, 900, 7_200])
            positives.append({"id": identity.hex(), "from": time_text(start), "until": time_text(end)})
            # Values may be longer than the identity.
            payload = identity[::-1] + self.random.choice([b"", b"", self.bytes(3)])
            self.identities.append(Shown(BLE_PROXIMITY, payload, start, end))
        positives.sort(key=lambda row: row["id"])
        write(folder / "ble-proximity.json", {"format": "tabard-ble-proximity-positives-1", "positives": positives})

    def _publish_exposure_keys(self, folder: Path) -> None:
        rows = []
        for _ in range(self.random.randrange(3, 8)):
            key = ExposureKey(self.bytes(16))
            start = (FIRST_DAY + self.random.randrange(DAYS)) * 144 + self.random.choice([0, 0, self.random.randrange(144)])
            period = self.random.choice([144, 144, 1, self.random.randrange(1, 145)])
            rows.append((key.key, start, None if period == 144 and self.random.random() < 0.3 else period))
            for interval in range(start, start + period):
                power = self.random.choice([-20, -7, 0, 12, 20, 21, -50, -51, 100])
                self.identities.append(Shown(EXPOSURE_NOTIFICATION, key.said(interval, power), interval * 600, interval * 600 + 600))
        (folder / "exports").mkdir()
        for number in range(2):
            chosen = [row for row in rows if self.random.random() < 0.7] if number else rows
            keys = [self._exported(*row) for row in chosen]
            # Keys that nothing can be expanded from do not harm the others.
            too_long = field_of(1, self.bytes(16)) + field_of(3, 5) + field_of(4, 145)
            keys.append(self.random.choice([field_of(1, b"short"), field_of(1, self.bytes(16)), too_long, b"\x0f"]))
            body = b"".join(field_of(8 if self.random.random() < 0.2 else 7, key) for key in keys)
            end = NOW - self.random.choice([0, 1, DAY])
            data = b"EK Export v1    " + b"\x11" + end.to_bytes(8, "little") + body
            with zipfile.ZipFile(folder / "exports" / f"{number}.zip", "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr("export.bin", data)
                file.writestr("export.sig", b"")

    def _exported(self, key: bytes, start: int, period: int | None) -> bytes:
        fields = field_of(1, key) + field_of(3, start)
        if period is not None:
            fields += field_of(4, period)
        if self.random.random() < 0.7:
            fields += field_of(2, self.random.randrange(0, 10))
        if self.random.random() < 0.8:
            fields += field_of(5, self.random.randrange(0, 8))
        if self.random.random() < 0.8:
            days = self.random.randrange(-16, 17)
            fields += field_of(6, days * 2 if days >= 0 else -days * 2 - 1)
        return fields

    def _herald(self, identifier: bytes) -> bytes:
        header = bytes([self.random.choice([0x10, 0x10, 0x17, 0x18])]) + b"\x3a\x03\x00\x00"
        form = self.random.random()
        if form < 0.2:
            # As Herald for wearables sends it.
            return header + b"\x10\x00" + identifier
        return header + identifier + (self.bytes(self.random.choice([3, 5])) if form < 0.4 else b"")

    # MARK: Records of boards

    def fill(self, archive: Path) -> None:
        """Writes the rows that an import decodes."""
        with sqlite3.connect(archive) as database:
            boots: list[Boot] = []
            for board in range(1, self.random.randrange(4, 8)):
                name = self.random.choice([None, "Ward", f"Board {board}"])
                database.execute(
                    "INSERT INTO board (id, logIdentity, name, blockByteCount, unitByteCount) VALUES (?, ?, ?, 4096, 512)",
                    [board, self.bytes(16), name],
                )
                boots += self._boots(database, board, len(boots))
            for boot in boots:
                self._serve(database, boot)
            track = 0
            for boot in boots:
                for number in range(self.random.randrange(20, 60)):
                    track += 1
                    self._track(database, boot, track, number)

    def _boots(self, database: sqlite3.Connection, board: int, count: int) -> list[Boot]:
        boots = []
        begin = FIRST_DAY * DAY
        for number in range(self.random.randrange(1, 4)):
            begin += self.random.randrange(600, 5 * DAY)
            length = self.random.randrange(DAY, 14 * DAY)
            row = count + number + 1
            identifier = self.random.getrandbits(63) - self.random.choice([0, 2**62])
            timeout = self.random.choice([30_000, 30_000, 10_000])
            database.execute(
                "INSERT INTO boot (id, boardID, bootIdentifier, firstSegmentOrdinal, firstByteOffset, startMilliseconds,"
                " softwareVersion, sampleMilliseconds, gapMilliseconds, lossWindowMilliseconds, role)"
                " VALUES (?, ?, ?, ?, 0, 0, '0.3.0', 8000, ?, 30000, ?)",
                [row, board, identifier, number, timeout, self.random.choice([1, 2])],
            )
            is_dated = self.random.random() < 0.8
            if is_dated:
                error = self.random.choice([20, 20, 500, 9_000, 40_000, UNKNOWN_ERROR])
                for moment in [0, length * 1000] if self.random.random() < 0.5 else [length * 500]:
                    database.execute(
                        "INSERT INTO anchor (bootID, monotonicMilliseconds, wallClockMilliseconds, errorMilliseconds, source)"
                        " VALUES (?, ?, ?, ?, ?)",
                        [row, moment, begin * 1000 + moment + self.random.randrange(-5, 6), error, self.random.choice([1, 2])],
                    )
            boots.append(Boot(row, board, begin * 1000 if is_dated else None, length, timeout, begin))
            begin += length
        return boots

    def _serve(self, database: sqlite3.Connection, boot: Boot) -> None:
        """The identities that a board shows; some of them another board shows, too."""
        moment = 0
        while moment < boot.length and self.random.random() < 0.97:
            choice = self.random.random()
            if choice < 0.1 and self.served:
                shown = self.random.choice(self.served)[1]
                shown = Shown(shown.scheme, shown.payload, boot.begin + moment, boot.begin + moment)
            elif choice < 0.15:
                shown = Shown(HERALD, b"", 0, 0)
            else:
                scheme = self.random.choice([HERALD, HERALD, COVID_TRACER, BLE_PROXIMITY, SONAR])
                payload = {HERALD: b"", COVID_TRACER: self.bytes(20), BLE_PROXIMITY: self.bytes(8), SONAR: self.bytes(129)}[scheme]
                shown = Shown(scheme, payload or self._herald(self.bytes(16)), 0, 0)
            length = self.random.randrange(600, DAY)
            start = boot.begin + moment
            if shown.payload:
                self.served.append((boot.board, Shown(shown.scheme, shown.payload, start, start + length)))
            database.execute(
                "INSERT OR IGNORE INTO ownIdentity (bootID, monotonicMilliseconds, address, addressType, scheme, payload)"
                " VALUES (?, ?, ?, 1, ?, ?)",
                [boot.row, moment * 1000, self.bytes(6), shown.scheme, shown.payload],
            )
            moment += length

    def _track(self, database: sqlite3.Connection, boot: Boot, track: int, number: int) -> None:
        shown, second = self._met(boot)
        start = max(0, (second - boot.begin) * 1000 + self.random.choice([0, 0, self.random.randrange(-999, 1000)]))
        samples, moment = [], start
        for _ in range(self.random.choice([0, 1, 3, 8, self.random.randrange(1, 40)])):
            length = self.random.randrange(0, 9_000)
            end = moment + length if self.random.random() < 0.98 else max(0, moment - 2_000)
            mean = self.random.randrange(-1_050, -300) if self.random.random() < 0.97 else self.random.choice([-1_300, 210, 0])
            count = self.random.choice([0, 1, 20, self.random.randrange(1, 30)])
            samples.append((track, moment, end, count, mean // 10 - 3, mean // 10 + 4, mean, self.random.choice([None, 8])))
            # Mostly no silence, sometimes one near the timeouts.
            gap = self.random.choice([1, 500, 2_000, 7_000, 9_999, 10_000, 10_001, 29_999, 30_000, 30_001, 400_000])
            moment = max(moment + 1, end + gap)
        last = samples[-1][2] if samples else start
        has_end = self.random.random() < 0.8
        database.execute(
            "INSERT INTO track (id, bootID, number, firstSightingMilliseconds, address, addressType, hint,"
            " lastReadingMilliseconds, readingCount) VALUES (?, ?, ?, ?, ?, 1, 0, ?, ?)",
            [
                track, boot.row, number, start if not samples or self.random.random() < 0.9 else None, self.bytes(6),
                last if has_end else None, self.random.randrange(0, 400) if has_end else None,
            ],
        )
        database.executemany("INSERT OR IGNORE INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?)", samples)
        identified = self._identifications(boot, shown, start, last)
        database.executemany(
            "INSERT OR IGNORE INTO identification (trackID, monotonicMilliseconds, scheme, payload, marks, isLost) VALUES (?, ?, ?, ?, ?, ?)",
            [(track, *each) for each in identified],
        )
        if self.random.random() < 0.1:
            database.execute("INSERT INTO peerDetail VALUES (?, ?, 5, ?)", [track, start, self.random.choice([b"\xc0", b"\xa0"])])

    def _met(self, boot: Boot) -> tuple[Shown, int]:
        """Receptions of a board: mostly in the time of the identity, or at the border of what counts."""
        choice = self.random.random()
        low, high = boot.begin, boot.begin + boot.length
        near = [(board, each) for board, each in self.served if each.start < high and each.end > low]
        published = [each for each in self.identities if each.start < high and each.end > low]
        if choice < 0.4 and near:
            board, shown = self.random.choice(near)
            second = self._moment(shown, 60)
        elif choice < 0.85 and published:
            scheme = self.random.choice(sorted({each.scheme for each in published}))
            shown = self.random.choice([each for each in published if each.scheme == scheme])
            second = self._moment(shown, TOLERANCES[scheme])
        else:
            payload, scheme = self.random.choice([
                (self.bytes(19), EXPOSURE_NOTIFICATION), (self.bytes(20), EXPOSURE_NOTIFICATION), (self.bytes(7), BLE_PROXIMITY),
                (self.bytes(21), COVID_TRACER), (b"\x10\x3a\x03\x00\x00" + bytes(16), HERALD), (b"\x30\x3a\x03\x00\x00\x01\x00\x00\x00", HERALD),
                (b"\x10\x3a\x03", HERALD), (self.bytes(129), SONAR), (self.bytes(12), UNKNOWN),
            ])
            shown, second = Shown(scheme, payload, low, high), self.random.randrange(low, high)
        return shown, min(max(second, low), high)

    def _moment(self, shown: Shown, tolerance: int) -> int:
        inside = self.random.randrange(shown.start, max(shown.start + 1, shown.end))
        border = self.random.choice([shown.start - tolerance, shown.end + tolerance]) + self.random.choice([-1, 0, 1, -30, 30])
        return self.random.choice([inside, inside, border, shown.end - 5])

    def _identifications(self, boot: Boot, shown: Shown, start: int, last: int) -> list[tuple[int, int, bytes, int, bool]]:
        """Mostly one; sometimes none, a lost one, another identity later, or a second scheme."""
        marks = self.random.choice([0, 0, 0, 1, 2, 3])
        payload = shown.payload
        if shown.scheme == SONAR and self.random.random() < 0.5:
            # The time and the code after the name differ at each read.
            payload = payload[:108] + self.bytes(21)
        if (choice := self.random.random()) < 0.05:
            return []
        if choice < 0.1:
            return [(start, shown.scheme, self.bytes(8), marks, True)]
        found = [(start + 500, shown.scheme, payload, marks, False)]
        if choice < 0.3:
            other, _ = self._met(boot)
            later = self.random.randrange(start, max(last, start) + 1)
            found.append((later, other.scheme, other.payload, self.random.choice([0, marks]), False))
        if choice < 0.15:
            found.append((last, shown.scheme, payload, 0, False))
        return found
