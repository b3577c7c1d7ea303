"""The agent on a controller with the extended commands of Bluetooth 5, when it is set to use them."""

from __future__ import annotations

import pytest

import btsnoop
from phone_kinds import ANDROID_CURRENT, ANDROID_EXTENDED, ANDROID_SMALL_MTU, IPHONE_BACKGROUND, PhoneKind
from test_detection import with_identity
from venue import ADDRESS, PAYLOAD, Venue

EXTENDED = {"radio": {"extended_commands": True}}
# Scan parameters and enable, advertising parameters, data and enable, create connection: Vol 4, Part E, 7.8.5
# to 7.8.12.
LEGACY_COMMANDS = {0x2006, 0x2008, 0x200A, 0x200B, 0x200C, 0x200D}
# The set's address, its parameters, data and enable; scan parameters and enable: 7.8.52 to 7.8.65.
EXTENDED_COMMANDS = {0x2035, 0x2036, 0x2037, 0x2039, 0x2041, 0x2042}
EXTENDED_CREATE_CONNECTION = 0x2043


def commands(venue: Venue) -> set[int]:
    """The opcodes of all commands that the agent has sent."""
    assert venue.agent is not None
    records = [record for path in venue.agent.snoop_paths for record in btsnoop.records(path)]
    return {int.from_bytes(record.packet[1:3], "little") for record in records if record.packet[0] == 1}


@pytest.mark.parametrize("kind", [ANDROID_CURRENT, ANDROID_SMALL_MTU, IPHONE_BACKGROUND], ids=lambda kind: kind.name)
async def test_phones_are_found_and_read_and_find_and_read(venue: Venue, kind: PhoneKind) -> None:
    """HP-C01, X2: with the extended commands too, phones hear a legacy advert, and are heard."""
    agent = await venue.start_agent(**EXTENDED)
    phone = await venue.phone(kind, reads_beacons=True)
    assert (await phone.served.first(what="read by the agent")).reader == ADDRESS
    assert (await phone.read.first(what="read of the agent")).payload == PAYLOAD
    await venue.synced(lambda all: bool(with_identity(phone.payload, all)), what="encounter with the phone")
    assert await agent.stop() == 0
    assert EXTENDED_COMMANDS <= commands(venue)
    assert not LEGACY_COMMANDS & commands(venue)


async def test_every_advert_counts_once(venue: Venue) -> None:
    """HP-C27: with the extended commands too, every advert's RSSI is counted, and none twice."""
    await venue.start_agent(**EXTENDED)
    phone = await venue.phone(ANDROID_CURRENT)
    await phone.served.first(what="read by the agent")
    await venue.truth.hearings.until(lambda all: len(all) >= 40, what="adverts")
    phone.switch_off()
    heard = len(venue.truth.heard(phone.name))
    (encounter,) = await venue.synced(
        lambda all: any(encounter.readings >= heard for encounter in with_identity(phone.payload, all)),
        what="encounter with every reading",
    )
    assert encounter.readings == heard
    assert EXTENDED_CREATE_CONNECTION in commands(venue)


async def test_a_phone_that_advertises_in_extended_pdus_is_found_and_read(venue: Venue) -> None:
    """HP-C20, HP-C27: with the extended commands, the agent finds a phone by an extended advert."""
    await venue.start_agent(**EXTENDED)
    phone = await venue.phone(ANDROID_EXTENDED)
    assert len(phone.kind.advert(phone.name)) > 62
    assert (await phone.served.first(what="read by the agent")).reader == ADDRESS
    await venue.truth.hearings.until(lambda all: len(all) >= 20, what="adverts")
    phone.switch_off()
    heard = len(venue.truth.heard(phone.name))
    (encounter,) = await venue.synced(
        lambda all: any(encounter.readings >= heard for encounter in with_identity(phone.payload, all)),
        what="encounter with every reading",
    )
    assert encounter.readings == heard
    assert encounter.addresses == (phone.address.lower(),)
    assert len(phone.served) == 1


async def test_such_a_phone_is_not_heard_with_the_older_commands(venue: Venue) -> None:
    await venue.start_agent()
    extended = await venue.phone(ANDROID_EXTENDED, "extended")
    phone = await venue.phone(ANDROID_CURRENT)
    await venue.truth.hearings.until(
        lambda all: sum(hearing.sender == "extended" for hearing in all) >= 20, what="adverts of the phone"
    )
    found = await venue.synced(lambda all: bool(with_identity(phone.payload, all)), what="encounter with the other")
    assert [encounter.identity for encounter in found] == [phone.payload]
    assert len(extended.links) == 0


async def test_without_being_asked_the_older_commands_are_used(venue: Venue) -> None:
    """HP-C01, HP-C02: by default, the agent uses the legacy commands, which every controller has."""
    agent = await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT)
    await phone.served.first(what="read by the agent")
    assert await agent.stop() == 0
    assert LEGACY_COMMANDS <= commands(venue)
    assert not EXTENDED_COMMANDS & commands(venue)
