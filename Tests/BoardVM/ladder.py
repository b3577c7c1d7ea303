"""The upper rungs of the agent's recovery ladder, on a real kernel with a controller that comes and goes.

A second agent has an adapter to itself. It may switch the adapter by its rfkill switch, and gives up after a
minute, the shortest possible time. All of it runs beside the other proofs.
"""

from __future__ import annotations

from journal import Journal
from stage import Scene

SCAN_ON = bytes.fromhex("01 0c20 02 01")


async def climb(scene: Scene) -> None:
    machine, proofs = scene.machine, scene.proofs
    scans: Journal[bytes] = Journal("scans started on the second adapter")
    scene.second.taps.append(lambda by_agent, packet: scans.append(packet) if by_agent and packet.startswith(SCAN_ON) else None)

    await machine.line(r"vm: second: tabard: radio up")
    began = len(machine.console)
    machine.say("block")
    held = (await machine.line(r"vm: second: blocked: (\d)", after=began))[1]
    if held != "0":
        raise RuntimeError("somebody could block the adapter that an agent holds")
    machine.say("pull")
    down = (await machine.line(r"vm: second: tabard: (radio down: .*; reopening the transport)", after=began))[1]
    proofs.add(f"adapter gone: {down}")
    started = len(scans)
    machine.say("plug")
    back = (await machine.line(r"vm: second: (adapter back, blocked: 1)", after=began))[1]
    power = (await machine.line(r"vm: second: tabard: (radio down: .*; switching the controller off and on)", after=began))[1]
    proofs.add(f"{back}: {power}")
    await scans.first(what="scan on the adapter that came back", after=started)
    up = (await machine.line(r"vm: second: tabard: (radio up)", after=began))[1]
    proofs.add(f"unblocked by the agent, {up}, and it scans")

    machine.say("pull")
    lost = (await machine.line(r"vm: second: tabard: (radio\.hci: hci1: down for 1 minutes; .*)", after=began))[1]
    ended = (await machine.line(r"vm: second: ended with (\d+)", after=began))[1]
    if ended != "69":
        raise RuntimeError(f"an agent without an adapter ended with exit code {ended} instead of 69")
    proofs.add(f"adapter gone for ever: {lost} (exit code {ended})")
