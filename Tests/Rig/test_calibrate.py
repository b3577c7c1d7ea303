"""`tabardctl calibrate`: walk tests make a calibration whose coverage is measured, or are refused in one line."""

from __future__ import annotations

import csv
import gzip
import json
import math
import os
import random
from pathlib import Path

import pytest

import program
import walk_tests
from agent import find_tabardctl
from printed_json import document_in

REPOSITORY = Path(__file__).resolve().parents[2]
RUNS = Path(os.environ.get("TABARD_DATA", REPOSITORY.parent / "shared/data")) / "ranging"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return walk_tests.table(tmp_path)


async def test_walk_tests_make_a_calibration_with_its_coverage(runs: Path) -> None:
    saved = runs.parent / "distance.json"
    ended = await program.run_well(find_tabardctl(), "calibrate", "--runs", str(runs), "--save", str(saved), "--json")
    result = document_in(ended.output)
    assert len(result["runs"]) == 12 and all(each["isCalibrated"] for each in result["runs"])
    assert 0.6 < result["calibrated"]["coverage"] < 0.97
    assert result["calibrated"]["meanWidthCentimetres"] < result["calibrated"]["priorWidthCentimetres"]
    calibration = json.loads(saved.read_text())
    assert 1.1 < calibration["model"]["exponent"] < 1.9
    levels = {(each["receiver"], each["transmitter"]): each["levelDBm"] for each in calibration["pairs"]}
    assert 3 < levels["Beacon", "Badge"] - levels["Badge", "Beacon"] < 11
    assert {each["file"] for each in calibration["sources"]} == {path.name for path in runs.parent.glob("?-*.csv")}
    again = await program.run(find_tabardctl(), "calibrate", "--runs", str(runs), "--save", str(saved))
    assert again.exit_code == 73 and again.errors.count("\n") == 1
    table = await program.run_well(find_tabardctl(), "calibrate", "--runs", str(runs))
    assert "calibrated pairs: " in table.output and "COVERAGE" in table.output
    lines = list(csv.DictReader((await program.run_well(find_tabardctl(), "calibrate", "--runs", str(runs), "--csv")).output.splitlines()))
    assert [float(line["coverage"]) for line in lines] == [each["coverage"] for each in result["runs"]]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", ":1: expected the header"),
        ("time,rssi\n", ":1: expected the header"),
        ("time,rssi,distance\n", "the file has no readings"),
        ("time,rssi,distance\n2026-11-21 10:00:00,-60\n", ":2: expected three fields"),
        ("time,rssi,distance\nyesterday,-60,100\n", ":2: expected a time"),
        ("time,rssi,distance\n2026-11-21 10:00:00,loud,100\n", ":2: the RSSI is not a decimal number"),
        ("time,rssi,distance\n2026-11-21 10:00:00,-200,100\n", ":2: the RSSI is outside"),
        ("time,rssi,distance\n2026-11-21 10:00:00,-60,1e3\n", ":2: the distance is not"),
        ("time,rssi,distance\n2026-11-21 10:00:00,-60,99999\n", ":2: the distance is outside"),
        ("time,rssi,distance\n" + "9" * 200 + "\n", ":2: longer than"),
        ("time,rssi,distance\n2026-11-21 10:00:00,-60,100\n", "not calibrated: "),
    ],
    ids=str,
)
async def test_a_walk_test_with_a_mistake_is_refused_in_one_line(tmp_path: Path, content: str, complaint: str) -> None:
    file = tmp_path / "walk.csv"
    file.write_text(content)
    saved = tmp_path / "distance.json"
    ended = await program.run(
        find_tabardctl(), "calibrate", str(file), "--receiver", "A", "--transmitter", "B", "--save", str(saved)
    )
    assert ended.exit_code == 65 and ended.errors.count("\n") == 1 and complaint in ended.errors
    assert not saved.exists()


async def test_files_of_one_name_in_several_folders_are_sessions_of_their_own(tmp_path: Path) -> None:
    generator = random.Random(26)
    files = [tmp_path / day / "walk.csv" for day in ("monday", "tuesday", "friday")]
    for file in files:
        file.parent.mkdir()
        file.write_text(walk_tests.walk(generator, -60, generator.gauss(0, 2.5)))
    models = ("--receiver", "Badge", "--transmitter", "Badge")
    ended = await program.run_well(find_tabardctl(), "calibrate", *map(str, files), *models, "--json")
    sessions = [each["session"] for each in document_in(ended.output)["runs"]]
    assert sorted(sessions) == ["walk.csv", "walk.csv (2)", "walk.csv (3)"]


async def test_a_session_that_is_too_long_is_told_the_limit(tmp_path: Path) -> None:
    table, walk_test = tmp_path / "runs.csv", tmp_path / "walk.csv"
    walk_test.write_text(walk_tests.walk(random.Random(26), -60, 0))
    table.write_text(f"file,receiver,transmitter,session\nwalk.csv,Badge,Badge,{'x' * 65}\n")
    ended = await program.run(find_tabardctl(), "calibrate", "--runs", str(table))
    assert ended.exit_code == 65 and ended.errors.count("\n") == 1 and "1 to 64 bytes" in ended.errors


@pytest.mark.skipif(not RUNS.exists(), reason="no ranging runs in $TABARD_DATA")
async def test_published_runs_are_covered_as_the_document_says(tmp_path: Path) -> None:
    rows = ["file,receiver,transmitter,session"]
    with (RUNS / "metadata.csv").open() as metadata:
        for run in csv.DictReader(metadata):
            for own, other, side in (("a", "b", "a"), ("b", "a", "b")):
                name = run[f"filenamephone{side}"]
                packed = RUNS / f"{name}.gz"
                if name and packed.exists():
                    (tmp_path / name).write_bytes(gzip.decompress(packed.read_bytes()))
                    rows.append(f"{name},{run[f'phone{own}name']},{run[f'phone{other}name']},{name[:13]}")
    table = tmp_path / "runs.csv"
    table.write_text("\n".join(rows) + "\n")
    ended = await program.run_well(find_tabardctl(), "calibrate", "--runs", str(table), "--json")
    result = document_in(ended.output)
    assert 0.75 <= result["calibrated"]["coverage"] <= 0.85
    assert 0.75 <= result["all"]["coverage"] <= 0.85
    for pooled in (result["calibrated"], result["all"]):
        assert pooled["meanWidthCentimetres"] < pooled["priorWidthCentimetres"]
    text = (REPOSITORY / "docs/distance.md").read_text()
    for run in result["runs"]:
        assert f"| {run['receiver']} ← {run['transmitter']} | {run['coverage'] * 100:.1f} % |" in text
