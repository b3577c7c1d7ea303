#!/usr/bin/env python3
"""Measures how often the agent wakes in an empty room: a beacon with defaults, in its second to fifth minute.

The virtual controller reports nothing. The agent's activity in this state determines battery life. valgrind
counts the returns from epoll_wait per second, and the reads that find nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Rig"))

from agent import find_agent  # noqa: E402
from air import Air  # noqa: E402
from endpoints import SeqpacketEndpoint  # noqa: E402
from measured import MeasuredAgent  # noqa: E402
from traced import Calls, Valgrind  # noqa: E402

CONFIGURATION = {"herald": {"location": 1}, "log": {"size_mebibytes": 1}}
FIRST_SECOND, LAST_SECOND = 60, 300
GOAL_WAKES = 1.5


async def run(binary: Path, first: float, last: float) -> tuple[Calls, Calls]:
    """Returns the calls before `first`, and from `first` to `last`, in seconds after the radio came up."""
    with tempfile.TemporaryDirectory(prefix="tabard-bench-") as directory:
        valgrind = Valgrind(Path(directory, "valgrind.log"), counts_instructions=False)
        async with Air() as air:
            endpoint = SeqpacketEndpoint(air, Path(directory, "controller.seq"))
            await endpoint.open()
            agent = MeasuredAgent(binary, Path(directory, "agent"), CONFIGURATION, emulator=valgrind.command)
            await agent.start_and_wait(endpoint.transport)
            start = valgrind.calls()
            await asyncio.sleep(first)
            before = valgrind.calls()
            await asyncio.sleep(last - first)
            after = valgrind.calls()
            code = await agent.stop()
            endpoint.close()
        agent.require_clean_end(code)
        return before - start, after - before


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--agent", type=Path, default=None)
    arguments.add_argument("--seconds", type=int, nargs=2, default=(FIRST_SECOND, LAST_SECOND), metavar=("FIRST", "LAST"))
    parsed = arguments.parse_args()
    first, last = parsed.seconds
    restless, calls = asyncio.run(run(parsed.agent or find_agent(), first, last))
    wakes, reads = calls.wakes / (last - first), calls.empty_reads / (last - first)
    standing = "met" if wakes <= GOAL_WAKES else "NOT MET"
    print(f"an empty room, a beacon with defaults, seconds {first} to {last}")
    print(f"wakes a second                    {wakes:8.2f}   goal {GOAL_WAKES}: {standing}")
    print(f"reads a second that find nothing  {reads:8.2f}")
    print(f"until then, while the agent is not sure yet that there is nobody: {restless.wakes / first:.2f} and {restless.empty_reads / first:.2f}")
    if wakes > GOAL_WAKES:
        sys.exit(f"empty_room.py: {wakes:.2f} wakes a second, goal {GOAL_WAKES}")


main()
