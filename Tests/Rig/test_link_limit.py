"""More phones than a board has link slots: no phone keeps others out, or the board from connecting to them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from bumble.core import BaseBumbleError
from bumble.device import Connection, Peer
from bumble.hci import HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR, Address

import herald
from journal import PATIENCE_SECONDS
from phone_events import LinkEvent
from phone_kinds import ANDROID_CURRENT
from phones import Phone
from venue import ADDRESS, PAYLOAD, Venue, until_left_alone

PLACES = 2
LEAST_STAY_SECONDS = 5.0
"""The least duration of a link before another one may replace it (docs/peers.md)."""


async def hold_a_link(phone: Phone) -> None:
    """Connects to the board, writes its RSSI once a second, and reconnects after each disconnection."""
    while True:
        with suppress(BaseBumbleError, TimeoutError):
            peer = await phone.connect(Address(ADDRESS))
            ended = asyncio.Event()
            peer.connection.on(Connection.EVENT_DISCONNECTION, lambda _: ended.set())
            while phone.has(peer.connection):
                await phone.write_signal(peer, herald.fragments(herald.write_rssi(-60)))
                with suppress(TimeoutError):
                    await asyncio.wait_for(ended.wait(), 1.0)


@asynccontextmanager
async def holding(phone: Phone) -> AsyncIterator[None]:
    """The phone holds a link meanwhile, whenever it gets one."""
    habit = asyncio.create_task(hold_a_link(phone))
    try:
        yield
    finally:
        habit.cancel()
        with suppress(asyncio.CancelledError):
            await habit


def is_ended_by_board(link: LinkEvent) -> bool:
    """Whether the board ended a link that the phone had made. Two simultaneous attempts never establish one.
    """
    return link.what == "down" and link.is_central and link.reason == HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR


async def until_connected(phone: Phone) -> Peer:
    """Connects repeatedly until the board accepts, and discovers its services."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            with suppress(BaseBumbleError, TimeoutError):
                return await phone.connect(Address(ADDRESS))


async def test_a_device_that_holds_all_links_blocks_neither_direction(venue: Venue) -> None:
    """HP-C26: the oldest link yields to incoming phones and to phones to read, whatever its phone does."""
    await venue.start_agent(encounters={"links": PLACES, "gap_seconds": 30})
    holders = [await venue.phone(ANDROID_CURRENT, f"holder {number}") for number in range(PLACES)]
    for holder in holders:
        await until_left_alone(holder)
    async with AsyncExitStack() as stack:
        for holder in holders:
            await stack.enter_async_context(holding(holder))
        for holder in holders:
            await holder.links.first(lambda link: link.what == "up" and link.is_central, what="link that it holds")

        seen = await venue.phone(ANDROID_CURRENT, "seen")
        await seen.served.first(what="read by the board")

        visitor = await venue.phone(ANDROID_CURRENT, "visitor")
        peer = await until_connected(visitor)
        assert (await visitor.read_payload(peer)).payload == PAYLOAD

        for holder in holders:
            await holder.links.first(is_ended_by_board, what="end of a held link")
    held = [link.seconds for holder in holders for link in holder.links if is_ended_by_board(link)]
    assert min(held) >= LEAST_STAY_SECONDS - 0.5, f"each has its time: {held}"
    payloads = {seen.payload, *(holder.payload for holder in holders)}
    await venue.synced(
        lambda found: payloads <= {encounter.identity for encounter in found}, what="encounter with each of them"
    )
