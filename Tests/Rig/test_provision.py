"""Provisioning defines a board's identity: the board gets day keys, and the secret stays with its owner."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import stat
import time
import urllib.parse
from datetime import UTC, datetime, timedelta
from pathlib import Path

import desk as desks
import herald_key_schedule
import program
import pytest
from day_keys import COVID_TRACER, HERALD, DayKeys
from desk import Desk
from exposure_phone import ExposurePhone
from journal import PATIENCE_SECONDS
from motion import standing
from scheme_phones import SONAR_ANDROID, SONAR_IPHONE, SchemePhone, registered_sonar_app
from scheme_uuids import COVID_TRACER_IDENTITY
from sonar_authority import sonar_authority
from test_beacon import connect
from test_configuration import has_started_again
from test_keys import pairs, provision, refusal
from test_own_exposure import key_of_the_day
from test_own_schemes import identifier_at, read, secret_file
from venue import ADDRESS, TX_POWER_DBM, Venue

DAY = 86_400
EPOCH = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) // DAY


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


async def test_a_file_for_the_card_has_the_keys_of_days_and_no_secret(desk: Desk) -> None:
    secret, output = desk.folder / "anna.herald", desk.folder / "keys.herald"
    herald = ("provision", "--scheme", "herald", "--secret", secret, "--output", output)
    before = int(time.time()) // DAY
    assert "created (secret)" in await desk.run_well(*herald, "--new")
    assert len(secret.read_bytes()) == 2048
    assert stat.S_IMODE(secret.stat().st_mode) == stat.S_IMODE(output.stat().st_mode) == 0o600
    written = DayKeys.read(output)
    first = written.first_day
    assert before <= first <= int(time.time()) // DAY
    every = herald_key_schedule.keys(secret.read_bytes(), herald_key_schedule.LAST_DAY)
    assert written == DayKeys(HERALD, first, tuple(every[first - EPOCH : first - EPOCH + 56]))

    output.unlink()
    await desk.run_well(*herald, "--from", "2026-12-01", "--days", "2", "--epoch", "2026-11-30")
    assert DayKeys.read(output) == DayKeys(HERALD, EPOCH + 334, tuple(every[1:3]))

    root = desk.folder / "anna.root"
    root.write_bytes(bytes(range(32)))
    root.chmod(0o600)
    output.unlink()
    covid_tracer = ("provision", "--scheme", "covid-tracer", "--root", root, "--output", output)
    await desk.run_well(*covid_tracer, "--from", "2026-12-01", "--days", "1")
    key = hmac.digest(bytes(range(32)), b"2026-12-01", hashlib.sha256)
    assert DayKeys.read(output) == DayKeys(COVID_TRACER, EPOCH + 334, (key,))


async def test_what_cannot_be_given(desk: Desk) -> None:
    secret, output = desk.folder / "secret", desk.folder / "output"
    secret.write_bytes(bytes(2048))
    secret.chmod(0o600)
    there = desk.folder / "there"
    there.touch()
    herald = ("--scheme", "herald", "--secret", secret)
    for options, code, text in [
        ((), 64, "--opening and --operator"),
        (("/dev/null", "--opening", "a.pem"), 64, "--opening and --operator"),
        (("/dev/null", "--opening", "a.pem", *herald), 64, "provision the keys first"),
        (herald, 64, "either the board's port or --output"),
        (("/dev/null", *herald, "--output", output), 64, "either the board's port or --output"),
        (("--scheme", "herald", "--output", output), 64, "needs --secret"),
        (("--scheme", "sonar", "--output", output), 64, "needs --registration"),
        ((*herald, "--root", secret, "--output", output), 64, "--root is for --scheme covid-tracer"),
        (("--scheme", "ble-proximity", "--new", "--output", output), 64, "--new needs --secret or --root"),
        (("--scheme", "ble-proximity", "--output", output), 64, "identities are random"),
        (("--scheme", "exposure-notification", "--output", output), 64, "identities are random"),
        ((*herald, "--days", "57", "--output", output), 64, "from 1 to 56"),
        ((*herald, "--from", "2025-12-31", "--output", output), 64, "no key for 2025-12-31"),
        ((*herald, "--new", "--output", output), 73, "already exists"),
        ((*herald, "--output", there), 73, "already exists"),
        (("--scheme", "covid-tracer", "--root", secret, "--output", output), 65, "of 32 bytes"),
        (("--scheme", "sonar", "--registration", secret, "--output", output), 65, "not a Sonar registration"),
        (("--scheme", "herald", "--secret", desk.folder / "none", "--output", output), 66, "no such file"),
    ]:
        ended = await desk.run("provision", *options)
        assert ended.exit_code == code and text in ended.errors and not output.exists(), (options, ended)
    # A failed command leaves no new file behind, so that the same command can be repeated.
    new = desk.folder / "new"
    for options, code in [
        (("--scheme", "herald", "--secret", new, "--from", "2025-12-31", "--output", output), 64),
        (("--scheme", "herald", "--secret", new, "--output", there), 73),
        (("--scheme", "covid-tracer", "--root", new, "--output", desk.folder / "none" / "keys"), 66),
        (("/dev/tabard-none", "--scheme", "herald", "--secret", new), 69),
    ]:
        ended = await desk.run("provision", *options, "--new")
        assert ended.exit_code == code and not new.exists() and not output.exists(), (options, ended)
    ended = await desk.run("provision", *herald, "--output", output, "--new")
    assert ended.exit_code == 73 and "omit --new" in ended.errors and not output.exists(), ended
    secret.chmod(0o644)
    ended = await desk.run("provision", *herald, "--output", output)
    assert ended.exit_code == 77 and not output.exists(), ended


async def test_a_board_is_who_its_operator_says(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    archive = ("--archive", str(venue.tabardctl.archive))
    root = venue.directory / "anna.root"
    root.write_bytes(secrets.token_bytes(32))
    root.chmod(0o600)
    give = ("provision", str(agent.sync_port), "--scheme", "covid-tracer", "--root", str(root), *archive)
    assert (await refusal(venue, *give)).exit_code == 77
    secret = venue.directory / "anna.herald"
    made = await refusal(venue, "provision", str(agent.sync_port), "--scheme", "herald", "--secret", str(secret), "--new", *archive)
    assert made.exit_code == 77 and secret.exists() and "omit --new next time" in made.errors, made
    operator = ("--operator", str(keys / "operator.pem"))
    said = await venue.tabardctl.run(*give, *operator)
    assert "the board stored the keys of 56 days" in said and "set schemes.covid_tracer=on" in said, said
    await has_started_again(agent, 2)
    began = datetime.now(UTC)
    async with asyncio.timeout(PATIENCE_SECONDS):
        _, peer = await connect(venue)
        identifier = await read(peer, COVID_TRACER_IDENTITY)
    # Only the root's owner can compute these keys.
    days = [f"{began + timedelta(days=number):%Y-%m-%d}".encode() for number in range(2)]
    own = tuple(hmac.digest(root.read_bytes(), day, hashlib.sha256) for day in days)
    given = DayKeys(COVID_TRACER, int(began.timestamp()) // DAY, own)
    assert identifier in {identifier_at(given, moment) for moment in (began, datetime.now(UTC))}
    assert not any(root.read_bytes() in path.read_bytes() for path in agent.log_path.parent.iterdir() if path.is_file())

    said = await venue.tabardctl.run("provision", str(agent.sync_port), "--scheme", "ble-proximity", *operator)
    assert "set schemes.ble_proximity=on" in said, said


async def test_in_exposure_notification_nothing_is_given_and_the_board_is_somebody(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    phone = ExposurePhone(venue.air, "phone", position=standing(2, 0))
    await venue.admit(phone)
    await phone.heard.until(lambda all: len(all) >= 20, what="adverts of the board")
    assert len(phone.learnt) == 0
    port, archive = str(agent.sync_port), str(venue.tabardctl.archive)
    give = ("provision", port, "--scheme", "exposure-notification")
    assert (await refusal(venue, *give)).exit_code == 77
    operator = ("--operator", str(keys / "operator.pem"))
    ended = await program.run_well(venue.tabardctl.binary, *give, *operator)
    assert "needs no keys" in ended.errors and "set schemes.exposure_notification=on" in ended.output, ended
    await has_started_again(agent, 2)
    learnt = await phone.learnt.first(what="identifier of the board")

    # The board has made the day's key itself, and only its owner can read it.
    found = await venue.synced(lambda _: True, what="sync")
    assert found == []
    await venue.tabardctl.run("open", "--opening", str(keys / "opening.pem"), "--archive", archive)
    key, _ = key_of_the_day(venue)
    intervals = range(int(learnt.at) // 600 - 1, int(learnt.at) // 600 + 1)
    assert learnt.identity in {key.said(interval, TX_POWER_DBM) for interval in intervals}
    # The board has also received the phone.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (heard := [each for each in await venue.tabardctl.encounters() if each.identity is not None]):
            await venue.tabardctl.sync(agent.sync_port)
            await venue.tabardctl.run("open", "--opening", str(keys / "opening.pem"), "--archive", archive)
    assert {(each.scheme, each.identity) for each in heard} == {("exposure-notification", phone.identity)}


async def test_sonars_phones_know_the_board_once_it_is_registered(venue: Venue) -> None:
    authority = await sonar_authority(Desk(venue.directory), "authority")
    board, registration, _ = await authority.install("board")
    agent = await venue.start_agent(schemes={"sonar": "on"})
    phones = []
    for kind, android in ((SONAR_IPHONE, False), (SONAR_ANDROID, True)):
        installation, _, _ = await authority.install(kind.name)
        app = registered_sonar_app(installation, android=android)
        phone = SchemePhone(venue.air, kind.name, kind, [app], seeks=True, position=standing(2, len(phones)))
        await venue.admit(phone)
        phones.append((phone, installation))
    for phone, _ in phones:
        await phone.reads["sonar"].first(lambda read: read.reader == ADDRESS, what="read by the board")
        assert ADDRESS not in {learnt.address for learnt in phone.learnt}
    said = await venue.tabardctl.run(
        "provision", str(agent.sync_port), "--scheme", "sonar", "--registration", str(registration),
        "--trust", "new", "--archive", str(venue.tabardctl.archive),
    )
    assert "the board stored the registration of one installation" in said and "set schemes.sonar=on" in said, said
    for phone, installation in phones:
        learnt = await phone.learnt.first(lambda learnt: learnt.address == ADDRESS, what="payload of the board")
        upload = installation.upload([(learnt.identity, learnt.at, learnt.rssi_dbm)])
        assert await authority.resolved(upload) == [board.name]


async def test_who_opens_the_log_has_the_keys_that_the_board_made_itself(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    port, archive = str(agent.sync_port), str(venue.tabardctl.archive)
    operator = ("--operator", str(keys / "operator.pem"))
    await venue.tabardctl.run("config", port, "set", "schemes.covid_tracer=on", *operator)
    await has_started_again(agent, 2)
    async with asyncio.timeout(PATIENCE_SECONDS):
        _, peer = await connect(venue)
        identifier = await read(peer, COVID_TRACER_IDENTITY)

    report = venue.directory / "report.http"
    today = datetime.now(UTC)
    submit = ("submit", "covid-tracer", "--symptoms-began", f"{today:%Y-%m-%d}", "--archive", archive, "--yes")
    await venue.tabardctl.run("sync", "--port", port, "--archive", archive, *operator)
    ended = await refusal(venue, *submit)
    assert ended.exit_code == 66 and "tabardctl open" in ended.errors, ended
    await venue.tabardctl.run("open", "--opening", str(keys / "opening.pem"), "--archive", archive)
    await venue.tabardctl.run(*submit, "--output", str(report))
    form = dict(urllib.parse.parse_qsl(report.read_text().split("\n\n")[1]))
    dates = [form[f"keys-{index}-date"] for index in range(16)]
    own = tuple(bytes.fromhex(form[f"keys-{index}-value"]) for index in range(16))
    assert dates[5] == f"{today:%Y-%m-%d}", dates
    reported = DayKeys(COVID_TRACER, int(today.timestamp()) // DAY - 5, own)
    hours = [datetime.now(UTC) - timedelta(hours=number) for number in range(2)]
    assert identifier in {identifier_at(reported, hour) for hour in hours}
    # The board itself has the keys of the days ahead, and no root.
    held = DayKeys.read(secret_file(venue, ".covid-tracer"))
    assert [held.of(today.timestamp() + number * DAY) for number in range(11)] == list(own[5:])
