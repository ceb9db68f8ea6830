"""Seals: whatever a key's holder wrote comes back, and nothing that anybody changed does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.mailbox.errors import BadLetter, InvalidName, TooLongToSend
from swarm.ipc.mailbox.letters import (
    BODY_CAP,
    FILE_CAP,
    Letter,
    Place,
    compose,
    read_place,
    require_name,
    seal,
    unseal,
)

KEY = b"k" * 32
RUN = "0123456789abcdef"
NAMES = st.from_regex(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}", fullmatch=True)
PLACES = st.builds(
    Place,
    st.integers(0, 10**16 - 1),
    st.integers(1, 10**10 - 1),
    st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
    NAMES,
)
SENT = compose(Place(1_796_083_647_438_630, 7, RUN, "worker-a"), "leader", b'{"type":"hello"}\n')


def refusal(data: bytes, *, key: bytes = KEY, recipient: str = "leader", name: str = SENT.name) -> str:
    """Give why these bytes are refused."""
    with pytest.raises(BadLetter) as caught:
        unseal(key, data, recipient, name)
    return caught.value.problem


@settings(deadline=None)
@given(PLACES, NAMES, st.binary(max_size=200), st.binary(min_size=32, max_size=32))
def test_what_was_sealed_comes_back(place: Place, recipient: str, body: bytes, key: bytes) -> None:
    letter = compose(place, recipient, body)
    assert unseal(key, seal(key, letter), recipient, letter.name) == letter
    assert read_place(letter.name) == place


@settings(deadline=None)
@given(st.binary(max_size=60), st.data())
def test_a_change_of_any_byte_is_refused(body: bytes, data: st.DataObject) -> None:
    letter = Letter(SENT.sender, SENT.recipient, SENT.number, SENT.at, body, SENT.name, SENT.run)
    sealed = bytearray(seal(KEY, letter))
    place = data.draw(st.integers(0, len(sealed) - 1))
    sealed[place] ^= data.draw(st.integers(1, 255))
    assert refusal(bytes(sealed))


@settings(deadline=None)
@given(st.data())
def test_a_letter_that_was_cut_or_added_to_is_refused(data: st.DataObject) -> None:
    sealed = seal(KEY, SENT)
    start = data.draw(st.integers(0, len(sealed)))
    end = data.draw(st.integers(start, len(sealed)))
    added = data.draw(st.binary(max_size=20))
    changed = sealed[:start] + added + sealed[end:]
    if changed != sealed:
        assert refusal(changed)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_what_is_no_letter_is_refused(data: bytes) -> None:
    assert refusal(data)


def test_every_single_byte_counts() -> None:
    sealed = seal(KEY, SENT)
    for place in range(len(sealed)):
        for bit in range(8):
            changed = bytearray(sealed)
            changed[place] ^= 1 << bit
            assert refusal(bytes(changed))


def test_a_letter_under_another_key_is_refused() -> None:
    assert refusal(seal(b"x" * 32, SENT)) == "its signature is wrong"


def test_a_letter_for_another_is_refused() -> None:
    assert refusal(seal(KEY, SENT), recipient="worker-b") == "it is for another recipient"


@pytest.mark.parametrize("place", [Place(5, 7, RUN, "worker-a"), Place(5, 8, RUN, "worker-b")])
def test_a_letter_that_was_renamed_is_refused(place: Place) -> None:
    assert refusal(seal(KEY, SENT), name=str(place)) == "it was given another name"


def test_bodies_have_a_cap() -> None:
    place = Place(0, 1, RUN, "a")
    full = compose(place, "b", bytes(BODY_CAP))
    assert len(seal(KEY, full)) <= FILE_CAP
    assert unseal(KEY, seal(KEY, full), "b", full.name) == full
    with pytest.raises(TooLongToSend, match="more than the cap"):
        compose(place, "b", bytes(BODY_CAP + 1))
    assert refusal(bytes(FILE_CAP + 1)) == "it is longer than a letter may be"


@pytest.mark.parametrize("name", ["", ".", "..", ".a", "a/b", "a\n", "\x1b[2J", "é", "a" * 81, "*"])
def test_names_that_could_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(InvalidName, match="No mailbox can be called") as caught:
        require_name(name)
    assert "\x1b" not in str(caught.value)


def test_names_in_order_are_in_the_order_of_sending() -> None:
    places = [
        Place(9, 2, RUN, "z"),
        Place(10, 1, RUN, "a"),
        Place(10, 9, RUN, "a"),
        Place(10, 10, RUN, "a"),
    ]
    assert sorted(map(str, places)) == [str(place) for place in places]
