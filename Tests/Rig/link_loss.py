"""Helpers for the end of a link: its loss as an error, and the peer's address as text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from bumble.core import BaseBumbleError
from bumble.hci import Address


class LinkLost(BaseBumbleError):
    """The link ended in the middle of a request."""


@contextmanager
def cancellation_is_loss() -> Iterator[None]:
    """Turns a cancellation by Bumble into `LinkLost`.

    Bumble cancels the future of a request whose link ends. That differs from a cancellation of the current
    task.
    """
    try:
        yield
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise LinkLost("the link ended in the middle of a request") from None


def address_text(address: Address) -> str:
    """An address as six octets in lower case, as in the air's journal."""
    return str(address).split("/")[0].lower()
