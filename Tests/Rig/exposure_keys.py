"""The derivations from a day's key of Exposure Notification, implemented apart from the project's code.

Source: Apple's and Google's Cryptography Specification, version 1.2.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PREFIX = bytes.fromhex("02011a03036ffd17166ffd")
"""The beginning of an advert, before the identifier (16 bytes) and the metadata (4)."""

VERSION_1 = 0x40


@dataclass(frozen=True)
class ExposureKey:
    """A temporary exposure key."""

    key: bytes

    def identifier(self, interval: int) -> bytes:
        """The rolling proximity identifier of a ten-minute interval, counted from 1970."""
        cipher = Cipher(algorithms.AES(self._derived(b"EN-RPIK")), modes.ECB()).encryptor()
        return cipher.update(b"EN-RPI" + bytes(6) + struct.pack("<I", interval))

    def encrypted(self, metadata: bytes, identifier: bytes) -> bytes:
        """Encrypts metadata as sent beside that identifier, or decrypts it."""
        cipher = Cipher(algorithms.AES(self._derived(b"EN-AEMK")), modes.CTR(identifier)).encryptor()
        return cipher.update(metadata)

    def said(self, interval: int, tx_power_dbm: int) -> bytes:
        """The twenty bytes after the prefix."""
        identifier = self.identifier(interval)
        return identifier + self.encrypted(struct.pack("Bbxx", VERSION_1, tx_power_dbm), identifier)

    def _derived(self, label: bytes) -> bytes:
        return HKDF(hashes.SHA256(), 16, None, label).derive(self.key)
