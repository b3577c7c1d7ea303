"""The events of a phone, recorded in its journals. Times are wall clock, seconds since 1970."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PayloadRead:
    """A phone, as client, has read a payload."""

    at: float
    address: str
    payload: bytes
    mtu: int
    rssi_dbm: int


@dataclass(frozen=True)
class IdentityLearnt:
    """An app has learnt the identity of a nearby device, with its RSSI at that time."""

    at: float
    address: str
    identity: bytes
    rssi_dbm: int


@dataclass(frozen=True)
class PayloadServed:
    """A peer has read the phone's payload: one entry per connection, however many requests it took."""

    at: float
    reader: str
    mtu: int


@dataclass(frozen=True)
class SignalReceived:
    """A peer has written to the phone's signal characteristic."""

    at: float
    writer: str
    value: bytes


@dataclass(frozen=True)
class LinkEvent:
    """A connection began or ended; `reason` is the HCI error code, `seconds` the duration."""

    at: float
    what: str
    peer: str
    is_central: bool
    reason: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Failure:
    """An attempt to read a beacon failed; another one follows."""

    at: float
    why: str
