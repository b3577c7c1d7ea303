"""btsnoop captures: reading, joining, and checking with tshark."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import program

MAGIC = b"btsnoop\0"
VERSION = 1
DATALINK_H4 = 1002
_EPOCH_OFFSET_MICROSECONDS = 0x00DCDDB30F2F8000
"""btsnoop counts from the year 0."""


@dataclass(frozen=True)
class Record:
    """One captured H4 packet."""

    at: float
    """Wall clock, seconds since 1970."""
    is_received: bool
    """Whether the packet went from the controller to the host."""
    packet: bytes
    raw: bytes
    """The record's bytes in the file."""


def records(path: Path) -> Iterator[Record]:
    """The records of a capture, without a last one that a kill cut short. Raises ValueError on a bad header.
    """
    data = path.read_bytes()
    magic, version, datalink = struct.unpack_from(">8sII", data)
    if (magic, version, datalink) != (MAGIC, VERSION, DATALINK_H4):
        raise ValueError(f"{path} is not a btsnoop capture of H4 packets")
    offset = 16
    while offset + 24 <= len(data):
        original, included, flags, _drops, stamp = struct.unpack_from(">IIIIq", data, offset)
        end = offset + 24 + included
        if end > len(data):
            return
        if original != included:
            raise ValueError(f"{path} has a truncated packet at {offset}")
        at = (stamp - _EPOCH_OFFSET_MICROSECONDS) / 1e6
        yield Record(at, bool(flags & 1), data[offset + 24 : end], data[offset:end])
        offset = end


def join(pieces: Iterable[Path], output: Path) -> int:
    """Writes the pieces' records into one capture, in the order of time; returns their number."""
    everything = sorted((record for piece in pieces for record in records(piece)), key=lambda record: record.at)
    header = struct.pack(">8sII", MAGIC, VERSION, DATALINK_H4)
    output.write_bytes(header + b"".join(record.raw for record in everything))
    return len(everything)


@dataclass(frozen=True)
class Judgement:
    """tshark's findings about a capture."""

    packets: int
    malformed: int
    complaints: str

    @property
    def is_clean(self) -> bool:
        """Whether tshark read the whole capture without complaint."""
        return self.packets > 0 and self.malformed == 0 and not self.complaints


async def judge(path: Path) -> Judgement:
    """Lets tshark read a whole capture."""
    if shutil.which("tshark") is None:
        raise FileNotFoundError("tshark is not installed")
    everything, complaints = await _tshark(path)
    malformed, _ = await _tshark(path, "-Y", "_ws.malformed || _ws.expert.severity == error")
    return Judgement(len(everything), len(malformed), complaints)


async def fields(path: Path, filter: str, *names: str) -> list[list[str]]:
    """The named fields of the packets that pass a display filter."""
    options = [option for name in names for option in ("-e", name)]
    lines, _ = await _tshark(path, "-Y", filter, "-T", "fields", *options)
    return [line.split("\t") for line in lines]


async def _tshark(path: Path, *arguments: str) -> tuple[list[str], str]:
    ended = await program.run("tshark", "-r", path, *arguments)
    complaints = [
        line for line in ended.errors.splitlines() if line and "Running as user" not in line
    ]  # A warning about running as root does not concern the capture.
    return ended.output.splitlines(), "\n".join(complaints)
