"""`tabard setup`, on the board: role, place and keys, in a file beside the package's configuration."""

from __future__ import annotations

from pathlib import Path

import program
import pytest
from agent import find_agent
from desk import Desk
from printed_json import document_in
from test_keys import pairs
from venue import Venue


async def test_options_make_it_the_beacon_of_a_venue(venue: Venue) -> None:
    await venue.open_endpoint()
    agent = venue.prepare_agent(herald={"location": None, "name": None, "area": None})
    file = ("--config", agent.configuration_path)
    before = agent.configuration_path.read_text()
    keys = await pairs(venue, "keys")
    public = ("--opening", keys / "opening.pub.pem", "--operator", keys / "operator.pub.pem")
    place = ("--venue-number", "77", "--name", 'Adams "Pizza"', "--set", "log.retention_days=14")
    ended = await program.run_well(find_agent(), "setup", *file, *place, *public)
    assert 'the beacon of venue 826/4/77, Adams "Pizza"' in ended.output, ended
    # The package's file stays as it is, and the agent, which has another user, can read the new one.
    assert agent.configuration_path.read_text() == before
    local = agent.configuration_path.with_name("tabard.local.toml")
    assert local.stat().st_mode & 0o777 == 0o644
    await agent.start_and_wait(venue.endpoint.transport)
    port = str(agent.sync_port)
    shown = await venue.tabardctl.run("config", port, "get", "herald.location", "herald.name", "log.retention_days")
    assert "herald.location = 77  # local line " in shown and 'name = "Adams \\"Pizza\\""' in shown, shown
    assert "retention_days = 14  # local line " in shown, shown
    board = document_in(await venue.tabardctl.run("devices", "--json", "--port", port))[0]
    assert board["isSealed"] and board["isSetUp"], board


async def test_a_second_setup_keeps_what_the_first_has_set(tmp_path: Path, programs: None) -> None:
    file = board_file(tmp_path)
    await program.run_well(find_agent(), "setup", "--config", file, "--venue-number", "7", "--name", "Foyer")
    await program.run_well(find_agent(), "setup", "--config", file, "--area", "Left")
    text = file.with_name("tabard.local.toml").read_text()
    assert text.split("\n\n")[1] == '[herald]\nlocation = 7\nname = "Foyer"\narea = "Left"\n', text


def board_file(folder: Path) -> Path:
    """A configuration as the package has it, with the log in this folder."""
    file = folder / "tabard.toml"
    file.write_text(f'[log]\npath = "{folder}/encounters.log"\n[sync]\nport = "/dev/tabard-sync"\n')
    return file


async def test_a_person_at_a_terminal_is_asked(tmp_path: Path, programs: None) -> None:
    file = board_file(tmp_path)
    # The first venue number is none, so the command asks again.
    ended = await program.answer("\nfoyer\n12\n\nAdams Pizza\n\nyes\n", find_agent(), "setup", "--config", file)
    assert ended.exit_code == 0 and "herald.location: " in ended.output, ended
    assert "the beacon of venue 826/0/12, Adams Pizza" in ended.output, ended


@pytest.mark.parametrize("answers", ["wearable\nno\n", "beacon\n", "", "x\n" * 9])
async def test_who_does_not_agree_changes_nothing(tmp_path: Path, programs: None, answers: str) -> None:
    file = board_file(tmp_path)
    # The end of the input is the terminal's character for it.
    ended = await program.answer(answers + "\x04", find_agent(), "setup", "--config", file)
    assert ended.exit_code == 75 and "nothing was changed" in ended.errors, ended
    assert not file.with_name("tabard.local.toml").exists()


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ((), 64, "nothing to set; give --venue-number"),
        (("--name", "X"), 64, "a beacon needs --venue-number"),
        (("--venue-number", "x"), 64, "herald.location: "),
        (("--venue-nmuber", "7"), 64, "--venue-nmuber: not an option"),
        (("--venue-number",), 64, "--venue-number: not an option with its value"),
        (("--role", "wearable", "--set", "radio.scna=true"), 64, "did you mean scan?"),
        (("--venue-number", "7", "--set", "encounters.sample_seconds=60"), 64, "encounters.sample_seconds: "),
        (("--opening", "missing.pem"), 64, "a board needs both keys"),
        (("--opening", "missing.pem", "--operator", "missing.pem"), 66, "missing.pem: cannot be read: No such file"),
    ],
)
async def test_a_mistake_changes_nothing_and_says_what_to_do(
    tmp_path: Path, programs: None, options: tuple[str, ...], code: int, words: str
) -> None:
    file = board_file(tmp_path)
    ended = await program.run(find_agent(), "setup", "--config", file, *options)
    assert ended.exit_code == code and words in ended.errors, ended
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tabard.toml"]


async def new_keys(folder: Path) -> Path:
    """A folder with two pairs of keys."""
    await Desk(folder.parent).run_well("keys", "new", "--directory", folder)
    return folder


async def test_only_public_keys_of_the_right_kind_are_taken(tmp_path: Path, programs: None) -> None:
    file = board_file(tmp_path)
    keys = await new_keys(tmp_path / "keys")
    (keys / "text.pem").write_text("-----BEGIN PUBLIC KEY-----\nbm8=\n-----END PUBLIC KEY-----\n")
    public = keys / "opening.pub.pem"
    setup = (find_agent(), "setup", "--config", file, "--operator", public, "--opening")
    for name, words in (("opening.pem", "a private key"), ("text.pem", "no public key of P-256")):
        ended = await program.run(*setup, keys / name)
        assert ended.exit_code == 65 and words in ended.errors, ended
    assert not (tmp_path / "encounters.log.keys").exists()


async def test_a_board_with_other_keys_keeps_them(tmp_path: Path, programs: None) -> None:
    file = board_file(tmp_path)
    ends = []
    for name in ("first", "second"):
        keys = await new_keys(tmp_path / name)
        public = ("--opening", keys / "opening.pub.pem", "--operator", keys / "operator.pub.pem")
        ends.append(await program.run(find_agent(), "setup", "--config", file, *public))
    assert ends[0].exit_code == 0 and ": keys of owner " in ends[0].output, ends
    assert ends[1].exit_code == 77 and "has other keys" in ends[1].errors, ends


async def test_what_was_set_over_the_cable_is_not_hidden(venue: Venue) -> None:
    agent = await venue.start_agent()
    await venue.tabardctl.run("config", str(agent.sync_port), "set", "herald.name=Elsewhere")
    ended = await program.run(find_agent(), "setup", "--config", agent.configuration_path, "--name", "Here")
    assert ended.exit_code == 65 and "herald.name was set over the cable" in ended.errors, ended
