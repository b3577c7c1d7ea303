"""From who fell ill to those he met: what is handed over, what an authority makes of it, and who finds himself in it."""

from __future__ import annotations

import datetime
import hashlib
import hmac
import json
import stat
from pathlib import Path

import desk as desks
import pytest
from desk import Desk

DAY = 86_400
# 2026-11-20T00:00:00Z, the day on which the symptoms began.
ONSET = 1_795_132_800


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


def secret(desk: Desk, name: str, content: bytes) -> Path:
    path = desk.folder / name
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def utc(unix_seconds: int) -> str:
    return datetime.datetime.fromtimestamp(unix_seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def covid_tracer_identifier(root: bytes, unix_seconds: int) -> bytes:
    moment = utc(unix_seconds)
    key = hmac.digest(root, moment[:10].encode(), hashlib.sha256)
    return hmac.digest(key, moment[:13].encode(), hashlib.sha256)[:20]


def covid_tracer_report(root: Path, *options: str | Path) -> tuple[str | Path, ...]:
    return ("submit", "covid-tracer", "--root", root, "--symptoms-began", "2026-11-20", *options)


async def test_nothing_leaves_without_a_yes(desk: Desk) -> None:
    root = secret(desk, "root", bytes(range(32)))
    report = desk.folder / "report.http"
    command = covid_tracer_report(root, "--output", report)

    ended = await desk.run(*command)
    assert ended.exit_code == 64 and not ended.output and not report.exists(), ended
    assert "the keys of 16 days, 2026-11-15 to 2026-11-30 (UTC)" in ended.errors, ended
    last = ended.errors.splitlines()[-1]
    assert last == "tabardctl: nothing was written: say --yes, for nobody can be asked here", ended

    for words in ("no\n", "y\n", "\n", "\x04"):
        ended = await desk.answer(words, *command)
        assert ended.exit_code == 75 and not ended.output and not report.exists(), ended
        assert ended.errors.splitlines()[-1] == "tabardctl: nothing was written", ended
    ended = await desk.answer("no\n", *covid_tracer_report(root))
    assert ended.exit_code == 75 and not ended.output, ended

    ended = await desk.answer("yes\n", *command)
    assert ended.exit_code == 0 and report.exists(), ended
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert root.read_bytes() not in report.read_bytes()
    assert root.read_bytes().hex().upper().encode() not in report.read_bytes()


async def test_secrets_that_others_may_read_or_that_are_none(desk: Desk) -> None:
    root = secret(desk, "root", bytes(31))
    for path, code, text in [
        (root, 65, "which has 32 bytes"),
        (desk.folder / "none", 66, "there is no such file"),
        (desk.folder, 65, "no plain file"),
    ]:
        ended = await desk.run(*covid_tracer_report(path, "--yes"))
        assert ended.exit_code == code and text in ended.errors and not ended.output, ended
        assert ended.errors.count("\n") == 1, ended
    root.write_bytes(bytes(32))
    root.chmod(0o640)
    ended = await desk.run(*covid_tracer_report(root, "--yes"))
    assert ended.exit_code == 77 and "others may read this" in ended.errors and not ended.output, ended


async def test_covid_tracer_there_and_back(desk: Desk) -> None:
    root, healthy = bytes(range(32)), bytes(range(1, 33))
    desks.start(desk, ONSET)
    desks.meet(desk, "covid-tracer", covid_tracer_identifier(root, ONSET + 9 * 3600), after=9 * 3600, seconds=600)
    desks.meet(desk, "covid-tracer", covid_tracer_identifier(healthy, ONSET + 9 * 3600), after=9 * 3600, seconds=600)
    # Repeated three hours later.
    desks.meet(desk, "covid-tracer", covid_tracer_identifier(root, ONSET + 9 * 3600), after=12 * 3600, seconds=600)

    report, register, cases = (desk.folder / name for name in ("report.http", "register.json", "cases.json"))
    await desk.run_well(*covid_tracer_report(secret(desk, "root", root), "--tested", "--yes", "--output", report))
    authority = ("authority", "covid-tracer")
    accept = (*authority, "accept", report, "--register", register)
    await desk.run_well(*accept, "--at", utc(ONSET + 2 * DAY + 9 * 3600))
    assert stat.S_IMODE(register.stat().st_mode) == 0o600
    ended = await desk.run(*accept)
    assert ended.exit_code == 65 and "refused with 403" in ended.errors, ended
    assert ended.errors.count("\n") == 1, ended

    publish = (*authority, "cases", "--register", register, "--output", cases, "--at")
    await desk.run_well(*publish, utc(ONSET + 2 * DAY + 11 * 3600))
    assert json.loads(cases.read_text()) == {"cases": []}
    await desk.run_well(*publish, utc(ONSET + 2 * DAY + 12 * 3600))
    published = json.loads(cases.read_text())["cases"]
    # Of the days before today alone.
    assert sorted(case["date"] for case in published) == [f"2026-11-{day}" for day in range(15, 22)]
    assert [case["key"] for case in published] == sorted(case["key"] for case in published)

    [found] = await desk.matches("covid-tracer", cases, utc(ONSET + 3 * DAY))
    assert (found["start"], found["kind"]) == ("2026-11-20T09:00:00.000Z", "positive"), found
    assert (found["durationSeconds"], found["rssiMean"], found["identityMarks"]) == (600, -70, [])
    assert found["identity"] == covid_tracer_identifier(root, ONSET + 9 * 3600).hex()
    key = hmac.digest(root, b"2026-11-20", hashlib.sha256).hex().upper()
    assert found["key"] == key
    match = ("match", "covid-tracer", cases, "--archive", desk.archive, "--as-of")
    ended = await desk.run(*match, utc(ONSET + 3 * DAY))
    assert "positive" in ended.output and "7 published, 3 recorded encounters" in ended.errors, ended
    ended = await desk.run(*match, utc(ONSET + 3 * DAY), "--format", "csv")
    assert [line.count(",") for line in ended.output.splitlines()] == [14, 14], ended
    ended = await desk.run(*match, utc(ONSET + 17 * DAY))
    assert ended.exit_code == 0 and "3 encounters are more than 15 days old" in ended.errors, ended
    assert not ended.output


async def test_what_the_authority_of_covid_tracer_cannot_read(desk: Desk) -> None:
    root = secret(desk, "root", bytes(range(32)))
    report, register = desk.folder / "report.http", desk.folder / "register.json"
    await desk.run_well(*covid_tracer_report(root, "--yes", "--output", report))
    whole = report.read_bytes()
    accept = ("authority", "covid-tracer", "accept", report, "--register", register, "--at", utc(ONSET + DAY))
    for content, text in [
        (whole[:-1], "no request"),
        (whole.replace(b"/notify", b"/nobody"), "no report of CovidTracer's"),
        (whole.replace(b"is_tested=false", b"is_tested=False"), "refused with 400"),
    ]:
        report.write_bytes(content)
        ended = await desk.run(*accept)
        assert ended.exit_code == 65 and text in ended.errors and not register.exists(), ended
        assert ended.errors.count("\n") == 1, ended
    report.write_bytes(whole)
    await desk.run_well(*accept)
    register.write_text(register.read_text().replace("symptomatic", "asymptomatic", 1))
    ended = await desk.run(*accept)
    assert ended.exit_code == 65 and "no register of CovidTracer's" in ended.errors, ended
    cases = desk.folder / "cases.json"
    cases.write_text('{"cases":[{"key":"00","date":"2026-11-20","type":"positive"}]}')
    ended = await desk.run("match", "covid-tracer", cases, "--archive", desk.archive)
    assert ended.exit_code == 65 and "no cases.json" in ended.errors, ended
