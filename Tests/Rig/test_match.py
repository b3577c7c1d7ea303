"""Published keys, found in an archive: `tabardctl match`, with the vectors' own key and export."""

from __future__ import annotations

import base64
import json
import sqlite3
import textwrap
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import custody
import program
import pytest
from agent import find_tabardctl
from printed_json import document_in

VECTORS = json.loads((Path(__file__).parents[1] / "Vectors/schemes/gaen.json").read_text())
EXPORT = VECTORS["own_export"]
KEY = VECTORS["own"][0]
# SubjectPublicKeyInfo of a P-256 key, up to the point.
SPKI = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
# 2020-05-21T00:00Z, the key's first interval.
DAY = KEY["rolling_start_interval"] * 600


@dataclass(frozen=True)
class Desk:
    """An operator's folder: an archive, an export as a zip file, the authority's key."""

    folder: Path

    async def match(self, *arguments: str | Path) -> program.Ended:
        """Searches as of noon of the key's day."""
        command = (find_tabardctl(), "match", "exposure-notification", "--archive", self.folder / "archive.sqlite")
        return await program.run(*command, "--as-of", "2020-05-21T12:00Z", *arguments)

    @property
    def zip(self) -> Path:
        return self.folder / "export.zip"

    @property
    def key(self) -> tuple[str, Path]:
        return "--verification-key", self.folder / "authority.pem"


def write_pem(path: Path, point: str) -> None:
    text = base64.b64encode(SPKI + bytes.fromhex(point)).decode()
    lines = ["-----BEGIN PUBLIC KEY-----", *textwrap.wrap(text, 64), "-----END PUBLIC KEY-----"]
    path.write_text("\n".join(lines) + "\n")


def fill(archive: Path) -> None:
    """Adds 20 minutes near the key's phone at -70 dBm: two identifiers, with a sample every eight seconds."""
    with sqlite3.connect(archive) as database:
        database.execute(
            "INSERT INTO board (id, logIdentity, name, blockByteCount, unitByteCount)"
            " VALUES (1, ?, 'Foyer', 4096, 512)",
            [bytes(range(16))],
        )
        database.execute(
            "INSERT INTO boot (id, boardID, bootIdentifier, firstSegmentOrdinal, firstByteOffset, startMilliseconds,"
            " softwareVersion, sampleMilliseconds, gapMilliseconds, lossWindowMilliseconds, role)"
            " VALUES (1, 1, 1, 0, 0, 0, '0.1.0', 8000, 30000, 30000, 0)"
        )
        database.execute(
            "INSERT INTO anchor (bootID, monotonicMilliseconds, wallClockMilliseconds, errorMilliseconds, source)"
            " VALUES (1, 0, ?, 40, 0)",
            [DAY * 1000],
        )
        for number, first in enumerate(KEY["first3"][:2], start=1):
            start = (number - 1) * 600_000
            payload = bytes.fromhex(first["rpi"] + first["aem_40f40000"])
            track = (number, number, start, bytes([number] * 6), start + 600_000)
            database.execute(
                "INSERT INTO track (id, bootID, number, firstSightingMilliseconds, address, addressType,"
                " lastReadingMilliseconds, readingCount) VALUES (?, 1, ?, ?, ?, 1, ?, 1500)",
                track,
            )
            database.execute(
                "INSERT INTO identification (trackID, monotonicMilliseconds, scheme, payload, marks)"
                " VALUES (?, ?, 5, ?, 0)",
                [number, start, payload],
            )
            samples = [(number, start + index * 8_000, start + (index + 1) * 8_000) for index in range(75)]
            database.executemany(
                "INSERT INTO sample (trackID, startMilliseconds, endMilliseconds, readingCount, minimumDBm, maximumDBm,"
                " meanTenthsDBm) VALUES (?, ?, ?, 20, -75, -65, -700)",
                samples,
            )


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    archive = tmp_path / "archive.sqlite"
    archive.touch()
    # An empty file becomes an archive.
    await program.run_well(find_tabardctl(), "archive", "upgrade", "--archive", archive)
    fill(archive)
    custody.settle(archive)
    # The encounters of these rows.
    await program.run_well(find_tabardctl(), "archive", "upgrade", "--archive", archive)
    write_pem(tmp_path / "authority.pem", EXPORT["signing_public_x963"])
    with zipfile.ZipFile(desk.zip, "w", zipfile.ZIP_DEFLATED) as file:
        for name in ("bin", "sig"):
            file.writestr(f"export.{name}", bytes.fromhex(EXPORT[f"export_{name}"]))
    return desk


async def document(desk: Desk, *arguments: str | Path) -> dict[str, Any]:
    ended = await desk.match(desk.zip, *desk.key, "--format", "json", *arguments)
    assert ended.exit_code == 0, ended
    return document_in(ended.output)


async def test_encounters_windows_and_a_day_s_risk_of_a_published_key(desk: Desk) -> None:
    found = await document(desk)
    assert [row["identifier"] for row in found["encounters"]] == [first["rpi"] for first in KEY["first3"][:2]]
    assert {row["key"] for row in found["encounters"]} == {KEY["tek"]}
    # The metadata contain -12 dBm.
    assert {row["attenuation"] for row in found["encounters"]} == {58.0}
    assert [(row["seconds"], row["reportType"]) for row in found["windows"]] == [(1_200, "confirmedTest")]
    [day] = found["days"]
    assert (day["date"], day["score"], day["level"]) == ("2020-05-21", 960.0, "high")
    # All at 58 dB, which is near.
    assert [row["secondsByAttenuation"] for row in found["windows"]] == [
        {"immediate": 0, "near": 1_200, "medium": 0, "other": 0}
    ]
    [day] = (await document(desk, "--risk", "swisscovid-pilot"))["days"]
    assert (day["score"], day["level"]) == (0.0, "none")
    [day] = (await document(desk, "--risk", "version-1"))["days"]
    # The key has no risk of its own, and 2 × 5 × 1 is less than 11.
    assert (day["score"], day["level"]) == (0.0, None)


