"""Malformed inputs of `tabardctl`: what a case is, and how one is made and run."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import program
from agent import find_simulator, find_tabardctl

LIMIT_SECONDS = 30.0


@dataclass(frozen=True)
class Workshop:
    """The user's own archive of ten wearables, which all cases share and none may change."""

    folder: Path

    @property
    def archive(self) -> Path:
        return self.folder / "data/tabard/archive.sqlite"

    @property
    def environment(self) -> dict[str, str]:
        places = {"XDG_DATA_HOME": self.folder / "data", "XDG_CONFIG_HOME": self.folder / "settings"}
        return {name: str(path) for name, path in places.items()} | {"TZ": "UTC", "LC_ALL": "C.UTF-8"}

    def run(self, *command: str | Path) -> None:
        subprocess.run(
            [str(word) for word in command], check=True, capture_output=True, env=os.environ | self.environment
        )


def open_workshop(folder: Path) -> Workshop:
    """Makes the archive, and lists its boards as known, so that copies of it can be read elsewhere."""
    workshop = Workshop(folder)
    workshop.archive.parent.mkdir(parents=True)
    workshop.run(find_simulator(), "archive", "--encounters", "1000", workshop.archive)
    workshop.archive.chmod(0o600)
    workshop.run(find_tabardctl(), "archive", "upgrade")
    workshop.run(find_tabardctl(), "keys", "new", "--directory", folder / "keys")
    with closing(sqlite3.connect(workshop.archive)) as database:
        rows = database.execute(
            "SELECT hex(logIdentity), hex(publicKey) FROM boardKey JOIN board ON board.id = boardID"
        ).fetchall()
    known = folder / "settings/tabard/known-boards"
    known.write_text("".join(f"{identity} {key}\n" for identity, key in rows).lower())
    return workshop


Maker = Callable[[Path, Workshop], object]
"""Makes a file; what it returns is closed after the command, if it can be closed."""


@dataclass(frozen=True)
class Case:
    """One malformed input, and what the command says of it."""

    name: str
    command: str
    """The arguments of `tabardctl`, run in the folder of the files."""
    status: int
    line: str
    """Parts of the only line on standard error, with " … " between them."""
    files: Mapping[str, bytes | Maker] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    wrapper: tuple[str, ...] = ()
    """A program that runs the command: as another user, or on a full disk."""
    prints: bool = False
    """Whether the command prints its findings before it fails, or an explanation of them."""
    notes: int = 0
    """Lines about single files before the line that says why the command fails."""


