"""Configuration over the cable: anyone may read it, only the operator may set it, and the agent uses it immediately.
"""

from __future__ import annotations

from pathlib import Path

from agent import Agent
from test_keys import pairs, provision, refusal
from test_log import download
from venue import Venue


async def has_started_again(agent: Agent, count: int) -> None:
    """Waits until the agent's sync port has been opened that many times."""
    await agent.lines.until(
        lambda lines: sum("sync on" in line.text for line in lines) >= count, what=f"start number {count}"
    )


async def test_anyone_reads_what_is_in_force(venue: Venue) -> None:
    agent = await venue.start_agent()
    await provision(venue, await pairs(venue, "keys"))
    shown = await venue.tabardctl.run("config", str(agent.sync_port))
    assert "[herald]\n" in shown and "# line " in shown and "# command line" in shown and "# default" in shown
    stock = (await download(venue, "/config")).decode()
    assert stock.strip() == shown.strip()


async def test_keys_are_shown_by_name(venue: Venue) -> None:
    port = str((await venue.start_agent()).sync_port)
    shown = await venue.tabardctl.run("config", port, "get", "log.retention_days", "herald.client_id", "encounters.raw")
    assert shown.splitlines() == [
        "log.retention_days = 28  # default", "# herald.client_id = (none)  # default", "encounters.raw = false  # default",
    ]
    ended = await refusal(venue, "config", port, "get", "encounters.raw", "log.retention_dais")
    assert ended.exit_code == 64 and "did you mean log.retention_days?" in ended.errors and not ended.output, ended


async def test_the_operator_sets_it_and_it_is_in_force_from_then_on(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    config = ("config", str(agent.sync_port))
    change = (*config, "set", "log.retention_days=14", "herald.name=Adams \"Pizza\"")
    assert (await refusal(venue, *change)).exit_code == 77
    operator = ("--operator", str(keys / "operator.pem"))
    assert "restarts its agent" in await venue.tabardctl.run(*change, *operator)
    await has_started_again(agent, 2)
    shown = await venue.tabardctl.run(*config)
    assert "retention_days = 14  # over the cable\n" in shown
    assert 'name = "Adams \\"Pizza\\""  # over the cable\n' in shown
    assert agent.is_running

    # A second change keeps the first, and both survive a power cut.
    await venue.tabardctl.run(*config, "set", "encounters.raw=true", *operator)
    await has_started_again(agent, 3)
    await agent.kill()
    await agent.start_and_wait(venue.endpoint.transport)
    shown = await venue.tabardctl.run(*config)
    assert "retention_days = 14  # over the cable\n" in shown and "raw = true  # over the cable\n" in shown

    # The log shows the configuration under which each part of it was written.
    await venue.tabardctl.sync(agent.sync_port)
    opening = ("--opening", str(keys / "opening.pem"), "--archive", str(venue.tabardctl.archive))
    entries = await venue.tabardctl.run("inspect", "--entries", *opening)
    settings = [line for line in entries.splitlines() if "settings " in line][:3]
    assert [line.split("keeps ")[1].split(",")[0] for line in settings] == ["28 days", "14 days", "14 days"], entries
    assert len({line.split("digest ")[1] for line in settings}) == 3


async def test_what_is_wrong_is_refused_in_the_words_of_the_board(venue: Venue) -> None:
    agent = await venue.start_agent()
    for assignment, words in (
        ("log.retention_days=1000", "log.retention_days: 1000 is not from 0 to 180; write whole days, or 0"),
        ("radio.scna=true", "radio.scna: no such key; did you mean scan?"),
        ("encounters.sample_seconds=9", "encounters.sample_seconds: longer than gap_seconds"),
        ("log.path=/tmp/other", "the cable cannot set it; set it in the board's configuration file"),
        ("radio.hci=hci1", "the cable cannot set it"),
    ):
        ended = await refusal(venue, "config", str(agent.sync_port), "set", "encounters.raw=true", assignment)
        assert ended.exit_code == 65 and words in ended.errors, ended
    assert "raw = false" in await venue.tabardctl.run("config", str(agent.sync_port))
    assert not Path(f"{agent.log_path}.keys.toml").exists()
