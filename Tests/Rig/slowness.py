"""Slow phones: an old phone answers, and sends requests, only after a delay."""

from __future__ import annotations

import asyncio

from bumble.att import ATT_PDU
from bumble.device import Connection
from bumble.gatt_client import Client
from bumble.gatt_server import Server


def slow_down_server(server: Server, seconds: float) -> None:
    """Delays the answer to each request."""
    answer = server.on_gatt_pdu

    def take(connection: Connection, request: ATT_PDU) -> None:
        def answer_late() -> None:
            if connection.handle in connection.device.connections:  # The link still exists.
                answer(connection, request)

        asyncio.get_running_loop().call_later(seconds, answer_late)

    server.on_gatt_pdu = take  # type: ignore[method-assign]


def slow_down_client(client: Client, seconds: float) -> None:
    """Delays the sending of each request."""
    send = client.send_request

    async def send_late(request: ATT_PDU) -> ATT_PDU:
        await asyncio.sleep(seconds)
        return await send(request)

    client.send_request = send_late  # type: ignore[method-assign]
