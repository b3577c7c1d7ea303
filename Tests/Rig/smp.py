"""Just enough of SMP over a serial line to make a board write pages: docs/sync-protocol.md."""

from __future__ import annotations

import base64
import binascii
import os
import struct
import tty
from pathlib import Path

import cbor2

LINE_DIGITS = 124


def encode(packet: bytes) -> bytes:
    """A packet in its form on the line."""
    whole = struct.pack(">H", len(packet) + 2) + packet + struct.pack(">H", binascii.crc_hqx(packet, 0))
    digits = base64.b64encode(whole)
    lines = [digits[start : start + LINE_DIGITS] for start in range(0, len(digits), LINE_DIGITS)]
    return b"".join((b"\x04\x14" if number else b"\x06\x09") + line + b"\n" for number, line in enumerate(lines))


class Client:
    """Sends requests to a board, one at a time. The port is a path, or the descriptor of an open port."""

    def __init__(self, port: Path | int) -> None:
        self._port = port if isinstance(port, int) else os.open(port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._port)
        self._sequence = 0

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._port)

    def ask(self, operation: int, group: int, command: int, body: dict[str, object]) -> dict[str, object]:
        """Sends a request (operation 0 reads, 2 writes); returns the answer's map."""
        self._sequence = (self._sequence + 1) % 256
        content = cbor2.dumps(body)
        header = struct.pack(">BBHHBB", operation | 8, 0, len(content), group, self._sequence, command)
        os.write(self._port, encode(header + content))
        digits = b""
        while True:
            digits += self._line()
            whole = base64.b64decode(digits)
            if len(whole) >= 2 + struct.unpack(">H", whole[:2])[0]:
                break
        answer = cbor2.loads(whole[10:-2])
        assert isinstance(answer, dict) and "err" not in answer and not answer.get("rc"), answer
        return answer

    def fill_log(self, byte_count: int) -> int:
        """Makes the board write pages until its log holds that many bytes; returns how many it holds.

        Setting the clock makes an entry, and requesting the index writes pending entries to the medium.
        """
        wall = 1_800_000_000_000
        while (held := self.ask(0, 8, 1, {"name": "/log"})["len"]) < byte_count:  # type: ignore[operator]
            for _ in range(16):
                wall += 1_000
                self.ask(2, 64, 1, {"wall": wall, "error": 1})
                self.ask(0, 8, 1, {"name": "/index"})
        return int(held)  # type: ignore[call-overload]

    def _line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            line += os.read(self._port, 1)
        return line[2:-1]
