"""The agent as an observer: which phones it finds, how it reads them, and the archive's result."""

from __future__ import annotations

import pytest

import herald
import phone_kinds
from phone_events import PayloadServed
from phone_kinds import (
    ANDROID_CURRENT,
    ANDROID_RESTLESS,
    ANDROID_RESTLESS_LEGACY,
    ANDROID_SMALL_MTU,
    APPLE_TELEVISION,
    BOTH_SERVICES,
    EXPOSURE_NOTIFICATION,
    MALFORMED,
    PASSER_BY,
    PhoneKind,
)
from tabardctl import FoundEncounter
from venue import ADDRESS, Venue

HERALD_KINDS = [
    kind
    for kind in vars(phone_kinds).values()
    if isinstance(kind, PhoneKind) and kind.is_herald and not kind.extended_advertising
]


def with_identity(identity: bytes, encounters: list[FoundEncounter]) -> list[FoundEncounter]:
    return [encounter for encounter in encounters if encounter.identity == identity]


async def test_every_kind_of_phone_is_read_once_and_recorded(venue: Venue) -> None:
    """HP-C20, HP-C21, HP-C39: every kind of phone is read once and recorded."""
    # A connection attempt to a phone that has just changed its address keeps the agent from scanning for 5 s.
    # That must not be an encounter timeout.
    await venue.start_agent(encounters={"gap_seconds": 30})
    phones = [await venue.phone(kind, kind.name) for kind in HERALD_KINDS]
    for phone in phones:
        served = await phone.served.first(what="read by the agent")
        assert served.reader == ADDRESS
    identities = {phone.payload for phone in phones}
    found = await venue.synced(
        lambda all: identities <= {encounter.identity for encounter in all}, what="encounter with each phone"
    )
    for phone in phones:
        (encounter,) = with_identity(phone.payload, found)
        assert set(encounter.addresses) <= {address.lower() for address in phone.addresses}
        assert len(phone.served) == 1, f"{phone} was read more than once"


async def test_an_encounter_is_as_it_truly_was(venue: Venue) -> None:
    """HP-C27, HP-D01: every advert is counted, and an encounter has its true times and RSSI."""
    await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT, metres=4)
    await venue.truth.hearings.until(lambda all: len(all) >= 20, what="twenty adverts")
    phone.switch_off()
    (truth,) = venue.truth.encounters(phone.name, gap_seconds=5)
    (found,) = await venue.synced(
        lambda all: any(encounter.readings >= truth.readings for encounter in all), what="whole encounter"
    )
    assert found.start is not None and abs(found.start - truth.start) < 1
    assert found.end is not None and abs(found.end - truth.end) < 1
    assert found.readings == truth.readings  # every advert that reached the controller, none twice
    assert (found.rssi["minimum"], found.rssi["maximum"]) == (truth.rssi_minimum_dbm, truth.rssi_maximum_dbm)
    assert abs(found.rssi["mean"] - truth.rssi_mean_dbm) < 0.1


async def test_passers_by_are_not_counted_and_odd_adverts_do_no_harm(venue: Venue) -> None:
    await venue.start_agent()
    for kind in (PASSER_BY, APPLE_TELEVISION, MALFORMED, phone_kinds.IPHONE_OTHER_APP):
        await venue.phone(kind, kind.name)
    phone = await venue.phone(ANDROID_CURRENT)
    found = await venue.synced(lambda all: bool(with_identity(phone.payload, all)), what="encounter with the phone")
    assert [encounter.identity for encounter in found if encounter.identity is not None] == [phone.payload]


