"""How many were near a board: `tabardctl presence`, held against the archive's encounters."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from pathlib import Path

import pytest

import sample_archive
from sample_archive import Sample, moment

QUARTER = 15 * 60_000


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    return await sample_archive.at(tmp_path, monkeypatch)


def stays(sample: Sample, board: str) -> dict[bytes, list[list[int]]]:
    """The times in which each identity was near a board, joined where they touch."""
    joined: dict[bytes, list[list[int]]] = defaultdict(list)
    for payload, start, end in sample.rows(
        "SELECT payload, startMilliseconds, endMilliseconds FROM encounter JOIN board ON board.id = boardID"
        f" WHERE board.name = '{board}' ORDER BY startMilliseconds"
    ):
        times = joined[payload]
        if times and start <= times[-1][1]:
            times[-1][1] = max(times[-1][1], end)
        else:
            times.append([start, end])
    return joined


async def test_quarters_of_an_hour_count_the_identities_of_the_encounters(sample: Sample) -> None:
    near = stays(sample, "Board 3")
    found = await sample.document("presence", "--board", "Board 3", "--by", "quarter-hour")
    first = min(times[0][0] for times in near.values()) // QUARTER
    last = max(times[-1][1] for times in near.values()) // QUARTER
    expected = []
    for slot in range(first, last + 1):
        begin, end = slot * QUARTER, (slot + 1) * QUARTER
        inside = {peer for peer, times in near.items() if any(start < end and stop >= begin for start, stop in times)}
        if not inside:
            continue
        all_times = [each for times in near.values() for each in times]
        present = sum(max(0, min(stop, end) - max(start, begin)) for start, stop in all_times)
        moments = [max(start, begin) for start, stop in all_times if start < end and stop >= begin]
        peak = max(sum(start <= when <= stop for start, stop in all_times) for when in moments)
        arrivals = sum(begin <= start < end for start, _ in all_times)
        departures = sum(begin <= stop < end for _, stop in all_times)
        mean = round(present / QUARTER + 1e-9, 2)
        expected.append((moment(begin), moment(end), peak, len(inside), mean, arrivals, departures))
    listed = [
        (each["start"], each["end"], each["peak"], each["atMost"], each["mean"], each["arrivals"], each["departures"])
        for each in found
    ]
    assert listed == expected and len(listed) > 50


async def test_hours_and_days_are_of_local_time(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    quarters = await sample.document("presence", "--board", "Board 3", "--by", "quarter-hour")
    days = await sample.document("presence", "--board", "Board 3", "--by", "day")
    # Kathmandu is 5 h 45 min ahead of UTC.
    assert all(each["start"].endswith("T18:15:00.000Z") for each in days) and len(days) == 3
    assert sum(each["arrivals"] for each in days) == sum(each["arrivals"] for each in quarters)
    assert max(each["peak"] for each in days) == max(each["peak"] for each in quarters)
    hours = await sample.document("presence", "--board", "Board 3")
    assert all(each["start"].endswith(":15:00.000Z") for each in hours)
    assert sum(each["mean"] for each in hours) == pytest.approx(sum(each["mean"] for each in quarters) / 4, abs=0.5)


async def test_csv_has_the_rows_of_json(sample: Sample) -> None:
    rows = list(csv.DictReader(io.StringIO(await sample.printed("presence", "--csv"))))
    document = await sample.document("presence")
    assert [(row["board_name"], row["start"], int(row["peak"])) for row in rows] == [
        (each["name"], each["start"], each["peak"]) for each in document
    ]
    assert {row["board_name"] for row in rows} == {f"Board {number}" for number in range(1, 11)}


async def test_boards_of_the_archive_are_counted_apart(sample: Sample) -> None:
    contacts = await sample.document("contacts", "--board", "Board 3")
    quarters = await sample.document("presence", "--board", "Board 3", "--by", "quarter-hour")
    with_boards = {each["start"] for each in quarters if each["boards"]}
    for contact in contacts:
        assert any(each["start"] <= contact["start"] < each["end"] and each["boards"] for each in quarters), contact
    assert 0 < len(with_boards) < len(quarters)


async def test_nobody_near_is_said(sample: Sample) -> None:
    ended = await sample.run("presence", "--since", "2030-01-01")
    assert (ended.exit_code, ended.output, ended.errors) == (0, "", "nobody was near: since 2030-01-01\n")
