"""docs/install.md, followed word for word on a clean system, up to where it needs a board."""

import re
import shutil
import sys
from pathlib import Path

from conftest import ROOT, VERSION, System, package

sys.path.insert(0, str(ROOT / "Tests/Rig"))
import boot_partition  # noqa: E402

PAGE = (ROOT / "docs/install.md").read_text()
CARD = Path("media/anna/bootfs")


def commands(section: str) -> list[str]:
    """The commands in the indented lines of a section, without their comments and without output."""
    text = PAGE.split(f"## {section}\n")[1].split("\n## ")[0]
    lines = re.findall(r"^ {4,}((?:sudo|tabardctl|git|make|\() ?.*)$", text, re.MULTILINE)
    return [re.split(r" {2,}#", line)[0].rstrip() for line in lines]


def prepare_home(system: System) -> None:
    """Puts the packages into the home folder, where the page expects them.

    The package with the name of a board's has the agent for this processor. `sudo` only runs its command: root needs none.
    """
    home = system.folder / "root"
    shutil.copy(package("tabardctl"), home)
    shutil.copy(package("tabard"), home / f"tabard_{VERSION}_arm64.deb")
    sudo = system.folder / "usr/bin/sudo"
    sudo.write_text('#!/bin/sh\nexec "$@"\n')
    sudo.chmod(0o755)


def fresh_card(system: System) -> None:
    """Puts a card in its place, just written with Raspberry Pi OS."""
    card = system.folder / CARD
    shutil.rmtree(card, ignore_errors=True)
    card.parent.mkdir(parents=True, exist_ok=True)
    boot_partition.debian_13(card)


def follow(system: System, command: str) -> str:
    """Runs a command of the page in the home folder, and returns what it prints."""
    return system.run("bash", "-c", f"cd && {command}").stdout


def test_a_new_user_prepares_a_card_for_a_board(system: System) -> None:
    """The computer gets its program, and the card its files; keys and poster are where the page says."""
    prepare_home(system)
    fresh_card(system)
    [install, version] = commands("The computer")
    follow(system, install)
    assert follow(system, version) == f"tabardctl {VERSION}\n"
    prepare = commands("A prepared card")
    assert len(prepare) == 1, prepare
    follow(system, prepare[0])
    assert f"tabard_{VERSION}_arm64.deb" in {file.name for file in (system.folder / CARD / "tabard").iterdir()}
    home = system.folder / "root"
    assert (home / ".config/tabard/opening.pem").stat().st_mode & 0o077 == 0
    assert "<svg" in (home / "venue-826-0-1234.svg").read_text()
    assert "no serial port found" in system.run("tabardctl", "devices", check=False).stdout
    assert "has not started yet" in system.run("tabardctl", "prepare", f"/{CARD}", "--log", check=False).stdout


def test_forty_cards_come_from_a_table(system: System) -> None:
    """The table has forty lines, and the command fills a card with each line of it."""
    prepare_home(system)
    [install, _] = commands("The computer")
    [table, prepare] = commands("Many cards")
    follow(system, install)
    follow(system, table)
    assert len((system.folder / "root/cards.csv").read_text().splitlines()) == 41
    names = set()
    for _ in range(40):
        fresh_card(system)
        follow(system, prepare)
        names |= set(re.findall(r"Wearable \d+", (system.folder / CARD / "tabard/first-boot.sh").read_text()))
    assert names == {f"Wearable {number:02}" for number in range(1, 41)}


def test_a_board_that_runs_already_is_set_up_and_cleared(system: System) -> None:
    """The commands of the page install the package, set the board up, remove the package and purge it."""
    prepare_home(system)
    [install, setup, restart] = commands("A board that runs already")
    # As where systemd runs, so that the doctor does, too.
    (system.folder / "run/systemd/system").mkdir(parents=True)
    assert "the board is not set up" in follow(system, install)
    follow(system, setup)
    assert restart == "sudo systemctl restart tabard"
    assert "location = 1234" in system.run("tabard", "config").stdout
    removal = re.findall(r"`(sudo apt [a-z]+ tabard)`", PAGE)
    assert len(removal) == 2, removal
    for command in removal:
        follow(system, f"yes | {command}")
    assert not (system.folder / "etc/tabard").exists()


def test_the_page_names_commands_that_the_makefile_has() -> None:
    """The programs are built by targets of the Makefile."""
    makefile = (ROOT / "Makefile").read_text()
    built = [command.split()[1] for command in commands("From source") if command.startswith("make")]
    assert built == ["deb", "build"]
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in built)
