"""A Linux computer with BlueZ: a Debian kernel in QEMU, whose Bluetooth UART is in the rig's air."""

from __future__ import annotations

import asyncio
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from machine import Machine

from agent import repository_root
from air import Air
from endpoints import UnixStreamEndpoint
from journal import Journal
from motion import Point, standing
from truth import Truth

EMULATOR = "qemu-system-aarch64"
NAME = "bluez"
PUBLIC_ADDRESS = "F0:0C:00:00:00:01"
DEVICE_FOUND = re.compile(r"dev_found: (\S+) type (.+) rssi (-?\d+) flags")


@dataclass(frozen=True)
class Outcome:
    """The output of a command (stdout and stderr) and its exit code."""

    lines: list[str]
    code: int


@dataclass(frozen=True)
class FoundDevice:
    """A device found by `btmgmt`."""

    address: str
    address_type: str
    rssi_dbm: int


class CommandFailed(AssertionError):
    """A command in the machine did not end with 0."""


class BlueZ:
    """The machine, as an asynchronous context manager. It must be prepared first (Tests/BoardVM/prepare)."""

    def __init__(self, air: Air, directory: Path, position: Point = (1.0, 1.0)) -> None:
        self._endpoint = UnixStreamEndpoint(
            air, directory / "bluez.sock", name=NAME, position=standing(*position), public_address=PUBLIC_ADDRESS
        )
        self._socket = directory / "bluez.sock"
        self._truth = Truth(air, receiver=NAME)
        self._machine: Machine

    @staticmethod
    def is_possible() -> bool:
        """Whether this computer has the emulator."""
        return shutil.which(EMULATOR) is not None

    @staticmethod
    async def prepare() -> None:
        """Makes the kernel and the root file system, unless they exist."""
        script = repository_root() / "Tests" / "BoardVM" / "prepare"
        process = await asyncio.create_subprocess_exec(str(script))
        if await process.wait() != 0:
            raise CommandFailed(f"{script} ended with {process.returncode}")

    async def __aenter__(self) -> BlueZ:
        await self._endpoint.open()
        images = repository_root() / "build" / "vm"
        self._machine = await Machine.switch_on(images / "kernel", images / "bluez.cpio.gz", self._socket)
        try:
            await self._machine.line(r"vm: kernel \S+ has hci0, BlueZ .*5\.66")
            for setting in ("le on", "bredr off", "power on"):
                await self.succeed(f"btmgmt --index 0 {setting}")
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._machine.switch_off()
        self._endpoint.close()

    async def run(self, command: str) -> Outcome:
        """Types a command into the machine's shell and waits until it has ended."""
        console = self._machine.console
        began = len(console)
        self._machine.say(command)
        end = re.compile(r"vm: ended with (\d+)|\(the machine is off\)")
        await console.first(lambda line: bool(end.search(line.text)), what=f"end of '{command}'", after=began)
        texts = [_plain(line.text) for line in console.entries[began:]]
        for number, text in enumerate(texts):
            if (found := end.search(text)) is not None and found[1] is not None:
                # Text without a line end may precede the machine's own message.
                return Outcome([line for line in [*texts[:number], text[: found.start()]] if line], int(found[1]))
        raise CommandFailed(f"the machine is off after '{command}': {texts}")

    async def succeed(self, command: str) -> list[str]:
        """Runs a command that must end with 0; returns its output."""
        outcome = await self.run(command)
        if outcome.code != 0:
            raise CommandFailed(f"'{command}' ended with {outcome.code}: {outcome.lines}")
        return outcome.lines

    async def gatttool(self, address: str, action: str) -> Outcome:
        """One action of `gatttool`, in a connection of its own to a random address."""
        return await self.run(f"gatttool -t random -b {address.upper()} {action}")

    async def find(self, senders: set[str], service: str | None = None, adverts: int = 8) -> dict[str, FoundDevice]:
        """The devices that `btmgmt find` finds, or `btmgmt find-service` if a service is given, by address.

        The search ends when `adverts` adverts of each of `senders` (names of nodes) have arrived during it.
        """
        console = self._machine.console
        began, heard = len(console), len(self._truth.hearings)
        search = "find -l" if service is None else f"find-service -l -u {service}"
        await self.succeed(f"btmgmt --index 0 {search} </quiet &")
        await _line(console, "discovering on", began)
        await self._truth.hearings.until(
            lambda all: all_heard(senders, [each.sender for each in all[heard:]], adverts), what=f"adverts of {senders}"
        )
        await self.succeed("btmgmt --index 0 stop-find -l")
        await _line(console, "discovering off", began)
        matches = [DEVICE_FOUND.search(_plain(line.text)) for line in console.entries[began:]]
        devices = [FoundDevice(match[1].lower(), match[2], int(match[3])) for match in matches if match is not None]
        return {device.address: device for device in devices}

    def rssi_heard_dbm(self, sender: str) -> set[int]:
        """The RSSI values of a node's adverts at the machine's controller."""
        return {hearing.rssi_dbm for hearing in self._truth.heard(sender)}


def all_heard(senders: set[str], heard: list[str], adverts: int) -> bool:
    """Whether each of `senders` was received that often."""
    return all(heard.count(sender) >= adverts for sender in senders)


async def _line(console: Journal, text: str, began: int) -> None:
    await console.first(lambda line: text in line.text, what=f"'{text}'", after=began)


def _plain(text: str) -> str:
    """A line without btmgmt's colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
