"""A passer-by with a phone, who connects and advertises under another phone's address.

In the rig an address is one device's at a time, so the victim is switched off while the attacker uses its address.
"""

from __future__ import annotations

from dataclasses import replace

from bumble.hci import Address

import herald
from motion import standing
from phone_kinds import ANDROID_CURRENT, ANDROID_RESTLESS, PhoneKind
from phones import Phone
from tabardctl import FoundEncounter
from venue import ADDRESS, Venue, until_left_alone

FOREIGN = herald.simple_payload("somebody else")
WRITTEN_RSSI_DBM = -21
"""Stronger than anything in the room."""
LONG = {"encounters": {"gap_seconds": 30}}


async def attacker_as(venue: Venue, victim: Phone, kind: PhoneKind = ANDROID_CURRENT, *, advertises: bool) -> Phone:
    """A device of an attacker that takes the victim's address."""
    attacker = Phone(
        venue.air, "attacker", kind, position=standing(1, 1), reads_beacons=False, advertises=advertises
    )
    attacker.address = victim.address
    attacker.addresses = [victim.address]
    await venue.admit(attacker)
    return attacker


async def write_as(venue: Venue, victim: Phone) -> None:
    """Writes a payload and a strong RSSI under the victim's address, while it is away for a moment."""
    victim.switch_off()
    # It serves nothing: the board would read a served payload before its own first read (docs/crowds.md).
    attacker = await attacker_as(venue, victim, replace(ANDROID_CURRENT, hosted_services=()), advertises=False)
    peer = await attacker.connect(Address(ADDRESS))
    for message in (herald.write_payload(FOREIGN), *[herald.write_rssi(WRITTEN_RSSI_DBM)] * 20):
        await attacker.write_signal(peer, herald.fragments(message))
    attacker.switch_off()
    await victim.switch_on()


async def heard_again(venue: Venue, phone: Phone, count: int = 20) -> None:
    """Waits for more adverts of a phone."""
    before = len(venue.truth.hearings)
    await venue.truth.hearings.until(
        lambda all: sum(hearing.sender == phone.name for hearing in all[before:]) >= count,
        what=f"more adverts of {phone.name}",
    )


def of(phone: Phone, found: list[FoundEncounter]) -> list[FoundEncounter]:
    """The encounters under a phone's address."""
    return [each for each in found if phone.address.lower() in each.addresses]


async def test_a_passer_by_cannot_rename_a_phone_that_was_read(venue: Venue) -> None:
    """A written payload and RSSI change neither identity nor samples of a phone that the board has read."""
    await venue.start_agent(**LONG)
    victim = await venue.phone(ANDROID_CURRENT, "victim")
    await until_left_alone(victim)
    await write_as(venue, victim)
    await heard_again(venue, victim)
    found = await venue.synced(lambda all: any(each.readings > 20 for each in of(victim, all)), what="the victim")
    assert {each.identity for each in found} == {victim.payload}
    assert all(each.readings and each.rssi["maximum"] < WRITTEN_RSSI_DBM for each in found)
    assert all(each.identity_marks == () for each in found)


async def test_a_passer_by_cannot_stop_the_reading_of_a_phone(venue: Venue) -> None:
    """A payload written under a phone's address before the board has heard it does not replace reading it."""
    await venue.start_agent(**LONG)
    victim = await venue.phone(ANDROID_CURRENT, "victim")
    await write_as(venue, victim)
    await victim.served.first(what="read by the board all the same")
    found = await venue.synced(
        lambda all: any(each.identity == victim.payload and each.readings for each in of(victim, all)),
        what="the victim",
    )
    measured = [each for each in of(victim, found) if each.readings]
    assert {each.identity for each in measured} == {victim.payload}
    assert all(each.rssi["maximum"] < WRITTEN_RSSI_DBM for each in measured)


async def test_a_passer_by_cannot_take_over_an_encounter_by_a_pseudo_address(venue: Venue) -> None:
    """One advert from a phone's address with a pseudo address does not give its encounter to that one."""
    await venue.start_agent(**LONG)
    victim = await venue.phone(ANDROID_CURRENT, "victim")
    await until_left_alone(victim)
    victim.switch_off()
    kind = replace(ANDROID_RESTLESS, address_seconds=None)
    attacker = await attacker_as(venue, victim, kind, advertises=True)
    await heard_again(venue, attacker, 5)
    await attacker.rotate_address()
    await victim.switch_on()
    await heard_again(venue, attacker)
    await heard_again(venue, victim)
    found = await venue.synced(
        lambda all: any(each.identity == attacker.payload for each in all), what="the attacker, as itself"
    )
    (encounter,) = [each for each in found if each.identity == victim.payload]
    assert encounter.addresses == (victim.address.lower(),)
