"""Distances of contacts: intervals by a calibration and the models of both devices, or the reason why there is none."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

import sample_archive
import walk_tests
from exports import tables
from sample_archive import Sample


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    """Board 1 is a beacon, Board 2 to 4 are badges, and the models of the others are unknown."""
    sample = await sample_archive.at(tmp_path, monkeypatch, encounter_count=1_000)
    names = sample.folder / "models.csv"
    names.write_text("id,model\nBoard 1,Beacon\nBoard 2,Badge\nBoard 3,Badge\nBoard 4,Badge\n")
    await sample.printed("label", "--names", str(names))
    return sample


async def calibrated(sample: Sample) -> Path:
    """The calibration in its usual place: of a badge that hears a beacon, and of a beacon that hears a badge."""
    path = sample.folder / "settings" / "tabard" / "distance.json"
    await sample.printed("calibrate", "--runs", str(walk_tests.table(sample.folder)), "--save", str(path))
    return path


MODELS = {"Board 1": "Beacon", "Board 2": "Badge", "Board 3": "Badge", "Board 4": "Badge"}


async def test_without_a_calibration_no_contact_has_a_distance(sample: Sample) -> None:
    for contact in await sample.document("contacts"):
        for side in ("board", "otherBoard"):
            assert contact[side]["distance"] == {
                "lowerCentimetres": None,
                "upperCentimetres": None,
                "coverage": None,
                "notCalibrated": "noCalibration",
            }
    assert "DISTANCE" not in await sample.printed("contacts")


async def test_a_contact_has_an_interval_in_each_direction_that_was_walked(sample: Sample) -> None:
    await calibrated(sample)
    reasons = set()
    means: list[tuple[float, int]] = []
    for contact in await sample.document("contacts"):
        for own, other in (("board", "otherBoard"), ("otherBoard", "board")):
            side = contact[own]
            models = MODELS.get(side["name"]), MODELS.get(contact[other]["name"])
            distance = side["distance"]
            if side["readings"] == 0:
                expected = "noReadings"
            elif None in models:
                expected = "modelUnknown"
            else:
                expected = None if set(models) == {"Beacon", "Badge"} else "pairWithoutWalkTest"
            assert distance["notCalibrated"] == expected
            reasons.add(expected)
            if expected is None:
                assert distance["coverage"] == 0.8
                assert distance["upperCentimetres"] is None or distance["lowerCentimetres"] < distance["upperCentimetres"]
                if models[0] == "Badge":
                    means.append((side["rssiMean"], distance["lowerCentimetres"]))
            else:
                assert distance["lowerCentimetres"] is None and distance["upperCentimetres"] is None
    assert reasons == {None, "modelUnknown", "pairWithoutWalkTest"}
    means.sort()
    assert [lower for _, lower in means] == sorted((lower for _, lower in means), reverse=True)


async def test_the_lists_for_people_say_the_interval_and_its_coverage(sample: Sample) -> None:
    await calibrated(sample)
    ended = await sample.run("contacts", "--board", "Board 1")
    assert "DISTANCE" in ended.output and "not calibrated" in ended.output
    assert " cm" in ended.output
    runs = await sample.document("calibrate", "--runs", str(sample.folder / "runs.csv"))
    measured = runs["calibrated"]["coverage"]
    printed = re.search(r"([0-9.]+) % measured in 6 sessions", ended.output + ended.errors)
    assert printed and abs(float(printed[1]) - measured * 100) <= 0.0501
    report = sample.folder / "report.html"
    await sample.printed("report", "--output", str(report), "--detail", "Board 1")
    assert 'data-of="distance">not calibrated<' in report.read_text() and " cm<" in report.read_text()


async def test_who_met_and_exports_have_the_distances_of_contacts(sample: Sample) -> None:
    await calibrated(sample)
    expected = [best(each) for each in await sample.document("contacts")]
    rows = (await tables(sample))["contacts"]
    assert [(row["distance_lower_cm"], row["distance_upper_cm"], row["not_calibrated"]) for row in rows] == expected
    # Under pseudonyms the participants of a contact may change places.
    hidden = (await tables(sample, "--pseudonyms", str(sample.folder / "secret")))["contacts"]
    assert sorted(map(key, hidden)) == sorted(map(key, rows))
    met = (await sample.document("who-met", "Board 1"))["meetings"]
    own = [each for each in await sample.document("contacts") if "Board 1" in (each["board"]["name"], each["otherBoard"]["name"])]
    assert [interval(each["distance"]) for each in met] == [best(each) for each in own]


def interval(distance: dict[str, Any]) -> tuple[int | None, int | None, str | None]:
    return distance["lowerCentimetres"], distance["upperCentimetres"], distance["notCalibrated"]


def best(contact: dict[str, Any]) -> tuple[int | None, int | None, str | None]:
    """The direction with more readings, unless only the other one is calibrated; then the narrower interval."""
    sides = sorted((contact["board"], contact["otherBoard"]), key=lambda side: (-side["readings"], width(side["distance"])))
    calibrated = [side for side in sides if side["distance"]["notCalibrated"] is None]
    return interval((calibrated or sides)[0]["distance"])


def width(distance: dict[str, Any]) -> int:
    """The walk tests go to 380 cm."""
    return (distance["upperCentimetres"] or 380) - (distance["lowerCentimetres"] or 0)


def key(row: dict[str, Any]) -> tuple[str, str, str]:
    return str(row["start"]), str(row["distance_lower_cm"]), str(row["not_calibrated"])


async def test_a_damaged_calibration_is_refused_in_one_line(sample: Sample) -> None:
    path = sample.folder / "other.json"
    path.write_text('{"format": "something else", "version": 1}')
    for command in (["contacts"], ["who-met", "Board 1"], ["export", "jsonl", "--output", "-"]):
        ended = await sample.run(*command, "--calibration", str(path))
        assert ended.exit_code == 65 and ended.errors.count("\n") == 1 and "tabardctl calibrate --save" in ended.errors
    ended = await sample.run("contacts", "--calibration", str(sample.folder / "absent.json"))
    assert ended.exit_code == 66


async def test_models_are_labels_and_come_out_again(sample: Sample) -> None:
    await sample.printed("label", "Board 5", "--model", "Badge")
    boards = (await sample.document("boards"))
    assert [each["model"] for each in boards[:6]] == ["Beacon", "Badge", "Badge", "Badge", "Badge", None]
    listed = list(csv.DictReader((await sample.printed("label", "--csv")).splitlines()))
    assert [each["model"] for each in listed][:2] == ["Beacon", "Badge"]
    ended = await sample.run("label", "Board 5", "--model", "x" * 65)
    assert ended.exit_code == 64 and "64 bytes" in ended.errors
