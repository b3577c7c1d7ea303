"""Tests of the air itself, which must not mislead the agent. No agent is needed here."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from bumble.device import Device
from bumble.hci import HCI_LE_1M_PHY, Address, HCI_Reset_Command
from bumble.host import Host

from air import Air, Hearing
from journal import PATIENCE_SECONDS, Journal
from link_layer import CONNECTION_FAILED_TO_BE_ESTABLISHED, CONNECTION_TIMEOUT
from motion import Point, Route, Waypoint, standing
from phone_kinds import ANDROID_CURRENT, MALFORMED, WEARABLE
from phones import Phone
from propagation import Propagation


class Listener:
    """A Bumble host that scans in the agent's place."""

    def __init__(self, air: Air) -> None:
        self.node = air.add("agent", "F0:0A:00:00:00:01")
        self.device = Device(name="listener", address=Address("C0:00:00:00:00:01"), host=Host(self.node, self.node))
        self.heard: Journal[Hearing] = Journal("what the listener heard")
        air.on_hearing.append(self.heard.append)

    async def start(self, active: bool = False) -> None:
        """Powers on and scans."""
        await self.device.power_on()
        await self.device.start_scanning(active=active, scanning_phys=[HCI_LE_1M_PHY])


@pytest_asyncio.fixture
async def listener(air: Air) -> AsyncIterator[Listener]:
    listener = Listener(air)
    await listener.start()
    yield listener


async def test_rssi_follows_distance(air: Air, listener: Listener) -> None:
    for name, metres, expected in (("near", 1.0, -55), ("far", 10.0, -75)):
        await Phone(air, name, ANDROID_CURRENT, position=standing(metres, 0), reads_beacons=False).switch_on()
        hearing = await listener.heard.first(lambda h: h.sender == name, what=f"advert of {name}")
        assert hearing.rssi_dbm == expected


async def test_nobody_is_heard_below_the_floor(air: Air, listener: Listener) -> None:
    await Phone(air, "too far", ANDROID_CURRENT, position=standing(110, 0), reads_beacons=False).switch_on()
    await Phone(air, "in reach", ANDROID_CURRENT, position=standing(95, 0), reads_beacons=False).switch_on()
    await listener.heard.until(lambda all: len(all) >= 5, what="five adverts")
    assert {hearing.sender for hearing in listener.heard} == {"in reach"}


async def test_noise_spreads_and_loss_thins_out() -> None:
    async with Air(seed=7, propagation=Propagation(noise_db=3, advert_loss=0.5)) as air:
        listener = Listener(air)
        await listener.start()
        phones = [
            Phone(air, f"phone {n}", ANDROID_CURRENT, position=standing(3, 0), reads_beacons=False) for n in range(10)
        ]
        for phone in phones:
            await phone.switch_on()
        start = asyncio.get_running_loop().time()
        await listener.heard.until(lambda all: len(all) >= 100, what="a hundred adverts")
        seconds = asyncio.get_running_loop().time() - start
        assert 1.5 < statistics.stdev(hearing.rssi_dbm for hearing in listener.heard) < 5
        assert 5 < 100 / seconds < 30  # ten phones at 4/s, half of it lost; a slow machine has less still


async def test_scan_responses_come_to_active_scanners_only(air: Air) -> None:
    listener = Listener(air)
    await listener.start(active=True)
    await Phone(air, "wearable", WEARABLE, reads_beacons=False).switch_on()
    await listener.heard.first(lambda h: h.is_scan_response, what="scan response")


async def test_malformed_adverts_reach_the_scanner(air: Air, listener: Listener) -> None:
    data: Journal[bytes] = Journal("advertising data")
    listener.device.on(Device.EVENT_ADVERTISEMENT, lambda advertisement: data.append(advertisement.data_bytes))
    await Phone(air, "odd", MALFORMED, reads_beacons=False).switch_on()
    await data.first(lambda d: d == bytes.fromhex("04ff4c0010"), what="malformed advert")


