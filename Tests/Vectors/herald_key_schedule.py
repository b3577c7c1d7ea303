#!/usr/bin/env python3
"""Writes herald-contact-identifiers.csv: contact identifiers of Herald's Simple payload.

The secret is 2,048 zero bytes.

It shares nothing with our sources. Herald's own test suite has such a file for days 0 to 10 (contactIdentifier.csv of
herald-for-cpp, herald-tests/android and ios, MD5 15c8034f9e310845f5480e2939b00795); that file is made here as well, in
memory, and must have that checksum. Ours leaves the keys out, and adds the last two days.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from pathlib import Path

LAST_DAY = 2000
PERIODS = 240
HERALDS_FILE_MD5 = "15c8034f9e310845f5480e2939b00795"


def sha256(message: bytes) -> bytes:
    return hashlib.sha256(message).digest()


def keys(secret: bytes, last: int) -> list[bytes]:
    """All keys of a chain whose seeds go down from the hash of the secret."""
    seeds = [sha256(secret)]
    while len(seeds) < last + 2:
        seeds.append(sha256(seeds[-1][:16]))
    seeds.reverse()  # the first is the one "before 0"
    return [sha256(bytes(a ^ b for a, b in zip(seeds[n + 1], seeds[n]))) for n in range(last + 1)]


def main() -> None:
    matching_keys = keys(bytes(2048), LAST_DAY)
    heralds = ["day,period,matchingKey,contactKey,contactIdentifier"]
    ours = ["day,period,identifier"]
    for day in [*range(11), LAST_DAY - 1, LAST_DAY]:
        # Herald's file goes one period beyond the day.
        for period, key in enumerate(keys(matching_keys[day], PERIODS)):
            columns = [b64encode(part).decode() for part in (matching_keys[day], key, key[:16])]
            if day <= 10:
                heralds.append(",".join([str(day), str(period), *columns]))
            ours.append(f"{day},{period},{key[:16].hex()}")
    md5 = hashlib.md5(("\n".join(heralds) + "\n").encode()).hexdigest()
    assert md5 == HERALDS_FILE_MD5, f"days 0 to 10 are not those of Herald: {md5}"
    path = Path(__file__).with_name("herald-contact-identifiers.csv")
    path.write_text("\n".join(ours) + "\n")


if __name__ == "__main__":
    main()
