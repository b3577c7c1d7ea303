"""Coverage: what `tabardctl coverage` says of a controller that was away, against when it truly was."""

from __future__ import annotations

import asyncio

from phone_kinds import ANDROID_CURRENT
from tabardctl import CoverageInterval
from venue import Venue, until_left_alone

TOLERANCE_SECONDS = 2.0
"""Reports come several times a second; the rest is what a busy machine takes."""


async def covered_after(venue: Venue, moment: float, *, within: float = 30.0) -> list[CoverageInterval]:
    """Syncs again and again until coverage goes on after `moment`, and returns all intervals."""
    found: list[CoverageInterval] = []
    try:
        async with asyncio.timeout(within):
            while not any(interval.is_covered and interval.end > moment for interval in found):
                await venue.tabardctl.sync(venue.agent.sync_port)
                found = await venue.tabardctl.coverage()
            return found
    except TimeoutError:
        listing = "\n  ".join(map(str, found)) or "(nothing)"
        raise AssertionError(f"no coverage after {moment} within {within:g} s; there is:\n  {listing}") from None


async def test_a_controller_that_was_unplugged_leaves_a_blind_interval(venue: Venue) -> None:
    agent = await venue.start_agent("unix-seqpacket")
    phone = await venue.phone(ANDROID_CURRENT)
    await until_left_alone(phone)
    heard = len(venue.truth.hearings)
    await venue.truth.hearings.until(lambda all: len(all) > heard + 8, within=10, what="adverts in peace")

    # With the socket's listener away there is nothing to come back to.
    lines = len(agent.lines)
    venue.endpoint.close()
    gone_at = venue.endpoint.scans[-1][1]
    await agent.lines.first(lambda line: "radio down" in line.text, within=15, what="word about it", after=lines)
    heard = len(venue.truth.hearings)
    await venue.endpoint.open()
    await venue.truth.hearings.until(lambda all: len(all) > heard + 8, within=30, what="adverts after its return")
    back_at = venue.truth.hearings[heard].at

    found = await covered_after(venue, back_at)
    blind = [one for one in found if not one.is_covered and one.start < back_at and one.end > gone_at]
    listing = "\n".join(map(str, found))
    assert blind, listing
    assert abs(min(one.start for one in blind) - gone_at) < TOLERANCE_SECONDS, listing
    assert abs(max(one.end for one in blind) - back_at) < TOLERANCE_SECONDS, listing
    entries = await venue.tabardctl.run("inspect", str(venue.tabardctl.archive), "--entries")
    if "because the transport closed or failed" in entries:  # then the cause must be told
        assert any("transport" in one.faults for one in blind if one.cause == "radioFault"), listing


async def test_a_kill_leaves_a_blind_interval_until_the_next_start(venue: Venue) -> None:
    agent = await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT)
    await until_left_alone(phone)
    await venue.tabardctl.sync(agent.sync_port)
    killed_at = await agent.kill()
    heard = len(venue.truth.hearings)
    await agent.start_and_wait(venue.endpoint.transport)
    await venue.truth.hearings.until(lambda all: len(all) > heard, within=15, what="adverts after the restart")
    back_at = venue.truth.hearings[heard].at
    found = await covered_after(venue, back_at)
    listing = "\n".join(map(str, found))
    assert not any(one.is_covered and one.start < killed_at < one.end for one in found), listing
    (off,) = [one for one in found if one.cause == "notRunning"]
    assert off.start <= killed_at + 0.5 and killed_at < off.end <= back_at + TOLERANCE_SECONDS, listing
