"""`tabard metrics`: the agent's status for Prometheus, without a name of anybody."""

from __future__ import annotations

import json
import re
from pathlib import Path

import program
from agent import find_agent
from test_service import ServiceManager, ask
from test_service import manager as manager  # a fixture
from venue import Venue

DOCUMENTS = Path(__file__).parents[2] / "docs"
LINE = re.compile(r"tabard_[a-z_]+ [0-9]+")


def values(text: str) -> dict[str, int]:
    """The metrics by name. Each has its help and its type, and counters end as Prometheus wants."""
    lines = text.splitlines()
    found = {}
    for comment, kind, sample in zip(lines[0::3], lines[1::3], lines[2::3], strict=True):
        name = sample.split()[0]
        assert LINE.fullmatch(sample) and comment.startswith(f"# HELP {name} "), (comment, sample)
        assert kind in (f"# TYPE {name} gauge", f"# TYPE {name} counter")
        assert name.endswith("_total") == kind.endswith("counter")
        found[name] = int(sample.split()[1])
    return found


async def test_metrics_tell_how_the_agent_does(venue: Venue, manager: ServiceManager, tmp_path: Path) -> None:
    await venue.start_agent()
    await manager.until("STATUS=radio up")
    ended = await program.run_well(find_agent(), "metrics", "--socket", tmp_path / "status")
    found = values(ended.output)
    assert found["tabard_up"] == found["tabard_radio_up"] == found["tabard_set_up"] == 1, found
    assert found["tabard_log_encrypted"] == found["tabard_dropped_entries_total"] == 0, found
    assert "{" not in ended.output


async def test_documents_alerts_and_dashboard_name_the_metrics_that_there_are(
    venue: Venue, manager: ServiceManager, tmp_path: Path
) -> None:
    await venue.start_agent()
    await manager.until("READY=1")
    # A battery at 50 %, as a program on the board reports it.
    assert ask(tmp_path / "control", bytes([2, 50, 1, 0, 0, 0])) == b"\0"
    ended = await program.run_well(find_agent(), "metrics", "--socket", tmp_path / "status")
    found = set(values(ended.output))
    assert set(re.findall(r"^\| `(tabard_[a-z_]+)` ", (DOCUMENTS / "metrics.md").read_text(), re.MULTILINE)) == found
    dashboard = json.loads((DOCUMENTS / "monitoring/dashboard.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += re.findall(r"expr: (.*)", (DOCUMENTS / "monitoring/alerts.yml").read_text())
    assert len(queries) > 20
    for query in queries:
        assert set(re.findall(r"tabard_[a-z_]+", query)) <= found, query


async def test_a_file_is_replaced_as_a_whole_and_others_may_read_it(
    venue: Venue, manager: ServiceManager, tmp_path: Path
) -> None:
    agent = await venue.start_agent()
    await manager.until("STATUS=radio up")
    file = tmp_path / "tabard.prom"
    command = (find_agent(), "metrics", "--socket", tmp_path / "status", "--output", file)
    await program.run_well(*command)
    assert file.stat().st_mode & 0o777 == 0o644 and values(file.read_text())["tabard_up"] == 1
    # With the agent gone, nothing is left that looks as if it were well.
    await agent.stop()
    ended = await program.run(*command)
    assert ended.exit_code == 69 and values(file.read_text()) == {"tabard_up": 0}, ended
    assert sorted(path.name for path in tmp_path.glob("tabard.prom*")) == ["tabard.prom"]


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path, programs: None) -> None:
    file = tmp_path / "none" / "tabard.prom"
    ended = await program.run(find_agent(), "metrics", "--socket", tmp_path / "status", "--output", file)
    assert ended.exit_code == 74 and "create the folder" in ended.errors, ended
    ended = await program.run(find_agent(), "metrics", "--outptu", file)
    assert ended.exit_code == 64 and "--outptu: not an option" in ended.errors, ended