async def check(case: Case, folder: Path, workshop: Workshop) -> None:
    """Runs the command of a case, and compares what it did with what the case says."""
    with made(case.files, folder, workshop):
        before = contents(folder, workshop)
        settings = workshop.environment | case.environment
        variables = [f"{name}={value.format(folder=folder)}" for name, value in settings.items()]
        ended = await program.run(
            "env", "-C", folder, *variables, *case.wrapper, find_tabardctl(), *shlex.split(case.command),
            within=LIMIT_SECONDS,
        )  # fmt: skip
        after = contents(folder, workshop)
    assert ended.exit_code >= 0 and "Fatal error" not in ended.errors, f"crashed: {ended}"
    assert ended.exit_code == case.status, ended
    *notes, last = ended.errors.splitlines() or [""]
    assert len(notes) == case.notes and not [note for note in notes if note.startswith("tabardctl: ")], ended
    assert last.startswith("tabardctl: ") and ended.errors.endswith("\n"), ended
    for part in case.line.split(" … "):
        assert part in last, f"{part!r} is not in {last!r}"
    assert case.prints or not ended.output, ended
    assert after == before, {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


@contextmanager
def made(files: Mapping[str, bytes | Maker], folder: Path, workshop: Workshop) -> Iterator[None]:
    """The files of a case, which are closed afterwards, and may be deleted by anybody."""
    with ExitStack() as stack:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            elif hasattr(kept := content(path, workshop), "close"):
                stack.enter_context(closing(kept))
        try:
            yield
        finally:
            for path in [folder, *folder.rglob("*")]:
                if path.is_dir() and not path.is_symlink():
                    path.chmod(0o700)


def contents(folder: Path, workshop: Workshop) -> dict[str, str]:
    """The kind and the content of each file of the case, of the archive, and of the files beside it.

    SQLite's index of the log (-shm) is no content, and neither is an empty log (-wal).
    """
    files: dict[str, str] = {}
    for place in (folder, workshop.archive.parent):
        for path in sorted(place.rglob("*")):
            mode = path.lstat().st_mode
            if path.name.endswith("-shm") or path.name.endswith("-wal") and not path.stat().st_size:
                continue
            content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(mode) else ""
            files[str(path)] = f"{stat.filemode(mode)} {content}"
    return files


# Files


def archive(*statements: str, mode: int = 0o600) -> Maker:
    """A copy of the archive that another program has changed."""

    def make(path: Path, workshop: Workshop) -> None:
        shutil.copyfile(workshop.archive, path)
        with closing(sqlite3.connect(path)) as database:
            for statement in statements:
                database.execute(statement)
            database.commit()
        path.chmod(mode)

    return make


def part_of_archive(byte_count: int) -> Maker:
    return lambda path, workshop: path.write_bytes(workshop.archive.read_bytes()[:byte_count])


class Holder:
    """Another process that writes into an archive until it is closed.

    A lock of the test's own process would end with any file of the archive that the test closes.
    """

    CODE = """if True:
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1], isolation_level=None)
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("BEGIN EXCLUSIVE")
        print("locked", flush=True)
        sys.stdin.read()
    """

    def __init__(self, path: Path, workshop: Workshop) -> None:
        archive()(path, workshop)
        command = [sys.executable, "-c", self.CODE, str(path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None and self._process.stdout.readline() == "locked\n"

    def close(self) -> None:
        self._process.communicate("", LIMIT_SECONDS)


def key(name: str, mode: int = 0o600) -> Maker:
    """One of the operator's key files: opening.pem, operator.pem, and their public halves."""

    def make(path: Path, workshop: Workshop) -> None:
        shutil.copyfile(workshop.folder / "keys" / name, path)
        path.chmod(mode)

    return make


def private(content: bytes) -> Maker:
    """A file that only its owner can read, as secrets have to be."""

    def make(path: Path, workshop: Workshop) -> None:
        path.write_bytes(content)
        path.chmod(0o600)

    return make


def unreadable(path: Path, workshop: Workshop) -> None:
    path.touch(0o000)


def closed_folder(path: Path, workshop: Workshop) -> None:
    path.mkdir(0o500)


def folder(path: Path, workshop: Workshop) -> None:
    path.mkdir()


def pipe(path: Path, workshop: Workshop) -> None:
    """A named pipe that nobody writes into."""
    os.mkfifo(path)


def link(target: str) -> Maker:
    return lambda path, workshop: path.symlink_to(target)


# Programs around the command

AS_A_USER = (
    ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
    if os.geteuid() == 0
    else ()
)
"""Without these capabilities root obeys the mode of a file, as everybody else does."""

ON_A_FULL_OUTPUT = ("sh", "-c", 'exec "$@" >/dev/full', "sh")

_SMALL_DISK = """
    contents() { find disk -type f ! -name '*-shm' ! -name '*-wal' -exec sha256sum {} +; }
    mount -t tmpfs -o size="$1" none disk && cp -p given/* disk/ && shift || exit 99
    [ "$1" = fill ] && cat /dev/zero >disk/other 2>/dev/null
    shift; before=$(contents); "$@"; status=$?; after=$(contents)
    [ "$after" = "$before" ] || find disk -type f ! -name '*-shm' ! -name '*-wal' >&2
    exit $status
"""


def on_a_small_disk(size: str, *, full: bool = False) -> tuple[str, ...]:
    """The folder `disk` is a disk of that size, with the files of the folder `given`.

    The files on it may not change, and none may appear: their names would be further lines. SQLite's log of a
    transaction that found no room may stay, because SQLite ignores it.
    """
    namespace = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--map-root-user", "--mount")
    return (*namespace, "sh", "-c", _SMALL_DISK, "sh", size, "fill" if full else "leave")


def can_mount() -> bool:
    """Whether this computer lets a test mount a disk of its own."""
    command = [*on_a_small_disk("1m")[:-5], "-c", "mount -t tmpfs none /mnt"]
    return shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0
