"""One server for all these tests, since a project takes any number of agents; each test's agents are its own."""

from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest

from scripts.engine_clis import PROGRAMS, find
from tests.engines_whole.crew import Crew, serving
from tests.model_server.server import ModelServer
from tests.system.client import Api
from tests.system.house import Server


@pytest.fixture(scope="session")
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="session")
def clis() -> Mapping[str, Path]:
    found = {name: program for name in PROGRAMS if (program := find(name)) is not None}
    if len(found) < len(PROGRAMS):
        pytest.fail("a CLI is not installed: run scripts/engines test", pytrace=False)
    return found


@pytest.fixture(scope="session")
def server(clis: Mapping[str, Path], model: ModelServer) -> Iterator[Server]:
    with serving(clis, model.url) as server:
        yield server


@pytest.fixture
async def crew(server: Server, model: ModelServer) -> AsyncIterator[Crew]:
    crew = Crew(Api(server), model)
    yield crew
    await crew.dismiss()
