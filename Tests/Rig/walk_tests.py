"""Walk tests of a world in which signals fall with distance, for `tabardctl calibrate`."""

from __future__ import annotations

import math
import os
import random
from pathlib import Path


def walk(generator: random.Random, level: float, session: float) -> str:
    """A walk test of a world whose exponent is 1.5, with 4 dB of multipath."""
    lines = ["time,rssi,distance"]
    seconds = 0
    for distance in range(0, 400, 20):
        place = generator.gauss(0, 4)
        for _ in range(10):
            rssi = level - 15 * math.log10((distance + 10) / 100) + session + place + generator.gauss(0, 2)
            lines.append(f"2026-11-21 10:{seconds // 60:02}:{seconds % 60:02},{rssi:.1f},{distance}")
            seconds += 1
    return "\n".join(lines) + "\n"


def table(folder: Path) -> Path:
    """A list of walk tests of two pairs of models with six sessions each, and their files beside it."""
    seed = int(os.environ.get("SEED", random.randrange(2**32)))
    print(f"SEED={seed}")
    generator = random.Random(seed)
    rows = ["file,receiver,transmitter,session"]
    for number in range(6):
        for receiver, transmitter, level in (("Badge", "Beacon", -68), ("Beacon", "Badge", -61)):
            name = f"{number}-{receiver}.csv"
            (folder / name).write_text(walk(generator, level, generator.gauss(0, 2.5)))
            rows.append(f"{name},{receiver},{transmitter},day {number}")
    path = folder / "runs.csv"
    path.write_text("\n".join(rows) + "\n")
    return path
