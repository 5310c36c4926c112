"""Looking for the CLIs from here, without a server: what `profiles` and `doctor` print."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from idea.adapters.profile_layers import BrokenProfile
from idea.adapters.profiles import ProfileFiles
from idea.domain.profiles import ProfileHealth


@dataclass(frozen=True, slots=True)
class Programs:
    healths: Sequence[ProfileHealth]
    """By profile id."""
    broken: Sequence[BrokenProfile]


def find_programs(folder: Path) -> Programs:
    """The built-in profiles, the user's, and those of the project around `folder`."""
    project = next((each for each in (folder, *folder.parents) if (each / ".ideai").is_dir()), None)
    catalog = ProfileFiles(
        user_dir=platformdirs.user_config_path("idea") / "profiles",
        project_dir=None if project is None else project / ".ideai" / "profiles",
    )
    return Programs(asyncio.run(_look(catalog)), catalog.broken)


async def _look(catalog: ProfileFiles) -> Sequence[ProfileHealth]:
    async with asyncio.TaskGroup() as tasks:
        looking = [
            tasks.create_task(catalog.health(profile), name=f"look-for-{profile.id}") for profile in catalog.list()
        ]
    return [task.result() for task in looking]
