"""The agent as a beacon, as phones see it: its advert, its GATT table, its payload, and signals to it."""

from __future__ import annotations

import struct

import pytest
from bumble.att import ATT_Error, ErrorCode
from bumble.core import UUID
from bumble.device import Advertisement, Device, Peer
from bumble.gatt import Characteristic
from bumble.hci import HCI_LE_1M_PHY, Address

import herald
from journal import Journal
from phone_kinds import ANDROID_CURRENT, ANDROID_SMALL_MTU, IPHONE_FOREGROUND, PhoneKind
from phones import Phone
from venue import ADDRESS, PAYLOAD, TX_POWER_DBM, Venue, until_left_alone

BOTH_SERVICES = [herald.SERVICE, herald.LEGACY_SERVICE]


async def listen(phone: Phone) -> Journal[bytes]:
    """The agent's advertising data, as the phone receives it."""
    heard: Journal[bytes] = Journal("adverts of the agent")

    def note(advertisement: Advertisement) -> None:
        if str(advertisement.address).split("/")[0].lower() == ADDRESS:
            heard.append(bytes(advertisement.data_bytes))

    phone.device.on(Device.EVENT_ADVERTISEMENT, note)
    await phone.device.start_scanning(active=False, scanning_phys=[HCI_LE_1M_PHY])
    return heard


async def connect(venue: Venue, kind: PhoneKind = ANDROID_CURRENT, mtu: int | None = None) -> tuple[Phone, Peer]:
    phone = await venue.phone(kind)
    await until_left_alone(phone)
    return phone, await phone.connect(await phone.find_beacon(), mtu)


async def test_the_advert_is_the_28_bytes_of_a_beacon(venue: Venue) -> None:
    """X1, X2, HP-C05, HP-C19: a phone hears the 28 bytes with both services and nothing else."""
    await venue.start_agent()
    heard = await listen(await venue.phone(ANDROID_CURRENT))
    advert = await heard.first(what="advert")
    assert advert == herald.BEACON_ADVERT_PREFIX + struct.pack("b", TX_POWER_DBM)
    assert len(advert) == 28


async def test_the_advert_carries_the_configured_power(venue: Venue) -> None:
    await venue.start_agent(radio={"tx_power_dbm": 8})
    heard = await listen(await venue.phone(ANDROID_CURRENT))
    assert (await heard.first(what="advert"))[-1] == 8


async def test_it_advertises_while_connected_or_again_after_it(venue: Venue) -> None:
    await venue.start_agent()
    phone, peer = await connect(venue)
    await peer.connection.disconnect()
    heard = await listen(phone)
    await heard.first(what="advert after a connection")


@pytest.mark.parametrize("service", BOTH_SERVICES, ids=["current", "legacy"])
async def test_both_services_are_primary_and_have_the_required_characteristics(venue: Venue, service: UUID) -> None:
    """HP-C34, HP-C35, HP-C36, HP-C37, HP-C38, HP-C10, HP-C11: a phone discovers the required attributes."""
    await venue.start_agent()
    _, peer = await connect(venue)
    assert len(peer.get_services_by_uuid(service)) == 1  # discovery finds primary services only
    characteristics = {each.uuid: each for each in peer.get_services_by_uuid(service)[0].characteristics}
    assert set(characteristics) == {herald.PAYLOAD, herald.COMPLIANT_SIGNAL}
    assert characteristics[herald.PAYLOAD].properties == Characteristic.Properties.READ
    assert characteristics[herald.COMPLIANT_SIGNAL].properties == Characteristic.Properties.WRITE


@pytest.mark.parametrize("service", BOTH_SERVICES, ids=["current", "legacy"])
@pytest.mark.parametrize("mtu", [23, 48, 517])
async def test_the_payload_is_the_configured_one(venue: Venue, service: UUID, mtu: int) -> None:
    """HP-C01, HP-C07, HP-C22: a phone reads the payload from both services, also at the smallest MTU."""
    await venue.start_agent()
    assert len(PAYLOAD) > 22  # an MTU of 23 therefore needs a second request
    _, peer = await connect(venue, mtu=mtu)
    characteristic = peer.get_characteristics_by_uuid(herald.PAYLOAD, service)[0]
    assert bytes(await peer.read_value(characteristic)) == PAYLOAD
    assert peer.connection.att_mtu == mtu


