"""Names as people read them: the one form in which each is kept, and which are taken for one another."""

import unicodedata

from idea.domain.visible_text import without_unseen


def composed(name: str) -> str:
    """As it is kept: accents are part of their letters, however they were typed."""
    return unicodedata.normalize("NFC", name)


def reading(name: str) -> str:
    """The same for names that differ only in case, width, how accents are written, spaces, or what is not seen.

    Empty where nothing is seen.
    """
    # Folding may take a letter apart, and what is not seen may stand between a letter and its accent.
    folded = without_unseen(unicodedata.normalize("NFKC", name).casefold())
    return " ".join(unicodedata.normalize("NFKC", folded).split())
