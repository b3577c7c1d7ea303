"""Reports in a browser: readable at any width, in light and dark, with a keyboard and without eyes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

import browser
import sample_archive
from browser import Browser
from sample_archive import Sample

NAMES = """id,name,group
Board 1,Ada Byron,ward 3
Board 2,A name that is so long that a phone can hardly show it in one line of text,ward 3
Board 3,<img src=x onerror=alert(1)> & 'co',ward 5
"""
HOURS = ("--since", "2023-01-02T08:00", "--until", "2023-01-02T08:20")
REPORTS = {
    "many": (),
    "few": HOURS,
    "detail": ("--detail", "Ada Byron", "--since", "2023-01-02T16:00", "--until", "2023-01-02T21:00"),
    "groups": ("--by-group", "--smallest-count", "2"),
    "nothing": ("--since", "2030-01-01"),
}
OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
UNREACHABLE = """
    return [...document.querySelectorAll("*")].filter(each => {
        const scrolls = ["auto", "scroll"].includes(getComputedStyle(each).overflowX);
        return scrolls && each.scrollWidth > each.clientWidth
            && !(each.tabIndex === 0 && each.getAttribute("role") === "region" && each.getAttribute("aria-label"));
    }).map(each => each.outerHTML.slice(0, 200))
"""
CLIPPED = """
    return [...document.querySelectorAll(".lane svg text, svg.trace text")].filter(each => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && (box.left < 0 || box.right > innerWidth);
    }).map(each => each.textContent)
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


async def write(sample: Sample, name: str, *options: str) -> Path:
    page = sample.folder / f"{name}.html"
    await sample.printed("report", "--output", str(page), *options)
    return page


async def test_no_page_breaks_at_any_width_or_in_any_mode(sample: Sample, chromium: Browser) -> None:
    pages = [await write(sample, name, *options) for name, options in REPORTS.items()]
    modes = list(itertools.product((390, 1280), ("light", "dark")))
    for number, page in enumerate(pages):
        # All modes of the pages with most parts, and two of the others.
        for width, scheme in modes if number < 2 else modes[::3]:
            chromium.show(page, width, scheme)
            place = f"{page.name} {width} {scheme}"
            assert chromium.evaluate(OVERFLOW) == 0, place
            assert chromium.evaluate(UNREACHABLE) == [], place
            assert chromium.evaluate(CLIPPED) == [], place
            assert chromium.violations() == [], place
            assert chromium.messages() == [], place


async def test_the_page_has_the_numbers_of_the_lists(sample: Sample, chromium: Browser) -> None:
    chromium.show(await write(sample, "page"), 1280, "light")
    facts = dict(
        chromium.evaluate(
            "return [...document.querySelectorAll('.figures li')]"
            ".map(each => [each.querySelector('span').textContent, each.querySelector('b').textContent])"
        )
    )
    encounters = await sample.document("encounters")
    assert facts["encounters"] == str(len(encounters))
    assert facts["identities"] == str(len({each["identity"] for each in encounters if not each["ownBoards"]}))
    assert facts["boards of this archive"] == str(len({name for each in encounters for name in each["ownBoards"]}))
    assert facts["most at one moment"] == str(max(each["peak"] for each in await sample.document("presence")))

    rows = chromium.evaluate(
        "return [...document.querySelectorAll('.matrix tr')].map(row => [...row.children].map(each => each.textContent))"
    )
    names = rows[0][1:]
    minutes = {
        frozenset((row[0], names[column])): text
        for row in rows[1:]
        for column, text in enumerate(row[1:])
        if text not in ("", "·")
    }
    summary = await sample.document("summary", "--since", "2022-12-31", "--until", "2023-01-04")
    expected = {}
    for pair in summary["pairs"]:
        both = frozenset(short(pair[key]["name"]) for key in ("board", "otherBoard"))
        tenths = round(pair["seconds"] / 6)
        expected[both] = f"{tenths / 10:g}" if tenths < 100 else str((tenths + 5) // 10)
    assert minutes == expected
    assert sum(pair["contacts"] for pair in summary["pairs"]) == len(await sample.document("contacts"))


def short(name: str) -> str:
    """A name as the matrix has room for it."""
    return name if len(name) <= 24 else name[:23] + "…"


async def test_numbers_can_be_saved_beside_each_figure(sample: Sample, chromium: Browser) -> None:
    chromium.show(await write(sample, "page"), 1280, "light")
    saved = chromium.evaluate("return [...document.querySelectorAll('a[download]')].map(each => [each.download, each.href])")
    assert [name for name, _ in saved] == ["presence.csv", "contact-matrix.csv", "durations.csv", "clock-error.csv"]
    assert all(link.startswith("data:text/csv;base64,") for _, link in saved)
    chromium.show(await write(sample, "few", *HOURS), 1280, "light")
    assert "encounters.csv" in chromium.evaluate("return [...document.querySelectorAll('a[download]')].map(each => each.download)")