async def test_windows_are_written_as_phones_give_them_to_apps(desk: Desk) -> None:
    path = desk.folder / "windows.json"
    await document(desk, "--windows", path)
    [window] = json.loads(path.read_text())
    scans = window.pop("scanInstances")
    # 2020-05-21, confirmed by a test.
    assert window == {
        "dateMillisSinceEpoch": 1_590_019_200_000,
        "reportType": 1,
        "infectiousness": 1,
        "calibrationConfidence": 0,
    }
    assert {(scan["typicalAttenuationDb"], scan["minAttenuationDb"]) for scan in scans} == {(58, 58)}
    assert sum(scan["secondsSinceLastScan"] for scan in scans) == 1_200
    ended = await desk.match(desk.zip, *desk.key, "--windows", path)
    assert ended.exit_code == 73 and "--force" in ended.errors, ended


async def test_an_authority_s_table_and_ten_days_of_corona_warn_app(desk: Desk) -> None:
    table = desk.folder / "table"
    for text, infectiousness, score in [
        ("-14..-2 none\n-1..14 high  # since the onset\nmissing none\nreport clinical\n", "high", 960.0),
        ("-14..-2 high\n-1..14 none\nmissing high\nreport clinical\n", "none", 0.0),
    ]:
        table.write_text(text)
        found = await document(desk, "--infectiousness", table)
        # The key is of the day before the onset.
        assert [window["infectiousness"] for window in found["windows"]] == [infectiousness]
        assert [day["score"] for day in found["days"]] == [score]
    table.write_text("-14..14 high\nmissing high\nreport positive\n")
    ended = await desk.match(desk.zip, *desk.key, "--infectiousness", table)
    assert ended.exit_code == 65 and f"{table}: line 3: positive: unknown; write confirmed-test" in ended.errors, ended
    assert ended.errors.count("\n") == 1 and not ended.output, ended

    later = ("--as-of", "2020-06-01T00:00Z")
    found = await document(desk, *later)
    assert len(found["windows"]) == 1 and found["days"] == []
    assert len((await document(desk, *later, "--risk", "swisscovid-pilot"))["days"]) == 1
    ended = await desk.match(desk.zip, *desk.key, *later)
    assert "1 windows are more than 10 days old; corona-warn-app ignores them" in ended.errors, ended


async def test_tables_and_csv(desk: Desk) -> None:
    ended = await desk.match(desk.zip, *desk.key)
    assert ended.exit_code == 0, ended
    titles = [line.split("  ")[0] for line in ended.output.splitlines() if line and line[0].isalpha()]
    assert titles == ["ENCOUNTER", "WINDOW", "DAY (UTC)"], ended.output
    assert "2020-05-21        1     20 min  16.0 min  high  Foyer" in ended.output, ended.output
    ended = await desk.match(desk.zip, *desk.key, "--format", "csv")
    assert [line.count(",") for line in ended.output.splitlines()] == [11, 11, 11], ended.output


async def test_two_weeks_later_nothing_matches(desk: Desk) -> None:
    ended = await desk.match(desk.zip, *desk.key, "--as-of", "2020-06-05T00:00Z")
    assert ended.exit_code == 0 and not ended.output
    assert "2 encounters are more than 14 days old and cannot match" in ended.errors
    assert "no match; 2 keys, 0 recorded encounters" in ended.errors


async def test_folders_and_unsigned_exports(desk: Desk) -> None:
    folder = desk.folder / "day"
    folder.mkdir()
    (folder / "export.bin").write_bytes(bytes.fromhex(EXPORT["export_bin"]))
    assert (await desk.match(folder, *desk.key)).exit_code == 66
    assert "were not checked" in (await desk.match(folder, "--unverified")).errors
    (folder / "export.sig").write_bytes(bytes.fromhex(EXPORT["export_sig"]))
    assert (await desk.match(folder, *desk.key)).exit_code == 0
    assert (await desk.match(folder / "export.bin", *desk.key)).exit_code == 0


async def test_refusals_are_one_line(desk: Desk) -> None:
    await program.run_well(find_tabardctl(), "keys", "new", "--directory", desk.folder)
    damaged = desk.folder / "damaged.zip"
    damaged.write_bytes(desk.zip.read_bytes()[:-30])
    for arguments, code, text in [
        ((desk.zip, "--verification-key", desk.folder / "operator.pub.pem"), 65, "not signed with this key"),
        ((damaged, *desk.key), 65, "fetch it again"),
        ((desk.folder / "none.zip", *desk.key), 66, "no such file"),
        ((desk.zip, "--verification-key", desk.folder / "none.pem"), 66, "no such file"),
    ]:
        ended = await desk.match(*arguments)
        assert ended.exit_code == code and text in ended.errors and not ended.output, ended
        assert ended.errors.count("\n") == 1, ended
    assert (await desk.match(desk.zip)).exit_code == 64
    assert (await desk.match(desk.zip, *desk.key, "--unverified")).exit_code == 64
