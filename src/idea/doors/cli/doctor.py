"""`idea doctor`: what is here, what is missing, and how to get it, in plain words."""

import platform
import shutil
from pathlib import Path

import click

import idea
from idea.domain.profiles import ProfileHealth
from idea.doors.cli.control import find_control, find_controls
from idea.doors.cli.options import project_option
from idea.doors.cli.own_command import own_command
from idea.doors.cli.programs import find_programs


@click.command("doctor")
@project_option
def command(project: Path | None) -> None:
    """Check what IdeA needs on this machine."""
    folder = project or Path.cwd()
    click.echo(f"IdeA {idea.__version__} on Python {platform.python_version()}, {platform.system()}")
    _tell(_is_page_built(), "page", "built", "not built: run `make run` in the checkout, or install the package again")
    _tell(shutil.which("git") is not None, "git", "found", "not found: install git, agents work with it")
    is_served, start = bool(find_controls(folder)), f"not running: start it with `{own_command()}`"
    _tell(is_served, "server", "running" if find_control(folder) is not None else "running, the demo's", start)
    click.echo("\nCLIs that agents can run on:")
    found = find_programs(folder)
    for health in found.healths:
        _tell(health.missing is None, health.profile.id, _describe(health), health.missing or "")
    if found.broken:
        click.echo("\nProfile files that cannot be used:")
    for broken in found.broken:
        _tell(False, broken.path.name, "", f"{broken.reason} ({broken.path})")


def _describe(health: ProfileHealth) -> str:
    return ", ".join(part for part in (health.profile.name, health.version, health.executable) if part)


def _tell(is_good: bool, what: str, good: str, bad: str) -> None:
    click.echo(f"  {'✓' if is_good else '✗'} {what:<9} {good if is_good else bad}")


def _is_page_built() -> bool:
    return (Path(idea.__file__).parent / "static" / "index.html").is_file()
