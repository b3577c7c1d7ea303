#!/usr/bin/env python3
"""A whole installed system, as a user has it: prints a line per proof, exits with 0 if all hold.

The image of `make image` boots by EFI on an emulated 64-bit ARM machine, with its own systemd, and the package that apt
has installed. It is set up over the USB cable by tabardctl, records a phone outside, and gets into every trouble of
troubles.py. Then its power is cut. It starts again, and its log must go on.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path

from installed_stage import PLACE, RADIO_SECONDS, Scene, play  # The rig's modules can be imported from here on.
import herald
from installed import BOARD_64, FIRST_START_SECONDS
from smoke import synced_encounter
from panel_proofs import expect_flashes, prove_panel, prove_power_off
from troubles import TROUBLES, Trouble
from update_proofs import prove_update

# The watchdog of the service is a minute.
WATCHDOG_SECONDS = 100.0


async def prove_first_use(scene: Scene) -> None:
    """A fresh board serves the cable only, and says so; one command over the cable makes it a beacon."""
    machine, proofs = scene.machine, scene.proofs
    proofs.add(f"{await machine.ready()}, {machine.seconds:.0f} s after power on")
    mounts = await machine.run("findmnt -n -o OPTIONS / && cat /etc/machine-id && df -BM --output=size /var | tail -n 1")
    options, identifier, size = mounts.text.splitlines()
    if not options.startswith("ro") or len(identifier) != 32:
        raise RuntimeError(f"the root is not read-only with an identifier of its own: {mounts}")
    proofs.add(f"root read-only, identifier {identifier[:8]}…, /var of{size}")
    began = machine.seconds
    await machine.run("systemctl start tabard", within=FIRST_START_SECONDS)
    proofs.add(f"first start, which writes the log file: {machine.seconds - began:.0f} s")
    found = await machine.findings()
    if found["place"]["level"] != "fault":
        raise RuntimeError(f"a board that is not set up: {found}")
    proofs.add(f"fresh: {found['place']['finding']}")

    said = await scene.set_up()
    proofs.add("set up over the cable: " + said.strip().splitlines()[-1])
    await scene.advert()
    proofs.add("it advertises, heard outside")
    found = await machine.findings()
    if any(each["level"] == "fault" for each in found.values()):
        raise RuntimeError(f"after the setup: {found}")
    proofs.add("doctor: no fault" + "".join(f"; {name}: {each['finding']}" for name, each in found.items()))


async def prove_encounter(scene: Scene) -> None:
    await scene.phone.switch_on()
    payload = herald.beacon_payload(**PLACE)
    await scene.phone.read.first(lambda read: read.payload.startswith(payload[:6]), what="beacon's payload read by the phone")
    encounter = await synced_encounter(scene.tabardctl, str(scene.port), scene.phone.payload)
    scene.proofs.add(f"synced over CDC-ACM: an encounter of {encounter.seconds:.0f} s, {encounter.readings} readings")


async def prove_trouble(scene: Scene, trouble: Trouble) -> None:
    """A trouble is found by the doctor, and mended by the command that it names."""
    machine = scene.machine
    began = await machine.run(trouble.begin)
    deadline = time.monotonic() + RADIO_SECONDS
    while True:
        found = await machine.findings(trouble.options)
        finding = found.get(trouble.subject)
        if finding and finding["level"] == trouble.level and trouble.finding in finding["finding"]:
            break
        if time.monotonic() > deadline:
            raise RuntimeError(f"{trouble.name}: the doctor does not say '{trouble.finding}': {began} {found}")
    metrics = (await machine.run("tabard metrics")).text.splitlines()
    if trouble.metric and trouble.metric not in metrics:
        raise RuntimeError(f"{trouble.name}: no metric shows it: {metrics}")
    status = await machine.status()
    state = f"status: radio {status['radio']}" if status else "status: no answer"
    if trouble.metric:
        state += f"; {trouble.metric}"
    if trouble.flashes:
        await expect_flashes(scene, trouble.flashes, trouble.name)
        state += f"; the light flashes {trouble.flashes} times"
    command = finding.get("run") or trouble.follow
    if trouble.host:
        command = f"tabardctl {trouble.host}"
        if command not in finding["advice"]:
            raise RuntimeError(f"{trouble.name}: the doctor does not name {command}: {finding}")
        await scene.host(trouble.host, scene.port)
    elif not command:
        raise RuntimeError(f"{trouble.name}: no command: {finding}")
    elif (done := await machine.run(command)).code != 0:
        raise RuntimeError(f"{trouble.name}: '{command}' ended with {done}")
    after = (await machine.findings(trouble.options)).get(trouble.subject)
    if after and after["finding"] == finding["finding"]:
        raise RuntimeError(f"{trouble.name}: '{command}' did not mend it: {after}")
    if trouble.afterwards:
        await machine.run(f"NOW={int(time.time())}; {trouble.afterwards}")
    await wait_until_well(scene, trouble.name)
    how = "run" if "run" in finding else "advice"
    scene.proofs.add(f"{trouble.name}: {finding['level']}, {trouble.subject}: {finding['finding']}; {state}; {how}: {command}: well again")


async def wait_until_well(scene: Scene, name: str) -> None:
    """Waits until the agent runs, the doctor finds no fault and the board advertises."""
    deadline = time.monotonic() + RADIO_SECONDS
    while True:
        # The doctor finds no fault in an agent that is starting, and its controller may still advertise.
        state = (await scene.machine.run("systemctl is-active tabard || true")).text
        found = await scene.machine.findings()
        if "active" in state.splitlines() and "service" not in found and all(each["level"] != "fault" for each in found.values()):
            break
        if time.monotonic() > deadline:
            raise RuntimeError(f"{name}: still not well: {state}, {found}")
        await asyncio.sleep(1)
    await scene.advert()


async def prove_recoveries(scene: Scene) -> None:
    """Troubles that end by themselves."""
    machine, proofs = scene.machine, scene.proofs

    async def restarts() -> int:
        return int((await machine.run("systemctl show -P NRestarts tabard")).text)

    before = await restarts()
    await machine.run("systemctl kill -s KILL tabard")
    await wait_until_well(scene, "kill -9")
    if await restarts() != before + 1:
        raise RuntimeError("systemd did not start the killed agent again")
    proofs.add("kill -9: systemd starts it again, and it advertises")

    await machine.run("systemctl kill -s STOP tabard")
    began = time.monotonic()
    while await restarts() != before + 2:
        if time.monotonic() > began + WATCHDOG_SECONDS:
            raise RuntimeError("the watchdog did not end the stopped agent")
        await asyncio.sleep(2)
    await wait_until_well(scene, "SIGSTOP")
    proofs.add(f"SIGSTOP: the watchdog ends it after {time.monotonic() - began:.0f} s, and systemd starts it again")

    stopped = await machine.run("s=$(date +%s%N); systemctl stop tabard; e=$(date +%s%N); echo $(((e - s) / 1000000))")
    await machine.run("systemctl start tabard")
    await wait_until_well(scene, "stop")
    proofs.add(f"stop: {stopped.text} ms")


async def prove_clock_jump(scene: Scene) -> None:
    """The system's clock jumps by two days; the encounters' times stay those of the world."""
    jump = time.time()
    await scene.machine.run("date -s '+2 days'")
    encounters = await scene.recorded_since(jump)
    if ahead := [each for each in encounters if each.end is not None and each.end > time.time() + 120]:
        raise RuntimeError(f"after the clock's jump these end in the future: {ahead}")
    await scene.machine.run("date -s '-2 days'")
    scene.proofs.add("clock set two days ahead: the encounters' times stay right")


async def prove_power_cut(scene: Scene) -> None:
    """The power is cut while the board records. It goes on with the same log, and what was fetched stays."""
    log = (await scene.machine.status())["log"]
    identifier = (await scene.machine.run("cat /etc/machine-id")).text
    await scene.synced()
    cut = time.time()
    await scene.boot_again()
    scene.proofs.add(f"power on to first advert heard outside: {scene.machine.seconds:.0f} s, of an emulated machine")
    await scene.answers_on_the_cable()
    if (await scene.machine.status())["log"] != log or (await scene.machine.run("cat /etc/machine-id")).text != identifier:
        raise RuntimeError("after the power cut it has another log or identifier")

    await scene.recorded_since(cut)
    scene.proofs.add(f"after the power cut: the same log goes on; {await scene.compare_with_the_board()}")


async def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--image", type=Path, help="an image of prepare-system; default: a new one")
    arguments.add_argument("--trouble", help="only the troubles with these words in their names")
    options = arguments.parse_args()

    async def prove(scene: Scene) -> None:
        await prove_first_use(scene)
        await prove_encounter(scene)
        await prove_panel(scene)
        if options.trouble is None:
            await prove_recoveries(scene)
        for trouble in TROUBLES:
            if options.trouble is None or options.trouble in trouble.name:
                await prove_trouble(scene, trouble)
        await prove_clock_jump(scene)
        await prove_update(scene)
        await prove_power_cut(scene)
        await prove_power_off(scene)

    return await play("vm-system", BOARD_64, prove, options.image)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
