#!/usr/bin/env python3
"""The board's image on a real Linux kernel's Bluetooth: prints a line per proof, exits with 0 if all hold.

A Debian kernel for 64-bit ARM runs in QEMU. Its UART ends in the rig's virtual controller, of which the
kernel makes hci0, as on a Raspberry Pi. The static agent runs there on the HCI user channel while a phone
passes by outside. Then the log is fetched over the emulated sync port, as over a cable, and must contain the
phone.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from stage import Proofs, Scene, Stage  # The rig's modules can be imported from here on.
import herald
from endpoints import AGENT_PUBLIC_ADDRESS
from ladder import climb
from machine import Machine
from tabardctl import FoundEncounter, Tabardctl

PLACE = {"country": 826, "state": 4, "location": 20482}
CONFIGURATION = {
    "radio": {"hci": "hci:uart"},
    "herald": PLACE,
    "encounters": {"sample_seconds": 1},
    "log": {"path": "/var/lib/tabard/encounters.log", "size_mebibytes": 1, "loss_window_seconds": 1},
    "sync": {"port": "/dev/ttyGS0"},
}
USED = ("another program uses the adapter", 75)
BLOCKED = ("the adapter is blocked", 69)
# The kernel's refusal of a second agent, the agent's message about it, and its exit code.
REFUSALS = {
    "absent": (r"7: no such adapter; the kernel has .*hci0 \(uart, no address yet\)", 69),
    "otherbus": (r":usb: no such adapter; the kernel has .*hci0 \(uart, no address yet\)", 69),
    "unprivileged": ("permission denied", 77),
    "busy": USED,
}
ENCOUNTER_SECONDS = 60


async def synced_encounter(tabardctl: Tabardctl, port: str, identity: bytes) -> FoundEncounter:
    """Syncs until the archive has an encounter with `identity`: the agent programs a page once a second."""
    deadline = time.monotonic() + ENCOUNTER_SECONDS
    while True:
        await tabardctl.sync(Path(port))
        encounters = await tabardctl.encounters()
        for encounter in encounters:
            if encounter.identity == identity and encounter.readings > 0:
                return encounter
        if time.monotonic() > deadline:
            raise AssertionError(f"no encounter with {identity.hex()} in {ENCOUNTER_SECONDS} s; there are {encounters}")
        await asyncio.sleep(1)


async def expect_refusal(machine: Machine, name: str, words: str, code: int, proofs: Proofs, *, after: int = 0) -> None:
    """Waits for the one line about an adapter that cannot be used, and for the exit code."""
    line = (await machine.line(rf"^tabard: (radio\.hci: hci.*{words}.*)", after=after))[1]
    ended = (await machine.line(rf"vm: {name}: refused with (\d+)"))[1]
    if ended != str(code):
        raise RuntimeError(f"{name}: exit code {ended} instead of {code}")
    proofs.add(f"{name}: {line} (exit code {ended})")


async def prove_patience(machine: Machine, proofs: Proofs) -> None:
    """An agent that starts while the kernel has no adapter works as soon as there is one."""
    proofs.add("late: " + (await machine.line(r"^tabard: (radio\.hci: hci0: .*the kernel has none.*waiting for it)"))[1])
    began = len(machine.console)
    machine.say("plug")
    await machine.line(r"^tabard: .*radio up", after=began)
    machine.say("stop")
    ended = (await machine.line(r"vm: late: ended with (\d+)"))[1]
    if ended != "0":
        raise RuntimeError(f"the agent that waited ended with exit code {ended}")


async def prove(scene: Scene) -> None:
    climbing = asyncio.create_task(climb(scene))
    try:
        await prove_work(scene, climbing)
    finally:
        climbing.cancel()


async def prove_work(scene: Scene, climbing: asyncio.Task[None]) -> None:
    """Proves the work of the first agent.

    The second agent must be finished before the machine gets the command to end.
    """
    machine, phone, proofs = scene.machine, scene.phone, scene.proofs
    proofs.add((await machine.line(r"vm: (kernel \S+ has hci0)"))[1])
    proofs.add((await machine.line(r"vm: (USB: .*)"))[1])
    proofs.add("chosen by bus: " + (await machine.line(r"^tabard: (radio\.hci: hci:uart is hci0)"))[1])
    proofs.add("agent: " + (await machine.line(r"^tabard: .*(radio up.*)"))[1])

    await phone.switch_on()
    beacon = herald.beacon_payload(**PLACE)
    await phone.read.first(lambda read: read.payload == beacon, what="beacon's payload read by the phone")
    proofs.add(f"the phone read the agent's payload: {beacon.hex()}")
    await phone.served.first(what="phone's payload read by the agent")
    proofs.add(f"the agent read the phone's payload: {phone.payload.hex()}")

    encounter = await synced_encounter(scene.archive(), machine.sync_port, phone.payload)
    proofs.add(
        f"synced: an encounter of {encounter.seconds:.1f} s, {encounter.readings} readings, "
        f"{encounter.rssi['minimum']} to {encounter.rssi['maximum']} dBm"
    )

    machine.say("refusals")
    for name, refusal in REFUSALS.items():
        await expect_refusal(machine, name, *refusal, proofs)

    await climbing
    began = len(machine.console)
    machine.say("stop")
    proofs.add((await machine.line(r"vm: told to stop; (resident memory: .*)"))[1])
    await expect_refusal(machine, "blocked", *BLOCKED, proofs)
    await prove_patience(machine, proofs)
    await expect_refusal(machine, "used", *USED, proofs, after=began)
    began = len(machine.console)
    machine.say(f"hci@{AGENT_PUBLIC_ADDRESS}")
    proofs.add("chosen by address: " + (await machine.line(rf"^tabard: (radio\.hci: hci@{AGENT_PUBLIC_ADDRESS} is hci\d)"))[1])
    await machine.line(r"^tabard: .*radio up", after=began)
    machine.say("stop")
    ended = (await machine.line(r"vm: address: ended with (\d+)"))[1]
    if ended != "0":
        raise RuntimeError(f"the agent chosen by address ended with exit code {ended}")
    ended = (await machine.line(r"vm: agent ended with (\d+)"))[1]
    if ended != "0":
        raise RuntimeError(f"the agent ended with exit code {ended}")
    proofs.add("the agent stopped when asked, exit code 0")


STAGE = Stage(
    name="vm-smoke", description=__doc__, board="generic-aarch64", prepare="prepare", folder="vm", configuration=CONFIGURATION,
    has_second_controller=True,
)

if __name__ == "__main__":
    sys.exit(asyncio.run(STAGE.play(prove)))
