"""A number and what is counted, as English has it. The page's `words/*/many.ts` do it for its languages."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 byte`, `2 bytes`; `many` where it is more than an s that is added."""
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"
