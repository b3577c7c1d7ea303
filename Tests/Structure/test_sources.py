"""Mistakes that only an optimised program shows. The rig runs programs that are not optimised."""

from __future__ import annotations

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources"


def test_no_task_local_value_is_a_function() -> None:
    """An optimised program crashes when such a value is set (``ArchiveProgressListener``)."""
    declared = {
        f"{path.relative_to(SOURCES)}: {line.strip()}"
        for path in SOURCES.rglob("*.swift") for line in path.read_text().splitlines() if "@TaskLocal" in line
    }  # fmt: skip
    assert declared
    assert {line for line in declared if re.search(r"->|@Sendable", line)} == set()
