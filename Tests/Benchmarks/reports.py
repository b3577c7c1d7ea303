#!/usr/bin/env python3
"""Measures the whole agent's cost of an advertising report: instructions, wakes (by valgrind), and memory.

The agent runs on a virtual controller with its HCI capture on. It gets the reports of ignored devices through its HCI
socket at two paces: one report for each wake, 200 a second; and 64 for each wake, its maximum, without a pause. The
difference of two runs with different numbers of reports excludes start and stop. scan.py measures the scan path alone.

The memory is that of a run without valgrind and without the capture, at its start and after a million reports.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Rig"))

import measured  # noqa: E402
import phone_kinds  # noqa: E402
from agent import find_agent  # noqa: E402
from air import Air  # noqa: E402
from measured import MeasuredAgent, MeasuredEndpoint  # noqa: E402
from traced import Calls, Valgrind  # noqa: E402

PEERS = 500
CONFIGURATION = {"herald": {"location": 1}, "log": {"size_mebibytes": 1}}


@dataclass(frozen=True)
class Pace:
    """The pace of reports, their numbers in the two runs, and the goal for each."""

    reports_per_wake: int
    seconds_apart: float
    few: int
    many: int
    goal_instructions: int


# Elapsed time costs instructions too: the agent wakes ten times a second on its own, and RSSI readings far
# apart are a sample each. Single reports therefore come at a fixed rate. Without pauses, each would cost a
# quarter less.
PACES = (Pace(1, 0.005, 1_000, 5_000, 6_500), Pace(64, 0, 1_280, 20_480, 2_000))
MEMORY_REPORTS, MEMORY_PEERS = 1_000_000, 10_000
GOAL_KIBIBYTES = 2_048
TOLERATED_WAKES = 1.1
"""The allowed ratio to the ideal number of wakes, because the agent's timers wake it as well."""


def report_event(number: int, peers: int = PEERS) -> bytes:
    """Makes an advertising report of one of `peers` devices without Herald."""
    kinds = (phone_kinds.PASSER_BY, phone_kinds.APPLE_TELEVISION, phone_kinds.IPHONE_OTHER_APP)
    return measured.report_event(number % peers, kinds[number % len(kinds)].advert(""))


@dataclass(frozen=True)
class Run:
    """The cost of one run of the agent."""

    instructions: int
    calls: Calls


async def run(binary: Path, pace: Pace, count: int) -> Run:
    """Runs the agent with `count` reports under valgrind."""
    with tempfile.TemporaryDirectory(prefix="tabard-bench-") as directory:
        valgrind = Valgrind(Path(directory, "valgrind.log"), counts_instructions=True)
        async with Air() as air:
            endpoint = MeasuredEndpoint(air, Path(directory, "controller.seq"))
            await endpoint.open()
            agent = MeasuredAgent(binary, Path(directory, "agent"), CONFIGURATION, emulator=valgrind.command)
            await agent.start_and_wait(endpoint.transport)
            before = valgrind.calls()
            events = (report_event(number) for number in range(count))
            if pace.reports_per_wake == 1:
                await endpoint.send_singly(events, pace.seconds_apart, agent.is_asleep)
            else:
                await endpoint.send_without_pause(events)
            after = valgrind.calls()
            code = await agent.stop()
            endpoint.close()
        agent.require_clean_end(code)
        return Run(valgrind.instructions(), after - before)


async def measure_memory(binary: Path) -> list[str]:
    """Prints the memory at start and after a million reports. Returns the missed goals."""
    figures: list[int] = []
    with tempfile.TemporaryDirectory(prefix="tabard-bench-") as directory:
        async with Air() as air:
            endpoint = MeasuredEndpoint(air, Path(directory, "controller.seq"))
            await endpoint.open()
            # A separate copy of the image shares no memory pages with other agents.
            image = Path(shutil.copy(binary, Path(directory, "tabard")))
            agent = MeasuredAgent(image, Path(directory, "agent"), CONFIGURATION)
            await agent.start_and_wait(endpoint.transport, snoops=False)
            figures.append(agent.resident_kibibytes())
            # The air's clock and the agent's other work have their turn between the parts.
            for part in range(0, MEMORY_REPORTS, 10_000):
                await endpoint.send_without_pause(report_event(part + number, MEMORY_PEERS) for number in range(10_000))
                await asyncio.sleep(0)
            figures.append(agent.resident_kibibytes())
            code = await agent.stop()
            endpoint.close()
        agent.require_clean_end(code)
    standing = "met" if max(figures) <= GOAL_KIBIBYTES else "NOT MET"
    print(f"resident memory: {figures[0]} KiB at start, {figures[1]} KiB after {MEMORY_REPORTS:,} reports of {MEMORY_PEERS:,} devices; "
          f"goal {GOAL_KIBIBYTES:,}: {standing}")
    return [] if standing == "met" else [f"{max(figures)} KiB of memory, goal {GOAL_KIBIBYTES}"]


async def measure(binary: Path, pace: Pace) -> list[str]:
    """Prints the cost of a report at this pace. Returns the missed goals."""
    few, many = [await run(binary, pace, count) for count in (pace.few, pace.many)]
    reports, per_wake, goal = pace.many - pace.few, pace.reports_per_wake, pace.goal_instructions
    cost = (many.instructions - few.instructions) / reports
    calls = many.calls - few.calls
    standing = "met" if cost <= goal else "NOT MET"
    print(f"{per_wake:16} {reports:8} {calls.wakes:8} {calls.empty_reads:11} {cost:20.0f} {goal:8}   {standing}")
    complaints = []
    if cost > goal:
        complaints.append(f"{cost:.0f} instructions a report at {per_wake} a wake, goal {goal}")
    if calls.wakes * per_wake > reports * TOLERATED_WAKES:
        complaints.append(f"{calls.wakes} wakes for {reports} reports, and not {per_wake} a wake: measure on a quieter machine")
    return complaints


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--agent", type=Path, default=None)
    binary = arguments.parse_args().agent or find_agent()

    print("the whole agent, advertising reports of passers-by, with the HCI capture on")
    print("reports per wake  reports    wakes  idle reads  instructions/report     goal")
    complaints = [complaint for pace in PACES for complaint in await measure(binary, pace)]
    complaints += await measure_memory(binary)
    if complaints:
        sys.exit(f"reports.py: {'; '.join(complaints)}")


asyncio.run(main())
