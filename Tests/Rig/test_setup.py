"""A board that is not set up keeps its radio off and serves its sync port, for `tabardctl setup`."""

from __future__ import annotations


import herald
import pytest
from agent import Agent
from desk import Desk
from printed_json import document_in
from test_beacon import connect
from test_keys import pairs, refusal
from venue import Venue


async def fresh(venue: Venue, **radio: object) -> Agent:
    """An agent whose file says nothing of its place, as the package installs it."""
    await venue.open_endpoint()
    bare = {"location": None, "name": None, "area": None, "secret": str(venue.directory / "herald.secret")}
    agent = venue.prepare_agent(herald=bare, radio=radio)
    await agent.start(venue.endpoint.transport)
    await agent.line("not set up")
    await agent.line("sync on")
    return agent


def answers(venue: Venue, *options: str, keys: str = "keys") -> tuple[str, ...]:
    """The command with keys and an archive of the test's own."""
    folder = ("--keys", str(venue.directory / keys), "--archive", str(venue.tabardctl.archive))
    return ("setup", str(venue.agent.sync_port), *options, *folder)


async def test_a_board_that_is_not_set_up_keeps_its_radio_off_and_says_so(venue: Venue) -> None:
    agent = await fresh(venue)
    row = await venue.tabardctl.run("devices", "--port", str(agent.sync_port))
    assert "not set up" in " ".join(row.split()) and " off" in row, row
    listed = document_in(await venue.tabardctl.run("devices", "--json", "--port", str(agent.sync_port)))
    assert listed[0]["isSetUp"] is False, listed
    await agent.stop()
    # The capture has its header and no packet.
    assert agent.snoop_paths[-1].stat().st_size == 16


async def test_without_a_place_and_without_a_port_the_agent_says_what_to_do(venue: Venue) -> None:
    await venue.open_endpoint()
    agent = venue.prepare_agent(herald={"location": None})
    await agent.start(venue.endpoint.transport, "--sync", "")
    line = await agent.line("a beacon needs a location")
    assert "or sync.port" in line.text, line
    await agent.line("exited with 65")


async def test_options_alone_make_it_the_beacon_of_a_venue(venue: Venue) -> None:
    agent = await fresh(venue)
    place = ("--venue-number", "77", "--name", "Foyer", "--area", "Left", "--state", "4")
    shown = await venue.tabardctl.run(*answers(venue, *place, "--new-keys", "--yes"))
    assert "Foyer: the beacon of venue 826/4/77, Foyer, Left" in shown and "the board is set up" in shown, shown
    phone, peer = await connect(venue)
    read = await phone.read_payload(peer)
    assert read.payload == herald.beacon_payload(826, 4, 77, name="Foyer", area="Left")
    listed = document_in(await venue.tabardctl.run("devices", "--json", "--port", str(agent.sync_port)))
    assert listed[0]["isSealed"] and listed[0]["isSetUp"], listed
    assert (venue.directory / "keys" / "opening.pem").exists()


async def test_a_person_at_a_terminal_is_asked(venue: Venue) -> None:
    await fresh(venue)
    desk = Desk(venue.directory)
    lines = "yes\nbeacon\nfoyer\n12\n\nAdams \"Pizza\"\n\nyes\n"
    # The first venue number is none, so the command asks again.
    ended = await desk.answer(lines.replace("yes\n", "", 1), *answers(venue, "--new-keys"))
    assert ended.exit_code == 0 and "herald.location: " in ended.errors, ended
    assert 'the beacon of venue 826/0/12, Adams "Pizza"' in ended.output, ended
    shown = await venue.tabardctl.run("config", str(venue.agent.sync_port), "get", "herald.name", "herald.location")
    assert 'herald.name = "Adams \\"Pizza\\""' in shown and "herald.location = 12 " in shown, shown


async def test_who_does_not_agree_changes_nothing(venue: Venue) -> None:
    agent = await fresh(venue)
    await pairs(venue, "keys")
    ended = await Desk(venue.directory).answer("no\n", *answers(venue, "--venue-number", "1", "--name", "X"))
    assert ended.exit_code == 75 and "nothing was changed" in ended.errors, ended
    row = await venue.tabardctl.run("devices", "--port", str(agent.sync_port))
    assert "not set up" in " ".join(row.split()), row


async def test_a_wearable_needs_no_place(venue: Venue) -> None:
    agent = await fresh(venue, address=None)
    shown = await venue.tabardctl.run(*answers(venue, "--role", "wearable", "--name", "Badge 7", "--new-keys", "--yes"))
    assert "Badge 7: a wearable" in shown, shown
    role = await venue.tabardctl.run("config", str(agent.sync_port), "get", "agent.role")
    assert 'agent.role = "wearable"  # over the cable' in role, role


async def test_it_is_run_again_to_change_the_place(venue: Venue) -> None:
    await fresh(venue)
    await venue.tabardctl.run(*answers(venue, "--venue-number", "1", "--name", "Foyer", "--new-keys", "--yes"))
    shown = await venue.tabardctl.run(*answers(venue, "--venue-number", "2", "--name", "Lift", "--yes"))
    assert "Lift: the beacon of venue 826/0/2, Lift" in shown, shown


async def test_somebody_elses_board_is_not_changed(venue: Venue) -> None:
    await fresh(venue)
    await venue.tabardctl.run(*answers(venue, "--venue-number", "1", "--name", "Foyer", "--new-keys", "--yes"))
    await pairs(venue, "others")
    ended = await refusal(venue, *answers(venue, "--venue-number", "2", "--name", "Lift", "--yes", keys="others"))
    assert ended.exit_code == 77 and "belongs to the operator key" in ended.errors, ended


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--yes",), 64, "a beacon needs --venue-number"),
        (("--venue-number", "many", "--yes"), 64, "herald.location"),
        (("--role", "wearable", "--area", "Left", "--yes"), 64, "--area is of a beacon"),
        (("--venue-number", "1", "--url", "http://a", "--yes"), 64, "https://"),
        (("--venue-number", "1", "--set", "log.retention_days=999", "--yes"), 64, "is not from 0 to 180"),
        (("--venue-number", "1", "--yes"), 66, "create them with --new-keys"),
        (("--venue-number", "1", "--new-keys", "--without-keys"), 64, "cannot be given together"),
    ],
)
async def test_a_mistake_is_named_before_anything_is_changed(
    venue: Venue, options: tuple[str, ...], code: int, words: str
) -> None:
    agent = await fresh(venue)
    folder = () if "--without-keys" in options else ("--keys", str(venue.directory / "none"))
    archive = ("--archive", str(venue.tabardctl.archive))
    ended = await refusal(venue, "setup", str(agent.sync_port), *options, *folder, *archive)
    assert ended.exit_code == code and words in ended.errors, ended
    row = await venue.tabardctl.run("devices", "--port", str(agent.sync_port))
    assert "not set up" in " ".join(row.split()), row
