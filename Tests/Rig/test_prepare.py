"""`tabardctl prepare`: cards with Raspberry Pi OS that make a beacon of their board at the first boot."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import boot_partition
import program
import pytest
import yaml
from agent import find_agent
from desk import Desk
from journal import PATIENCE_SECONDS
from printed_json import document_in

STEP = "sh /boot/firmware/tabard/first-boot.sh"


@pytest.fixture
def desk(tmp_path: Path, programs: None) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A file that looks like the package of the agent; the card only carries it."""
    file = tmp_path / "tabard_0.3.0_arm64.deb"
    file.write_bytes(b"!<arch>\ndebian-binary   1732617600  0     0     100644  4         `\n2.0\n")
    return file


async def prepare(desk: Desk, card: Path, package: Path, *options: str | Path) -> program.Ended:
    keys = ("--keys", desk.folder / "keys", "--new-keys")
    return await desk.run("prepare", card, "--package", package, *keys, *options)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


async def first_boot(card: Path, board: Path) -> None:
    """Runs the step with the real agent, and a stand-in for apt-get, which needs a whole system."""
    (board / "bin").mkdir(parents=True)
    (board / "tabard.toml").write_text(f'[log]\npath = "{board}/encounters.log"\n[keys]\npath = "{board}/board.key"\n')
    for command, text in (
        ("apt-get", f'echo "$@" >>{board}/apt-get.txt'),
        ("tabard", f'command=$1; shift; exec {find_agent()} "$command" --config {board}/tabard.toml "$@"'),
        ("systemctl", f'echo "$@" >>{board}/systemctl.txt'),
    ):
        (board / "bin" / command).write_text(f"#!/bin/sh\n{text}\n")
        (board / "bin" / command).chmod(0o755)
    path = f"{board}/bin:{os.environ['PATH']}"
    ended = await program.run_well("env", f"PATH={path}", "sh", card / "tabard" / "first-boot.sh")
    assert ended.output.endswith("tabard: first boot: done\n"), ended


async def test_a_card_with_cloud_init_gets_package_keys_settings_and_the_step(desk: Desk, package: Path) -> None:
    card = boot_partition.debian_13(desk.folder / "bootfs")
    ended = await prepare(desk, card, package, "--venue-number", "1234", "--name", "Foyer", "--posters", desk.folder)
    assert ended.exit_code == 0, ended
    assert "the beacon of venue 826/0/1234, Foyer, with tabard 0.3.0" in ended.output, ended
    assert (card / "tabard" / package.name).read_bytes() == package.read_bytes()
    for name in ("opening.pub.pem", "operator.pub.pem"):
        assert (card / "tabard" / name).read_bytes() == (desk.folder / "keys" / name).read_bytes(), name
    settings = yaml.safe_load((card / "user-data").read_text())
    early = f"cloud-init-per instance tabard systemd-run --no-block --unit=tabard-first-boot {STEP}"
    assert settings == {"hostname": "foyer", "bootcmd": [early.split()]}
    assert (card / "user-data").read_text().startswith(boot_partition.USER_DATA)
    assert "serial0" not in (card / "cmdline.txt").read_text() and "systemd.run" not in (card / "cmdline.txt").read_text()
    assert "dr_mode=peripheral" in (card / "config.txt").read_text()
    assert "<svg" in (desk.folder / "venue-826-0-1234.svg").read_text()
    # No secret is on the card.
    assert not any(b"PRIVATE" in data for data in contents(card).values())


@pytest.mark.parametrize("imager", [False, True])
async def test_a_card_without_cloud_init_runs_the_step_by_its_script(desk: Desk, package: Path, imager: bool) -> None:
    card = boot_partition.debian_12(desk.folder / "bootfs")
    if imager:
        (card / "firstrun.sh").write_text(boot_partition.IMAGER_SCRIPT)
        line = boot_partition.COMMAND_LINE.strip()
        (card / "cmdline.txt").write_text(
            f"{line} systemd.run=/boot/firstrun.sh systemd.run_success_action=reboot "
            "systemd.unit=kernel-command-line.target\n"
        )
    ended = await prepare(desk, card, package, "--venue-number", "1")
    assert ended.exit_code == 0, ended
    script = (card / "firstrun.sh").read_text().splitlines()
    place = next(index for index, line in enumerate(script) if line.startswith(STEP))
    removal = next(index for index, line in enumerate(script) if line.endswith("firstrun.sh") and "rm " in line)
    assert place < removal, script
    words = (card / "cmdline.txt").read_text().split()
    path = "/boot/firstrun.sh" if imager else "/boot/firmware/firstrun.sh"
    assert words.count(f"systemd.run={path}") == 1 and "systemd.unit=kernel-command-line.target" in words, words
    assert "init=/usr/lib/raspberrypi-sys-mods/firstboot" in words, words


