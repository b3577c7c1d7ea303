"""Updates over the cable: a new agent is tried, and a broken one leaves the old one running."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import program
import pytest
import pytest_asyncio
from agent import Agent, find_agent
from agent_package import package
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from journal import PATIENCE_SECONDS
from printed_json import document_in
from test_keys import pairs, provision
from venue import Venue, configuration

TRIAL_SECONDS = 5
# Of RestartPreventExitStatus in tabard.service.
FINAL_CODES = (64, 65, 66)


class Service:
    """Stands in for systemd: starts the agent by the launcher, again and again, as tabard.service does."""

    def __init__(self, venue: Venue) -> None:
        self.venue = venue
        launcher = find_agent().with_name("tabard-commands")
        venue.prepare_agent()
        start = (str(launcher), "launch", "--trial-seconds", str(TRIAL_SECONDS))
        self.agent = venue.agent = Agent(find_agent(), venue.directory / "agent", configuration(), emulator=start)
        self._runs: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self.venue.open_endpoint()
        await self.agent.start(self.venue.endpoint.transport)
        await self.agent.line("radio up")
        self._runs = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            while self.agent.is_running:
                await asyncio.sleep(0.1)
            if self.agent.exit_code in FINAL_CODES:
                return
            await asyncio.sleep(0.2)
            await self.agent.start(self.venue.endpoint.transport)

    async def stop(self) -> None:
        if self._runs is not None:
            self._runs.cancel()
            with suppress(asyncio.CancelledError):
                await self._runs

    async def said(self, words: str) -> None:
        """Waits until a line of any run has these words."""
        await self.agent.lines.until(lambda lines: any(words in line.text for line in lines), what=words, within=PATIENCE_SECONDS)

    async def until_slot(self, slot: int) -> None:
        """Waits until an agent from this slot answers at the cable, with its radio up."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                ended = await program.run(self.venue.tabardctl.binary, "devices", "--json", "--port", self.agent.sync_port)
                found = document_in(ended.output) if ended.exit_code == 0 else []
                if found and found[0].get("updateSlot") == slot and found[0].get("radio") == "up":
                    return
                await asyncio.sleep(0.3)

    async def update(self, file: Path, keys: Path, *options: str, wait: bool = False) -> program.Ended:
        command = ("update", self.agent.sync_port, file, "--operator", keys / "operator.pem", "--wait" if wait else "--no-wait")
        return await program.run(self.venue.tabardctl.binary, *map(str, (*command, *options)))


@pytest_asyncio.fixture
async def service(venue: Venue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """A board that its operator has given keys, with a state folder as systemd makes it."""
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    monkeypatch.setenv("STATE_DIRECTORY", str(state))
    service = Service(venue)
    await service.start()
    yield service
    await service.stop()


@pytest_asyncio.fixture
async def keys(service: Service) -> Path:
    directory = await pairs(service.venue, "keys")
    await provision(service.venue, directory)
    return directory


async def intact(service: Service, keys: Path) -> None:
    """Fetches the log again, and proves that nothing of it is missing."""
    venue = service.venue
    await venue.tabardctl.sync(service.agent.sync_port)
    options = ("--opening", str(keys / "opening.pem"), "--archive", str(venue.tabardctl.archive))
    await venue.tabardctl.run("verify", *options)


def compiled(folder: Path, source: str) -> bytes:
    """A program that does nothing of what an agent does."""
    compiler = shutil.which("cc") or shutil.which("clang")
    assert compiler, "there is no C compiler; scripts/setup host installs one"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main.c").write_text(source)
    subprocess.run([compiler, "-o", folder / "main", folder / "main.c"], check=True)
    return (folder / "main").read_bytes()


async def test_an_update_runs_on_trial_and_the_log_goes_on(service: Service, keys: Path, tmp_path: Path) -> None:
    ended = await service.update(package(tmp_path, find_agent().read_bytes(), "9.0.0"), keys)
    assert ended.exit_code == 0 and "starts it on trial" in ended.errors, ended
    await service.until_slot(1)
    found = document_in(
        await service.venue.tabardctl.run("devices", "--json", "--port", str(service.agent.sync_port))
    )[0]
    assert found["isUpdateOnTrial"] is True, found
    again = await service.update(package(tmp_path, find_agent().read_bytes(), "9.0.1"), keys)
    assert again.exit_code == 75 and "is an update on trial; try again" in again.errors, again
    await intact(service, keys)


async def test_a_dry_run_checks_the_package_and_the_board_and_sends_nothing(
    service: Service, keys: Path, tmp_path: Path
) -> None:
    before = {path: path.read_bytes() for path in (tmp_path / "state").rglob("*") if path.is_file()}
    ended = await service.update(package(tmp_path, find_agent().read_bytes(), "9.0.0"), keys, "--dry-run")
    assert ended.exit_code == 0 and "nothing was sent, because of --dry-run" in ended.errors, ended
    assert {path: path.read_bytes() for path in (tmp_path / "state").rglob("*") if path.is_file()} == before
    ended = await service.update(package(tmp_path, find_agent().read_bytes(), "0.0.1"), keys, "--dry-run")
    assert ended.exit_code == 65 and "is older than this one" in ended.errors, ended


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("int main(void) { return 1; }", "ends at once"),
        ("int main(void) { return 65; }", "says that its configuration is wrong"),
        ("#include <unistd.h>\nint main(void) { for (;;) pause(); }", "never advertises"),
        ("int main(void) { *(volatile int *)0 = 1; }", "crashes"),
    ],
    ids=["ends at once", "refuses the configuration", "never advertises", "crashes"],
)
async def test_a_broken_agent_leaves_the_old_one(
    service: Service, keys: Path, tmp_path: Path, source: str, what: str
) -> None:
    broken = compiled(tmp_path / "broken", source)
    assert (await service.update(package(tmp_path, broken, "9.0.0"), keys)).exit_code == 0
    await service.said("update: version 9.0.0 has not shown in three starts that it runs well; the board goes back")
    await service.until_slot(0)
    await intact(service, keys)


