#!/usr/bin/env python3
"""Measures the arithmetic of the schemes for a computer with very many keys, and a board's cryptography.
Plain C programs run beside them, on the same libraries.

Fails if the two programs' results differ, or if the board's image has an allocator. Also fails if its
instructions exceed the direct calls' by more than the goal, because instructions are exact. Times, all of the
processor, never fail it; docs/bounds.md has their reference values.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from images import OUTPUT, ROOT, TOOLCHAIN, allocators, build_floor, build_tabard, run

BENCHMARKS = ROOT / "Tests/Benchmarks"
# Times are the best of this many passes; the programs take turns.
ROUNDS, PASSES = 3, 3
SCHEMES = {
    # name in the programs' output: (label here, unit of the figures, its name, goal)
    "exposure-identifiers": ("Exposure Notification, identifiers made", 1e6, "million", 100),
    "exposure-keys-matched": ("its keys matched against 100,000 heard", 1e3, "thousand", 300),
    "herald-days": ("Herald, days expanded", 1e3, "thousand", 15),
    "covidtracer-days": ("CovidTracer, days from their roots", 1e3, "thousand", None),
    "sonar-resolutions": ("Sonar, payloads resolved", 1e3, "thousand", 20),
}
GOAL_RATIO = 1.15
# A board's operations, and how many rounds are counted of each.
OPERATIONS = {"SHA-256 of 64 bytes": 200, "HMAC-SHA-256 of 64 bytes": 200, "AES-128-GCM of 64 bytes": 200, "ECDH P-256": 2}


def measure_schemes() -> None:
    """Measures Tabard beside C with many keys, per second and core."""
    run("swift", "build", "-c", "release", "--product", "scheme-benchmark")
    floor = OUTPUT / "scheme-floor"
    run(TOOLCHAIN / "clang", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{BENCHMARKS / 'Common'}", BENCHMARKS / "SchemeFloor/floor.c",
        "-o", floor, "-lcrypto")  # fmt: skip
    best: dict[str, dict[str, float]] = {}
    sums: dict[str, set[str]] = {}
    for _ in range(ROUNDS):
        for program, image in {"Tabard": ROOT / ".build/release/scheme-benchmark", "C": floor}.items():
            for line in run(image, OUTPUT / "schemes.input", str(PASSES)).splitlines():
                name, count, nanoseconds, total = line.split()
                rates = best.setdefault(name, {})
                rates[program] = max(rates.get(program, 0), int(count) / int(nanoseconds) * 1e9)
                sums.setdefault(name, set()).add(total)
    differing = [name for name, totals in sums.items() if len(totals) > 1]
    if differing:
        sys.exit(f"bench: Tabard and C come to different results: {', '.join(differing)}")
    print(f"{'schemes, per second and core':42}{'C':>8}{'Tabard':>8}{'C : T':>7}   aim")
    for name, (label, unit, word, goal) in SCHEMES.items():
        c, tabard = best[name]["C"] / unit, best[name]["Tabard"] / unit
        print(f"{label:42}{c:8.1f}{tabard:8.1f}{c / tabard:7.2f}   {'' if goal is None else f'{goal} '}{word}")
    print(f"{'of which the points checked, multiplied':42}{best['sonar-multiplications']['C'] / 1e3:8.1f}")
    speed = re.search(r"nistp256\)\s+\S+\s+([\d.]+)", run("openssl", "speed", "-seconds", "1", "ecdhp256"))
    if speed:
        print(f"{'one by one: openssl speed ecdhp256':42}{float(speed[1]) / 1e3:8.1f}")


def instructions(image: Path, operation: int, rounds: int) -> tuple[float, str]:
    """The instructions of one round, without the set-up before the first, and the result."""
    counts = []
    for count in (rounds, 2 * rounds):
        written = run("valgrind", "--tool=callgrind", "--toggle-collect=crypto_pass", "--callgrind-out-file=/dev/null",
                      image, str(operation), str(count))  # fmt: skip
        counts.append(int(re.search(r"Collected : (\d+)", written)[1]))
    return (counts[1] - counts[0]) / rounds, re.search(r"^result (\d+)", written, re.MULTILINE)[1]


def measure_cryptography() -> list[str]:
    """Measures a board's cryptography through our module and by direct calls. Returns the missed goals."""
    pool = ROOT / "Sources/CMbedTLS"
    sources = [BENCHMARKS / "CryptographyHarness/main.c", BENCHMARKS / "CryptographyFloor/floor.c", pool / "pool.c"]
    includes = [BENCHMARKS / "CryptographyHarness", pool / "include"]
    floor = build_floor("cryptography-floor", "-Os", sources, includes, ("mbedcrypto",))
    tabard = build_tabard("cryptography-benchmark", OUTPUT / "cryptography")
    found = allocators(tabard)
    if found:
        sys.exit(f"bench: an allocator is in the image: {', '.join(found)}")
    missed = []
    print(f"\n{'a board, instructions each':42}{'C':>9}{'Tabard':>9}{'T : C':>7}   at most {GOAL_RATIO}")
    for number, (label, rounds) in enumerate(OPERATIONS.items()):
        counts = [instructions(image, number, rounds) for image in (floor, tabard)]
        (plain, expected), (ours, result) = counts
        if result != expected:
            sys.exit(f"bench: {label}: Tabard and C come to different results")
        print(f"{label:42}{plain:9.0f}{ours:9.0f}{ours / plain:7.2f}")
        if ours > GOAL_RATIO * plain:
            missed.append(f"{label}: {ours / plain:.2f} times the plain call, goal {GOAL_RATIO}")
    return missed


def main() -> None:
    OUTPUT.mkdir(parents=True, exist_ok=True)
    measure_schemes()
    missed = measure_cryptography()
    if missed:
        sys.exit("bench: " + "; ".join(missed))


if __name__ == "__main__":
    main()
