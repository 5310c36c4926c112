"""What a program says in passing is heard wherever its output is cut, and once."""

from hypothesis import given
from hypothesis import strategies as st

from idea.domain.passing_words import BEGUN_BYTES, PassingWord, PassingWords
from idea.domain.program_status import ProgramState, ProgramStatus

OUTPUT = (
    b"text \x1b[31m\x1b]7501;state=working:app=x\x07 more\x1b]0;busy \xc3\xa9\x1b\\\x1b]7501;?\x07\x1b]8;;http://x\x1b\\link"
    b"\x1b]8;;\x1b\\\x1b]2;at rest\x07\x1b]7501;state=done\x1b\\\x1b]7501;state=unknown\x07"
)
WORDS = [
    PassingWord(status=ProgramStatus(ProgramState.WORKING, app="x")),
    PassingWord(title="busy é"),
    PassingWord(title="at rest"),
    PassingWord(status=ProgramStatus(ProgramState.DONE)),
]


@given(st.sets(st.integers(1, len(OUTPUT) - 1)))
def test_every_word_is_heard_once_wherever_the_output_is_cut(cuts: set[int]) -> None:
    ends = [*sorted(cuts), len(OUTPUT)]
    pieces = [OUTPUT[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    words = PassingWords()

    assert [word for piece in pieces for word in words.feed(piece)] == WORDS


@given(st.binary())
def test_any_output_can_be_heard(output: bytes) -> None:
    words = PassingWords()
    words.feed(output)

    # What has begun there must not swallow what is said after it.
    assert words.feed(b"\x07\x1b\\" + OUTPUT)[-len(WORDS) :] == WORDS


def test_a_sequence_without_end_is_not_kept() -> None:
    words = PassingWords()
    for _ in range(3):
        assert words.feed(b"\x1b]0;" + b"x" * BEGUN_BYTES) == []

    assert words.feed(b"\x07" + OUTPUT) == WORDS
