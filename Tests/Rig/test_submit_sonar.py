"""From a patient to the contacts in Sonar: registrations, and the upload that the authority resolves."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import desk as desks
import pytest
from desk import Desk
from sonar_authority import Installation, sonar_authority
from submissions import DAY, ONSET, sonar_upload


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


async def test_sonar_there_and_back(desk: Desk) -> None:
    authority = await sonar_authority(desk, "authority")
    other = await sonar_authority(desk, "other")
    owner, registration, _ = await authority.install("owner")
    friend, _, code = await authority.install("friend")
    forger, _, _ = await authority.install("forger")
    stranger, _, _ = await other.install("stranger")
    assert stat.S_IMODE(authority.register.stat().st_mode) == 0o600

    desks.start(desk, ONSET)
    hour = 3600
    value = friend.broadcast(ONSET)
    # The same value, read twice that day, is one contact.
    desks.meet(desk, "sonar", friend.answer(value, ONSET + 9 * hour + 20), after=9 * hour, seconds=600)
    desks.meet(desk, "sonar", friend.answer(value, ONSET + 15 * hour), after=15 * hour, seconds=600, mean=-60)
    desks.meet(desk, "sonar", stranger.answer(stranger.broadcast(ONSET), ONSET + 10 * hour), 10 * hour, 80)
    # A forged code with the friend's value of another day, and a value that was already read three hours
    # before.
    desks.meet(desk, "sonar", forger.answer(friend.broadcast(ONSET), ONSET + 11 * hour), 11 * hour, 80)
    desks.meet(desk, "sonar", friend.answer(friend.broadcast(ONSET), ONSET + 9 * hour), 12 * hour, 80)
    # A contact of the day after.
    desks.meet(desk, "sonar", friend.answer(friend.broadcast(ONSET + DAY), ONSET + 26 * hour), 26 * hour, 80)

    upload = desk.folder / "upload.http"
    archive = ("--archive", desk.archive)
    ended = await desk.run(*sonar_upload(registration, "--output", upload, *archive))
    assert ended.exit_code == 64 and not upload.exists(), ended
    assert "4 contacts that began on 1 days, 2020-11-20 to 2020-11-20 (UTC), with 180 signal strengths" in ended.errors
    assert f"your installation number, {owner.name}" in ended.errors and "not encrypted" in ended.errors, ended

    expected = [
        ("2020-11-20T09:00:00Z", 22_200, friend.name, code, None, 150),
        ("2020-11-20T10:00:00Z", 80, None, None, "authenticationFailure", 10),
        ("2020-11-20T11:00:00Z", 80, None, None, "authMismatch", 10),
        ("2020-11-20T12:00:00Z", 80, None, None, "staleTransmissionTime", 10),
    ]
    for dialect in ("ios", "android"):
        await desk.run_well(*sonar_upload(registration, "--dialect", dialect, "--yes", "--output", upload, *archive))
        assert owner.secret not in upload.read_bytes()
        found = await desk.document(*authority.resolve(upload, "--format", "json"))
        assert (found["installation"], found["symptoms"]) == (owner.name, ["COUGH"])
        keys = ("start", "durationSeconds", "installation", "referenceCode", "refusal", "readings")
        assert [tuple(row[key] for key in keys) for row in found["contacts"]] == expected
        assert (found["contacts"][0]["rssiMaximum"], found["contacts"][0]["rssiMean"]) == (-60, -65)
    ended = await desk.run(*authority.resolve(upload))
    assert "4 contacts, 3 rejected" in ended.errors and code in ended.output, ended
    ended = await desk.run(*authority.resolve(upload, "--format", "csv"))
    assert [line.count(",") for line in ended.output.splitlines()] == [7] * 5, ended

    find = ("authority", "sonar", "find")
    kept = authority.register.read_bytes()
    said = await desk.run_well(*find, code.upper().replace("-", ""), "--register", authority.register)
    assert said.strip() == friend.name
    assert (await desk.run(*find, code, "--register", other.register)).exit_code == 66
    assert authority.register.read_bytes() == kept
    wrong = ("0" if code[0] != "0" else "1") + code[1:]
    assert (await desk.run(*find, wrong, "--register", authority.register)).exit_code == 65


async def test_invalid_sonar_uploads_are_rejected(desk: Desk) -> None:
    authority = await sonar_authority(desk, "authority")
    other = await sonar_authority(desk, "other")
    _, registration, _ = await authority.install("owner")
    phone, foreign, _ = await other.install("foreign")
    desks.start(desk, ONSET)
    desks.meet(desk, "sonar", phone.answer(phone.broadcast(ONSET), ONSET + 60), after=60, seconds=80)
    upload = desk.folder / "upload.http"
    archive = ("--archive", desk.archive)
    await desk.run_well(*sonar_upload(foreign, "--yes", "--output", upload, *archive))
    ended = await desk.run(*authority.resolve(upload))
    assert ended.exit_code == 65 and "its installation is not in the register" in ended.errors, ended
    await desk.run_well(*sonar_upload(registration, "--yes", "--output", upload, *archive))
    whole = upload.read_bytes()
    signature = whole.split(b"Signature: ")[1][:44]
    for content, text in [
        (whole.replace(b"COUGH", b"SNEEZ"), "symptoms"),
        (whole.replace(b"COUGH", b"NAUSEA"), "not a complete request"),
        (whole.replace(b"2020-11-20T00", b"2020-11-21T00"), "not signed"),
        (whole.replace(b"Timestamp: 2", b"Timestamp: 3"), "not signed"),
        (whole.replace(signature, bytes(reversed(signature))), "not signed"),
        (whole.replace(b"Message-Signature", b"Other-Signature"), "not signed"),
        (whole.replace(b"Request-Timestamp", b"Other-Timestamp"), "no time"),
        (whole.replace(b"PATCH", b"POST"), "not a Sonar upload"),
    ]:
        assert content != whole
        upload.write_bytes(content)
        ended = await desk.run(*authority.resolve(upload))
        assert ended.exit_code == 65 and text in ended.errors and not ended.output, ended
        assert ended.errors.count("\n") == 1, ended
    record = registration.read_bytes()
    registration.write_bytes(record[:-1] + bytes([record[-1] ^ 1]))
    ended = await desk.run(*sonar_upload(registration, "--yes", *archive))
    assert ended.exit_code == 65 and "not a Sonar registration, or damaged" in ended.errors, ended


async def test_a_registration_is_for_one_device(desk: Desk) -> None:
    authority = await sonar_authority(desk, "authority")
    first, path, _ = await authority.install("owner")
    register = authority.register.read_bytes()
    command = ("authority", "sonar", "register", "--key", authority.folder / "sonar.pub.pem", "--output", path)
    ended = await desk.run(*command, "--register", authority.register)
    assert ended.exit_code == 73 and "not changed" in ended.errors, ended
    assert Installation.read(path) == first and authority.register.read_bytes() == register
    assert (await desk.run("authority", "sonar", "new", "--directory", authority.folder)).exit_code == 73


async def test_registrations_at_one_time_do_not_lose_each_other(desk: Desk) -> None:
    authority = await sonar_authority(desk, "authority")
    key = ("--key", authority.folder / "sonar.pub.pem", "--register", authority.register)
    files = [desk.folder / f"board-{number}" for number in range(6)]
    command = ("authority", "sonar", "register", *key, "--output")
    ended = await asyncio.gather(*(desk.run(*command, file) for file in files))
    for each, file in zip(ended, files, strict=True):
        assert each.exit_code == (0 if file.exists() else 75), each
    names = {Installation.read(file).name for file in files if file.exists()}
    register = json.loads(authority.register.read_text())
    assert {installation["id"] for installation in register["installations"]} == names != set()
