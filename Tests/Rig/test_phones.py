"""The phones, tested with a beacon made of Bumble: a failure here is the rig's fault and not the agent's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from bumble.core import UUID
from bumble.device import AdvertisingType, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host

import herald
import phone_kinds
from air import Air
from exposure_phone import ExposurePhone
from journal import Journal
from phone_kinds import PhoneKind
from phones import Phone
from scheme_phones import (
    COVID_TRACER_ANDROID,
    PROXIMITY_IPHONE,
    SONAR_ANDROID,
    SONAR_IPHONE,
    SchemePhone,
    covid_tracer_app,
    proximity_app,
    sonar_app,
)
from seeking_phone import SeekingPhone

PAYLOAD = herald.beacon_payload(826, 4, 123456, name="Adams Pizza")
HERALD_KINDS = [kind for kind in vars(phone_kinds).values() if isinstance(kind, PhoneKind) and kind.is_herald]


class BumbleBeacon:
    """A venue beacon that behaves as the agent should."""

    def __init__(self, air: Air) -> None:
        self.node = air.add("agent", "F0:0A:00:00:00:01")
        self.device = Device(name="beacon", address=Address("C4:A2:0D:11:22:33"), host=Host(self.node, self.node))
        self.signals: Journal[bytes] = Journal("signals written to the beacon")
        for service in (herald.SERVICE, herald.LEGACY_SERVICE):
            self.device.add_service(self._service(service))

    def _service(self, service: UUID) -> Service:
        payload = Characteristic(herald.PAYLOAD, Characteristic.Properties.READ, Characteristic.READABLE, PAYLOAD)
        signal = Characteristic(
            herald.COMPLIANT_SIGNAL,
            Characteristic.Properties.WRITE,
            Characteristic.WRITEABLE,
            CharacteristicValue(write=lambda _, value: self.signals.append(bytes(value))),
        )
        return Service(service, [signal, payload])

    async def start(self) -> None:
        """Powers on and advertises."""
        await self.device.power_on()
        await self.device.start_advertising(
            advertising_type=AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE,
            advertising_data=herald.BEACON_ADVERT_PREFIX + b"\x08",
            advertising_interval_min=100,
            advertising_interval_max=100,
            auto_restart=True,
        )


@pytest_asyncio.fixture
async def beacon(air: Air) -> AsyncIterator[BumbleBeacon]:
    beacon = BumbleBeacon(air)
    await beacon.start()
    yield beacon


@pytest.mark.parametrize("kind", HERALD_KINDS, ids=lambda kind: kind.name)
async def test_every_kind_of_phone_reads_the_beacon_once(air: Air, beacon: BumbleBeacon, kind: PhoneKind) -> None:
    phone = Phone(air, "phone", kind)
    await phone.switch_on()
    read = await phone.read.first(what="read of the beacon")
    assert read.payload == PAYLOAD
    assert read.mtu == kind.maximum_mtu
    await phone.links.first(lambda link: link.what == "down", what="end of the link")
    assert len(phone.read) == 1
    phone.switch_off()


@pytest.mark.parametrize("kind", HERALD_KINDS, ids=lambda kind: kind.name)
async def test_every_kind_of_phone_serves_its_payload(air: Air, beacon: BumbleBeacon, kind: PhoneKind) -> None:
    phone = Phone(air, "phone", kind, reads_beacons=False)
    await phone.switch_on()
    reader = Phone(air, "reader", phone_kinds.ANDROID_CURRENT, reads_beacons=False)
    await reader.switch_on()
    peer = await reader.connect(Address(phone.address))
    assert (await reader.read_payload(peer)).payload == phone.payload == herald.simple_payload("phone")
    assert [served.reader for served in phone.served] == [reader.address.lower()]
    phone.switch_off()
    reader.switch_off()


async def test_a_long_payload_is_read_in_pieces_and_counted_once(air: Air, beacon: BumbleBeacon) -> None:
    phone = Phone(air, "phone", phone_kinds.ANDROID_SMALL_MTU, payload=bytes(range(129)), reads_beacons=False)
    await phone.switch_on()
    reader = Phone(air, "reader", phone_kinds.ANDROID_CURRENT, reads_beacons=False)
    await reader.switch_on()
    peer = await reader.connect(Address(phone.address))
    assert (await reader.read_payload(peer)).payload == bytes(range(129))
    assert len(phone.served) == 1 and phone.served[0].mtu == 23


async def test_signals_are_written_at_once_and_in_fragments(air: Air, beacon: BumbleBeacon) -> None:
    phone = Phone(air, "phone", phone_kinds.ANDROID_CURRENT, reads_beacons=False)
    await phone.switch_on()
    peer = await phone.connect(await phone.find_beacon())
    message = herald.write_payload(phone.payload)
    await phone.write_signal(peer, [message])
    await phone.write_signal(peer, herald.fragments(message))
    assert list(beacon.signals) == [message, message[:20], message[20:]]


async def test_incoming_links_during_an_own_attempt_are_distinguished(air: Air) -> None:
    phone, guest, late = (
        Phone(air, name, phone_kinds.ANDROID_CURRENT, reads_beacons=False) for name in ("phone", "guest", "late")
    )
    await phone.switch_on()
    await guest.switch_on()
    attempt = asyncio.create_task(phone.connect(Address(late.address)))
    await guest.read_payload(await guest.connect(Address(phone.address)))
    assert not attempt.done()
    await late.switch_on()
    assert (await phone.read_payload(await attempt)).payload == late.payload


def sonar_phones(air: Air) -> list[SeekingPhone]:
    return [
        SchemePhone(air, "iPhone", SONAR_IPHONE, [sonar_app()], seeks=True),
        SchemePhone(air, "Android phone", SONAR_ANDROID, [sonar_app(android=True)], seeks=True),
    ]


def covid_tracer_phones(air: Air) -> list[SeekingPhone]:
    names = ("one", "other")
    return [SchemePhone(air, name, COVID_TRACER_ANDROID, [covid_tracer_app()], seeks=True) for name in names]


def proximity_phones(air: Air) -> list[SeekingPhone]:
    return [SchemePhone(air, name, PROXIMITY_IPHONE, [proximity_app()], seeks=True) for name in ("one", "other")]


def exposure_phones(air: Air) -> list[SeekingPhone]:
    return [ExposurePhone(air, name) for name in ("one", "other")]


@pytest.mark.parametrize("make", [sonar_phones, covid_tracer_phones, proximity_phones, exposure_phones])
async def test_phones_of_one_scheme_identify_each_other(air: Air, make: Callable[[Air], list[SeekingPhone]]) -> None:
    one, other = make(air)
    for phone in (one, other):
        await phone.switch_on()
    for phone, met in ((one, other), (other, one)):
        learnt = await phone.learnt.first(what="identity of the other")
        assert learnt.address == met.address.lower()
        said = [met.identity] if isinstance(met, ExposurePhone) else [each for all in met.answers.values() for each in all]
        assert learnt.identity in said
    for phone in (one, other):
        phone.switch_off()


def test_the_wire_forms_are_the_published_ones() -> None:
    assert PAYLOAD.hex() == "303a03040040e20100100b4164616d732050697a7a61"
    assert len(herald.simple_payload("anyone")) == 21
    assert herald.write_rssi(-56).hex() == "02c8ff"
    assert herald.immediate_send(b"hi").hex() == "0402006869"
    advert = phone_kinds.IPHONE_BACKGROUND.advert("any")
    assert advert.hex() == "02011a020a0c14ff4c000100000000000000000000200000000000"
    assert len(phone_kinds.ANDROID_LEGACY.advert("any")) == 31
