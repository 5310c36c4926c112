"""When output is a flood, which is handed on in few pieces; and who waits for none of that."""

from idea.keeper.flood import AT_ONCE_BYTES, PAUSE_S, Flood


def test_a_screen_drawn_anew_is_none_and_what_goes_on_is() -> None:
    flood = Flood()
    flood.wrote(AT_ONCE_BYTES, at=1.0)
    drawn = flood.is_on
    flood.wrote(1, at=1.01)

    assert (drawn, flood.is_on) == (False, True)


def test_it_is_over_after_a_pause() -> None:
    flood = Flood()
    flood.wrote(AT_ONCE_BYTES + 1, at=1.0)
    flood.wrote(1, at=1.0 + PAUSE_S)

    assert not flood.is_on


def test_what_follows_a_key_is_none_even_in_its_midst() -> None:
    flood = Flood()
    flood.wrote(AT_ONCE_BYTES + 1, at=1.0)

    flood.typed()
    flood.wrote(1, at=1.001)

    assert not flood.is_on
