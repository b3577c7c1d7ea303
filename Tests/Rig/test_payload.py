"""Herald payloads made and read without a board, and a venue's QR code, checked with an independent reader.
"""

from __future__ import annotations

import base64
import datetime
import struct
from pathlib import Path
from typing import Any

import desk as desks
import herald
import pytest
import qr
from desk import Desk
from printed_json import document_in
from venue import PAYLOAD, Venue

URI = "tabard:herald/1/"
LONGEST = ("--name", "n" * 250, "--url", "https://" + "u" * 239)


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


def bytes_of(uri: str) -> bytes:
    """The payload in a QR code's text."""
    assert uri.startswith(URI), uri
    text = uri.removeprefix(URI)
    assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


async def payload(desk: Desk, *arguments: str | Path) -> dict[str, Any]:
    """The only payload that the command prints."""
    [found] = await desk.document("payload", *arguments, "--json")
    assert bytes.fromhex(found["hexadecimal"]) == base64.b64decode(found["base64"]) == bytes_of(found["uri"])
    return dict(found)


async def test_a_venue_is_made_as_a_board_would_serve_it(desk: Desk) -> None:
    words = ("--state", "4", "--location", "123456", "--name", "Adams Pizza", "--area", "Café")
    made = await payload(desk, "venue", *words)
    assert bytes.fromhex(made["hexadecimal"]) == herald.beacon_payload(826, 4, 123456, name="Adams Pizza", area="Café")
    assert (made["kind"], made["country"], made["state"], made["location"]) == ("venue", 826, 4, 123456)
    assert [(each["name"], each["value"]) for each in made["extended"]] == [("name", "Adams Pizza"), ("area", "Café")]
    text = await desk.run_well("payload", "venue", *words)
    assert made["hexadecimal"] in text and made["uri"] in text and "Café" in text


async def test_a_fixed_payload_is_that_of_herald_for_wearables(desk: Desk) -> None:
    made = await payload(desk, "fixed", "--state", "4", "--client", "123456789")
    assert made["hexadecimal"] == "083a03040015cd5b0700000000"
    assert (made["kind"], made["client"], made["label"]) == ("fixed", 123456789, "826/4 fixed 123456789")


@pytest.mark.parametrize("texts", [(), ("--name", "Adams Pizza"), ("--name", "Café Ørsted 🍕"), LONGEST])
async def test_the_qr_code_is_read_again_from_a_terminal_and_from_a_drawing(desk: Desk, texts: tuple[str, ...]) -> None:
    venue = ("payload", "venue", "--state", "4", "--location", "123456", *texts)
    [made] = await desk.document(*venue, "--json")
    for way in ((), ("--inverted",)):
        modules = qr.of_terminal(await desk.run_well(*venue, "--qr", *way), inverted=bool(way))
        assert await qr.read(modules, desk.folder) == made["uri"]
    poster = desk.folder / "poster.svg"
    await desk.run_well(*venue, "--svg", poster)
    assert await qr.read(qr.of_drawing(poster.read_text()), desk.folder) == made["uri"]
    assert await desk.run_well(*venue, "--svg", "-") == poster.read_text()
    again = await payload(desk, "read", made["uri"])
    assert again == made


async def test_a_drawing_names_the_venue_below_the_code(desk: Desk) -> None:
    svg = await desk.run_well(
        "payload", "venue", "--location", "7", "--name", "A <&> B", "--area", "Bar", "--disambiguation", "2", "--svg", "-"
    )
    assert "A &lt;&amp;&gt; B</text>" in svg and ">Bar, 2</text>" in svg and ">826/0/7</text>" in svg


async def test_the_configuration_of_a_board_is_its_venue(desk: Desk) -> None:
    file = desk.folder / "tabard.toml"
    file.write_text('[herald]\nstate = 4\nlocation = 123456\nname = "Adams Pizza"\n')
    made = await payload(desk, "venue", "--configuration", file)
    assert made["hexadecimal"] == "303a03040040e20100100b4164616d732050697a7a61"
    file.write_text("[herald]\nclient_id = 123456789\nstate = 4\n")
    made = await payload(desk, "fixed", "--configuration", file)
    assert made["hexadecimal"] == "083a03040015cd5b0700000000"
    refused = await desk.run("payload", "venue", "--configuration", file)
    assert refused.exit_code == 65 and "payload fixed" in refused.errors


async def test_a_connected_board_states_the_payload_that_it_serves(venue: Venue) -> None:
    agent = await venue.start_agent()
    port = str(agent.sync_port)
    [made] = document_in(await venue.tabardctl.run("payload", "venue", "--port", port, "--json"))
    assert bytes.fromhex(made["hexadecimal"]) == PAYLOAD


async def test_invalid_fields_are_refused_with_the_text_of_the_configuration(desk: Desk) -> None:
    for arguments, words in (
        (("venue", "--location", "4294967296"), "herald.location: 4294967296 is not from 0 to 4294967295"),
        (("venue", "--location", "1", "--country", "1000"), "herald.country: 1000 is not from 1 to 999"),
        (("venue", "--location", "1", "--url", "http://example.org"), "does not begin with https://"),
        (("venue", "--location", "1", "--name", "n" * 255, "--area", "a" * 255), "more than 501"),
        (("fixed", "--client", "-1"), "client"),
        (("venue",), "--location"),
        (("simple", "--country", "0"), "write 1 to 999"),
    ):
        ended = await desk.run("payload", *arguments)
        assert ended.exit_code == 64 and words in ended.errors, ended


