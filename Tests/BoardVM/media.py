#!/usr/bin/env python3
"""Logs without a file, on a real Linux kernel: prints a line per proof, exits with 0 if all hold.

A Debian kernel for 32-bit ARM runs in QEMU, with its own NAND simulator (an MTD character device) and a disk
(a block device). On each medium the static agent records a phone that stands outside, is killed, starts again
and continues with the same log. Each time the log is fetched over the sync port. Then the log is in a file, and the
machine's power is cut at random times.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

from stage import Scene, Stage  # The rig's modules can be imported from here on.
from comparison import compare_with_the_board
from journal import PATIENCE_SECONDS
from machine import ARMV7, Machine
from phones import Phone
from smoke import PLACE, synced_encounter
from tabardctl import Tabardctl

CONFIGURATION = {
    "radio": {"hci": "hci0"},
    "herald": PLACE,
    "encounters": {"sample_seconds": 1},
    "log": {"loss_window_seconds": 1, "size_mebibytes": 8},
    "keys": {"path": "/var/lib/tabard/keys"},
    "sync": {"port": "/dev/ttyS1"},
}
MEDIA = ("/dev/mtd0", "/dev/vda")
DISK_BYTE_COUNT = 8 << 20
LOG, LOG_DISK_BYTE_COUNT = "/var/lib/tabard/encounters.log", 32 << 20
POWER_CUTS, LONGEST_LIFE_SECONDS = 3, 4.0


async def record(machine: Machine, medium: str, archive: Tabardctl, phone: Phone, *, starts: int, readings: int) -> int:
    """Runs the agent until its log has enough of the phone; returns the number of readings.

    The log must have the phone in at least `starts` boots, with more than `readings` readings.
    """
    said = len(machine.console)
    machine.say(f"run {medium}")
    await machine.line(r"tabard: .*radio up", after=said)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        await synced_encounter(archive, machine.sync_port, phone.payload)
        encounters = [encounter for encounter in await archive.encounters() if encounter.identity == phone.payload]
        found = sum(encounter.readings for encounter in encounters)
        if sum(encounter.boots for encounter in encounters) >= starts and found > readings:
            break
        if time.monotonic() > deadline:
            raise RuntimeError(f"{medium}: not more than {readings} readings of the phone in {starts} starts, but {encounters}")
        await asyncio.sleep(1)
    if len({encounter.board for encounter in encounters}) != 1:
        raise RuntimeError(f"{medium}: two logs where there is one: {encounters}")
    return found


async def end(machine: Machine, command: str, code: int) -> None:
    """Ends the agent, which then ends with this exit code."""
    said = len(machine.console)
    machine.say(command)
    await machine.line(rf"vm: agent was made to end, with {code}\b", after=said)


async def prove_power_cuts(scene: Scene) -> None:
    """The file system mounts after each cut, and the log still has all that was fetched."""
    disk = scene.work / "file-system"
    disk.write_bytes(bytes(LOG_DISK_BYTE_COUNT))
    subprocess.run(["/sbin/mke2fs", "-q", "-F", "-t", "ext4", disk], check=True)
    archive = scene.archive("power-cuts")
    readings = 0
    for cut in range(POWER_CUTS + 1):
        await scene.machine.switch_off()
        scene.machine = machine = await scene.boot(disk)
        await machine.line("vm: kernel ")
        machine.say("mount /dev/vda")
        await machine.line("vm: mounted")
        readings = await record(machine, LOG, archive, scene.phone, starts=cut + 1, readings=readings)
        if cut < POWER_CUTS:
            seconds = scene.randomness.uniform(0, LONGEST_LIFE_SECONDS)
            await asyncio.sleep(seconds)
            scene.proofs.add(f"power cut {cut + 1} of {POWER_CUTS}, {seconds:.1f} s after a fetch with {readings} readings")
    scene.proofs.add(await compare_with_the_board(archive, Path(machine.sync_port), scene.work))


async def prove(scene: Scene) -> None:
    scene.proofs.add((await scene.machine.line(r"vm: (kernel .*)"))[1])
    await scene.phone.switch_on()
    for medium in MEDIA:
        on_medium = (scene.machine, medium, scene.archive(Path(medium).name), scene.phone)
        first = await record(*on_medium, starts=1, readings=0)
        await end(scene.machine, "kill", code=137)
        second = await record(*on_medium, starts=2, readings=first)
        await end(scene.machine, "stop", code=0)
        scene.proofs.add(f"{medium}: recorded ({first} readings), killed, gone on with in the same log ({second}), stopped")
    await prove_power_cuts(scene)
    scene.machine.say("end")


STAGE = Stage(
    name="vm-media", description=__doc__, board="generic-armv7", prepare="prepare-media", configuration=CONFIGURATION,
    processor=ARMV7, disk_byte_count=DISK_BYTE_COUNT,
)  # fmt: skip

if __name__ == "__main__":
    sys.exit(asyncio.run(STAGE.play(prove)))
