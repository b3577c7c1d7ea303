"""An archive of ten wearables, of which some meet every day. The board's own code writes its logs."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import custody
import program
from agent import find_simulator, find_tabardctl
from printed_json import document_in


@dataclass(frozen=True)
class Sample:
    """The folder of the archive, and what the operator's program says of it."""

    folder: Path

    @property
    def path(self) -> Path:
        """The archive at its usual place, where `tabardctl` believes its rows."""
        return self.folder / "tabard" / "archive.sqlite"

    async def run(self, *arguments: str) -> program.Ended:
        return await program.run(find_tabardctl(), *arguments)

    async def printed(self, *arguments: str) -> str:
        return (await program.run_well(find_tabardctl(), *arguments)).output

    async def document(self, *arguments: str) -> Any:
        return document_in(await self.printed(*arguments, "--json"))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path)) as database:
            return database.execute(sql).fetchall()

    def change(self, *statements: str) -> None:
        """Changes rows as if the program had written them."""
        with closing(sqlite3.connect(self.path)) as database, database:
            for sql in statements:
                database.execute(sql)
        custody.settle(self.path)


async def at(folder: Path, monkeypatch: pytest.MonkeyPatch, encounter_count: int = 2_000) -> Sample:
    """Makes the archive in a folder, which becomes the usual place of archives."""
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "settings"))
    sample = Sample(folder)
    # Tests of one process share what each of them would make the same.
    model = folder.parent / f"sample-archive-{encounter_count}"
    if model.exists():
        shutil.copytree(model, folder, dirs_exist_ok=True)
        custody.settle(sample.path)
        return sample
    sample.path.parent.mkdir()
    await program.run_well(find_simulator(), "archive", "--encounters", str(encounter_count), sample.path)
    sample.path.chmod(0o600)
    await sample.printed("archive", "upgrade")
    for part in ("tabard", "settings"):
        shutil.copytree(folder / part, model / part)
    return sample


def moment(milliseconds: int) -> str:
    """A time as the program prints it for programs."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
