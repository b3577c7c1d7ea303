"""The air between the controllers: who hears whom, how loudly, and what gets lost.

RootCanal controllers hand their link-layer packets to an `Air`, which delivers them by position (log-distance
path loss with noise, a sensitivity floor), loses adverts, cuts links, and ends a link whose two ends have not
reached each other for its supervision time-out, with reason 0x08, as a real link layer does.

Everything runs in one asyncio event loop. What is random comes from one seed; time is real, RootCanal knows no other.
"""

from __future__ import annotations

import asyncio
import math
import random
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

from controller import COMMAND, EVENT, Controller
from motion import Point, standing

CONNECTION_TIMEOUT = 0x08
"""HCI error code of a link whose supervision time-out passed."""


class Pdu(IntEnum):
    """RootCanal's link-layer packet types, first byte; then sender and receiver address, 6 bytes each."""

    ACL = 0x01
    DISCONNECT = 0x05
    LEGACY_ADVERTISING = 0x0B
    CONNECT = 0x0C
    CONNECT_COMPLETE = 0x0D
    SCAN = 0x0E
    SCAN_RESPONSE = 0x0F
    EXTENDED_ADVERTISING = 0x37
    PERIODIC_ADVERTISING = 0x40


ADVERTISING = {Pdu.LEGACY_ADVERTISING, Pdu.EXTENDED_ADVERTISING, Pdu.PERIODIC_ADVERTISING}
UNACKNOWLEDGED = ADVERTISING | {Pdu.CONNECT, Pdu.SCAN, Pdu.SCAN_RESPONSE}
"""What the advertising channels carry: lost is lost. Everything else is repeated until it arrives or the link dies."""


class PacketSink(Protocol):
    """Takes whole H4 packets; Bumble's hosts are such sinks."""

    def on_packet(self, packet: bytes) -> None: ...


