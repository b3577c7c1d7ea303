"""Herald's logs: `tabardctl export herald` of a real agent's encounters, and `tabardctl analyse formal`."""

from __future__ import annotations

import base64
import csv
import io
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

import herald
import program
import terminal
from agent import find_tabardctl
from phone_kinds import ANDROID_CURRENT, PhoneKind
from printed_json import document_in
from venue import Venue, until_left_alone

COLUMNS = ["time", "sensor", "id", "detect", "read", "measure", "share", "visit", "detectHerald", "delete", "data"]
FIRST_HEADER = "time,sensor,id,detect,read,measure,share,visit,data\n"


def short_name(payload: bytes) -> str:
    """The short name of a payload, as Herald's phones form it."""
    return base64.b64encode(payload[3:]).decode()[:6]


async def test_an_export_has_the_rows_that_a_phone_would_have_written(venue: Venue, tmp_path: Path) -> None:
    await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT)
    await until_left_alone(phone)
    heard = len(venue.truth.hearings)
    await venue.truth.hearings.until(lambda all: len(all) > heard + 8, what="adverts in peace")
    phone.switch_off()
    (truth,) = venue.truth.encounters(phone.name, gap_seconds=5)
    await venue.synced(
        lambda all: any(encounter.readings >= truth.readings for encounter in all), what="whole encounter"
    )

    export = ["export", "herald", "--archive", str(venue.tabardctl.archive), "--output", str(tmp_path / "test")]
    await venue.tabardctl.run(*export)
    (folder,) = (tmp_path / "test").iterdir()
    with open(folder / "contacts.csv", newline="") as file:
        reader = csv.DictReader(file)
        assert reader.fieldnames == COLUMNS
        rows = [row for row in reader if row["id"] == phone.address]
    assert [row["data"] for row in rows if row["read"] == "2"] == [short_name(phone.payload)]
    assert len([row for row in rows if row["detect"] == "1"]) == 1
    measured = [row for row in rows if row["measure"] == "3"]
    assert measured
    for row in measured:
        assert truth.rssi_minimum_dbm <= float(row["data"].removeprefix("RSSI:").split("[")[0]) <= truth.rssi_maximum_dbm
        at = datetime.strptime(row["time"], "%Y-%m-%d %H:%M:%S.%f%z").timestamp()
        assert truth.start - 1 < at < truth.end + 1
    model, system, _, _, *others = (folder / "detection.csv").read_text().strip().split(",")
    assert model and system == "Linux" and short_name(phone.payload) in others

    again = await program.run(find_tabardctl(), *export)
    assert again.exit_code == 73 and again.errors.count("\n") == 1 and "--force" in again.errors
    await venue.tabardctl.run(*export, "--force", "--generation", "1")
    assert (folder / "contacts.csv").read_text().startswith(FIRST_HEADER)


def phone_that_says(power_dbm: int) -> PhoneKind:
    """An Android phone whose adverts contain its transmit power."""
    structures = (herald.flags(0x02), herald.tx_power(power_dbm), herald.service_list(herald.SERVICE))
    return replace(ANDROID_CURRENT, advert_structures=structures, pseudo_address_manufacturer=None)


async def test_each_reading_stands_beside_the_power_its_advert_said(venue: Venue, tmp_path: Path) -> None:
    """HP-C28: after a change of a phone's TX power, readings and export have the new value, in one encounter.
    """
    await venue.start_agent(encounters={"raw": True})
    phone = await venue.phone(phone_that_says(12))
    await until_left_alone(phone)
    heard = len(venue.truth.hearings)
    await venue.truth.hearings.until(lambda all: len(all) > heard + 8, what="adverts with the first power")
    await phone.advertise_as(phone_that_says(-8))
    first = len(venue.truth.hearings)
    await venue.truth.hearings.until(lambda all: len(all) > first + 8, what="adverts with the other power")
    rssi_dbm = venue.rssi_dbm(phone)
    phone.switch_off()
    (truth,) = venue.truth.encounters(phone.name, gap_seconds=5)
    await venue.synced(
        lambda all: any(encounter.readings >= truth.readings for encounter in all), what="whole encounter"
    )
    expected = [12] * first + [-8] * (truth.readings - first)

    archive = ["--archive", str(venue.tabardctl.archive)]
    table = await venue.tabardctl.run("encounters", "--readings", *archive)
    rows = list(csv.DictReader(io.StringIO(table)))
    assert {row["identity"] for row in rows} == {phone.payload.hex()}
    assert [int(row["tx_power_dbm"]) for row in rows] == expected

    await venue.tabardctl.run("export", "herald", *archive, "--output", str(tmp_path / "test"))
    (folder,) = (tmp_path / "test").iterdir()
    with open(folder / "contacts.csv", newline="") as file:
        measured = [row["data"] for row in csv.DictReader(file) if row["measure"] == "3"]
    assert measured == [f"RSSI:{rssi_dbm}.0[BLETransmitPower:{power:.1f}]" for power in expected]


