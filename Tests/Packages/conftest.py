"""Fixtures: the packages of `make deb`, and clean Debian systems to install them in."""

import functools
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "build/packages"
SYSTEMS = ROOT / "build/systems"
VERSION = (ROOT / "VERSION").read_text().strip()
EARLIER = "0.0.1"

# Files of dpkg, apt and systemd themselves, and those in which a new group appears.
BOOKKEEPING = ("var/lib/dpkg/", "var/lib/apt/", "var/cache/", "var/log/", "etc/group", "etc/gshadow", "etc/passwd", "etc/shadow",
               "etc/.pwd.lock", "var/lib/systemd/deb-systemd-helper-", "tmp/", "run/", "root/")


class System:
    """A Debian system in a folder. Its commands run by chroot, without network and without systemd."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", "HOME": "/root"}
        inside = ["sh", "-c", 'mount -t proc proc /proc && exec "$@"', "sh", *command]
        ended = subprocess.run(["unshare", "--mount", "--net", "--pid", "--fork", "chroot", str(self.folder), *inside],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                               env=environment)
        assert ended.returncode == 0 or not check, f"{' '.join(command)}: exit code {ended.returncode}:\n{ended.stdout}"
        return ended

    def install(self, package: Path) -> str:
        """Installs a package file by apt, and returns what it printed."""
        shutil.copy(package, self.folder / "tmp")
        return self.run("apt-get", "install", "--yes", "-o", "Dpkg::Use-Pty=0", f"/tmp/{package.name}").stdout

    def files(self) -> set[str]:
        """All files but those of dpkg, apt and systemd themselves."""
        found = set()
        for directory, folders, names in os.walk(self.folder):
            for name in [*names, *(folder for folder in folders if (Path(directory) / folder).is_symlink())]:
                path = str((Path(directory) / name).relative_to(self.folder))
                if not path.startswith(BOOKKEEPING):
                    found.add(path)
        return found


@pytest.fixture(scope="session", params=["bookworm", "trixie"])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a clean Debian 12 or 13."""
    if os.geteuid() != 0:
        pytest.skip("chroot and mounts need root: run `sudo make deb-test`")
    folder = tmp_path_factory.mktemp(request.param)
    subprocess.run(["tar", "-x", "-f", SYSTEMS / f"{request.param}.tar", "-C", folder, "--exclude=./dev/*"], check=True)
    subprocess.run(["mknod", "-m", "666", folder / "dev/null", "c", "1", "3"], check=True)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def system(release: Path, tmp_path: Path) -> Iterator[System]:
    """A Debian system of the test's own: an overlay has what the test changes."""
    parts = {name: tmp_path / name for name in ("upper", "work", "system")}
    for folder in parts.values():
        folder.mkdir()
    options = f"lowerdir={release},upperdir={parts['upper']},workdir={parts['work']}"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, parts["system"]], check=True)
    yield System(parts["system"])
    subprocess.run(["umount", parts["system"]], check=True)
    for folder in parts.values():
        shutil.rmtree(folder)


@functools.cache
def package(name: str, version: str = VERSION, architecture: str = "amd64") -> Path:
    """A package file of `make deb`; one of an earlier version is packaged now, from the same programs."""
    path = PACKAGES / f"{name}_{version}_{architecture}.deb"
    if version != VERSION:
        subprocess.run([ROOT / "packaging/build", "--version", version, f"{name}_{architecture}"], check=True, capture_output=True)
    assert path.exists(), f"{path} is missing; run make deb"
    return path
