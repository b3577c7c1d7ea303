"""The agent starts over every transport that it has for a virtual controller, and works over each."""

from __future__ import annotations

import pytest

from phone_kinds import ANDROID_CURRENT
from venue import PAYLOAD, Venue

TRANSPORTS = ["unix", "unix-seqpacket", "tcp-client", "serial"]


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_the_agent_comes_up_and_reads_and_is_read(venue: Venue, transport: str) -> None:
    await venue.start_agent(transport)
    phone = await venue.phone(ANDROID_CURRENT, reads_beacons=True)
    await phone.served.first(what="read by the agent")
    assert (await phone.read.first(what="read of the agent")).payload == PAYLOAD


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_terminated_agent_exits_cleanly_and_can_start_again(venue: Venue, transport: str) -> None:
    agent = await venue.start_agent(transport)
    assert await agent.stop() == 0
    await agent.start_and_wait(venue.endpoint.transport)
    assert await agent.stop() == 0


async def test_a_serial_controller_that_kept_its_state_is_reset(venue: Venue) -> None:
    agent = await venue.start_agent("serial")
    phone = await venue.phone(ANDROID_CURRENT)
    await phone.served.first(what="read by the agent")
    await agent.kill()
    await agent.start_and_wait(venue.endpoint.transport)
    assert venue.endpoint.connections == 1
    await phone.served.until(lambda all: len(all) == 2, what="read by the agent after its restart")


async def test_an_unplugged_controller_is_noticed(venue: Venue) -> None:
    agent = await venue.start_agent("unix-seqpacket")
    phone = await venue.phone(ANDROID_CURRENT)
    await phone.served.first(what="read by the agent")
    runs, lines = venue.endpoint.connections, len(agent.lines)
    venue.endpoint.unplug_transport()
    await agent.lines.first(lambda line: "radio down" in line.text, what="word about it", after=lines)
    await agent.lines.first(lambda line: "radio up" in line.text, what="its return", after=lines)
    assert venue.endpoint.connections == runs + 1
    other = await venue.phone(ANDROID_CURRENT, "other", reads_beacons=True)
    await other.served.first(what="read by the agent after the controller came back")
    await other.read.first(what="read of the agent after the controller came back")
    assert len(phone.served) == 1  # The agent remembers phones that it has read.
    listing = await venue.tabardctl.run("devices", "--port", str(agent.sync_port))
    assert "last fault: the transport closed or failed" in listing, listing


async def test_a_missing_controller_is_reported(venue: Venue) -> None:
    await venue.open_endpoint("unix")
    agent = venue.prepare_agent()
    await agent.start("unix:" + str(venue.directory / "nobody.sock"))
    line = await agent.line("nobody.sock")
    assert "nobody.sock" in line.text
    await agent.discard()
