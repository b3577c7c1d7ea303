"""The agent as a wearable, as phones see it: an identity derived from its secret, under a changing address.
"""

from __future__ import annotations

import asyncio
import stat
import time

import pytest

import herald_key_schedule
from day_keys import HERALD, DayKeys
from journal import PATIENCE_SECONDS
from phone_kinds import ANDROID_CURRENT, ANDROID_SMALL_MTU, PhoneKind
from venue import Venue


def start(venue: Venue, **herald_keys: object) -> dict[str, dict[str, object]]:
    """A wearable's settings."""
    return {
        "agent": {"role": "wearable"},
        "radio": {"address": ""},
        "herald": {"country": 826, "state": 4, "secret": str(venue.directory / "agent" / "secret"), **herald_keys},
    }


def payload_at(matching_key: bytes, unix_seconds: float) -> bytes:
    """The payload that a wearable with that day key must serve."""
    period = int(unix_seconds) % 86_400 // 360
    contact_key = herald_key_schedule.keys(matching_key, herald_key_schedule.PERIODS)[period]
    return b"\x10" + (826).to_bytes(2, "little") + (4).to_bytes(2, "little") + contact_key[:16]


@pytest.mark.parametrize("kind", [ANDROID_CURRENT, ANDROID_SMALL_MTU], ids=["ordinary", "small MTU"])
async def test_a_phone_reads_the_identity_of_this_period(venue: Venue, kind: PhoneKind) -> None:
    """HP-O01, HP-D06, T3, T4: the payload follows from the day's key, by an independent implementation."""
    began = time.time()
    agent = await venue.start_agent(**start(venue))
    await agent.line("identity: the board shows a new identity every 6 minutes")
    path = venue.directory / "agent" / "secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    keys = DayKeys.read(path)
    assert keys.scheme == HERALD
    assert len(keys.keys) == 28
    assert keys.first_day * 86_400 <= time.time()
    phone = await venue.phone(kind, reads_beacons=True)
    read = await phone.read.first(what="payload read")
    now = time.time()
    assert read.payload in (payload_at(keys.of(began), began), payload_at(keys.of(now), now))
    assert read.address[:1] in "4567"  # the form of a resolvable private address


async def test_a_new_start_has_the_same_keys_and_another_address(venue: Venue) -> None:
    """HP-D06: the agent stores nothing about addresses."""
    agent = await venue.start_agent(**start(venue))
    phone = await venue.phone(ANDROID_CURRENT)
    first = await phone.find_beacon()
    up = await agent.line("radio up")
    assert str(first)[:17] in up.text, "the notice has the address of the adverts"
    secret = (venue.directory / "agent" / "secret").read_bytes()
    assert await agent.stop() == 0
    await agent.start_and_wait(venue.endpoint.transport)
    assert (venue.directory / "agent" / "secret").read_bytes() == secret
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await phone.find_beacon() == first:
            await asyncio.sleep(0.1)


async def test_todays_key_is_shown_and_a_date_that_nothing_confirms_erases_no_other(venue: Venue) -> None:
    """A board whose clock is wrong loses no key of a day to come (docs/time.md)."""
    today = int(time.time()) // 86_400
    given = DayKeys(HERALD, today - 2, tuple(bytes([n]) * 32 for n in range(1, 31)))
    await venue.open_endpoint()
    agent = venue.prepare_agent(**start(venue))
    path = venue.directory / "agent" / "secret"
    path.write_bytes(given.record)
    path.chmod(0o600)
    await agent.start_and_wait(venue.endpoint.transport)
    await agent.line("identity: the board shows a new identity every 6 minutes")
    phone = await venue.phone(ANDROID_CURRENT, reads_beacons=True)
    read = await phone.read.first(what="payload read")
    now = time.time()
    assert read.payload in (payload_at(given.of(now), now), payload_at(given.of(now - 60), now - 60))
    assert DayKeys.read(path) == given


@pytest.mark.parametrize(
    ("content", "mode", "word", "code"),
    [
        (bytes(2047), 0o600, "not a Tabard record, or damaged", 65),
        (bytes(2048), 0o640, "other users can read it", 77),
        (bytes(2048), 0o600, "a root secret, but a board keeps day keys only", 65),
        (b"", 0o600, "not a Tabard record, or damaged", 65),
    ],
    ids=["too short", "readable by others", "a secret", "empty"],
)
async def test_bytes_that_are_not_a_record_are_refused(
    venue: Venue, content: bytes, mode: int, word: str, code: int
) -> None:
    await venue.open_endpoint("unix")
    agent = venue.prepare_agent(**start(venue))
    path = venue.directory / "agent" / "secret"
    path.write_bytes(content)
    path.chmod(mode)
    await agent.start(venue.endpoint.transport)
    await agent.line(f"{path}: {word}")
    assert await agent.stop() == code
    assert path.read_bytes() == content


async def test_a_directory_that_is_not_there_is_named(venue: Venue) -> None:
    await venue.open_endpoint("unix")
    agent = venue.prepare_agent(**start(venue, secret=str(venue.directory / "nowhere" / "secret")))
    await agent.start(venue.endpoint.transport)
    await agent.line("nowhere/secret: cannot create it: No such file or directory; create the directory first")
    assert await agent.stop() == 74
