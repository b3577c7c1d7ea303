"""A thief reads the memory of a running agent, and finds nothing that the design calls gone.

The test reads `/proc/PID/mem`, and so needs root. Without root it is skipped, and says so.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
import smp
from agent import Agent, emulator_for, find_agent
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from journal import PATIENCE_SECONDS
from phone_kinds import ANDROID_CURRENT
from test_keys import pairs, provision
from venue import Venue, until_left_alone

PEERS = 64
"""The capacity of the agent's table; later visitors push earlier ones out of it."""
PASSERS_BY = int(os.environ.get("TABARD_PASSERS_BY", "160"))
"""How many phones pass by; a thousand take a quarter of an hour."""
AT_A_TIME = 8
BLOCK = 4096
SEGMENT = 64 * BLOCK
LINK = 28
"""The bytes of a page's link: chain value, page number, number of entries, acknowledged position."""


def memory(process: int) -> Iterator[bytes]:
    """The contents of all memory that the process may write."""
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb") as mem:
        for line in maps:
            words = line.split()
            if "w" not in words[1] or words[-1] in ("[vvar]", "[vsyscall]"):
                continue
            start, end = (int(number, 16) for number in words[0].split("-"))
            mem.seek(start)
            yield mem.read(end - start)


def page_keys(log: bytes, owner: ec.EllipticCurvePrivateKey) -> list[tuple[bytes, bytes]]:
    """Each sealed page's key, and the state from which it came, in the order of the file.

    Behind the end of the log the ring still has pages of its last round. The keys do not open those.
    """
    keys: list[tuple[bytes, bytes]] = []
    states: dict[int, list[bytes]] = {}
    segment, ordinal = -1, b""
    for start in range(0, len(log), BLOCK):
        page = log[start : start + BLOCK]
        if page[0] != 0xB2 or not page[1] & 1:
            continue
        flags, epoch = page[1], page[1] >> 4
        offset = 8
        if flags & 2:
            ordinal, first = page[offset + 8 : offset + 12], start - start % SEGMENT
            identity = page[offset + 20 : offset + 36]
            ephemeral = page[offset + 78 + 16 : offset + 78 + 80]
            point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + ephemeral)
            secret = owner.exchange(ec.ECDH(), point)
            salt, info = identity + ordinal + bytes([epoch]), b"tabard log 2" + ephemeral
            if first != segment:
                segment, states = first, {}
            states[epoch] = [HKDF(hashes.SHA256(), 32, salt, info).derive(secret)]
            offset += 78 + 168
        if epoch not in states:
            continue
        (number,) = struct.unpack_from("<H", page, offset + 16)
        ladder = states[epoch]
        while len(ladder) <= number:
            ladder.append(hmac.digest(ladder[-1], b"\x02", hashlib.sha256))
        key = hmac.digest(ladder[number], b"\x01", hashlib.sha256)
        if opens(key, page, ordinal, start % SEGMENT, offset + LINK):
            keys.append((key, ladder[number]))
    return keys


def opens(key: bytes, page: bytes, ordinal: bytes, offset: int, prefix: int) -> bool:
    """Whether the key decrypts a page at this place of a segment."""
    (content,) = struct.unpack_from("<H", page, 2)
    authenticated = ordinal + struct.pack("<I", offset) + page[:4] + page[8:prefix]
    try:
        AESGCM(key).decrypt(bytes(12), page[prefix : 8 + content], authenticated)
    except InvalidTag:
        return False
    return True


def need_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may read another process's memory; run this test as root")
    if emulator_for(find_agent()):
        pytest.skip("the memory of an emulated agent is the emulator's")


async def crowd(venue: Venue) -> list[bytes]:
    """Lets phones pass by, a few at a time, each until its payload was read; returns the payloads."""
    payloads = []
    for first in range(0, PASSERS_BY, AT_A_TIME):
        phones = [await venue.phone(ANDROID_CURRENT, f"phone {first + index}") for index in range(AT_A_TIME)]
        for phone in phones:
            await until_left_alone(phone)
            payloads.append(phone.payload)
            phone.switch_off()
            venue.phones.remove(phone)
    return payloads


async def until_all_have_left(agent: Agent) -> None:
    """Waits until no encounter is open any more, so that all of them are in the log."""
    with smp.Client(agent.sync_port) as client:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await asyncio.to_thread(client.ask, 0, 64, 0, {}))["open"]:
                await asyncio.sleep(0.2)


async def started(venue: Venue) -> Agent:
    await venue.open_endpoint()
    agent = venue.prepare_agent(encounters={"peers": PEERS, "sample_seconds": 1, "gap_seconds": 5})
    await agent.start_and_wait(venue.endpoint.transport, snoops=False)
    return agent


async def test_a_thief_with_the_memory_finds_no_earlier_page_key_and_nobody_who_has_left(venue: Venue) -> None:
    need_root()
    agent = await started(venue)
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    payloads = await crowd(venue)
    await until_all_have_left(agent)
    owner = load_pem_private_key(Path(keys / "opening.pem").read_bytes(), None)
    assert isinstance(owner, ec.EllipticCurvePrivateKey)
    used = page_keys(agent.log_path.read_bytes(), owner)
    assert len(used) >= 50, f"only {len(used)} pages were sealed"
    contents = list(memory(agent.process_identifier))

    def count(secret: bytes) -> int:
        return sum(part.count(secret) for part in contents)

    assert count(payloads[-1][5:]) > 0, "the search finds not even the last visitor, who is in the table"
    found = {index: count(key) + count(state) for index, (key, state) in enumerate(used)}
    assert not any(found.values()), {index: number for index, number in found.items() if number}
    gone = payloads[: -2 * PEERS]
    left = {index: count(payload[5:]) for index, payload in enumerate(gone)}
    assert gone and not any(left.values()), {index: number for index, number in left.items() if number}