@pytest.mark.parametrize("how", ["cut", "switched off", "out of range", "reset"])
async def test_a_link_that_carries_no_more_ends_by_supervision_timeout(air: Air, listener: Listener, how: str) -> None:
    place = [Point(2, 0)]
    phone = Phone(air, "phone", ANDROID_CURRENT, position=lambda: place[0], reads_beacons=False)
    await phone.switch_on()
    connection = await listener.device.connect_le(Address(phone.address), timeout=PATIENCE_SECONDS)
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    connection.on("disconnection", ended.set_result)
    if how == "cut":
        air.cut("agent", "phone")
    elif how == "switched off":
        phone.switch_off()
    elif how == "reset":
        await phone.device.host.send_sync_command(HCI_Reset_Command())
    else:
        place[0] = Point(500, 0)
    assert await asyncio.wait_for(ended, PATIENCE_SECONDS) == CONNECTION_TIMEOUT


async def test_a_lost_request_to_connect_is_a_link_that_fails_at_once(air: Air, listener: Listener) -> None:
    phone = Phone(air, "phone", ANDROID_CURRENT, reads_beacons=False)
    await phone.switch_on()

    air.loses_requests = True
    connection = await listener.device.connect_le(Address(phone.address), timeout=PATIENCE_SECONDS)
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    connection.on("disconnection", ended.set_result)
    assert await asyncio.wait_for(ended, PATIENCE_SECONDS) == CONNECTION_FAILED_TO_BE_ESTABLISHED
    air.loses_requests = False
    await listener.device.connect_le(Address(phone.address), timeout=PATIENCE_SECONDS)
    assert air.links_of("phone") == 1


async def test_two_devices_never_have_two_links(air: Air, listener: Listener) -> None:
    phone = Phone(air, "phone", ANDROID_CURRENT, reads_beacons=False)
    await phone.switch_on()
    await listener.device.start_advertising(auto_restart=True)
    connection = await listener.device.connect_le(Address(phone.address), timeout=PATIENCE_SECONDS)
    crossing = asyncio.create_task(phone.device.connect_le(listener.device.random_address, timeout=PATIENCE_SECONDS))
    assert await connection.gatt_client.request_mtu(100) == 100
    assert air.links_of("phone") == 1
    await connection.disconnect()
    await crossing
    assert air.links_of("phone") == 1


async def test_a_device_that_comes_back_with_its_address_has_not_its_old_link(air: Air, listener: Listener) -> None:
    phone = Phone(air, "phone", ANDROID_CURRENT, reads_beacons=False)
    await phone.switch_on()
    connection = await listener.device.connect_le(Address(phone.address), timeout=PATIENCE_SECONDS)
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    connection.on("disconnection", ended.set_result)
    phone.switch_off()
    await phone.switch_on()
    assert await asyncio.wait_for(ended, PATIENCE_SECONDS) == CONNECTION_TIMEOUT


async def test_a_short_cut_is_survived(air: Air, listener: Listener) -> None:
    phone = Phone(air, "phone", ANDROID_CURRENT, reads_beacons=False)
    await phone.switch_on()
    connection = await listener.device.connect_le(Address(phone.address), timeout=PATIENCE_SECONDS)
    air.cut("agent", "phone")
    asyncio.get_running_loop().call_later(0.1, air.heal, "agent", "phone")
    mtu = await asyncio.wait_for(connection.gatt_client.request_mtu(247), PATIENCE_SECONDS)
    assert mtu == 247 and air.links_of("agent") == 1


async def test_rotation_changes_the_address_on_the_air(air: Air, listener: Listener) -> None:
    phone = Phone(air, "phone", ANDROID_CURRENT, reads_beacons=False)
    await phone.switch_on()
    await listener.heard.first(lambda h: h.address == phone.address.lower(), what="first address")
    await phone.rotate_address()
    assert len(set(phone.addresses)) == 2
    await listener.heard.first(lambda h: h.address == phone.address.lower(), what="second address")


def test_routes_are_walked_at_an_even_pace() -> None:
    route = Route([Waypoint(10, 0, 0), Waypoint(20, 10, 0), Waypoint(30, 10, 20)])
    assert route.position(0) == Point(0, 0)
    assert route.position(15) == Point(5, 0)
    assert route.position(25) == Point(10, 10)
    assert route.position(99) == Point(10, 20)
