"""The agent under test: the real program, run as a process and observed through its output on stderr."""

from __future__ import annotations

import asyncio
import os
import platform
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from journal import PATIENCE_SECONDS, Journal

Configuration = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True)
class Line:
    """A line that the agent wrote, and when."""

    at: float
    text: str

    def __str__(self) -> str:
        return self.text


def configuration_text(configuration: Configuration) -> str:
    """The text of a configuration file: tables of keys with strings, booleans and integers."""

    def value(item: object) -> str:
        if isinstance(item, bool):
            return "true" if item else "false"
        if isinstance(item, int):
            return str(item)
        text = str(item).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"'

    tables = []
    for table, keys in configuration.items():
        tables.append(f"[{table}]\n" + "".join(f"{key} = {value(item)}\n" for key, item in keys.items()))
    return "\n".join(tables)


class Agent:
    """One agent, with its files in a directory of its own.

    The files are `tabard.toml`, `encounters.log` and `sync` (the link to its port). The agent may be killed
    and started again; `lines` continues over all its runs.
    """

    def __init__(
        self,
        binary: Path,
        directory: Path,
        configuration: Configuration,
        *,
        emulator: Sequence[str] | None = None,
    ) -> None:
        """`emulator` is a command that runs the binary; None: the one that the binary needs, if any."""
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.log_path = directory / "encounters.log"
        self.sync_port = directory / "sync"
        self.snoop_paths: list[Path] = []
        """The captures, one per run."""
        self.lines: Journal[Line] = Journal("the agent's lines")
        self._command = [*(emulator_for(binary) if emulator is None else emulator), str(binary)]
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._run_began_at_line = 0

        tables = {table: dict(keys) for table, keys in configuration.items()}
        tables.setdefault("log", {})["path"] = str(self.log_path)
        tables.setdefault("sync", {})["port"] = f"pty:{self.sync_port}"
        self.configuration_path = directory / "tabard.toml"
        self.configuration_path.write_text(configuration_text(tables))

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.returncode is None

    @property
    def exit_code(self) -> int | None:
        """The exit code of the last run; None while it runs."""
        return None if self._process is None else self._process.returncode

    @property
    def process_identifier(self) -> int:
        """The number of the running process."""
        assert self._process is not None
        return self._process.pid

    async def start(self, transport: str, *arguments: str, snoops: bool = True) -> None:
        """Starts the program on a transport, without waiting until it is ready.

        `snoops`: with a capture of all packets, which stand in its memory until they are written.
        """
        assert not self.is_running
        snoop = self.directory / f"run{len(self.snoop_paths) + 1}.btsnoop"
        if snoops:
            self.snoop_paths.append(snoop)
        self._run_began_at_line = len(self.lines)
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            "run",
            *("--config", str(self.configuration_path)),
            *("--hci", transport),
            *(("--snoop", str(snoop)) if snoops else ()),
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        self._reader = asyncio.create_task(self._read_lines(self._process))

    async def start_and_wait(self, transport: str, *arguments: str, snoops: bool = True) -> None:
        """Starts the program and waits until its radio is up and its sync port exists."""
        await self.start(transport, *arguments, snoops=snoops)
        await self.line("radio up")
        await self.line("sync on")

    async def line(self, text: str, *, within: float = PATIENCE_SECONDS) -> Line:
        """Waits for a line of this run that contains `text`; fails at once if the agent exits before."""

        def has_it_or_ended(entries: list[Line]) -> bool:
            run = entries[self._run_began_at_line :]
            return any(text in line.text or line.text.startswith("exited with") for line in run)

        await self.lines.until(has_it_or_ended, within=within, what=f"line with “{text}”")
        run = self.lines.entries[self._run_began_at_line :]
        for line in run:
            if text in line.text:
                return line
        raise AssertionError("the agent ended early:\n  " + "\n  ".join(str(line) for line in run[-20:]))

    async def kill(self) -> float:
        """Kills the process with SIGKILL, like a power cut; returns the wall-clock time."""
        assert self._process is not None
        at = time.time()
        self._signal(signal.SIGKILL)
        await self._wait()
        return at

    def cut(self) -> None:
        """Kills the process from any thread, without waiting for its end; `discard` waits."""
        self._signal(signal.SIGKILL)

    async def stop(self) -> int:
        """Ends the process with SIGTERM; returns its exit code."""
        assert self._process is not None
        if self.is_running:
            self._signal(signal.SIGTERM)
        return await self._wait()

    async def discard(self) -> None:
        """Ends the process if it is still running."""
        if self.is_running:
            await self.kill()
        elif self._process is not None:
            await self._wait()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        # Process.send_signal would first take the exit code of a process that has just ended, and asyncio
        # would then have none.
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, number)

    async def _wait(self) -> int:
        assert self._process is not None and self._reader is not None
        try:
            code = await asyncio.wait_for(self._process.wait(), PATIENCE_SECONDS)
        except TimeoutError:
            self._signal(signal.SIGKILL)
            raise AssertionError(f"the agent did not end within {PATIENCE_SECONDS:g} s") from None
        await self._reader
        return code

    async def _read_lines(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        with open(self.directory / "agent.stderr", "a", encoding="utf-8") as copy:
            while line := await process.stderr.readline():
                text = line.decode(errors="replace").rstrip()
                copy.write(f"{time.time():.3f} {text}\n")
                copy.flush()
                self.lines.append(Line(time.time(), text))
        self.lines.append(Line(time.time(), f"exited with {await process.wait()}"))


def emulator_for(program: Path) -> list[str]:
    """The command that runs a program here: nothing, or QEMU's user emulator for a foreign processor."""
    machines = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64"}
    header = program.read_bytes()[:20]
    if header[:4] != b"\x7fELF":
        return []
    machine = machines.get(int.from_bytes(header[18:20], "little"), "unknown")
    return [] if machine == platform.machine() else [f"qemu-{machine}-static"]


def repository_root() -> Path:
    """The directory that holds Package.swift."""
    return Path(__file__).resolve().parents[2]


def find_program(variable: str, *candidates: str) -> Path:
    """A built program: the one that an environment variable names, else the newest candidate.

    Raises FileNotFoundError with instructions for building it.
    """
    if named := os.environ.get(variable):
        path = Path(named).resolve()
        if not path.is_file():
            raise FileNotFoundError(f"{variable} names {path}, which is not a file")
        return path
    built = [path for path in (repository_root() / candidate for candidate in candidates) if path.is_file()]
    if not built:
        raise FileNotFoundError(f"not built: {' or '.join(candidates)}; build it, or name one with {variable}")
    return max(built, key=lambda path: path.stat().st_mtime)


def find_agent() -> Path:
    """The agent for this machine."""
    return find_program(
        "TABARD_AGENT", "build/boards/generic-x86-64/tabard", ".build/release/tabard", ".build/debug/tabard"
    )


def find_tabardctl() -> Path:
    """The operator's program."""
    return find_program("TABARD_CTL", ".build/release/tabardctl", ".build/debug/tabardctl")


def find_simulator() -> Path:
    """The simulator's program."""
    return find_program("TABARD_SIM", ".build/debug/tabard-sim", ".build/sim/release/tabard-sim")
