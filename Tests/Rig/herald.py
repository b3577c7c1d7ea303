"""Herald on the wire, as the rig's phones use it, implemented apart from the agent's code for comparison.

Numbers and layouts follow the protocol's published sources; integers on the air are little-endian.
"""

from __future__ import annotations

import hashlib
import struct

from bumble.core import UUID

SERVICE = UUID("FCF6")
"""Herald's service since version 2.1."""
LEGACY_SERVICE = UUID("428132af-4746-42d3-801e-4572d65bfd9b")
"""Herald's service up to version 2.0."""
PAYLOAD = UUID("3e98c0f8-8f05-4829-a121-43e38f8933e7")
COMPLIANT_SIGNAL = UUID("f617b813-092e-437a-8324-e09a80821a11")
"""The signal characteristic of Android phones and beacons: write with response."""
NON_COMPLIANT_SIGNAL = UUID("0eb0d5f2-eae4-4a9a-8af3-a4adb02d4363")
"""The signal characteristic of iPhones: write and notify."""

MANUFACTURER = 0x05F1
LEGACY_MANUFACTURER = 0xFFFA
APPLE = 0x004C

BEACON_ADVERT_PREFIX = bytes.fromhex("0201060303F6FC11079BFD5BD672451E80D3424647AF328142020A")
"""A venue beacon's advert up to its last byte, the TX power: flags, both services, 28 bytes in all."""


def is_board(advert: bytes) -> bool:
    """Whether this is a board's advert, with any of its 128-bit services and any TX power."""
    prefix = BEACON_ADVERT_PREFIX
    return len(advert) == len(prefix) + 1 and advert[:9] == prefix[:9] and advert[25:27] == prefix[25:]


FRAGMENT_BYTES = 20
"""Android phones split signal messages into writes of this size."""


def structure(kind: int, data: bytes) -> bytes:
    """One AD structure: length byte, type, data."""
    return bytes([len(data) + 1, kind]) + data


def flags(value: int) -> bytes:
    return structure(0x01, bytes([value]))


def service_list(service: UUID) -> bytes:
    """The complete list of 16-bit or of 128-bit services, with one in it."""
    data = bytes(service)
    return structure(0x03 if len(data) == 2 else 0x07, data)


def tx_power(dbm: int) -> bytes:
    return structure(0x0A, struct.pack("b", dbm))


def local_name(name: str) -> bytes:
    return structure(0x09, name.encode())


def manufacturer_data(manufacturer: int, data: bytes) -> bytes:
    return structure(0xFF, struct.pack("<H", manufacturer) + data)


def overflow_area(mask_bit_byte: int = 10, mask_bit: int = 0x20) -> bytes:
    """An iPhone's overflow area in the background: 16 bytes, by default with the legacy service's bit."""
    mask = bytearray(16)
    mask[mask_bit_byte] = mask_bit
    return manufacturer_data(APPLE, b"\x01" + bytes(mask))


def simple_payload(seed: str, country: int = 826, state: int = 4) -> bytes:
    """A phone's 21-byte payload: type 0x10, country, state, 16 bytes of contact identifier."""
    return struct.pack("<BHH", 0x10, country, state) + hashlib.sha256(seed.encode()).digest()[:16]


def beacon_payload(country: int, state: int, location: int, **texts: str) -> bytes:
    """A venue beacon's payload: type 0x30, country, state, location code, then texts.

    The texts are name, area, disambiguation and url.
    """
    codes = {"name": 0x10, "area": 0x11, "disambiguation": 0x12, "url": 0x13}
    payload = struct.pack("<BHHI", 0x30, country, state, location)
    for key, code in codes.items():
        if text := texts.get(key, "").encode():
            payload += bytes([code, len(text)]) + text
    return payload


def write_payload(payload: bytes) -> bytes:
    """Signal message 1: the payload of a phone that cannot advertise."""
    return struct.pack("<BH", 1, len(payload)) + payload


def write_rssi(rssi_dbm: int) -> bytes:
    """Signal message 2: the RSSI at which a phone receives the board."""
    return struct.pack("<Bh", 2, rssi_dbm)


def immediate_send(data: bytes) -> bytes:
    """Signal message 4: data for the application at once."""
    return struct.pack("<BH", 4, len(data)) + data


def fragments(message: bytes) -> list[bytes]:
    """The writes in which an Android phone sends a message."""
    return [message[start : start + FRAGMENT_BYTES] for start in range(0, len(message), FRAGMENT_BYTES)]
