"""Proofs of updates over the cable on an installed system."""

from __future__ import annotations

import struct
import time
from pathlib import Path

from installed_stage import PACKAGE_64, Scene  # The rig's modules can be imported from here on.
import program
from agent_package import package

# A trial is a minute, on an emulated processor.
TRIAL_SECONDS = 400.0


def failing_program() -> bytes:
    """An ELF file for 64-bit ARM whose only act is to end with exit code 1."""
    address = 0x400000
    code = struct.pack("<III", 0xD2800020, 0xD2800BA8, 0xD4000001)  # mov x0, #1; mov x8, #93; svc #0
    start = 64 + 56
    head = b"\x7fELF\x02\x01\x01" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 2, 183, 1, address + start, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    head += struct.pack("<IIQQQQQQ", 1, 5, 0, address, address, start + len(code), start + len(code), 0x1000)
    return head + code


async def update(scene: Scene, file: Path) -> program.Ended:
    return await program.run(scene.tabardctl.binary, "update", str(scene.port), str(file), within=TRIAL_SECONDS)


async def prove_update(scene: Scene) -> None:
    """The board records on while it gets another agent, keeps that one, and goes back from one that fails."""
    began = time.time()
    ended = await update(scene, PACKAGE_64)
    if ended.exit_code != 0 or "the board keeps version" not in ended.output:
        raise RuntimeError(f"the update was not kept: {ended}")
    seconds = time.time() - began
    if (status := await scene.machine.status()).get("updateSlot") != 1:
        raise RuntimeError(f"the update does not run: {status}")
    await scene.recorded_since(began + seconds)
    scene.proofs.add(f"update over the cable: kept after {seconds:.0f} s; {await scene.compare_with_the_board()}")

    broken = package(scene.work / "broken", failing_program(), "99.0.0", "arm64")
    ended = await update(scene, broken)
    if ended.exit_code != 69 or "has gone back" not in ended.errors:
        raise RuntimeError(f"the broken update did not fail: {ended}")
    await scene.advert()
    journal = (await scene.machine.run("journalctl -u tabard --no-pager | grep update:")).text
    if (await scene.machine.status()).get("updateSlot") != 1 or "has not shown in three starts" not in journal:
        raise RuntimeError(f"the agent before does not run: {journal}")
    await scene.recorded_since(time.time())
    scene.proofs.add(f"broken update: three starts, then the agent before; {await scene.compare_with_the_board()}")
