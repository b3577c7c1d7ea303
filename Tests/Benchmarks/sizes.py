#!/usr/bin/env python3
"""Prints the sizes of the board's programs, as copied to boards, with the goal of the agent's."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOAL = 512 * 1024
IMAGES = {
    "aarch64": ROOT / "build/boards/generic-aarch64/tabard",
    "x86-64": ROOT / "build/boards/generic-x86-64/tabard",
}


def main() -> None:
    complaints = []
    for architecture, image in IMAGES.items():
        size = image.stat().st_size
        print(f"image, {architecture:8} {size:8} bytes   goal {GOAL}: {'met' if size <= GOAL else 'NOT MET'}")
        if size > GOAL:
            complaints.append(f"{architecture} {size} bytes, goal {GOAL}")
        print(f"        its other commands, a program of their own {image.with_name('tabard-commands').stat().st_size:8} bytes")
    if complaints:
        sys.exit(f"sizes.py: {'; '.join(complaints)}")


main()
