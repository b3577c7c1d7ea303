#!/usr/bin/env python3
"""Proves that a card of `tabardctl prepare` makes a beacon of a board at its first boot: a line per proof.

The card's boot partition is laid out as Raspberry Pi OS of Debian 12 lays it out. The system is the image of
`make image`, from which Tabard is purged, and whose root can be written. It is started with the words that the prepared
card adds to the kernel's command line, as a Raspberry Pi starts with them. Nobody types anything at that boot.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

# The rig's modules can be imported after this one.
from installed_stage import PACKAGE_64, RADIO_SECONDS, ROOT, Scene, play
import boot_partition
import herald
from installed import BOARD_64, BOOT_SECONDS
from smoke import synced_encounter

VENUE = {"country": 276, "state": 3, "location": 1234}
# On an emulated processor dpkg installs the package, and the agent makes the log.
FIRST_BOOT_SECONDS = 2 * BOOT_SECONDS
# The image's first partition is the one of EFI.
EFI_OFFSET = "@@1M"


def prepared_card(scene: Scene) -> tuple[Path, str]:
    """A card for the venue, as a file, and the words that it adds to the kernel's command line."""
    folder = boot_partition.debian_12(scene.work / "bootfs")
    before = (folder / "cmdline.txt").read_text().split()
    command = [str(scene.tabardctl.binary), "prepare", str(folder), "--new-keys", "--package", str(PACKAGE_64)]
    for option, value in (("venue-number", VENUE["location"]), ("country", VENUE["country"]), ("state", VENUE["state"])):
        command += [f"--{option}", str(value)]
    said = subprocess.run([*command, "--name", "Foyer"], check=True, capture_output=True, text=True).stdout
    line = next(line for line in said.splitlines() if line.startswith(f"{folder}: "))
    scene.proofs.add(f"prepared: {line.partition(': ')[2]}")
    card = scene.work / "card.img"
    subprocess.run(["mkfs.vfat", "-C", "-F", "32", "-n", "bootfs", card, str(128 * 1024)], check=True, capture_output=True)
    subprocess.run(["mcopy", "-s", "-m", "-i", card, *folder.iterdir(), "::"], check=True)
    words = (folder / "cmdline.txt").read_text().split()
    return card, " ".join(word for word in words if word.startswith("systemd.") and word not in before)


def kernel_options(scene: Scene, words: str) -> tuple[str, ...]:
    """Starts the image's own kernel with further words on its command line."""
    image = f"{ROOT}/build/vm-system/{scene.computer.board}.img{EFI_OFFSET}"
    for name in ("vmlinuz", "initrd.img", "loader/entries/tabard.conf"):
        subprocess.run(["mcopy", "-n", "-o", "-i", image, f"::/{name}", scene.work / Path(name).name], check=True)
    entry = (scene.work / "tabard.conf").read_text().splitlines()
    line = next(line.removeprefix("options ") for line in entry if line.startswith("options "))
    files = ("-kernel", str(scene.work / "vmlinuz"), "-initrd", str(scene.work / "initrd.img"))
    return (*files, "-append", f"{line} {words}")


async def purge(scene: Scene) -> None:
    """Makes of the image a Debian whose root can be written, and that never had Tabard."""
    steps = (
        "mount -o remount,rw /",
        "systemctl stop tabard tabard-panel",
        "umount /etc/tabard",
        "dpkg --purge tabard",
        "rm -rf /etc/tabard /var/etc/tabard /var/lib/private/tabard /var/lib/tabard",
        "sed -i -e /tabard.*bind/d -e s/ro,noatime/noatime/ /etc/fstab",
        "mkdir -p /boot/firmware",
        "echo '/dev/disk/by-label/bootfs /boot/firmware vfat defaults 0 2' >>/etc/fstab",
        "! command -v tabard",
        "sync",
    )
    for step in steps:
        if (done := await scene.machine.run(step)).code != 0:
            raise RuntimeError(f"'{step}' ended with {done}")


async def prove(scene: Scene) -> None:
    await scene.machine.ready()
    await purge(scene)
    card, words = prepared_card(scene)
    drive = ("-drive", f"file={card},format=raw,if=none,id=card", "-device", "virtio-blk-pci,drive=card")
    await scene.switch_on_again(*drive, *kernel_options(scene, words))
    await scene.machine.off(within=FIRST_BOOT_SECONDS)
    scene.proofs.add(f"first boot, with {words}: ends after {scene.machine.seconds:.0f} s")
    log = subprocess.run(["mtype", "-i", card, "::/tabard/first-boot.log"], check=True, capture_output=True, text=True).stdout
    if not log.endswith("tabard: first boot: done\n"):
        raise RuntimeError(f"the first boot failed: {log}")

    await scene.switch_on_again(*drive)
    await scene.advert(within=BOOT_SECONDS)
    scene.proofs.add(f"second boot: the first advert is heard after {scene.machine.seconds:.0f} s")
    await scene.phone.switch_on()
    payload = herald.beacon_payload(**VENUE, name="Foyer")
    await scene.phone.read.first(lambda read: read.payload.startswith(payload), within=RADIO_SECONDS, what="the venue's payload")
    await scene.answers_on_the_cable()
    settings = (await scene.machine.run("tabard config")).text
    if 'name = "Foyer"' not in settings:
        raise RuntimeError(f"the board has another name: {settings}")
    scene.proofs.add("a phone reads the venue's payload, and the board's name is Foyer")
    encounter = await synced_encounter(scene.tabardctl, str(scene.port), scene.phone.payload)
    scene.proofs.add(f"fetched with the keys of the card: an encounter of {encounter.seconds:.0f} s; {await scene.compare_with_the_board()}")


if __name__ == "__main__":
    sys.exit(asyncio.run(play("vm-card", BOARD_64, prove)))
