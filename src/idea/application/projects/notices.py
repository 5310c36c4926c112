"""What a person should know about a project and nothing else shows: kept, so that a page that comes later sees it."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from idea.domain.errors import IdeaError, Lost
from idea.domain.events import Event, SessionChanged
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import AgentId, ProjectId
from idea.domain.notices import NoticeDismissed, NoticePosted

KEPT_NOTICES: Final = 50
"""More than anybody reads; the oldest make room."""


class Notices:
    """Everything of the project publishes through here.

    A notice is kept until somebody dismisses it, its cause is gone or the project closes.
    """

    def __init__(self, project: ProjectId, *, publish: Callable[[Event], None]) -> None:
        self._project = project
        self._publish = publish
        self._numbers = count(1)
        self._kept: deque[NoticePosted] = deque(maxlen=KEPT_NOTICES)
        self._told: set[str] = set()
        self._lost: dict[int, set[str]] = {}
        """Which agents a notice still tells of."""
        self._of_record: int | None = None
        """The notice that the record cannot be written, as long as that is so."""
        self._of_settings: frozenset[str] = frozenset()
        """What was wrong with the settings at the last reading."""

    def publish(self, event: Event) -> None:
        """Pass an event on; a notice gets its number and stays. One that repeats takes the place of the earlier."""
        if isinstance(event, NoticePosted):
            self._post(event)
        else:
            self._publish(event)
        if isinstance(event, SessionChanged) and event.session is not None:
            self._dismiss_mended(event.agent)

    def _post(self, notice: NoticePosted) -> int:
        for same in [kept for kept in self._kept if replace(kept, number=notice.number) == notice]:
            self._kept.remove(same)
        notice = replace(notice, number=next(self._numbers))
        self._kept.append(notice)
        if notice.code == "sessionLost":
            self._lost[notice.number] = _agents_in(notice)
        self._publish(notice)
        return notice.number

    def _dismiss_mended(self, agent: AgentId) -> None:
        """An agent that runs is lost no more, and has a keeper."""
        for kept in tuple(self._kept):
            lost = self._lost.get(kept.number, set())
            is_back = lost == {agent}
            lost.discard(agent)
            has_keeper = kept.code == "keeperLost" and kept.fields.get("why") != "keeperEnded"
            if is_back or has_keeper:
                self.dismiss(kept.number)

    def tell(self, trouble: FileTrouble | None) -> None:
        """Something about the project's files had to be decided; once, since each reading finds it again."""
        if trouble is None or trouble.sentence in self._told:
            return
        self._told.add(trouble.sentence)
        self.publish(NoticePosted(self._project, "fileTrouble", trouble.sentence, fields=trouble.fields()))

    def tell_settings(self, troubles: Sequence[FileTrouble]) -> None:
        """What is wrong with the settings as they are now: what was mended is said no more, and anew if it is back."""
        found = frozenset(trouble.sentence for trouble in troubles)
        mended = self._of_settings - found
        for kept in tuple(self._kept):
            if kept.detail in mended:
                self.dismiss(kept.number)
        self._told -= mended
        self._of_settings = found
        for trouble in troubles:
            self.tell(trouble)

    def tell_record(self, error: IdeaError | None) -> None:
        """The project's record cannot be written, for this reason; None: all of it has been."""
        if self._of_record is not None:
            self.dismiss(self._of_record)
            self._of_record = None
        if error is not None:
            fields = {**error.fields(), "code": error.code, "isKept": True}
            self._of_record = self._post(NoticePosted(self._project, "fileTrouble", _explain(error), fields=fields))

    def complain(self, error: IdeaError) -> None:
        """Something of our own could not be written; what it concerned goes on."""
        self.publish(
            NoticePosted(self._project, "fileTrouble", str(error), fields={**error.fields(), "code": error.code})
        )

    def tell_keeper_lost(self, failure: IdeaError | None) -> None:
        """What holds the agents has ended, and they with it; with a failure, no other one can be had either."""
        told = failure or Lost("The keeper", why="keeperEnded")
        sentence = str(failure or "The keeper of this project's agents has ended, and they with it.")
        fields = {**told.fields(), "code": told.code}
        self.publish(NoticePosted(self._project, "keeperLost", sentence, fields=fields))

    def list(self) -> Sequence[NoticePosted]:
        """The newest last."""
        return tuple(self._kept)

    def dismiss(self, number: int) -> None:
        """Idempotent; told to everybody who shows it."""
        self._lost.pop(number, None)
        left = [kept for kept in self._kept if kept.number != number]
        if len(left) < len(self._kept):
            self._kept = deque(left, maxlen=KEPT_NOTICES)
            self._publish(NoticeDismissed(self._project, number))


def _agents_in(event: NoticePosted) -> set[str]:
    named = event.fields.get("agents")
    return {agent for agent in named if isinstance(agent, str)} if isinstance(named, list) else set()


def _explain(error: IdeaError) -> str:
    return (
        f"{error} Your agents go on, and what they say is kept until it can be written. "
        "Free space on the disk and keep IdeA running, or it is lost."
    )