async def test_a_card_that_is_prepared_again_is_as_if_prepared_once(desk: Desk, package: Path) -> None:
    card = boot_partition.debian_13(desk.folder / "bootfs")
    await prepare(desk, card, package, "--venue-number", "1", "--name", "Foyer")
    (card / "tabard" / "first-boot.log").write_text("an earlier first boot\n")
    (card / "tabard" / "tabard_0.2.0_arm64.deb").write_bytes(b"an earlier package")
    await prepare(desk, card, package, "--venue-number", "2", "--name", "Bar")
    other = boot_partition.debian_13(desk.folder / "other")
    await prepare(desk, other, package, "--venue-number", "2", "--name", "Bar")
    assert contents(card) == contents(other)


async def test_the_step_installs_the_package_and_sets_the_board_up(desk: Desk, package: Path, programs: None) -> None:
    card = boot_partition.debian_13(desk.folder / "bootfs")
    name = """Adams' "Pizza" $HOME `id` Caf\u00e9"""
    ended = await prepare(desk, card, package, "--venue-number", "1234", "--name", name, "--set", "log.retention_days=9")
    assert ended.exit_code == 0, ended
    board = desk.folder / "board"
    await first_boot(card, board)
    assert (board / "apt-get.txt").read_text().endswith(f" {card}/tabard/{package.name}\n")
    local = (board / "tabard.local.toml").read_text()
    assert "location = 1234\n" in local and "retention_days = 9\n" in local, local
    assert 'name = "Adams\' \\"Pizza\\" $HOME `id` Caf\u00e9"\n' in local, local
    shown = await desk.run("prepare", card, "--log")
    assert shown.output.endswith("tabard: first boot: done\n"), shown


async def test_twenty_cards_from_one_table_differ_by_their_lines_only(desk: Desk, package: Path) -> None:
    table = desk.folder / "cards.csv"
    table.write_text(
        "venue-number,name,area,set\n"
        + "".join(
            f'{number},"Hall {number}, left",Door {number},log.retention_days=7; radio.tx_power_dbm=4\n'
            for number in range(1, 21)
        )
    )
    cards = [boot_partition.debian_13(desk.folder / f"card{number}") for number in range(1, 21)]
    for part in (cards[:8], cards[8:]):
        ended = await prepare(desk, part[0], package, *part[1:], "--cards", table, "--country", "276")
        assert ended.exit_code == 0, ended
    scripts = [(card / "tabard" / "first-boot.sh").read_text() for card in cards]
    for number, (card, script) in enumerate(zip(cards, scripts, strict=True), 1):
        assert f"--venue-number {number} --country 276 --name 'Hall {number}, left' --area 'Door {number}' " in script
        assert "--set log.retention_days=7 --set radio.tx_power_dbm=4" in script
        same = {**contents(card), "tabard/first-boot.sh": b""}
        assert same == {**contents(cards[0]), "tabard/first-boot.sh": b""}, card
    assert len(set(scripts)) == 20
    ended = await prepare(desk, cards[0], package, "--cards", table)
    assert ended.exit_code == 64 and "all 20 cards are prepared" in ended.errors, ended


