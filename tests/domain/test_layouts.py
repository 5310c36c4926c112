import pytest
from hypothesis import given
from hypothesis import strategies as st

from idea.domain.errors import Conflict, Invalid, NotFound
from idea.domain.ids import AgentId, AgentSlug, NodeId
from idea.domain.layouts import MAX_LAYOUTS, Cell, Layout, Layouts, View, check_layout_name
from idea.domain.shared_layouts import content_hash, is_as_published, publish, take_over

THREE = Layouts("b", (Layout("a"), Layout("b"), Layout("c")))


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        ".",
        "..",
        "../x",
        "a/b",
        "a\\b",
        ".hidden",
        "a.",
        " a",
        "a ",
        "a\n",
        "\0",
        "a\x7f",
        "x" * 61,
        "c:d",
        "q?",
    ],
)
def test_a_name_that_could_lead_elsewhere_or_is_no_files_name_is_refused(name: str) -> None:
    with pytest.raises(Invalid) as refused:
        check_layout_name(name)
    assert refused.value.why == "layoutNameInvalid"


@pytest.mark.parametrize("name", ["A", "ａ", "a\ufe0f"])
def test_two_names_that_read_alike_are_one(name: str) -> None:
    assert THREE.put(Layout("a", "{}")).get("a").geometry == "{}"
    with pytest.raises(Conflict) as taken:
        THREE.put(Layout(name))
    assert taken.value.why == "layoutNameTaken"


@pytest.mark.parametrize("name", ["a", "Revue de code", "日本", "v1.2", "x" * 60, "a-b_c (2)"])
def test_a_name_that_people_would_choose_is_taken(name: str) -> None:
    assert check_layout_name(name) == name


@given(st.text())
def test_a_name_that_is_taken_stays_in_its_folder(name: str) -> None:
    try:
        check_layout_name(name)
    except Invalid:
        return
    assert "/" not in name
    assert not name.startswith(".")
    assert name.isprintable()


def test_a_neighbour_is_shown_in_place_of_the_one_that_is_removed() -> None:
    assert THREE.remove("b").shown == "c"
    assert THREE.show("c").remove("c").shown == "b"
    assert THREE.remove("a").shown == "b"


def test_the_last_one_stays() -> None:
    with pytest.raises(Conflict) as refused:
        Layouts().remove("default")
    assert refused.value.why == "lastLayout"


def test_a_renamed_one_goes_on_being_shown_in_its_place() -> None:
    renamed = THREE.rename("b", "x")

    assert renamed.shown == "x"
    assert [layout.name for layout in renamed.named] == ["a", "x", "c"]
    with pytest.raises(NotFound):
        renamed.show("b")


def test_there_is_an_end_to_layouts() -> None:
    many = Layouts("0", tuple(Layout(str(number)) for number in range(MAX_LAYOUTS)))

    with pytest.raises(Conflict) as refused:
        many.put(Layout("one more"))

    assert refused.value.why == "layoutsFull"


def test_a_shared_layout_taken_over_is_as_published_whoever_the_agent_is_here() -> None:
    cells = (Cell(NodeId("n"), AgentId("theirs"), View.CHAT), Cell(NodeId("m"), None, View.TERMINAL))
    shared = publish(Layout("a", "{}", cells), lambda _: AgentSlug("qa"))

    taken = take_over(shared, lambda agent, slug: AgentId("ours") if slug == "qa" else agent)

    assert [cell.agent for cell in taken.cells] == ["ours", None]
    assert is_as_published(taken)
    assert content_hash(taken) != content_hash(Layout("a", "{}", cells))
