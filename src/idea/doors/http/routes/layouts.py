"""One project's layouts: the shown one as a page arranges it, and the named ones beside it."""

from fastapi import APIRouter

from idea.domain.ids import AgentId, NodeId
from idea.domain.layouts import Cell, Layout
from idea.doors.http import wire
from idea.doors.http.dependencies import TheProject

router = APIRouter(prefix="/api/projects/{project}")


@router.put("/layout")
async def save_layout(body: wire.SaveLayout, project: TheProject) -> wire.SavedLayout:
    cells = tuple(
        Cell(NodeId(cell.node_id), None if cell.agent_id is None else AgentId(cell.agent_id), cell.view)
        for cell in body.layout.cells
    )
    layout = Layout(body.layout.name, body.layout.geometry, cells)
    return wire.SavedLayout(version=await project.layouts.save(layout, origin=body.origin, base=body.base))


@router.post("/layouts", status_code=204)
async def create_layout(body: wire.NewLayout, project: TheProject) -> None:
    await project.layouts.create(body.name, origin=body.origin)


@router.post("/layouts/{name}/show", status_code=204)
async def show_layout(name: str, body: wire.LayoutOrigin, project: TheProject) -> None:
    await project.layouts.show(name, origin=body.origin)


@router.post("/layouts/{name}/rename", status_code=204)
async def rename_layout(name: str, body: wire.RenameLayout, project: TheProject) -> None:
    await project.layouts.rename(name, body.name, origin=body.origin)


@router.delete("/layouts/{name}", status_code=204)
async def delete_layout(name: str, project: TheProject) -> None:
    await project.layouts.delete(name)


@router.post("/layouts/{name}/share", status_code=204)
async def share_layout(name: str, project: TheProject) -> None:
    await project.layouts.share(name)


@router.post("/layouts/{name}/unshare", status_code=204)
async def unshare_layout(name: str, project: TheProject) -> None:
    await project.layouts.unshare(name)


@router.post("/layouts/{name}/take", status_code=204)
async def take_layout(name: str, body: wire.LayoutOrigin, project: TheProject) -> None:
    await project.layouts.take(name, origin=body.origin)
