"""Mistakes of operators and authorities: an error of one line with a remedy, and nothing half done."""

from __future__ import annotations

import datetime
import re
import stat
import subprocess
from pathlib import Path

import desk as desks
import program
import pytest
from agent import find_agent, find_simulator, find_tabardctl
from desk import Desk
from sonar_authority import sonar_authority
from submissions import DAY, ONSET, covid_tracer_report, date, secret, sonar_upload, utc, yesterday

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await desks.at(tmp_path)


async def test_symptoms_begin_today_at_the_latest(desk: Desk) -> None:
    root = secret(desk, "root", bytes(range(32)))
    registration = secret(desk, "registration", bytes(127))
    later = date(yesterday() + 4 * DAY)
    for command in [
        ("covid-tracer", "--root", root),
        ("exposure-notification", "--keys", root),
        ("sonar", "--registration", registration, "--symptom", "cough"),
    ]:
        ended = await desk.run("submit", *command, "--symptoms-began", later, "--yes")
        assert ended.exit_code == 64 and f"{later}: that day has not begun" in ended.errors and not ended.output, ended
        assert ended.errors.count("\n") == 1, ended
    today = date(yesterday() + DAY)
    await desk.run_well("submit", "covid-tracer", "--root", root, "--symptoms-began", today, "--yes")


async def test_an_empty_submission_is_an_error_and_writes_no_file(desk: Desk) -> None:
    authority = await sonar_authority(desk, "authority")
    friend, registration, _ = await authority.install("owner")
    report = desk.folder / "report"
    written = ("--yes", "--output", report, "--archive", desk.archive)
    desks.start(desk, ONSET)
    desks.meet(desk, "sonar", friend.answer(friend.broadcast(ONSET), ONSET), after=2 * DAY, seconds=80)
    for command in (sonar_upload(registration), ("submit", "ble-proximity")):
        ended = await desk.run(*command, *written)
        assert ended.exit_code == 66 and "nothing to submit: Foyer" in ended.errors, ended
        assert ended.errors.count("\n") == 1 and "--from" in ended.errors and not report.exists(), ended


async def test_a_reference_code_is_good_once_and_for_two_weeks(desk: Desk) -> None:
    authority = await sonar_authority(desk, "authority")
    phone, _, code = await authority.install("owner")
    other, _, late = await authority.install("other")
    find = ("authority", "sonar", "find", "--register", authority.register)
    # Without --redeem, a search has no effect.
    assert (await desk.run_well(*find, code)).strip() == phone.name
    assert (await desk.run_well(*find, code, "--redeem")).strip() == phone.name
    ended = await desk.run(*find, code, "--redeem")
    assert ended.exit_code == 65 and f"{code}: already redeemed on" in ended.errors and not ended.output, ended
    ended = await desk.run(*find, code)
    assert ended.exit_code == 0 and ended.output.strip() == phone.name and "already redeemed on" in ended.errors, ended
    register = authority.register.read_bytes()
    assert stat.S_IMODE(authority.register.stat().st_mode) == 0o600
    after = ("--at", utc(int(datetime.datetime.now(datetime.UTC).timestamp()) + 15 * DAY))
    ended = await desk.run(*find, late, "--redeem", *after)
    assert ended.exit_code == 65 and f"{late}: expired on" in ended.errors and not ended.output, ended
    assert ended.errors.count("\n") == 1 and authority.register.read_bytes() == register, ended
    assert (await desk.run_well(*find, late, "--redeem")).strip() == other.name


async def test_an_invalid_registration_changes_nothing(desk: Desk) -> None:
    authority = await sonar_authority(desk, "authority")
    await authority.install("owner")
    register = authority.register.read_bytes()
    command = ("authority", "sonar", "register", "--key", authority.folder / "sonar.pub.pem")
    named = (*command, "--register", authority.register)
    nowhere = desk.folder / "none" / "board"
    ended = await desk.run(*named, "--output", nowhere)
    assert ended.exit_code == 66 and f"create it with mkdir -p {nowhere.parent}" in ended.errors, ended
    output = desk.folder / "board"
    for country in ("0", "1000"):
        ended = await desk.run(*named, "--output", output, "--country", country)
        assert ended.exit_code == 64 and "from 1 to 999" in ended.errors, ended
    ended = await desk.run(*command, "--register", desk.folder / "none" / "register", "--output", output)
    assert ended.exit_code == 66 and "create it with mkdir -p" in ended.errors, ended
    assert authority.register.read_bytes() == register and not output.exists()
    assert not list(desk.folder.glob("board*"))


