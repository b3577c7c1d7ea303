"""A list that tests can wait on: they wait for events with a limit, and never by sleeping."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Entry = TypeVar("Entry")

PATIENCE_SECONDS = 90.0
"""The time limit for an event that must happen some time; many times the need of a busy machine.

It measures nothing, and costs time only when a test fails. An event with a limit of its own is checked
against that.
"""


class Overdue(AssertionError):
    """The expected event did not happen in time."""


class Journal(Generic[Entry]):
    """Entries in the order of their arrival. Used from one event loop only."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.entries: list[Entry] = []
        self._waiters: set[asyncio.Future[None]] = set()

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: int) -> Entry:
        return self.entries[index]

    def append(self, entry: Entry) -> None:
        """Adds an entry and wakes all waiting tasks."""
        self.entries.append(entry)
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def until(
        self, condition: Callable[[list[Entry]], bool], *, within: float = PATIENCE_SECONDS, what: str
    ) -> None:
        """Waits until `condition` holds for all entries so far.

        `within` is in seconds. When it has passed, raises `Overdue` with `what` and the last entries.
        """
        deadline = asyncio.get_running_loop().time() + within
        while not condition(self.entries):
            remaining = deadline - asyncio.get_running_loop().time()
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.add(waiter)
            try:
                await asyncio.wait_for(waiter, max(0.0, remaining))
            except TimeoutError:
                tail = "\n  ".join(str(entry) for entry in self.entries[-12:]) or "(nothing)"
                raise Overdue(f"{self.name}: no {what} within {within:g} s; last entries:\n  {tail}") from None
            finally:
                self._waiters.discard(waiter)

    async def first(
        self,
        matches: Callable[[Entry], bool] = lambda _: True,
        *,
        within: float = PATIENCE_SECONDS,
        what: str,
        after: int = 0,
    ) -> Entry:
        """Waits for the first matching entry from index `after` on, and returns it."""
        found: list[Entry] = []

        def search(entries: list[Entry]) -> bool:
            found.extend(entry for entry in entries[after:] if matches(entry))
            return bool(found)

        await self.until(search, within=within, what=what)
        return found[0]
