"""docs/data-dictionary.md and the tables of an archive that `tabardctl` made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sample_archive

DICTIONARY = Path(__file__).resolve().parents[2] / "docs" / "data-dictionary.md"


def sections() -> dict[str, str]:
    """The text about each table: headings are like "### branch: a version" and "### gap, marker"."""
    pattern = r"^### ([\w, ]+)[^\n]*\n(.*?)(?=^##)"
    parts = re.findall(pattern, DICTIONARY.read_text(), flags=re.DOTALL | re.MULTILINE)
    return {table: text for heading, text in parts for table in heading.split(", ")}


async def test_the_dictionary_has_every_column_of_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = await sample_archive.at(tmp_path, monkeypatch, encounter_count=1_000)
    columns = sample.rows("""
        SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT IN ('grdb_migrations', 'sqlite_sequence')
        """)
    assert len(columns) > 150
    described = sections()
    missing = [
        f"{table}.{column}" for table, column in columns
        if not re.search(rf"`({table}\.)?{column}`", described.get(table, ""))
    ]  # fmt: skip
    assert missing == []
