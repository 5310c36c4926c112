"""The two keepers, for what holds for both."""

from tests.keeper.conftest import keeper, place, short_folder, spec_of

__all__ = ["keeper", "place", "short_folder", "spec_of"]
