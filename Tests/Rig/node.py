"""A controller in the air, with a host on one side, and a position and an antenna on the other."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from controller import COMMAND, EVENT, Controller
from motion import Point

if TYPE_CHECKING:
    from air import Air


class PacketSink(Protocol):
    """Accepts whole H4 packets, as Bumble's hosts do."""

    def on_packet(self, packet: bytes) -> None: ...


class Node:
    """One controller in the air, with a position and a transmit power.

    Towards its host it acts as what Bumble calls a packet source and a packet sink.
    """

    def __init__(
        self,
        air: Air,
        name: str,
        public_address: str,
        position: Callable[[], Point],
        radiated_power_dbm: float = 0.0,
    ) -> None:
        self.air = air
        self.name = name
        self.position = position
        self.radiated_power_dbm = radiated_power_dbm
        self.taps: list[Callable[[bool, bytes], None]] = []
        """Called with (came from the host, H4 packet)."""
        self.is_scanning = False
        self.scan_duty = 1.0
        """The share of the time for which the radio listens during a scan: window over interval."""
        self.is_initiating = False
        """Whether it is trying to connect."""
        self.seconds_plugged = 0.0
        self.seconds_scanning = 0.0
        self.scans: list[tuple[float, float]] = []
        """When it scanned: wall clock, seconds since 1970. The current scan is not included."""
        self._scans_since: float | None = None
        self._sink: PacketSink | None = None
        self._loop = asyncio.get_running_loop()
        self.terminated: asyncio.Future[None] = self._loop.create_future()
        """Never done. Bumble wants to know when a transport ends, but these do not end."""
        self._controller = Controller(public_address, self._from_controller, self._to_air)

    # The host's side.

    def set_packet_sink(self, sink: PacketSink | None) -> None:
        """Sets the receiver of the controller's packets."""
        self._sink = sink

    def on_packet(self, packet: bytes) -> None:
        """Accepts an H4 packet from the host."""
        for tap in self.taps:
            tap(True, packet)
        if packet[0] == COMMAND:
            self._note_command(packet)
        self._controller.receive_from_host(packet)

    def _from_controller(self, packet: bytes) -> None:
        for tap in self.taps:
            tap(False, packet)
        if packet[0] == EVENT:
            self._note_event(packet)
        self._loop.call_soon(self._deliver_to_host, packet)

    def _deliver_to_host(self, packet: bytes) -> None:
        if self._sink is not None:
            self._sink.on_packet(packet)

    def _note_command(self, packet: bytes) -> None:
        opcode = packet[1] | packet[2] << 8
        if opcode == 0x0C03:  # Reset
            self._set_scanning(False)
            self.is_initiating = False
            self.air.links.abandon(self)
        elif opcode in (0x200C, 0x2042):  # LE Set (Extended) Scan Enable
            self._set_scanning(packet[4] != 0)
        elif opcode == 0x200B:  # LE Set Scan Parameters: type, interval, window
            interval, window = struct.unpack_from("<HH", packet, 5)
            self.scan_duty = min(1.0, window / max(1, interval))
        elif opcode in (0x200D, 0x2043):  # LE (Extended) Create Connection
            self.is_initiating = True
        elif opcode == 0x200E:  # LE Create Connection Cancel
            self.is_initiating = False

    def _set_scanning(self, is_scanning: bool) -> None:
        if self._scans_since is not None and not is_scanning:
            self.scans.append((self._scans_since, time.time()))
            self._scans_since = None
        elif self._scans_since is None and is_scanning:
            self._scans_since = time.time()
        self.is_scanning = is_scanning

    def _note_event(self, packet: bytes) -> None:
        is_le_connection_complete = packet[1] == 0x3E and packet[3] in (0x01, 0x0A)
        # The attempt failed, or this side is the central.
        if is_le_connection_complete and (packet[4] != 0 or packet[7] == 0):
            self.is_initiating = False

    # The air's side.

    @property
    def is_plugged(self) -> bool:
        """Whether the controller is in the air."""
        return self.air.nodes.get(self.name) is self

    @property
    def is_listening(self) -> bool:
        """Whether the controller listens for adverts."""
        return self.is_scanning or self.is_initiating

    def _to_air(self, pdu: bytes, phy: int) -> None:
        # The call is deferred, because the receiving controller must not be entered from within the sending
        # one.
        self._loop.call_soon(self.air.transmit, self, pdu, phy)

    def hear(self, pdu: bytes, phy: int, rssi_dbm: int) -> None:
        """Accepts a packet from the air."""
        self._controller.receive_from_air(pdu, phy, rssi_dbm)

    def tick(self, seconds: float) -> None:
        """Advances the controller's clock; `seconds` have passed since the last call."""
        self.seconds_plugged += seconds
        if self.is_scanning:
            self.seconds_scanning += seconds
        self._controller.tick()

    def unplug(self) -> None:
        """Removes the controller without notice; its peers find out by their supervision timeouts."""
        self._set_scanning(False)
        self.air.remove(self)
        self._sink = None
        self._controller.close()
