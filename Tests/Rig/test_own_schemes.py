"""The agent's identity in schemes other than Herald, as phones of these schemes see it.

The identities are checked by arithmetic that is independent of the project's code.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import struct
import time
import uuid
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bumble.core import UUID
from bumble.device import Peer
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import btsnoop
import herald
from day_keys import COVID_TRACER, DayKeys
from phone_kinds import ANDROID_CURRENT
from scheme_uuids import (
    BLE_PROXIMITY,
    BLE_PROXIMITY_IDENTITY,
    COVID_TRACER_IDENTITY,
    SONAR,
    SONAR_IDENTITY,
    SONAR_KEEP_ALIVE,
)
from test_beacon import connect, listen
from venue import TX_POWER_DBM, Venue

INSTALLATION = uuid.UUID("e1d160c7-f6e8-48bc-8687-63c696d910cb")


def secret_file(venue: Venue, ending: str) -> Path:
    return venue.directory / "agent" / f"encounters.log.keys{ending}"


class Authority:
    """Sonar's authority: registers one board, and resolves payloads read from it."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = secrets.token_bytes(32)

    def register(self, venue: Venue) -> None:
        numbers = self.key.public_key().public_numbers()
        record = (
            b"TABARDSO\x01" + INSTALLATION.bytes + self.secret
            + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big") + struct.pack(">H", 826)
        )  # fmt: skip
        path = secret_file(venue, ".sonar")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)
        path.write_bytes(record + struct.pack(">I", zlib.crc32(record)))

    def resolve(self, payload: bytes) -> tuple[int, int, uuid.UUID, int]:
        """Start, end, installation and country of a payload, after all possible checks."""
        assert len(payload) == 129
        assert payload[:2] == struct.pack(">H", 826)
        signed, code = payload[:113], payload[113:]
        assert hmac.new(self.secret, signed, hashlib.sha256).digest()[:16] == code
        point = b"\x04" + payload[2:66]
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        agreed = self.key.exchange(ec.ECDH(), public)
        derived = hashlib.sha256(agreed + b"\x00\x00\x00\x01" + point).digest()
        cipher = Cipher(algorithms.AES(derived[:16]), modes.GCM(derived[16:], payload[92:108])).decryptor()
        start, end, installation, country = struct.unpack(">II16sH", cipher.update(payload[66:92]) + cipher.finalize())
        return start, end, uuid.UUID(bytes=installation), country


async def read(peer: Peer, characteristic: UUID) -> bytes:
    return bytes(await peer.read_value(peer.get_characteristics_by_uuid(characteristic)[0]))


@pytest.mark.parametrize("mtu", [131, 23], ids=["MTU first", "long read at MTU 23"])
async def test_sonars_answer_is_resolved_by_its_authority(venue: Venue, mtu: int) -> None:
    authority = Authority()
    authority.register(venue)
    await venue.start_agent(schemes={"sonar": "on"})
    began = time.time()
    _, peer = await connect(venue, mtu=mtu)
    payload = await read(peer, SONAR_IDENTITY)
    start, end, installation, country = authority.resolve(payload)
    assert (installation, country) == (INSTALLATION, 826)
    assert start <= began < end and end - start == 86_400 and start % 86_400 == 0
    power, seconds = struct.unpack(">bI", payload[108:113])
    assert power == TX_POWER_DBM
    assert int(began) <= seconds <= time.time()
    again = await read(peer, SONAR_IDENTITY)
    assert again[:108] == payload[:108]
    authority.resolve(again)


async def test_without_a_registration_the_answer_is_empty(venue: Venue) -> None:
    await venue.start_agent(schemes={"sonar": "on"})
    _, peer = await connect(venue, mtu=131)
    assert await read(peer, SONAR_IDENTITY) == b""


async def test_a_damaged_registration_keeps_the_agent_from_starting(venue: Venue) -> None:
    Authority().register(venue)
    path = secret_file(venue, ".sonar")
    record = bytearray(path.read_bytes())
    record[30] ^= 1
    path.write_bytes(record)
    await venue.open_endpoint()
    agent = venue.prepare_agent(schemes={"sonar": "on"})
    await agent.start(venue.endpoint.transport)
    await agent.line(f"schemes.sonar: {path}: not a Tabard record, or damaged")
    assert await agent.stop() == 65


