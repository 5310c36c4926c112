"""The built page: the same bytes for everyone, from one folder, and nothing else from that folder."""

import re
import stat
from pathlib import Path
from typing import Final

from fastapi import APIRouter
from starlette.responses import FileResponse, HTMLResponse, Response

from idea.domain.errors import NotFound
from idea.doors.http.dependencies import TheServices

_ASSET: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*", re.ASCII)
"""The build puts its files flat into one folder."""

_MEDIA: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Ours rather than the machine's table: browsers refuse scripts whose type is off."""

_REVALIDATE: Final = "no-cache"
_FOREVER: Final = "public, max-age=31536000, immutable"
"""The name of an asset changes with its content."""

_NOT_BUILT: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>IdeA</title>
<h1>The page is not built</h1>
<p>IdeA runs, but this installation holds no built page. In a checkout, stop it and run <code>make run</code>;
otherwise install the package again.</p>
"""

router = APIRouter(include_in_schema=False)


@router.get("/")
def get_page(services: TheServices) -> Response:
    index = services.page / "index.html"
    if not _is_plain_file(index):
        return HTMLResponse(_NOT_BUILT, status_code=503)
    return _serve(index, _REVALIDATE)


@router.get("/assets/{name}")
def get_asset(name: str, services: TheServices) -> Response:
    if _ASSET.fullmatch(name) is None:
        raise NotFound("file", name)
    return _serve(services.page / "assets" / name, _FOREVER)


@router.get("/favicon.svg")
def get_icon(services: TheServices) -> Response:
    return _serve(services.page / "favicon.svg", _REVALIDATE)


@router.get("/manifest.webmanifest")
def get_manifest(services: TheServices) -> Response:
    return _serve(services.page / "manifest.webmanifest", _REVALIDATE)


def _serve(path: Path, cache: str) -> Response:
    media = _MEDIA.get(path.suffix)
    if media is None or not _is_plain_file(path):
        raise NotFound("file", path.name)
    return FileResponse(path, media_type=media, headers={"Cache-Control": cache})


def _is_plain_file(path: Path) -> bool:
    """False for a symlink, which could lead out of the folder."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
