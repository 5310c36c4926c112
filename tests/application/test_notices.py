"""What a person should know is kept until one page dismisses it, and every other page learns that."""

from idea.application.notices import Notices
from idea.domain.events import Event, NoticeDismissed, NoticePosted
from idea.domain.ids import ProjectId

P = ProjectId("p")


def test_a_dismissal_is_told_once_and_to_everybody() -> None:
    events: list[Event] = []
    notices = Notices(P, publish=events.append)
    notices.tell("The layout could not be used.")

    notices.dismiss(1)
    notices.dismiss(1)
    notices.dismiss(7)

    assert notices.list() == ()
    assert events == [
        NoticePosted(P, "fileTrouble", "The layout could not be used.", number=1),
        NoticeDismissed(P, 1),
    ]
