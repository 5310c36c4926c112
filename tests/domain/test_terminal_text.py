"""What may be typed for a person: text whole, and nothing that could act as a key."""

from hypothesis import given
from hypothesis import strategies as st

from idea.domain.terminal_text import ONE_LINE_BYTES, byte_count, clean, is_one_line, typed

hostile = st.text() | st.lists(
    st.sampled_from(["\x1b[201~", "\x1b[200~", "\x9b201~", "\x1b", "\x03", "\x7f", "\r", "\r\n", "\n", "\t", "rm", "é"])
).map("".join)


@given(hostile)
def test_a_text_stays_in_its_brackets_and_acts_as_no_key(text: str) -> None:
    keys = typed(clean(text), is_bracketed=True)

    assert keys.startswith(b"\x1b[200~")
    assert keys.endswith(b"\x1b[201~")
    within = keys[6:-6].decode()
    assert not any(letter < " " or "\x7f" <= letter <= "\x9f" for letter in within if letter not in "\t\r")


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])), st.sampled_from(["\n", "\r", "\r\n"]))
def test_nothing_else_is_taken_out(line: str, end: str) -> None:
    text = f"<{line}{end}{line}>"

    assert clean(text) == f"<{line}\n{line}>"
    assert clean(clean(text)) == clean(text)
    assert typed(clean(text), is_bracketed=False).decode() == f"<{line}\r{line}>"


def test_empty_lines_around_a_text_are_not_sent() -> None:
    assert clean("\r\n\n  two\n\n lines \n\n") == "  two\n\n lines"


def test_a_line_is_one_as_long_as_a_terminal_in_line_mode_takes_it() -> None:
    assert is_one_line("é" * (ONE_LINE_BYTES // 2))
    assert not is_one_line("é" * (ONE_LINE_BYTES // 2) + "x")
    assert not is_one_line("a\nb")
    assert byte_count("é\ud800") == 3
