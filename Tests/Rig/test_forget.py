"""Expired contacts in a real board's sealed log: `tabardctl forget --expired`."""

from __future__ import annotations

from test_keys import refusal
from test_verify import kinds, sealed_log, verify
from venue import Venue


async def test_contacts_are_forgotten_and_what_stays_is_sound_and_not_fetched_again(venue: Venue) -> None:
    agent, keys = await sealed_log(venue)
    archive = ("--archive", str(venue.tabardctl.archive))
    opening = ("--opening", str(keys / "opening.pem"))
    await venue.tabardctl.run("open", *archive, *opening)
    met = await venue.tabardctl.encounters()
    assert met
    forget = ("forget", "--expired", "--keep", "herald=0", *archive)
    assert (await refusal(venue, *forget, "--yes")).exit_code == 66
    assert (await refusal(venue, *forget, *opening)).exit_code == 64
    assert await venue.tabardctl.encounters() == met

    said = await venue.tabardctl.run(*forget, *opening, "--yes")
    assert "herald, older than 0 days: " in said and said.splitlines()[-1] == "forgotten", said
    assert not await venue.tabardctl.encounters()
    ended, [board] = await verify(venue, *opening)
    assert ended.exit_code == 0 and board["verdict"] == "sound" and board["redactedPages"] > 0, ended
    assert "redacted" in kinds(board, severity="note")

    assert "differs from the stored one" not in await venue.tabardctl.sync(agent.sync_port)
    ended, [board] = await verify(venue, *opening)
    assert ended.exit_code == 0 and board["redactedPages"] > 0, ended