class Node:
    """One controller in the air, with a place and a transmitter power.

    Towards its host it is what Bumble calls a packet source and a packet sink.
    """

    def __init__(
        self,
        air: "Air",
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
        self.scanning = False
        self.scan_duty = 1.0
        """Part of the time that the radio listens while it scans: window over interval."""
        self._initiating = False
        self._sink: PacketSink | None = None
        self._loop = asyncio.get_running_loop()
        self.terminated: asyncio.Future[None] = self._loop.create_future()
        """Never done: Bumble wants to know of a transport that ends, ours do not."""
        self._controller = Controller(public_address, self._from_controller, self._to_air)

    # The host's side.

    def set_packet_sink(self, sink: PacketSink | None) -> None:
        """Says who gets the controller's packets."""
        self._sink = sink

    def on_packet(self, packet: bytes) -> None:
        """Takes an H4 packet from the host."""
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
            self.scanning = self._initiating = False
        elif opcode in (0x200C, 0x2042):  # LE Set (Extended) Scan Enable
            self.scanning = packet[4] != 0
        elif opcode == 0x200B:  # LE Set Scan Parameters: type, interval, window
            interval, window = struct.unpack_from("<HH", packet, 5)
            self.scan_duty = min(1.0, window / max(1, interval))
        elif opcode in (0x200D, 0x2043):  # LE (Extended) Create Connection
            self._initiating = True
        elif opcode == 0x200E:  # LE Create Connection Cancel
            self._initiating = False

    def _note_event(self, packet: bytes) -> None:
        is_le_connection_complete = packet[1] == 0x3E and packet[3] in (0x01, 0x0A)
        if is_le_connection_complete and (packet[4] != 0 or packet[7] == 0):  # failed, or we are the central
            self._initiating = False

    # The air's side.

    @property
    def listening(self) -> bool:
        """Whether adverts are of any use to this controller."""
        return self.scanning or self._initiating

    def _to_air(self, pdu: bytes, phy: int) -> None:
        # Later, not now: the receiving controller must not be entered from within the sending one.
        self._loop.call_soon(self.air.transmit, self, pdu, phy)

    def hear(self, pdu: bytes, phy: int, rssi_dbm: int) -> None:
        """Takes a packet off the air."""
        self._controller.receive_from_air(pdu, phy, rssi_dbm)

    def tick(self) -> None:
        """Lets the controller's clock run."""
        self._controller.tick()

    def unplug(self) -> None:
        """Takes the controller away without a word to anyone; who was linked with it finds out by time-out."""
        self.air.remove(self)
        self._sink = None
        self._controller.close()


@dataclass
class Propagation:
    """How loud a transmitter is at a receiver: RSSI = power - loss at 1 m - 10 n log10(metres) + noise."""

    loss_at_one_metre_db: float = 55.0
    exponent: float = 2.0
    noise_db: float = 0.0
    """Standard deviation, drawn anew for every packet."""
    sensitivity_dbm: float = -95.0
    advert_loss: float = 0.0
    """Probability that an advert is lost though it was loud enough."""
    scan_duty: bool = False
    """Whether a scanner misses what arrives outside its scan window."""

    def mean_rssi_dbm(self, sender: Point, receiver: Point, radiated_power_dbm: float) -> float:
        """RSSI without the noise, in dBm."""
        metres = max(0.1, sender.distance_to(receiver))
        return radiated_power_dbm - self.loss_at_one_metre_db - 10 * self.exponent * math.log10(metres)


@dataclass
class Link:
    """A connection between two addresses, as far as the air can tell."""

    addresses: frozenset[bytes]
    supervision_seconds: float
    unreachable_since: float | None = None
    held: list[tuple[Node, Node, bytes, int]] = field(default_factory=list)
    """Packets that wait for the link to carry again."""


@dataclass(frozen=True)
class Hearing:
    """An advert or scan response that arrived at a scanning controller."""

    at: float
    """Wall clock, seconds since 1970."""
    receiver: str
    sender: str
    address: str
    """The sender's address on the air, as text, most significant byte first."""
    rssi_dbm: int
    is_scan_response: bool


class Air:
    """All nodes and what passes between them."""

    TICK_SECONDS = 0.005

    def __init__(self, seed: int = 1, propagation: Propagation | None = None) -> None:
        self.propagation = propagation or Propagation()
        self.nodes: dict[str, Node] = {}
        self.on_hearing: list[Callable[[Hearing], None]] = []
        self.on_link: list[Callable[[str, str, str], None]] = []
        """Called with ("up" or "down", node, node)."""
        self.worst_lag_seconds = 0.0
        """How late the clock's tick ran at worst: when it grows, the rig is overloaded and RSSI counts are not true."""
        self._random = random.Random(seed)
        self._fixed_rssi: dict[frozenset[str], float] = {}
        self._cuts: set[frozenset[str]] = set()
        self._links: dict[frozenset[bytes], Link] = {}
        self._owners: dict[bytes, Node] = {}
        self._clock: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Air":
        self._clock = asyncio.create_task(self._run_clock())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._clock is not None:
            self._clock.cancel()
        for node in list(self.nodes.values()):
            node.unplug()

    # Who is there.

    def add(
        self,
        name: str,
        public_address: str,
        position: Callable[[], Point] = standing(0, 0),
        radiated_power_dbm: float = 0.0,
    ) -> Node:
        """Plugs a fresh controller in."""
        if name in self.nodes:
            raise ValueError(f"{name} is in the air already")
        node = self.nodes[name] = Node(self, name, public_address, position, radiated_power_dbm)
        return node

    def remove(self, node: Node) -> None:
        """Forgets a node; its addresses stay known until someone else uses them, so that its links can time out."""
        if self.nodes.get(node.name) is node:
            del self.nodes[node.name]

    # Faults and settings.

    def set_rssi(self, one: str, other: str, rssi_dbm: float | None) -> None:
        """Fixes the RSSI between two nodes, in both directions; None gives it back to their positions."""
        pair = frozenset((one, other))
        if rssi_dbm is None:
            self._fixed_rssi.pop(pair, None)
        else:
            self._fixed_rssi[pair] = rssi_dbm

    def cut(self, one: str, other: str) -> None:
        """Lets nothing pass between two nodes; their links end after their supervision time-outs."""
        self._cuts.add(frozenset((one, other)))

    def heal(self, one: str, other: str) -> None:
        """Takes a cut back."""
        self._cuts.discard(frozenset((one, other)))

    def mean_rssi_dbm(self, sender: Node, receiver: Node) -> float:
        """What `receiver` hears of `sender` at this moment, without noise."""
        fixed = self._fixed_rssi.get(frozenset((sender.name, receiver.name)))
        if fixed is not None:
            return fixed
        return self.propagation.mean_rssi_dbm(sender.position(), receiver.position(), sender.radiated_power_dbm)

    def links_of(self, name: str) -> int:
        """How many links the node has at this moment."""
        return sum(any(self._owner_name(address) == name for address in link) for link in self._links)

    # The passage of packets.

    def transmit(self, sender: Node, pdu: bytes, phy: int) -> None:
        """Carries a packet from `sender` to whoever hears it."""
        if self.nodes.get(sender.name) is not sender:
            return  # unplugged between sending and now
        kind, source, destination = pdu[0], pdu[1:7], pdu[7:13]
        self._owners[source] = sender
        if kind in ADVERTISING:
            for receiver in list(self.nodes.values()):
                if receiver is not sender and receiver.listening:
                    self._carry_unacknowledged(sender, receiver, pdu, phy)
            return
        owner = self._owners.get(destination)
        if owner is None or self.nodes.get(owner.name) is not owner:
            return  # nobody there: a link to it runs into its supervision time-out
        if kind in UNACKNOWLEDGED:
            self._carry_unacknowledged(sender, owner, pdu, phy)
        else:
            self._carry_on_link(sender, owner, pdu, phy)

    def _carry_unacknowledged(self, sender: Node, receiver: Node, pdu: bytes, phy: int) -> None:
        kind = pdu[0]
        if frozenset((sender.name, receiver.name)) in self._cuts:
            return
        if kind == Pdu.CONNECT and not self._reaches(sender, receiver):
            return  # a lucky moment is not enough for a link
        rssi = self._noisy_rssi(sender, receiver)
        if rssi < self.propagation.sensitivity_dbm or self._random.random() < self.propagation.advert_loss:
            return
        if kind in ADVERTISING and self.propagation.scan_duty and self._random.random() >= receiver.scan_duty:
            return
        if kind in ADVERTISING | {Pdu.SCAN_RESPONSE} and receiver.scanning:
            hearing = Hearing(
                time.time(), receiver.name, sender.name, pdu[6:0:-1].hex(":"), rssi, kind == Pdu.SCAN_RESPONSE
            )
            for listener in self.on_hearing:
                listener(hearing)
        receiver.hear(pdu, phy, rssi)

    def _carry_on_link(self, sender: Node, receiver: Node, pdu: bytes, phy: int) -> None:
        ends = frozenset((pdu[1:7], pdu[7:13]))
        if pdu[0] == Pdu.CONNECT_COMPLETE:
            supervision_seconds = int.from_bytes(pdu[-2:], "little") * 0.01
            self._links[ends] = Link(ends, supervision_seconds)
            self._tell_link("up", ends)
        link = self._links.get(ends)
        if link is not None and (link.held or not self._reaches(sender, receiver)):
            link.held.append((sender, receiver, pdu, phy))
            return
        self._hear_on_link(sender, receiver, pdu, phy)

    def _hear_on_link(self, sender: Node, receiver: Node, pdu: bytes, phy: int) -> None:
        if pdu[0] == Pdu.DISCONNECT:
            ends = frozenset((pdu[1:7], pdu[7:13]))
            if self._links.pop(ends, None) is not None:
                self._tell_link("down", ends)
        if self.nodes.get(receiver.name) is receiver:
            receiver.hear(pdu, phy, self._noisy_rssi(sender, receiver))

    def _noisy_rssi(self, sender: Node, receiver: Node) -> int:
        rssi = self.mean_rssi_dbm(sender, receiver)
        if self.propagation.noise_db:
            rssi += self._random.gauss(0, self.propagation.noise_db)
        return max(-126, min(20, round(rssi)))

    # Links that carry no more.

    def _reaches(self, one: Node, other: Node) -> bool:
        floor = self.propagation.sensitivity_dbm
        return (
            self.nodes.get(one.name) is one
            and self.nodes.get(other.name) is other
            and frozenset((one.name, other.name)) not in self._cuts
            and self.mean_rssi_dbm(one, other) >= floor
            and self.mean_rssi_dbm(other, one) >= floor
        )

    def _supervise(self, now: float) -> None:
        for link in list(self._links.values()):
            one, other = (self._owners[address] for address in link.addresses)
            if self._reaches(one, other):
                link.unreachable_since = None
                held, link.held = link.held, []
                for packet in held:
                    self._hear_on_link(*packet)
            elif link.unreachable_since is None:
                link.unreachable_since = now
            elif now - link.unreachable_since >= link.supervision_seconds:
                self._time_out(link)

    def _time_out(self, link: Link) -> None:
        del self._links[link.addresses]
        self._tell_link("down", link.addresses)
        first, second = link.addresses
        for source, destination in ((first, second), (second, first)):
            receiver = self._owners[destination]
            if self.nodes.get(receiver.name) is receiver:
                receiver.hear(bytes([Pdu.DISCONNECT]) + source + destination + bytes([CONNECTION_TIMEOUT]), 0, -127)

    def _tell_link(self, state: str, addresses: frozenset[bytes]) -> None:
        names = sorted(self._owner_name(address) for address in addresses)
        for listener in self.on_link:
            listener(state, names[0], names[-1])

    def _owner_name(self, address: bytes) -> str:
        owner = self._owners.get(address)
        return owner.name if owner is not None else "?"

    async def _run_clock(self) -> None:
        due = time.monotonic()
        while True:
            for node in list(self.nodes.values()):
                node.tick()
            self._supervise(time.monotonic())
            due += self.TICK_SECONDS
            late = time.monotonic() - due
            self.worst_lag_seconds = max(self.worst_lag_seconds, late)
            if late > 0.5:
                due = time.monotonic()  # do not try to catch up with so much
            await asyncio.sleep(max(0.0, -late))
