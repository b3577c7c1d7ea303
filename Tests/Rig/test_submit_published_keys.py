"""From a patient to the contacts in Herald, BLE-Proximity and Exposure Notification."""

from __future__ import annotations

import base64
import json
import stat
from pathlib import Path

import desk as desks
import pytest
from desk import Desk
from submissions import DAY, date, herald_identifier, secret, utc, yesterday


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


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
    desks.show(desk, "ble-proximity", identity.to_bytes(8, "little"), after, boot)


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
    assert "accepted, 2 keys; 2 keys wait" in await desk.run_well(*accept)
    ended = await desk.run(*accept)
    assert ended.exit_code == 65 and "reported before" in ended.errors, ended
    assert stat.S_IMODE(register.stat().st_mode) == 0o600

    signing = ("--register", register, "--key", desk.folder / "exposure-notification.pem")
    export = (*authority, "export", *signing, "--output", zipped)
    ended = await desk.run(*export, "--at", utc(day + DAY + 7199))
    assert ended.exit_code == 66 and "nothing to publish" in ended.errors and not zipped.exists(), ended
    ended = await desk.run(*export, "--at", utc(day + DAY + 7200))
    assert ended.exit_code == 0 and "batch 1; 1 key waits" in ended.errors, ended
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
    assert ended.exit_code == 65 and "key 1: 1 bytes instead of 16; correct or remove it" in ended.errors, ended
    file.write_text('{"temporaryExposureKeys":[]}')
    ended = await desk.run(*submit, "--yes")
    assert ended.exit_code == 64 and "has 0 keys" in ended.errors, ended