async def test_keys_go_into_a_folder_that_is_made_for_them(desk: Desk) -> None:
    for command, name in [
        (("authority", "sonar", "new"), "sonar.pem"),
        (("authority", "exposure-notification", "new"), "exposure-notification.pem"),
        (("keys", "new"), "opening.pem"),
    ]:
        folder = desk.folder / command[0] / command[1]
        await desk.run_well(*command, "--directory", folder)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    key = desk.folder / "junk.pem"
    ended = await desk.run("authority", "sonar", "register", "--key", key, "--register", "r", "--output", "o")
    assert ended.exit_code == 66 and "`tabardctl authority sonar new`" in ended.errors, ended
    key.write_text("junk")
    ended = await desk.run(
        "authority", "exposure-notification", "export", "--key", key, "--register", "r", "--output", "o"
    )
    assert ended.exit_code == 65 and "`tabardctl authority exposure-notification new`" in ended.errors, ended


async def test_the_error_names_the_missing_output_folder(desk: Desk) -> None:
    folder = desk.folder / "none"
    root = secret(desk, "root", bytes(range(32)))
    for command in [
        covid_tracer_report(root, "--yes", "--output", folder / "report"),
        ("report", "--archive", desk.archive, "--output", folder / "report.html"),
        ("provision", "--scheme", "covid-tracer", "--root", root, "--output", folder / "keys"),
    ]:
        ended = await desk.run(*command)
        assert ended.exit_code == 66 and ended.errors.splitlines()[-1].endswith(f"create it with mkdir -p {folder}"), ended
    assert not folder.exists()


async def test_files_that_are_not_archives_or_documents_are_refused(desk: Desk) -> None:
    junk = desk.folder / "junk"
    junk.write_text("junk" * 1000)
    published = desk.folder / "published.json"
    published.write_text('{"format":"tabard-herald-matching-keys-1","keys":[]}')
    match = ("match", "herald")
    ended = await desk.run(*match, published, "--archive", junk)
    assert ended.exit_code == 65 and f"{junk}: not an archive of tabardctl, or damaged" in ended.errors, ended
    for content in ("", "junk"):
        junk.write_text(content)
        ended = await desk.run(*match, junk, "--archive", desk.archive)
        assert ended.exit_code == 65 and re.search("fetch (or write )?it again", ended.errors), ended
        assert ended.errors.count("\n") == 1, ended


