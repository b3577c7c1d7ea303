"""The rig's phones: independent Bluetooth hosts (Bumble) on controllers of their own.

A phone advertises, serves its payload, and accepts signal messages. As Herald phones do, it also looks for a
beacon, reads its payload once and disconnects. Its journals record what happens.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from weakref import WeakSet

from bumble.att import ATT_Error, ErrorCode
from bumble.core import UUID, BaseBumbleError
from bumble.device import Advertisement, Connection, Device, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.gatt_client import CharacteristicProxy
from bumble.hci import HCI_LE_1M_PHY, Address, Role
from bumble.host import Host

import herald
from air import Air
from journal import PATIENCE_SECONDS, Journal
from link_loss import LinkLost, address_text, cancellation_is_loss
from motion import Point, standing
from node import Node
from phone_advertising import start_advertising
from phone_events import Failure, LinkEvent, PayloadRead, PayloadServed, SignalReceived
from phone_kinds import PhoneKind
from slowness import slow_down_client, slow_down_server
from two_roles import TwoRoleDevice

CONNECT_SECONDS = 8.0
"""How long a phone tries to connect, as Android's Herald does."""


class Phone:
    """One phone. It may be switched off and on again: its journals continue, and all else starts afresh."""

    def __init__(
        self,
        air: Air,
        name: str,
        kind: PhoneKind,
        *,
        position: Callable[[], Point] = standing(1, 0),
        payload: bytes | None = None,
        radiated_power_dbm: float = 0.0,
        reads_beacons: bool | None = None,
        advertises: bool = True,
    ) -> None:
        self.name = name
        self.kind = kind
        self.payload = payload if payload is not None else herald.simple_payload(name)
        self.address = kind.address_kind.address(name)
        self.addresses = [self.address]
        self.position = position
        self.radiated_power_dbm = radiated_power_dbm
        self.reads_beacons = kind.reads_beacons if reads_beacons is None else reads_beacons
        self.advertises = advertises
        """If false, the adapter has no peripheral role: nobody can find the phone, and it writes its payload.
        """
        self.during_read: Callable[[], None] | None = None
        """Called when a read request for the payload has arrived, before the answer."""
        self.blob_error: ErrorCode | None = None
        """The error in answer to a Read Blob request for the rest of the payload; None: the rest."""

        self.read: Journal[PayloadRead] = Journal(f"{name}: payloads read")
        self.served: Journal[PayloadServed] = Journal(f"{name}: payload served")
        self.signals: Journal[SignalReceived] = Journal(f"{name}: signals received")
        self.links: Journal[LinkEvent] = Journal(f"{name}: links")
        self.failures: Journal[Failure] = Journal(f"{name}: beacons not read")

        self._air = air
        self._node: Node | None = None
        self._device: Device | None = None
        self._habits: list[asyncio.Task[None]] = []

    def __str__(self) -> str:
        return f"{self.name} ({self.kind.name})"

    @property
    def is_on(self) -> bool:
        """Whether the phone is switched on."""
        return self._node is not None

    @property
    def device(self) -> Device:
        """The Bumble host of a phone that is on."""
        assert self._device is not None, f"{self.name} is switched off"
        return self._device

    def has(self, connection: Connection) -> bool:
        """Whether a link is up."""
        return self._device is not None and self._device.connections.get(connection.handle) is connection

    # Switching on and off, and changing the address.

    async def switch_on(self) -> None:
        """Plugs in, registers the services, and only then advertises."""
        public_address = "F0:0B:" + self.addresses[0][6:]
        self._node = self._air.add(self.name, public_address, self.position, self.radiated_power_dbm)
        self._device = TwoRoleDevice(name=self.name, address=Address(self.address), host=Host(self._node, self._node))
        self._device.gatt_server.max_mtu = self.kind.maximum_mtu
        for service in self.kind.hosted_services:
            self._device.add_service(self._herald_service(service))
        for service in self.other_services():
            self._device.add_service(service)
        for event in (Device.EVENT_CONNECTION, TwoRoleDevice.EVENT_CONNECTED_TO):
            self._device.on(event, self._note_connection)
        await self._device.power_on()
        if self.kind.pause_seconds:
            slow_down_server(self._device.gatt_server, self.kind.pause_seconds)
        if self.advertises:
            await self._advertise()
        if self.kind.address_seconds is not None:
            self._habits.append(asyncio.create_task(self._keep_rotating(self.kind.address_seconds)))
        if self.reads_beacons:
            self._habits.append(asyncio.create_task(self._read_one_beacon()))

    def switch_off(self) -> None:
        """Vanishes from the air, together with its links."""
        for habit in self._habits:
            habit.cancel()
        self._habits.clear()
        if self._node is not None:
            self._node.unplug()
            self._node = None
        if self._device is not None:
            self._device.emit(Device.EVENT_FLUSH)
            self._device = None

    def switch_off_soon(self) -> None:
        """Vanishes as soon as the current callback is over."""
        asyncio.get_running_loop().call_soon(self.switch_off)

    async def rotate_address(self) -> None:
        """Takes a new random address and keeps the payload."""
        await self.device.stop_advertising()
        self.address = self.kind.address_kind.address(f"{self.name}, address {len(self.addresses)}")
        self.addresses.append(self.address)
        self.device.random_address = self.device.static_address = Address(self.address)
        await self._advertise()

    async def advertise_as(self, kind: PhoneKind) -> None:
        """Advertises as this kind from now on, under the same address. Its services stay the same."""
        await self.device.stop_advertising()
        self.kind = kind
        await self._advertise()

    async def _keep_rotating(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            if not self.device.connections:  # During a link advertising is off; it restarts after the link.
                await self.rotate_address()

    async def _advertise(self) -> None:
        await start_advertising(self.device, self.kind, self.name, self.address, self.payload[-1])

    # As a server.

    def other_services(self) -> Iterable[Service]:
        """The other services that it hosts."""
        return ()

    def _herald_service(self, service: UUID) -> Service:
        served: WeakSet[Connection] = WeakSet()

        def read_payload(connection: Connection) -> bytes:
            if connection not in served:  # Further requests of the same reader are Read Blobs.
                served.add(connection)
                self.served.append(PayloadServed(time.time(), address_text(connection.peer_address), connection.att_mtu))
            elif self.blob_error is not None:
                raise ATT_Error(self.blob_error)
            if self.during_read is not None:
                self.during_read()
            return self.payload

        def take_signal(connection: Connection, value: bytes) -> None:
            self.signals.append(SignalReceived(time.time(), address_text(connection.peer_address), bytes(value)))

        payload: Characteristic[bytes] = Characteristic(
            herald.PAYLOAD,
            Characteristic.Properties.READ,
            Characteristic.READABLE,
            CharacteristicValue(read=read_payload),
        )
        signal_properties = Characteristic.Properties.WRITE
        if self.kind.signal == herald.NON_COMPLIANT_SIGNAL:
            signal_properties |= Characteristic.Properties.NOTIFY
        signal: Characteristic[bytes] = Characteristic(
            self.kind.signal, signal_properties, Characteristic.WRITEABLE, CharacteristicValue(write=take_signal)
        )
        return Service(service, [signal, payload])

    def _note_connection(self, connection: Connection) -> None:
        began = time.time()
        peer, is_central = address_text(connection.peer_address), connection.role == Role.CENTRAL
        self.links.append(LinkEvent(began, "up", peer, is_central))

        def note_end(reason: int) -> None:
            now = time.time()
            self.links.append(LinkEvent(now, "down", peer, is_central, reason, now - began))

        connection.on(Connection.EVENT_DISCONNECTION, note_end)

    # As a client.

    async def find_beacon(self, within: float = PATIENCE_SECONDS) -> Address:
        """Scans until a board's advert arrives, with any scheme's service, and returns its address."""
        found: asyncio.Future[Address] = asyncio.get_running_loop().create_future()

        def consider(advertisement: Advertisement) -> None:
            if herald.is_board(advertisement.data_bytes) and not found.done():
                found.set_result(advertisement.address)

        device = self.device
        device.on(Device.EVENT_ADVERTISEMENT, consider)
        try:
            await device.start_scanning(active=False, scanning_phys=[HCI_LE_1M_PHY])
            return await asyncio.wait_for(found, within)
        finally:
            device.remove_listener(Device.EVENT_ADVERTISEMENT, consider)
            if self._device is device:
                await device.stop_scanning()

    async def connect(self, address: Address, mtu: int | None = None) -> Peer:
        """Connects, negotiates the kind's MTU (unless that is 23), and discovers all services."""
        return await self.explore(await self.device.connect_le(address, timeout=CONNECT_SECONDS), mtu)

    async def explore(self, connection: Connection, mtu: int | None = None) -> Peer:
        """Negotiates the MTU first, then discovers all services."""
        if not self.has(connection):
            raise LinkLost("the link ended as soon as it was made")  # Bumble would wait for answers.
        peer = Peer(connection)
        if self.kind.pause_seconds:
            slow_down_client(peer.gatt_client, self.kind.pause_seconds)
        mtu = mtu or self.kind.maximum_mtu
        with cancellation_is_loss():
            if mtu > 23:
                await peer.request_mtu(mtu)
            await peer.discover_services()
            for service in peer.services:
                await service.discover_characteristics()
        return peer

    async def read_payload(self, peer: Peer) -> PayloadRead:
        """Reads the connected peer's payload and records it."""
        characteristic = self.find_characteristic(peer, herald.PAYLOAD)
        with cancellation_is_loss():
            value = bytes(await peer.read_value(characteristic))
        connection = peer.connection
        address = address_text(connection.peer_address)
        read = PayloadRead(time.time(), address, value, connection.att_mtu, await connection.get_rssi())
        self.read.append(read)
        return read

    async def write_signal(self, peer: Peer, writes: Iterable[bytes]) -> None:
        """Writes to the signal characteristic, each time after the answer to the previous write."""
        characteristic = self.find_characteristic(peer, herald.COMPLIANT_SIGNAL)
        for value in writes:
            with cancellation_is_loss():
                await peer.write_value(characteristic, value, with_response=True)

    def find_characteristic(self, peer: Peer, uuid: UUID) -> CharacteristicProxy[bytes]:
        """A characteristic of the first service that this kind of phone knows."""
        for service in self.kind.sought_services:
            found = peer.get_characteristics_by_uuid(uuid, service)
            if found:
                return found[0]
        raise BaseBumbleError(f"{peer.connection.peer_address} has no characteristic {uuid}")

    async def _read_one_beacon(self) -> None:
        """Finds a beacon, reads its payload and disconnects, as Herald phones do.

        After a failure it tries again.
        """
        if self.read.entries:
            return  # It was switched off and on again, but still has this beacon's payload.
        while True:
            try:
                peer = await self.connect(await self.find_beacon(within=3600))
                try:
                    await self.read_payload(peer)
                finally:
                    await peer.connection.disconnect()
                return
            except (BaseBumbleError, TimeoutError) as error:
                self.failures.append(Failure(time.time(), repr(error)))
                await asyncio.sleep(1.0)
