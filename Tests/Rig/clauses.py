"""Records results for Tests/Conformance: title (the docstring's first line), file and result per line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


class ClauseResults:
    """A pytest plugin that writes one JSON object for each test, also if processes share the tests."""

    def __init__(self, path: Path, is_worker: bool) -> None:
        self._path = path
        self._is_worker = is_worker
        self._titles: dict[str, str] = {}
        self._results: dict[str, str] = {}

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        # The report carries the title, because the process that writes the file may not have collected it.
        text = getattr(getattr(item, "function", None), "__doc__", None)
        item.user_properties.append(("title", (text or item.name).strip().splitlines()[0].removesuffix(".")))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._titles[report.nodeid] = dict(report.user_properties).get("title", report.nodeid)
        if report.failed:
            self._results[report.nodeid] = "failed"
        elif report.skipped:
            self._results.setdefault(report.nodeid, "skipped")
        elif report.when == "call":
            self._results.setdefault(report.nodeid, "passed")

    def pytest_sessionfinish(self) -> None:
        if self._is_worker:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lines = (
            json.dumps({"title": self._titles[test], "file": f"Rig/{test.split('::')[0].split('/')[-1]}", "result": result})
            for test, result in sorted(self._results.items())
        )
        self._path.write_text("".join(f"{line}\n" for line in lines))
