"""The packaged `tabardctl`, which is optimised and statically linked. The rig runs one that is neither."""

import gzip
import http.client
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from conftest import ROOT, package

SAMPLE = ROOT / "Tests" / "Vectors" / "version-0.1" / "venue.sqlite.gz"
PATIENCE_SECONDS = 60


@dataclass(frozen=True)
class Tool:
    """The program, unpacked, and the environment of an operator who has the sample archive."""

    program: Path
    environment: dict[str, str]

    def run(self, *arguments: str) -> str:
        return self._output([str(self.program), *arguments])

    def run_on_terminal(self, *arguments: str) -> str:
        return self._output(["script", "--quiet", "--return", "--command", f"{self.program} {' '.join(arguments)}", "/dev/null"])

    def _output(self, command: list[str]) -> str:
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=self.environment, timeout=PATIENCE_SECONDS,
        )  # fmt: skip
        assert ended.returncode == 0, f"{command}: exit code {ended.returncode}:\n{ended.stdout}"
        return ended.stdout

    @contextmanager
    def serve(self) -> Iterator[str]:
        """The address of the dashboard, with its token."""
        process = subprocess.Popen(
            [self.program, "serve", "--port", "0", "--board", "/dev/nowhere"], stdout=subprocess.PIPE, text=True, env=self.environment
        )
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.kill()
            process.wait()


@pytest.fixture
def tool(tmp_path: Path) -> Tool:
    subprocess.run(["dpkg-deb", "-x", package("tabardctl"), tmp_path], check=True)
    home = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "settings"), "TZ": "UTC"}
    archive = tmp_path / "data" / "tabard" / "archive.sqlite"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(gzip.decompress(SAMPLE.read_bytes()))
    tool = Tool(tmp_path / "usr" / "bin" / "tabardctl", os.environ | home)
    tool.run("archive", "upgrade")
    return tool


@pytest.mark.parametrize("command", ["encounters", "presence", "boards", "coverage", "verify"])
def test_a_list_on_a_terminal_has_the_rows_of_a_pipe(tool: Tool, command: str) -> None:
    """On a terminal the program shows progress, too."""
    shown = tool.run_on_terminal(command)
    assert len(shown.splitlines()) > 1
    assert tool.run(command).splitlines()[1].split()[0] in shown


def test_the_dashboard_answers_with_each_page(tool: Tool) -> None:
    with tool.serve() as address:
        parts = urlsplit(address)

        def answer(target: str, cookie: str = "") -> http.client.HTTPResponse:
            connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE_SECONDS)
            connection.request("GET", target, headers={"Cookie": cookie})
            return connection.getresponse()

        cookie = (answer(f"{parts.path}?{parts.query}").getheader("Set-Cookie") or "").split(";")[0]
        pages = ("/", "/boards", "/who-met", "/contacts", "/presence", "/encounters", "/coverage", "/downloads")
        assert {page: answer(page, cookie).status for page in pages} == dict.fromkeys(pages, 200)
