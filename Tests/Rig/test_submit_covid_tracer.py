"""From a patient to the contacts in CovidTracer: the report, the published cases, and the matches."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import stat
from pathlib import Path

import desk as desks
import pytest
from desk import Desk
from submissions import DAY, ONSET, covid_tracer_identifier, covid_tracer_report, secret, utc


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


async def test_covid_tracer_there_and_back(desk: Desk) -> None:
    root, healthy = bytes(range(32)), bytes(range(1, 33))
    desks.start(desk, ONSET)
    desks.meet(desk, "covid-tracer", covid_tracer_identifier(root, ONSET + 9 * 3600), after=9 * 3600, seconds=600)
    desks.meet(desk, "covid-tracer", covid_tracer_identifier(healthy, ONSET + 9 * 3600), after=9 * 3600, seconds=600)
    # The identifier is repeated three hours later.
    desks.meet(desk, "covid-tracer", covid_tracer_identifier(root, ONSET + 9 * 3600), after=12 * 3600, seconds=600)

    report, register, cases = (desk.folder / name for name in ("report.http", "register.json", "cases.json"))
    await desk.run_well(*covid_tracer_report(secret(desk, "root", root), "--tested", "--yes", "--output", report))
    authority = ("authority", "covid-tracer")
    accept = (*authority, "accept", report, "--register", register)
    ended = await desk.run(*accept)
    assert ended.exit_code == 64 and "--address" in ended.errors and not register.exists(), ended
    accept = (*accept, "--address", "192.0.2.1")
    await desk.run_well(*accept, "--at", utc(ONSET + 2 * DAY + 9 * 3600))
    assert stat.S_IMODE(register.stat().st_mode) == 0o600
    ended = await desk.run(*accept)
    assert ended.exit_code == 65 and "rejected with 403" in ended.errors, ended
    assert ended.errors.count("\n") == 1, ended

    publish = (*authority, "cases", "--register", register, "--output", cases, "--at")
    await desk.run_well(*publish, utc(ONSET + 2 * DAY + 11 * 3600))
    assert json.loads(cases.read_text()) == {"cases": []}
    await desk.run_well(*publish, utc(ONSET + 2 * DAY + 12 * 3600))
    published = json.loads(cases.read_text())["cases"]
    # The authority publishes only days before today.
    assert sorted(case["date"] for case in published) == [f"2020-11-{day}" for day in range(15, 22)]
    assert [case["key"] for case in published] == sorted(case["key"] for case in published)

    [found] = await desk.matches("covid-tracer", cases, utc(ONSET + 3 * DAY))
    assert (found["start"], found["kind"]) == ("2020-11-20T09:00:00.000Z", "positive"), found
    assert (found["durationSeconds"], found["rssiMean"], found["identityMarks"]) == (600, -70, [])
    assert found["identity"] == covid_tracer_identifier(root, ONSET + 9 * 3600).hex()
    key = hmac.digest(root, b"2020-11-20", hashlib.sha256).hex().upper()
    assert found["key"] == key
    match = ("match", "covid-tracer", cases, "--archive", desk.archive, "--as-of")
    ended = await desk.run(*match, utc(ONSET + 3 * DAY))
    assert "positive" in ended.output and "7 published, 3 recorded encounters" in ended.errors, ended
    ended = await desk.run(*match, utc(ONSET + 3 * DAY), "--format", "csv")
    assert [line.count(",") for line in ended.output.splitlines()] == [15, 15], ended
    ended = await desk.run(*match, utc(ONSET + 17 * DAY))
    assert ended.exit_code == 0 and "3 encounters are more than 15 days old" in ended.errors, ended
    assert not ended.output


async def test_malformed_covid_tracer_reports_are_rejected(desk: Desk) -> None:
    root = secret(desk, "root", bytes(range(32)))
    report, register = desk.folder / "report.http", desk.folder / "register.json"
    await desk.run_well(*covid_tracer_report(root, "--yes", "--output", report))
    whole = report.read_bytes()
    address = ("--address", "192.0.2.1")
    accept = ("authority", "covid-tracer", "accept", report, "--register", register, *address, "--at", utc(ONSET + DAY))
    values = re.findall(rb"keys-\d+-value=([0-9A-F]{64})", whole)
    for content, text in [
        (whole[:-1], "not a complete request"),
        (whole.replace(b"/notify", b"/nobody"), "not a CovidTracer report"),
        (whole.replace(b"is_tested=false", b"is_tested=False"), "rejected with 400: field is_tested is neither"),
        (whole.replace(b"keys-3-date=2020-11-18", b"keys-3-date=2020-11-31"), "400: field keys-3-date is not a date"),
        (whole.replace(b"keys-3-date=2020-11-18", b"keys-3-date=2020-11-19"), "400: field keys-3-date is not the day after"),
        (whole.replace(values[2], values[2].lower()), "400: field keys-2-value is not 64 capital hexadecimal digits"),
        (whole.replace(values[2], values[1]), "400: two days have the same key"),
        (whole.replace(b"keys-15-value", b"keys-14-value"), "400: field keys-14-value occurs twice"),
    ]:
        report.write_bytes(content)
        ended = await desk.run(*accept)
        assert ended.exit_code == 65 and text in ended.errors and not register.exists(), ended
        assert ended.errors.count("\n") == 1, ended
    report.write_bytes(whole)
    ended = await desk.run(*accept, "--at", utc(ONSET - 6 * DAY))
    assert ended.exit_code == 65 and "400: its first day, 2020-11-15, has not begun" in ended.errors, ended
    await desk.run_well(*accept)
    register.write_text(register.read_text().replace("symptomatic", "asymptomatic", 1))
    ended = await desk.run(*accept)
    assert ended.exit_code == 65 and "not a register of CovidTracer" in ended.errors, ended
    cases = desk.folder / "cases.json"
    cases.write_text('{"cases":[{"key":"00","date":"2020-11-20","type":"positive"}]}')
    ended = await desk.run("match", "covid-tracer", cases, "--archive", desk.archive)
    assert ended.exit_code == 65 and "not a cases.json" in ended.errors, ended