@pytest.mark.parametrize("name", ["'t Hof van Cleve", "'Allo 'Allo", '"Bear" Inn', '"Bear"', "back\\slash", "病棟7 🏥"])
async def test_a_venues_name_may_contain_quotation_marks(desk: Desk, name: str) -> None:
    text = await desk.run_well("payload", "venue", "--state", "4", "--code", "123456", "--name", name)
    assert f"name      {name}" in text.splitlines(), text
    ended = await desk.run("payload", "venue", "--code", "1", "--name", "two\nlines")
    assert ended.exit_code == 64 and "control character" in ended.errors, ended


async def test_bytes_that_are_not_a_payload_are_shown_and_refused(desk: Desk) -> None:
    ended = await desk.run("payload", "read", "303a03")
    assert ended.exit_code == 65 and "shorter than its fixed part" in ended.output, ended
    for text in ("", "tabard:herald/2/MDoD", "not a payload"):
        ended = await desk.run("payload", "read", text)
        assert ended.exit_code == 65 and not ended.output and ended.errors.count("\n") == 1, ended


async def test_a_simple_payload_is_that_of_the_six_minutes(desk: Desk) -> None:
    secret = desk.folder / "secret"
    secret.write_bytes(bytes(2048))
    secret.chmod(0o600)
    simple = ("simple", "--secret", secret, "--epoch", "2020-09-24")
    # Herald's own vectors: id(0,0), id(0,1) and id(10,88) of a secret of zeros.
    for moment, identifier in (
        ("2020-09-24T00:00Z", "e2cfbeb32de932c9171c658b5f57a337"),
        ("2020-09-24T00:11:59Z", "d7f8ef992e35091fed00b9c47dcfe398"),
        ("2020-10-04T08:48Z", "1a62affe1c74e52a2cb4c61d18d00d06"),
    ):
        made = await payload(desk, *simple, "--at", moment)
        assert made["hexadecimal"] == "103a030000" + identifier
        assert (made["identifier"], made["isExpired"]) == (identifier, False)
    ended = await desk.run("payload", *simple, "--at", "2026-03-18T00:00Z")
    assert ended.exit_code == 64 and "no key for 2026-03-18" in ended.errors, ended


async def test_published_keys_and_the_archive_have_the_same_payload_as_the_board(desk: Desk) -> None:
    # 2026-11-20T00:00:00Z
    day = 1_795_132_800
    root = bytes(range(32))
    desks.start(desk, day - 86_400)
    desks.make_key(desk, "herald", day // 86_400 - 1, 28, root, after=60)
    moment = datetime.datetime.fromtimestamp(day + 36_000, datetime.UTC).strftime("%Y-%m-%dT%H:%MZ")
    of_archive = await payload(desk, "simple", "--archive", desk.archive, "--at", moment, "--state", "4")
    keys = desk.folder / "keys.json"
    span = ("--from", "2026-11-20", "--until", "2026-11-20")
    await desk.run_well("submit", "herald", "--archive", desk.archive, *span, "--yes", "--output", keys)
    assert await payload(desk, "simple", "--keys", keys, "--at", moment, "--state", "4") == of_archive
    assert bytes.fromhex(of_archive["hexadecimal"])[:5] == struct.pack("<BHH", 0x10, 826, 4)
    ended = await desk.run("payload", "simple", "--keys", keys, "--at", "2026-11-19")
    assert ended.exit_code == 66 and "no key for 2026-11-19" in ended.errors, ended


async def test_a_board_shows_its_own_country_and_state_if_the_keys_explain_what_it_showed(desk: Desk) -> None:
    # 2026-11-20T00:00:00Z
    day = 1_795_132_800
    desks.start(desk, day)
    desks.make_key(desk, "herald", day // 86_400, 28, bytes(range(32)), after=0)
    made = ("simple", "--board", "Foyer", "--archive", desk.archive, "--at", "2026-11-20T10:03Z")
    own = bytes.fromhex((await payload(desk, *made))["hexadecimal"])
    desks.show(desk, "herald", struct.pack("<BHH", 0x10, 276, 4) + own[5:], after=36_000)
    shown = await payload(desk, *made)
    assert (shown["country"], shown["state"]) == (276, 4) and bytes.fromhex(shown["hexadecimal"])[5:] == own[5:]
    assert (await payload(desk, *made, "--state", "5"))["state"] == 5

    # From now on the board has a secret that its own root does not explain.
    desks.show(desk, "herald", struct.pack("<BHH", 0x10, 276, 4) + bytes(16), after=36_360)
    ended = await desk.run("payload", *made)
    assert ended.exit_code == 65 and "explain 1 of 2 identities that Foyer showed" in ended.errors, ended
    assert "--secret, or --force" in ended.errors and not ended.output, ended
    ended = await desk.run("payload", *made, "--force")
    assert ended.exit_code == 0 and "warning: of 2026-11-20" in ended.errors, ended


async def test_extended_data_of_a_phones_payload_are_in_lists_and_logs(desk: Desk) -> None:
    phone = bytes.fromhex("103a030000e2cfbeb32de932c9171c658b5f57a337") + b"\x42\x07Pixel 4" + b"\x40\x01\xc3"
    desks.start(desk, 1_795_132_800)
    desks.meet(desk, "herald", phone, after=60, seconds=80)
    table = await desk.run_well("encounters", "--archive", desk.archive)
    assert "826/0 simple AADiz7 [model Pixel 4, last RSSI of the reader -61 dBm]" in table
    [encounter] = await desk.document("encounters", "--json", "--archive", desk.archive)
    assert encounter["label"] == "826/0 simple AADiz7"
    assert encounter["extended"] == [
        {"code": "42", "name": "model", "value": "Pixel 4"},
        {"code": "40", "name": "last RSSI of the reader", "value": "-61 dBm"},
    ]