async def test_the_tool_waits_until_the_board_has_gone_back(service: Service, keys: Path, tmp_path: Path) -> None:
    broken = compiled(tmp_path / "broken", "int main(void) { return 1; }")
    ended = await service.update(package(tmp_path, broken, "9.0.0"), keys, wait=True)
    assert ended.exit_code == 69 and "the board has gone back to version" in ended.errors, ended
    await intact(service, keys)


async def test_a_file_that_is_no_program_leaves_the_old_one(service: Service, keys: Path, tmp_path: Path) -> None:
    assert (await service.update(package(tmp_path, b"no program", "9.0.0"), keys)).exit_code == 0
    await service.said("update: version 9.0.0 cannot be started; the board goes back")
    await service.until_slot(0)


async def test_an_update_that_was_changed_on_the_medium_is_not_started(
    service: Service, keys: Path, tmp_path: Path
) -> None:
    assert (await service.update(package(tmp_path, find_agent().read_bytes(), "9.0.0"), keys)).exit_code == 0
    await service.until_slot(1)
    stored = tmp_path / "state/update.1"
    content = bytearray(stored.read_bytes())
    content[len(content) // 2] ^= 1
    stored.write_bytes(content)
    await service.agent.kill()
    await service.said("update: version 9.0.0 is damaged, older than the package, or not signed by the operator; the board goes back")
    await service.until_slot(0)


async def test_an_older_version_on_the_medium_is_not_started(service: Service, keys: Path, tmp_path: Path) -> None:
    """The operator has signed it once, but somebody puts it back in place of the present one."""
    assert (await service.update(package(tmp_path, find_agent().read_bytes(), "9.0.0"), keys)).exit_code == 0
    await service.until_slot(1)
    stored = tmp_path / "state/update.1"
    content = bytearray(stored.read_bytes())
    content[10:13] = bytes([0, 0, 1])
    operator = serialization.load_pem_private_key((keys / "operator.pem").read_bytes(), None)
    assert isinstance(operator, ec.EllipticCurvePrivateKey)
    signature = operator.sign(b"tabard update 1\0" + content[:128], ec.ECDSA(hashes.SHA256()))
    content[128:192] = b"".join(number.to_bytes(32, "big") for number in decode_dss_signature(signature))
    stored.write_bytes(content)
    await service.agent.kill()
    await service.said("is damaged, older than the package, or not signed by the operator; the board goes back")
    await service.until_slot(0)


async def test_an_update_that_a_power_cut_interrupts_changes_nothing(service: Service, keys: Path, tmp_path: Path) -> None:
    part = tmp_path / "state/update.part"
    file = package(tmp_path, find_agent().read_bytes(), "9.0.0")
    update = asyncio.create_task(service.update(file, keys))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not part.exists() or part.stat().st_size < 100_000:
            await asyncio.sleep(0.01)
    await service.agent.kill()
    assert (await update).exit_code != 0
    await service.until_slot(0)
    await intact(service, keys)
    assert (await service.update(file, keys)).exit_code == 0
    await service.until_slot(1)


async def test_only_the_operators_updates_are_taken(service: Service, keys: Path, tmp_path: Path) -> None:
    others = await pairs(service.venue, "others")
    ended = await service.update(package(tmp_path, find_agent().read_bytes(), "9.0.0"), others)
    assert ended.exit_code == 77, ended
    await service.until_slot(0)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("tabard_0.0.1_amd64.deb", 65, "is older than this one; --force puts it there all the same"),
        ("tabard_9.0.0_arm64.deb", 65, "is for another kind of processor"),
    ],
)
async def test_an_update_that_does_not_fit_is_refused(
    service: Service, keys: Path, tmp_path: Path, name: str, code: int, words: str
) -> None:
    _, version, rest = name.split("_")
    file = package(tmp_path, find_agent().read_bytes(), version, rest.removesuffix(".deb"))
    ended = await service.update(file, keys)
    assert ended.exit_code == code and words in ended.errors, ended
    await service.until_slot(0)


async def test_an_older_version_is_taken_when_the_operator_insists(service: Service, keys: Path, tmp_path: Path) -> None:
    file = package(tmp_path, find_agent().read_bytes(), "0.0.1")
    assert (await service.update(file, keys, "--force")).exit_code == 0
    await service.until_slot(1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a Debian package; copy it again"),
        (b"!<arch>\ndebian-binary   0           0     0     100644  4         `\n2.0\n", "has no data.tar.gz"),
        (None, "damaged: its files cannot be unpacked; copy it again"),
    ],
    ids=["empty", "without files", "cut off"],
)
async def test_a_damaged_package_is_refused_here(
    venue: Venue, tmp_path: Path, content: bytes | None, words: str
) -> None:
    venue.prepare_agent()
    keys = await pairs(venue, "keys")
    file = package(tmp_path, bytes(range(256)) * 50, "9.0.0")
    if content is None:
        whole = file.read_bytes()
        start = whole.index(b"data.tar.gz") + 60
        content = whole[:start] + b"\x1f\x8b" + bytes(len(whole) - start - 2)
    file.write_bytes(content)
    command = ("update", "/dev/null", file, "--operator", keys / "operator.pem")
    ended = await program.run(venue.tabardctl.binary, *map(str, command))
    assert ended.exit_code == 65 and words in ended.errors, ended
