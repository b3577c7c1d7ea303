"""A device that claims to be somebody's board: an SMP server on a pseudo-terminal, with any answers.

It knows what anybody with a cable can read from the true board, and has a key of its own, but not the board's.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import struct
import threading
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import smp

Body = dict[str, object]
Answer = Callable[[Body], Body]

READ, WRITE = 0, 2
NO_SUCH_COMMAND: Body = {"rc": 8}
NO_SUCH_FILE: Body = {"err": {"group": 8, "rc": 3}}
PIECE = 1_024


def recorded_status(port: Path) -> Body:
    """The true board's status, which anybody may read: its log, its boot, and more."""
    with smp.Client(port) as client:
        return client.ask(READ, 64, 0, {})


class HostileBoard:
    """Serves requests in a thread of its own until the `with` block ends."""

    def __init__(self, directory: Path, status: Body, segments: dict[int, bytes] | None = None) -> None:
        self.status = status
        self.segments = segments or {}
        self.geometry = (4_096, 4_096)
        self.key: ec.EllipticCurvePrivateKey | None = None
        """The key with which it signs; without one it refuses `keys`."""
        self.clock = int(str(status["ms"]))
        self.requests: list[tuple[int, int, int]] = []
        self.port = directory / "hostile"
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(os.ttyname(self._slave))
        self._stops, self._stop = os.pipe()

    def __enter__(self) -> HostileBoard:
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.write(self._stop, b"x")
        self._thread.join(5)
        for descriptor in (self._master, self._slave, self._stops, self._stop):
            os.close(descriptor)
        self.port.unlink(missing_ok=True)

    # Answers

    @property
    def log(self) -> bytes:
        log = self.status["log"]
        assert isinstance(log, bytes)
        return log

    @property
    def boot(self) -> int:
        return int(str(self.status["boot"]))

    def index(self) -> bytes:
        block, unit = self.geometry
        lines = [f"tabard-index 2 log={self.log.hex()} boot={self.boot:016x} block={block:05d} unit={unit:05d}"]
        newest = max(self.segments, default=0)
        for ordinal, content in sorted(self.segments.items()):
            state = "  open" if ordinal == newest else "closed"
            lines.append(f"segment {ordinal:08d} {len(content):010d} {state}")
        return "".join(line + "\n" for line in lines).encode()

    def file(self, name: str) -> bytes | None:
        if name.startswith("/index"):
            return self.index()
        if name.startswith("/log/"):
            return self.segments.get(int(name[5:]))
        return None

    def public_key(self) -> bytes:
        assert self.key is not None
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def manifest(self, body: Body) -> Body:
        """A statement about its log, signed with its own key."""
        if self.key is None:
            return NO_SUCH_COMMAND
        nonce = body["nonce"]
        assert isinstance(nonce, bytes)
        newest = max(self.segments, default=0)
        statement = struct.pack(
            "<B16sQ16sIII16sIIQ", 1, self.log, self.boot, nonce, min(self.segments, default=0), newest,
            len(self.segments.get(newest, b"")), b"\x11" * 16, 0, 0, self.clock,
        )  # fmt: skip
        signature = self.key.sign(b"tabard manifest 1" + statement, ec.ECDSA(hashes.SHA256()))
        r, s = decode_dss_signature(signature)
        return {"statement": statement, "sig": r.to_bytes(32, "big") + s.to_bytes(32, "big")}

    def answer(self, operation: int, group: int, command: int, body: Body) -> Body:
        """The answer to one request."""
        match (group, command):
            case (0, 0):
                return {"r": body["d"]}
            case (0, 6):
                return {"buf_size": 2_048, "buf_count": 1}
            case (64, 0):
                return self.status
            case (64, 3):
                self.clock += 1
                return {"boot": self.boot, "in": self.clock, "out": self.clock}
            case (64, 9) if operation == READ and self.key is not None:
                return {"board": self.public_key()}
            case (64, 6):
                return self.manifest(body)
            case (8, 0):
                content = self.file(str(body["name"]))
                if content is None:
                    return NO_SUCH_FILE
                offset = int(str(body["off"]))
                piece: Body = {"off": offset, "data": content[offset : offset + PIECE]}
                return piece | ({"len": len(content)} if offset == 0 else {})
            case (8, 2):
                content = self.file(str(body["name"]))
                if content is None:
                    return NO_SUCH_FILE
                start = int(str(body.get("off", 0)))
                part = content[start : start + int(str(body.get("len", len(content))))]
                return {"type": "sha256", "off": start, "len": len(part), "output": hashlib.sha256(part).digest()}
            case _:
                return NO_SUCH_COMMAND

    # The line

    def _serve(self) -> None:
        import select

        digits = b""
        pending = b""
        while True:
            ready, _, _ = select.select([self._master, self._stops], [], [])
            if self._stops in ready:
                return
            pending += os.read(self._master, 4_096)
            while b"\n" in pending:
                line, pending = pending.split(b"\n", 1)
                if line[:2] == b"\x06\x09":
                    digits = line[2:]
                elif line[:2] == b"\x04\x14":
                    digits += line[2:]
                else:
                    continue
                packet = self._packet(digits)
                if packet is not None:
                    digits = b""
                    os.write(self._master, smp.encode(self._response(packet)))

    @staticmethod
    def _packet(digits: bytes) -> bytes | None:
        try:
            whole = base64.b64decode(digits)
        except binascii.Error:
            return None
        if len(whole) < 2 or len(whole) < 2 + struct.unpack(">H", whole[:2])[0]:
            return None
        return whole[2:-2]

    def _response(self, packet: bytes) -> bytes:
        kind, _, _, group, sequence, command = struct.unpack(">BBHHBB", packet[:8])
        operation = kind & 7
        self.requests.append((operation, group, command))
        content = cbor2.dumps(self.answer(operation, group, command, cbor2.loads(packet[8:]) if packet[8:] else {}))
        header = struct.pack(">BBHHBB", (operation + 1) | 8, 0, len(content), group, sequence, command)
        return header + content


def new_key() -> ec.EllipticCurvePrivateKey:
    """A key of the attacker's own."""
    return ec.generate_private_key(ec.SECP256R1())
