"""What the bridge sends again, against a model: every request without an answer, under its number, and nothing else."""

import json

from hypothesis import given
from hypothesis import strategies as st

from idea.bridge_lines import OwedAnswers

IDS = st.sampled_from([0, 1, "1", "a"])
NO_IDS = st.sampled_from([1.0, True, None])
STEPS = st.one_of(
    st.tuples(st.sampled_from(["ping", "tools/call", "initialize"]), IDS),
    st.tuples(st.sampled_from(["answer", "cancel"]), IDS),
    st.tuples(st.just("cancel"), NO_IDS),
    st.tuples(
        st.sampled_from(["notifications/initialized", "notifications/other", "garbage", "read", "break"]), st.none()
    ),
)


def line_of(kind: str, request_id: object) -> bytes:
    if kind == "garbage":
        return b"garbage"
    if kind == "cancel":
        cancelled = {"method": "notifications/cancelled", "params": {"requestId": request_id}}
        return json.dumps(cancelled).encode()
    if request_id is None:
        return json.dumps({"method": kind}).encode()
    return json.dumps({"method": kind, "id": request_id}).encode()


class Model:
    """The bridge's memory as one would keep it with all the time in the world."""

    def __init__(self) -> None:
        self.number = 0
        self.unanswered: dict[int, tuple[object, bytes]] = {}
        self.opening: list[int] = []

    def settle(self, request_id: object) -> None:
        mine = ((number, owed) for number, (owed, _) in self.unanswered.items())
        number = next((number for number, owed in mine if (owed, type(owed)) == (request_id, type(request_id))), None)
        if number is not None:
            del self.unanswered[number]

    def request(self, kind: str, request_id: object, line: bytes) -> None:
        self.number += 1
        if kind == "cancel":
            self.settle(request_id)
        elif request_id is not None or kind == "garbage":
            is_in_flight = request_id in [owed for owed, _ in self.unanswered.values()]
            self.unanswered[self.number] = None if is_in_flight else request_id, line
        if kind == "initialize":
            self.opening = [self.number]
        elif kind == "notifications/initialized":
            self.opening.append(self.number)

    def check(self, repeats: dict[int, bytes]) -> None:
        assert list(repeats)[: len(self.opening)] == self.opening
        assert repeats.keys() == {*self.opening, *self.unanswered}
        assert all(repeats[number] == line for number, (_, line) in self.unanswered.items())
        for number in {*self.opening} - self.unanswered.keys():
            message = json.loads(repeats[number])
            # Under an id of the bridge's own, which no request of the CLI has.
            assert ("id" in message) == (message["method"] == "initialize")
            assert message.get("id") not in [0, 1, "1", "a"]


@given(st.lists(STEPS, max_size=40))
def test_exactly_what_is_unanswered_is_sent_again(steps: list[tuple[str, object]]) -> None:
    owed, model = OwedAnswers(), Model()
    for kind, request_id in steps:
        if kind == "answer":
            owed.note_answer(json.dumps({"id": request_id, "result": {}}).encode())
            model.settle(request_id)
        elif kind == "break":
            model.check(owed.repeats())
        elif kind == "read":
            assert owed.read() == [known for known, _ in model.unanswered.values()]
        else:
            line = line_of(kind, request_id)
            owed.note_request(line)
            model.request(kind, request_id, line)

    assert owed.last_number == model.number
    model.check(owed.repeats())
