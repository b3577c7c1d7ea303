"""Ninety seconds at a venue: six phones come, stay, move and leave, one returns, and the power fails once.

    python Tests/Rig/demo.py --agent build/boards/generic-x86-64/tabard

The agent is the real program, on an Android virtual controller. The phones are independent Bluetooth hosts.
In the end the log is synced over the agent's serial port and reported. The report is then compared with the
true events, and the exit code is 0 if they agree.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import btsnoop
from agent import Agent, Configuration, find_agent, find_tabardctl, repository_root
from air import Air
from archive import Snapshot, snapshot
from endpoints import Endpoint, SeqpacketEndpoint
from phone_kinds import (
    ANDROID_CURRENT,
    ANDROID_LEGACY,
    ANDROID_SMALL_MTU,
    APPLE_TELEVISION,
    IPHONE_BACKGROUND,
    IPHONE_FOREGROUND,
    IPHONE_OTHER_APP,
    PASSER_BY,
    WEARABLE,
)
from propagation import Propagation
from scene import Part, Scene, walk
from tabardctl import Tabardctl
from truth import Truth
from verdict import (
    LONGEST_SUSPICION_SECONDS,
    TIME_TOLERANCE_SECONDS,
    Comparison,
    CoverageLoss,
    KillLoss,
    Verdict,
    compare,
    compare_coverage,
    kill_loss,
)

# The demonstration ends 15 s after the last advert. After 17 s without any device the agent would reset the
# controller, and the report would end with that.
SAMPLE_SECONDS, GAP_SECONDS, LOSS_WINDOW_SECONDS = 1, 8, 5

CONFIGURATION: Configuration = {
    "agent": {"role": "beacon"},
    "herald": {"country": 826, "state": 4, "location": 123456, "name": "The Tabard Inn"},
    "encounters": {"sample_seconds": SAMPLE_SECONDS, "gap_seconds": GAP_SECONDS},
    "log": {"size_mebibytes": 4, "loss_window_seconds": LOSS_WINDOW_SECONDS},
}

# Indoors a phone is received up to some twenty metres away, and never evenly.
PROPAGATION = Propagation(exponent=3.0, noise_db=3.0, advert_loss=0.05, scan_duty=True)

SYNC_AT, KILL_AT, RESTART_AT = 34.0, 40.0, 41.0

PARTS = [
    # The six phones that count. Times are in seconds of the scene, positions in metres from the beacon.
    Part("Agnes", ANDROID_CURRENT, [walk((2, 26, 0), (18, 2, 1), (62, 2, 1), (76, 26, 2))]),
    Part("Ben", ANDROID_LEGACY, [walk((5, 4, 3), (47, 4, 3))]),
    Part("Chloe", IPHONE_FOREGROUND, [walk((6, 1.5, 25), (31, 1.5, -25))]),
    Part("Dario", IPHONE_BACKGROUND, [walk((10, 6, -2), (30, 6, -2), (36, 1, -2), (72, 1, -2))]),
    Part("Elif", WEARABLE, [walk((12, -3, 2), (70, -3, 2))], rotates_at=52),
    Part("Femi", ANDROID_SMALL_MTU, [walk((14, 3, -4), (22, 3, -4), (32, 3, -28)), walk((56, -5, -1), (74, -5, -1))]),
    # Devices that do not count.
    Part("a television", APPLE_TELEVISION, [walk((0, 5, 5), (88, 5, 5))]),
    Part("earphones", PASSER_BY, [walk((3, 3, 3), (60, 12, 9))]),
    Part("another iPhone", IPHONE_OTHER_APP, [walk((1, -8, 3), (88, -8, 3))]),
]


class Demonstration:
    """One performance, with everything it needs."""

    def __init__(self, agent: Path, emulator: list[str] | None, tabardctl: Path, output: Path) -> None:
        self._agent_binary, self._emulator = agent, emulator
        self._output = output
        self._tabardctl = Tabardctl(tabardctl, output / "archive.sqlite")
        self._killed_at = self._restarted_at = 0.0
        self._synced_before_kill = Snapshot({}, frozenset())

    async def run(self) -> bool:
        """Plays the scene; returns whether report and truth agree."""
        shutil.rmtree(self._output, ignore_errors=True)
        self._output.mkdir(parents=True)
        async with Air(seed=20201209, propagation=PROPAGATION) as air:
            self._truth = Truth(air)
            endpoint = self._endpoint = SeqpacketEndpoint(air, self._output / "hci.sock")
            await endpoint.open()
            self._transport = endpoint.transport
            self._agent = Agent(self._agent_binary, self._output / "agent", CONFIGURATION, emulator=self._emulator)
            self._scene = Scene(air, PARTS)
            self._scene.cue(SYNC_AT, "the operator trusts the new board (tabardctl sync --trust new)", self._sync)
            self._scene.cue(KILL_AT, "the power fails: the agent is killed (kill -9)", self._kill)
            self._scene.cue(RESTART_AT, "the power is back: the agent starts again", self._restart)
            try:
                return await self._play(air)
            finally:
                await self._agent.discard()
                endpoint.close()
                (self._output / "hci.sock").unlink(missing_ok=True)

    async def _play(self, air: Air) -> bool:
        await self._agent.start_and_wait(self._transport)
        say(f"{utc(time.time())}  the agent is up: {self._agent.lines.entries[-1]}")
        say(f"The scene takes {self._scene.ends:.0f} s; times are seconds of the scene.")
        await self._scene.play(say)

        settle = GAP_SECONDS + LOSS_WINDOW_SECONDS + SAMPLE_SECONDS + 1
        say(f"{self._scene.now:5.1f} s  all are gone; the last encounters are over and written in {settle} s")
        await asyncio.sleep(settle)
        await self._tabardctl.sync(self._agent.sync_port)
        exit_code = await self._agent.stop()
        self._endpoint.unplug()
        await self._tabardctl.report(self._output / "report.html")
        found = await self._tabardctl.encounters()

        herald_parts = [part for part in PARTS if part.kind.is_herald]
        verdict = compare(
            {part.name: self._scene.phones[part.name].payload for part in herald_parts},
            [encounter for part in herald_parts for encounter in self._truth.encounters(part.name, GAP_SECONDS)],
            found,
        )
        loss = kill_loss(
            self._truth.hearings,
            [address for part in herald_parts for address in self._scene.phones[part.name].addresses],
            self._killed_at,
            self._synced_before_kill,
            snapshot(self._tabardctl.archive),
            LOSS_WINDOW_SECONDS + SAMPLE_SECONDS,
        )
        coverage = compare_coverage(
            self._endpoint.scans,
            await self._tabardctl.coverage(),
            causes=("notRunning",),
            pauses=[(self._killed_at, self._restarted_at)],
            # The kill costs its share of the rest, and an agent needs a moment until it is sure that it
            # receives.
            allowed_uncovered_seconds=LOSS_WINDOW_SECONDS + SAMPLE_SECONDS + 2,
            last_heard_at=max(hearing.at for hearing in self._truth.hearings),
        )
        packets = btsnoop.join(self._agent.snoop_paths, self._output / "air.btsnoop")
        judgement = await btsnoop.judge(self._output / "air.btsnoop")
        self._truth.write(self._output / "truth.json", (self._scene.describe(part) for part in PARTS), GAP_SECONDS)

        say("\n" + (await self._tabardctl.table()).rstrip() + "\n")
        say(comparison_table(verdict))
        say(await self._tabardctl.coverage_table())
        disagreements = verdict.disagreements + coverage.disagreements
        if not loss.is_acceptable:
            disagreements.append("the kill cost more than the loss window")
        if exit_code != 0:
            disagreements.append(f"the agent ended with exit code {exit_code}")
        if not judgement.is_clean:
            disagreements.append(f"tshark: {judgement.malformed} malformed packets. {judgement.complaints}")
        disagreements += self._payloads_not_read()
        say(summary(verdict, loss, coverage, packets, self._endpoint, air.worst_lag_seconds))
        for disagreement in disagreements:
            say(f"DISAGREES: {disagreement}")
        say("Report and truth agree." if not disagreements else "Report and truth disagree.")
        for name in ("report.html", "archive.sqlite", "air.btsnoop", "truth.json"):
            say(f"  {self._output / name}")
        return not disagreements

    def _payloads_not_read(self) -> list[str]:
        """The other direction: the phones that did not read the beacon's payload."""
        phones = [self._scene.phones[part.name] for part in PARTS if part.kind.reads_beacons]
        return [f"{phone.name} could not read the beacon's payload" for phone in phones if not phone.read.entries]

    async def _sync(self) -> None:
        await self._tabardctl.sync(self._agent.sync_port)
        self._synced_before_kill = snapshot(self._tabardctl.archive)
        self._truth.note("synced")
        say(f"         synced: {len(self._synced_before_kill.samples)} samples are in the archive")

    async def _kill(self) -> None:
        self._killed_at = await self._agent.kill()
        self._truth.note("killed")

    async def _restart(self) -> None:
        self._restarted_at = time.time()
        await self._agent.start_and_wait(self._transport)
        self._truth.note("started again")
        say("         the agent is up again")


