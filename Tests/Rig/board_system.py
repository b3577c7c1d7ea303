"""A board's system as files below a folder, with faults that no test machine has, and its doctor's report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import program
from agent import configuration_text, find_agent
from printed_json import document_in
from venue import configuration


@dataclass(frozen=True)
class Finding:
    """One finding of the JSON form."""

    level: str
    subject: str
    finding: str
    run: str = ""
    advice: str = ""


@dataclass(frozen=True)
class System:
    """The files of a board's system, and the doctor that looks at them."""

    folder: Path

    def write(self, path: str, text: str = "") -> None:
        """Makes a file and its folders."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    async def findings(self, *options: str | Path, **settings: dict[str, object]) -> tuple[int, list[Finding]]:
        """The exit code, and all findings for a beacon with these settings."""
        tables = configuration()
        tables["log"]["path"] = "/var/lib/tabard/encounters.log"
        tables["sync"] = {"port": "/dev/tabard-sync"}
        for table, keys in settings.items():
            tables.setdefault(table, {}).update(keys)
        file = self.folder / "etc/tabard/tabard.toml"
        file.write_text(configuration_text(tables))
        socket_option = ("--socket", self.folder / "run/tabard/status")
        ended = await program.run(
            find_agent(), "doctor", "--json", "--config", file, "--system", self.folder, *socket_option, *options
        )
        return ended.exit_code, [Finding(**each) for each in document_in(ended.output)]

    async def finding(self, subject: str, **settings: dict[str, object]) -> Finding:
        """The only finding about a subject."""
        found = [each for each in (await self.findings(**settings))[1] if each.subject == subject]
        assert len(found) == 1, found
        return found[0]


def made_in(folder: Path) -> System:
    """A system that lacks nothing but a running agent."""
    for path in ("etc/tabard", "var/lib/tabard", "dev", "sys/class/bluetooth/hci0", "run"):
        (folder / path).mkdir(parents=True)
    system = System(folder)
    system.write("dev/tabard-sync")
    return system
