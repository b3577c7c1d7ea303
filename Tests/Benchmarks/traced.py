"""Runs the agent under valgrind, and counts its instructions, wakes, and reads that find nothing.

valgrind writes each system call to a file, which costs the agent no instruction. Each line with the result of a call
counts: `SYSCALL[4711,1](232) ... [async] --> Success(0x1)`.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

WAITS = frozenset({232, 281})
"""The numbers of epoll_wait and epoll_pwait on x86-64 Linux."""
READS = frozenset({0, 19, 45, 47, 299})
"""The numbers of read, readv, recvfrom, recvmsg and recvmmsg."""
WOULD_BLOCK = 0xB
RESULT = re.compile(r"^SYSCALL\[\d+,\d+\]\( *(\d+)\).* (Success|Failure)\(0x([0-9a-f]+)\)", re.MULTILINE)
TOTALS = re.compile(r"^totals: (\d+)", re.MULTILINE)
INSTRUCTIONS = re.compile(r"I\s+refs:\s+([\d,]+)")


@dataclass(frozen=True)
class Calls:
    """Numbers of system calls of a program."""

    wakes: int = 0
    """The number of returns from epoll_wait, for any reason."""
    empty_reads: int = 0
    """The number of reads that found nothing."""

    def __sub__(self, earlier: Calls) -> Calls:
        return Calls(self.wakes - earlier.wakes, self.empty_reads - earlier.empty_reads)


def count_calls(trace: str) -> Calls:
    """Counts the calls in valgrind's trace."""
    wakes = empty_reads = 0
    for number, outcome, value in RESULT.findall(trace):
        if int(number) in WAITS:
            wakes += 1
        elif int(number) in READS and outcome == "Failure" and int(value, 16) == WOULD_BLOCK:
            empty_reads += 1
    return Calls(wakes, empty_reads)


class Valgrind:
    """A valgrind command that runs the agent, and the file with its trace."""

    def __init__(self, log: Path, *, counts_instructions: bool) -> None:
        self.log = log
        tool = ["--tool=none"]
        if counts_instructions:
            tool = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
        self.command = ["valgrind", *tool, "--trace-syscalls=yes", f"--log-file={log}"]

    def calls(self) -> Calls:
        """Returns the calls so far."""
        return count_calls(self.log.read_text(errors="replace"))

    def instructions(self) -> int:
        """Returns the instructions of the whole run, after it has ended."""
        found = INSTRUCTIONS.search(self.log.read_text(errors="replace"))
        if found is None:
            raise RuntimeError(f"valgrind counted no instructions: {self.log}")
        return int(found[1].replace(",", ""))


class WakesAndInstructions:
    """A callgrind command that runs the agent, and counts its instructions and wakes between two moments."""

    def __init__(self, name: Path) -> None:
        """`name` is the beginning of the names of valgrind's files."""
        self._profile, self._valgrind = Path(f"{name}.profile"), Valgrind(Path(f"{name}.log"), counts_instructions=False)
        self._wakes_before = 0
        tool = ["--tool=callgrind", f"--callgrind-out-file={self._profile}"]
        self.command = [part for word in self._valgrind.command for part in (tool if word == "--tool=none" else [word])]

    def begin(self, process: int) -> None:
        """Sets the count of instructions to zero. The agent must wake within a few seconds."""
        subprocess.run(["callgrind_control", "--zero", str(process)], check=True, capture_output=True)
        self._wakes_before = self._valgrind.calls().wakes

    def end(self, process: int) -> tuple[int, int]:
        """Returns the instructions and the wakes since `begin`."""
        wakes = self._valgrind.calls().wakes - self._wakes_before
        dumps = set(self._profile.parent.glob(f"{self._profile.name}.*"))
        subprocess.run(["callgrind_control", "--dump", str(process)], check=True, capture_output=True)
        [dump] = set(self._profile.parent.glob(f"{self._profile.name}.*")) - dumps
        found = TOTALS.search(dump.read_text())
        if found is None:
            raise RuntimeError(f"callgrind counted no instructions: {dump}")
        return int(found[1]), wakes
