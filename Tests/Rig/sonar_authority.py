"""Sonar's authority, which is the operator's program, and installations that it has registered.

The app's use of such a registration is implemented here, apart from the project's code.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import hmac
import json
import stat
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF

from desk import Desk

DAY = 86_400


@dataclass(frozen=True)
class Installation:
    """An app with its authority's data, as stored in a board's file."""

    number: bytes
    secret: bytes
    authority: ec.EllipticCurvePublicKey
    country: int

    @staticmethod
    def read(path: Path) -> Installation:
        record = path.read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert len(record) == 127 and record[:9] == b"TABARDSO\x01"
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + record[57:121])
        return Installation(record[9:25], record[25:57], point, int.from_bytes(record[121:123], "big"))

    @property
    def name(self) -> str:
        digits = self.number.hex()
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def broadcast(self, begin: int) -> bytes:
        """The broadcast value of the day that begins at `begin`."""
        own = ec.generate_private_key(ec.SECP256R1())
        point = own.public_key().public_numbers()
        coordinates = point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big")
        shared = own.exchange(ec.ECDH(), self.authority)
        keys = X963KDF(hashes.SHA256(), 32, b"\x04" + coordinates).derive(shared)
        message = struct.pack(">II16sH", begin, begin + DAY, self.number, self.country)
        return struct.pack(">H", self.country) + coordinates + AESGCM(keys[:16]).encrypt(keys[16:], message, None)

    def answer(self, broadcast: bytes, unix_seconds: int, tx_power_dbm: int = 0) -> bytes:
        """The answer to a read at that time."""
        signed = broadcast + struct.pack(">bI", tx_power_dbm, unix_seconds)
        return signed + hmac.digest(self.secret, signed, hashlib.sha256)[:16]

    def upload(self, readings: Sequence[tuple[bytes, float, int]]) -> bytes:
        """The upload of an iPhone whose owner coughs.

        Each reading has the payload read (129 bytes), the time (seconds since 1970) and the RSSI.
        """
        now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        body = {
            "sonarId": self.name.upper(),
            "symptoms": ["COUGH"],
            "symptomsTimestamp": now,
            "contactEvents": [_contact(*reading) for reading in readings],
        }
        content = json.dumps(body).encode()
        signature = hmac.digest(self.secret, now.encode() + content, hashlib.sha256)
        fields = {
            "Host": "sonar.example",
            "Sonar-Request-Timestamp": now,
            "Sonar-Message-Signature": base64.b64encode(signature).decode(),
            "Content-Length": len(content),
        }
        lines = ["PATCH /api/proximity-events/upload HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
        return "\r\n".join([*lines, "", ""]).encode() + content


def _contact(payload: bytes, at: float, rssi_dbm: int) -> dict[str, object]:
    country, cryptogram, tx_power_dbm, sent_at, code = struct.unpack(">H106sbI16s", payload)
    return {
        "encryptedRemoteContactId": base64.b64encode(cryptogram).decode(),
        "rssiValues": [rssi_dbm],
        "rssiIntervals": [0],
        "timestamp": int(at),
        "duration": 0,
        "txPowerInProtocol": tx_power_dbm,
        "txPowerAdvertised": -128,
        "hmacSignature": base64.b64encode(code).decode(),
        "transmissionTime": sent_at,
        "countryCode": country,
    }


@dataclass(frozen=True)
class SonarAuthority:
    """The authority's folder."""

    desk: Desk
    folder: Path

    @property
    def register(self) -> Path:
        return self.folder / "register.json"

    async def install(self, name: str) -> tuple[Installation, Path, str]:
        """Registers an app; returns it with its file and its reference code."""
        path = self.folder / name
        command = ("authority", "sonar", "register", "--key", self.folder / "sonar.pub.pem", "--register", self.register)
        said = await self.desk.run_well(*command, "--output", path)
        installation = Installation.read(path)
        assert said.startswith(f"installation {installation.name}, reference code "), said
        return installation, path, said.split("reference code ")[1].split(":")[0]

    async def resolved(self, upload: bytes) -> list[str | None]:
        """The installations of an upload's contacts; None for a contact that the authority refuses."""
        path = self.folder / f"upload-{time.time_ns()}.http"
        path.write_bytes(upload)
        contacts = (await self.desk.document(*self.resolve(path, "--format", "json")))["contacts"]
        return [contact["installation"] for contact in contacts]

    def resolve(self, upload: Path, *options: str) -> tuple[str | Path, ...]:
        """The command that resolves an upload."""
        keys = ("--key", self.folder / "sonar.pem", "--register", self.register)
        return ("authority", "sonar", "resolve", upload, *keys, *options)


async def sonar_authority(desk: Desk, name: str) -> SonarAuthority:
    """An authority with a fresh pair of keys."""
    folder = desk.folder / name
    folder.mkdir()
    await desk.run_well("authority", "sonar", "new", "--directory", folder)
    assert stat.S_IMODE((folder / "sonar.pem").stat().st_mode) == 0o600
    return SonarAuthority(desk, folder)
