"""The documents: links, the list in docs/README.md, drawings, and the queries of the data dictionary."""

from __future__ import annotations

import gzip
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DICTIONARY = DOCS / "data-dictionary.md"
SAMPLE = ROOT / "Tests" / "Vectors" / "version-0.1" / "venue.sqlite.gz"


def documents() -> list[Path]:
    """Each Markdown file of the repository."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in listed.split()]


def prose(document: Path) -> str:
    """The text of a document without its code."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"^    .*$", "", text, flags=re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """The fragments under which a document's headings can be reached, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(document), flags=re.MULTILINE)
    words = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-") for heading in words}


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    """Each relative link of a document names a file, and each fragment a heading."""
    dead = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        file = (document.parent / name).resolve() if name else document
        if not file.exists() or (fragment and file.suffix == ".md" and fragment not in anchors(file)):
            dead.append(target)
    assert not dead


def test_each_document_is_listed_once() -> None:
    """The tables of docs/README.md list each file of docs once. docs/json.md lists those of docs/schemas."""
    rows = [line for line in (DOCS / "README.md").read_text().splitlines() if line.startswith("| [")]
    listed = [match[1] for row in rows for match in [re.match(r"\| \[[^]]*\]\(([^)]*)\)", row)] if match]
    files = [path for path in DOCS.rglob("*") if path.is_file() and path.parent != DOCS / "schemas"]
    present = [str(path.relative_to(DOCS)) for path in files if path.suffix != ".dot"]
    assert sorted(listed) == sorted(name for name in present if name != "README.md")


def library_modules() -> list[Path]:
    """The folders of all modules with Swift sources, without the two programs for computers."""
    folders = (path for path in (ROOT / "Sources").iterdir() if path.name not in {"tabardctl", "tabard-sim"})
    return sorted(folder for folder in folders if any(folder.rglob("*.swift")))


@pytest.mark.parametrize("module", library_modules(), ids=lambda path: path.name)
def test_each_library_module_has_a_catalogue(module: Path) -> None:
    """The API pages (make docs) begin with a catalogue, and each document that it names exists."""
    text = (module / "Documentation.docc" / f"{module.name}.md").read_text()
    assert text.startswith(f"# ``{module.name}``\n")
    assert not [name for name in re.findall(r"`(docs/[^`]*)`", text) if not (ROOT / name).exists()]


def test_no_text_calls_a_person_he() -> None:
    """Documents, help and comments say they, or name the role."""
    listed = subprocess.run(
        ["git", "grep", "-nwiE", "he|him|his|himself", "--", "*.md", "*.swift", "*.c", "*.h", "*.py", "*.toml", "*.sh", "scripts"],
        cwd=ROOT, capture_output=True, text=True,
    ).stdout.splitlines()
    assert [line for line in listed if not line.startswith(f"{Path(__file__).relative_to(ROOT)}:")] == []


def test_drawings_are_current() -> None:
    """Each drawing of docs/diagrams states the digest of its source."""
    subprocess.run([sys.executable, ROOT / "scripts" / "draw-states", "--check"], check=True)


def worked_queries() -> list[tuple[str, str, str]]:
    """Title, query and printed output of each worked query."""
    pattern = r"^### ([^\n]*)\n(?:(?!^#).)*?^```sql\n(.*?)^```\n\n```text\n(.*?)^```$"
    return re.findall(pattern, DICTIONARY.read_text(), flags=re.DOTALL | re.MULTILINE)


def test_there_are_worked_queries() -> None:
    """The test of queries has something to test."""
    assert len(worked_queries()) == DICTIONARY.read_text().count("```sql") >= 5


@pytest.mark.parametrize(("title", "query", "printed"), worked_queries(), ids=lambda text: text[:20].strip())
def test_a_worked_query_gives_the_printed_rows(title: str, query: str, printed: str, tmp_path: Path) -> None:
    """The queries of the data dictionary give the printed rows on the sample archive."""
    archive = tmp_path / "venue.sqlite"
    archive.write_bytes(gzip.decompress(SAMPLE.read_bytes()))
    with sqlite3.connect(archive) as database:
        database.executescript((DOCS / "archive-views.sql").read_text())
        cursor = database.execute(query)
        names = [column[0] for column in cursor.description]
        rows = [[str(value) for value in row] for row in cursor]
    header, _, *lines = printed.splitlines()
    assert header.split() == names, title
    assert [line.split() for line in lines] == [" ".join(row).split() for row in rows], title


# JSON outputs


def described_schemas() -> set[str]:
    """The schemas that docs/json.md has in its table."""
    return set(re.findall(r"^\| `tabard-([a-z0-9-]+)` \|", (DOCS / "json.md").read_text(), flags=re.MULTILINE))


def test_every_schema_of_json_is_described_and_has_its_file() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "Sources").rglob("*.swift"))
    made = {
        f"{name}-{version or 1}"
        for name, version in re.findall(r'PrintedSchema\("([a-z-]+)"(?:, version: ([0-9]+))?\)', sources)
    }
    # The commands of a board have no type for it.
    commands = "".join(path.read_text() for path in (ROOT / "Sources" / "BoardCommands").rglob("*.swift"))
    made |= set(re.findall(r"tabard-([a-z-]+-[0-9]+)", commands))
    assert made == described_schemas()
    assert made == {path.stem for path in (DOCS / "schemas").glob("*.json")}
