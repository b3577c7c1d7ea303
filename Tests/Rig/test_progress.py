"""Long work on an archive shows how far it is, where somebody watches."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import program
import sample_archive
import terminal
from agent import find_tabardctl
from printed_json import document_in
from sample_archive import Sample


@pytest.fixture
async def sample(programs: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    return await sample_archive.at(tmp_path, monkeypatch, encounter_count=10_000)


async def test_pages_that_are_decoded_are_counted_with_rate_and_time_left(sample: Sample) -> None:
    shown = await terminal.run(find_tabardctl(), "archive", "rebuild", with_rewritten=True)
    assert shown.exit_code == 0, shown
    counts = re.findall(r"\x1b\[Ksegments decoded: (\d+) %, (\d+) of (\d+), \d+/s, [\dminsh ]+ left\r\x1b\[K", shown.output)
    assert counts, shown.output
    assert [percent for percent, _, _ in counts] == [str(int(done) * 100 // int(total)) for _, done, total in counts]


async def test_rows_are_counted_and_leave_no_trace_in_what_is_printed(sample: Sample) -> None:
    shown = await terminal.run(find_tabardctl(), "encounters", "--json", "-o", sample.folder / "all.json", with_rewritten=True)
    assert re.search(r"\x1b\[Kencounters read: \d+ %, \d000 of \d+, \d+/s, \d+ s left\r\x1b\[K", shown.output), shown
    printed = await terminal.run(find_tabardctl(), "encounters", "--json")
    written = document_in((sample.folder / "all.json").read_text())
    assert document_in(printed.output) == written and len(written) > 9_000


async def test_nobody_is_told_where_nobody_watches(sample: Sample) -> None:
    ended = await program.run_well(find_tabardctl(), "archive", "rebuild")
    assert not ended.errors and "decoded" not in ended.output, ended