def comparison_table(verdict: Verdict) -> str:
    """True and found encounters, side by side."""
    lines = [
        f"{'true encounter':<16} {'start (UTC)':<14} {'seconds':>8}   {'found: start off':>16} {'end off':>9} {'readings':>12}"
    ]

    def line(comparison: Comparison) -> str:
        truth, found = comparison.truth, comparison.found
        return (
            f"{truth.phone:<16} {utc(truth.start):<14} {truth.seconds:8.1f}   {comparison.start_error:14.3f} s"
            f" {comparison.end_error:7.3f} s {found.readings:5d} of {truth.readings}"
        )

    lines += [line(comparison) for comparison in sorted(verdict.comparisons, key=lambda each: each.truth.start)]
    return "\n".join(lines) + "\n"


def summary(
    verdict: Verdict, loss: KillLoss, coverage: CoverageLoss, packets: int, endpoint: Endpoint, lag_seconds: float
) -> str:
    """The figures."""
    errors = ", ".join(f"{what} {verdict.largest_error(what):.3f} s" for what in ("start", "end", "duration"))
    found = len(verdict.comparisons) + len(verdict.surplus)
    true = len(verdict.comparisons) + len(verdict.missed)
    rows = {
        "phones detected": f"{len(verdict.detected)} of {len(verdict.phones)}",
        "encounters": f"{found} found, {true} true (and {verdict.unidentified} of devices that are not Herald)",
        "largest error": f"{errors} (allowed {TIME_TOLERANCE_SECONDS:g} s each)",
        "readings": f"{verdict.found_readings} recorded of {verdict.true_readings} that reached the controller"
        f" ({verdict.readings_share:.0%})",
        "lost to the kill": f"of what was synced: {loss.synced_samples_lost} of {loss.synced_samples} samples,"
        f" {loss.synced_bytes_lost} of {loss.synced_bytes} bytes;\n{'':19}of the rest: {loss.readings_lost} readings,"
        f" the oldest {loss.oldest_lost_seconds:.1f} s old"
        f" (allowed: window of {LOSS_WINDOW_SECONDS} s and the open sample of {SAMPLE_SECONDS} s)",
        "scanning": f"{endpoint.seconds_scanning / endpoint.seconds_plugged:.1%} of {endpoint.seconds_plugged:.0f} s",
        "coverage": f"{coverage.covered_seconds:.1f} s reported, {coverage.scanned_seconds:.1f} s true;"
        f" {coverage.falsely_covered_seconds:.2f} s reported and not true,"
        f" {coverage.uncovered_seconds:.1f} s true and not reported (allowed {coverage.allowed_uncovered_seconds:g} s),"
        f" {coverage.suspected_seconds:.1f} s of suspicion after the last advert (allowed {LONGEST_SUSPICION_SECONDS:g} s)",
        "capture": f"{packets} packets",
        "the rig's clock": f"{lag_seconds * 1000:.0f} ms late at worst",
    }
    return "\n".join(f"{name + ':':<18} {value}" for name, value in rows.items())


def say(text: str) -> None:
    """Prints a line at once."""
    print(text, flush=True)


def utc(at: float) -> str:
    """A time of day."""
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S.%f")[:-3]


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", type=Path, help="the agent's binary (default: this machine's, as built)")
    parser.add_argument("--emulator", help="what to run it with, such as qemu-aarch64-static (default: found out)")
    parser.add_argument("--tabardctl", type=Path, help="the operator's tool (default: as built)")
    parser.add_argument("--output", type=Path, default=repository_root() / "build" / "demo")
    arguments = parser.parse_args()
    try:
        agent = (arguments.agent or find_agent()).resolve(strict=True)
        tabardctl = (arguments.tabardctl or find_tabardctl()).resolve(strict=True)
    except FileNotFoundError as missing:
        print(f"demo: {missing}", file=sys.stderr)
        return 66
    emulator = arguments.emulator.split() if arguments.emulator else None
    demonstration = Demonstration(agent, emulator, tabardctl, arguments.output.resolve())
    return 0 if asyncio.run(demonstration.run()) else 1


if __name__ == "__main__":
    sys.exit(main())
