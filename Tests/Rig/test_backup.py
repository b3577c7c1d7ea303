"""A backup of a board: only its owner can read the secrets, and another board takes its place with it."""

from __future__ import annotations

import base64
import json
import re
import stat
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import program
import pytest
from agent import Agent
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from day_keys import DayKeys
from desk import Desk
from printed_json import document_in
from sonar_authority import sonar_authority
from test_beacon import connect
from test_configuration import has_started_again
from test_keys import pairs, provision, refusal
from test_setup import fresh
from venue import PAYLOAD, Venue

NUMBERS = {"herald": 1, "sonar": 2, "covid-tracer": 3}
STATES = {"none": 0, "sealed": 1, "unreadable": 2}


def opened(file: Path, owner_key: Path) -> dict[str, bytes]:
    """The secrets of a backup by scheme, after all signatures: docs/backups.md, by other code."""
    backup = json.loads(file.read_text())
    board = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes.fromhex(backup["board"]))
    owner = serialization.load_pem_private_key(owner_key.read_bytes(), None)
    assert isinstance(owner, ec.EllipticCurvePrivateKey)
    log = bytes.fromhex(backup["log"])
    lines = [backup[member] for member in ("nonce", "made", "agent", "name") if member in backup]
    context = sha256("".join(f"{line}\n" for line in lines).encode()).digest()
    common = b"tabard backups 1" + log + context + sha256(backup["configuration"].encode()).digest()
    common += bytes.fromhex(backup["owner"]) + bytes.fromhex(backup["operator"])
    assert [record["scheme"] for record in backup["records"]] == list(NUMBERS)
    secrets = {}
    for record in backup["records"]:
        name = record["scheme"]
        sealed = base64.b64decode(record["sealed"])
        signed = common + bytes([NUMBERS[name], STATES[record["state"]]]) + sealed
        raw = base64.b64decode(record["signature"])
        signature = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        board.verify(signature, signed, ec.ECDSA(hashes.SHA256()))
        if record["state"] != "sealed":
            continue
        fresh_key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + sealed[:64])
        shared = owner.exchange(ec.ECDH(), fresh_key)
        key = HKDF(hashes.SHA256(), 32, salt=log, info=sealed[:64]).derive(shared)
        secrets[name] = AESGCM(key).decrypt(bytes(12), sealed[64:], b"tabard backups 1")
    return secrets


def command(venue: Venue, name: str, *arguments: str | Path) -> tuple[str, ...]:
    """A command to the venue's board with the keys and the archive of the first venue."""
    port = str(venue.agent.sync_port)
    return (name, port, *map(str, arguments), "--archive", str(venue.tabardctl.archive))


async def saved(venue: Venue, keys: Path, name: str = "board.backup.json") -> Path:
    file = venue.directory / name
    options = ("--output", file, "--operator", keys / "operator.pem")
    said = await venue.tabardctl.run(*command(venue, "backup", *options))
    assert f"{file}: backup of " in said, said
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    return file


async def restored(venue: Venue, file: Path, keys: Path, *options: str) -> str:
    own = ("--keys", keys, "--opening", keys / "opening.pem", "--yes", "--trust", "new")
    return await venue.tabardctl.run(*command(venue, "restore", file, *own, *options))


async def with_herald_secret(venue: Venue) -> tuple[Agent, Path, Path]:
    """A wearable with a secret of Herald, the folder of its keys, and its backup."""
    secret = {"secret": str(venue.directory / "herald.secret"), "location": None}
    agent = await venue.start_agent(agent={"role": "wearable"}, radio={"address": None}, herald=secret)
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    give = ("--operator", keys / "operator.pem", "--scheme", "herald", "--secret", venue.directory / "a", "--new")
    await venue.tabardctl.run(*command(venue, "provision", *give))
    await has_started_again(agent, 2)
    return agent, keys, await saved(venue, keys)


async def beside(venue: Venue) -> tuple[Venue, Agent]:
    """A fresh board in the same air, and the same operator's tool."""
    other = Venue(venue.directory / "other", beside=venue)
    agent = await fresh(other, address=None)
    other.tabardctl = venue.tabardctl
    return other, agent


