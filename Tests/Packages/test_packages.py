"""The contents of the packages."""

import hashlib
import re
import subprocess
from pathlib import Path

import pytest

from conftest import PACKAGES, ROOT, VERSION, package

NAMES = ["tabard_arm64", "tabard_armhf", "tabard_amd64", "tabardctl_amd64"]


def path_of(name: str) -> Path:
    program, architecture = name.split("_")
    return package(program, architecture=architecture)


@pytest.mark.parametrize("name", NAMES)
def test_lintian_finds_nothing(name: str) -> None:
    """Each package is clean, or its exceptions are explained in its overrides."""
    found = subprocess.run(["lintian", "--fail-on", "error,warning", "--allow-root", path_of(name)], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("name", NAMES)
def test_two_builds_give_the_same_bytes(name: str, tmp_path: Path) -> None:
    """Packaging the same programs again changes no byte."""
    def digests() -> dict[str, str]:
        files = PACKAGES.glob(f"{name.replace('_', f'_{VERSION}_')}.*")
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    first = digests()
    assert len(first) == 2
    subprocess.run([ROOT / "packaging/build", name], check=True, capture_output=True)
    assert digests() == first


@pytest.mark.parametrize(("architecture", "machine"), [("arm64", "ARM aarch64"), ("armhf", "ARM"), ("amd64", "x86-64")])
def test_the_agent_is_for_the_architecture_of_the_package(architecture: str, machine: str, tmp_path: Path) -> None:
    """Each package has one static program for its own processors."""
    subprocess.run(["dpkg-deb", "-x", package("tabard", architecture=architecture), tmp_path], check=True)
    described = subprocess.run(["file", "-b", tmp_path / "usr/bin/tabard"], check=True, capture_output=True, text=True).stdout
    assert f", {machine}, " in described
    assert "static" in described


def test_every_command_has_a_manual_page(tmp_path: Path) -> None:
    """There is a page for each command, and man finds nothing wrong in any page."""
    for name in ("tabard", "tabardctl"):
        subprocess.run(["dpkg-deb", "-x", package(name), tmp_path], check=True)
    pages = {path.name.removesuffix(".gz") for path in tmp_path.glob("usr/share/man/*/*")}
    helped = subprocess.run([tmp_path / "usr/bin/tabardctl", "--help"], check=True, capture_output=True, text=True).stdout
    commands = re.findall(r"^  ([a-z-]+) ", helped.split("SUBCOMMANDS:")[1].split("\n\n")[0], re.MULTILINE)
    assert len(commands) > 20
    assert {f"tabardctl-{command}.1" for command in commands} | {"tabardctl.1", "tabard.1", "tabard.toml.5"} <= pages


def test_the_tarball_has_the_files_of_the_package(tmp_path: Path) -> None:
    """The plain tarball has the same files as the package."""
    for name in ("tabard", "tabardctl"):
        listed = subprocess.run(["dpkg-deb", "-c", package(name)], check=True, capture_output=True, text=True).stdout
        packed = {line.split(" ./", 1)[1] for line in listed.splitlines() if not line.endswith("/")}
        tarball = package(name).with_suffix(".tar.xz")
        names = subprocess.run(["tar", "-tf", tarball], check=True, capture_output=True, text=True).stdout.splitlines()
        assert {name.split("/", 1)[1] for name in names if not name.endswith("/")} == packed
