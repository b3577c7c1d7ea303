"""Tests the counts of calls in valgrind's trace."""

from __future__ import annotations

import traced

TRACE = """\
==00:00:00:00.012 4711== Command: tabard run
SYSCALL[4711,1](281) sys_epoll_pwait ( 3, 0x1fff0003a0, 1, 100, (nil), 8 ) --> [async] ...
SYSCALL[4711,1](281) ... [async] --> Success(0x0)
SYSCALL[4711,1](  0) sys_read ( 5, 0x4a3f000, 4096 ) --> [async] ...
SYSCALL[4711,1](  0) ... [async] --> Failure(0xb)
SYSCALL[4711,1](232) sys_epoll_wait ( 3, 0x1fff0003a0, 1, 100 ) --> [async] ...
SYSCALL[4711,1](232) ... [async] --> Failure(0x4)
SYSCALL[4711,1](  0) sys_read ( 5, 0x4a3f000, 4096 ) --> [async] ...
SYSCALL[4711,1](  0) ... [async] --> Success(0x2b)
SYSCALL[4711,1](  1) sys_write ( 5, 0x4a3f000, 4 ) --> [async] ...
SYSCALL[4711,1](  1) ... [async] --> Failure(0xb)
SYSCALL[4711,1](232) sys_epoll_wait ( 3, 0x1fff0003a0, 1, 100 ) --> [async] ...
"""


def test_returns_from_waits_and_reads_in_vain_are_counted() -> None:
    """Only returned waits count as wakes, interrupted ones too; only reads count as empty reads."""
    assert traced.count_calls(TRACE) == traced.Calls(wakes=2, empty_reads=1)


def test_the_baseline_is_subtracted() -> None:
    assert traced.Calls(7, 5) - traced.Calls(2, 1) == traced.Calls(5, 4)
