"""The demo agent's conversations: `<id>.jsonl` in the agent's run directory."""

from collections.abc import Iterator

from idea.adapters.conversations.heads import UUID, Places, describe, newest, read_head
from idea.domain.earlier import EarlierConversation


def list_demo(places: Places) -> Iterator[EarlierConversation]:
    """The newest first; also those in which nothing was said, since it resumes them."""
    for path in newest(places.run_dir):
        if path.suffix != ".jsonl" or not UUID.fullmatch(path.stem):
            continue
        head = read_head(path)
        if head is not None:
            prompts = (line.get("text") for line in head.lines if line.get("role") == "prompt")
            yield describe(path.stem, head, next((text for text in prompts if isinstance(text, str)), ""), None)
