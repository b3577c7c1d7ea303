"""The queries of docs/contact-queries.md, in SQL, pandas, R and DuckDB, print what the document says."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

import sample_archive
from sample_archive import Sample

DOCS = Path(__file__).resolve().parents[2] / "docs"
DOCUMENT = (DOCS / "contact-queries.md").read_text()
QUERIES = re.findall(
    r"^### ([^\n]*)\n\n```(sql|python|r|duckdb)\n(.*?)^```\n\n```text\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE
)


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    """The sample of the document, in the working folder."""
    sample = await sample_archive.at(tmp_path, monkeypatch, encounter_count=1_000)
    (people,) = re.findall(r"```csv\n(.*?)```", DOCUMENT, re.DOTALL)
    (tmp_path / "people.csv").write_text(people)
    monkeypatch.chdir(tmp_path)
    await sample.printed("label", "--names", "people.csv")
    await sample.printed("export", "csv", "--output", "study")
    await sample.printed("export", "parquet", "--output", "contacts.parquet")
    return sample


def printed(language: str, query: str, archive: Path) -> list[str]:
    """The words that a query prints, without lines under headings."""
    match language:
        case "sql":
            with closing(sqlite3.connect(archive)) as database:
                database.executescript((DOCS / "archive-views.sql").read_text())
                cursor = database.execute(query)
                rows = [[column[0] for column in cursor.description], *cursor.fetchall()]
        case "duckdb":
            with closing(duckdb.connect()) as database:
                cursor = database.execute(query)
                rows = [[column[0] for column in cursor.description], *cursor.fetchall()]
        case _:
            program = [shutil.which("Rscript"), "--vanilla", "-e"] if language == "r" else [sys.executable, "-c"]
            ended = subprocess.run([*program, query], check=True, capture_output=True, text=True)
            return ended.stdout.split()
    return " ".join(str(value) for row in rows for value in row).split()


def test_the_document_has_queries_in_every_language() -> None:
    assert {language for _, language, _, _ in QUERIES} == {"sql", "python", "r", "duckdb"}
    assert len(QUERIES) == DOCUMENT.count("```text") >= 6


@pytest.mark.parametrize(("title", "language", "query", "expected"), QUERIES, ids=[query[0] for query in QUERIES])
async def test_a_query_prints_what_the_document_says(
    sample: Sample, title: str, language: str, query: str, expected: str
) -> None:
    words = [word for word in expected.split() if word.strip("-")]
    assert printed(language, query, sample.path) == words, title