async def test_a_phone_with_exposure_notification_is_recorded_by_its_adverts(venue: Venue) -> None:
    await venue.start_agent(schemes={"exposure_notification": "listen"})
    phone = await venue.phone(EXPOSURE_NOTIFICATION, metres=4)
    herald_phone = await venue.phone(ANDROID_CURRENT, "Herald phone")
    await venue.truth.hearings.until(
        lambda all: sum(hearing.sender == phone.name for hearing in all) >= 20, what="twenty adverts"
    )
    phone.switch_off()
    (truth,) = venue.truth.encounters(phone.name, gap_seconds=5)
    identity = phone.kind.advert("")[-20:]
    found = await venue.synced(
        lambda all: any(encounter.readings >= truth.readings for encounter in with_identity(identity, all))
        and bool(with_identity(herald_phone.payload, all)),
        what="both encounters",
    )
    (encounter,) = with_identity(identity, found)
    assert encounter.scheme == "exposure-notification"
    assert encounter.readings == truth.readings
    assert encounter.start is not None and abs(encounter.start - truth.start) < 1
    assert abs(encounter.rssi["mean"] - truth.rssi_mean_dbm) < 0.1
    assert len(phone.links) == 0


async def test_other_schemes_are_passed_over_unless_they_are_asked_for(venue: Venue) -> None:
    await venue.start_agent()
    await venue.phone(EXPOSURE_NOTIFICATION, "stranger")
    phone = await venue.phone(ANDROID_CURRENT)
    await venue.truth.hearings.until(
        lambda all: sum(hearing.sender == "stranger" for hearing in all) >= 20, what="adverts of the stranger"
    )
    found = await venue.synced(lambda all: bool(with_identity(phone.payload, all)), what="encounter with the phone")
    assert [encounter.identity for encounter in found] == [phone.payload]


async def test_a_service_of_its_own_is_not_ours(venue: Venue) -> None:
    """HP-D04: a phone with Herald's characteristics under another service is neither read nor recorded."""
    await venue.start_agent()
    stranger = await venue.phone(phone_kinds.OWN_SERVICE, "stranger")
    phone = await venue.phone(ANDROID_CURRENT)
    await venue.truth.hearings.until(
        lambda all: sum(hearing.sender == "stranger" for hearing in all) >= 20, what="adverts of the stranger"
    )
    found = await venue.synced(lambda all: bool(with_identity(phone.payload, all)), what="encounter with the phone")
    assert [encounter.identity for encounter in found] == [phone.payload]
    assert len(stranger.links) == 0


async def test_a_long_payload_is_read_completely_at_the_smallest_mtu(venue: Venue) -> None:
    await venue.start_agent()
    payload = herald.simple_payload("long") + bytes(range(108))
    phone = await venue.phone(ANDROID_SMALL_MTU, payload=payload)
    await phone.served.first(what="read by the agent")
    await venue.synced(lambda all: bool(with_identity(payload, all)), what="encounter with the whole payload")


async def test_the_link_is_closed_when_the_payload_is_read(venue: Venue) -> None:
    """HP-C23: the link is closed once the payload has been read."""
    await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT)
    up = await phone.links.first(lambda link: link.what == "up", what="connection")
    down = await phone.links.first(lambda link: link.what == "down", what="end of the connection")
    assert up.peer == ADDRESS and down.reason == 0x13  # remote user terminated
    assert down.seconds < 5
    await venue.truth.hearings.until(lambda all: len(all) >= 30, what="many more adverts")
    assert len(phone.served) == 1


async def test_a_changed_address_is_the_same_encounter(venue: Venue) -> None:
    await venue.start_agent()
    phone = await venue.phone(BOTH_SERVICES)
    await phone.served.first(what="read by the agent")
    await phone.rotate_address()
    (encounter,) = await venue.synced(
        lambda all: any(len(encounter.addresses) == 2 for encounter in with_identity(phone.payload, all)),
        what="encounter with two addresses",
    )
    assert set(encounter.addresses) == {address.lower() for address in phone.addresses}


async def test_a_pseudo_device_address_outlives_the_address(venue: Venue) -> None:
    """HP-C21, HP-D02: a pseudo device address makes a phone one encounter, read once, under a new address."""
    await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT)
    await phone.served.first(what="read by the agent")
    await venue.truth.links.first(lambda link: link.state == "down", what="end of the link")
    await phone.rotate_address()
    heard = len(venue.truth.hearings)
    await venue.truth.hearings.until(lambda all: len(all) >= heard + 20, what="adverts from the new address")
    (encounter,) = await venue.synced(
        lambda all: any(encounter.readings > heard + 10 for encounter in with_identity(phone.payload, all)),
        what="encounter that goes on under the new address",
    )
    assert encounter.boots == 1
    assert len(phone.served) == 1


