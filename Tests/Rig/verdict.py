"""The archive compared with the truth: phones, encounters, times, and losses by a kill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from air import Hearing
from archive import Sample, Snapshot
from tabardctl import CoverageInterval, FoundEncounter
from truth import TrueEncounter

TIME_TOLERANCE_SECONDS = 2.0
"""The allowed error of an encounter's start, end and duration.

Both ends are the times of single readings. The remaining error is that of the clock's anchor, and the time in
which an advert reaches a program that may be emulated on a busy machine: hundredths of a second. Two seconds
are one sample of the scene plus one second for all of that. An encounter that is a sample short, or was cut
or joined wrongly, exceeds them.
"""

LOWEST_READINGS_SHARE = 0.8
"""The least recorded share of the readings that reached the controller; a kill costs most of the rest."""

FALSE_COVERAGE_SECONDS = 0.5
"""The allowed time of false coverage, due to differences of clocks at either end of an interval."""

LONGEST_PAUSE_SECONDS = 3.0
"""Shorter pauses are part of the normal alternation of scanning, advertising and connecting."""

LONGEST_SUSPICION_SECONDS = 30.0
"""How long an agent may report no coverage after the last advert of all.

If all devices leave at once, it cannot know whether its radio is deaf. Within 30 s it must have found a fault
or assumed an empty room. A longer gap in its coverage is a loss like any other.
"""

COVER_MARGIN_SECONDS = 0.25
"""How far a reading may lie outside its sample, due to differences of clocks."""


@dataclass(frozen=True)
class Comparison:
    """A true encounter and the one found for it."""

    truth: TrueEncounter
    found: FoundEncounter

    @property
    def start_error(self) -> float:
        """The absolute error of the start in seconds; likewise `end_error` and `duration_error`."""
        return abs(self.truth.start - self.found.start) if self.found.start is not None else float("inf")

    @property
    def end_error(self) -> float:
        return abs(self.truth.end - self.found.end) if self.found.end is not None else float("inf")

    @property
    def duration_error(self) -> float:
        return abs(self.truth.seconds - self.found.seconds)


@dataclass(frozen=True)
class KillLoss:
    """The losses by a kill.

    `readings_lost` counts readings that no sample covers; `oldest_lost_seconds` is the age of the oldest at
    the kill.
    """

    synced_bytes: int
    synced_bytes_lost: int
    synced_samples: int
    synced_samples_lost: int
    readings_lost: int
    oldest_lost_seconds: float
    allowed_seconds: float

    @property
    def is_acceptable(self) -> bool:
        """Whether nothing synced is lost, and nothing older than the window."""
        return (
            self.synced_bytes_lost == 0
            and self.synced_samples_lost == 0
            and self.oldest_lost_seconds <= self.allowed_seconds
        )


@dataclass(frozen=True)
class CoverageLoss:
    """Reported coverage, compared with the time for which the controller truly scanned, in seconds."""

    scanned_seconds: float
    covered_seconds: float
    falsely_covered_seconds: float
    """Reported as covered although the controller did not scan: the one thing that must never happen."""
    uncovered_seconds: float
    """Scanned but not reported, apart from `suspected_seconds`: by a kill or before a commit."""
    suspected_seconds: float
    """Scanned after the last advert but not reported, for no longer than a suspicion may last."""
    unexplained: tuple[str, ...]
    """True pauses that are not reported as blind with one of the expected causes."""
    allowed_uncovered_seconds: float

    @property
    def disagreements(self) -> list[str]:
        """The errors of the coverage, as text."""
        words = list(self.unexplained)
        if self.falsely_covered_seconds > FALSE_COVERAGE_SECONDS:
            words.append(f"{self.falsely_covered_seconds:.2f} s are called covered, and nobody was listening")
        if self.uncovered_seconds > self.allowed_uncovered_seconds:
            words.append(
                f"{self.uncovered_seconds:.2f} s of scanning are not called covered"
                f" (allowed: {self.allowed_uncovered_seconds:g} s)"
            )
        return words


@dataclass
class Verdict:
    """The result of the whole comparison."""

    phones: list[str]
    detected: list[str] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    missed: list[TrueEncounter] = field(default_factory=list)
    surplus: list[FoundEncounter] = field(default_factory=list)
    unidentified: int = 0
    true_readings: int = 0
    found_readings: int = 0

    @property
    def disagreements(self) -> list[str]:
        """The errors of the archive, as text; empty if it agrees with the truth."""
        words = [f"{phone} was not detected" for phone in self.phones if phone not in self.detected]
        words += [f"an encounter of {truth.phone} is missing" for truth in self.missed]
        words += [f"nobody had the encounter {found.label} ({found.addresses})" for found in self.surplus]
        for comparison in self.comparisons:
            for what in ("start", "end", "duration"):
                error = getattr(comparison, f"{what}_error")
                if error > TIME_TOLERANCE_SECONDS:
                    words.append(f"{comparison.truth.phone}: {what} is off by {error:.3f} s")
        if self.unidentified:
            words.append(f"{self.unidentified} encounters are of devices that never said who they are; none here is Herald")
        if self.true_readings and self.readings_share < LOWEST_READINGS_SHARE:
            words.append(f"only {self.readings_share:.0%} of the readings are recorded")
        return words

    @property
    def readings_share(self) -> float:
        """The recorded share of the readings that reached the controller, from 0 to 1."""
        return self.found_readings / self.true_readings if self.true_readings else 0.0

    def largest_error(self, what: str) -> float:
        """The largest of the `start`, `end` or `duration` errors, in seconds."""
        return max((getattr(comparison, f"{what}_error") for comparison in self.comparisons), default=0.0)


def compare(
    payloads: Mapping[str, bytes],
    true_encounters: Iterable[TrueEncounter],
    found_encounters: Sequence[FoundEncounter],
) -> Verdict:
    """Compares found encounters with true ones; `payloads` has every Herald phone's name and payload."""
    verdict = Verdict(list(payloads))
    by_payload = {payload: name for name, payload in payloads.items()}
    left: dict[str, list[FoundEncounter]] = {name: [] for name in payloads}
    for found in found_encounters:
        name = by_payload.get(found.identity or b"")
        if name is not None:
            left[name].append(found)
        elif found.identity is None:
            verdict.unidentified += 1
        else:
            verdict.surplus.append(found)
    verdict.detected = [name for name in payloads if left[name]]
    verdict.found_readings = sum(found.readings for several in left.values() for found in several)

    for truth in true_encounters:
        verdict.true_readings += truth.readings
        candidates = left[truth.phone]
        if not candidates:
            verdict.missed.append(truth)
            continue
        best = max(candidates, key=lambda found: _overlap(truth, found))
        candidates.remove(best)
        verdict.comparisons.append(Comparison(truth, best))
    verdict.surplus += [found for several in left.values() for found in several]
    return verdict


