"""What every run has: its seed, a user and a project of its own, an end that leaves nothing, words for a failure."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.chaos.storm import Storm, open_pipes, wait_childless
from tests.system.client import Api, ok
from tests.system.house import House, new_house, wait_gone

SEED: Final = int(os.environ.get("IDEA_SOAK_SEED", "1"))
SCRIPT: Final = Path(__file__).with_name("script.json")


@contextmanager
def new_storm() -> Iterator[Storm]:
    """Whatever fails within is followed by all that was seen."""
    with new_house(IDEA_DEMO_SCRIPT=str(SCRIPT), IDEA_DEMO_PACE="0.5") as house:
        storm = Storm(house, house.lasting_folder("shop"))
        try:
            yield storm
            assert _said(house, "Traceback") == []
        except BaseException:
            _tell(storm)
            raise
        finally:
            house.end_all()


async def end_all(storm: Storm, api: Api) -> None:
    """The agents, then the server: nothing of theirs stays."""
    house = storm.house
    # One that was killed may not have been buried yet.
    *_, keeper = house.keepers()
    for agent in (await api.state())["agents"]:
        ok(await api.agent("POST", agent["slug"], "/stop"))
    assert wait_childless(keeper) == []
    assert open_pipes(keeper) == storm.keepers_pipes
    running = house.processes()

    assert api.server.end() == 0

    assert wait_gone([keeper, *running]) == []
    assert house.processes() == []
    left = {path for folder in (house.runtime, house.tmp) for path in folder.rglob("*")}
    # The lock's file stays, so that all lock the same one.
    assert left <= {house.runtime / "idea", house.runtime / "idea" / "server.lock"}


def _said(house: House, words: str) -> list[str]:
    """Of all servers."""
    logs = [path.read_text(encoding="utf-8") for path in house.root.glob("*.log")]
    return [log for log in logs if words in log]


def _tell(storm: Storm) -> None:
    """What it takes to find out why; pytest shows it below a failure."""
    print(f"seed {SEED}; again: scripts/soak chaos --seed {SEED}")  # noqa: T201
    print("\n".join(storm.log))  # noqa: T201
    for log in sorted(storm.house.root.glob("**/*.log")):
        print(f"--- {log.relative_to(storm.house.root)}\n{log.read_text(encoding='utf-8')[-4000:]}")  # noqa: T201