@pytest.mark.parametrize("kind", [ANDROID_RESTLESS, ANDROID_RESTLESS_LEGACY], ids=lambda kind: kind.name)
async def test_many_addresses_of_one_pseudo_address_are_one_encounter(venue: Venue, kind: PhoneKind) -> None:
    """HP-C17, HP-C21, HP-D02: a phone is one encounter, read once, under all its addresses."""
    # A connection attempt to a phone that has just changed its address keeps the agent from scanning for some
    # seconds.
    await venue.start_agent(encounters={"gap_seconds": 30})
    phone = await venue.phone(kind)
    await phone.served.first(what="read by the agent")
    await venue.truth.hearings.until(
        lambda all: len({hearing.address for hearing in all}) >= 5, what="adverts under five addresses"
    )
    phone.switch_off()
    readings = len(venue.truth.hearings)
    found = await venue.synced(
        lambda all: sum(encounter.readings for encounter in all) >= readings, what="encounter with every reading"
    )
    (encounter,) = found
    assert encounter.identity == phone.payload
    assert encounter.readings == readings  # under each of the addresses, and none twice
    assert len(phone.served) == 1


async def test_a_phone_that_vanishes_while_it_is_read_is_survived_and_read_later(venue: Venue) -> None:
    """HP-C03, HP-C12: the agent survives a phone that vanishes while it is read, and reads it later."""
    agent = await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT)
    phone.during_read = phone.switch_off_soon
    await phone.served.first(what="read by the agent")
    other = await venue.phone(ANDROID_SMALL_MTU, "other")
    await other.served.first(what="read of another phone")
    assert agent.is_running
    phone.during_read = None
    await phone.switch_on()
    await phone.served.until(lambda all: len(all) >= 2, what="second read")
    await venue.synced(lambda all: bool(with_identity(phone.payload, all)), what="encounter with the phone")


async def test_the_scan_continues_while_a_phone_is_connected(venue: Venue) -> None:
    await venue.start_agent()
    reader = await venue.phone(phone_kinds.IPHONE_FOREGROUND, "reader")
    await reader.connect(await reader.find_beacon())
    await venue.truth.links.first(lambda link: link.state == "up" and link.phone == "reader", what="link")
    heard = len(venue.truth.hearings)
    other = await venue.phone(ANDROID_CURRENT, "other")
    await venue.truth.hearings.first(lambda h: h.sender == "other", what="advert", after=heard)
    await other.served.first(what="read while another phone is connected")
    assert venue.air.links_of("reader") == 1


async def test_a_phone_that_cannot_advertise_can_tell_its_payload(venue: Venue) -> None:
    """HP-C06: a phone that cannot advertise writes its payload."""
    await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT, advertises=False)
    peer = await phone.connect(await phone.find_beacon())
    await phone.write_signal(peer, herald.fragments(herald.write_payload(phone.payload)))
    await phone.write_signal(peer, [herald.write_rssi(-61)])
    await venue.synced(lambda all: bool(with_identity(phone.payload, all)), what="encounter with the silent phone")


@pytest.mark.parametrize("count", [12])
async def test_many_phones_at_once_are_all_read_once(venue: Venue, count: int) -> None:
    """HP-D05: many phones at once are distinguished, each read once and recorded."""
    await venue.start_agent()
    phones = [await venue.phone(HERALD_KINDS[n % len(HERALD_KINDS)], f"phone {n}", metres=1 + n) for n in range(count)]
    for phone in phones:
        await phone.served.first(what="read by the agent")
    identities = {phone.payload for phone in phones}
    await venue.synced(
        lambda all: identities <= {encounter.identity for encounter in all}, what=f"encounters with all {count}"
    )
    reads: list[PayloadServed] = [served for phone in phones for served in phone.served]
    assert len(reads) == count
