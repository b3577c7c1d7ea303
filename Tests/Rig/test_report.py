"""The report of several boards: their own identities, and how far each was fetched."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import desk as desks
import pytest
from desk import Desk

MORNING = 1_795_251_600
"""2026-11-21 09:00 UTC."""
PHONE = bytes.fromhex("103a030000") + bytes(range(16))
BADGE = bytes.fromhex("103a030000") + bytes(range(16, 32))


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    """Foyer, fetched for 20 minutes, met a phone and Badge. Badge was fetched for five minutes."""
    desk = await desks.at(tmp_path)
    desks.start(desk, MORNING)
    with sqlite3.connect(desk.archive) as database:
        database.execute(
            "INSERT INTO board (id, logIdentity, name, blockByteCount, unitByteCount) VALUES (2, ?, 'Badge', 4096, 512)",
            [bytes(range(16, 32))],
        )
    desks.start(desk, MORNING, boot=2)
    with sqlite3.connect(desk.archive) as database:
        database.execute("UPDATE boot SET boardID = 2 WHERE id = 2")
        database.execute("INSERT INTO ownIdentity VALUES (2, 100, ?, 1, 1, ?)", [bytes(6), BADGE])
        database.executemany(
            "INSERT INTO coverage VALUES (?, 0, ?, 100, 0, 0, 0, 96, 80)", [(1, 20 * 60 * 1000), (2, 5 * 60 * 1000)]
        )
    desks.meet(desk, "herald", PHONE, after=60, seconds=80)
    desks.meet(desk, "herald", BADGE, after=120, seconds=80)
    return desk


async def summary(desk: Desk, *options: str) -> str:
    """The report's first paragraph as text."""
    page = await desk.run_well("report", "--archive", desk.archive, "--output", "-", *options)
    found = re.search(r'<p class="summary">(.*?)</p>', page)
    assert found
    return found.group(1).replace("\u00a0", " ")


async def test_a_board_of_the_archive_is_counted_apart_even_if_the_report_is_not_of_it(desk: Desk) -> None:
    assert "1 identity and 1 board of this archive (Badge) were near Foyer and Badge." in await summary(desk)
    text = await summary(desk, "--board", "Foyer")
    assert "1 identity and 1 board of this archive (Badge) were near Foyer." in text


async def test_a_board_that_was_fetched_earlier_is_unknown_for_the_rest(desk: Desk) -> None:
    text = await summary(desk)
    assert "Each board listened at least 100 % of the time fetched." in text
    assert "The last 15 min of Badge are not fetched yet." in text
    text = await summary(desk, "--board", "Badge")
    assert "not fetched" not in text
