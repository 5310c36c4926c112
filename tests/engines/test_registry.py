"""Which engine a profile gets."""

import pytest

from idea.adapters.engines.registry import ENGINES, EngineFactory
from idea.application.ports import EngineLifetime
from idea.domain.errors import Invalid
from idea.domain.profiles import Profile


@pytest.mark.parametrize(
    ("engine", "lifetime"),
    [("claude", EngineLifetime.SESSION), ("codex", EngineLifetime.TURN), ("demo", EngineLifetime.SESSION)],
)
def test_a_profile_gets_the_engine_that_it_names(engine: str, lifetime: EngineLifetime) -> None:
    assert engine in ENGINES
    created = EngineFactory().create(Profile("p", "P", "x", engine=engine), conversation=None)

    assert created.lifetime is lifetime


@pytest.mark.parametrize("engine", [None, "telepathy"])
def test_a_profile_without_a_usable_engine_is_refused(engine: str | None) -> None:
    with pytest.raises(Invalid):
        EngineFactory().create(Profile("p", "P", "x", engine=engine), conversation=None)
