"""Texts that can be sent and stored, whoever made them."""


def without_lone_surrogates(text: str) -> str:
    """Half a surrogate pair becomes a question mark: JSON can escape it, UTF-8 cannot hold it.

    Programs that count UTF-16 units cut texts in the middle of an emoji, and file names may be any bytes.
    """
    return text.encode("utf-8", "replace").decode("utf-8")
