"""From a patient to the authority: consent, secret files, and keys that the board made itself."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sqlite3
import stat
import urllib.parse
from pathlib import Path

import desk as desks
import pytest
from desk import Desk
from sonar_authority import sonar_authority
from submissions import DAY, ONSET, covid_tracer_report, date, herald_identifier, secret, sonar_upload, utc, yesterday


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


async def test_nothing_is_written_without_consent(desk: Desk) -> None:
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


async def test_secret_files_that_are_readable_by_others_or_invalid_are_refused(desk: Desk) -> None:
    root = secret(desk, "root", bytes(31))
    for path, code, text in [
        (root, 65, "root key of 32 bytes"),
        (desk.folder / "none", 66, "no such file"),
        (desk.folder, 65, "a folder or device; give a file"),
    ]:
        ended = await desk.run(*covid_tracer_report(path, "--yes"))
        assert ended.exit_code == code and text in ended.errors and not ended.output, ended
        assert ended.errors.count("\n") == 1, ended
    root.write_bytes(bytes(32))
    root.chmod(0o640)
    ended = await desk.run(*covid_tracer_report(root, "--yes"))
    assert ended.exit_code == 77 and "other users can read this" in ended.errors and not ended.output, ended


async def test_a_submission_needs_the_board_of_one_wearer(desk: Desk) -> None:
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