async def test_twenty_boards_of_one_table_have_identities_and_keys_of_their_own(desk: Desk, package: Path) -> None:
    table = desk.folder / "cards.csv"
    table.write_text("venue-number,name\n" + "".join(f"{number},Hall {number}\n" for number in range(1, 21)))
    cards = [boot_partition.debian_13(desk.folder / f"card{number}") for number in range(1, 21)]
    ended = await prepare(desk, cards[0], package, *cards[1:], "--cards", table)
    assert ended.exit_code == 0, ended
    boards: list[dict[str, object]] = []
    for number, card in enumerate(cards, 1):
        board = desk.folder / f"{card.name}-board"
        await first_boot(card, board)
        assert f'name = "Hall {number}"\n' in (board / "tabard.local.toml").read_text()
        port = board / "port"
        # Without a controller the agent serves its port all the same.
        options = ("--hci", f"unix:{board}/none", "--sync", f"pty:{port}", "--set", "log.size_mebibytes=1")
        agent = await asyncio.create_subprocess_exec(find_agent(), "run", "--config", board / "tabard.toml", *options)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (answer := await desk.run("devices", "--json", "--port", port)).exit_code != 0:
                    await asyncio.sleep(0.1)
        finally:
            agent.terminate()
            await agent.wait()
        boards.append(document_in(answer.output)[0])
    for key in ("board", "boardKey"):
        assert len({board[key] for board in boards}) == 20, key


async def test_a_person_at_a_terminal_prepares_card_after_card(desk: Desk, package: Path) -> None:
    table = desk.folder / "cards.csv"
    table.write_text("venue-number\n7\n8\n9\n")
    card = boot_partition.debian_13(desk.folder / "bootfs")
    command = ("prepare", card, "--package", package, "--without-keys", "--cards", table)
    ended = await desk.answer("\n\nq\n", *command)
    assert ended.exit_code == 0 and "card 1 of" in ended.errors and "card 3 of" in ended.errors, ended
    assert "--venue-number 8 " in (card / "tabard" / "first-boot.sh").read_text()
    lines = Path(f"{table}.prepared").read_text().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["1", "2"], lines
    ended = await desk.answer("\n", *command)
    assert ended.exit_code == 0 and "--venue-number 9 " in (card / "tabard" / "first-boot.sh").read_text(), ended


@pytest.mark.parametrize(
    ("spoil", "code", "words"),
    [
        (lambda card: (card / "cmdline.txt").unlink(), 66, "no boot partition of Raspberry Pi OS (cmdline.txt is missing)"),
        (lambda card: (card / "issue.txt").write_text("Raspberry Pi reference 2022-09-22"), 66, "of 2022-09-22"),
        (lambda card: (card / "kernel7.img").write_text(""), 66, "the card has a system for armhf"),
        (lambda card: (card / "user-data").write_text("#!/bin/sh\n"), 65, "user-data is no #cloud-config"),
        (lambda card: (card / "user-data").write_text("#cloud-config\nbootcmd: [[ls]]\n"), 65, "add this line to them"),
    ],
)
async def test_a_card_that_cannot_be_prepared_is_refused(
    desk: Desk, package: Path, spoil: object, code: int, words: str
) -> None:
    card = boot_partition.debian_13(desk.folder / "bootfs")
    spoil(card)  # type: ignore[operator]
    before = contents(card)
    ended = await prepare(desk, card, package, "--venue-number", "1")
    assert ended.exit_code == code and words in ended.errors.splitlines()[-1], ended
    # Nothing that the first boot reads has changed.
    names = ("cmdline.txt", "user-data", "firstrun.sh")
    assert {name: before.get(name) for name in names} == {name: contents(card).get(name) for name in names}


async def test_mistakes_on_the_command_line_and_in_the_table_are_named(desk: Desk, package: Path) -> None:
    card = boot_partition.debian_13(desk.folder / "bootfs")
    before = contents(card)
    ended = await prepare(desk, card, package)
    assert ended.exit_code == 64 and "a beacon needs --venue-number" in ended.errors, ended
    ended = await prepare(desk, card, package, card)
    assert ended.exit_code == 64 and "give each its own with --cards" in ended.errors, ended
    table = desk.folder / "cards.csv"
    for text, words in (
        ("venue-number,name\n1,a\n2,b\nx,c\n", "cards.csv: card 3: herald.location:"),
        ("venue-number,colour\n1,a\n", "cards.csv: line 1: no column colour"),
        ("role,venue-number\nwearable,1\n", "cards.csv: card 1: --venue-number is of a beacon"),
    ):
        table.write_text(text)
        ended = await prepare(desk, card, package, "--cards", table)
        assert ended.exit_code == 65 and words in ended.errors, ended
    assert contents(card) == before
    ended = await desk.run("prepare", card, "--log")
    assert ended.exit_code == 66 and "was not prepared" in ended.errors, ended
