"""From a patient to the contacts: the submission, the authority's processing, and the matches."""

from __future__ import annotations

import asyncio
import base64
import datetime
import hashlib
import hmac
import json
import re
import sqlite3
import stat
import urllib.parse
from pathlib import Path

import desk as desks
import pytest
from desk import Desk
from sonar_authority import Installation, sonar_authority

DAY = 86_400
# 2020-11-20T00:00:00Z, the day on which the symptoms began.
ONSET = 1_605_830_400


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
    return ("submit", "covid-tracer", "--root", root, "--symptoms-began", "2020-11-20", *options)


async def test_nothing_leaves_without_a_yes(desk: Desk) -> None:
    root = secret(desk, "root", bytes(range(32)))
    report = desk.folder / "report.http"
    command = covid_tracer_report(root, "--output", report)

    ended = await desk.run(*command)
    assert ended.exit_code == 64 and not ended.output and not report.exists(), ended
    assert "the keys of 16 days, 2020-11-15 to 2020-11-30 (UTC)" in ended.errors, ended
    last = ended.errors.splitlines()[-1]
    assert last == "tabardctl: nothing was written: the command cannot ask here; confirm with --yes", ended

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
        (root, 65, "root key of 32 bytes"),
        (desk.folder / "none", 66, "no such file"),
        (desk.folder, 65, "not a regular file"),
    ]:
        ended = await desk.run(*covid_tracer_report(path, "--yes"))
        assert ended.exit_code == code and text in ended.errors and not ended.output, ended
        assert ended.errors.count("\n") == 1, ended
    root.write_bytes(bytes(32))
    root.chmod(0o640)
    ended = await desk.run(*covid_tracer_report(root, "--yes"))
    assert ended.exit_code == 77 and "other users can read this" in ended.errors and not ended.output, ended


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
    assert [line.count(",") for line in ended.output.splitlines()] == [14, 14], ended
    ended = await desk.run(*match, utc(ONSET + 17 * DAY))
    assert ended.exit_code == 0 and "3 encounters are more than 15 days old" in ended.errors, ended
    assert not ended.output


async def test_what_the_authority_of_covid_tracer_cannot_read(desk: Desk) -> None:
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


def sonar_upload(registration: Path, *options: str | Path) -> tuple[str | Path, ...]:
    """A submission of the onset's day, with a cough."""
    since = ("--symptom", "cough", "--symptoms-began", "2020-11-20", "--from", "2020-11-20", "--until", "2020-11-20")
    return ("submit", "sonar", "--registration", registration, *since, *options)


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


async def test_what_the_authority_of_sonar_does_not_believe(desk: Desk) -> None:
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


async def test_what_is_handed_over_is_one_person_s(desk: Desk) -> None:
    authority = await sonar_authority(desk, "authority")
    phone, registration, _ = await authority.install("owner")
    desks.start(desk, ONSET)
    desks.meet(desk, "sonar", phone.answer(phone.broadcast(ONSET), ONSET + 60), after=60, seconds=80)
    with sqlite3.connect(desk.archive) as database:
        columns = "(id, logIdentity, name, blockByteCount, unitByteCount)"
        database.execute(f"INSERT INTO board {columns} VALUES (2, ?, 'Cloakroom', 4096, 512)", [bytes(16)])
    submit = sonar_upload(registration, "--yes", "--archive", desk.archive)
    ended = await desk.run(*submit)
    assert ended.exit_code == 64 and "give the wearer's with --board" in ended.errors and not ended.output, ended
    assert (await desk.run(*submit, "--board", "Foyer")).exit_code == 0
    assert (await desk.run(*submit, "--board", "Attic")).exit_code == 66


