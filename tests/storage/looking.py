"""What tests look for on the disk, outside of their coroutines."""

from pathlib import Path


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def modes_in(folder: Path, pattern: str = "*") -> set[int]:
    return {mode(path) for path in folder.glob(pattern)}


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def set_aside(path: Path) -> list[bytes]:
    """The contents of what was renamed from `path` because it could not be used."""
    return [aside.read_bytes() for aside in sorted(path.parent.glob(f"{path.name}.broken-*"))]
