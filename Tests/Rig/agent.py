"""The agent under test: the real program, run as a process and watched through what it writes to stderr."""

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
    """A line the agent wrote, and when."""

    at: float
    text: str

    def __str__(self) -> str:
        return self.text


def configuration_text(configuration: Configuration) -> str:
    """The configuration file's text: tables of keys with strings, booleans and integers."""

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
    """One agent with its files in a directory of its own: `tabard.toml`, `encounters.log`, `sync` (its port's link).

    It may be killed and started again; `lines` goes on over all its runs.
    """

    def __init__(
        self,
        binary: Path,
        directory: Path,
        configuration: Configuration,
        *,
        emulator: Sequence[str] | None = None,
    ) -> None:
        """`emulator` is a command to run the binary with; None finds out whether one is needed."""
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.log_path = directory / "encounters.log"
        self.sync_port = directory / "sync"
        self.snoop_paths: list[Path] = []
        """One capture per run."""
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
        """Whether the process is there."""
        return self._process is not None and self._process.returncode is None

    async def start(self, transport: str, *arguments: str) -> None:
        """Starts the program on a transport; does not wait until it is ready."""
        assert not self.is_running
        snoop = self.directory / f"run{len(self.snoop_paths) + 1}.btsnoop"
        self.snoop_paths.append(snoop)
        self._run_began_at_line = len(self.lines)
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            "run",
            *("--config", str(self.configuration_path)),
            *("--hci", transport),
            *("--snoop", str(snoop)),
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        self._reader = asyncio.create_task(self._read_lines(self._process))

    async def start_and_wait(self, transport: str, *arguments: str) -> None:
        """Starts the program and waits until its radio is up and its sync port is there."""
        await self.start(transport, *arguments)
        await self.line("radio up")
        await self.line("sync on")

    async def line(self, text: str, *, within: float = PATIENCE_SECONDS) -> Line:
        """Waits for a line of this run that contains `text`; fails at once when the agent exits without it."""

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
        """Ends it as a power cut does, with SIGKILL; returns the wall-clock time of that."""
        assert self._process is not None
        at = time.time()
        self._signal(signal.SIGKILL)
        await self._wait()
        return at

    def cut(self) -> None:
        """The same, from any thread, without waiting for its end: `discard` does."""
        self._signal(signal.SIGKILL)

    async def stop(self) -> int:
        """Asks it to end, with SIGTERM; returns its exit code."""
        assert self._process is not None
        if self.is_running:
            self._signal(signal.SIGTERM)
        return await self._wait()

    async def discard(self) -> None:
        """Sees to it that no process is left."""
        if self.is_running:
            await self.kill()
        elif self._process is not None:
            await self._wait()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        # Process.send_signal would first take the exit code of a process that has just ended, and asyncio then has none.
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
    """How to run a program here: nothing, or QEMU's user emulator when it is for another processor."""
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
    """A built program: named by an environment variable, else the newest of the candidates.

    Raises FileNotFoundError that says how to get one.
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