async def test_a_beacons_place_and_keys_move_to_another_board(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    file = await saved(venue, keys)
    assert opened(file, keys / "opening.pem") == {}
    await agent.stop()
    other, _ = await beside(venue)
    async with other:
        said = await restored(other, file, keys)
        assert "the beacon of venue 826/4/123456, Adams Pizza" in said and "the board is set up" in said, said
        phone, peer = await connect(other)
        assert (await phone.read_payload(peer)).payload == PAYLOAD
        listed = document_in(await venue.tabardctl.run("devices", "--json", "--port", str(other.agent.sync_port)))
        assert listed[0]["isSealed"] and listed[0]["isSetUp"], listed


async def test_a_wearables_secrets_move_to_another_board(venue: Venue) -> None:
    authority = await sonar_authority(Desk(venue.directory), "authority")
    _, registration, _ = await authority.install("board")
    secret = {"secret": str(venue.directory / "herald.secret"), "location": None}
    agent = await venue.start_agent(agent={"role": "wearable"}, radio={"address": None}, herald=secret)
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    give = ("--operator", keys / "operator.pem", "--scheme")
    starts = 1
    for scheme, option, source in (
        ("herald", "--secret", venue.directory / "anna.herald"),
        ("covid-tracer", "--root", venue.directory / "anna.root"),
        ("sonar", "--registration", registration),
    ):
        new = () if scheme == "sonar" else ("--new",)
        await venue.tabardctl.run(*command(venue, "provision", *give, scheme, option, source, *new))
        starts += 1
        await has_started_again(agent, starts)
    file = await saved(venue, keys)
    await agent.stop()
    own = {
        "herald": venue.directory / "herald.secret",
        "covid-tracer": agent.log_path.with_name("encounters.log.keys.covid-tracer"),
        "sonar": agent.log_path.with_name("encounters.log.keys.sonar"),
    }
    assert opened(file, keys / "opening.pem") == {scheme: path.read_bytes() for scheme, path in own.items()}

    other, there = await beside(venue)
    async with other:
        said = await restored(other, file, keys, "--name", "Badge 7")
        assert "Badge 7: a wearable" in said and "covid-tracer: the board stored the keys of " in said, said
        shown = await venue.tabardctl.run(*command(other, "config")[:2])
        assert 'role = "wearable"' in shown and 'sonar = "on"' in shown and 'covid_tracer = "on"' in shown, shown
        await there.stop()
    theirs = {
        "herald": other.directory / "herald.secret",
        "covid-tracer": there.log_path.with_name("encounters.log.keys.covid-tracer"),
        "sonar": there.log_path.with_name("encounters.log.keys.sonar"),
    }
    assert theirs["sonar"].read_bytes() == own["sonar"].read_bytes()
    for scheme in ("herald", "covid-tracer"):
        ours, new = DayKeys.read(own[scheme]), DayKeys.read(theirs[scheme])
        # Midnight may have passed, and with it the first key.
        past = new.first_day - ours.first_day
        assert 0 <= past <= 1 and new == replace(ours, first_day=new.first_day, keys=ours.keys[past:])


async def test_the_same_board_gets_its_settings_back(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    file = await saved(venue, keys)
    key = ("--operator", str(keys / "operator.pem"))
    await venue.tabardctl.run("config", str(agent.sync_port), "set", "log.retention_days=3", *key)
    await has_started_again(agent, 2)
    said = await restored(venue, file, keys)
    assert "the board is set up" in said, said
    shown = await venue.tabardctl.run("config", str(agent.sync_port), "get", "log.retention_days")
    assert "= 3 " not in shown, shown


async def test_a_board_keeps_the_day_keys_that_it_has(venue: Venue) -> None:
    agent, keys, file = await with_herald_secret(venue)
    secret = venue.directory / "herald.secret"
    before = secret.read_bytes()
    own = ("--keys", keys, "--yes", "--opening", keys / "opening.pem")
    ended = await program.run(venue.tabardctl.binary, *command(venue, "restore", file, *own))
    assert ended.exit_code == 0 and "herald: the board keeps the day keys that it has" in ended.errors, ended
    assert "Do not use the board" not in ended.errors, ended
    await agent.stop()
    assert secret.read_bytes() == before


async def test_secrets_that_the_board_cannot_read_are_named(venue: Venue) -> None:
    agent, keys, _ = await with_herald_secret(venue)
    damaged = agent.log_path.with_name("encounters.log.keys.sonar")
    damaged.write_bytes(b"TABARDSO")
    damaged.chmod(0o600)
    file = venue.directory / "part.json"
    ended = await refusal(venue, *command(venue, "backup", "--output", file, "--operator", keys / "operator.pem"))
    assert ended.exit_code == 65 and "without the secrets of sonar" in ended.errors, ended
    assert set(opened(file, keys / "opening.pem")) == {"herald"}


async def test_secrets_go_to_known_boards_and_from_known_boards_unless_the_operator_trusts_others(
    venue: Venue,
) -> None:
    agent, keys, file = await with_herald_secret(venue)
    await agent.stop()
    other, there = await beside(venue)
    own = ("--keys", keys, "--yes", "--opening", keys / "opening.pem")
    async with other:
        ended = await refusal(other, *command(other, "restore", file, *own))
        shown = re.search(r"the board has the board key ([0-9a-f:]+), which the archive does not know", ended.errors)
        assert ended.exit_code == 77 and shown, ended
        new_archive = (*command(other, "restore", file, *own)[:-1], str(venue.directory / "new.sqlite"))
        ended = await refusal(other, *new_archive)
        assert "the board has the board key" in ended.errors, "the list of known boards has the former board"
        ended = await refusal(other, *new_archive, "--known-boards", str(venue.directory / "none"), "--trust", shown[1])
        assert ended.exit_code == 77 and "the board that it is of has the board key" in ended.errors, ended
        said = await venue.tabardctl.run(*command(other, "restore", file, *own, "--trust", shown[1]))
        assert "the board is set up" in said, said
        # The board has lost its key file, so it shows another key than the archive has.
        await there.stop()
        there.log_path.with_name("encounters.log.keys").unlink()
        await there.start_and_wait(other.endpoint.transport)
        ended = await refusal(other, *command(other, "restore", file, *own, "--trust", "new"))
        assert ended.exit_code == 77 and "the archive knows that board by another" in ended.errors, ended


async def test_what_the_command_line_of_the_agent_sets_is_found_before_anything_changes(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    file = await saved(venue, keys)
    await agent.stop()
    other, there = await beside(venue)
    async with other:
        await there.stop()
        await there.start(other.endpoint.transport, "--set", "agent.role=wearable")
        await there.line("sync on")
        ended = await refusal(other, *command(other, "restore", file, "--keys", keys, "--yes"))
        assert ended.exit_code == 65 and "agent.role on its command line" in ended.errors, ended


async def test_whoever_has_no_right_gets_no_backup(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys, others = await pairs(venue, "keys"), await pairs(venue, "others")
    file = venue.directory / "b.json"
    key = ("--output", file, "--operator")
    trust = ("--trust", "new")
    ended = await refusal(venue, *command(venue, "backup", *key, keys / "operator.pem", *trust))
    assert ended.exit_code == 65 and "no owner key" in ended.errors, ended
    await provision(venue, keys)
    ended = await refusal(venue, *command(venue, "backup", *key, others / "operator.pem"))
    assert ended.exit_code == 77, ended
    elsewhere = ("--archive", str(venue.directory / "new.sqlite"), *map(str, key), str(keys / "operator.pem"))
    ended = await refusal(venue, "backup", str(agent.sync_port), *elsewhere)
    assert ended.exit_code == 77 and "give --trust " in ended.errors, ended
    ended = await refusal(venue, *command(venue, "backup", "--output", file))
    assert ended.exit_code == 66 and "give --operator" in ended.errors, ended
    assert not file.exists()
    file.touch()
    ended = await refusal(venue, *command(venue, "backup", *key, keys / "operator.pem"))
    assert ended.exit_code == 73 and "already exists" in ended.errors, ended


async def test_what_cannot_be_restored(venue: Venue) -> None:
    _, keys, file = await with_herald_secret(venue)
    others = await pairs(venue, "others")
    text = file.read_text()
    changed = venue.directory / "changed.json"
    changed.write_text(text.replace("wearable", "wearablf", 1))
    with pytest.raises(InvalidSignature):
        opened(changed, keys / "opening.pem")
    cut = venue.directory / "cut.json"
    cut.write_text(text[:500])
    later = venue.directory / "later.json"
    later.write_text(text.replace('"version":1', '"version":2', 1))
    own = ("--keys", keys, "--yes")
    opening = ("--opening", keys / "opening.pem")
    for name, options, code, words in [
        (venue.directory / "none.json", opening, 66, "none.json"),
        (keys / "opening.pub.pem", opening, 65, "not JSON"),
        (cut, opening, 65, "not JSON"),
        (changed, opening, 65, "changed since the board signed it"),
        (later, opening, 65, "a backup of version 2"),
        (file, (), 66, "give its private half with --opening"),
        (file, ("--opening", others / "opening.pem"), 77, "that is not the one given"),
    ]:
        ended = await refusal(venue, *command(venue, "restore", name, *own, *options))
        assert ended.exit_code == code and words in ended.errors, (name, options, ended)
    ended = await refusal(venue, *command(venue, "restore", file, "--keys", others, "--yes", *opening))
    assert ended.exit_code == 77 and "belongs to the operator key" in ended.errors, ended
    ended = await refusal(venue, *command(venue, "restore", file, "--keys", keys, *opening))
    assert ended.exit_code == 64 and "confirm with --yes" in ended.errors, ended