def herald_identifier(secret_bytes: bytes, epoch: int, unix_seconds: int) -> bytes:
    """The identifier by the algorithm of Herald for iOS."""

    def digest(data: bytes) -> bytes:
        return hashlib.sha256(data).digest()

    def key(last: bytes, count: int, wanted: int) -> bytes:
        seed = last
        for _ in range(count - wanted):
            seed = digest(seed[:16])
        before = digest(seed[:16])
        return digest(bytes(a ^ b for a, b in zip(seed, before, strict=True)))

    day = key(digest(secret_bytes), 2000, (unix_seconds - epoch) // DAY)
    return key(digest(day), 240, unix_seconds % DAY // 360)[:16]


def yesterday() -> int:
    return (int(datetime.datetime.now(datetime.UTC).timestamp()) // DAY - 1) * DAY


def date(unix_seconds: int) -> str:
    return utc(unix_seconds)[:10]


async def test_herald_there_and_back(desk: Desk) -> None:
    day = yesterday()
    epoch = day - 300 * DAY
    own = bytes(index % 251 for index in range(2048))
    healthy = bytes(2048)
    nine = day + 9 * 3600 + 60
    header = bytes.fromhex("103a030400")
    desks.start(desk, day)
    desks.meet(desk, "herald", header + herald_identifier(own, epoch, nine), after=9 * 3600 + 60, seconds=240)
    desks.meet(desk, "herald", header + herald_identifier(healthy, epoch, nine), after=9 * 3600 + 60, seconds=240)
    # The identifier is repeated half an hour later; a phone whose days are over; a venue.
    desks.meet(desk, "herald", header + herald_identifier(own, epoch, nine), after=9 * 3600 + 1860, seconds=240)
    desks.meet(desk, "herald", header + bytes(16), after=9 * 3600, seconds=240)
    desks.meet(desk, "herald", bytes.fromhex("303a03040040e20100"), after=9 * 3600, seconds=240)

    report, published = desk.folder / "keys.json", desk.folder / "published.json"
    secret_file = secret(desk, "secret", own)
    submit = ("submit", "herald", "--secret", secret_file, "--epoch", date(epoch))
    ended = await desk.run(*submit, "--output", report)
    assert ended.exit_code == 64 and not report.exists(), ended
    assert f"the matching keys of 14 days, {date(day - 13 * DAY)} to {date(day)} (UTC)" in ended.errors, ended
    await desk.run_well(*submit, "--from", date(day - DAY), "--yes", "--output", report)
    handed = json.loads(report.read_text())
    assert sorted(key["date"] for key in handed["keys"]) == [date(day - DAY), date(day)]
    assert [key["key"] for key in handed["keys"]] == sorted(key["key"] for key in handed["keys"])

    append = ("authority", "herald", "append", report, "--list", published)
    ended = await desk.run(*append, "--at", utc(day + 23 * 3600))
    assert ended.exit_code == 65 and "keys are for days that are not over" in ended.errors and not published.exists()
    assert "2 added, 2 published" in await desk.run_well(*append)
    assert "0 added, 2 published" in await desk.run_well(*append)
    [found] = await desk.matches("herald", published, utc(day + 2 * DAY))
    assert found["start"] == utc(nine).replace("Z", ".000Z") and found["durationSeconds"] == 240, found
    assert found["key"] in {key["key"] for key in handed["keys"] if key["date"] == date(day)}
    assert found["identityStart"] == utc(nine - 60).replace("Z", ".000Z"), found
    assert await desk.matches("herald", published, utc(day + 30 * DAY)) == []

    for options, code, text in [
        (("--until", date(day + DAY)), 64, f"give --until {date(day)}"),
        (("--from", date(epoch - DAY), "--until", date(epoch)), 64, "no key for"),
        (("--from", date(day), "--until", date(day - DAY)), 64, "swap them"),
    ]:
        ended = await desk.run(*submit, "--yes", *options)
        assert ended.exit_code == code and text in ended.errors and not ended.output, ended
    secret_file.write_bytes(own[:-1])
    ended = await desk.run(*submit, "--yes")
    assert ended.exit_code == 65 and "of 2048 bytes" in ended.errors, ended


def was(desk: Desk, identity: int, after: int, boot: int = 1) -> None:
    """Records the board's identity in BLE-Proximity from that time on."""
    with sqlite3.connect(desk.archive) as database:
        database.execute(
            "INSERT INTO ownIdentity (bootID, monotonicMilliseconds, address, addressType, scheme, payload)"
            " VALUES (?, ?, ?, 1, 4, ?)",
            [boot, after * 1000, bytes(6), identity.to_bytes(8, "little")],
        )


async def test_ble_proximity_there_and_back(tmp_path: Path) -> None:
    day = yesterday()
    hour = 3600
    folders = [tmp_path / name for name in ("wearer", "other")]
    for folder in folders:
        folder.mkdir()
    wearer, other = [await desks.at(folder, folder.name) for folder in folders]
    desks.start(wearer, day)
    for number, after in enumerate(range(8 * hour, 11 * hour, hour), start=1):
        was(wearer, 0x0123456789ABCD00 + number, after)
    # The board ran on for half an hour.
    desks.meet(wearer, "ble-proximity", bytes(8), after=10 * hour, seconds=1800)
    desks.start(other, day)
    known = (0x0123456789ABCD01).to_bytes(8, "little")
    desks.meet(other, "ble-proximity", known, after=8 * hour + 600, seconds=400)
    desks.meet(other, "ble-proximity", known, after=11 * hour, seconds=400)
    desks.meet(other, "ble-proximity", bytes(range(8)), after=8 * hour, seconds=400)

    report, published = tmp_path / "report.json", tmp_path / "published.json"
    submit = ("submit", "ble-proximity", "--archive", wearer.archive)
    ended = await wearer.run(*submit, "--output", report)
    assert ended.exit_code == 64 and not report.exists() and "3 identities of" in ended.errors, ended
    await wearer.run_well(*submit, "--yes", "--output", report)
    handed = json.loads(report.read_text())["positives"]
    assert handed == [
        {"id": f"0123456789abcd0{number}", "from": utc(day + begin), "until": utc(day + end + 1)}
        for number, begin, end in [(1, 8 * hour, 9 * hour), (2, 9 * hour, 10 * hour), (3, 10 * hour, 10 * hour + 1800)]
    ]

    append = ("authority", "ble-proximity", "append", report, "--list", published)
    ended = await other.run(*append, "--at", utc(day + 10 * hour))
    assert ended.exit_code == 65 and "identities are still valid" in ended.errors and not published.exists(), ended
    assert "3 added, 3 published" in await other.run_well(*append)
    assert "0 added, 3 published" in await other.run_well(*append)
    [found] = await other.matches("ble-proximity", published, utc(day + DAY))
    assert (found["key"], found["durationSeconds"], found["kind"]) == ("0123456789abcd01", 400, None), found
    assert await other.matches("ble-proximity", published, utc(day + 30 * DAY)) == []

    published.write_text(published.read_text().replace("positives-1", "positives-2"))
    for command in (append, ("match", "ble-proximity", published, "--archive", other.archive)):
        ended = await other.run(*command)
        assert ended.exit_code == 65 and "published.json: not a list" in ended.errors, ended
        assert ended.errors.count("\n") == 1, ended


async def test_exposure_notification_there_and_back(desk: Desk) -> None:
    vectors = json.loads((Path(__file__).parents[1] / "Vectors/schemes/gaen.json").read_text())
    own = vectors["own"][0]
    day = own["rolling_start_interval"] * 600
    desks.start(desk, day)
    for index, first in enumerate(own["first3"][:2]):
        payload = bytes.fromhex(first["rpi"] + first["aem_40f40000"])
        desks.meet(desk, "exposure-notification", payload, after=index * 600, seconds=600)
    keys = [
        {
            "key": base64.b64encode(data).decode(),
            "rollingStartNumber": own["rolling_start_interval"] + 144 * number,
            "rollingPeriod": 144,
        }
        for number, data in enumerate([bytes.fromhex(own["tek"]), bytes(range(16)), bytes(16)])
    ]
    file = secret(desk, "keys.json", json.dumps({"temporaryExposureKeys": keys}).encode())
    report, register, zipped = (desk.folder / name for name in ("report.http", "register.json", "day.zip"))
    days = ("--from", date(day), "--until", date(day + DAY), "--symptoms-began", date(day + DAY))
    submit = ("submit", "exposure-notification", "--keys", file, *days, "--output", report)
    ended = await desk.run(*submit)
    assert ended.exit_code == 64 and not report.exists(), ended
    assert "2 keys of 2020-05-21 to 2020-05-22 (UTC)" in ended.errors, ended
    assert "not 1 keys of other days" in ended.errors, ended
    await desk.run_well(*submit, "--yes")

    authority = ("authority", "exposure-notification")
    await desk.run_well(*authority, "new", "--directory", desk.folder)
    accept = (*authority, "accept", report, "--register", register, "--at", utc(day + DAY + 100))
    assert "accepted, 2 keys; 2 wait" in await desk.run_well(*accept)
    ended = await desk.run(*accept)
    assert ended.exit_code == 65 and "reported before" in ended.errors, ended
    assert stat.S_IMODE(register.stat().st_mode) == 0o600

    signing = ("--register", register, "--key", desk.folder / "exposure-notification.pem")
    export = (*authority, "export", *signing, "--output", zipped)
    ended = await desk.run(*export, "--at", utc(day + DAY + 7199))
    assert ended.exit_code == 66 and "nothing to publish" in ended.errors and not zipped.exists(), ended
    ended = await desk.run(*export, "--at", utc(day + DAY + 7200))
    assert ended.exit_code == 0 and "batch 1; 1 keys wait" in ended.errors, ended
    published = zipped.read_bytes()
    await desk.run_well(*export, "--batch", "1")
    assert zipped.read_bytes() == published
    assert (await desk.run(*export, "--batch", "2")).exit_code == 66

    match = ("match", "exposure-notification", zipped, "--archive", desk.archive, "--as-of", utc(day + 2 * DAY))
    key = ("--verification-key", desk.folder / "exposure-notification.pub.pem")
    found = await desk.document(*match, *key, "--format", "json")
    assert found["publishedKeys"] == 1_000
    assert [row["identifier"] for row in found["encounters"]] == [first["rpi"] for first in own["first3"][:2]]
    assert {row["key"] for row in found["encounters"]} == {own["tek"]}
    assert [(row["date"], row["level"]) for row in found["days"]] == [("2020-05-21", "high")]

    file.write_text('{"temporaryExposureKeys":[{"key":"AA==","rollingStartNumber":1,"rollingPeriod":144}]}')
    ended = await desk.run(*submit, "--yes")
    assert ended.exit_code == 65 and "not a file of valid temporary exposure keys" in ended.errors, ended
    file.write_text('{"temporaryExposureKeys":[]}')
    ended = await desk.run(*submit, "--yes")
    assert ended.exit_code == 64 and "has 0 keys" in ended.errors, ended


async def test_keys_that_the_board_has_made_itself(desk: Desk) -> None:
    day = yesterday()
    desks.start(desk, day)
    report = desk.folder / "report"
    archive = ("--archive", desk.archive, "--output", report)
    herald = ("submit", "herald", *archive)
    covid_tracer = ("submit", "covid-tracer", "--symptoms-began", date(day), *archive)
    exposure = ("submit", "exposure-notification", *archive)
    for submit, option in ((herald, "--secret"), (covid_tracer, "--root"), (exposure, "--keys")):
        ended = await desk.run(*submit, "--yes")
        assert ended.exit_code == 66 and "Foyer: the readable log" in ended.errors and option in ended.errors, ended
        assert ended.errors.count("\n") == 1 and not report.exists(), ended

    # The board lost its files three days ago, and made new ones.
    first, second = bytes(range(32)), bytes(range(32, 64))
    changed = day // DAY - 2
    for scheme in ("herald", "covid-tracer"):
        desks.make_key(desk, scheme, changed - 2, 56, first, after=1)
        desks.make_key(desk, scheme, changed, 56, second, after=2)
    keys = [bytes([number] * 16) for number in range(4)]
    for number, start in enumerate([day // 600 - 144, day // 600, day // 600, day // 600 + 144]):
        desks.make_key(desk, "exposure-notification", start, 144, keys[number], after=number)

    nine = day + 9 * 3600 + 60
    expanded = b"".join(hashlib.sha256(second + bytes([number])).digest() for number in range(64))
    identifier = herald_identifier(expanded, changed * DAY, nine)
    desks.meet(desk, "herald", bytes.fromhex("103a030400") + identifier, after=nine - day, seconds=240)
    ended = await desk.run(*herald)
    assert ended.exit_code == 64 and not report.exists(), ended
    assert f"6 matching keys, {date((changed - 2) * DAY)} to {date(day)} (UTC)" in ended.errors, ended
    assert "no keys for 9 days, because none is known" in ended.errors, ended
    await desk.run_well(*herald, "--yes")
    [found] = await desk.matches("herald", report, utc(day + 2 * DAY))
    assert found["start"] == utc(nine).replace("Z", ".000Z"), found
    ended = await desk.run(*herald, "--yes", "--until", date((changed - 3) * DAY))
    assert ended.exit_code == 66 and "made no key for" in ended.errors, ended

    await desk.run_well(*covid_tracer, "--yes")
    form = dict(urllib.parse.parse_qsl(report.read_text().split("\n\n")[1]))
    for index in range(16):
        unix_seconds = day + (index - 5) * DAY
        root = first if unix_seconds // DAY < changed else second
        expected = hmac.digest(root, date(unix_seconds).encode(), hashlib.sha256).hex().upper()
        assert form[f"keys-{index}-value"] == expected, index

    await desk.run_well(*exposure, "--yes")
    handed = json.loads(report.read_text().split("\n\n")[1])["temporaryExposureKeys"]
    assert [base64.b64decode(key["key"]) for key in handed] == keys[:3]
    assert {key["rollingPeriod"] for key in handed} == {144}
