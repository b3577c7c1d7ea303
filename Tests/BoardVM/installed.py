"""A whole installed system in QEMU: the image of `make image` on a disk, booted by EFI, with its own systemd.

A virtual controller is on the machine's UART. Three lines of virtio are a shell for the tests, the computer's side
of the USB cable, and a notice that the UART is in use.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machine import ConsoleLine, Machine

MEMORY_MEBIBYTES = 512
# An emulated processor starts systemd and all of its services in a minute or two.
BOOT_SECONDS = 300.0
COMMAND_SECONDS = 120.0
# The first start writes the whole log file. This is the limit of the agent's unit.
FIRST_START_SECONDS = 600.0


@dataclass(frozen=True)
class Computer:
    """A kind of machine. `board` is that of its image."""

    board: str
    command: tuple[str, ...]


BOARD_64 = Computer(
    "generic-aarch64",
    ("qemu-system-aarch64", "-M", "virt,acpi=off", "-cpu", "cortex-a53", "-bios", "/usr/share/qemu-efi-aarch64/QEMU_EFI.fd"),
)
PERSONAL_COMPUTER = Computer("generic-x86-64", ("qemu-system-x86_64", "-M", "q35", "-bios", "/usr/share/ovmf/OVMF.fd"))


class LateCable:
    """Connects the machine's UART with a controller's socket while the system gives notice that it uses it.

    The firmware writes to the same UART before. That is not for a controller, so it is dropped. Each use gets a
    controller that has just been switched on, like an adapter that was unplugged and is plugged in again.
    """

    def __init__(self, folder: Path, controller: Path) -> None:
        self.path = folder / "uart.sock"
        self.notice_path = folder / "notice.sock"
        self.monitor_path = folder / "monitor.sock"
        self._controller_path = controller
        self._uart: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()
        self._controller: asyncio.StreamWriter | None = None
        self._servers: list[asyncio.Server] = []

    async def open(self) -> None:
        for path in (self.path, self.notice_path):
            path.unlink(missing_ok=True)
        self._servers.append(await asyncio.start_unix_server(self._serve_uart, str(self.path)))
        self._servers.append(await asyncio.start_unix_server(self._serve_notices, str(self.notice_path)))

    def close(self) -> None:
        for server in self._servers:
            server.close()

    async def _serve_notices(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while notice := await reader.readline():
            self._unplug()
            if notice.strip() == b"vm: bluetooth":
                theirs, self._controller = await asyncio.open_unix_connection(str(self._controller_path))
                _ = asyncio.create_task(self._copy_answers(theirs, self._controller))
        self._unplug()
        writer.close()

    def _unplug(self) -> None:
        if self._controller is not None:
            self._controller.close()
            self._controller = None

    async def _serve_uart(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._uart.set_result(writer)
        while data := await reader.read(4096):
            if self._controller is not None:
                self._controller.write(data)
        writer.close()

    async def _copy_answers(self, reader: asyncio.StreamReader, controller: asyncio.StreamWriter) -> None:
        uart = await self._uart
        while (data := await reader.read(4096)) and self._controller is controller:
            uart.write(data)


@dataclass(frozen=True)
class Output:
    """The output of a command in the machine, and its exit code."""

    code: int
    text: str


class InstalledMachine(Machine):
    """A machine with an installed system, and a shell in it."""

    @classmethod
    async def boot(cls, computer: Computer, disk: Path, cable: LateCable, *options: str) -> "InstalledMachine":
        """Switches the machine on, with further options of QEMU."""
        process = await asyncio.create_subprocess_exec(
            *(*computer.command, "-smp", "2", "-m", str(MEMORY_MEBIBYTES)),
            *("-nodefaults", "-no-reboot", "-display", "none"),
            *("-drive", f"file={disk},if=none,id=disk", "-device", "virtio-blk-pci,drive=disk", "-device", "virtio-rng-pci"),
            *("-chardev", f"socket,path={cable.path},id=bluetooth", "-serial", "chardev:bluetooth"),
            *("-device", "virtio-serial-pci"),
            *("-chardev", "stdio,id=shell", "-device", "virtserialport,chardev=shell,name=shell"),
            *("-chardev", "pty,id=sync", "-device", "virtserialport,chardev=sync,name=cable"),
            *("-chardev", f"socket,path={cable.notice_path},id=notice", "-device", "virtserialport,chardev=notice,name=uart"),
            *("-device", "qemu-xhci", "-device", "usb-kbd", "-monitor", f"unix:{cable.monitor_path},server=on,wait=off"),
            *options,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        machine = cls(process)
        machine.began = time.monotonic()
        machine.cable = cable
        return machine

    began = 0.0
    cable: LateCable | None = None
    _open_port = -1

    async def switch_off(self) -> None:
        if self._open_port >= 0:
            os.close(self._open_port)
            self._open_port = -1
        await super().switch_off()
        if self.cable is not None:
            self.cable.close()

    @property
    def seconds(self) -> float:
        """The time since the machine was switched on."""
        return time.monotonic() - self.began

    async def ready(self) -> str:
        """Waits for the shell, and returns its first line."""
        line = await self.console.first(lambda line: line.text.startswith("vm: kernel"), within=BOOT_SECONDS, what="shell")
        # QEMU looks only once a second whether somebody has opened its pseudo terminal. So it stays open.
        self._open_port = os.open(self.sync_port, os.O_RDWR | os.O_NOCTTY)
        return line.text.removeprefix("vm: ")

    async def press(self, *, milliseconds: int) -> None:
        """Presses a key of the machine's keyboard."""
        assert self.cable is not None
        _, monitor = await asyncio.open_unix_connection(str(self.cable.monitor_path))
        monitor.write(f"sendkey ret {milliseconds}\n".encode())
        await monitor.drain()
        await asyncio.sleep(milliseconds / 1000)
        monitor.close()

    async def off(self, *, within: float) -> None:
        """Waits until the system has switched the machine off."""
        await self.console.first(lambda line: line.text == "(the machine is off)", within=within, what="power-off")

    async def run(self, command: str, *, within: float = COMMAND_SECONDS) -> Output:
        """Runs one line of shell in the machine."""
        began = len(self.console)
        self.say(command)
        end = await self.console.first(
            lambda line: line.text.startswith("vm: ended with"), within=within, what=f"end of '{command}'", after=began
        )
        lines: list[ConsoleLine] = self.console.entries[began : self.console.entries.index(end, began)]
        return Output(int(end.text.rpartition(" ")[2]), "\n".join(line.text for line in lines))

    async def status(self) -> dict[str, Any]:
        """`tabard status`, or an empty object if no agent answers."""
        output = await self.run("tabard status --json")
        return json.loads(output.text) if output.code == 0 else {}

    async def findings(self, options: str = "") -> dict[str, dict[str, str]]:
        """The findings of `tabard doctor` by subject, without the good ones."""
        output = await self.run(f"tabard doctor --json {options}")
        # A refusal of the configuration comes first, and may have brackets of its own.
        found = json.loads(output.text[output.text.index('{"schema"') :])["boardFindings"]
        return {each["subject"]: each for each in found if each["level"] != "ok"}

    async def transcript(self) -> str:
        """The last lines of the shell, and the journal of the system, for a proof that failed."""
        with suppress(AssertionError):
            await self.run("systemctl --failed --no-legend; journalctl -b -o short-monotonic --no-pager | grep -v 'control queue full' | tail -n 80")
        return "\n".join(f"  {line.at:6.1f} {line.text}" for line in self.console.entries[-120:])
