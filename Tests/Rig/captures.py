"""A btsnoop capture of H4 packets in the forms of other programs."""

from __future__ import annotations

import gzip
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import btsnoop

PACKETLOGGER_TYPES = {(1, False): 0, (4, True): 1, (2, False): 2, (2, True): 3, (3, False): 8, (3, True): 9}
MONITOR_CODES = {1: (2, 2), 4: (3, 3), 2: (4, 5), 3: (6, 7), 5: (18, 19)}
"""By H4 indicator: the codes of sent and received packets."""


def packetlogger(capture: Path, order: str) -> bytes:
    """As Apple's PacketLogger writes it, in either byte order."""
    file = b""
    for record in btsnoop.records(capture):
        seconds, microseconds = divmod(round(record.at * 1_000_000), 1_000_000)
        kind = PACKETLOGGER_TYPES[record.packet[0], record.is_received]
        file += struct.pack(order + "IIIB", len(record.packet) + 8, seconds, microseconds, kind) + record.packet[1:]
    return file


def pcap(capture: Path, order: str, link_type: int, nanoseconds: bool = False) -> bytes:
    """As pcap of a link type with HCI packets, in either byte order."""
    file = struct.pack(order + "IHHIIII", 0xA1B23C4D if nanoseconds else 0xA1B2C3D4, 2, 4, 0, 0, 65535, link_type)
    for record in btsnoop.records(capture):
        packet = framed(record, link_type)
        seconds, microseconds = divmod(round(record.at * 1_000_000), 1_000_000)
        fraction = microseconds * 1_000 if nanoseconds else microseconds
        file += struct.pack(order + "IIII", seconds, fraction, len(packet), len(packet)) + packet
    return file


def pcapng(capture: Path, order: str, link_type: int) -> bytes:
    """As pcapng with nanoseconds, in either byte order."""

    def block(kind: int, body: bytes) -> bytes:
        body += bytes(-len(body) % 4)
        length = struct.pack(order + "I", len(body) + 12)
        return struct.pack(order + "I", kind) + length + body + length

    file = block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
    resolution = struct.pack(order + "HHBxxxHH", 9, 1, 9, 0, 0)
    file += block(1, struct.pack(order + "HHI", link_type, 0, 0) + resolution)
    for record in btsnoop.records(capture):
        packet = framed(record, link_type)
        units = round(record.at * 1_000_000) * 1_000
        head = struct.pack(order + "IIIII", 0, units >> 32, units & 0xFFFFFFFF, len(packet), len(packet))
        file += block(6, head + packet)
    return file


def framed(record: btsnoop.Record, link_type: int) -> bytes:
    """The packet with the header of a link type."""
    match link_type:
        case 187:
            return record.packet
        case 201:
            return struct.pack(">I", record.is_received) + record.packet
        case 254:
            return struct.pack(">HH", 0, MONITOR_CODES[record.packet[0]][record.is_received]) + record.packet[1:]
    raise ValueError(f"link type {link_type} has no HCI packets")


FORMS: dict[str, Callable[[Path], bytes]] = {
    "packetlogger-big": lambda path: packetlogger(path, ">"),
    "packetlogger-little": lambda path: packetlogger(path, "<"),
    "pcap-187": lambda path: pcap(path, "<", 187),
    "pcap-201-big": lambda path: pcap(path, ">", 201),
    "pcap-201-nanoseconds": lambda path: pcap(path, "<", 201, nanoseconds=True),
    "pcap-254": lambda path: pcap(path, ">", 254),
    "pcapng-187-big": lambda path: pcapng(path, ">", 187),
    "pcapng-201": lambda path: pcapng(path, "<", 201),
    "pcapng-254": lambda path: pcapng(path, "<", 254),
    "btsnoop-gz": lambda path: gzip.compress(path.read_bytes()),
    "packetlogger-gz": lambda path: gzip.compress(packetlogger(path, "<")),
}


def bug_report(path: Path, captures: dict[str, bytes]) -> None:
    """Writes a zip file as Android does, with other files beside the captures."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as report:
        report.writestr("bugreport-2026-11-21.txt", "== dumpstate\n" * 1000)
        for name, content in captures.items():
            report.writestr(name, content)
        report.writestr("FS/data/misc/wifi/log.bin", bytes(range(256)) * 64)
