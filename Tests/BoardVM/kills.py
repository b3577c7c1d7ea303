#!/usr/bin/env python3
"""Proves that an installed system whose power is cut at random times while it records goes on each time.

The image of `make image` boots on an emulated PC. Each time, a phone outside is recorded and the log is fetched,
until the machine is killed. Everything that the archive had must still be there, and the whole log must verify.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from dataclasses import replace
from pathlib import Path

from installed_stage import Scene, play  # The rig's modules can be imported from here on.
from installed import PERSONAL_COMPUTER
from smoke import synced_encounter

# A kill comes at most so long after a boot has recorded the phone.
LONGEST_LIFE_SECONDS = 12.0


async def cut_power(scene: Scene, seconds: float) -> int:
    """Fetches the log again and again until the power is cut. Returns the number of fetches that ended."""
    fetches = 0

    async def fetch() -> None:
        nonlocal fetches
        while True:
            await scene.synced()
            fetches += 1

    fetching = asyncio.create_task(fetch())
    await asyncio.wait([fetching], timeout=seconds)
    if fetching.done():
        await fetching  # raises its error
    await scene.machine.switch_off()
    # A fetch that the cut interrupts ends with an error.
    await asyncio.wait([fetching])
    fetching.exception()
    return fetches


async def prove_kills(scene: Scene, count: int, randomness: random.Random) -> None:
    await scene.machine.ready()
    await scene.set_up()
    await scene.phone.switch_on()
    await synced_encounter(scene.tabardctl, str(scene.port), scene.phone.payload)
    log = (await scene.machine.status())["log"]
    for number in range(1, count + 1):
        seconds = randomness.uniform(0, LONGEST_LIFE_SECONDS)
        fetches = await cut_power(scene, seconds)
        cut = time.time()
        await scene.boot_again()
        await scene.answers_on_the_cable()
        await scene.recorded_since(cut)
        status = await scene.machine.status()
        if status["log"] != log or status["lostSegments"] > 0:
            raise RuntimeError(f"the board has not gone on with its log: {status}")
        scene.proofs.add(f"cut {number} of {count} after {seconds:.1f} s and {fetches} fetches: records again, {status['segments']} segments")
    scene.proofs.add(await scene.compare_with_the_board())


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--image", type=Path, help="an image of prepare-system; default: a new one")
    arguments.add_argument("--count", type=int, default=50, help="how often the power is cut; default: 50")
    arguments.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="of the times of the cuts")
    arguments.add_argument("--accelerator", default="tcg", help="kvm, where the machine has it; default: tcg")
    options = arguments.parse_args()
    computer = replace(PERSONAL_COMPUTER, command=(*PERSONAL_COMPUTER.command, "-accel", options.accelerator))
    print(f"vm-kills: seed {options.seed}", flush=True)
    randomness = random.Random(options.seed)
    return asyncio.run(play("vm-kills", computer, lambda scene: prove_kills(scene, options.count, randomness), options.image))


if __name__ == "__main__":
    sys.exit(main())
