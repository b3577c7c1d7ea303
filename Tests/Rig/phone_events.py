"""What can happen to a phone: the entries of its journals. Times are wall clock, seconds since 1970."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PayloadRead:
    """A phone, as client, read someone's payload."""

    at: float
    address: str
    payload: bytes
    mtu: int
    rssi_dbm: int


@dataclass(frozen=True)
class IdentityLearnt:
    """An app has learnt who somebody near is, and how strong he was then."""

    at: float
    address: str
    identity: bytes
    rssi_dbm: int


@dataclass(frozen=True)
class PayloadServed:
    """Someone read the phone's payload: one entry per connection, however many requests it took."""

    at: float
    reader: str
    mtu: int


@dataclass(frozen=True)
class SignalReceived:
    """Someone wrote to the phone's signal characteristic."""

    at: float
    writer: str
    value: bytes


@dataclass(frozen=True)
class LinkEvent:
    """A connection began or ended; `reason` is the HCI error code, `seconds` its length."""

    at: float
    what: str
    peer: str
    is_central: bool
    reason: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Failure:
    """An attempt to read a beacon failed; there will be another."""

    at: float
    why: str