async def test_match_refers_to_the_sonar_authority(desk: Desk) -> None:
    for arguments in ((), ("cases.json", "--archive", desk.archive)):
        ended = await desk.run("match", "sonar", *arguments)
        assert ended.exit_code == 64 and "`tabardctl authority sonar resolve`" in ended.errors, ended
        assert ended.errors.count("\n") == 1 and not ended.output, ended
    assert "sonar" in await desk.run_well("match", "--help")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("send",), "give one message: a text, --hex or --file; see `tabardctl send --help`"),
        (("payload", "venue"), "; see `tabardctl payload venue --help`"),
        (("export", "herald"), "missing expected argument '--output <folder>'; see `tabardctl export herald --help`"),
        (("analyse", "formal"), "missing expected argument '<folder> ...'; see `tabardctl analyse formal --help`"),
        (("encounters", "--json", "--csv"), "--json and --csv cannot both be given; see `tabardctl encounters --help`"),
        (("encounters", "--since", "whenever"), "whenever"),
        (("encounters", "--scheme", "whatever"), "whatever"),
        (("encounters", "--no-such-thing"), "unknown option '--no-such-thing'; see `tabardctl encounters --help`"),
        (("erase", "--through"), "missing value for '--through <segment>'; see `tabardctl erase --help`"),
        (("physician",), "no such command: physician; `tabardctl help` lists all"),
        (("completion", "bash"), "no such command: completion; `tabardctl help` lists all"),
        (("encouters", "--json"), "no such command: encouters; did you mean encounters? `tabardctl help` lists all"),
        (("match", "herold"), "no such command: match herold; did you mean match herald? `tabardctl help match` lists all"),
        (("help", "nosuch"), "no such command: nosuch; `tabardctl help` lists all"),
        (("help", "payload", "vanue"), "no such command: payload vanue; did you mean payload venue?"),
        (("config", "port", "delete"), "delete: unknown action; the actions are get and set; see `tabardctl config --help`"),
        (("config", "port", "get"), "give what to get: section.key; see `tabardctl config --help`"),
        (("config", "port", "unset", "log.retention_days"), "set the default value instead: set log.retention_days=28;"),
        (("provision",), "give the port, --opening and --operator"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
async def test_usage_errors_are_one_line(desk: Desk, arguments: tuple[str, ...], words: str) -> None:
    ended = await desk.run(*arguments)
    assert ended.exit_code == 64 and not ended.output, ended
    assert ended.errors.startswith("tabardctl: ") and words in ended.errors, ended
    assert ended.errors.count("\n") == 1, ended


async def test_help_and_version_go_to_standard_output(desk: Desk) -> None:
    for arguments in (("--help",), ("help", "send"), ("send", "--help"), ("--version",), ("version",), ()):
        ended = await desk.run(*arguments)
        assert ended.exit_code == 0 and ended.output and not ended.errors, ended


def test_help_fits_a_terminal_and_its_examples_can_be_copied(tmp_path: Path) -> None:
    for name, find in (("tabard", find_agent), ("tabardctl", find_tabardctl), ("tabard-sim", find_simulator)):
        (tmp_path / name).symlink_to(find().resolve())
    ended = subprocess.run([ROOT / "scripts" / "help-texts", tmp_path], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


async def test_the_agent_without_a_command_prints_a_short_usage() -> None:
    ended = await program.run(find_agent())
    assert ended.exit_code == 64 and not ended.output, ended
    assert ended.errors == "tabard: commands: run, setup, status, metrics, doctor, mark, panel, config, replay, selftest; tabard --help prints all\n"


async def test_both_key_pairs_are_written_before_anything_is_printed(desk: Desk) -> None:
    keys = desk.folder / "keys"
    shell = ("/bin/sh", "-c", '"$0" "$@" > /dev/full')
    ended = await program.run(*shell, find_tabardctl(), "keys", "new", "--directory", keys)
    assert ended.exit_code == 74 and len(list(keys.iterdir())) == 4, ended


async def test_test_vectors_that_are_not_json_are_one_failed_case(desk: Desk) -> None:
    photo = desk.folder / "photo.jpg"
    photo.write_bytes(b"\xff\xd8\xff")
    ended = await desk.run("conformance", photo)
    assert ended.exit_code == 65 and f"FAILED  {photo}: not JSON" in ended.output, ended
    assert f"{photo}: 1 case\n" in ended.errors and "1 case failed" in ended.errors, ended


async def test_open_names_only_boards_with_locked_pages(desk: Desk) -> None:
    desks.start(desk, ONSET)
    archive = ("--archive", desk.archive)
    assert await desk.run_well("open", *archive) == "no locked pages\n"
    assert await desk.run_well("open", "--board", "Foyer", *archive) == "Foyer: no locked pages\n"


async def test_help_tells_defaults_as_people_write_them(desk: Desk) -> None:
    helps = re.compile(r"^  ([a-z-]+)\s", re.MULTILINE)

    async def pages(*command: str) -> list[str]:
        text = await desk.run_well(*command, "--help")
        _, _, subcommands = text.partition("SUBCOMMANDS:")
        below = [await pages(*command, name) for name in helps.findall(subcommands) if name != "help"]
        return [text, *(page for each in below for page in each)]

    every = await pages()
    assert len(every) > 40, len(every)
    for page in every:
        for default in re.findall(r"\(default:\s+([^)]*)\)", page):
            assert "(" not in default and ": " not in default, default
    assert "(default: 2026-01-01)" in " ".join((await desk.run_well("submit", "herald", "--help")).split())
