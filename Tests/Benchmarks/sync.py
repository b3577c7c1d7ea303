#!/usr/bin/env python3
"""Measures how fast a board's log is fetched: over lines of 115,200 and 921,600 baud, and over one without
delay.

The board's own program and `tabardctl sync` are joined by a pseudo-terminal that carries bytes as slowly as a
UART. The share is relative to the line's capacity without pauses: log bytes in packets of 2,048, in Base64,
in lines. It counts from the first byte of the session to the last: echo, clock, index, pieces and hashes.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Rig"))

import program  # noqa: E402
import smp  # noqa: E402
from agent import Agent, find_agent, find_tabardctl  # noqa: E402
from air import Air  # noqa: E402
from archive import snapshot  # noqa: E402
from endpoints import SeqpacketEndpoint  # noqa: E402
from line import BITS_PER_BYTE, Line  # noqa: E402

CONFIGURATION = {"herald": {"location": 1}, "log": {"size_mebibytes": 16}}
PACKET_BYTES = 2048
DATA_BYTES = PACKET_BYTES - 8 - 18
"""The data bytes in a packet, without its header and the keys and lengths around the data."""
LINE_SHARE = DATA_BYTES / len(smp.encode(bytes(PACKET_BYTES)))
"""The maximum of log bytes per byte on the line."""
GOAL_PERCENT = 90


async def fetch(agent: Agent, directory: Path, baud: int | None) -> tuple[int, float]:
    """Fetches the whole log into a new archive. Returns its bytes, and the session's seconds on the line.

    Without a rate the two programs are joined directly, and the seconds are those of the whole command.
    """
    archive = directory / f"archive-{baud}.sqlite"
    command = (find_tabardctl(), "sync", "--trust", "new", "--archive", archive, "--port")
    if baud is None:
        start = time.monotonic()
        await program.run_well(*command, agent.sync_port, within=900)
        return snapshot(archive).byte_count, time.monotonic() - start
    with Line(agent.sync_port, baud) as line:
        await program.run_well(*command, line.port, within=900)
        return snapshot(archive).byte_count, line.last_byte_at - line.first_byte_at


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--agent", type=Path, default=None)
    binary = arguments.parse_args().agent or find_agent()
    with tempfile.TemporaryDirectory(prefix="tabard-bench-") as name:
        directory = Path(name)
        async with Air() as air:
            endpoint = SeqpacketEndpoint(air, directory / "controller.seq")
            await endpoint.open()
            agent = Agent(binary, directory / "agent", CONFIGURATION)
            await agent.start_and_wait(endpoint.transport)
            try:
                for baud, kibibytes in ((115_200, 256), (921_600, 1_024), (None, 12_288)):
                    with smp.Client(agent.sync_port) as client:
                        await asyncio.to_thread(client.fill_log, kibibytes << 10)
                    report(baud, *await fetch(agent, directory, baud))
            finally:
                await agent.stop()
                endpoint.close()


def report(baud: int | None, byte_count: int, seconds: float) -> None:
    """Prints one line of the table."""
    what = f"sync of {byte_count / 1024:6.0f} KiB "
    if baud is None:
        print(f"{what}over a line that takes no time  {byte_count / seconds / 1e6:6.2f} MB/s, decoded and all")
        return
    possible = baud / BITS_PER_BYTE * LINE_SHARE
    share = 100 * byte_count / seconds / possible
    print(
        f"{what}at {baud:7d} baud  {byte_count / seconds:8.0f} bytes/s of {possible:6.0f}:"
        f" {share:5.1f} % (goal >= {GOAL_PERCENT} %)"
    )


asyncio.run(main())
