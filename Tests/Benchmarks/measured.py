"""A controller for measurements, with freely chosen reports."""

from __future__ import annotations

import array
import asyncio
import fcntl
import struct
import termios

from endpoints import SeqpacketEndpoint


def report_event(number: int, advert: bytes) -> bytes:
    """An H4 event with one legacy advertising report, ADV_IND, from the device with this number."""
    address = struct.pack("<I", number) + b"\x00\xc0"
    report = b"\x00\x01" + address + bytes([len(advert)]) + advert + struct.pack("b", -40 - number % 50)
    return b"\x04\x3e" + bytes([len(report) + 2]) + b"\x02\x01" + report


class MeasuredEndpoint(SeqpacketEndpoint):
    """A controller with freely chosen reports."""

    async def send(self, *events: bytes) -> None:
        """Sends events no faster than the agent reads them, and waits until it has read the last."""
        for number, event in enumerate(events):
            self.on_packet(event)
            while number % 64 == 63 and self._unread_bytes() > 0:
                await asyncio.sleep(0)
        while self._unread_bytes() > 0:
            await asyncio.sleep(0)

    def _unread_bytes(self) -> int:
        assert self._peer is not None, "the agent hung up"
        unread = array.array("i", [0])
        fcntl.ioctl(self._peer.fileno(), termios.TIOCOUTQ, unread)
        return unread[0]
