"""The state as a whole, and one project's trust, settings and profiles."""

from fastapi import APIRouter

from idea.domain.settings import Settings
from idea.doors.http import wire
from idea.doors.http.dependencies import TheProject, TheServices
from idea.doors.http.render import render_profile, render_project, render_settings, render_snapshot, render_trust

router = APIRouter(prefix="/api")


@router.get("/state")
async def get_state(services: TheServices) -> wire.Snapshot:
    return render_snapshot(
        services.projects.list(),
        services.events,
        unopened=services.list_unopened(),
        version=services.version,
        now=services.clock.now(),
    )


@router.post("/projects")
async def open_project(body: wire.OpenProject, services: TheServices) -> wire.WireProject:
    return render_project(await services.projects.open(body.path, take_over=body.take_over))


@router.delete("/projects/{project}", status_code=204)
async def close_project(project: str, services: TheServices) -> None:
    await services.projects.close(project)


@router.delete("/projects/{project}/notices/{number}", status_code=204)
async def dismiss_notice(number: int, project: TheProject) -> None:
    project.dismiss_notice(number)


@router.get("/projects/{project}/profiles")
async def list_profiles(project: TheProject) -> list[wire.WireProfile]:
    return [render_profile(health) for health in await project.profiles()]


@router.post("/projects/{project}/trust")
async def approve_trust(body: wire.Approve, project: TheProject) -> wire.WireTrust:
    return render_trust(await project.approve_trust(body.hash))


@router.put("/projects/{project}/settings")
async def save_settings(body: wire.WireSettings, project: TheProject) -> wire.WireSettings:
    settings = Settings(**dict(body))
    await project.save_settings(settings)
    return render_settings(settings)
