"""The fixtures that the rig's tests share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

import custody
from agent import Agent, find_agent, find_tabardctl
from air import Air
from clauses import ClauseResults
from scripted_controller import ScriptedController
from venue import Venue, configuration


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause-results", type=Path, help="keep each test's title and result in this file")


def pytest_configure(config: pytest.Config) -> None:
    custody.isolate()
    path = config.getoption("--clause-results")
    if path is not None:
        config.pluginmanager.register(ClauseResults(path, is_worker=hasattr(config, "workerinput")))


@pytest_asyncio.fixture
async def air() -> AsyncIterator[Air]:
    """An air without nodes."""
    async with Air() as air:
        yield air


@pytest.fixture(scope="session")
def programs() -> None:
    """Fails a test that needs the built programs, with instructions for building them."""
    missing = ""
    for find in (find_agent, find_tabardctl):
        try:
            find()
        except FileNotFoundError as error:
            missing = str(error)
    if missing:
        pytest.fail(missing, pytrace=False)


@pytest_asyncio.fixture
async def venue(tmp_path: Path, programs: None) -> AsyncIterator[Venue]:
    """A venue whose agent is not started yet."""
    async with Venue(tmp_path) as venue:
        yield venue


@pytest_asyncio.fixture
async def controller(tmp_path: Path) -> AsyncIterator[ScriptedController]:
    """A scripted controller that nobody uses yet."""
    async with ScriptedController(tmp_path / "hci") as controller:
        yield controller


@pytest_asyncio.fixture
async def agent(tmp_path: Path, programs: None) -> AsyncIterator[Agent]:
    """An agent outside of a venue, not started yet."""
    agent = Agent(find_agent(), tmp_path / "agent", configuration())
    yield agent
    await agent.discard()