def write_device(folder: Path, name: str, own: str, other: str, minutes: range) -> None:
    """Writes the files of a device that hears the other twice a minute, in seconds 0 and 30."""
    place = folder / name
    place.mkdir(parents=True)
    (place / "detection.csv").write_text(f"{name},Linux,1,{own},{other}\n")
    rows = [f"2026-11-21 09:{minute:02}:{second:02},BLE,AA,,,3,,,RSSI:-60.0\n" for minute in minutes for second in (0, 30)]
    (place / "contacts.csv").write_text(FIRST_HEADER + f"2026-11-21 09:00:00,BLE,AA,,2,,,,{other}\n" + "".join(rows))


async def test_figures_of_a_formal_test_are_printed(programs: None, tmp_path: Path) -> None:
    write_device(tmp_path / "test", "one", "aaaaaa", "bbbbbb", range(0, 10))
    write_device(tmp_path / "test", "two", "bbbbbb", "aaaaaa", range(0, 5))
    times = ["--start", "2026-11-21 09:00:00", "--end", "2026-11-21 09:09:59"]
    ended = await program.run_well(find_tabardctl(), "analyse", "formal", tmp_path / "test", *times, "--json")
    figures = document_in(ended.output)
    assert figures["detection"] == {"achieved": 2, "maximum": 2, "percent": 100}
    assert figures["continuity"] == {"achieved": 30, "maximum": 40, "percent": 75}
    assert {(pair["observer"], pair["windows"]) for pair in figures["pairs"]} == {("one", 20), ("two", 10)}
    ended = await program.run_well(find_tabardctl(), "analyze", "formal", tmp_path / "test", *times)
    assert "75.0000 % (30 of 40 windows" in ended.output


async def test_figures_of_a_formal_test_fit_a_terminal(programs: None, tmp_path: Path) -> None:
    name = "the phone of the third volunteer on the left side"
    write_device(tmp_path / "test", name, "aaaaaa", "bbbbbb", range(0, 10))
    write_device(tmp_path / "test", "two", "bbbbbb", "aaaaaa", range(0, 10))
    shown = await terminal.run(find_tabardctl(), "analyse", "formal", tmp_path / "test")
    assert shown.exit_code == 0 and terminal.widest(shown.output) <= 80, shown.output


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["nowhere"], 66, "no such folder"),
        (["test/one"], 66, "two devices"),
        (["test", "--start", "tomorrow"], 64, "not a time"),
        (["test", "--start", "2026-11-22", "--end", "2026-11-21"], 64, "--end"),
        (["test", "odd"], 65, "contacts.csv"),
        (["test", "silent"], 66, "detection.csv"),
    ],
)
async def test_errors_are_one_line(
    programs: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, word: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_device(tmp_path / "test", "one", "aaaaaa", "bbbbbb", range(0, 10))
    write_device(tmp_path / "test", "two", "bbbbbb", "aaaaaa", range(0, 5))
    write_device(tmp_path / "odd", "three", "cccccc", "aaaaaa", range(0, 1))
    (tmp_path / "odd" / "three" / "contacts.csv").write_text("a,b\n")
    write_device(tmp_path / "silent", "four", "dddddd", "aaaaaa", range(0, 1))
    (tmp_path / "silent" / "four" / "detection.csv").unlink()
    ended = await program.run(find_tabardctl(), "analyse", "formal", *arguments)
    assert ended.exit_code == code, ended.errors
    assert word in ended.errors and ended.errors.count("\n") == 1 and ended.output == ""
