#!/usr/bin/env python3
"""Logs that stand on no file, on a real Linux kernel: prints a line per proof, exits with 0 if all hold.

A Debian kernel for 32-bit ARM runs in QEMU, with its own NAND simulator (an MTD character device) and a disk (a block
device). On each the static agent records a phone that stands outside, is killed, starts again and goes on with the same log;
every time the log comes out over the sync port.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "Rig"))

from agent import configuration_text, find_tabardctl  # noqa: E402
from air import Air  # noqa: E402
from endpoints import UnixStreamEndpoint  # noqa: E402
from journal import PATIENCE_SECONDS  # noqa: E402
from machine import ARMV7, Machine, root_file_system  # noqa: E402
from motion import standing  # noqa: E402
from phone_kinds import ANDROID_CURRENT  # noqa: E402
from phones import Phone  # noqa: E402
from smoke import PLACE, Proofs, synced_encounter  # noqa: E402
from tabardctl import Tabardctl  # noqa: E402

CONFIGURATION = {
    "radio": {"hci": "hci0"},
    "herald": PLACE,
    "encounters": {"sample_seconds": 1},
    "log": {"loss_window_seconds": 1},
    "keys": {"path": "/var/lib/tabard/keys"},
    "sync": {"port": "/dev/ttyS1"},
}
MEDIA = ("/dev/mtd0", "/dev/vda")
DISK_BYTE_COUNT = 8 << 20


async def run(
    machine: Machine, medium: str, archive: Tabardctl, phone: Phone, *, starts: int, readings: int, end: str, code: int
) -> int:
    """Starts the agent, waits until the log tells of the phone in so many starts, by more than so many readings, and ends it.
    Returns how many there are."""
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
    said = len(machine.console)
    machine.say(end)
    await machine.line(rf"vm: agent was made to end, with {code}\b", after=said)
    return found


async def prove(machine: Machine, medium: str, archive: Tabardctl, phone: Phone, proofs: Proofs) -> None:
    first = await run(machine, medium, archive, phone, starts=1, readings=0, end="kill", code=137)
    second = await run(machine, medium, archive, phone, starts=2, readings=first, end="stop", code=0)
    proofs.add(f"{medium}: recorded ({first} readings), killed, gone on with in the same log ({second}), stopped")


async def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--agent", type=Path, default=ROOT / "build/boards/generic-armv7/tabard")
    options = arguments.parse_args()

    program = find_tabardctl()
    proofs = Proofs("vm-media")
    subprocess.run([HERE / "prepare-media"], check=True)
    vm = ROOT / "build/vm-media"
    with tempfile.TemporaryDirectory(prefix="tabard-vm-") as directory:
        work = Path(directory)
        files = {"bin/tabard": options.agent.read_bytes(), "etc/tabard/tabard.toml": configuration_text(CONFIGURATION).encode()}
        root_file_system(vm / "base.cpio.gz", files, work / "root.cpio")
        disk = work / "disk"
        disk.write_bytes(bytes(DISK_BYTE_COUNT))
        async with Air() as air:
            endpoint = UnixStreamEndpoint(air, work / "controller.sock")
            await endpoint.open()
            phone = Phone(air, "phone", ANDROID_CURRENT, position=standing(2, 0))
            machine = await Machine.switch_on(
                vm / "kernel", work / "root.cpio", work / "controller.sock", processor=ARMV7, disk=disk
            )
            try:
                proofs.add((await machine.line(r"vm: (kernel .*)"))[1])
                await phone.switch_on()
                for medium in MEDIA:
                    archive = Tabardctl(program, work / f"{Path(medium).name}.sqlite")
                    await prove(machine, medium, archive, phone, proofs)
                machine.say("end")
            except Exception as error:  # whatever it is: show it beside what the machine said
                print("\n".join(f"  {line.at:6.1f} {line.text}" for line in machine.console), file=sys.stderr)
                print(f"vm-media: FAILED: {error}", file=sys.stderr)
                return 1
            finally:
                phone.switch_off()
                await machine.switch_off()
                endpoint.close()
    proofs.add("passed")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
