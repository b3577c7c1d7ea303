"""Debian packages of the agent, made by the tests: their files are what a test puts there."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path


def package(folder: Path, agent: bytes, version: str, architecture: str = "amd64") -> Path:
    """A package in the form of deb(5) whose only file is the agent."""
    folder.mkdir(parents=True, exist_ok=True)
    files = io.BytesIO()
    with tarfile.open(fileobj=files, mode="w") as archive:
        for name, content in (("./usr/share/doc/tabard/copyright", b"-"), ("./usr/bin/tabard", agent)):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755
            archive.addfile(entry, io.BytesIO(content))
    members = (
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", gzip.compress(b"", mtime=0)),
        ("data.tar.gz", gzip.compress(files.getvalue(), mtime=0)),
    )
    content = b"!<arch>\n"
    for name, data in members:
        content += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
    path = folder / f"tabard_{version}_{architecture}.deb"
    path.write_bytes(content)
    return path
