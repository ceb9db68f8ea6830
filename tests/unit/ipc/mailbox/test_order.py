"""Order: what may have overtaken another letter waits for one more look."""

from swarm.ipc.mailbox.letters import Place
from swarm.ipc.mailbox.order import Order


def name(number: int, *, run: int = 1, at: int | None = None) -> str:
    return str(Place(number if at is None else at, number, f"{run:016x}", "worker-a"))


def nothing_handled(run: str) -> int:
    return 0


def test_names_come_by_time_and_number() -> None:
    order = Order(nothing_handled)
    names = [name(2), name(1, run=2, at=5), name(1)]
    assert order.settle(names) == [name(1), name(2), name(1, run=2, at=5)]


def test_what_skips_a_number_waits_until_it_was_listed_before() -> None:
    order = Order(nothing_handled)
    assert order.settle([name(1), name(3), name(4)]) == [name(1)]
    assert order.settle([name(1), name(2), name(3), name(4)], [name(1), name(3), name(4)]) == [
        name(1),
        name(2),
        name(3),
        name(4),
    ]


def test_a_letter_that_never_comes_holds_up_nothing_for_good() -> None:
    order = Order(nothing_handled)
    assert order.settle([name(3), name(4)], [name(3), name(4)]) == [name(3), name(4)]


def test_one_that_came_between_two_looks_out_of_order_waits_for_the_next() -> None:
    order = Order(nothing_handled)
    assert order.settle([name(1), name(3)], [name(1)]) == [name(1)]


def test_other_runs_do_not_wait() -> None:
    order = Order(nothing_handled)
    assert order.settle([name(2), name(1, run=2, at=3)]) == [name(1, run=2, at=3)]


def test_what_was_handled_before_need_not_be_listed() -> None:
    order = Order(lambda run: 6)
    assert order.settle([name(7)]) == [name(7)]
    assert order.settle([name(9)]) == []
    order.forget()
    assert order.settle([name(7)]) == [name(7)]


def test_names_that_tell_nothing_are_given_so_that_they_are_refused() -> None:
    assert Order(nothing_handled).settle(["zz", "aa"]) == ["aa", "zz"]
