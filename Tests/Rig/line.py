"""The serial line between a board and a computer, as slow as a real one; its cable can be pulled."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

BITS_PER_BYTE = 10
"""A start bit, eight data bits and a stop bit."""


class Line:
    """A pseudo-terminal for the computer, joined to the board's port, with the delay of `baud`.

    None: there is no delay. Bytes pass in pieces of at most one millisecond, as from a UART's FIFO.
    """

    def __init__(self, board_port: Path, baud: int | None = None) -> None:
        self._board = os.open(board_port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._board)
        self._computer, self._far_end = os.openpty()
        tty.setraw(self._far_end)
        self.port = Path(os.ttyname(self._far_end))
        """The computer's port for the board."""
        self.bytes_from_board = 0
        self.first_byte_at = 0.0
        """When the computer's first byte came, by the monotonic clock."""
        self.last_byte_at = 0.0
        self._mark: tuple[int, Callable[[], None]] | None = None
        self._seconds_per_byte = BITS_PER_BYTE / baud if baud else 0.0
        self._piece = max(1, int(0.001 / self._seconds_per_byte)) if baud else 4096
        self._wake, self._pulled = os.pipe()
        self._threads = [
            threading.Thread(target=self._carry, args=pair, daemon=True)
            for pair in ((self._computer, self._board), (self._board, self._computer))
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.pull()

    def after(self, byte_count: int, action: Callable[[], None]) -> None:
        """Calls `action`, on a thread, when that many bytes of the board have reached the computer."""
        self._mark = (byte_count, action)

    def pull(self) -> None:
        """Pulls the cable: the computer's port is gone, and bytes on their way are lost."""
        if self._pulled < 0:
            return
        os.close(self._pulled)
        self._pulled = -1
        for thread in self._threads:
            thread.join()
        for descriptor in (self._board, self._computer, self._far_end, self._wake):
            os.close(descriptor)

    def _carry(self, source: int, target: int) -> None:
        free_at = 0.0
        with suppress(OSError):
            while self._wake not in (ready := select.select([source, self._wake], [], [])[0]) and ready:
                waiting = os.read(source, 4096)
                now = time.monotonic()
                self.first_byte_at = self.first_byte_at or now
                free_at = max(free_at, now)
                for start in range(0, len(waiting), self._piece):
                    piece = waiting[start : start + self._piece]
                    free_at += len(piece) * self._seconds_per_byte
                    if (pause := free_at - time.monotonic()) > 0:
                        time.sleep(pause)
                    os.write(target, piece)
                    if source == self._board:
                        self._note(len(piece))
                self.last_byte_at = time.monotonic()

    def _note(self, byte_count: int) -> None:
        self.bytes_from_board += byte_count
        if self._mark is not None and self.bytes_from_board >= self._mark[0]:
            (_, action), self._mark = self._mark, None
            action()
