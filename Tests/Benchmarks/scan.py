#!/usr/bin/env python3
"""Measures an advertising report's cost on the scan path, from H4 bytes to entries for the log. The least C
that does the same work (ScanFloor) runs beside it, on the same input. Also measures whether the cost grows
with the number of peers.

Fails if reports are lost, if the two programs count differently, or if our image has an allocator. Also fails
if instructions, or the ratio of our time to the floor's, exceed their goals. Nanoseconds never fail it,
because they depend on the machine; docs/bounds.md has their reference values.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from images import OUTPUT, ROOT, allocators, build_floor, build_tabard, describe_build, run

HARNESS = ROOT / "Tests/Benchmarks/ScanHarness"
FLOOR = ROOT / "Tests/Benchmarks/ScanFloor"

# Times are the best of this many passes; the programs take turns.
ROUNDS, PASSES = 5, 10
FIGURES = {"best-nanoseconds", "resident-kibibytes"}
GOAL_INSTRUCTIONS, GOAL_NANOSECONDS, GOAL_RATIO, GOAL_SPREAD = 393, 40, 1.05, 1.1
# Reports in the input, and in another input whose senders all stay.
REPORTS, CROWD_REPORTS = 1_000_000, 500_000
HOSTILE = 0.06
POPULATIONS = (10, 100, 1_000, 4_096)


def measure(image: Path, passes: int, reports: int, population: int = 0) -> dict[str, int]:
    """Runs the image and parses its output."""
    written = run(image, str(passes), str(reports), str(population))
    return {name: int(value) for name, value in map(str.split, written.splitlines())}


def instructions_of_a_pass(image: Path, reports: int, population: int = 0) -> int:
    """The instructions from the entry of scan_pass to its return, without start and input."""
    written = run("valgrind", "--tool=callgrind", "--toggle-collect=scan_pass", "--callgrind-out-file=/dev/null",
                  image, "1", str(reports), str(population))  # fmt: skip
    return int(re.search(r"Collected : (\d+)", written)[1])


def check_counts(results: dict[str, dict[str, int]]) -> None:
    """Checks that every report was delivered, and that all programs count the same."""
    counts = {name: {k: v for k, v in result.items() if k not in FIGURES} for name, result in results.items()}
    tabard = counts["Tabard"]
    for key in tabard:
        values = [count[key] for count in counts.values()]
        print(f"    {key:18} {values[-1]:9}" + ("" if len(set(values)) == 1 else f"   DIFFERS, C: {values[:-1]}"))
    if any(count != tabard for count in counts.values()):
        sys.exit("bench: Tabard and the floor do not count the same")
    hostile = tabard["input-hostile"] / tabard["input-reports"]
    if abs(hostile - HOSTILE) > 0.005:
        sys.exit(f"bench: {hostile:.1%} of the input are hostile, and {HOSTILE:.0%} should be")
    if tabard["reports"] != tabard["input-reports"]:
        sys.exit(f"bench: of {tabard['input-reports']} reports {tabard['reports']} arrived")


def compare(images: dict[str, Path]) -> list[str]:
    """Compares Tabard with the floor, in a street. Returns the missed goals."""
    results: dict[str, dict[str, int]] = {}
    for _ in range(ROUNDS):
        for name, image in images.items():
            result = measure(image, PASSES, REPORTS)
            best = min(result["best-nanoseconds"], results.get(name, result)["best-nanoseconds"])
            results[name] = result | {"best-nanoseconds": best}
    print("a street, counted by all alike:")
    check_counts(results)

    instructions = {name: instructions_of_a_pass(image, REPORTS) / REPORTS for name, image in images.items()}
    nanoseconds = {name: result["best-nanoseconds"] / REPORTS for name, result in results.items()}
    rows = [
        ("instructions per report", instructions, ".0f", f"at most {GOAL_INSTRUCTIONS}"),
        ("nanoseconds per report", nanoseconds, ".1f", f"aim {GOAL_NANOSECONDS}, fails nothing"),
        ("time, C -O2 = 1", {n: v / nanoseconds["C -O2"] for n, v in nanoseconds.items()}, ".2f", f"at most {GOAL_RATIO}"),
        ("resident KiB, without the input", {n: r["resident-kibibytes"] for n, r in results.items()}, "d", "as small"),
        ("allocator symbols", {"C -Os": "", "C -O2": "", "Tabard": 0}, "", "none"),
    ]
    print(f"\n{'scan path':32}" + "".join(f"{name:>9}" for name in images) + "   goal for Tabard")
    for label, values, style, goal in rows:
        print(f"{label:32}" + "".join(f"{values[name]:>9{style}}" for name in images) + f"   {goal}")
    return missed(instructions["Tabard"], nanoseconds["Tabard"] / nanoseconds["C -O2"])


def missed(instructions: float, ratio: float) -> list[str]:
    """The goals that such a number of instructions, or such a multiple of the floor's time, misses."""
    judged = [
        (f"{instructions:.1f} instructions per report, of {GOAL_INSTRUCTIONS} at most", instructions > GOAL_INSTRUCTIONS),
        (f"{ratio:.2f} times C's time, of {GOAL_RATIO} at most", ratio > GOAL_RATIO),
    ]
    return [figure for figure, is_missed in judged if is_missed]


def missed_by_populations(instructions: list[float]) -> list[str]:
    """The goal missed if a report costs more with more peers; `instructions` for each population."""
    spread = max(instructions) / min(instructions)
    if spread <= GOAL_SPREAD:
        return []
    return [f"the dearest population costs {spread - 1:.1%} more instructions than the cheapest, of {GOAL_SPREAD - 1:.0%} at most"]


def judge(allocators_found: list[str], goals: list[str]) -> str | None:
    """The final error: allocators in the image and missed goals; None without either."""
    complaints = [f"an allocator is in the image: {', '.join(allocators_found)}"] if allocators_found else []
    complaints += [f"missed: {'; '.join(goals)}"] if goals else []
    return f"bench: {'; '.join(complaints)}" if complaints else None


def compare_populations(image: Path) -> list[str]:
    """Measures whether a report costs more with more peers. Returns the missed goals."""
    print(f"\n{'peers, all staying':32}" + "".join(f"{population:>9}" for population in POPULATIONS) + "   goal")
    counts = [instructions_of_a_pass(image, CROWD_REPORTS, population) / CROWD_REPORTS for population in POPULATIONS]
    spread = max(counts) / min(counts)
    print(f"{'instructions per report':32}" + "".join(f"{count:>9.0f}" for count in counts)
          + f"   within {GOAL_SPREAD - 1:.0%}: {spread - 1:.1%}")  # fmt: skip
    times = [measure(image, PASSES, CROWD_REPORTS, population)["best-nanoseconds"] for population in POPULATIONS]
    print(f"{'nanoseconds per report':32}" + "".join(f"{time / CROWD_REPORTS:>9.1f}" for time in times))
    return missed_by_populations(counts)


def main() -> None:
    OUTPUT.mkdir(parents=True, exist_ok=True)
    sources = [*sorted(HARNESS.glob("*.c")), FLOOR / "floor.c"]
    floors = {f"C {o}": build_floor(f"floor{o}", o, sources, [HARNESS, FLOOR]) for o in ("-Os", "-O2")}
    images = floors | {"Tabard": build_tabard("scan-benchmark", OUTPUT / "tabard")}
    print(f"Tabard: {describe_build()}\n")

    found = allocators(images["Tabard"])
    goals = [] if found else compare(images) + compare_populations(images["Tabard"])
    sys.exit(judge(found, goals))


if __name__ == "__main__":
    main()
