#!/usr/bin/env python3
"""Takes the pictures of the report and the dashboard in docs/pictures, except those of a fetch, anew.

The archive is a simulated one of ten boards, which get names of people and places.
"""

from __future__ import annotations

import asyncio
import base64
import tempfile
from pathlib import Path

import pytest

import browser
import dashboard
import sample_archive
from browser import Browser
from sample_archive import Sample

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
NAMES = (
    "Ada Byron", "Grace Hopper", "Foyer", "Alan Turing", "Canteen",
    "Mary Somerville", "Niels Bohr", "Emmy Noether", "Sofia Kovalevskaya", "Isaac",
)  # fmt: skip
HOURS = ("--since", "2023-01-02T08:00", "--until", "2023-01-02T08:20")
WHO_MET = "/who-met?name=Ada+Byron&since=2023-01-02&until=2023-01-03"
DESKTOP_WIDTH = 1280
PHONE_WIDTH = 390


def take(chromium: Browser, address: str, name: str, width: int, height: int) -> None:
    """Pictures of the upper part of a page, in light and dark mode."""
    for scheme in ("light", "dark"):
        chromium.open(address, width, scheme)
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        options = {"format": "png", "clip": clip, "captureBeyondViewport": True}
        picture = chromium.driver.execute_cdp_cmd("Page.captureScreenshot", options)
        file = PICTURES / f"{name}-{scheme}.png"
        file.write_bytes(base64.b64decode(picture["data"]))
        print(file)


async def report(sample: Sample, title: str, *options: str) -> str:
    """Writes a report. Returns its address."""
    file = sample.folder / "report.html"
    await sample.printed("report", "--title", title, "--output", str(file), "--force", *options)
    return file.as_uri()


async def take_all(folder: Path, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("TZ", "UTC")
    sample = await sample_archive.at(folder, environment)
    names = folder / "names.csv"
    names.write_text("id,name\n" + "".join(f"Board {number},{name}\n" for number, name in enumerate(NAMES, 1)))
    await sample.printed("label", "--names", str(names))
    with browser.chromium() as chromium:
        take(chromium, await report(sample, "Wards, two days"), "report", DESKTOP_WIDTH, 2_000)
        take(chromium, await report(sample, "Monday, before work", *HOURS), "report-phone", PHONE_WIDTH, 1_900)
        async with dashboard.serve("--board", "/dev/nowhere") as served:
            chromium.open(served.address, DESKTOP_WIDTH, "light")
            for address, name, width, height in (
                ("/", "dashboard-overview", DESKTOP_WIDTH, 1_400),
                ("/", "dashboard-overview-phone", PHONE_WIDTH, 1_100),
                (WHO_MET, "dashboard-who-met", DESKTOP_WIDTH, 850),
            ):
                await asyncio.to_thread(take, chromium, served.origin + address, name, width, height)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="tabard-pictures-") as name, pytest.MonkeyPatch.context() as environment:
        folder = Path(name) / "home"
        folder.mkdir()
        asyncio.run(take_all(folder, environment))


main()
