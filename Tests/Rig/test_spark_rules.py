"""The Spark job's rules in plain Python, against the vectors: neither Spark nor Java is needed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import sample_archive

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "spark"))

from tabard_spark import columns, derivations, exposure, published  # noqa: E402

SCHEMES = ROOT / "Tests" / "Vectors" / "schemes"


def test_keys_of_exposure_notification() -> None:
    official = json.loads((SCHEMES / "gaen.json").read_text())["official"]
    keys = derivations.exposure_keys(bytes.fromhex(official["tek"]))
    assert [key.hex() for key in keys] == [official["rpik"], official["aemk"]]


def test_identifiers_of_covid_tracer() -> None:
    for chain in json.loads((SCHEMES / "covidtracer.json").read_text())["chains"]:
        for day in chain["days"]:
            found = dict(derivations.covid_tracer_identifiers(day["date"], bytes.fromhex(day["daily_key"])))
            for hour, key in day["hourly_keys_20"].items():
                assert found[int(hour)].hex().upper() == key


def test_identifiers_of_herald() -> None:
    schedule = json.loads((ROOT / "Tests/Vectors/herald-key-schedule.json").read_text())
    keys = {row["day"]: bytes.fromhex(row["key"]) for row in schedule["matchingKeys"]}
    known = [row for row in schedule["identifiers"] if row["day"] in keys and row["period"] < 240]
    for row in known:
        assert dict(derivations.herald_identifiers(keys[row["day"]]))[row["period"]].hex() == row["identifier"]
    assert known


def test_an_export_of_our_own() -> None:
    vectors = json.loads((SCHEMES / "gaen.json").read_text())
    keys, skipped = published.exposure_keys([bytes.fromhex(vectors["own_export"]["export_bin"])])
    assert vectors["own"][0]["tek"] in {key.key.hex() for key in keys} and skipped == 0
    with pytest.raises(published.PublishedError):
        published.exposure_keys([b"EK Export v1    \x0f"])


def test_windows_of_continuous_samples() -> None:
    samples = [exposure.Sample(place * 8_000, place * 8_000 + 8_000, 58) for place in range(150)]
    [window] = exposure.windows(samples)
    assert (window.start, window.seconds, window.attenuation) == (0, 1_200, 58.0)
    judged = [exposure.JudgedWindow(window, "key", "standard", 0)]
    assert exposure.day_risk("corona-warn-app", judged, 0) == (960.0, "high")
    assert exposure.day_risk("swisscovid-pilot", judged, 0) == (0.0, "none")
    assert exposure.day_risk("version-1", judged, 0) == (0.0, None)


def test_lists_that_are_refused() -> None:
    key = {"key": "00" * 32, "date": "2026-11-20"}
    form = "tabard-herald-matching-keys-1"
    assert len(published.herald_keys(json.dumps({"format": form, "keys": [key]}).encode())) == 1
    for document in [
        {"format": form, "keys": [key, key]}, {"format": "x", "keys": []}, {"format": form, "keys": [key | {"date": "2026-02-30"}]}, [],
    ]:
        with pytest.raises(published.PublishedError):
            published.herald_keys(json.dumps(document).encode())


async def test_contacts_have_the_columns_of_tabardctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = await sample_archive.at(tmp_path, monkeypatch, encounter_count=1_000)
    listed = (await sample.printed("contacts", "--csv")).splitlines()[0].split(",")
    assert set(columns.DISTANCE_COLUMNS) < set(listed)
    assert [name for name in listed if name not in columns.DISTANCE_COLUMNS] == list(columns.CONTACT_COLUMNS)
