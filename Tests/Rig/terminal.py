"""Programs at a terminal of a given width."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import struct
import termios
from pathlib import Path

import program
from journal import PATIENCE_SECONDS


async def run(*command: str | Path, columns: int = 80, with_rewritten: bool = False) -> program.Ended:
    """Runs a program whose output and errors both go to a terminal; returns them together, as output.

    Of a line that is rewritten they have its last text only, unless `with_rewritten`.
    """
    terminal, far_end = os.openpty()
    fcntl.ioctl(far_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    try:
        process = await asyncio.create_subprocess_exec(
            *map(str, command), stdin=asyncio.subprocess.DEVNULL, stdout=far_end, stderr=far_end
        )
    finally:
        os.close(far_end)
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            shown = await asyncio.to_thread(_read, terminal)
            code = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(terminal)
    text = shown.decode(errors="replace").replace("\r\n", "\n")
    if with_rewritten:
        return program.Ended(code, text, "")
    return program.Ended(code, re.sub(r"[^\r\n]*\r\x1b\[K", "", text), "")


def _read(terminal: int) -> bytes:
    """All that is shown until nobody writes any more."""
    pieces = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            return pieces
        if not piece:
            return pieces
        pieces += piece


def widest(text: str) -> int:
    """The length of the longest line."""
    return max((len(line) for line in text.split("\n")), default=0)
