"""The dashboard in a browser: readable at any width, in light and dark, with a keyboard and without eyes."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import browser
import dashboard
import sample_archive
from browser import Browser
from sample_archive import Sample
from test_report_browser import NAMES, OVERFLOW, UNREACHABLE
from venue import Venue

PAGES = (
    "/", "/boards", "/who-met?name=Ada+Byron&since=2023-01-02&until=2023-01-03", "/contacts",
    "/presence?by=day", "/encounters?page=2", "/coverage?board=Ada+Byron&since=2023-01-02&until=2023-01-03", "/downloads",
)  # fmt: skip
PROBLEM = "/who-met?name=nobody&since=yesterday"
SMALL_TARGETS = """
    return [...document.querySelectorAll("button, nav a, select, input[type=text]")].filter(each => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && box.height < 24;
    }).map(each => each.outerHTML.slice(0, 200))
"""


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    monkeypatch.setenv("TZ", "UTC")
    sample = await sample_archive.at(tmp_path, monkeypatch)
    names = tmp_path / "names.csv"
    names.write_text(NAMES)
    await sample.printed("label", "--names", str(names))
    return sample


@pytest.fixture
def chromium() -> Iterator[Browser]:
    with browser.chromium() as open_browser:
        yield open_browser


def look(chromium: Browser, address: str, width: int, scheme: str) -> None:
    """Asserts that everybody can use a page at this width, in this mode."""
    place = f"{address} {width} {scheme}"
    chromium.open(address, width, scheme)
    assert chromium.evaluate(OVERFLOW) == 0, place
    assert chromium.evaluate(UNREACHABLE) == [], place
    assert chromium.evaluate(SMALL_TARGETS) == [], place
    assert chromium.violations() == [], place
    # The browser itself notes replies that are errors.
    assert [line for line in chromium.messages() if "status of 400" not in line] == [], place


async def test_no_page_breaks_at_any_width_or_in_any_mode(sample: Sample, chromium: Browser) -> None:
    modes = list(itertools.product((390, 1280), ("light", "dark")))
    async with dashboard.serve("--board", "/dev/nowhere") as served:
        chromium.open(served.address, 1280, "light")
        assert "token" not in chromium.evaluate("return location.href")
        for page in (*PAGES, PROBLEM):
            for width, scheme in modes:
                await asyncio.to_thread(look, chromium, served.origin + page, width, scheme)


async def test_a_question_is_asked_with_the_keyboard_alone(sample: Sample, chromium: Browser) -> None:
    async with dashboard.serve("--no-dock") as served:
        chromium.open(served.address, 1280, "light")
        chromium.open(served.origin + "/who-met", 1280, "light")
        driver = chromium.driver
        field = driver.find_element("id", "name")
        await asyncio.to_thread(field.send_keys, "Ada Byron\n")
        assert "name=Ada+Byron" in driver.current_url
        assert chromium.evaluate("return document.querySelectorAll('tbody tr').length") > 0
        assert chromium.evaluate("return document.querySelector('nav [aria-current]').textContent") == "Who met"


async def test_boards_and_a_fetch_are_seen_as_they_come(venue: Venue, chromium: Browser) -> None:
    port, archive = venue.directory / "agent" / "sync", venue.directory / "archive.sqlite"
    arguments = ("--board", port, "--archive", archive, "--trust", "new")
    async with dashboard.serve(*arguments) as served:
        chromium.open(served.address, 390, "dark")
        chromium.open(served.origin + "/boards", 390, "dark")
        assert "No board is plugged in" in chromium.evaluate("return document.getElementById('live').textContent")
        await venue.start_agent()
        await shown(chromium, "near now")
        await asyncio.to_thread(chromium.driver.find_element("css selector", ".action button").click)
        await shown(chromium, "done, safe to unplug")
        said = chromium.evaluate("return document.querySelector('[role=status]').textContent")
        assert re.fullmatch(r"\w+: done, safe to unplug: \d+ new entr(y|ies)", said), said
        for width, scheme in ((390, "dark"), (1280, "light")):
            await asyncio.to_thread(look, chromium, served.origin + "/boards", width, scheme)


async def shown(chromium: Browser, text: str) -> None:
    """Waits until the page has a text, without loading it again."""
    async with asyncio.timeout(60):
        while text not in chromium.evaluate("return document.getElementById('live').textContent"):
            await asyncio.sleep(0.2)
