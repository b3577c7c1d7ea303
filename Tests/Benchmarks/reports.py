#!/usr/bin/env python3
"""What an advertising report costs the whole agent: instructions, counted by valgrind, and memory.

The agent runs on a virtual controller, with its HCI capture on, and gets advertising reports of passers-by through its
HCI socket. Two runs with different numbers of reports cancel out what start and stop cost. How many reports the agent
finds each time it wakes still differs between runs, and with it the figure: scan.py beside this has the exact one.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Rig"))

import measured  # noqa: E402
import phone_kinds  # noqa: E402
from agent import Agent, find_agent  # noqa: E402
from air import Air  # noqa: E402
from measured import MeasuredEndpoint  # noqa: E402

PEERS = 500
FEW, MANY = 2_000, 22_000
# Instructions. It differs by a tenth from run to run; a copy of a large value at each wake is a thousand.
GOAL = 7_500
CONFIGURATION = {"herald": {"location": 1}, "log": {"size_mebibytes": 1}}


def report_event(number: int) -> bytes:
    """An advertising report of one of `PEERS` devices without Herald."""
    kinds = (phone_kinds.PASSER_BY, phone_kinds.APPLE_TELEVISION, phone_kinds.IPHONE_OTHER_APP)
    return measured.report_event(number % PEERS, kinds[number % len(kinds)].advert(""))


class MeasuredAgent(Agent):
    """An agent whose memory can be asked for."""

    def private_kibibytes(self) -> int:
        """Memory that is the process's own."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text().splitlines()[1:]
        return sum(int(field.split()[1]) for field in fields if field.startswith("Private_"))


async def run(binary: Path, count: int, emulator: list[str]) -> tuple[str, int]:
    """One run of the agent with `count` reports: what it wrote to stderr, and its memory in KiB before the end."""
    with tempfile.TemporaryDirectory(prefix="tabard-bench-") as directory:
        async with Air() as air:
            endpoint = MeasuredEndpoint(air, Path(directory, "controller.seq"))
            await endpoint.open()
            agent = MeasuredAgent(binary, Path(directory, "agent"), CONFIGURATION, emulator=emulator)
            await agent.start_and_wait(endpoint.transport)
            await endpoint.send(*(report_event(number) for number in range(count)))
            memory = agent.private_kibibytes()
            code = await agent.stop()
            endpoint.close()
        text = Path(directory, "agent", "agent.stderr").read_text()
        if code != 0:
            raise RuntimeError(f"the agent ended with {code}:\n{text}")
        return text, memory


async def instructions(binary: Path, count: int) -> int:
    """Instructions of a whole run."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    text, _ = await run(binary, count, valgrind)
    found = re.search(r"I\s+refs:\s+([\d,]+)", text)
    if found is None:
        raise RuntimeError(f"valgrind counted nothing:\n{text}")
    return int(found[1].replace(",", ""))


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--agent", type=Path, default=None)
    binary = arguments.parse_args().agent or find_agent()

    few, many = await instructions(binary, FEW), await instructions(binary, MANY)
    _, memory = await run(binary, MANY, [])
    cost = (many - few) / (MANY - FEW)
    print(f"instructions per advertising report of a passer-by  {cost:8.0f}   goal {GOAL}")
    print(f"private memory after {MANY} reports of {PEERS} peers      {memory:8d} KiB")
    print(f"image                                               {binary.stat().st_size / 1024:8.0f} KiB")
    if cost > GOAL:
        sys.exit(f"reports.py: {cost:.0f} instructions, and the goal is {GOAL}")


asyncio.run(main())
