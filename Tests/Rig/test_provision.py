"""Whoever provisions a board says who it is: it gets the keys of days, and the secret stays with its owner."""

from __future__ import annotations

import hashlib
import hmac
import stat
import struct
import time
import zlib
from datetime import UTC, datetime
from pathlib import Path

import desk as desks
import herald_key_schedule
import pytest
from desk import Desk

DAY = 86_400
EPOCH = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) // DAY


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


def days_keys(record: bytes) -> tuple[int, int, list[bytes]]:
    """Scheme, first day and keys, as docs/keys.md has them."""
    assert record[:9] == b"TABARDDK\x01"
    assert struct.unpack(">I", record[-4:])[0] == zlib.crc32(record[:-4])
    scheme, flags, first, count = struct.unpack(">BBIH", record[9:17])
    assert flags == 0 and len(record) == 17 + 32 * count + 4
    return scheme, first, [record[17 + 32 * index : 49 + 32 * index] for index in range(count)]


async def test_a_file_for_the_card_has_the_keys_of_days_and_no_secret(desk: Desk) -> None:
    secret, output = desk.folder / "anna.herald", desk.folder / "keys.herald"
    herald = ("provision", "--scheme", "herald", "--secret", secret, "--output", output)
    before = int(time.time()) // DAY
    assert "made (secret)" in await desk.run_well(*herald, "--new")
    assert len(secret.read_bytes()) == 2048
    assert stat.S_IMODE(secret.stat().st_mode) == stat.S_IMODE(output.stat().st_mode) == 0o600
    scheme, first, keys = days_keys(output.read_bytes())
    assert scheme == 1 and len(keys) == 56 and before <= first <= int(time.time()) // DAY
    every = herald_key_schedule.keys(secret.read_bytes(), herald_key_schedule.LAST_DAY)
    assert keys == every[first - EPOCH : first - EPOCH + 56]

    output.unlink()
    await desk.run_well(*herald, "--from", "2026-12-01", "--days", "2", "--epoch", "2026-11-30")
    _, first, keys = days_keys(output.read_bytes())
    assert first == EPOCH + 334 and keys == every[1:3]

    root = desk.folder / "anna.root"
    root.write_bytes(bytes(range(32)))
    root.chmod(0o600)
    output.unlink()
    covid_tracer = ("provision", "--scheme", "covid-tracer", "--root", root, "--output", output)
    await desk.run_well(*covid_tracer, "--from", "2026-12-01", "--days", "1")
    assert days_keys(output.read_bytes()) == (
        3, EPOCH + 334, [hmac.digest(bytes(range(32)), b"2026-12-01", hashlib.sha256)],
    )  # fmt: skip


async def test_what_cannot_be_given(desk: Desk) -> None:
    secret, output = desk.folder / "secret", desk.folder / "output"
    secret.write_bytes(bytes(2048))
    secret.chmod(0o600)
    there = desk.folder / "there"
    there.touch()
    herald = ("--scheme", "herald", "--secret", secret)
    for options, code, text in [
        ((), 64, "--opening and --operator"),
        (("/dev/null", "--opening", "a.pem"), 64, "--opening and --operator"),
        (("/dev/null", "--opening", "a.pem", *herald), 64, "first the keys"),
        (herald, 64, "either the board's port or --output"),
        (("/dev/null", *herald, "--output", output), 64, "either the board's port or --output"),
        (("--scheme", "herald", "--output", output), 64, "wants --secret"),
        (("--scheme", "sonar", "--output", output), 64, "wants --registration"),
        ((*herald, "--root", secret, "--output", output), 64, "--root is for --scheme covid-tracer"),
        (("--scheme", "ble-proximity", "--new", "--output", output), 64, "--new makes the file"),
        (("--scheme", "ble-proximity", "--output", output), 64, "identities are random"),
        ((*herald, "--days", "57", "--output", output), 64, "from 1 to 56"),
        ((*herald, "--from", "2025-12-31", "--output", output), 64, "there is no key of 2025-12-31"),
        ((*herald, "--new", "--output", output), 73, "is there already"),
        ((*herald, "--output", there), 73, "is there already"),
        (("--scheme", "covid-tracer", "--root", secret, "--output", output), 65, "which has 32 bytes"),
        (("--scheme", "sonar", "--registration", secret, "--output", output), 65, "no registration"),
        (("--scheme", "herald", "--secret", desk.folder / "none", "--output", output), 66, "no such file"),
    ]:
        ended = await desk.run("provision", *options)
        assert ended.exit_code == code and text in ended.errors and not output.exists(), (options, ended)
    secret.chmod(0o644)
    ended = await desk.run("provision", *herald, "--output", output)
    assert ended.exit_code == 77 and not output.exists(), ended
