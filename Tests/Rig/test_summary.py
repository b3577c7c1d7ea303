"""A day at all boards: `tabardctl summary`, held against the other lists."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import sample_archive
from sample_archive import Sample

DAY = ("--since", "2023-01-01", "--until", "2023-01-02")


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    monkeypatch.setenv("TZ", "UTC")
    return await sample_archive.at(tmp_path, monkeypatch)


async def test_a_summary_counts_what_the_lists_have(sample: Sample) -> None:
    summary = await sample.document("summary", *DAY)
    encounters = await sample.document("encounters", *DAY)
    assert {each["board"]: each["encounters"] for each in summary["boards"]} == Counter(
        each["board"] for each in encounters
    )
    contacts = await sample.document("contacts", *DAY)
    pairs = Counter((each["board"]["name"], each["otherBoard"]["name"]) for each in contacts)
    assert {(each["board"]["name"], each["otherBoard"]["name"]): each["contacts"] for each in summary["pairs"]} == pairs
    assert sum(each["seconds"] for each in summary["pairs"]) == pytest.approx(
        sum(each["durationSeconds"] for each in contacts)
    )
    for board in summary["boards"]:
        assert board["boardsMet"] == sum(board["name"] in pair for pair in pairs)
        quarters = await sample.document("presence", "--board", board["board"], "--by", "quarter-hour", *DAY)
        assert board["peak"] == max(each["peak"] for each in quarters)
        assert board["listenedShare"] == pytest.approx(1, abs=0.001)


async def test_the_last_day_with_records_is_summed_up_by_default(sample: Sample) -> None:
    assert await sample.document("summary") == await sample.document(
        "summary", "--since", "2023-01-02", "--until", "2023-01-03"
    )
    printed = await sample.printed("summary")
    assert printed.startswith("2023-01-02 00:00:00 to 2023-01-03 00:00:00: 1000 encounters at 10 boards\n")
    assert " met " in printed and "BOARDS MET" in printed


async def test_a_day_without_records_is_said(sample: Sample) -> None:
    summary = await sample.document("summary", "--since", "2030-01-01", "--until", "2030-01-02")
    assert all(each["encounters"] == 0 and each["listenedShare"] is None for each in summary["boards"])
    ended = await sample.run("summary", "--since", "2030-01-01")
    assert (ended.exit_code, ended.errors) == (
        66,
        "tabardctl: the archive has nothing of that time; its last record is of 2023-01-02 23:59:59\n",
    )
