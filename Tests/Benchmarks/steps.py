#!/usr/bin/env python3
"""Measures the longest step of the run loop, in instructions of an ARM1176.

The image for the Raspberry Pi Zero W runs under QEMU's user emulator. A plug-in counts the instructions from
one wait to the next (StepCounter/steps.c).

A crowd with Herald passes by; the agent records each RSSI reading and writes a page every few seconds. The
board is provisioned, so it seals its log and prepares keys of epochs. The operator fetches the log twice,
with signed commands.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Rig"))

import measured  # noqa: E402
import phone_kinds  # noqa: E402
import program  # noqa: E402
import smp  # noqa: E402
from agent import Agent, find_tabardctl  # noqa: E402
from air import Air  # noqa: E402

AGENT = ROOT / "build" / "boards" / "raspberry-pi-zero-w" / "tabard"
COUNTER = ROOT / "build" / "bench" / "steps.so"
CONFIGURATION = {
    "herald": {"location": 1},
    "log": {"size_mebibytes": 1, "loss_window_seconds": 5},
    "encounters": {"raw": True, "sample_seconds": 1},
}
PEERS = 250
REPORTS_PER_SECOND, SECONDS = 1_000, 20

LIMIT_MILLISECONDS = 10
CYCLES_PER_INSTRUCTION = (1.75, 2.5)
"""The range for an ARM1176 at 1 GHz, from register arithmetic to code that waits for memory."""


def build_counter() -> None:
    """Builds the plug-in."""
    COUNTER.parent.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).with_name("StepCounter") / "steps.c"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", COUNTER, source], check=True)


async def provision(agent: Agent, directory: Path) -> Path:
    """Gives the board new keys; returns the operator's key file."""
    tabardctl = find_tabardctl()
    keys = directory / "keys"
    keys.mkdir()
    await program.run_well(tabardctl, "keys", "new", "--directory", keys)
    public = ("--opening", keys / "opening.pub.pem", "--operator", keys / "operator.pub.pem")
    await program.run_well(
        tabardctl, "provision", agent.sync_port, *public, "--yes", "--archive", directory / "archive.sqlite"
    )
    return keys / "operator.pem"


async def fetch(agent: Agent, directory: Path, operator: Path) -> None:
    """Fetches the log as the operator does, which also sets the board's clock."""
    archive = ("--archive", directory / "archive.sqlite")
    await program.run_well(
        find_tabardctl(), "sync", "--port", agent.sync_port, "--operator", operator, *archive, within=300
    )


async def run(directory: Path) -> list[tuple[int, int]]:
    """Runs the agent. Returns the instructions of each turn, and its number of syncs of the medium."""
    turns = directory / "turns"
    emulator = ["qemu-arm", "-cpu", "arm1176", "-plugin", f"{COUNTER},out={turns}"]
    async with Air() as air:
        endpoint = measured.MeasuredEndpoint(air, directory / "controller.seq")
        await endpoint.open()
        agent = Agent(AGENT, directory / "agent", CONFIGURATION, emulator=emulator)
        await agent.start_and_wait(endpoint.transport)
        with smp.Client(agent.sync_port) as client:
            await asyncio.to_thread(client.fill_log, 200 << 10)
        operator = await provision(agent, directory)
        advert = phone_kinds.ANDROID_CURRENT.advert("")
        for second in range(SECONDS):
            first = second * REPORTS_PER_SECOND
            numbers = range(first, first + REPORTS_PER_SECOND)
            await endpoint.send(*(measured.report_event(number % PEERS, advert) for number in numbers))
            await asyncio.sleep(0.5)
            if second in (SECONDS // 2, SECONDS - 1):
                await fetch(agent, directory, operator)
        code = await agent.stop()
        endpoint.close()
        if code != 0:
            text = (directory / "agent" / "agent.stderr").read_text()
            raise RuntimeError(f"the agent ended with {code}:\n{text}")
    lines = turns.read_text().splitlines()
    return [(int(line.split()[0]), int(line.split()[1])) for line in lines]


def main() -> None:
    build_counter()
    with tempfile.TemporaryDirectory(prefix="tabard-bench-") as name:
        turns = asyncio.run(run(Path(name)))
    limits = [LIMIT_MILLISECONDS * 1e6 / cycles / 1e6 for cycles in reversed(CYCLES_PER_INSTRUCTION)]
    limit = f"limit {limits[0]:.1f} to {limits[1]:.1f} million: {LIMIT_MILLISECONDS} ms at 1 GHz"
    longest = max(turns)[0] / 1e6
    sorted_turns = sorted(turn for turn, _ in turns)
    usual = sorted_turns[len(turns) * 999 // 1000] / 1e6
    writing = [turn for turn, pages in turns if pages > 0]
    print(f"steps of the run loop on an ARM1176, sealed and provisioned  {len(turns):8d}, {len(writing)} with pages")
    print(f"longest, million instructions                               {longest:8.2f}  ({limit})")
    print(f"longest with pages, million instructions                    {max(writing, default=0) / 1e6:8.2f}")
    print(f"999 of 1000 take at most, million instructions              {usual:8.2f}")


main()
