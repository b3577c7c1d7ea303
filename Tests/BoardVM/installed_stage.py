"""The stage of the proofs on an installed system: the machine, two phones outside, and the operator."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from stage import HERE, ROOT, Proofs  # The rig's modules can be imported from here on.
import herald
import program
from agent import find_tabardctl
from air import Air
from bumble.device import Advertisement, Device
from comparison import compare_with_the_board
from endpoints import UnixStreamEndpoint
from installed import BOOT_SECONDS, Computer, InstalledMachine, LateCable
from journal import Journal
from motion import standing
from phone_kinds import ANDROID_CURRENT
from phones import Phone
from tabardctl import FoundEncounter, Tabardctl

PLACE = {"country": 826, "state": 0, "location": 20482}
RADIO_SECONDS = 120.0
PACKAGE_64 = ROOT / f"build/packages/tabard_{(ROOT / 'VERSION').read_text().strip()}_arm64.deb"
# /var grows to the end of it at the first boot.
DISK = "2G"


@dataclass
class Scene:
    """The objects that a proof works with."""

    computer: Computer
    machine: InstalledMachine
    phone: Phone
    listener: Phone
    proofs: Proofs
    tabardctl: Tabardctl
    work: Path

    def __post_init__(self) -> None:
        self.adverts: Journal[float] = Journal("the board's adverts, heard by the listener")

    def listen(self) -> None:
        """Notes when the board's adverts arrive."""

        def note(advertisement: Advertisement) -> None:
            if herald.is_board(advertisement.data_bytes):
                self.adverts.append(time.monotonic())

        self.listener.device.on(Device.EVENT_ADVERTISEMENT, note)

    async def advert(self, within: float = RADIO_SECONDS) -> None:
        """Waits for an advert from now on."""
        await self.adverts.first(what="advert of the board", within=within, after=len(self.adverts))

    @property
    def port(self) -> Path:
        return Path(self.machine.sync_port)

    async def boot_again(self) -> None:
        """Cuts the machine's power, if it is on, and switches it on again. Returns when the board advertises."""
        await self.switch_on_again()
        await self.advert(within=BOOT_SECONDS)

    async def switch_on_again(self, *options: str) -> None:
        """Cuts the machine's power, if it is on, and switches it on again, with these options of QEMU."""
        await self.machine.switch_off()
        self.machine = await switched_on(self.computer, self.work, *options)

    async def answers_on_the_cable(self) -> None:
        """Waits until the board answers at its cable, as a person does after plugging it in."""
        await self.machine.ready()
        deadline = time.monotonic() + RADIO_SECONDS
        while (answer := await program.run(self.tabardctl.binary, "devices", "--port", self.port)).exit_code != 0:
            if time.monotonic() > deadline:
                raise RuntimeError(f"no answer at the cable: {answer}")
            await asyncio.sleep(0.5)

    async def synced(self) -> list[FoundEncounter]:
        """Fetches the log, and returns all encounters of the archive."""
        await self.tabardctl.sync(self.port)
        return await self.tabardctl.encounters()

    async def recorded_since(self, moment: float) -> list[FoundEncounter]:
        """Fetches until an encounter with the phone ends after `moment` (seconds since 1970); returns all encounters."""
        deadline = time.monotonic() + RADIO_SECONDS
        while True:
            encounters = await self.synced()
            if any(each.identity == self.phone.payload and each.end is not None and each.end > moment for each in encounters):
                return encounters
            if time.monotonic() > deadline:
                raise RuntimeError(f"nothing was recorded since {moment}: {encounters}")
            await asyncio.sleep(1)

    async def compare_with_the_board(self) -> str:
        """A new archive gets from the board at least the readings that were fetched before, and all of it verifies."""
        return await compare_with_the_board(self.tabardctl, self.port, self.work)

    async def host(self, *arguments: str | Path) -> str:
        """Runs tabardctl at the board's cable."""
        return await self.tabardctl.run(*map(str, arguments))

    async def set_up(self) -> str:
        """Waits for the system, and makes the board a beacon by its cable. Returns what tabardctl said."""
        # Returns once the agent says that it runs; at its first start it makes the log.
        await self.machine.run("systemctl start tabard")
        place = ("--venue-number", str(PLACE["location"]), "--name", "Foyer")
        return await self.host("setup", self.port, *place, "--new-keys", "--yes")


async def switched_on(computer: Computer, work: Path, *options: str) -> InstalledMachine:
    cable = LateCable(work, work / "controller.sock")
    await cable.open()
    return await InstalledMachine.boot(computer, work / "disk.qcow2", cable, *options)


async def play(name: str, computer: Computer, prove: Callable[[Scene], Awaitable[None]], image: Path | None = None) -> int:
    """Makes the image, if none is given, boots it, and runs the proofs. Returns the exit code."""
    proofs = Proofs(name)
    if image is None:
        image = ROOT / f"build/vm-system/{computer.board}.img"
        subprocess.run([HERE / "prepare-system", computer.board], check=True)
        proofs.add("image made")
    with tempfile.TemporaryDirectory(prefix="tabard-vm-") as directory:
        work = Path(directory)
        # The operator's keys and archive are below the home.
        os.environ["HOME"] = directory
        disk = work / "disk.qcow2"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", image.resolve(), "-F", "raw", disk, DISK], check=True)
        async with Air() as air:
            endpoint = UnixStreamEndpoint(air, work / "controller.sock")
            await endpoint.open()
            phone = Phone(air, "phone", ANDROID_CURRENT, position=standing(2, 0))
            listener = Phone(air, "listener", ANDROID_CURRENT, position=standing(3, 0), advertises=False, reads_beacons=False)
            await listener.switch_on()
            archive = Tabardctl(find_tabardctl(), work / ".local/share/tabard/archive.sqlite")
            scene = Scene(computer, await switched_on(computer, work), phone, listener, proofs, archive, work)
            scene.listen()
            await listener.device.start_scanning(active=False)
            try:
                await prove(scene)
            except Exception as error:  # Show any error beside the machine's output.
                print(await scene.machine.transcript(), file=sys.stderr)
                print(f"{name}: FAILED: {error}", file=sys.stderr)
                return 1
            finally:
                phone.switch_off()
                listener.switch_off()
                await scene.machine.switch_off()
                endpoint.close()
    proofs.add("passed")
    return 0
