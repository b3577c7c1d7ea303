"""Exposure windows and the risk of a day, as `Sources/Exposure` computes them from samples of one key at one board."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

INFECTIOUSNESS = ["none", "standard", "high"]
REPORT_TYPES = ["unknown", "confirmedTest", "confirmedClinicalDiagnosis", "selfReport", "recursive", "revoked"]
COUNTED_REPORT_TYPES = REPORT_TYPES[1:5]
TX_POWERS = range(-50, 21)

SHORTEST_SCAN = 7_000
"""Samples that begin within so many milliseconds form one scan."""
LONGEST_GAP = 30_000
"""The longest silence within a contact, in milliseconds."""
LONGEST_SCAN_SECONDS = 300
LONGEST_WINDOW_SECONDS = 1_800
SCAN_GAP_SECONDS = 6
DAY = 86_400


def rounded(value: float) -> float:
    """To a whole number, halves away from zero, as Swift rounds."""
    whole = math.floor(abs(value))
    return math.copysign(whole + (abs(value) - whole >= 0.5), value)


def tenths(value: float) -> float:
    """Rounded to one decimal."""
    return rounded(value * 10) / 10


@dataclass(frozen=True)
class Sample:
    """A sample of a key's identifiers: times in milliseconds since 1970, and its mean attenuation in whole dB."""

    start: int
    end: int
    attenuation: int


@dataclass
class Scan:
    """One scan's receptions of a key."""

    attenuations: list[int]
    seconds: int

    @property
    def typical(self) -> int:
        """The mean, rounded, halves up."""
        return math.floor(sum(self.attenuations) / len(self.attenuations) + 0.5)


@dataclass
class Window:
    """Up to half an hour near a person who fell ill."""

    start: int
    """In seconds since 1970."""
    scans: list[Scan] = field(default_factory=list)

    @property
    def seconds(self) -> int:
        return sum(scan.seconds for scan in self.scans)

    @property
    def attenuation(self) -> float:
        """The mean; each scan counts for its duration."""
        return sum(float(scan.typical * scan.seconds) for scan in self.scans) / max(1, self.seconds)


def attenuation(tx_power: int, mean_tenths: int, correction: int) -> int:
    """The attenuation of a sample. A reading is a signed byte."""
    rssi = max(-128, min(127, int(rounded(mean_tenths / 10))))
    return tx_power - (rssi + correction)


