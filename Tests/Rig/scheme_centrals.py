"""The central roles of the original apps, implemented apart from the agent's code.

The sources are those that scheme_phones.py names. Where an app waits for long, it waits for less here, and
the original's time is in a comment.
"""

from __future__ import annotations

import asyncio
import time

from bumble.core import UUID, AdvertisingData
from bumble.device import Advertisement, Peer
from bumble.gatt_client import CharacteristicProxy

from herald import APPLE
from link_loss import cancellation_is_loss
from scheme_uuids import (
    BLE_PROXIMITY,
    BLE_PROXIMITY_IDENTITY,
    COVID_TRACER,
    COVID_TRACER_IDENTITY,
    EXPOSURE_NOTIFICATION,
    SONAR,
    SONAR_IDENTITY,
    SONAR_KEEP_ALIVE,
)
from seeking_phone import Central, SeekingPhone, has_service

SONAR_BYTES = 129
COVID_TRACER_BYTES = 20
BLE_PROXIMITY_BYTES = 8


class SonarIPhoneCentral(Central):
    """Connects to every device that advertises Sonar, and stays connected.

    When a link ends, it connects again at once.
    """

    async def run(self) -> None:
        known: set[str] = set()
        async with asyncio.TaskGroup() as everyone:
            async for advertisement in self.phone.sightings():
                if has_service(advertisement, bytes(SONAR)) and str(advertisement.address) not in known:
                    known.add(str(advertisement.address))
                    everyone.create_task(self._stay_with(advertisement))

    async def _stay_with(self, advertisement: Advertisement) -> None:
        while True:
            async with self.phone.failing_quietly(), self.phone.link(advertisement.address) as peer:
                await self._read(peer)
                await self.phone.until_ended(peer.connection)

    async def _read(self, peer: Peer) -> None:
        rssi_dbm = await peer.connection.get_rssi()
        identity = found(peer, SONAR, SONAR_IDENTITY)
        keep_alive = found(peer, SONAR, SONAR_KEEP_ALIVE)
        with cancellation_is_loss():
            if identity is not None:
                take_payload(self.phone, peer, bytes(await peer.read_value(identity)), rssi_dbm)
                await peer.subscribe(identity, lambda value: take_payload(self.phone, peer, bytes(value), rssi_dbm))
            if keep_alive is not None:
                await peer.subscribe(keep_alive, lambda _: None)


class SonarAndroidCentral(Central):
    """Scans until it finds devices, and reads each in turn over a short link; it reads none of them twice."""

    SCAN_SECONDS = 1.5  # 8
    PAUSE_SECONDS = 1.0

    async def run(self) -> None:
        known: set[str] = set()
        while True:
            for advertisement in await self._find():
                address = str(advertisement.address)
                async with self.phone.failing_quietly(), self.phone.link(advertisement.address) as peer:
                    rssi_dbm = await peer.connection.get_rssi()
                    identity = found(peer, SONAR, SONAR_IDENTITY)
                    if identity is None or address in known:
                        continue
                    with cancellation_is_loss():
                        payload = bytes(await peer.read_value(identity))
                    if take_payload(self.phone, peer, payload, rssi_dbm):
                        known.add(address)

    async def _find(self) -> list[Advertisement]:
        people: list[Advertisement] = []
        while not people:
            people = await self.phone.scan(self.SCAN_SECONDS, self._is_sought)
        await asyncio.sleep(self.PAUSE_SECONDS)
        return people

    @staticmethod
    def _is_sought(advertisement: Advertisement) -> bool:
        """Whether a device has Sonar, by its service or by its bit in an iPhone's overflow area."""
        apples = advertisement.data.get_all(AdvertisingData.MANUFACTURER_SPECIFIC_DATA)
        background = b"\x01" + bytes(9) + b"\x40" + bytes(6)
        return has_service(advertisement, bytes(SONAR)) or (APPLE, background) in apples


def take_payload(phone: SeekingPhone, peer: Peer, payload: bytes, rssi_dbm: int) -> bool:
    """Accepts a payload of 129 bytes, as both of Sonar's apps do, and nothing else."""
    if len(payload) != SONAR_BYTES:
        phone.ignored.append(payload)
        return False
    phone.learn(peer.connection.peer_address, payload, rssi_dbm)
    return True


