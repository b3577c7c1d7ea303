"""Proofs of the light, the button and the battery of an installed system.

The kernel's LED and button are those of a USB keyboard: its light for capital letters, and its keys. No driver of the
machine's kernel makes a battery, so its files lie in a folder that is mounted over the kernel's.
"""

from __future__ import annotations

import asyncio
import time

from installed_stage import RADIO_SECONDS, Scene
from printed_json import document_in

SUPPLY = "/run/supply/BAT0"


async def set_up_panel(scene: Scene) -> None:
    """Gives the panel its devices, as panel.conf does on a board with another LED and button than ours."""
    machine = scene.machine
    options = "--light $(basename $(echo /sys/class/leds/*::capslock)) --button $(echo /dev/input/by-path/*-event-kbd | cut -d' ' -f1)"
    folder = "/run/systemd/system/tabard-panel.service.d"
    battery = f"mkdir -p {SUPPLY} && echo Battery >{SUPPLY}/type && mount --bind /run/supply /sys/class/power_supply"
    await charge(scene, 80, first=battery)
    done = await machine.run(
        f'mkdir -p {folder} && printf \'[Service]\\nEnvironment="PANEL_OPTIONS=%s"\\n\' "{options}" >{folder}/vm.conf && cat {folder}/vm.conf '
        "&& systemctl daemon-reload && systemctl restart tabard-panel && sleep 1 && systemctl is-active tabard-panel"
    )
    if not done.text.endswith("active"):
        raise RuntimeError(f"the panel does not run: {done} {await machine.run('systemctl status tabard-panel')}")


async def charge(scene: Scene, percent: int, first: str = "true") -> None:
    await scene.machine.run(
        f"{first}; echo {percent} >{SUPPLY}/capacity; echo Discharging >{SUPPLY}/status; echo 3700000 >{SUPPLY}/voltage_now"
    )


async def flashes(scene: Scene) -> tuple[int, int]:
    """The number of flashes between two pauses, and the length of the longest in milliseconds."""
    counted = await scene.machine.run("/usr/local/lib/vm/flashes /sys/class/leds/*::capslock/brightness")
    count, longest = counted.text.split()
    return int(count), int(longest)


async def expect_flashes(scene: Scene, count: int, what: str) -> None:
    """The light shows a state some seconds after it has begun."""
    deadline = time.monotonic() + RADIO_SECONDS
    while (seen := await flashes(scene))[0] != count:
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what}: the light flashes {seen}, not {count} times")


async def prove_panel(scene: Scene) -> None:
    """The light flashes, the button marks a moment, and a battery that runs low is committed and shown."""
    machine, proofs = scene.machine, scene.proofs
    await set_up_panel(scene)
    count, longest = await flashes(scene)
    if count != 1:
        raise RuntimeError(f"a board that works flashes {count} times")
    proofs.add(f"panel: the light of a board that works flashes once, {longest} ms")

    await machine.press(milliseconds=300)
    deadline = time.monotonic() + RADIO_SECONDS
    while not (markers := await listed_markers(scene)):
        if time.monotonic() > deadline:
            raise RuntimeError(f"no marker came: {await machine.run('journalctl -u tabard-panel -u tabard -n 20 --no-pager')}")
        await asyncio.sleep(1)
    proofs.add(f"panel: a press of the button is a marker, by {markers[0]['origin']}, {markers[0]['time']}")

    await charge(scene, 8)
    await machine.run("systemctl restart tabard-panel")
    await until_low(scene, True)
    count, longest = await flashes(scene)
    if (count, longest > 1000) != (1, True):
        raise RuntimeError(f"a low battery flashes {count} times, {longest} ms")
    found = (await machine.run("journalctl -u tabard -n 20 --no-pager")).text
    if "battery: low at 8 percent; the log is committed" not in found:
        raise RuntimeError(f"the journal does not say that the battery is low: {found}")
    proofs.add(f"panel: a battery at 8 %: status and journal say low, and the light flashes {longest} ms long")
    await charge(scene, 80)
    await machine.run("systemctl restart tabard-panel")
    await until_low(scene, False)


async def until_low(scene: Scene, is_low: bool) -> None:
    deadline = time.monotonic() + RADIO_SECONDS
    while (status := await scene.machine.status()).get("isBatteryLow") != is_low:
        if time.monotonic() > deadline:
            raise RuntimeError(f"the battery's state is not in the status: {status}")
        await asyncio.sleep(1)


async def listed_markers(scene: Scene) -> list[dict[str, str]]:
    await scene.synced()
    return document_in(await scene.tabardctl.run("markers", "--json", "--archive", str(scene.tabardctl.archive)))


async def prove_power_off(scene: Scene) -> None:
    """A hold of the button powers the board off cleanly, and it continues the log afterwards."""
    await set_up_panel(scene)
    log = (await scene.machine.status())["log"]
    held = time.time()
    began = time.monotonic()
    await scene.machine.press(milliseconds=4000)
    await scene.machine.off(within=RADIO_SECONDS)
    scene.proofs.add(f"panel: a hold of the button powers the board off, {time.monotonic() - began:.0f} s")
    await scene.boot_again()
    await scene.answers_on_the_cable()
    if (await scene.machine.status())["log"] != log:
        raise RuntimeError("after the power-off it has another log")
    await scene.recorded_since(held)
    scene.proofs.add(f"after the power-off: {await scene.compare_with_the_board()}")
