"""Programs that a test runs and waits for, with a time limit; none is left running."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from journal import PATIENCE_SECONDS


class NoEnd(AssertionError):
    """A program did not end in time; the message has its output so far."""


@dataclass(frozen=True)
class Ended:
    """The exit code of a program, and all its output."""

    exit_code: int
    output: str
    errors: str


async def run(*command: str | Path, within: float = PATIENCE_SECONDS) -> Ended:
    """Runs a program, and kills it if it does not end within `within` seconds, or if the test is cancelled.
    """
    process = await asyncio.create_subprocess_exec(
        *map(str, command),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    output, errors = bytearray(), bytearray()
    try:
        async with asyncio.timeout(within):
            await asyncio.gather(_collect(process.stdout, output), _collect(process.stderr, errors))
            code = await process.wait()
    except TimeoutError:
        written = _text(output) + _text(errors) or "(nothing)"
        raise NoEnd(f"{_line(command)}: no end within {within:g} s; so far it wrote:\n{written}") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    return Ended(code, _text(output), _text(errors))


async def run_well(*command: str | Path, within: float = PATIENCE_SECONDS) -> Ended:
    """Runs a program that must end with exit code 0."""
    ended = await run(*command, within=within)
    assert ended.exit_code == 0, f"{_line(command)}: exit code {ended.exit_code}\n{ended.output}{ended.errors}"
    return ended


async def answer(text: str, *command: str | Path, within: float = PATIENCE_SECONDS) -> Ended:
    """Runs a program at a terminal where somebody types `text`."""
    terminal, far_end = os.openpty()
    try:
        os.write(terminal, text.encode())
        process = await asyncio.create_subprocess_exec(
            *map(str, command), stdin=far_end, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        try:
            output, errors = await asyncio.wait_for(process.communicate(), within)
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()
        assert process.returncode is not None
        return Ended(process.returncode, output.decode(), errors.decode())
    finally:
        os.close(terminal)
        os.close(far_end)


async def _collect(stream: asyncio.StreamReader, pieces: bytearray) -> None:
    while piece := await stream.read(65536):
        pieces.extend(piece)


def _text(pieces: bytearray) -> str:
    return pieces.decode(errors="replace")


def _line(command: Sequence[str | Path]) -> str:
    return " ".join([Path(command[0]).name, *map(str, command[1:])])
