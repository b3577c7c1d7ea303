"""The packets that RootCanal's controllers exchange on the air."""

from __future__ import annotations

from enum import IntEnum

CONNECTION_TIMEOUT = 0x08
"""The HCI error code of a link that has exceeded its supervision timeout."""
CONNECTION_FAILED_TO_BE_ESTABLISHED = 0x3E
"""The HCI error code of a link whose connection request was lost or came too late."""


class Pdu(IntEnum):
    """RootCanal's link-layer packet types, in a packet's first byte.

    Sender and receiver address follow, 6 bytes each.
    """

    ACL = 0x01
    DISCONNECT = 0x05
    LEGACY_ADVERTISING = 0x0B
    CONNECT = 0x0C
    CONNECT_COMPLETE = 0x0D
    SCAN = 0x0E
    SCAN_RESPONSE = 0x0F
    EXTENDED_ADVERTISING = 0x37
    PERIODIC_ADVERTISING = 0x40


ADVERTISING = {Pdu.LEGACY_ADVERTISING, Pdu.EXTENDED_ADVERTISING, Pdu.PERIODIC_ADVERTISING}
UNACKNOWLEDGED = ADVERTISING | {Pdu.CONNECT, Pdu.SCAN, Pdu.SCAN_RESPONSE}
"""The packets of the advertising channels, which are never repeated. Links repeat theirs until the end."""


def sender_of(pdu: bytes) -> bytes:
    """The sender's address of a packet."""
    return pdu[1:7]


def receiver_of(pdu: bytes) -> bytes:
    """The receiver's address of a packet; meaningless in adverts, which have no single receiver."""
    return pdu[7:13]


def disconnect(sender: bytes, receiver: bytes, reason: int) -> bytes:
    """The packet that ends a link."""
    return bytes([Pdu.DISCONNECT]) + sender + receiver + bytes([reason])


def connect_complete(request: bytes) -> bytes:
    """The answer to a connection request, in its receiver's name, with the same parameters."""
    return bytes([Pdu.CONNECT_COMPLETE]) + receiver_of(request) + sender_of(request) + request[13:]


def requested_interval_seconds(request: bytes) -> float:
    """The connection interval in a connection request or its answer.

    These end with the address types, interval, latency and timeout.
    """
    return int.from_bytes(request[-6:-4], "little") * 0.00125


def requested_supervision_seconds(request: bytes) -> float:
    """The supervision timeout in a connection request or its answer."""
    return int.from_bytes(request[-2:], "little") * 0.01
