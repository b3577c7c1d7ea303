"""Records test results for Tests/Conformance: title (the docstring's first line), file and result per line.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest


class ClauseResults:
    """A pytest plugin that writes one JSON object for each test."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._titles: dict[str, str] = {}
        self._results: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            text = getattr(getattr(item, "function", None), "__doc__", None)
            self._titles[item.nodeid] = (text or item.name).strip().splitlines()[0].removesuffix(".")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._results[report.nodeid] = "failed"
        elif report.skipped:
            self._results.setdefault(report.nodeid, "skipped")
        elif report.when == "call":
            self._results.setdefault(report.nodeid, "passed")

    def pytest_sessionfinish(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lines = (
            json.dumps({"title": title, "file": f"Rig/{test.split('::')[0].split('/')[-1]}", "result": self._results[test]})
            for test, title in self._titles.items()
            if test in self._results
        )
        self._path.write_text("".join(f"{line}\n" for line in lines))
