"""Every kind of peer in the protocol, in both directions: as a server and as a client of the agent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from bumble.att import ATT_Read_Blob_Request, ErrorCode, Opcode
from bumble.hci import Address

import herald
from phone_kinds import (
    ANDROID_CURRENT,
    ANDROID_LEGACY,
    ANDROID_RESTLESS,
    ANDROID_RESTLESS_LEGACY,
    ANDROID_SLOW,
    ANDROID_SMALL_MTU,
    BOTH_SERVICES,
    IPHONE_BACKGROUND,
    PhoneKind,
)
from phones import Phone
from venue import ADDRESS, COUNTRY, PAYLOAD, STATE, Venue, until_left_alone

LONG_PAYLOAD = herald.simple_payload("long") + bytes(range(100, 208))
"""A payload that needs several requests at an MTU of 23, and several fragments."""
WRITTEN_RSSI_DBM = -91
"""The RSSI that the phone writes; nothing in the room is received at such a low level."""

PATIENT = {"encounters": {"gap_seconds": 30}}
"""A failed connection attempt keeps the agent from receiving for 5 s. That must not end an encounter."""

Mishap = Callable[[Venue, Phone], Awaitable[None]]


# Mishaps, for the agent as the reader and for the phone as the reader.


async def vanish_while_read(venue: Venue, phone: Phone) -> None:
    """The phone vanishes before it has answered, is missed by timeout, and comes back."""
    phone.during_read = phone.switch_off_soon
    await phone.served.first(what="first read")
    phone.during_read = None
    await venue.truth.links.first(lambda link: link.state == "down", what="end of the dead link")
    await phone.switch_on()


async def refuse_the_rest_while_read(venue: Venue, phone: Phone) -> None:
    """The phone answers the first part of its payload, and the request for the rest with an error."""
    phone.blob_error = ErrorCode.UNLIKELY_ERROR
    await until_left_alone(phone)
    phone.blob_error = None


async def vanish_while_reading(venue: Venue, phone: Phone) -> None:
    """The phone vanishes after the first part of the agent's payload, is missed by timeout, and comes back.
    """
    peer = await phone.connect(Address(ADDRESS), mtu=23)
    part = await phone.find_characteristic(peer, herald.PAYLOAD).read_value(no_long_read=True)
    assert bytes(part) == PAYLOAD[:22]
    ends = len(venue.truth.links)
    phone.switch_off()
    await venue.truth.links.first(lambda link: link.state == "down", what="end of the dead link", after=ends)
    await phone.switch_on()


async def ask_beyond_the_end(venue: Venue, phone: Phone) -> None:
    """The phone requests more than there is, and gets an error."""
    peer = await phone.connect(Address(ADDRESS))
    handle = phone.find_characteristic(peer, herald.PAYLOAD).handle
    answer = await peer.gatt_client.send_request(
        ATT_Read_Blob_Request(attribute_handle=handle, value_offset=len(PAYLOAD) + 1)
    )
    assert answer.op_code == Opcode.ATT_ERROR_RESPONSE and answer.error_code == ErrorCode.INVALID_OFFSET
    await peer.connection.disconnect()


async def vanish_while_writing(venue: Venue, phone: Phone) -> None:
    """The phone vanishes after the first fragment of a message.

    That fragment must not become the head of the next message.
    """
    peer = await phone.connect(Address(ADDRESS))
    await phone.write_signal(peer, phone.kind.writes(herald.write_payload(phone.payload))[:1])
    ends = len(venue.truth.links)
    phone.switch_off()
    await venue.truth.links.first(lambda link: link.state == "down", what="end of the dead link", after=ends)
    await phone.switch_on()


@dataclass(frozen=True)
class Case:
    """A kind of peer, with the mishap in each direction that precedes success."""

    name: str
    kind: PhoneKind
    payload: bytes = herald.simple_payload("phone")
    advertises: bool = True
    when_read: Mishap | None = None
    when_reading: Mishap | None = None
    when_writing: Mishap | None = None

    async def begin(self, venue: Venue) -> Phone:
        """Starts the agent and switches the phone on."""
        await venue.start_agent(**PATIENT)
        return await venue.phone(self.kind, payload=self.payload, advertises=self.advertises)

    async def begin_undisturbed(self, venue: Venue) -> Phone:
        """Begins, and waits until the agent has read the phone, if it can, and will not interfere."""
        phone = await self.begin(venue)
        if self.advertises:
            await until_left_alone(phone)
        return phone


CASES = [
    Case("current UUID only", ANDROID_CURRENT),
    Case("old UUID only", ANDROID_LEGACY),
    Case("both UUIDs", BOTH_SERVICES),
    Case("background iPhone, overflow area only", IPHONE_BACKGROUND),
    Case("fragmented writer", ANDROID_CURRENT, LONG_PAYLOAD),
    Case("non-advertising writer", ANDROID_CURRENT, advertises=False),
    Case("slow peer with MTU 23", ANDROID_SLOW, LONG_PAYLOAD),
    Case(
        "vanishes half way",
        ANDROID_SMALL_MTU,
        LONG_PAYLOAD,
        when_read=vanish_while_read,
        when_reading=vanish_while_reading,
        when_writing=vanish_while_writing,
    ),
    Case(
        "error for a blob",
        ANDROID_SMALL_MTU,
        LONG_PAYLOAD,
        when_read=refuse_the_rest_while_read,
        when_reading=ask_beyond_the_end,
    ),
    Case("new address every two seconds, with pseudo address", ANDROID_RESTLESS),
    Case("new address every two seconds, with pseudo address of before 2.1", ANDROID_RESTLESS_LEGACY),
]


def each(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


@each([case for case in CASES if case.advertises])
async def test_the_agent_reads_it(venue: Venue, case: Case) -> None:
    """HP-C03, HP-C04, HP-C20, HP-C22, HP-D03, X6: each kind of phone is found, read whole and recorded."""
    phone = await case.begin(venue)
    if case.when_read is not None:
        await case.when_read(venue, phone)
    tries = 1 if case.when_read is None else 2
    await phone.served.until(lambda all: len(all) >= tries, what="read by the agent")
    if phone.kind.address_seconds is not None:
        await venue.truth.hearings.until(
            lambda all: len({hearing.address for hearing in all}) >= 4, what="adverts under four addresses"
        )
    found = await venue.synced(
        lambda all: any(encounter.identity is not None for encounter in all), what="encounter with the phone"
    )
    (encounter,) = found
    assert encounter.identity == phone.payload
    assert encounter.addresses[0] in {address.lower() for address in phone.addresses}
    assert len(phone.served) == tries
    if phone.kind.signal == herald.NON_COMPLIANT_SIGNAL:
        # iPhones in the background do not detect every device, so the agent writes its payload to them once.
        await phone.signals.first(what="the agent's payload, written")
        assert [signal.value for signal in phone.signals] == [herald.write_payload(PAYLOAD)]
    else:
        # A board that advertises writes nothing to other phones, because they would never read it again.
        assert len(phone.signals) == 0


@each(CASES)
async def test_it_reads_the_agent(venue: Venue, case: Case) -> None:
    """HP-C01, HP-C03, HP-C07, HP-C22, HP-O11, X1: each kind of phone reads the payload whole."""
    phone = await case.begin_undisturbed(venue)
    if case.when_reading is not None:
        await case.when_reading(venue, phone)
    read = await phone.read_payload(await phone.connect(Address(ADDRESS)))
    assert read.payload == PAYLOAD
    assert read.mtu == (23 if phone.kind.maximum_mtu == 23 else 517)


@each([case for case in CASES if case.when_reading is None or case.when_writing is not None])
async def test_it_writes_to_the_agent(venue: Venue, case: Case) -> None:
    """HP-C06, HP-C09, HP-C10, X3, X4: payload and RSSI that a phone writes in its own way are recorded."""
    phone = await case.begin_undisturbed(venue)
    if case.when_writing is not None:
        await case.when_writing(venue, phone)
    peer = await phone.connect(Address(ADDRESS))
    for message in (herald.write_payload(phone.payload), herald.write_rssi(WRITTEN_RSSI_DBM)):
        await phone.write_signal(peer, phone.kind.writes(message))
    found = await venue.synced(
        lambda all: any(encounter.written_readings or encounter.readings > 5 for encounter in all),
        what="encounter of the phone that wrote, claimed unless the board hears it",
    )
    assert {encounter.identity for encounter in found} == {phone.payload}
    for encounter in found:
        assert encounter.rssi["minimum"] is None or encounter.rssi["minimum"] > WRITTEN_RSSI_DBM


@pytest.mark.parametrize("refusal", [ErrorCode.ATTRIBUTE_NOT_LONG, ErrorCode.INVALID_OFFSET], ids=["Android", "iPhone"])
async def test_a_payload_that_just_fills_an_answer_is_complete(venue: Venue, refusal: ErrorCode) -> None:
    """HP-C22: at an MTU of 23 a payload of 22 bytes is whole; phones refuse the request for more."""
    await venue.start_agent()
    phone = await venue.phone(ANDROID_SMALL_MTU, payload=herald.simple_payload("full") + b"!")
    phone.blob_error = refusal
    found = await venue.synced(lambda all: any(each.identity for each in all), what="encounter with the phone")
    assert [encounter.identity for encounter in found] == [phone.payload]
    assert len(phone.served) == 1


OTHER_ADDRESS, OTHER_PLACE = "d1:5e:0d:44:55:66", 654321
OTHER_BOARD = PATIENT | {
    "radio": {"address": OTHER_ADDRESS.upper()},
    "herald": {"location": OTHER_PLACE, "name": "", "area": ""},
}


@pytest.mark.parametrize("other_is_first", [False, True], ids=["one first", "the other first"])
async def test_two_boards_read_each_other(venue: Venue, other_is_first: bool) -> None:
    """HP-C21, X8: two boards that meet read each other, and then leave each other alone."""
    async with Venue(venue.directory / "other", beside=venue) as other:
        starts = [(venue, PATIENT), (other, OTHER_BOARD)]
        for board, changes in reversed(starts) if other_is_first else starts:
            await board.start_agent(**changes)
        other_payload = herald.beacon_payload(COUNTRY, STATE, OTHER_PLACE)
        for board, identity, address in ((venue, other_payload, OTHER_ADDRESS), (other, PAYLOAD, ADDRESS)):
            (encounter,) = await board.synced(
                lambda all: any(encounter.identity is not None for encounter in all), what="encounter with the other"
            )
            assert (encounter.identity, encounter.addresses) == (identity, (address,))
        await venue.truth.links.until(lambda all: all[-1].state == "down", what="end of the link")
        links = len(venue.truth.links)
        for board in (venue, other):
            heard = len(board.truth.hearings)
            await board.truth.hearings.until(lambda all: len(all) >= heard + 50, what="many more adverts")
        assert len(venue.truth.links) == links, "boards that know each other connected again"


async def test_two_boards_that_are_configured_alike_are_noticed(venue: Venue) -> None:
    """X8: each board reports the duplicate identity in its log and over the cable, and so does the archive.
    """
    async with Venue(venue.directory / "other", beside=venue) as other:
        alike = PATIENT | {"radio": {"address": OTHER_ADDRESS.upper()}}
        for board, changes in ((venue, PATIENT), (other, alike)):
            await board.start_agent(**changes)
        for board in (venue, other):
            await board.agent.lines.first(
                lambda line: "another device serves this board's payload" in line.text, what="word of the other"
            )
            listing = await venue.tabardctl.run("devices", "--port", str(board.agent.sync_port))
            assert "another device has its identity" in listing
        await venue.synced(lambda all: bool(all), what="encounter with the other")
        summary = await venue.tabardctl.sync(other.agent.sync_port)
        assert "used the same identity at the same time" in summary
