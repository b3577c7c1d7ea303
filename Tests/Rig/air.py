"""The air between the controllers: reception, RSSI and loss.

RootCanal controllers hand their link-layer packets to an `Air`. It delivers them by position: log-distance
path loss with noise, and a sensitivity floor. It loses adverts and cuts links. It ends a link whose two ends
have not reached each other for its supervision timeout, with reason 0x08, as a real link layer does.

Everything runs in one asyncio event loop. Random decisions come from one seed. Time is real, because
RootCanal has no other clock.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import link_layer
from link_layer import ADVERTISING, UNACKNOWLEDGED, Pdu
from links import Links
from motion import Point, standing
from node import Node
from propagation import Propagation


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
    """All nodes, and the packets between them."""

    TICK_SECONDS = 0.005

    def __init__(self, seed: int = 1, propagation: Propagation | None = None) -> None:
        self.propagation = propagation or Propagation()
        self.nodes: dict[str, Node] = {}
        self.links = Links(self._reaches, self._deliver)
        self.on_hearing: list[Callable[[Hearing], None]] = []
        self.loses_requests = False
        """Whether every connection request is lost."""
        self.worst_lag_seconds = 0.0
        """The worst delay of the clock's tick. If it grows, the rig is overloaded and RSSI counts are wrong.
        """
        self._random = random.Random(seed)
        self._fixed_rssi: dict[frozenset[str], float] = {}
        self._cuts: set[frozenset[str]] = set()
        self._owners: dict[bytes, Node] = {}
        self._clock: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Air:
        self._clock = asyncio.create_task(self._run_clock())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._clock is not None:
            self._clock.cancel()
        for node in list(self.nodes.values()):
            node.unplug()

    # Nodes.

    def add(
        self,
        name: str,
        public_address: str,
        position: Callable[[], Point] = standing(0, 0),
        radiated_power_dbm: float = 0.0,
    ) -> Node:
        """Adds a fresh controller."""
        if name in self.nodes:
            raise ValueError(f"{name} is in the air already")
        node = self.nodes[name] = Node(self, name, public_address, position, radiated_power_dbm)
        return node

    def remove(self, node: Node) -> None:
        """Forgets a node.

        Its addresses stay known until another node uses them, so that its links can time out.
        """
        if self.nodes.get(node.name) is node:
            del self.nodes[node.name]

    # Faults and settings.

    def set_rssi(self, one: str, other: str, rssi_dbm: float | None) -> None:
        """Fixes the RSSI between two nodes in both directions; None restores the RSSI by position."""
        pair = frozenset((one, other))
        if rssi_dbm is None:
            self._fixed_rssi.pop(pair, None)
        else:
            self._fixed_rssi[pair] = rssi_dbm

    def cut(self, one: str, other: str) -> None:
        """Blocks all packets between two nodes; their links end after their supervision timeouts."""
        self._cuts.add(frozenset((one, other)))

    def heal(self, one: str, other: str) -> None:
        """Ends a cut."""
        self._cuts.discard(frozenset((one, other)))

    def mean_rssi_dbm(self, sender: Node, receiver: Node) -> float:
        """The RSSI at which `receiver` receives `sender` at this moment, without noise."""
        fixed = self._fixed_rssi.get(frozenset((sender.name, receiver.name)))
        if fixed is not None:
            return fixed
        return self.propagation.mean_rssi_dbm(sender.position(), receiver.position(), sender.radiated_power_dbm)

    def links_of(self, name: str) -> int:
        """How many links the named node has at this moment."""
        return self.links.count_of(self.nodes[name]) if name in self.nodes else 0

    # Packets.

    def transmit(self, sender: Node, pdu: bytes, phy: int) -> None:
        """Carries a packet from `sender` to all nodes that receive it."""
        if not sender.is_plugged:
            return  # The node was unplugged after it sent the packet.
        kind = pdu[0]
        self._owners[link_layer.sender_of(pdu)] = sender
        if kind in ADVERTISING:
            for receiver in list(self.nodes.values()):
                if receiver is not sender and receiver.is_listening:
                    self._try_to_deliver(sender, receiver, pdu, phy)
            return
        if kind == Pdu.CONNECT:
            self.links.ask(sender, pdu, phy)
            if self.loses_requests or self.links.exists(pdu):
                return
        owner = self._owners.get(link_layer.receiver_of(pdu))
        if owner is None or not owner.is_plugged:
            return  # The receiver is gone: a link to it runs into its supervision timeout.
        if kind in UNACKNOWLEDGED:
            self._try_to_deliver(sender, owner, pdu, phy)
        else:
            self.links.send(sender, owner, pdu, phy)

    def _try_to_deliver(self, sender: Node, receiver: Node, pdu: bytes, phy: int) -> None:
        if frozenset((sender.name, receiver.name)) in self._cuts:
            return
        kind, rssi = pdu[0], self._noisy_rssi(sender, receiver)
        if kind in ADVERTISING and receiver.is_initiating and self.links.join(sender, receiver):
            return  # Two devices have one link at most; RootCanal would make a second one.
        if rssi < self.propagation.sensitivity_dbm or self._random.random() < self.propagation.advert_loss:
            return
        if kind in ADVERTISING and self.propagation.scan_duty and self._random.random() >= receiver.scan_duty:
            return
        if receiver.is_scanning and (kind in ADVERTISING or kind == Pdu.SCAN_RESPONSE):
            address = link_layer.sender_of(pdu)[::-1].hex(":")
            hearing = Hearing(time.time(), receiver.name, sender.name, address, rssi, kind == Pdu.SCAN_RESPONSE)
            for listener in self.on_hearing:
                listener(hearing)
        receiver.hear(pdu, phy, rssi)

    def _deliver(self, sender: Node, receiver: Node, pdu: bytes, phy: int) -> None:
        if receiver.is_plugged:
            receiver.hear(pdu, phy, self._noisy_rssi(sender, receiver))

    def _noisy_rssi(self, sender: Node, receiver: Node) -> int:
        rssi = self.mean_rssi_dbm(sender, receiver)
        if self.propagation.noise_db:
            rssi += self._random.gauss(0, self.propagation.noise_db)
        return max(-126, min(20, round(rssi)))

    def _reaches(self, one: Node, other: Node) -> bool:
        floor = self.propagation.sensitivity_dbm
        return (
            one.is_plugged
            and other.is_plugged
            and frozenset((one.name, other.name)) not in self._cuts
            and self.mean_rssi_dbm(one, other) >= floor
            and self.mean_rssi_dbm(other, one) >= floor
        )

    async def _run_clock(self) -> None:
        due = last = time.monotonic()
        while True:
            now = time.monotonic()
            for node in list(self.nodes.values()):
                node.tick(now - last)
            last = now
            self.links.supervise(now)
            due += self.TICK_SECONDS
            late = time.monotonic() - due
            self.worst_lag_seconds = max(self.worst_lag_seconds, late)
            if late > 0.5:
                due = time.monotonic()  # Catching up with that much would overload the rig.
            await asyncio.sleep(max(0.0, -late))