async def test_a_device_with_a_number_serves_it_and_no_venue(venue: Venue) -> None:
    await venue.start_agent(herald={"location": None, "name": None, "area": None, "client_id": 123456789})
    _, peer = await connect(venue)
    characteristic = peer.get_characteristics_by_uuid(herald.PAYLOAD, herald.SERVICE)[0]
    assert bytes(await peer.read_value(characteristic)).hex() == "083a03040015cd5b0700000000"


async def test_requests_that_are_not_permitted_are_refused(venue: Venue) -> None:
    """HP-C36, HP-C38: operations without permission are refused."""
    await venue.start_agent()
    _, peer = await connect(venue)
    payload = peer.get_characteristics_by_uuid(herald.PAYLOAD, herald.SERVICE)[0]
    signal = peer.get_characteristics_by_uuid(herald.COMPLIANT_SIGNAL, herald.SERVICE)[0]
    with pytest.raises(ATT_Error) as refusal:
        await peer.write_value(payload, b"x", with_response=True)
    assert refusal.value.error_code == ErrorCode.WRITE_NOT_PERMITTED
    with pytest.raises(ATT_Error) as refusal:
        await peer.read_value(signal)
    assert refusal.value.error_code == ErrorCode.READ_NOT_PERMITTED
    assert bytes(await peer.read_value(payload)) == PAYLOAD


@pytest.mark.parametrize(
    "message",
    [
        herald.write_payload(herald.simple_payload("someone")),
        herald.write_rssi(-56),
        herald.immediate_send(bytes(range(200))),
    ],
    ids=["payload", "rssi", "immediate"],
)
@pytest.mark.parametrize("in_fragments", [False, True], ids=["whole", "fragments"])
async def test_signals_are_taken(venue: Venue, message: bytes, in_fragments: bool) -> None:
    """HP-C09, HP-C29, X4: signals are accepted, whole and in fragments."""
    agent = await venue.start_agent()
    phone, peer = await connect(venue)
    await phone.write_signal(peer, herald.fragments(message) if in_fragments else [message])
    assert (await phone.read_payload(peer)).payload == PAYLOAD
    assert agent.is_running


async def test_signals_at_the_smallest_mtu_are_taken(venue: Venue) -> None:
    agent = await venue.start_agent()
    phone, peer = await connect(venue, ANDROID_SMALL_MTU)
    message = herald.write_payload(herald.simple_payload("someone"))
    await phone.write_signal(peer, herald.fragments(message))
    await phone.write_signal(peer, [message])  # longer than the MTU: prepared writes
    assert agent.is_running


async def test_malformed_signal_writes_do_no_harm(venue: Venue) -> None:
    """HP-C41: nonsense, or a future message, on the signal characteristic does no harm."""
    agent = await venue.start_agent()
    phone, peer = await connect(venue)
    for nonsense in (b"", b"\xff", b"\x01\xff\xff", b"\x02", bytes(500)):
        try:
            await phone.write_signal(peer, [nonsense])
        except ATT_Error as refusal:
            assert refusal.error_code == ErrorCode.INVALID_ATTRIBUTE_LENGTH
    assert (await phone.read_payload(peer)).payload == PAYLOAD
    assert agent.is_running


async def test_a_phone_that_knocks_while_it_is_read_gets_the_payload(venue: Venue) -> None:
    await venue.start_agent()
    for round in range(4):
        phone = await venue.phone(ANDROID_CURRENT, f"phone {round}", reads_beacons=True)
        assert (await phone.read.first(what="read of the beacon")).payload == PAYLOAD
        assert len(phone.failures) <= 1
        phone.switch_off()


async def test_two_phones_are_served_at_the_same_time(venue: Venue) -> None:
    await venue.start_agent()
    first = await venue.phone(ANDROID_CURRENT, "first")
    second = await venue.phone(IPHONE_FOREGROUND, "second")
    for phone in (first, second):
        await until_left_alone(phone)
    peers = [await phone.connect(Address(ADDRESS)) for phone in (first, second)]
    for phone, peer in zip((first, second), peers):
        assert (await phone.read_payload(peer)).payload == PAYLOAD
