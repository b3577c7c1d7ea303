"""The emulated machine: QEMU with an ARM processor, a Debian kernel, and three or four serial lines.

The machine's PL011 is the Bluetooth UART, as on a Raspberry Pi. The console, the sync port and the UART of a
second controller are serial ports of their own.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from journal import Journal

MEMORY_MEBIBYTES = 128


@dataclass(frozen=True)
class ConsoleLine:
    """A line on the machine's console, and its time in seconds since the machine was switched on."""

    at: float
    text: str


@dataclass(frozen=True)
class Processor:
    name: str
    emulator: str
    machine: str


ARM64 = Processor("cortex-a53", "qemu-system-aarch64", "virt")
# High memory is off, because a kernel without large addresses would not find the PCI bus.
ARMV7 = Processor("cortex-a7", "qemu-system-arm", "virt,highmem=off")


def root_file_system(base: Path, files: dict[str, bytes], output: Path) -> None:
    """Writes `base` with more files added to it; the kernel unpacks archives one after another."""
    with tempfile.TemporaryDirectory() as directory:
        for name, content in files.items():
            path = Path(directory, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o755)
        names = "\n".join(str(path.relative_to(directory)) for path in sorted(Path(directory).rglob("*")))
        overlay = subprocess.run(
            ["cpio", "-o", "-H", "newc", "--quiet"], cwd=directory, input=names.encode(), stdout=subprocess.PIPE, check=True
        ).stdout
    output.write_bytes(base.read_bytes() + gzip.compress(overlay))


class Machine:
    """A running machine. `console` collects its lines; `sync_port` is the host's end of the sync line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.console: Journal[ConsoleLine] = Journal("console")
        self.sync_port = ""
        self._process = process
        self._began = time.monotonic()
        self._reader = asyncio.create_task(self._read_console())

    @classmethod
    async def switch_on(
        cls,
        kernel: Path,
        root: Path,
        bluetooth_socket: Path,
        processor: Processor = ARM64,
        disk: Path | None = None,
        second_bluetooth_socket: Path | None = None,
    ) -> "Machine":
        """Boots the machine, with the Bluetooth UARTs connected to listening Unix sockets.

        The second one is /dev/ttyS2; `disk` becomes /dev/vda.
        """
        second = second_bluetooth_socket
        process = await asyncio.create_subprocess_exec(
            *(processor.emulator, "-M", processor.machine, "-cpu", processor.name, "-m", str(MEMORY_MEBIBYTES)),
            *("-nodefaults", "-no-reboot", "-display", "none"),
            *(("-drive", f"file={disk},format=raw,if=none,id=disk", "-device", "virtio-blk-pci,drive=disk") if disk else ()),
            *("-chardev", f"socket,path={bluetooth_socket},id=bluetooth", "-serial", "chardev:bluetooth"),
            *("-chardev", "stdio,id=console", "-device", "pci-serial,chardev=console"),
            *("-chardev", "pty,id=sync", "-device", "pci-serial,chardev=sync"),
            *(("-chardev", f"socket,path={second},id=second", "-device", "pci-serial,chardev=second") if second else ()),
            *("-kernel", str(kernel), "-initrd", str(root)),
            *("-append", "console=ttyS0 quiet cma=0 panic=-1 cryptomgr.notests nokaslr"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return cls(process)

    async def line(self, pattern: str, *, after: int = 0) -> re.Match[str]:
        """Waits for a matching console line from line `after` on; the wait fails if the machine gives up."""
        failure = re.compile(r"vm: failed: .*|vm: agent ended.*|Kernel panic.*|qemu-system-\w+: -.*|\(the machine is off\)")
        wanted = re.compile(pattern)
        entry = await self.console.first(
            lambda line: bool(wanted.search(line.text) or failure.search(line.text)), what=f"'{pattern}'", after=after
        )
        found = wanted.search(entry.text)
        if found is None:
            raise RuntimeError("\n  ".join(["the machine gave up:"] + [line.text for line in self.console.entries[-20:]]))
        return found

    def say(self, line: str) -> None:
        """Types a line on the console."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    async def switch_off(self) -> None:
        """Switches the machine off, unless it is off already."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reader

    async def _read_console(self) -> None:
        assert self._process.stdout is not None
        async for raw in self._process.stdout:
            text = raw.decode(errors="replace").rstrip()
            if found := re.search(r"char device redirected to (\S+) \(label sync\)", text):
                self.sync_port = found[1]
            self.console.append(ConsoleLine(time.monotonic() - self._began, text))
        self.console.append(ConsoleLine(time.monotonic() - self._began, "(the machine is off)"))
