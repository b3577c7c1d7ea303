"""The agent as a wearable, as phones see it: an identity that follows from its secret, under an address of its own."""

from __future__ import annotations

import asyncio
import stat
import time
from datetime import UTC, datetime

import pytest

import herald_key_schedule
from journal import PATIENCE_SECONDS
from phone_kinds import ANDROID_CURRENT, ANDROID_SMALL_MTU, PhoneKind
from venue import Venue

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def start(venue: Venue, **herald_keys: object) -> dict[str, dict[str, object]]:
    """A wearable's settings."""
    return {
        "agent": {"role": "wearable"},
        "radio": {"address": ""},
        "herald": {"country": 826, "state": 4, "secret": str(venue.directory / "agent" / "secret"), **herald_keys},
    }


def payload_at(secret: bytes, unix_seconds: float) -> bytes:
    """What a wearable with that secret must serve."""
    day, second = divmod(int(unix_seconds - EPOCH.timestamp()), 86_400)
    matching_key = herald_key_schedule.keys(secret, herald_key_schedule.LAST_DAY)[day]
    contact_key = herald_key_schedule.keys(matching_key, herald_key_schedule.PERIODS)[second // 360]
    return b"\x10" + (826).to_bytes(2, "little") + (4).to_bytes(2, "little") + contact_key[:16]


@pytest.mark.parametrize("kind", [ANDROID_CURRENT, ANDROID_SMALL_MTU], ids=["ordinary", "small MTU"])
async def test_a_phone_reads_the_identity_of_this_period(venue: Venue, kind: PhoneKind) -> None:
    """HP-O01, HP-D06, T3, T4: the payload follows from the secret's file, by a program that shares nothing with us."""
    began = time.time()
    agent = await venue.start_agent(**start(venue))
    await agent.line("identity: a new one every 6 minutes; the key schedule lasts through 2031-06-24")
    secret_path = venue.directory / "agent" / "secret"
    assert stat.S_IMODE(secret_path.stat().st_mode) == 0o600
    secret = secret_path.read_bytes()
    assert len(secret) == 2048
    phone = await venue.phone(kind, reads_beacons=True)
    read = await phone.read.first(what="payload read")
    assert read.payload in (payload_at(secret, began), payload_at(secret, time.time()))
    assert read.address[:1] in "4567"  # the form of a resolvable private address


async def test_a_new_start_has_the_same_secret_and_another_address(venue: Venue) -> None:
    """HP-D06: nothing about addresses is kept."""
    agent = await venue.start_agent(**start(venue))
    phone = await venue.phone(ANDROID_CURRENT)
    first = await phone.find_beacon()
    secret = (venue.directory / "agent" / "secret").read_bytes()
    assert await agent.stop() == 0
    await agent.start_and_wait(venue.endpoint.transport)
    assert (venue.directory / "agent" / "secret").read_bytes() == secret
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await phone.find_beacon() == first:
            await asyncio.sleep(0.1)


async def test_a_schedule_that_is_over_is_told_and_nothing_is_advertised(venue: Venue) -> None:
    """T4, T5: with the epoch of phones there is nobody to be since 18 March 2026."""
    agent = await venue.start_agent(**start(venue, epoch="2020-09-24"))
    await agent.line("identity: none since the key schedule ended on 2026-03-17, so not advertising")
    phone = await venue.phone(ANDROID_CURRENT)
    with pytest.raises(TimeoutError):
        await phone.find_beacon(within=3)
    # It goes on to look for others, and who is asked by nobody can ask nothing back.
    await phone.served.first(what="read by the agent")


@pytest.mark.parametrize(
    ("content", "mode", "word", "code"),
    [
        (bytes(2047), 0o600, "has 2047 bytes", 65),
        (bytes(2048), 0o640, "others may read it", 77),
        (b"", 0o600, "has 0 bytes", 65),
    ],
    ids=["too short", "readable by others", "empty"],
)
async def test_a_secret_that_is_none_is_refused(
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
    await agent.line("nowhere/secret: cannot be made: No such file or directory; make the directory first")
    assert await agent.stop() == 74
