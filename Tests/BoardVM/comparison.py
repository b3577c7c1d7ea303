"""Compares an archive with the board that its records are from."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

from tabardctl import FoundEncounter, Tabardctl


async def compare_with_the_board(archive: Tabardctl, port: Path, folder: Path) -> str:
    """A new archive in `folder` gets at least the readings that were fetched before, and the log verifies."""
    await archive.sync(port)
    fresh = Tabardctl(archive.binary, folder / f"fresh-{time.monotonic_ns()}.sqlite")
    await fresh.sync(port)
    known, again = readings(await archive.encounters()), readings(await fresh.encounters())
    if lost := {label: count for label, count in known.items() if again[label] < count}:
        raise RuntimeError(f"the board has lost what was fetched: {lost}, of which it has {again}")
    await fresh.run("verify", "--archive", str(fresh.archive))
    return f"all {sum(known.values())} readings that were fetched are still on the board, and its log verifies"


def readings(encounters: list[FoundEncounter]) -> Counter[str]:
    """Readings by the label of the device."""
    counts: Counter[str] = Counter()
    for each in encounters:
        counts[each.label] += each.readings
    return counts