def identifier_at(keys: DayKeys, time: datetime) -> bytes:
    day = keys.of(time.timestamp())
    return hmac.new(day, time.strftime("%Y-%m-%dT%H").encode(), hashlib.sha256).digest()[:20]


async def test_covid_tracers_identifier_follows_from_the_days_key(venue: Venue) -> None:
    began = datetime.now(UTC)
    await venue.start_agent(schemes={"covid_tracer": "on"})
    _, peer = await connect(venue)
    identifier = await read(peer, COVID_TRACER_IDENTITY)
    path = secret_file(venue, ".covid-tracer")
    assert path.stat().st_mode & 0o777 == 0o600
    keys = DayKeys.read(path)
    assert keys.scheme == COVID_TRACER
    assert identifier in (identifier_at(keys, began), identifier_at(keys, datetime.now(UTC)))


async def test_ble_proximity_is_read_and_written(venue: Venue) -> None:
    await venue.start_agent(schemes={"ble_proximity": "on"})
    _, peer = await connect(venue)
    characteristic = peer.get_characteristics_by_uuid(BLE_PROXIMITY_IDENTITY)[0]
    await peer.write_value(characteristic, bytes(range(8)), with_response=True)
    own = await read(peer, BLE_PROXIMITY_IDENTITY)
    assert len(own) == 8
    assert await read(peer, BLE_PROXIMITY_IDENTITY) == own


async def test_adverts_take_turns_and_all_have_heralds_short_service(venue: Venue) -> None:
    Authority().register(venue)
    await venue.start_agent(schemes={"sonar": "on", "covid_tracer": "on", "ble_proximity": "on"})
    heard = await listen(await venue.phone(ANDROID_CURRENT))
    wanted = {bytes(service) for service in (SONAR, BLE_PROXIMITY, herald.LEGACY_SERVICE)}

    def has_had_all_turns(adverts: list[bytes]) -> bool:
        return {advert[9:25] for advert in adverts} == wanted

    await heard.until(has_had_all_turns, what="adverts of all three")
    assert all(advert.startswith(bytes.fromhex("0201060303f6fc")) for advert in heard)


async def test_with_several_sets_all_schemes_are_advertised_at_once(venue: Venue) -> None:
    """Each set has one identity, also while phones connect and return."""
    Authority().register(venue)
    agent = await venue.start_agent(
        schemes={"sonar": "on", "ble_proximity": "on", "exposure_notification": "on"},
        radio={"extended_commands": True},
    )
    heard = await listen(await venue.phone(ANDROID_CURRENT, "listener"))
    reader = await venue.phone(ANDROID_CURRENT, "reader", reads_beacons=True)
    await reader.read.first(what="read of the agent")
    await reader.served.first(what="read by the agent")
    seen = len(heard)
    wanted = {bytes(service) for service in (SONAR, BLE_PROXIMITY, herald.LEGACY_SERVICE)}

    def has_had_all(adverts: list[bytes]) -> bool:
        return {advert[9:25] for advert in adverts[seen:]} >= wanted

    await heard.until(has_had_all, what="adverts of all three behind the links")
    assert await agent.stop() == 0
    records = [record.packet for path in agent.snoop_paths for record in btsnoop.records(path)]
    told = [packet for packet in records if packet[:3] == b"\x01\x37\x20"]
    assert {packet[4] for packet in told} == {0, 1, 2, 3}
    assert len({(packet[4], packet[8:]) for packet in told}) == 4, "no set ever says anything else"


async def test_a_subscriber_to_keep_alives_gets_a_byte_every_eight_seconds(venue: Venue) -> None:
    Authority().register(venue)
    await venue.start_agent(schemes={"sonar": "on"})
    _, peer = await connect(venue, mtu=131)
    told: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
    keep_alive = peer.get_characteristics_by_uuid(SONAR_KEEP_ALIVE)[0]
    await peer.subscribe(keep_alive, lambda value: told.put_nowait((time.monotonic(), bytes(value))))
    async with asyncio.timeout(30):
        (first, one), (second, other), (third, last) = [await told.get() for _ in range(3)]
    assert {len(byte) for byte in (one, other, last)} == {1}
    assert 7 < third - second < 10 and 7 < second - first < 10
