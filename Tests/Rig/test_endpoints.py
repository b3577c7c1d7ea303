"""The places to plug an agent in, tested with a minimal client. No agent is needed here."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from air import Air
from endpoints import Endpoint, SeqpacketEndpoint, SerialEndpoint, TcpEndpoint, UnixStreamEndpoint
from journal import PATIENCE_SECONDS

RESET, RESET_COMPLETE = bytes.fromhex("01030c00"), bytes.fromhex("040e0401030c00")


def connect(endpoint: Endpoint) -> int:
    """Opens the endpoint's transport like an agent; returns a file descriptor."""
    kind, _, place = endpoint.transport.partition(":")
    if kind == "serial":
        return os.open(place.partition(",")[0], os.O_RDWR | os.O_NOCTTY)
    if kind == "tcp-client":
        host, port = place.split(":")
        return socket.create_connection((host, int(port))).detach()
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET if kind == "unix-seqpacket" else socket.SOCK_STREAM)
    client.connect(place)
    return client.detach()


async def exchange(descriptor: int, packet: bytes, byte_count: int) -> bytes:
    """Writes a packet and reads an answer of known length."""

    def read() -> bytes:
        answer = b""
        while len(answer) < byte_count:
            part = os.read(descriptor, byte_count - len(answer))
            if not part:
                break
            answer += part
        return answer

    os.write(descriptor, packet)
    return await asyncio.wait_for(asyncio.to_thread(read), PATIENCE_SECONDS)


MAKERS: dict[str, Callable[[Air, Path], Endpoint]] = {
    "unix": lambda air, directory: UnixStreamEndpoint(air, directory / "hci"),
    "unix-seqpacket": lambda air, directory: SeqpacketEndpoint(air, directory / "hci"),
    "tcp-client": lambda air, directory: TcpEndpoint(air),
    "serial": lambda air, directory: SerialEndpoint(air),
}


@pytest.mark.parametrize("kind", MAKERS)
async def test_a_controller_answers_and_a_new_connection_is_a_new_one(air: Air, tmp_path: Path, kind: str) -> None:
    endpoint = MAKERS[kind](air, tmp_path)
    await endpoint.open()
    assert endpoint.transport.startswith(kind + ":")
    for _ in range(2):
        client = connect(endpoint)
        assert await exchange(client, RESET, len(RESET_COMPLETE)) == RESET_COMPLETE
        os.close(client)
    assert endpoint.connections == (1 if kind == "serial" else 2)
    endpoint.close()
    assert endpoint.name not in air.nodes


@pytest.mark.parametrize("kind", ["unix", "tcp-client", "serial"])
async def test_a_stream_may_be_cut_anywhere(air: Air, tmp_path: Path, kind: str) -> None:
    endpoint = MAKERS[kind](air, tmp_path)
    await endpoint.open()
    client = connect(endpoint)
    for part in (RESET[:1], RESET[1:3]):
        os.write(client, part)
        await asyncio.to_thread(lambda: None)  # let the other end read the bytes so far
    assert await exchange(client, RESET[3:] + RESET, 2 * len(RESET_COMPLETE)) == 2 * RESET_COMPLETE
    os.close(client)
    endpoint.close()