def kill_loss(
    hearings: Iterable[Hearing],
    addresses: Iterable[str],
    killed_at: float,
    before: Snapshot,
    after: Snapshot,
    allowed_seconds: float,
) -> KillLoss:
    """The readings of `addresses` up to `killed_at` that the archive lacks, and its losses of `before`.

    `before` is the archive after the last sync before the kill, `after` the final one.
    """
    wanted = {address.lower() for address in addresses}
    samples: dict[str, list[Sample]] = {}
    for sample in after.samples:
        samples.setdefault(sample.address, []).append(sample)
    lost = [
        killed_at - hearing.at
        for hearing in hearings
        if hearing.at <= killed_at
        and hearing.address in wanted
        and not any(
            sample.start - COVER_MARGIN_SECONDS <= hearing.at <= sample.end + COVER_MARGIN_SECONDS
            for sample in samples.get(hearing.address, ())
        )
    ]
    return KillLoss(
        synced_bytes=before.byte_count,
        synced_bytes_lost=before.lost_bytes(after),
        synced_samples=len(before.samples),
        synced_samples_lost=(_shape(before.samples) - _shape(after.samples)).total(),
        readings_lost=len(lost),
        oldest_lost_seconds=max(lost, default=0.0),
        allowed_seconds=allowed_seconds,
    )


def compare_coverage(
    scans: Sequence[tuple[float, float]],
    found: Sequence[CoverageInterval],
    *,
    causes: Iterable[str],
    allowed_uncovered_seconds: float,
    last_heard_at: float = float("inf"),
    pauses: Sequence[tuple[float, float]] = (),
) -> CoverageLoss:
    """Compares reported coverage with the true `scans` (from, to).

    Two kinds of true pause must be reported as blind with one of `causes`: a pause that is longer than those
    for connecting, and each known one in `pauses`, however short. From `last_heard_at` on, the time of the
    last advert at the controller, the board may suspect a fault for `LONGEST_SUSPICION_SECONDS`.
    """
    ordered: list[tuple[float, float]] = []
    for start, end in sorted(scans):
        since = ordered[-1][1] if ordered else start
        is_known = any(_shared((since, start), pause) > 0 for pause in pauses)
        if ordered and start - since <= LONGEST_PAUSE_SECONDS and not is_known:
            ordered[-1] = (ordered[-1][0], max(end, ordered[-1][1]))
        else:
            ordered.append((start, end))
    covered = [(interval.start, interval.end) for interval in found if interval.is_covered]
    both = sum(_shared(one, other) for one in ordered for other in covered)
    suspected = (last_heard_at, last_heard_at + LONGEST_SUSPICION_SECONDS)
    tails = [(max(start, suspected[0]), min(end, suspected[1])) for start, end in ordered if _shared((start, end), suspected)]
    suspected_seconds = sum(end - start - sum(_shared((start, end), other) for other in covered) for start, end in tails)
    all_pauses = [(earlier[1], later[0]) for earlier, later in zip(ordered, ordered[1:])]
    unexplained = []
    for pause in all_pauses:
        blind = {
            interval.cause or ""
            for interval in found
            if not interval.is_covered and _shared(pause, (interval.start, interval.end)) > 0
        }
        if not blind & set(causes):
            reported = ", ".join(sorted(blind)) or "nothing"
            unexplained.append(f"{pause[1] - pause[0]:.1f} s without scanning are explained by {reported}")
    covered_seconds = sum(end - start for start, end in covered)
    return CoverageLoss(
        scanned_seconds=sum(end - start for start, end in ordered),
        covered_seconds=covered_seconds,
        falsely_covered_seconds=max(0.0, covered_seconds - both),
        uncovered_seconds=max(0.0, sum(end - start for start, end in ordered) - both - suspected_seconds),
        suspected_seconds=suspected_seconds,
        unexplained=tuple(unexplained),
        allowed_uncovered_seconds=allowed_uncovered_seconds,
    )


def _shared(one: tuple[float, float], other: tuple[float, float]) -> float:
    return max(0.0, min(one[1], other[1]) - max(one[0], other[0]))


def _overlap(truth: TrueEncounter, found: FoundEncounter) -> float:
    if found.start is None or found.end is None:
        return float("-inf")
    return min(truth.end, found.end) - max(truth.start, found.start)


def _shape(samples: Iterable[Sample]) -> Counter[tuple[str, int, int]]:
    """The samples without their wall-clock time, which a better anchor may have moved since."""
    return Counter((sample.address, round((sample.end - sample.start) * 1000), sample.readings) for sample in samples)
