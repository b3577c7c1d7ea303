#!/usr/bin/env python3
"""Measures the processor time of a wearable with each value of `radio.duty`, alone and in company.

The real agent is on a virtual controller that hears an advert by chance: scan window through scan interval. Six devices
of strangers are around it, and from minute 4 on three phones with Herald. One agent runs by itself, and the kernel says
how long it ran; a second one runs under valgrind, which counts its instructions and its wakes. The agents of all duties
run at once, each in an air of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Rig"))

from agent import find_agent  # noqa: E402
from air import Air  # noqa: E402
from endpoints import SeqpacketEndpoint  # noqa: E402
from measured import MeasuredAgent  # noqa: E402
from phone_kinds import (  # noqa: E402
    ANDROID_CURRENT,
    APPLE_TELEVISION,
    IPHONE_BACKGROUND,
    IPHONE_FOREGROUND,
    IPHONE_OTHER_APP,
    PASSER_BY,
)
from propagation import Propagation  # noqa: E402
from scene import Part, Scene, walk  # noqa: E402
from traced import WakesAndInstructions  # noqa: E402

DUTIES = ("continuous", "balanced", "saver")
PROPAGATION = Propagation(exponent=3.0, noise_db=3.0, advert_loss=0.05, scan_duty=True)

ALONE, IN_COMPANY = (60.0, 180.0), (270.0, 390.0)
"""When it measures, in seconds of the scene. Before each the agent has time to get used to what is there."""
ARRIVAL, END = 190.0, 395.0

STRANGERS = (APPLE_TELEVISION, PASSER_BY, IPHONE_OTHER_APP, PASSER_BY, APPLE_TELEVISION, IPHONE_OTHER_APP)
PHONES = (ANDROID_CURRENT, IPHONE_FOREGROUND, IPHONE_BACKGROUND)

ZERO_W_INSTRUCTIONS = 400_000_000
"""The instructions that an ARM1176 of 1 GHz executes in a second, at 2.5 cycles each."""
GOAL_PERCENT = 0.1
"""The goal: the largest share of that processor that any duty may take."""
TOLERATED_LAG_SECONDS = 0.25


def parts() -> list[Part]:
    """Makes the devices: strangers all the time, phones from `ARRIVAL` on, all within a few metres."""
    around = [
        Part(f"stranger {number}", kind, [walk((0, 3 + number, 2), (END, 3 + number, 2))]) for number, kind in enumerate(STRANGERS)
    ]
    near = [
        Part(f"phone {number}", kind, [walk((ARRIVAL, 1 + number, 1), (END, 1 + number, 1))]) for number, kind in enumerate(PHONES)
    ]
    return around + near


@dataclass(frozen=True)
class Cost:
    """The agent's work in a second."""

    microseconds: float = 0
    instructions: float = 0
    wakes: float = 0


class MeasuredDuty:
    """The agent with one duty, by itself or under valgrind, in an air of its own."""

    def __init__(self, binary: Path, duty: str, directory: Path, *, is_counted: bool) -> None:
        self.name = f"{duty}{', counted' if is_counted else ''}"
        self.costs: list[Cost] = []
        """The costs alone and in company."""
        self._directory = directory
        self._counter = WakesAndInstructions(directory / "valgrind") if is_counted else None
        configuration = {
            "agent": {"role": "wearable"},
            "radio": {"duty": duty},
            "herald": {"secret": str(directory / "herald.secret")},
            "log": {"size_mebibytes": 1},
        }
        command = self._counter.command if self._counter else []
        self._agent = MeasuredAgent(binary, directory / "agent", configuration, emulator=command)

    async def run(self) -> None:
        """Plays the scene, and measures in it."""
        async with Air(seed=20261129, propagation=PROPAGATION) as air:
            endpoint = SeqpacketEndpoint(air, self._directory / "controller.seq")
            await endpoint.open()
            await self._agent.start_and_wait(endpoint.transport, snoops=False)
            scene = Scene(air, parts())
            for first, last in (ALONE, IN_COMPANY):
                scene.cue(first, "", lambda first=first, last=last: self._measure(last - first))
            await scene.play(lambda _: None)
            lag = air.worst_lag_seconds
            code = await self._agent.stop()
            endpoint.close()
        self._agent.require_clean_end(code)
        if lag > TOLERATED_LAG_SECONDS:
            print(f"duty.py: {self.name}: the virtual controllers were {lag:.2f} s late: measure on a quieter machine")

    async def _measure(self, seconds: float) -> None:
        before, began = self._agent.processor_seconds(), asyncio.get_running_loop().time()
        if self._counter:
            await asyncio.to_thread(self._counter.begin, self._agent.process_identifier)
        await asyncio.sleep(seconds)
        elapsed = asyncio.get_running_loop().time() - began
        if self._counter:
            instructions, wakes = await asyncio.to_thread(self._counter.end, self._agent.process_identifier)
            self.costs.append(Cost(instructions=instructions / elapsed, wakes=wakes / elapsed))
        else:
            self.costs.append(Cost(microseconds=(self._agent.processor_seconds() - before) * 1_000_000 / elapsed))


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--agent", type=Path, default=None)
    arguments.add_argument("--duty", choices=DUTIES, action="append")
    parsed = arguments.parse_args()
    binary, duties = parsed.agent or find_agent(), parsed.duty or DUTIES

    with tempfile.TemporaryDirectory(prefix="tabard-bench-") as directory:
        def folder(name: str) -> Path:
            made = Path(directory, name)
            made.mkdir()
            return made

        timed = {duty: MeasuredDuty(binary, duty, folder(duty), is_counted=False) for duty in duties}
        counted = {duty: MeasuredDuty(binary, duty, folder(f"{duty}-counted"), is_counted=True) for duty in duties}
        await asyncio.gather(*(agent.run() for agent in [*timed.values(), *counted.values()]))

    print("a wearable among six devices of strangers, alone and with three phones near")
    print("                         CPU s an hour  instructions/s  of a Zero W   wakes/s    goal")
    worst = 0.0
    for duty in duties:
        for state, time, count in zip(("alone", "in company"), timed[duty].costs, counted[duty].costs, strict=True):
            share = count.instructions / ZERO_W_INSTRUCTIONS * 100
            worst = max(worst, share)
            standing = "met" if share <= GOAL_PERCENT else "NOT MET"
            print(f"{duty:12} {state:10} {time.microseconds * 3_600 / 1_000_000:13.2f} {count.instructions:15,.0f} {share:10.2f} % "
                  f"{count.wakes:9.1f}   {GOAL_PERCENT:g} %: {standing}")
    if worst > GOAL_PERCENT:
        sys.exit(f"duty.py: {worst:.2f} % of a Zero W's processor, goal {GOAL_PERCENT:g} %")


asyncio.run(main())
