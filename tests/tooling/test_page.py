"""Is the page built when it has to be, never otherwise, and does it get into the wheel?"""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from scripts.node import Node
from scripts.page import PageNotBuilt, ensure_page, inputs_digest, is_page_current

ROOT = Path(__file__).parents[2]

NPM = """
import json, pathlib, sys
with open("../calls", "a") as calls:
    calls.write(" ".join(sys.argv[1:3]) + "\\n")
if sys.argv[1] == "ci":
    lock = json.loads(pathlib.Path("package-lock.json").read_text())
    lock["packages"].pop("")
    pathlib.Path("node_modules").mkdir(exist_ok=True)
    pathlib.Path("node_modules/.package-lock.json").write_text(json.dumps(lock))
elif pathlib.Path("src/main.ts").read_text() == "broken":
    sys.exit("main.ts is broken")
else:
    static = pathlib.Path("../src/idea/static")
    static.mkdir(parents=True, exist_ok=True)
    static.joinpath("index.html").write_text("<title>IdeA</title>")
"""
"""Does what `npm` would, of which there may be none."""

LOCK = """{"packages": {"": {}, "node_modules/a": {"integrity": "sha512-1"}, "node_modules/b": {"optional": true}}}"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "npm.py").write_text(NPM, encoding="utf-8")
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "package-lock.json").write_text(LOCK, encoding="utf-8")
    (tmp_path / "web" / "src" / "main.ts").write_text("start()", encoding="utf-8")
    return tmp_path


def build(checkout: Path) -> list[str]:
    """The calls of npm that were needed."""
    calls = checkout / "calls"
    calls.write_text("", encoding="utf-8")
    node = Node(Path(sys.executable), (sys.executable, str(checkout / "npm.py")))
    ensure_page(checkout, node, say=lambda _: None)
    return calls.read_text(encoding="utf-8").splitlines()


def test_a_page_is_built_once_and_again_when_a_source_changes(checkout: Path) -> None:
    first, second = build(checkout), build(checkout)
    (checkout / "web" / "src" / "main.ts").write_text("start(2)", encoding="utf-8")
    third = build(checkout)

    assert first == ["ci --no-audit", "run build"]
    assert second == []
    assert third == ["run build"]


def test_what_is_no_part_of_the_page_does_not_build_it_anew(checkout: Path) -> None:
    build(checkout)
    (checkout / "web" / "src" / "main.test.ts").write_text("test()", encoding="utf-8")
    (checkout / "web" / "node_modules" / "a").mkdir()

    assert build(checkout) == []


def test_a_changed_lock_installs_anew(checkout: Path) -> None:
    build(checkout)
    lock = checkout / "web" / "package-lock.json"
    lock.write_text(LOCK.replace("sha512-1", "sha512-2"), encoding="utf-8")

    assert build(checkout) == ["ci --no-audit", "run build"]


def test_a_failed_build_is_told_and_tried_again(checkout: Path) -> None:
    build(checkout)
    source = checkout / "web" / "src" / "main.ts"
    source.write_text("broken", encoding="utf-8")

    with pytest.raises(PageNotBuilt):
        build(checkout)
    assert not is_page_current(checkout)

    source.write_text("start()", encoding="utf-8")
    assert build(checkout) == ["run build"]


def test_a_checkout_without_a_page_is_told(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()

    with pytest.raises(PageNotBuilt):
        build(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_the_built_page_is_packed(target: str, checkout: Path) -> None:
    static = checkout / "src" / "idea" / "static" / "assets"
    static.mkdir(parents=True)
    (static / "index-1.js").write_text("start()", encoding="utf-8")
    (static.parent / "index.html").write_text("<title>IdeA</title>", encoding="utf-8")
    (static.parent / ".inputs").write_text(inputs_digest(checkout / "web"), encoding="utf-8")
    for name in ("pyproject.toml", "hatch_build.py", "LICENSE", "README.md", ".gitignore"):
        (checkout / name).write_bytes((ROOT / name).read_bytes())
    (checkout / "scripts").mkdir()
    for name in ("node.py", "page.py"):
        (checkout / "scripts" / name).write_bytes((ROOT / "scripts" / name).read_bytes())
    (checkout / "src" / "idea" / "__init__.py").touch()

    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", "dist"],
        cwd=checkout,
        check=True,
        capture_output=True,
        timeout=30,  # a build of its own
    )

    (built,) = (checkout / "dist").iterdir()
    assert {"static/index.html", "static/assets/index-1.js"} <= {
        name.partition("idea/")[2] for name in _names(built) if "idea/static/" in name
    }


def _names(archive: Path) -> list[str]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.namelist()
    with tarfile.open(archive) as sdist:
        return sdist.getnames()
