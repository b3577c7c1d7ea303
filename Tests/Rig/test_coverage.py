"""Coverage by `tabardctl coverage` around a controller's absence, compared with the truth."""

from __future__ import annotations

import asyncio

from journal import PATIENCE_SECONDS
from phone_kinds import ANDROID_CURRENT
from tabardctl import CoverageInterval
from venue import Venue, until_left_alone

TOLERANCE_SECONDS = 2.0
"""The tolerance for a busy machine; reports themselves come several times a second."""

CLOCKS_SECONDS = 0.5
"""The difference between the rig's clock and the board's, as synced on a busy machine."""


async def covered_after(venue: Venue, moment: float) -> list[CoverageInterval]:
    """Syncs repeatedly until coverage continues after `moment`, and returns all intervals."""
    found: list[CoverageInterval] = []
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not any(interval.is_covered and interval.end > moment for interval in found):
                await venue.tabardctl.sync(venue.agent.sync_port)
                found = await venue.tabardctl.coverage()
            return found
    except TimeoutError:
        listing = "\n  ".join(map(str, found)) or "(nothing)"
        raise AssertionError(f"no coverage after {moment} within {PATIENCE_SECONDS:g} s:\n  {listing}") from None


async def test_a_controller_that_was_unplugged_leaves_a_blind_interval(venue: Venue) -> None:
    agent = await venue.start_agent("unix-seqpacket")
    phone = await venue.phone(ANDROID_CURRENT)
    await until_left_alone(phone)
    heard = len(venue.truth.hearings)
    await venue.truth.hearings.until(lambda all: len(all) > heard + 8, what="adverts in peace")

    # While the socket's listener is closed, the agent cannot reconnect.
    lines = len(agent.lines)
    venue.endpoint.close()
    gone_at = venue.endpoint.scans[-1][1]
    await agent.lines.first(lambda line: "radio down" in line.text, what="word about it", after=lines)
    heard = len(venue.truth.hearings)
    await venue.endpoint.open()
    await venue.truth.hearings.until(lambda all: len(all) > heard + 8, what="adverts after its return")
    back_at = venue.truth.hearings[heard].at

    found = await covered_after(venue, back_at)
    blind = [one for one in found if not one.is_covered and one.start < back_at and one.end > gone_at]
    listing = "\n".join(map(str, found))
    assert blind, listing
    assert abs(min(one.start for one in blind) - gone_at) < TOLERANCE_SECONDS, listing
    assert abs(max(one.end for one in blind) - back_at) < TOLERANCE_SECONDS, listing
    entries = await venue.tabardctl.run("inspect", str(venue.tabardctl.archive), "--entries")
    assert "because the transport closed or failed" in entries, entries
    assert any("transport" in one.faults for one in blind if one.cause == "radioFault"), listing


async def test_a_kill_leaves_a_blind_interval_until_the_next_start(venue: Venue) -> None:
    agent = await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT)
    await until_left_alone(phone)
    await venue.tabardctl.sync(agent.sync_port)
    killed_at = await agent.kill()
    heard = len(venue.truth.hearings)
    await agent.start_and_wait(venue.endpoint.transport)
    await venue.truth.hearings.until(lambda all: len(all) > heard, what="adverts after the restart")
    back_at = venue.truth.hearings[heard].at
    found = await covered_after(venue, back_at)
    listing = "\n".join(map(str, found))
    earliest, latest = killed_at - CLOCKS_SECONDS, killed_at + CLOCKS_SECONDS
    assert not any(one.is_covered and one.start < earliest and latest < one.end for one in found), listing
    (off,) = [one for one in found if one.cause == "notRunning"]
    assert off.start <= latest and earliest < off.end <= back_at + TOLERANCE_SECONDS, listing
