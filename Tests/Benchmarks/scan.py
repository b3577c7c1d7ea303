#!/usr/bin/env python3
"""What an advertising report costs on the scan path, from H4 bytes to entries for the log, beside the least C that does
the same work (floor.c) on the same input.

Fails if the two do not count the same, or if there is an allocator in our image. The figures themselves fail nothing:
docs/bounds.md says what they are held against.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SDK = "linux-x86_64"
SYSROOT = ROOT / "build/sdk/boards.artifactbundle" / SDK / "sysroot"
TOOLCHAIN = Path(shutil.which("swiftc") or sys.exit("bench: swiftc is not in PATH")).resolve().parent
HARNESS = ROOT / "Tests/Benchmarks/ScanHarness"
FLOOR = ROOT / "Tests/Benchmarks/ScanFloor"
OUTPUT = ROOT / "build/bench"

# Times are the best of this many passes, the programs taking turns.
ROUNDS, PASSES = 5, 10
FIGURES = {"packets", "bytes", "best-nanoseconds", "resident-kibibytes"}
GOAL_INSTRUCTIONS, GOAL_RATIO = 400, 1.7


def run(*command: str | Path) -> str:
    """What a command writes; if it fails, all it has to say, and the end."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {command[0]} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def build_tabard() -> Path:
    """As boards/build builds the agent: Embedded Swift, -Osize, no allocations, musl, static."""
    scratch = ROOT / ".build" / SDK
    run("swift", "build", "-c", "release", "--scratch-path", scratch, "--swift-sdks-path", "build/sdk",
        "--swift-sdk", SDK, "--product", "scan-benchmark", "-Xswiftc", "-no-allocations")  # fmt: skip
    image = OUTPUT / "tabard"  # without line tables, whose DWARF 5 valgrind 3.19 cannot read
    run(TOOLCHAIN / "llvm-objcopy", "--strip-debug", scratch / "release/scan-benchmark", image)
    return image


def build_floor(optimisation: str) -> Path:
    """The same harness around floor.c, for the same C library."""
    image = OUTPUT / f"floor{optimisation}"
    sources = [*sorted(HARNESS.glob("*.c")), FLOOR / "floor.c", ROOT / "Sources/CLinux/CLinux.c"]
    run(TOOLCHAIN / "clang", "--target=x86_64-linux-musl", f"--sysroot={SYSROOT}", "-fuse-ld=lld", "-static-pie",
        optimisation, "-fPIC", "-ffunction-sections", "-Wl,--gc-sections", "-Wall", "-Wextra", "-Werror",
        "-I", HARNESS, "-I", FLOOR, "-I", ROOT / "Sources/CLinux/include", *sources, "-o", image)  # fmt: skip
    return image


def allocators(image: Path) -> list[str]:
    """Allocator symbols in an image, by the names boards/build looks for."""
    names = re.search(r"^allocators='(.+)'$", (ROOT / "boards/build").read_text(), re.MULTILINE)
    if names is None:
        sys.exit("bench: boards/build does not say what an allocator is called")
    symbols = (line.split()[-1] for line in run(TOOLCHAIN / "llvm-nm", image).splitlines() if line)
    return [symbol for symbol in symbols if re.fullmatch(names[1], symbol)]


def measure(image: Path) -> dict[str, int]:
    """What the image prints."""
    return {name: int(value) for name, value in map(str.split, run(image, str(PASSES)).splitlines())}


def instructions_of_a_pass(image: Path) -> int:
    """Two passes less one: start, input and end cancel out."""

    def count(passes: int) -> int:
        written = run("valgrind", "--tool=callgrind", f"--callgrind-out-file={OUTPUT}/callgrind.{image.name}.{passes}",
                      image, str(passes))  # fmt: skip
        return int(re.search(r"Collected : (\d+)", written)[1])

    return count(2) - count(1)


def main() -> None:
    OUTPUT.mkdir(parents=True, exist_ok=True)
    images = {"C -Os": build_floor("-Os"), "C -O2": build_floor("-O2"), "Tabard": build_tabard()}

    found = allocators(images["Tabard"])
    if found:
        sys.exit(f"bench: an allocator is in the image: {', '.join(found)}")

    results: dict[str, dict[str, int]] = {}
    for _ in range(ROUNDS):
        for name, image in images.items():
            result = measure(image)
            best = min(result["best-nanoseconds"], results.get(name, result)["best-nanoseconds"])
            results[name] = result | {"best-nanoseconds": best}

    counts = {name: {k: v for k, v in result.items() if k not in FIGURES} for name, result in results.items()}
    print(f"{results['Tabard']['packets']} packets, {results['Tabard']['bytes']} bytes, counted by all alike:")
    for key in counts["Tabard"]:
        values = [count[key] for count in counts.values()]
        print(f"    {key:18} {values[-1]:9}" + ("" if len(set(values)) == 1 else f"   DIFFERS, C: {values[:-1]}"))
    if any(count != counts["Tabard"] for count in counts.values()):
        sys.exit("bench: Tabard and the floor do not count the same")

    reports = counts["Tabard"]["reports"]
    instructions = {name: instructions_of_a_pass(image) / reports for name, image in images.items()}
    nanoseconds = {name: result["best-nanoseconds"] / reports for name, result in results.items()}
    rows = [
        ("instructions per report", instructions, ".0f", f"at most {GOAL_INSTRUCTIONS}"),
        ("nanoseconds per report", nanoseconds, ".1f", f"at most {GOAL_RATIO * nanoseconds['C -O2']:.1f}"),
        ("time, C -O2 = 1", {n: v / nanoseconds["C -O2"] for n, v in nanoseconds.items()}, ".2f", f"at most {GOAL_RATIO}"),
        ("resident KiB, without the input", {n: r["resident-kibibytes"] for n, r in results.items()}, "d", "as small"),
        ("allocator symbols", {"C -Os": "", "C -O2": "", "Tabard": 0}, "", "none"),
    ]
    print(f"\n{'scan path':32}" + "".join(f"{name:>9}" for name in images) + "   goal for Tabard")
    for label, values, style, goal in rows:
        print(f"{label:32}" + "".join(f"{values[name]:>9{style}}" for name in images) + f"   {goal}")


main()
