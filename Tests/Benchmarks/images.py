"""Builds the measured programs as for a board, and the C floors with the same flags and C library."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SDK = "linux-x86_64"
SYSROOT = ROOT / "build/sdk/boards.artifactbundle" / SDK / "sysroot"
TOOLCHAIN = Path(shutil.which("swiftc") or sys.exit("bench: swiftc is not in PATH")).resolve().parent
OUTPUT = ROOT / "build/bench"


def run(*command: str | Path) -> str:
    """Runs a command and returns its output; exits with the output if the command fails."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {command[0]} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def build_tabard(product: str, image: Path) -> Path:
    """Builds one of our products as boards/build builds the agent."""
    scratch = ROOT / ".build" / SDK
    run("swift", "build", "-c", "release", "--scratch-path", scratch, "--swift-sdks-path", "build/sdk",
        "--swift-sdk", SDK, "--product", product, "-Xswiftc", "-no-allocations")  # fmt: skip
    # Without line tables, because valgrind 3.19 cannot read DWARF 5.
    run(TOOLCHAIN / "llvm-objcopy", "--strip-debug", scratch / "release" / product, image)
    return image


def build_floor(name: str, optimisation: str, sources: list[Path], includes: list[Path], libraries: tuple[str, ...] = ()) -> Path:
    """Builds a harness around a floor.c, for the same C library."""
    image = OUTPUT / name
    directories = [*includes, ROOT / "Tests/Benchmarks/Common", ROOT / "Sources/CLinux/include"]
    run(TOOLCHAIN / "clang", "--target=x86_64-linux-musl", f"--sysroot={SYSROOT}", "-fuse-ld=lld", "-static-pie",
        optimisation, "-fPIC", "-ffunction-sections", "-Wl,--gc-sections", "-Wall", "-Wextra", "-Werror",
        *(f"-I{directory}" for directory in directories), *sources, *sorted((ROOT / "Sources/CLinux").glob("*.c")),
        *(f"-l{library}" for library in libraries), "-o", image)  # fmt: skip
    return image


def allocators(image: Path) -> list[str]:
    """Allocator symbols in an image, by the names that boards/build uses."""
    names = re.search(r"^allocators='(.+)'$", (ROOT / "boards/build").read_text(), re.MULTILINE)
    if names is None:
        sys.exit("bench: boards/build does not say what an allocator is called")
    symbols = (line.split()[-1] for line in run(TOOLCHAIN / "llvm-nm", image).splitlines() if line)
    return [symbol for symbol in symbols if re.fullmatch(names[1], symbol)]


def describe_build() -> str:
    """The flags that affect the measurement, read from where they are set."""
    toolset = json.loads((SYSROOT.parent / "toolset.json").read_text())
    flags = [f for f in toolset["swiftCompiler"]["extraCLIOptions"] if f.startswith("-O") or f in ("Embedded", "-wmo")]
    version = re.search(r"Swift version (\S+)", run(TOOLCHAIN / "swiftc", "--version"))
    return f"Swift {version[1] if version else '?'}, {' '.join(flags)} -no-allocations, SDK {SDK} (musl, static), as boards/build"
