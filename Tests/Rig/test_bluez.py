"""BlueZ 5.66 on a real Linux kernel as the agent's client: its own advert parser, ATT and GATT."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

import herald
from bluez import EMULATOR, BlueZ
from phone_kinds import PASSER_BY
from venue import ADDRESS, PAYLOAD, Venue

# One machine for all tests, and so one process.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("bluez")]

FOREIGN_SERVICE = "180f"
PRIMARY_SERVICES = [
    (0x0001, 0x0005, "00001800-0000-1000-8000-00805f9b34fb"),
    (0x0006, 0x0006, "00001801-0000-1000-8000-00805f9b34fb"),
    (0x0007, 0x000B, "0000fcf6-0000-1000-8000-00805f9b34fb"),
    (0x000C, 0x0010, "428132af-4746-42d3-801e-4572d65bfd9b"),
]
READ, WRITE = 0x02, 0x08
CHARACTERISTICS = [
    (0x0002, READ, 0x0003, "00002a00-0000-1000-8000-00805f9b34fb"),
    (0x0004, READ, 0x0005, "00002a01-0000-1000-8000-00805f9b34fb"),
    (0x0008, READ, 0x0009, "3e98c0f8-8f05-4829-a121-43e38f8933e7"),
    (0x000A, WRITE, 0x000B, "f617b813-092e-437a-8324-e09a80821a11"),
    (0x000D, READ, 0x000E, "3e98c0f8-8f05-4829-a121-43e38f8933e7"),
    (0x000F, WRITE, 0x0010, "f617b813-092e-437a-8324-e09a80821a11"),
]
PAYLOAD_HANDLES = [0x0009, 0x000E]
SIGNAL_HANDLES = [0x000B, 0x0010]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def place(tmp_path_factory: pytest.TempPathFactory, programs: None) -> AsyncIterator[Venue]:
    """A venue with the agent, and a device without Herald beside it."""
    if not BlueZ.is_possible():
        pytest.skip(f"BlueZ as the client needs {EMULATOR}: scripts/setup vm installs it")
    async with Venue(tmp_path_factory.mktemp("bluez")) as venue:
        await venue.start_agent()
        await venue.phone(PASSER_BY, "earphones")
        yield venue


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bluez(place: Venue) -> AsyncIterator[BlueZ]:
    """The machine, switched on, with its controller set up by the kernel."""
    await BlueZ.prepare()
    async with BlueZ(place.air, place.directory) as bluez:
        yield bluez


async def test_btmgmt_finds_the_beacon(place: Venue, bluez: BlueZ) -> None:
    """HP-C05: `btmgmt find` finds the beacon under its static address, with the RSSI of the air."""
    found = await bluez.find({"agent", "earphones"})
    assert set(found) == {ADDRESS, place.phones[0].address.lower()}
    assert found[ADDRESS].address_type == "LE Random"
    assert found[ADDRESS].rssi_dbm in bluez.rssi_heard_dbm("agent")


@pytest.mark.parametrize("service", ["fcf6", "428132af-4746-42d3-801e-4572d65bfd9b"], ids=["current", "legacy"])
async def test_the_kernel_finds_each_service_in_the_advert(place: Venue, bluez: BlueZ, service: str) -> None:
    """X1, X2, HP-D03: the kernel's search for either service finds the beacon and no other device."""
    assert set(await bluez.find({"agent", "earphones"}, service)) == {ADDRESS}


async def test_the_kernel_finds_no_other_service_in_the_advert(place: Venue, bluez: BlueZ) -> None:
    found = await bluez.find({"agent", "earphones"}, FOREIGN_SERVICE)
    assert set(found) == {place.phones[0].address.lower()}  # the search can therefore distinguish services


async def test_gatttool_sees_both_services_as_primary(bluez: BlueZ) -> None:
    """HP-C34, HP-O11: gatttool sees both services as primary, with the table's order and handles."""
    services = await bluez.gatttool(ADDRESS, "--primary")
    assert services.lines == [
        f"attr handle = 0x{first:04x}, end grp handle = 0x{last:04x} uuid: {uuid}" for first, last, uuid in PRIMARY_SERVICES
    ]


async def test_gatttool_sees_characteristics_with_exactly_the_required_properties(bluez: BlueZ) -> None:
    """HP-C07, HP-C09, HP-C10, HP-C11, HP-C35, HP-C36, HP-C37, HP-C38: gatttool sees the exact properties."""
    seen = await bluez.gatttool(ADDRESS, "--characteristics")
    assert seen.lines == [
        f"handle = 0x{handle:04x}, char properties = 0x{properties:02x}, char value handle = 0x{value:04x}, uuid = {uuid}"
        for handle, properties, value, uuid in CHARACTERISTICS
    ]


@pytest.mark.parametrize("handle", PAYLOAD_HANDLES, ids=["current", "legacy"])
async def test_gatttool_reads_the_payload(bluez: BlueZ, handle: int) -> None:
    """HP-C01, HP-C22, HP-C36: gatttool reads the configured payload whole, in pieces, without pairing."""
    assert len(PAYLOAD) > 22  # more than a Read Response holds at BlueZ's MTU of 23
    read = await bluez.gatttool(ADDRESS, f"--char-read -a 0x{handle:04x}")
    assert read.lines == [f"Characteristic value/descriptor: {PAYLOAD.hex(' ')}"]


async def test_writes_of_gatttool_with_response_are_accepted(place: Venue, bluez: BlueZ) -> None:
    """HP-C06, HP-C09, HP-C10, HP-C38: payload and RSSI, written to either service, become an encounter."""
    payload = herald.simple_payload("BlueZ")
    # The payload is too long for one request, so BlueZ sends it as prepared writes.
    messages = [herald.write_payload(payload), herald.write_rssi(-61)]
    for handle, message in zip(SIGNAL_HANDLES, messages, strict=True):
        written = await bluez.gatttool(ADDRESS, f"--char-write-req -a 0x{handle:04x} -n {message.hex()}")
        assert written.lines == ["Characteristic value was written successfully"]
    (encounter,) = await place.synced(lambda all: bool(all) and all[0].written_readings == 1, what="encounter with who wrote")
    assert encounter.identity == payload
    assert encounter.claimed and encounter.readings == 0, "the board has measured nothing"


async def test_requests_that_are_not_permitted_are_refused(bluez: BlueZ) -> None:
    """HP-C36, HP-C38: gatttool can neither write the payload nor read the signal."""
    write = await bluez.gatttool(ADDRESS, f"--char-write-req -a 0x{PAYLOAD_HANDLES[0]:04x} -n 00")
    assert write.lines == ["Characteristic Write Request failed: Attribute can't be written"]
    read = await bluez.gatttool(ADDRESS, f"--char-read -a 0x{SIGNAL_HANDLES[0]:04x}")
    assert read.lines == ["Characteristic value/descriptor read failed: Attribute can't be read"]
