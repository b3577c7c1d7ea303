"""The report of several boards: their own identities, and how far each was fetched."""

from __future__ import annotations

import html
import re
import shlex
import sqlite3
from pathlib import Path

import desk as desks
import pytest
import sample_archive
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


async def test_an_existing_file_is_only_overwritten_on_request(desk: Desk) -> None:
    page = desk.folder / "report.html"
    page.write_text("mine")
    ended = await desk.run("report", "--archive", desk.archive, "--output", page)
    assert ended.exit_code == 73 and "already exists; --force overwrites it" in ended.errors, ended
    assert page.read_text() == "mine"
    ended = await desk.run("report", "--archive", desk.archive, "--output", page, "--force")
    assert ended.exit_code == 0 and f"`xdg-open {page}` shows it" in ended.errors, ended
    assert page.read_text().startswith("<!DOCTYPE html>")


async def test_the_same_archive_gives_the_same_bytes_in_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = []
    for name in ("one", "another"):
        folder = tmp_path / name
        folder.mkdir()
        sample = await sample_archive.at(folder, monkeypatch, encounter_count=1_000)
        pages.append(await sample.printed("report", "--output", "-"))
    assert pages[0] == pages[1]
    assert str(tmp_path) not in pages[0]


async def test_a_report_of_many_encounters_names_the_command_that_lists_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = await sample_archive.at(tmp_path, monkeypatch)
    page = await sample.printed("report", "--output", "-", "--board", "Board 1", "--board", "Board 2", "--minimum-duration", "60s")
    found = re.search("<code>(tabardctl encounters --csv.*?)</code>", page)
    assert found
    words = shlex.split(html.unescape(found.group(1)))
    listed = await sample.printed(*words[1:])
    count = re.search(r"<b>(\d+)</b> <span>encounters</span>", page)
    assert count and listed.count("\n") == int(count.group(1)) + 1
    assert len(page) < 500_000


async def test_the_detail_of_a_board_has_the_meetings_that_who_met_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = await sample_archive.at(tmp_path, monkeypatch)
    page = await sample.printed("report", "--output", "-", "--detail", "board 3")
    met = await sample.document("who-met", "Board 3")
    assert f"<h2>Who met Board 3</h2>\n<p class=\"note\">{len(met['meetings'])} meetings" in page
    assert f"{met['strangerEncounters']} encounters with identities of no board" in page
    section = page.split("<h2>Who met")[1].split("</section>")[0]
    assert re.findall(r'<th scope="row">(.*?)</th>', section) == [each["who"] for each in met["meetings"]]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--smallest-count", "1"), "write 2 to 1000"),
        (("--detail", "Foyer", "--smallest-count", "5"), "cannot both be given"),
        (("--detail", "Foyer", "--board", "Badge"), "leave out --board"),
    ],
)
async def test_options_that_contradict_each_other_are_refused(desk: Desk, options: tuple[str, ...], text: str) -> None:
    ended = await desk.run("report", "--archive", desk.archive, "--output", "-", *options)
    assert ended.exit_code == 64 and text in ended.errors and not ended.output, ended


async def test_nobody_of_this_name_is_no_empty_report(desk: Desk) -> None:
    ended = await desk.run("report", "--archive", desk.archive, "--output", "-", "--detail", "Foyre")
    assert ended.exit_code == 66 and "did you mean Foyer?" in ended.errors and not ended.output, ended
