"""The logs of phones with Herald through a board's log, the archive, its contacts and the export, to the same answer."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

import custody
import program
from agent import find_simulator, find_tabardctl
from printed_json import document_in
from test_herald_logs import FIRST_HEADER, write_device

PUBLISHED = Path(os.environ.get("TABARD_DATA", Path(__file__).resolve().parents[3] / "shared/data")) / "herald-2020-12-08.zip"
PUBLISHED_TIMES = (
    *("--start", "2020-12-08 23:20:00", "--end", "2020-12-09 11:00:00"),
    *("--outer-start", "2020-12-08 23:00:00", "--outer-end", "2020-12-09 11:20:00"),
)


async def asked(*arguments: str | Path) -> Any:
    return document_in((await program.run_well(find_tabardctl(), *arguments, "--json", within=120)).output)


async def brought_round(phones: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[dict[str, Any]]]:
    """Imports the phones' logs; returns the folder of the export, and the contacts."""
    monkeypatch.setenv("XDG_DATA_HOME", str(place))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "settings"))
    archive = place / "tabard" / "archive.sqlite"
    archive.parent.mkdir(parents=True)
    await program.run_well(find_simulator(), "herald-logs", phones, archive, within=120)
    archive.chmod(0o600)
    await program.run_well(find_tabardctl(), "archive", "upgrade", within=300)
    custody.settle(archive)
    export = ("export", "herald", "--output", place / "export", "--generation", "1", "--time-zone", "utc")
    await program.run_well(find_tabardctl(), *export, within=120)
    return place / "export", await asked("contacts")


def without_folders(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures without the devices' models, which are the boards' names in an export."""
    names = [{key: device[key] for key in ("name", "shortName")} for device in figures["devices"]]
    return figures | {"devices": names}


async def test_logs_of_phones_give_the_same_figures_after_the_whole_way(
    programs: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_device(tmp_path / "phones", "one", "aaaaaa", "bbbbbb", range(0, 10))
    write_device(tmp_path / "phones", "two", "bbbbbb", "aaaaaa", range(0, 5))
    # A third phone is met by a share only, after its payload was read, and meets nobody.
    write_device(tmp_path / "phones", "three", "cccccc", "dddddd", range(0, 10))
    with open(tmp_path / "phones" / "one" / "contacts.csv", "a") as file:
        file.write("2026-11-21 09:04:10,BLE,BB,,2,,,,cccccc\n2026-11-21 09:04:40,BLE,AA,,,,4,,cccccc\n")
    export, contacts = await brought_round(tmp_path / "phones", tmp_path / "place", monkeypatch)
    assert (export / "one" / "contacts.csv").read_text().startswith(FIRST_HEADER)
    times = ("--start", "2026-11-21 09:00:00", "--end", "2026-11-21 09:09:59")
    figures = await asked("analyse", "formal", tmp_path / "phones", *times)
    assert figures["detection"] == {"achieved": 3, "maximum": 6, "percent": 50}
    assert without_folders(await asked("analyse", "formal", export, *times)) == without_folders(figures)
    assert {frozenset((each["board"]["name"], each["otherBoard"]["name"])) for each in contacts} == {
        frozenset(("one", "two")),
        frozenset(("one", "three")),
    }


@pytest.mark.skipif(not PUBLISHED.exists(), reason="no herald-2020-12-08.zip in $TABARD_DATA")
async def test_herald_s_published_logs_give_the_published_figures_after_the_whole_way(
    programs: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(PUBLISHED) as files:
        files.extractall(tmp_path, [name for name in files.namelist() if name.startswith("20201208/")])
    phones = tmp_path / "20201208"
    export, contacts = await brought_round(phones, tmp_path / "place", monkeypatch)
    figures = await asked("analyse", "formal", export, *PUBLISHED_TIMES)
    assert figures["continuity"]["achieved"] == 16_799 and figures["continuity"]["maximum"] == 16_800
    assert figures["detection"]["achieved"] == figures["detection"]["maximum"] == 12
    assert without_folders(figures) == without_folders(await asked("analyse", "formal", phones, *PUBLISHED_TIMES))
    # Each of four phones met the three others, who met it, from the evening to the next day.
    assert len(contacts) == 6 and all(
        each[side]["readings"] > 1_000 for each in contacts for side in ("board", "otherBoard")
    )
