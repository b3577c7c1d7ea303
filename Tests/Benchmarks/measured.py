"""A controller for measurements, with freely chosen reports."""

from __future__ import annotations

import array
import asyncio
import fcntl
import struct
import termios
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from agent import Agent
from endpoints import SeqpacketEndpoint


def report_event(number: int, advert: bytes) -> bytes:
    """An H4 event with one legacy advertising report, ADV_IND, from the device with this number."""
    address = struct.pack("<I", number) + b"\x00\xc0"
    report = b"\x00\x01" + address + bytes([len(advert)]) + advert + struct.pack("b", -40 - number % 50)
    return b"\x04\x3e" + bytes([len(report) + 2]) + b"\x02\x01" + report


class MeasuredAgent(Agent):
    """An agent whose process can be inspected."""

    def resident_kibibytes(self) -> int:
        """Returns the memory of the process, pages of its image included, in KiB."""
        fields = Path(f"/proc/{self.process_identifier}/smaps_rollup").read_text().splitlines()[1:]
        return sum(int(field.split()[1]) for field in fields if field.startswith("Rss:"))

    def require_clean_end(self, code: int) -> None:
        """Raises with the agent's lines if it ended with another exit code than 0."""
        if code != 0:
            raise RuntimeError(f"the agent ended with {code}:\n{(self.directory / 'agent.stderr').read_text()}")

    def processor_seconds(self) -> float:
        """Returns how long the process has run on a processor, in user space and in the kernel."""
        return int(Path(f"/proc/{self.process_identifier}/schedstat").read_text().split()[0]) / 1e9

    def is_asleep(self) -> bool:
        """Returns whether the process sleeps. The agent only ever waits for its epoll."""
        # The state follows the program's name, which is in parentheses and may contain parentheses.
        return Path(f"/proc/{self.process_identifier}/stat").read_text().rpartition(")")[2].split()[0] == "S"


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

    async def send_singly(self, events: Iterable[bytes], seconds_apart: float, is_asleep: Callable[[], bool]) -> None:
        """Sends events at a fixed interval, each only after the agent has read the last and sleeps again."""
        start = time.monotonic()
        for number, event in enumerate(events):
            await asyncio.sleep(start + number * seconds_apart - time.monotonic())
            while not is_asleep():
                await asyncio.sleep(0)
            self.on_packet(event)
            # The order of the checks matters: an event that was read proves that the agent woke after it.
            while self._unread_bytes() > 0 or not is_asleep():
                await asyncio.sleep(0)

    async def send_without_pause(self, events: Iterable[bytes]) -> None:
        """Keeps the socket full, so that the agent always reads the maximum; waits for the last event."""
        for event in events:
            self.on_packet(event)
            while self._outgoing:
                await asyncio.sleep(0)
                self._flush()
        while self._unread_bytes() > 0:
            await asyncio.sleep(0)

    def _unread_bytes(self) -> int:
        assert self._peer is not None, "the agent hung up"
        unread = array.array("i", [0])
        fcntl.ioctl(self._peer.fileno(), termios.TIOCOUTQ, unread)
        return unread[0]
