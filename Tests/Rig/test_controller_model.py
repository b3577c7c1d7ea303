"""Compares the simulator's controller model with RootCanal: the same commands must give the same answers.

A model that is more lenient than a real controller hides mistakes. A model with oddities of its own makes the
agent fit nothing else. Both therefore play the scripts in `hci_scripts`, and their answers are compared line
by line. Device-specific values (addresses, features, versions, buffers) are masked.

`hci_scripts/known-differences.txt` lists the allowed differences, each with its reason. A difference that is
not listed fails the test, and so does a listed one that no longer occurs.
"""

from __future__ import annotations

import difflib
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agent import find_simulator
from controller import ACL_DATA, EVENT, Controller
from journal import PATIENCE_SECONDS

SCRIPTS = Path(__file__).parent / "hci_scripts"
KNOWN_DIFFERENCES = SCRIPTS / "known-differences.txt"
SECONDS_FOR_ANSWER = 0.05
TICK_SECONDS = 0.002
FEWEST_ROUNDS = 10
"""Enough for a command, its answer and packets on the air, however long this process had to wait."""
RSSI_DBM = -55


@dataclass
class Player:
    """A RootCanal controller with its answers."""

    address: str
    answers: list[bytes] = field(default_factory=list)
    to_air: list[tuple[bytes, int]] = field(default_factory=list)
    handle: bytes = b"\0\0"

    def __post_init__(self) -> None:
        self.controller = Controller(self.address, self._hear, lambda pdu, phy: self.to_air.append((pdu, phy)))

    def _hear(self, packet: bytes) -> None:
        self.answers.append(packet)
        if packet[:2] == bytes([EVENT, 0x3E]) and packet[3:5] == b"\x01\x00":
            self.handle = packet[5:7]


def play_on_rootcanal(script: Path) -> list[tuple[str, bytes]]:
    """The answers of two RootCanal controllers, in order: controller and packet."""
    players = {"first": Player("00:12:34:56:78:90"), "peer": Player("00:12:34:56:78:91")}
    answers: list[tuple[str, bytes]] = []

    def run(seconds: float) -> None:
        end, rounds = time.monotonic() + seconds, 0
        while time.monotonic() < end or rounds < FEWEST_ROUNDS:
            rounds += 1
            for player in players.values():
                player.controller.tick()
            for name, other in (("first", "peer"), ("peer", "first")):
                packets, players[name].to_air = players[name].to_air, []
                for pdu, phy in packets:
                    players[other].controller.receive_from_air(pdu, phy, RSSI_DBM)
            for name, player in players.items():
                answers.extend((name, packet) for packet in player.answers)
                player.answers.clear()
            time.sleep(TICK_SECONDS)

    for line in script.read_text().splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "wait":
            run(int(words[1]) / 1000)
            continue
        name = "peer" if words[0] == "peer" else "first"
        packet = b"".join(
            players[name].handle if word == "handle" else bytes.fromhex(word) for word in words if word != "peer"
        )
        players[name].controller.receive_from_host(packet)
        run(SECONDS_FOR_ANSWER)
    for player in players.values():
        player.controller.close()
    return answers


def play_on_model(script: Path, program: Path) -> list[tuple[str, bytes]]:
    """The answers of the model."""
    command = [program, "controller", str(script)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE_SECONDS)
    answers = []
    for line in run.stdout.splitlines():
        words = line.split()
        answers.append(("peer" if words[1] == "peer" else "first", bytes.fromhex(words[-1])))
    return answers


INFORMATION = {0x1001, 0x1002, 0x1003, 0x1005, 0x1009, 0x2002, 0x2003, 0x2036}
"""The commands whose answers describe the device."""
OF_A_LINK = {0x1405}
"""The commands whose answers begin with a link's handle, which every controller chooses for itself."""
REPORTS = ("LE Advertising Report", "LE Extended Advertising Report")
"""The beginnings of reports in text form."""