def windows(samples: list[Sample]) -> list[Window]:
    """The windows of one key at one board; its samples may be in any order."""
    scans: list[list[Sample]] = []
    for sample in sorted(samples, key=lambda each: each.start):
        if scans and sample.start - scans[-1][0].start < SHORTEST_SCAN:
            scans[-1].append(sample)
        else:
            scans.append([sample])
    found: list[Window] = []
    previous_end: int | None = None
    previous_second: int | None = None
    for scan in scans:
        start = scan[0].start
        # The log is untrusted, so a sample may have any end.
        end = min(max(start, *(max(each.start, each.end) for each in scan)), start + LONGEST_SCAN_SECONDS * 1_000)
        is_continued = previous_end is not None and start - previous_end <= LONGEST_GAP
        since = previous_end if is_continued and previous_end is not None else start
        previous_end = end if previous_end is None else max(previous_end, end)
        # Rounding each moment instead of each scan keeps the sum exact.
        seconds = max(0 if is_continued else 1, (end + 500) // 1_000 - (since + 500) // 1_000)
        for sample in scan:
            second = start // 1_000
            if found and second - found[-1].start < LONGEST_WINDOW_SECONDS:
                if previous_second is not None and second - previous_second <= SCAN_GAP_SECONDS:
                    found[-1].scans[-1].attenuations.append(sample.attenuation)
                else:
                    found[-1].scans.append(Scan([sample.attenuation], max(0, min(seconds, LONGEST_SCAN_SECONDS))))
            else:
                found.append(Window(second, [Scan([sample.attenuation], max(0, min(seconds, LONGEST_SCAN_SECONDS)))]))
            previous_second = second
    return found


# MARK: An authority's mapping of keys


@dataclass(frozen=True)
class Mapping:
    """From a key's days and report type to infectiousness and report type."""

    by_day: tuple[str, ...] = ("standard",) * 29
    missing: str = "standard"
    report: str = "confirmedTest"

    def infectiousness(self, days: int | None) -> str:
        return self.missing if days is None or abs(days) > 14 else self.by_day[days + 14]

    def report_type(self, value: int | None) -> str:
        return self.report if value is None or not 1 <= value < len(REPORT_TYPES) else REPORT_TYPES[value]


def stated_report_type(value: int | None) -> str:
    """The type that the export states."""
    return REPORT_TYPES[value] if value is not None and 0 <= value < len(REPORT_TYPES) else "unknown"


def mapping(text: str) -> Mapping:
    """An authority's table; docs/schemes.md defines the format."""
    by_day: dict[int, str] = {}
    others: dict[str, str] = {}
    reports = dict(zip(["confirmed-test", "clinical", "self-report", "recursive", "revoked"], REPORT_TYPES[1:], strict=True))
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        place, value = words
        if place in ("missing", "report"):
            if place in others:
                raise ValueError(f"{place} occurs twice")
            others[place] = reports[value] if place == "report" else INFECTIOUSNESS[INFECTIOUSNESS.index(value)]
            continue
        first, _, last = place.partition("..")
        for day in range(int(first), int(last or first) + 1):
            if day in by_day or not -14 <= day <= 14:
                raise ValueError(f"day {day} occurs twice, or is not from -14 to 14")
            by_day[day] = INFECTIOUSNESS[INFECTIOUSNESS.index(value)]
    return Mapping(tuple(by_day[day] for day in range(-14, 15)), others["missing"], others["report"])


# MARK: The risk of a day


@dataclass(frozen=True)
class Model:
    """How a deployed app rated a day (DeployedExposureRisk)."""

    thresholds: tuple[int, ...]
    nearness: tuple[float, ...]
    low: float
    high: float
    look_back: int | None = None


MODELS = {
    "corona-warn-app": Model((62, 72, 79), (0.8, 1, 0.1, 0), 5, 9, 10),
    "swisscovid-pilot": Model((50, 55, 55), (1, 0.5, 0, 0), 15, 15),
}


def is_judged(model: str, window: Window, report_type: str, today: int) -> bool:
    """Whether a window counts: neither revoked, nor older than the app looked back. `today` is in days since 1970."""
    look_back = MODELS[model].look_back if model in MODELS else None
    is_old = look_back is not None and today > window.start // DAY + look_back
    return report_type in COUNTED_REPORT_TYPES and not is_old


def weighted_seconds(model: Model, window: Window) -> float:
    """The seconds of a window, weighted by nearness."""
    total = 0.0
    for scan in window.scans:
        place = next((place for place, bound in enumerate(model.thresholds) if scan.typical <= bound), len(model.thresholds))
        total += float(scan.seconds) * model.nearness[place]
    return total


@dataclass(frozen=True)
class JudgedWindow:
    """A window with what its key adds to the risk of a day."""

    window: Window
    key: str
    infectiousness: str
    transmission_risk: int


def day_risk(name: str, judged: list[JudgedWindow], days_ago: int) -> tuple[float, str | None]:
    """The score and the level of a day at a board, from its windows in order of time."""
    if name not in MODELS:
        return float(_greatest_product(judged, days_ago)), None
    model = MODELS[name]
    score = 0.0
    for each in judged:
        score += weighted_seconds(model, each.window) * (0.0 if each.infectiousness == "none" else 1.0)
    minutes = score / 60
    level = "high" if minutes >= model.high else "low" if minutes >= model.low else "none"
    return tenths(score), level


def _greatest_product(judged: list[JudgedWindow], days_ago: int) -> int:
    """The first version of the model, with Corona-Warn-App's values of 2020: an exposure is one day of one key."""
    keys: dict[str, list[JudgedWindow]] = {}
    for each in judged:
        keys.setdefault(each.key, []).append(each)
    products = []
    for each in keys.values():
        seconds = sum(part.window.seconds for part in each)
        loss = sum(part.window.attenuation * float(part.window.seconds) for part in each) / max(1, seconds)
        minutes = (seconds + 59) // 60
        risk = each[0].transmission_risk
        # All days have the same value, 5.
        score = (0 if rounded(loss) > 73 else 2) * 5 * (0 if minutes <= 10 else 1)
        score *= (0, 0, 3, 4, 5, 6, 7, 8)[risk - 1] if 1 <= risk <= 8 else 1
        products.append(score if score >= 11 else 0)
    return max(products, default=0)
