"""Identities that follow from published keys. Only Python's standard library, so that no cluster lacks anything.

The AES of Exposure Notification is left to Spark's own `aes_encrypt` (expansion.py).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from datetime import date

HERALD_PERIODS = 240
HERALD_PERIOD_SECONDS = 360
HOUR = 3_600
DAY = 86_400

EPOCH = date(1970, 1, 1)


def exposure_keys(key: bytes) -> tuple[bytes, bytes]:
    """The keys of identifiers (RPIK) and of metadata (AEMK) of a temporary exposure key.

    Source: Exposure Notification, Cryptography Specification 1.2.
    """
    secret = hmac.digest(bytes(32), key, "sha256")
    labels = (b"EN-RPIK", b"EN-AEMK")
    identifiers, metadata = (hmac.digest(secret, label + b"\x01", "sha256")[:16] for label in labels)
    return identifiers, metadata


def herald_identifiers(key: bytes) -> Iterator[tuple[int, bytes]]:
    """The periods of a day, from the last to the first, and the contact identifiers of a matching key.

    Source: the Simple payload of Herald for iOS and Android.
    """
    seed = hashlib.sha256(key).digest()
    for period in range(HERALD_PERIODS, -1, -1):
        before = hashlib.sha256(seed[:16]).digest()
        # The schedule's 241st key belongs to no time.
        if period < HERALD_PERIODS:
            mixed = bytes(one ^ other for one, other in zip(seed, before, strict=True))
            yield period, hashlib.sha256(mixed).digest()[:16]
        seed = before


def covid_tracer_identifiers(day: str, key: bytes) -> Iterator[tuple[int, bytes]]:
    """The hours of a day such as 2020-04-25, and the identifiers of its key."""
    for hour in range(24):
        yield hour, hmac.digest(key, f"{day}T{hour:02}".encode(), "sha256")[:20]


def days_since_1970(day: str) -> int:
    """The number of a day such as 2020-04-25."""
    return (date.fromisoformat(day) - EPOCH).days
