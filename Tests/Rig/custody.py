"""The files of `tabardctl` about archives: tests that write into an archive act as its own computer."""

from __future__ import annotations

import hashlib
import hmac
import os
import sqlite3
import tempfile
from pathlib import Path


def isolate() -> None:
    """Gives the programs of this test run a configuration folder of their own."""
    os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="tabard-rig-")


def _folder() -> Path:
    return Path(os.environ["XDG_CONFIG_HOME"]) / "tabard"


def settle(archive: Path) -> None:
    """Moves everything into the archive's file, and records its state as `tabardctl` does at the end."""
    if not archive.exists():
        return
    database = sqlite3.connect(archive)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    record = _record(archive)
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text(_state(archive))


def is_settled(archive: Path) -> bool:
    """Whether nobody has written into the archive since its state was recorded, or it does not exist."""
    if not archive.exists():
        return True
    record, pending = _record(archive), archive.with_name(archive.name + "-wal")
    is_pending = pending.exists() and pending.stat().st_size > 0
    return not is_pending and record.exists() and record.read_text() == _state(archive)


def _record(archive: Path) -> Path:
    return _folder() / "archives" / hashlib.sha256(str(archive.resolve()).encode()).hexdigest()[:32]


def _state(archive: Path) -> str:
    status = os.stat(archive)
    times = [f"{nanoseconds // 10**9}.{nanoseconds % 10**9}" for nanoseconds in (status.st_mtime_ns, status.st_ctime_ns)]
    return f"{status.st_size} {status.st_ino} {times[0]} {times[1]} {archive.resolve()}"


def own_key_proof(board: bytes, key: bytes, *numbers: int) -> bytes:
    """The proof of a row of `ownKey`: scheme, first period, periods, boot and time are the numbers."""
    message = b"tabard archive row 1 ownKey\0"
    for blob in (board, key):
        message += len(blob).to_bytes(8, "little") + blob
    for number in numbers:
        message += (number % 2**64).to_bytes(8, "little")
    return hmac.new((_folder() / "archive.secret").read_bytes(), message, hashlib.sha256).digest()
