"""Links between controllers: requested, established, in use, lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import link_layer
from link_layer import CONNECTION_FAILED_TO_BE_ESTABLISHED, CONNECTION_TIMEOUT, Pdu
from node import Node

INTERVALS_TO_ESTABLISH = 6
"""The number of connection intervals in which a link must be established (Core, Vol 6, Part B, 4.5.2)."""
UNHEARD_DBM = -127

Addresses = frozenset[bytes]
Carry = Callable[[Node, Node, bytes, int], None]


@dataclass
class Link:
    """A connection between two addresses, as far as the air knows."""

    ends: dict[bytes, Node]
    """The two nodes by address. The link stays theirs if another node takes an address later."""
    supervision_seconds: float
    abandoned: bool = False
    """Whether one end was reset, so that it no longer answers."""
    unreachable_since: float | None = None
    held: list[tuple[Node, Node, bytes, int]] = field(default_factory=list)
    """The packets that wait until the link works again."""


@dataclass(frozen=True)
class Request:
    """A connection request without an answer so far."""

    initiator: Node
    pdu: bytes
    phy: int
    gives_up_at: float


class Links:
    """All links of an air.

    `reaches` tells whether two nodes receive each other, `carry` passes a packet from one to the other.
    """

    def __init__(self, reaches: Callable[[Node, Node], bool], carry: Carry) -> None:
        self.on_change: list[Callable[[str, str, str], None]] = []
        """Called with ("up" or "down", node, node)."""
        self._reaches, self._carry = reaches, carry
        self._links: dict[Addresses, Link] = {}
        self._requests: dict[tuple[bytes, bytes], Request] = {}

    def count_of(self, node: Node) -> int:
        """How many links a node has."""
        return sum(node in link.ends.values() for link in self._links.values())

    def join(self, one: Node, other: Node) -> bool:
        """Whether two nodes have a link."""
        return any({one, other} == set(link.ends.values()) for link in self._links.values())

    def exists(self, pdu: bytes) -> bool:
        """Whether a packet's sender and receiver have a link."""
        return _addresses(pdu) in self._links

    def ask(self, initiator: Node, pdu: bytes, phy: int) -> None:
        """Records a connection request, whether or not it arrives."""
        patience = INTERVALS_TO_ESTABLISH * link_layer.requested_interval_seconds(pdu)
        ends = link_layer.sender_of(pdu), link_layer.receiver_of(pdu)
        self._requests[ends] = Request(initiator, pdu, phy, time.monotonic() + patience)

    def send(self, sender: Node, receiver: Node, pdu: bytes, phy: int) -> None:
        """Carries a packet now, or later when its link works again.

        Such a packet is lost only if the link ends before.
        """
        addresses = _addresses(pdu)
        if pdu[0] == Pdu.CONNECT_COMPLETE:
            # Real radios have no such packet: there, an initiator takes the link as made once it has sent its
            # request.
            self._requests.pop((link_layer.receiver_of(pdu), link_layer.sender_of(pdu)), None)
            ends = {link_layer.sender_of(pdu): sender, link_layer.receiver_of(pdu): receiver}
            made = self._links[addresses] = Link(ends, link_layer.requested_supervision_seconds(pdu))
            self._tell("up", made)
        else:
            link = self._links.get(addresses)
            if link is not None and (link.held or link.abandoned or not self._reaches(sender, receiver)):
                link.held.append((sender, receiver, pdu, phy))
                return
        self._pass(sender, receiver, pdu, phy)

    def abandon(self, node: Node) -> None:
        """Records that a controller was reset and has forgotten its links without notice to the peers."""
        for link in self._links.values():
            if node in link.ends.values():
                link.abandoned = True

    def supervise(self, now: float) -> None:
        """Ends links that have carried nothing for too long; `now` is monotonic time in seconds."""
        for link in list(self._links.values()):
            if self._reaches(*link.ends.values()) and not link.abandoned:
                link.unreachable_since = None
                held, link.held = link.held, []
                for packet in held:
                    self._pass(*packet)
            elif link.unreachable_since is None:
                link.unreachable_since = now
            elif now - link.unreachable_since >= link.supervision_seconds:
                self._time_out(link)
        for ends, request in list(self._requests.items()):
            # A request for an existing link waits until that link is over.
            if now >= request.gives_up_at and not self.exists(request.pdu):
                del self._requests[ends]
                self._fail(request)

    def _pass(self, sender: Node, receiver: Node, pdu: bytes, phy: int) -> None:
        if pdu[0] == Pdu.DISCONNECT and (link := self._links.pop(_addresses(pdu), None)) is not None:
            self._tell("down", link)
        self._carry(sender, receiver, pdu, phy)

    def _time_out(self, link: Link) -> None:
        del self._links[frozenset(link.ends)]
        self._tell("down", link)
        first, second = link.ends
        for source, destination in ((first, second), (second, first)):
            if link.ends[destination].is_plugged:
                end = link_layer.disconnect(source, destination, CONNECTION_TIMEOUT)
                link.ends[destination].hear(end, 0, UNHEARD_DBM)

    def _fail(self, request: Request) -> None:
        """Gives an initiator its link and ends it at once, which is how a host learns of a lost request.

        RootCanal's initiator would wait for its peer's answer for ever, and could no longer be cancelled.
        """
        if request.initiator.is_plugged:
            answer = link_layer.connect_complete(request.pdu)
            source, destination = link_layer.sender_of(answer), link_layer.receiver_of(answer)
            request.initiator.hear(answer, request.phy, UNHEARD_DBM)
            end = link_layer.disconnect(source, destination, CONNECTION_FAILED_TO_BE_ESTABLISHED)
            request.initiator.hear(end, request.phy, UNHEARD_DBM)

    def _tell(self, state: str, link: Link) -> None:
        one, other = link.ends.values()
        for listener in self.on_change:
            listener(state, one.name, other.name)


def _addresses(pdu: bytes) -> Addresses:
    return frozenset((link_layer.sender_of(pdu), link_layer.receiver_of(pdu)))
