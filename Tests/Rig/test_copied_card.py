"""A card that was written from another board's image begins anew, and what the other board had is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent import Agent
from printed_json import document_in
from venue import Venue


async def log_of(venue: Venue) -> str:
    """The identity of the agent's log."""
    listed = document_in(await venue.tabardctl.run("devices", "--json", "--port", str(venue.agent.sync_port)))
    return str(listed[0]["board"])


def record(agent: Agent) -> Path:
    """The file that binds the log and the keys to a machine."""
    return agent.log_path.with_name("encounters.log.keys.machine")


def make_foreign(agent: Agent, digits: str = "0123abcd") -> None:
    """Changes the record as if another machine had made it."""
    word, own = record(agent).read_text().split()
    record(agent).write_text(f"{word} {digits}{own[8:]}\n")


async def stopped(venue: Venue) -> Agent:
    """An agent that has made its log and keys, and has ended."""
    agent = await venue.start_agent()
    await agent.stop()
    return agent


async def test_log_and_keys_are_bound_to_the_machine(venue: Venue) -> None:
    agent = await venue.start_agent()
    identity = await log_of(venue)
    text = record(agent).read_text()
    word, digits = text.split()
    assert word in ("serial", "machine-id") and len(digits) == 64 and text.endswith("\n"), text
    assert record(agent).stat().st_mode & 0o777 == 0o600
    await agent.stop()
    await agent.start_and_wait(venue.endpoint.transport)
    assert (await log_of(venue), record(agent).read_text()) == (identity, text)


async def test_a_copied_card_begins_anew_and_keeps_the_others_files(venue: Venue) -> None:
    agent = await venue.start_agent()
    identity = await log_of(venue)
    await venue.tabardctl.run("config", str(agent.sync_port), "set", "herald.name=Elsewhere")
    await agent.stop()
    log = agent.log_path.read_bytes()
    keys = agent.log_path.with_name("encounters.log.keys").read_bytes()
    make_foreign(agent)
    await agent.start_and_wait(venue.endpoint.transport)
    said = await agent.line("the log and keys of another board")
    assert ".from-0123abcd" in said.text and "begins anew" in said.text, said
    assert await log_of(venue) != identity
    kept = agent.log_path.with_name
    assert kept("encounters.log.from-0123abcd").read_bytes() == log
    assert kept("encounters.log.keys.from-0123abcd").read_bytes() == keys
    # These settings came over the cable, to the other board.
    assert kept("encounters.log.keys.toml.from-0123abcd").exists()
    shown = await venue.tabardctl.run("config", str(agent.sync_port), "get", "herald.name")
    assert "Adams Pizza" in shown, shown
    assert "0123abcd" not in record(agent).read_text()


async def test_a_card_that_is_copied_twice_keeps_both(venue: Venue) -> None:
    agent = await stopped(venue)
    for _ in range(2):
        make_foreign(agent)
        await agent.start_and_wait(venue.endpoint.transport)
        await agent.stop()
    names = sorted(path.name for path in agent.directory.glob("encounters.log.from-*"))
    assert names == ["encounters.log.from-0123abcd", "encounters.log.from-0123abcd.2"], names


async def test_a_board_takes_the_others_place_without_the_record(venue: Venue) -> None:
    agent = await venue.start_agent()
    identity = await log_of(venue)
    await agent.stop()
    make_foreign(agent)
    record(agent).unlink()
    await agent.start_and_wait(venue.endpoint.transport)
    assert await log_of(venue) == identity
    assert record(agent).exists()


@pytest.mark.parametrize("text", ["", "serial", "serial 12\n", "\0" * 80, "x" * 300], ids=range(5))
async def test_a_damaged_record_is_made_anew(venue: Venue, text: str) -> None:
    agent = await venue.start_agent()
    identity, whole = await log_of(venue), record(agent).read_text()
    await agent.stop()
    record(agent).write_text(text)
    await agent.start_and_wait(venue.endpoint.transport)
    assert (await log_of(venue), record(agent).read_text()) == (identity, whole)
