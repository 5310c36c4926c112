import json
from pathlib import Path

import pytest

from idea.adapters.ids import UuidV7
from idea.adapters.storage.credentials import CredentialsFile, MemoryStartCodes
from idea.domain.errors import NotFound
from tests.fakes.clock import FakeClock
from tests.storage.looking import mode, set_aside


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def _open(state_home: Path, clock: FakeClock) -> CredentialsFile:
    return CredentialsFile(state_home, clock=clock, new_id=UuidV7())


async def test_a_credential_survives_a_restart_and_its_secret_is_stored_nowhere(
    state_home: Path, clock: FakeClock
) -> None:
    issued = await _open(state_home, clock).issue("Firefox\x1b[2J on Linux")

    again = _open(state_home, clock)

    assert again.verify(issued.secret) == issued.id
    assert len(issued.secret) >= 43
    path = state_home / "credentials.json"
    assert issued.secret not in path.read_text()
    assert (mode(path), mode(state_home)) == (0o600, 0o700)
    assert [one.label for one in again.list()] == ["Firefox[2J on Linux"]


@pytest.mark.parametrize("secret", ["", "x", "é\ud800", "x" * 100_000])
async def test_an_unknown_secret_is_nobody(state_home: Path, clock: FakeClock, secret: str) -> None:
    credentials = _open(state_home, clock)
    await credentials.issue("a")

    assert credentials.verify(secret) is None


async def test_a_revoked_credential_is_worth_nothing_also_after_a_restart(state_home: Path, clock: FakeClock) -> None:
    credentials = _open(state_home, clock)
    kept, revoked = await credentials.issue("kept"), await credentials.issue("revoked")

    await credentials.revoke(revoked.id)

    for one in (credentials, _open(state_home, clock)):
        assert (one.verify(revoked.secret), one.verify(kept.secret)) == (None, kept.id)
    with pytest.raises(NotFound):
        await credentials.revoke(revoked.id)


async def test_the_time_of_use_is_shown_and_kept(state_home: Path, clock: FakeClock) -> None:
    credentials = _open(state_home, clock)
    issued = await credentials.issue("a")
    clock.move(3_600)
    credentials.verify(issued.secret)
    await credentials.aclose()

    (shown,) = _open(state_home, clock).list()

    assert (shown.used_at - shown.created_at).total_seconds() == 3_600


@pytest.mark.parametrize(
    "content", ["\0" * 99, "{}", '{"version": 1, "credentials": [1]}', '{"version": 1, "credentials": 5}']
)
async def test_a_broken_file_is_set_aside_and_lets_nobody_in(state_home: Path, clock: FakeClock, content: str) -> None:
    issued = await _open(state_home, clock).issue("a")
    (state_home / "credentials.json").write_text(content)

    credentials = _open(state_home, clock)

    assert credentials.notice is not None
    assert credentials.verify(issued.secret) is None
    assert set_aside(state_home / "credentials.json") == [content.encode()]
    again = await credentials.issue("b")
    assert json.loads((state_home / "credentials.json").read_text())["credentials"][0]["id"] == again.id


def test_a_start_code_works_once_and_for_a_minute(clock: FakeClock) -> None:
    codes = MemoryStartCodes(clock=clock)
    once, late = codes.issue(), codes.issue()

    clock.move(59)
    assert (codes.redeem(once.code), codes.redeem(once.code)) == (True, False)
    clock.move(1)

    assert (codes.redeem(late.code), codes.redeem("guess")) == (False, False)
    assert (late.expires_at - clock.now()).total_seconds() == 0


def test_codes_that_nobody_redeems_do_not_pile_up(clock: FakeClock) -> None:
    codes = MemoryStartCodes(clock=clock)
    issued = [codes.issue() for _ in range(100)]

    redeemed = [codes.redeem(one.code) for one in issued]

    assert (redeemed[0], redeemed[-1], sum(redeemed)) == (False, True, 32)
