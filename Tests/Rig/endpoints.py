"""The places to plug an agent in: H4 sockets and serial lines, each with a controller of its own behind it.

A new connection to a socket gets a new controller, as if a dongle had been unplugged and replaced. Behind a
serial line the controller stays powered, and keeps its state until it is reset.
"""

from __future__ import annotations

import asyncio
import os
import socket
import tty
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from pathlib import Path

from bumble.transport.common import PacketParser

from air import Air
from motion import Point, standing
from node import Node

AGENT_PUBLIC_ADDRESS = "F0:0A:00:00:00:01"


class Endpoint(ABC):
    """A place to plug an agent in. `transport` is the value for its `--hci` option."""

    transport: str

    def __init__(
        self,
        air: Air,
        name: str = "agent",
        position: Callable[[], Point] = standing(0, 0),
        radiated_power_dbm: float = 0.0,
        public_address: str = AGENT_PUBLIC_ADDRESS,
    ) -> None:
        self.air = air
        self.name = name
        self.public_address = public_address
        self.position = position
        self.radiated_power_dbm = radiated_power_dbm
        self.taps: list[Callable[[bool, bytes], None]] = []
        """Called with (came from the agent, H4 packet), for each controller that is plugged in."""
        self.connections = 0
        self.seconds_plugged = 0.0
        """How long all earlier controllers were plugged in; the next attribute: how long they scanned."""
        self.seconds_scanning = 0.0
        self.scans: list[tuple[float, float]] = []
        """When they scanned: wall clock, seconds since 1970."""
        self.node: Node | None = None

    @abstractmethod
    async def open(self) -> None:
        """Starts to listen."""

    @abstractmethod
    def close(self) -> None:
        """Removes the endpoint."""

    def plug(self) -> Node:
        """Puts a fresh controller into the air, in place of the one before."""
        self.unplug()
        self.connections += 1
        self.node = self.air.add(self.name, self.public_address, self.position, self.radiated_power_dbm)
        self.node.taps = self.taps
        return self.node

    def unplug_transport(self) -> None:
        """Pulls the dongle: the connection ends, and the endpoint stays for the next one."""
        raise NotImplementedError(f"{type(self).__name__} cannot be unplugged")

    def unplug(self) -> None:
        """Removes the controller from the air."""
        if self.node is not None:
            self.seconds_plugged += self.node.seconds_plugged
            self.seconds_scanning += self.node.seconds_scanning
            self.node.unplug()
            self.scans += self.node.scans
            self.node = None


class _StreamConnection(asyncio.Protocol):
    """An agent's byte stream: a sequence of H4 packets."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._node: Node | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._node = self._endpoint.plug()
        self._node.set_packet_sink(self)
        self._parser = PacketParser(self._node)

    def on_packet(self, packet: bytes) -> None:
        self._transport.write(packet)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def connection_lost(self, _: Exception | None) -> None:
        if self._endpoint.node is self._node:
            self._endpoint.unplug()


class UnixStreamEndpoint(Endpoint):
    """A Unix stream socket at `path`."""

    def __init__(self, air: Air, path: Path, **node: object) -> None:
        super().__init__(air, **node)  # type: ignore[arg-type]
        self._path = path
        self.transport = f"unix:{path}"

    async def open(self) -> None:
        self._path.unlink(missing_ok=True)
        self._server = await asyncio.get_running_loop().create_unix_server(
            lambda: _StreamConnection(self), str(self._path)
        )

    def close(self) -> None:
        self._server.close()
        self.unplug()


class TcpEndpoint(Endpoint):
    """A TCP port on this machine, chosen by the kernel."""

    async def open(self) -> None:
        self._server = await asyncio.get_running_loop().create_server(lambda: _StreamConnection(self), "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.transport = f"tcp-client:127.0.0.1:{port}"

    def close(self) -> None:
        self._server.close()
        self.unplug()


class SeqpacketEndpoint(Endpoint):
    """A Unix socket with one H4 packet per message, like Linux's HCI user channel."""

    def __init__(self, air: Air, path: Path, **node: object) -> None:
        super().__init__(air, **node)  # type: ignore[arg-type]
        self._path = path
        self._peer: socket.socket | None = None
        self._outgoing: deque[bytes] = deque()
        self.transport = f"unix-seqpacket:{path}"

    async def open(self) -> None:
        self._path.unlink(missing_ok=True)
        self._loop = asyncio.get_running_loop()
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        self._listener.bind(str(self._path))
        self._listener.listen(1)
        self._loop.add_reader(self._listener, self._accept)

    def close(self) -> None:
        self._loop.remove_reader(self._listener)
        self._listener.close()
        self._hang_up()

    def unplug_transport(self) -> None:
        self._hang_up()

    def _accept(self) -> None:
        peer, _ = self._listener.accept()
        self._hang_up()
        peer.setblocking(False)
        self._peer = peer
        self.plug().set_packet_sink(self)
        self._loop.add_reader(peer, self._read)

    def _hang_up(self) -> None:
        if self._peer is not None:
            self._loop.remove_reader(self._peer)
            self._loop.remove_writer(self._peer)
            self._peer.close()
            self._peer = None
        self._outgoing.clear()
        self.unplug()

    def _read(self) -> None:
        assert self._peer is not None and self.node is not None
        try:
            packet = self._peer.recv(65536)
        except ConnectionError:
            packet = b""
        if packet:
            self.node.on_packet(packet)
        else:
            self._hang_up()

    def on_packet(self, packet: bytes) -> None:
        """Sends one message, or keeps it until the agent reads, like the kernel's queue."""
        self._outgoing.append(packet)
        self._flush()

    def _flush(self) -> None:
        if self._peer is None:
            return
        try:
            while self._outgoing:
                self._peer.send(self._outgoing[0])
                self._outgoing.popleft()
        except BlockingIOError:
            self._loop.add_writer(self._peer, self._flush)
            return
        except ConnectionError:
            self._outgoing.clear()  # The reader notices this and hangs up.
        self._loop.remove_writer(self._peer)


class SerialEndpoint(Endpoint):
    """A serial line (a pty in raw mode) with a UART controller, which keeps its state when the agent dies.

    Once the line's buffer is full, whole packets that the agent does not read are lost.
    """

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        # This side keeps the far end open, too. Otherwise reading fails while no agent has it open.
        self._line, self._far_end = os.openpty()
        tty.setraw(self._far_end)
        os.set_blocking(self._line, False)
        self.transport = f"serial:{os.ttyname(self._far_end)},115200"
        node = self.plug()
        node.set_packet_sink(self)
        self._parser = PacketParser(node)
        self._rest = b""
        self._loop.add_reader(self._line, self._read)

    def close(self) -> None:
        self._loop.remove_reader(self._line)
        self._loop.remove_writer(self._line)
        os.close(self._line)
        os.close(self._far_end)
        self.unplug()

    def _read(self) -> None:
        self._parser.feed_data(os.read(self._line, 4096))

    def on_packet(self, packet: bytes) -> None:
        """Sends a packet unless the line is full; a packet that was begun is always finished."""
        if not self._rest:
            self._rest = packet
            self._flush()
        elif len(self._rest) < 4096:
            self._rest += packet

    def _flush(self) -> None:
        try:
            self._rest = self._rest[os.write(self._line, self._rest) :]
        except BlockingIOError:
            pass
        if self._rest:
            self._loop.add_writer(self._line, self._flush)
        else:
            self._loop.remove_writer(self._line)
