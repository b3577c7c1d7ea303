"""A terminal for the messages of the operator's program, and a port with something else than a board."""

from __future__ import annotations

import asyncio
import fcntl
import os
import select
import struct
import termios
import threading
import tty
from contextlib import suppress
from pathlib import Path
from types import TracebackType

COLUMNS = 80


class Terminal:
    """Standard error of a program, 80 columns wide."""

    def __init__(self) -> None:
        self._screen, self._far_end = os.openpty()
        fcntl.ioctl(self._far_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        self.text = ""
        """All that was written so far, with control sequences."""

    async def run(self, *command: str | Path, until: str | None = None, within: float = 30) -> int:
        """Runs a program; returns its exit code. Interrupts it when it has written `until`."""
        process = await asyncio.create_subprocess_exec(
            *map(str, command),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=self._far_end,
            env={**os.environ, "TERM": "xterm"},
        )
        try:
            async with asyncio.timeout(within):
                while process.returncode is None:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(process.wait(), 0.05)
                    self._read()
                    if until is not None and until in self.text:
                        process.terminate()
                        until = None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            os.close(self._far_end)
            os.close(self._screen)
        return process.returncode

    def _read(self) -> None:
        while select.select([self._screen], [], [], 0)[0]:
            self.text += os.read(self._screen, 65536).decode(errors="replace")


class Console:
    """A serial port where a login console answers each line with its prompt, or nothing answers."""

    def __init__(self, prompt: bytes = b"") -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = Path(os.ttyname(self._slave))
        self._prompt = prompt
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Console:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(5)
        os.close(self._master)
        os.close(self._slave)

    def _serve(self) -> None:
        while not self._stop.is_set():
            if select.select([self._master], [], [], 0.05)[0] and os.read(self._master, 4096) and self._prompt:
                os.write(self._master, self._prompt)
