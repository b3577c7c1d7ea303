"""An archive in which every list of `tabardctl` has something to show."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import desk as desks
from desk import Desk

import custody
from submissions import DAY

BEGAN = 1_763_683_200
"""2025-11-21T00:00Z, when the board was started."""

PAYLOAD = bytes.fromhex("1003003a0000010000")
"""A payload of Herald."""
PUBLISHED = {
    "format": "tabard-ble-proximity-positives-1",
    "positives": [{"id": "0706050403020100", "from": "2025-11-22T00:00:00Z", "until": "2025-11-22T00:15:00Z"}],
}

LISTS: list[tuple[str, ...]] = [
    ("encounters",),
    ("encounters", "--refused"),
    ("coverage",),
    ("contacts",),
    ("presence",),
    ("summary",),
    ("who-met", "00010203"),
    ("clocks",),
    ("messages",),
    ("verify",),
    ("inspect",),
    ("match", "ble-proximity", "list.json", "--as-of", "2025-11-25"),
    ("forget", "--list"),
    ("trust",),
    ("keys", "show", "operator.pem"),
]


async def full_desk(folder: Path, board: str = "Foyer") -> Desk:
    """A desk with one board that met people, refused identities, took messages and was blind for a while."""
    desk = await desks.at(folder, board)
    desks.start(desk, BEGAN)
    desks.meet(desk, "ble-proximity", bytes(range(8)), after=DAY, seconds=4_000)
    desks.meet(desk, "exposure-notification", bytes(range(20)), after=DAY + 600, seconds=80)
    desks.meet(desk, "herald", PAYLOAD, after=DAY + 700, seconds=80)
    with sqlite3.connect(desk.archive) as database:
        database.execute(
            "INSERT INTO refusedIdentity VALUES (1, 1, ?, ?, 1, 0, ?)", [DAY * 1000, 5, bytes(range(20))]
        )
        database.execute("INSERT INTO peerMessage VALUES (1, 1, ?, 1, NULL, ?)", [DAY * 1000, b"fire drill " * 12])
        # Without a reading, an identity or anything but the advert of a BlueTrace app.
        database.execute(
            "INSERT INTO track VALUES (90, 1, 90, ?, ?, 1, 9, ?, 5)", [DAY * 1000, b"\1\2\3\4\5\6", DAY * 1000 + 9_000]
        )
        for begin in (DAY, DAY + 9_000):
            database.execute(
                "INSERT INTO coverage VALUES (1, ?, ?, 123456, 0, 0, 7, 96, 80)", [begin * 1000, (begin + 5_000) * 1000]
            )
    (folder / "list.json").write_text(json.dumps(PUBLISHED))
    await desk.run_well("keys", "new", "--directory", folder)
    await desk.make_ready()
    return desk


def arguments(desk: Desk, command: tuple[str, ...]) -> list[str]:
    """The command's arguments, for the desk's files."""
    own = [str(desk.folder / each) if each.endswith((".json", ".pem")) else each for each in command]
    return own if command[0] == "keys" else [*own, "--archive", str(desk.archive)]
