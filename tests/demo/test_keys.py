"""Bytes of a terminal become keys, in whatever pieces they arrive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idea.demo.composer import Composer
from idea.demo.ink import clean, cut, fold, width, wrap
from idea.demo.keys import Keys

TYPED = "aé日本\r\x1b[A\x1bOB\x1b[3~\x1b\r\x1b[200~one\rtwo\x1b[201~\x1b]7501;?\x1b\\\x1b[?62;22c\x03z".encode()
KEYS = [
    ("text", "aé日本"),
    ("key", "enter"),
    ("key", "up"),
    ("key", "down"),
    ("key", "delete"),
    ("key", "newline"),
    ("paste", "one\ntwo"),
    ("reply", "7501;?"),
    ("reply", "?62;22c"),
    ("key", "interrupt"),
    ("text", "z"),
]


@given(st.lists(st.integers(min_value=0, max_value=len(TYPED)), max_size=6))
def test_keys_do_not_depend_on_how_the_bytes_are_cut(places: list[int]) -> None:
    keys = Keys()
    ends = [*sorted(places), len(TYPED)]
    heard = [key for start, end in zip([0, *ends], ends, strict=False) for key in keys.feed(TYPED[start:end])]
    joined: list[tuple[str, str]] = []
    for kind, value in heard:
        if kind == "text" and joined and joined[-1][0] == "text":
            joined[-1] = (kind, joined[-1][1] + value)
        else:
            joined.append((kind, value))

    assert joined == KEYS


@given(st.binary(max_size=60))
def test_no_bytes_upset_it(data: bytes) -> None:
    keys = Keys()
    keys.feed(data)
    keys.flush()


def test_a_lone_escape_is_a_key_once_nothing_follows() -> None:
    keys = Keys()
    assert keys.feed(b"\x1b") == []
    assert keys.is_undecided
    assert keys.flush() == [("key", "escape")]
    assert keys.feed(b"[A") == [("text", "[A")]


def _composed(*keys: str) -> Composer:
    composer = Composer()
    for key in keys:
        if len(key) == 1:
            composer.insert(key)
        else:
            composer.edit(key)
    return composer


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        (["a", "b", "left", "backspace"], "b", 0),
        (["a", "b", "home", "delete", "end", "c"], "bc", 2),
        (["a", "newline", "b", "up", "c"], "ac\nb", 2),
        (["a", " ", "b", "killWord"], "a ", 2),
        (["a", "newline", "b", "killLeft"], "a\n", 2),
        (["a", "newline", "b", "up", "home", "killRight", "killRight"], "b", 0),
        (["left", "backspace", "delete", "up", "down", "killWord", "unknown"], "", 0),
    ],
)
def test_the_composer_edits(keys: list[str], text: str, cursor: int) -> None:
    composer = _composed(*keys)

    assert (composer.text, composer.cursor) == (text, cursor)


def test_the_composer_recalls_what_was_sent() -> None:
    composer = _composed("a")
    composer.take()
    composer.insert("b")
    composer.take()

    composer.edit("up")
    composer.edit("up")
    assert composer.text == "a"
    composer.edit("down")
    composer.edit("down")
    assert composer.text == ""


@given(st.text(max_size=80), st.integers(min_value=3, max_value=20))
def test_rows_fit_and_lose_nothing(text: str, cols: int) -> None:
    line = clean(text).replace("\n", "")
    rows = wrap(line, cols)

    assert "".join(rows) == line
    assert all(width(row) <= cols for row in rows)
    assert width(cut(line, cols)) <= cols
    assert " ".join(fold(line, cols)) == line


@given(st.text(alphabet=st.characters(max_codepoint=0x9F), max_size=60))
def test_cleaned_text_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    assert not any((ord(char) < 0x20 and char != "\n") or 0x7F <= ord(char) < 0xA0 for char in clean(text))
