"""What a person should know is kept until one page dismisses it, and every other page learns that."""

from idea.application.projects.notices import Notices
from idea.domain.events import Event
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import ProjectId
from idea.domain.notices import NoticeDismissed, NoticePosted

P = ProjectId("p")


def test_a_dismissal_is_told_once_and_to_everybody() -> None:
    events: list[Event] = []
    notices = Notices(P, publish=events.append)
    notices.tell(FileTrouble("The layout could not be used.", "layoutSetAside", {"name": "x"}))

    notices.dismiss(1)
    notices.dismiss(1)
    notices.dismiss(7)

    assert notices.list() == ()
    assert events == [
        NoticePosted(
            P, "fileTrouble", "The layout could not be used.", number=1, fields={"why": "layoutSetAside", "name": "x"}
        ),
        NoticeDismissed(P, 1),
    ]


def test_what_is_mended_in_the_settings_is_said_no_more_and_anew_if_it_is_back() -> None:
    notices = Notices(P, publish=lambda event: None)
    broken = FileTrouble("settings.toml, line 2, cannot be read.", "settingsBroken", {"line": "2"})
    unknown = FileTrouble("host is no setting.", "settingsUnknown", {"names": "host"})
    told: list[list[str]] = []

    for troubles in ((broken,), (broken,), (unknown,), (), (broken,)):
        notices.tell_settings(troubles)
        told.append([str(kept.fields["why"]) for kept in notices.list()])

    assert told == [["settingsBroken"], ["settingsBroken"], ["settingsUnknown"], [], ["settingsBroken"]]
