"""The agent under valgrind: how many instructions it takes, how often it wakes, and what it reads in vain.

valgrind writes each system call to a file as it passes it on, which costs the agent no instruction. Every line of a call's
result counts: `SYSCALL[4711,1](232) ... [async] --> Success(0x1)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

WAITS = frozenset({232, 281})
"""epoll_wait and epoll_pwait on x86-64 Linux."""
READS = frozenset({0, 19, 45, 47, 299})
"""read, readv, recvfrom, recvmsg and recvmmsg."""
WOULD_BLOCK = 0xB
RESULT = re.compile(r"^SYSCALL\[\d+,\d+\]\( *(\d+)\).* (Success|Failure)\(0x([0-9a-f]+)\)", re.MULTILINE)
INSTRUCTIONS = re.compile(r"I\s+refs:\s+([\d,]+)")


@dataclass(frozen=True)
class Calls:
    """How often a program did what."""

    wakes: int = 0
    """Returns from epoll_wait, whatever ended the wait."""
    empty_reads: int = 0
    """Reads that found nothing."""

    def __sub__(self, earlier: Calls) -> Calls:
        return Calls(self.wakes - earlier.wakes, self.empty_reads - earlier.empty_reads)


def count_calls(trace: str) -> Calls:
    """Counts the calls in what valgrind wrote."""
    wakes = empty_reads = 0
    for number, outcome, value in RESULT.findall(trace):
        if int(number) in WAITS:
            wakes += 1
        elif int(number) in READS and outcome == "Failure" and int(value, 16) == WOULD_BLOCK:
            empty_reads += 1
    return Calls(wakes, empty_reads)


class Valgrind:
    """A command to run the agent with, and the file with what it found."""

    def __init__(self, log: Path, *, counts_instructions: bool) -> None:
        self.log = log
        tool = ["--tool=none"]
        if counts_instructions:
            tool = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
        self.command = ["valgrind", *tool, "--trace-syscalls=yes", f"--log-file={log}"]

    def calls(self) -> Calls:
        """The calls so far."""
        return count_calls(self.log.read_text(errors="replace"))

    def instructions(self) -> int:
        """The instructions of the whole run, once it has ended."""
        found = INSTRUCTIONS.search(self.log.read_text(errors="replace"))
        if found is None:
            raise RuntimeError(f"valgrind counted no instructions: {self.log}")
        return int(found[1].replace(",", ""))
