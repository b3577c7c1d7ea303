"""QR codes as other programs read them: drawn pixel by pixel and passed to zbar."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import program
import pytest

PIXELS = 4
"""The width and height of a module in pixels."""

Modules = list[list[bool]]
"""Rows of modules, with true for dark ones; the light margin is included."""


def of_terminal(text: str, *, inverted: bool = False) -> Modules:
    """The code drawn on a terminal in half blocks; inked modules are light, unless inverted."""
    lines = [line for line in text.splitlines() if line and set(line) <= set("█▀▄ ")]
    assert lines, "no QR code on the terminal"
    rows: Modules = []
    for line in lines:
        rows.append([(mark in "█▀") == inverted for mark in line])
        rows.append([(mark in "█▄") == inverted for mark in line])
    return rows


def of_drawing(svg: str) -> Modules:
    """The dark modules of an SVG, with one unit per module."""
    root = ElementTree.fromstring(svg)
    width, height = (int(float(size)) for size in root.attrib["viewBox"].split()[2:])
    rows = [[False] * width for _ in range(height)]
    [path] = root.iter("{http://www.w3.org/2000/svg}path")
    rectangle = re.compile(r"M(\d+) (\d+)h(\d+)v1h-\d+z")
    assert rectangle.sub("", path.attrib["d"]) == ""
    for left, top, length in rectangle.findall(path.attrib["d"]):
        for column in range(int(left), int(left) + int(length)):
            rows[int(top)][column] = True
    return rows


async def read(modules: Modules, folder: Path) -> str:
    """The text that zbar reads in the code. Skips the test if zbar is not installed."""
    if shutil.which("zbarimg") is None:
        pytest.skip("zbarimg is not installed, which reads QR codes: scripts/setup rig")
    width, height = len(modules[0]) * PIXELS, len(modules) * PIXELS
    pixels = bytearray()
    for row in modules:
        pixels += b"".join((b"\x00" if dark else b"\xff") * PIXELS for dark in row) * PIXELS
    image = folder / "code.pgm"
    image.write_bytes(b"P5\n%d %d\n255\n" % (width, height) + pixels)
    found = await program.run_well("zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", image)
    return found.output.rstrip("\n")
