"""Phones whose apps look for others while they advertise and are read: in both roles at once, as phones are.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from bumble.core import AdvertisingData, BaseBumbleError
from bumble.device import Advertisement, Connection, Device, Peer
from bumble.hci import HCI_LE_1M_PHY, Address

from air import Air
from journal import Journal
from link_loss import address_text
from phone_events import Failure, IdentityLearnt
from phone_kinds import PhoneKind
from phones import CONNECT_SECONDS, Phone
from two_roles import TwoRoleDevice

FOR_EVER_SECONDS = timedelta(days=1).total_seconds()


class Central(ABC):
    """One app's behaviour towards received devices: which it reads, how, and what it accepts as an identity.
    """

    def __init__(self, phone: SeekingPhone) -> None:
        self.phone = phone

    @abstractmethod
    async def run(self) -> None:
        """Runs until the phone is switched off."""


class SeekingPhone(Phone):
    """A phone that scans all the time it is on, and whose apps may connect to any device."""

    def __init__(self, air: Air, name: str, kind: PhoneKind, **options: object) -> None:
        super().__init__(air, name, kind, reads_beacons=False, **options)  # type: ignore[arg-type]
        self.centrals: list[Central] = []
        self.heard: Journal[Advertisement] = Journal(f"{name}: adverts heard")
        self.learnt: Journal[IdentityLearnt] = Journal(f"{name}: identities learnt")
        self.ignored: Journal[bytes] = Journal(f"{name}: read, and taken for nobody's")
        self._connecting = asyncio.Lock()

    async def switch_on(self) -> None:
        """Switches on like any phone; then it begins to scan, and its apps run."""
        await super().switch_on()
        if not self.centrals:
            return
        self.device.on(TwoRoleDevice.EVENT_CONNECTED_TO, self._note_guest)
        self.device.on(Device.EVENT_ADVERTISEMENT, self.heard.append)
        await self.device.start_scanning(active=False, scanning_phys=[HCI_LE_1M_PHY])
        self._habits += [asyncio.create_task(central.run()) for central in self.centrals]

    # The apps' view of the devices around.

    async def sightings(self) -> AsyncIterator[Advertisement]:
        """Each advert that arrives from now on."""
        index = len(self.heard)
        while True:
            await self.heard.until(lambda all: len(all) > index, within=FOR_EVER_SECONDS, what="another advert")
            yield self.heard[index]
            index += 1

    async def scan(
        self, seconds: float, is_sought: Callable[[Advertisement], bool] = lambda _: True
    ) -> list[Advertisement]:
        """The first advert of each device that a scan of this length finds."""
        begin = len(self.heard)
        await asyncio.sleep(seconds)
        found: dict[Address, Advertisement] = {}
        for advertisement in self.heard.entries[begin:]:
            if is_sought(advertisement):
                found.setdefault(advertisement.address, advertisement)
        return list(found.values())

    @asynccontextmanager
    async def link(self, address: Address, *, within: float = CONNECT_SECONDS) -> AsyncIterator[Peer]:
        """A link with the device at an address, with MTU negotiated and all services discovered.

        An existing link that the device has made is used, as on both kinds of phone, and is left open.
        Otherwise this side makes a link and ends it.
        """
        async with self._connecting:  # A host attempts one connection at a time.
            connection = self._link_with(address)
            is_ours = connection is None
            if connection is None:
                connection = await self.device.connect_le(address, timeout=within)
        try:
            yield await self.explore(connection)
        finally:
            if is_ours and self.has(connection):
                await connection.disconnect()

    async def until_ended(self, connection: Connection) -> None:
        """Waits until a link has ended."""
        ended = asyncio.Event()
        connection.on(Connection.EVENT_DISCONNECTION, lambda _: ended.set())
        if self.has(connection):
            await ended.wait()

    @asynccontextmanager
    async def failing_quietly(self) -> AsyncIterator[None]:
        """Records errors on the air, and ignores them otherwise."""
        try:
            yield
        except (BaseBumbleError, TimeoutError) as error:
            self.failures.append(Failure(time.time(), repr(error)))

    def learn(self, address: Address, identity: bytes, rssi_dbm: int) -> None:
        """Records the identity of a device."""
        self.learnt.append(IdentityLearnt(time.time(), address_text(address), identity, rssi_dbm))

    def _note_guest(self, _: Connection) -> None:
        """Restarts advertising, which an incoming connection has ended, so that another device may connect.
        """
        self._habits.append(asyncio.create_task(self._advertise_again()))

    async def _advertise_again(self) -> None:
        advertising = self.device.legacy_advertising_set
        if advertising is not None and not advertising.enabled:
            await advertising.start()

    def _link_with(self, address: Address) -> Connection | None:
        links = self.device.connections.values()
        return next((link for link in links if address_text(link.peer_address) == address_text(address)), None)


def has_service(advertisement: Advertisement, service: bytes) -> bool:
    """Whether an advert lists a 128-bit service, given in the byte order of the air."""
    lists = (
        AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
        AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
    )
    return any(service in listed for kind in lists for listed in advertisement.data.get_all(kind, raw=True))
