"""The stage of the proofs on an emulated machine, with a phone outside it."""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "Rig"))

from agent import configuration_text, find_tabardctl  # noqa: E402
from air import Air  # noqa: E402
from endpoints import UnixStreamEndpoint  # noqa: E402
from machine import ARM64, Machine, Processor, root_file_system  # noqa: E402
from motion import standing  # noqa: E402
from phone_kinds import ANDROID_CURRENT  # noqa: E402
from phones import Phone  # noqa: E402
from tabardctl import Tabardctl  # noqa: E402

SECOND_ADDRESS = "F0:0A:00:00:00:02"


class Proofs:
    """The lines on the screen, with the seconds since the beginning."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._began = time.monotonic()

    def add(self, text: str) -> None:
        print(f"{self.name}: {time.monotonic() - self._began:5.1f} s  {text}", flush=True)


@dataclass(frozen=True)
class Stage:
    """One program of proofs, with the machine and the air that it needs.

    `prepare` fills `folder` in build/, whose default is the stage's name. `disk_byte_count` is the size of a
    blank disk; 0 means none. `has_second_controller` adds one on another UART, far away from all nodes in the
    air.
    """

    name: str
    description: str
    board: str
    prepare: str
    configuration: dict
    processor: Processor = ARM64
    disk_byte_count: int = 0
    has_second_controller: bool = False
    folder: str = ""

    async def play(self, prove: Callable[["Scene"], Awaitable[None]]) -> int:
        """Runs the proofs; returns the exit code."""
        arguments = argparse.ArgumentParser(description=self.description)
        arguments.add_argument("--agent", type=Path, default=ROOT / f"build/boards/{self.board}/tabard")
        arguments.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="of random times")
        parsed = arguments.parse_args()
        agent, randomness = parsed.agent, random.Random(parsed.seed)
        program = find_tabardctl()
        proofs = Proofs(self.name)
        subprocess.run([HERE / self.prepare], check=True)
        vm = ROOT / "build" / (self.folder or self.name)
        with tempfile.TemporaryDirectory(prefix="tabard-vm-") as directory:
            work = Path(directory)
            configuration = configuration_text(self.configuration).encode()
            files = {"bin/tabard": agent.read_bytes(), "etc/tabard/tabard.toml": configuration}
            root_file_system(vm / "base.cpio.gz", files, work / "root.cpio")
            disk = work / "disk" if self.disk_byte_count else None
            if disk:
                disk.write_bytes(bytes(self.disk_byte_count))
            async with Air() as air:
                socket = work / "controller.sock"
                endpoint = UnixStreamEndpoint(air, socket)
                await endpoint.open()
                second = UnixStreamEndpoint(
                    air, work / "second.sock", name="second", public_address=SECOND_ADDRESS, position=standing(1000, 0)
                )
                await second.open()
                phone = Phone(air, "phone", ANDROID_CURRENT, position=standing(2, 0))

                async def boot(disk: Path | None) -> Machine:
                    return await Machine.switch_on(
                        *(vm / "kernel", work / "root.cpio", socket, self.processor, disk),
                        second_bluetooth_socket=work / "second.sock" if self.has_second_controller else None,
                    )

                scene = Scene(await boot(disk), phone, proofs, program, work, second, boot, randomness)
                try:
                    await prove(scene)
                except Exception as error:  # Show any error beside the machine's output.
                    print("\n".join(f"  {line.at:6.1f} {line.text}" for line in scene.machine.console), file=sys.stderr)
                    print(f"{self.name}: FAILED, seed {parsed.seed}: {error}", file=sys.stderr)
                    return 1
                finally:
                    phone.switch_off()
                    await scene.machine.switch_off()
                    endpoint.close()
                    second.close()
        proofs.add("passed")
        return 0


@dataclass
class Scene:
    """The objects that a proof works with. `boot` switches a machine on again, with a disk."""

    machine: Machine
    phone: Phone
    proofs: Proofs
    program: Path
    work: Path
    second: UnixStreamEndpoint
    boot: Callable[[Path | None], Awaitable[Machine]]
    randomness: random.Random

    def archive(self, name: str = "archive") -> Tabardctl:
        return Tabardctl(self.program, self.work / f"{name}.sqlite")