def describe(packet: bytes) -> str:
    """One packet as text, without device-specific values."""
    if packet[0] == ACL_DATA:
        return f"data, boundary {packet[2] >> 4 & 3}: {packet[5:].hex()}"
    code, parameters = packet[1], packet[3:]
    if code == 0x0E:
        opcode = int.from_bytes(parameters[1:3], "little")
        returned = parameters[6:] if opcode in OF_A_LINK else parameters[4:]
        shown = f"{len(returned)} bytes" if opcode in INFORMATION else returned.hex() or "nothing"
        return f"Command Complete {opcode:04x}, status {parameters[3]:02x}, {shown}"
    if code == 0x0F:
        return f"Command Status {int.from_bytes(parameters[2:4], 'little'):04x}, status {parameters[0]:02x}"
    if code == 0x05:
        return f"Disconnection Complete, status {parameters[0]:02x}, reason {parameters[3]:02x}"
    if code == 0x13:
        return f"Number Of Completed Packets: {int.from_bytes(parameters[3:5], 'little')}"
    if code == 0x3E and parameters[0] == 0x01:
        status, role, peer = parameters[1], parameters[4], parameters[5:12]
        if status:
            return f"LE Connection Complete, status {status:02x}"
        latency_and_timeout = parameters[14:18].hex()
        return f"LE Connection Complete, role {role}, peer {peer.hex()}, {latency_and_timeout}"
    if code == 0x3E and parameters[0] == 0x03:
        return f"LE Connection Update Complete, status {parameters[1]:02x}, {parameters[4:].hex()}"
    if code == 0x3E and parameters[0] == 0x02:
        return f"LE Advertising Report {parameters[1:-1].hex()}"
    if code == 0x3E and parameters[0] == 0x0D:
        # There is one report per event. Its RSSI depends on the air. The target address of an undirected
        # advert (bit 2 of its type is 0) has no meaning.
        directed = parameters[18:25].hex() if parameters[2] & 4 else "undirected"
        report = f"{parameters[1:15].hex()}, {parameters[16:18].hex()}, {directed}, {parameters[25:].hex()}"
        return f"LE Extended Advertising Report {report}"
    return f"event {code:02x} {parameters.hex()}"


def lines(answers: list[tuple[str, bytes]]) -> dict[str, list[str]]:
    """Each controller's answers as text; repeated reports and counts appear once."""
    told: dict[str, list[str]] = {"first": [], "peer": []}
    for name, packet in answers:
        text, before = describe(packet), told[name]
        repeats = text.startswith(REPORTS) and text in recent_reports(before)
        if not repeats:
            before.append(text)
    return told


def recent_reports(told: list[str]) -> Iterator[str]:
    """The reports since the last other packet."""
    for text in reversed(told):
        if not text.startswith(REPORTS):
            return
        yield text


@dataclass(frozen=True)
class Difference:
    """The answers of both where they differ; a dash stands for none."""

    script: str
    model: str
    rootcanal: str

    def __str__(self) -> str:
        return f"{self.script}\n  model:     {self.model}\n  rootcanal: {self.rootcanal}\n"


def differences(script: str, model: dict[str, list[str]], rootcanal: dict[str, list[str]]) -> set[Difference]:
    """All differences between two runs of a script."""
    found = set()
    for name in model:
        ours, theirs = model[name], rootcanal[name]
        for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(a=ours, b=theirs, autojunk=False).get_opcodes():
            if tag != "equal":
                found.add(Difference(script, "; ".join(ours[i1:i2]) or "-", "; ".join(theirs[j1:j2]) or "-"))
    return found


def known_differences() -> dict[Difference, str]:
    """The allowed differences with their reasons. An entry has four lines: script, model, rootcanal, because.
    """
    entries: dict[Difference, str] = {}
    blocks = [block for block in KNOWN_DIFFERENCES.read_text().split("\n\n") if not block.startswith("#")]
    for block in filter(str.strip, blocks):
        script, model, rootcanal, because = (line.strip() for line in block.strip().splitlines())
        entry = Difference(
            script,
            model.removeprefix("model:").strip(),
            rootcanal.removeprefix("rootcanal:").strip(),
        )
        entries[entry] = because.removeprefix("because:").strip()
    return entries


@pytest.mark.parametrize("script", sorted(p.name for p in SCRIPTS.glob("*.txt") if p != KNOWN_DIFFERENCES))
def test_the_model_answers_as_rootcanal_does(script: str) -> None:
    path = SCRIPTS / script
    model = lines(play_on_model(path, find_simulator()))
    found = differences(script, model, lines(play_on_rootcanal(path)))
    known = {entry for entry in known_differences() if entry.script == script}
    assert any(model.values()), "the model says nothing at all"
    assert not found - known, "\n" + "\n".join(map(str, sorted(found - known, key=str)))
    assert not known - found, "listed, but not seen any more:\n" + "\n".join(map(str, known - found))


def test_each_known_difference_has_a_reason() -> None:
    assert all(known_differences().values())
