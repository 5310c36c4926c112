"""Puts the built page into the wheel and the sdist, with Node from PyPI where the machine has none."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# A build backend imports this file from anywhere; the scripts lie beside it.
sys.path.insert(0, str(Path(__file__).parent))

from scripts.node import REQUIREMENT, find_node
from scripts.page import PageNotBuilt, ensure_page, is_page_current


class PageHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        if is_page_current(Path(self.root)) or find_node() is not None:
            return []
        return [REQUIREMENT]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # A checkout that is installed in place builds its page with `make`, as often as it changes.
        if version == "editable" or is_page_current(Path(self.root)):
            return
        node = find_node()
        if node is None:
            raise SystemExit(f"The page cannot be built: no Node on the PATH and {REQUIREMENT} is not installed.")
        try:
            ensure_page(Path(self.root), node, say=lambda text: self.app.display_info(f"page: {text}"))
        except PageNotBuilt as why:
            raise SystemExit(str(why)) from None