class CovidTracerCentral(Central):
    """Connects to each device, nearest first, because adverts do not show which devices have the app."""

    SCAN_SECONDS = 1.5  # 15
    PAUSE_SECONDS = 1.0  # 45
    CONNECT_SECONDS = 3.0  # 20
    COOL_DOWN_SECONDS = 900.0
    LEAST_RSSI_DBM = -85

    async def run(self) -> None:
        cooling: dict[str, float] = {}
        while True:
            people = sorted(await self.phone.scan(self.SCAN_SECONDS), key=lambda each: each.rssi, reverse=True)
            for advertisement in people:
                address = str(advertisement.address)
                if advertisement.rssi < self.LEAST_RSSI_DBM or time.monotonic() < cooling.get(address, 0):
                    continue
                async with self.phone.failing_quietly():
                    await self._ask(advertisement)
                    cooling[address] = time.monotonic() + self.COOL_DOWN_SECONDS
            await asyncio.sleep(self.PAUSE_SECONDS)

    async def _ask(self, advertisement: Advertisement) -> None:
        async with self.phone.link(advertisement.address, within=self.CONNECT_SECONDS) as peer:
            key = found(peer, COVID_TRACER, COVID_TRACER_IDENTITY)
            if key is None:
                return
            with cancellation_is_loss():
                value = bytes(await peer.read_value(key))
            if len(value) == COVID_TRACER_BYTES:
                self.phone.learn(advertisement.address, value, advertisement.rssi)
            else:
                self.phone.ignored.append(value)


class ProximityCentral(Central):
    """Writes its identity to each device with BLE-Proximity, reads theirs, and disconnects.

    It repeats that after a while.
    """

    AGAIN_SECONDS = 15.0

    def __init__(self, phone: SeekingPhone, user: bytes) -> None:
        super().__init__(phone)
        self._user = user

    async def run(self) -> None:
        known: set[str] = set()
        async with asyncio.TaskGroup() as everyone:
            async for advertisement in self.phone.sightings():
                if has_service(advertisement, bytes(BLE_PROXIMITY)) and str(advertisement.address) not in known:
                    known.add(str(advertisement.address))
                    everyone.create_task(self._meet(advertisement, known))

    async def _meet(self, advertisement: Advertisement, known: set[str]) -> None:
        async with self.phone.failing_quietly():
            await self._exchange(advertisement)
            await asyncio.sleep(self.AGAIN_SECONDS)
        known.discard(str(advertisement.address))

    async def _exchange(self, advertisement: Advertisement) -> None:
        async with self.phone.link(advertisement.address) as peer:
            rssi_dbm = await peer.connection.get_rssi()
            user = found(peer, BLE_PROXIMITY, BLE_PROXIMITY_IDENTITY)
            if user is None:
                return
            with cancellation_is_loss():
                await peer.write_value(user, self._user, with_response=False)
                value = bytes(await peer.read_value(user))
            if len(value) >= BLE_PROXIMITY_BYTES:
                self.phone.learn(advertisement.address, value[:BLE_PROXIMITY_BYTES], rssi_dbm)
            else:
                self.phone.ignored.append(value)


class ExposureCentral(Central):
    """Never connects: records each identifier that it receives once, with its metadata."""

    async def run(self) -> None:
        known: set[bytes] = set()
        async for advertisement in self.phone.sightings():
            for service, data in advertisement.data.get_all(AdvertisingData.SERVICE_DATA_16_BIT_UUID):
                if service == EXPOSURE_NOTIFICATION and len(data) == 20 and data not in known:
                    known.add(data)
                    self.phone.learn(advertisement.address, bytes(data), advertisement.rssi)


def found(peer: Peer, service: UUID, characteristic: UUID) -> CharacteristicProxy[bytes] | None:
    """The characteristic that an app reads from a peer, if the peer has the app's service."""
    there = peer.get_characteristics_by_uuid(characteristic, service)
    return there[0] if there else None
