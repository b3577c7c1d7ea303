"""A running `tabard panel` on files that stand for the kernel's: an LED, a battery, and a button's events."""

from __future__ import annotations

import asyncio
import os
import signal
import struct
import sys
from pathlib import Path

from agent import find_agent
from journal import PATIENCE_SECONDS

KEY, ENTER, PRESSED, RELEASED = 1, 28, 1, 0
WORD = struct.calcsize("L")


class Panel:
    """The panel, its devices below `folder`, and the agent's sockets in `agent`."""

    def __init__(self, folder: Path, agent: Path) -> None:
        self.system = folder / "system"
        self._agent = agent
        self.led = self.system / "sys/class/leds/tabard"
        self.battery = self.system / "sys/class/power_supply/BAT0"
        self._button = folder / "button"
        self._process: asyncio.subprocess.Process | None = None
        self._keys = -1
        self._put(self.led, trigger="none [mmc0] timer\n", brightness="0\n", max_brightness="1\n")
        self._put(self.battery, type="Battery\n", capacity="80\n", voltage_now="3900000\n", status="Discharging\n")

    @staticmethod
    def _put(folder: Path, **files: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text)

    def charge(self, percent: int, status: str = "Discharging") -> None:
        """Sets what the kernel says of the battery."""
        self._put(self.battery, capacity=f"{percent}\n", status=f"{status}\n")

    async def start(self, *options: str | Path) -> None:
        """Starts the program, with the button if the folder has room for one."""
        os.mkfifo(self._button)
        self._keys = os.open(self._button, os.O_RDWR)
        command = [find_agent(), "panel", "--system", self.system, "--agent", self._agent, "--button", self._button, *options]
        self._process = await asyncio.create_subprocess_exec(*map(str, command), stderr=asyncio.subprocess.PIPE)

    def key(self, value: int) -> None:
        """An event of the button, as the kernel writes it: time (two words), type, code, value."""
        byte_order = "<" if sys.byteorder == "little" else ">"
        os.write(self._keys, bytes(2 * WORD) + struct.pack(f"{byte_order}HHi", KEY, ENTER, value))

    def press(self) -> None:
        self.key(PRESSED)
        self.key(RELEASED)

    async def flashes(self, count: int) -> list[float]:
        """How long each of the next `count` flashes lasts from now on, in seconds."""
        clock, found, was_on = asyncio.get_running_loop(), [], await self._is_on()
        since = clock.time()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(found) < count:
                is_on = await self._is_on()
                if is_on and not was_on:
                    since = clock.time()
                if was_on and not is_on:
                    found.append(clock.time() - since)
                was_on = is_on
        return found

    async def _is_on(self) -> bool:
        await asyncio.sleep(0.002)
        return (self.led / "brightness").read_text().startswith("1")

    async def count_between_pauses(self) -> int:
        """The number of flashes between two pauses of more than a second."""
        clock, count, dark_since, counts = asyncio.get_running_loop(), 0, None, False
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                if await self._is_on():
                    if dark_since is not None and clock.time() - dark_since > 1.0:
                        if counts:
                            return count
                        count, counts = 0, True
                    count += dark_since is not None
                    dark_since = None
                elif dark_since is None:
                    dark_since = clock.time()

    async def stop(self) -> str:
        """Ends the panel as systemd does; returns what it wrote."""
        if self._process is None:
            return ""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE_SECONDS):
            _, errors = await self._process.communicate()
        self._process = None
        os.close(self._keys)
        return errors.decode()
