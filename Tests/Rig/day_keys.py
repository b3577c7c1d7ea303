"""Day keys as a board stores them (docs/keys.md), implemented apart from the board's code."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

HERALD = 1
COVID_TRACER = 3
HEAD = struct.Struct(">8sBBBIH")


@dataclass(frozen=True)
class DayKeys:
    scheme: int
    first_day: int
    keys: tuple[bytes, ...]
    is_root_in_clear: bool = False

    @classmethod
    def read(cls, path: Path) -> DayKeys:
        record = path.read_bytes()
        magic, version, scheme, flags, first_day, count = HEAD.unpack_from(record)
        assert (magic, version) == (b"TABARDDK", 1)
        assert len(record) == HEAD.size + 32 * count + 4
        assert record[-4:] == zlib.crc32(record[:-4]).to_bytes(4, "big")
        keys = tuple(record[HEAD.size + 32 * n : HEAD.size + 32 * (n + 1)] for n in range(count))
        return cls(scheme, first_day, keys, flags == 1)

    @property
    def record(self) -> bytes:
        head = HEAD.pack(
            b"TABARDDK", 1, self.scheme, int(self.is_root_in_clear), self.first_day, len(self.keys)
        )
        record = head + b"".join(self.keys)
        return record + zlib.crc32(record).to_bytes(4, "big")

    def of(self, unix_seconds: float) -> bytes:
        return self.keys[int(unix_seconds) // 86_400 - self.first_day]
