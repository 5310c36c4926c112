"""Running keepers, and specs of small real programs for them."""

import itertools
import shutil
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from idea.adapters.keeper.linked import LinkedKeeper
from idea.domain.sessions import SpawnSpec, TerminalSize
from tests.keeper.running import Place, attached, in_process, place_in

SpecOf = Callable[..., SpawnSpec]


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """Beside the other folders of this run, since a socket's path ends at 104 bytes."""
    folder = Path(tempfile.mkdtemp(dir=Path.home().parent, prefix="k"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
async def place(short_folder: Path) -> AsyncIterator[Place]:
    """Where a keeper program may live; whatever lives there at the end is ended."""
    place = place_in(short_folder)
    yield place
    await place.end()


@pytest.fixture(params=["in-process", "program"])
async def keeper(request: pytest.FixtureRequest, place: Place) -> AsyncIterator[LinkedKeeper]:
    """What holds for one keeper holds for the other."""
    if request.param == "in-process":
        async with in_process() as keeper:
            yield keeper
    else:
        await place.start()
        async with attached(place) as keeper:
            yield keeper


@pytest.fixture
def spec_of(tmp_path: Path) -> SpecOf:
    """Builds a spec: argv, or Python source with `python=`; pipes unless a size is given."""
    numbers = itertools.count()
    # Processes are found by their spawn's id, also those of a test that runs beside this one.
    run = uuid.uuid4()

    def build(
        *argv: str, python: str | None = None, terminal: TerminalSize | None = None, env: dict[str, str] | None = None
    ) -> SpawnSpec:
        if python is not None:
            argv = (sys.executable, "-I", "-S", "-c", python)
        spawn_id = f"{run}-{next(numbers)}"
        return SpawnSpec(
            spawn_id=spawn_id,
            argv=argv,
            cwd=str(tmp_path),
            # With the mark of every agent, by which the keeper finds what has left the session and lost its parent.
            env={"PATH": "/usr/bin:/bin", "IDEA_SPAWN_ID": spawn_id} if env is None else env,
            terminal=terminal,
        )

    return build
