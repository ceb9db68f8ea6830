"""Setters are found while their front end is up, and never outlive it."""

from collections.abc import Iterator

import pytest

from swarm.leader import registry
from swarm.permissions.model import Mode, RuleText


class Screen:
    """A front end with both setters."""

    def __init__(self) -> None:
        self.queue: registry.Queue = ()
        self.shown: tuple[tuple[RuleText, ...], Mode] = ((), Mode.DEFAULT)

    def set_queue(self, updater: registry.QueueUpdater) -> None:
        self.queue = updater(self.queue)

    def set_context(self, rules: tuple[RuleText, ...], mode: Mode, *, preserve_mode: bool = False) -> None:
        self.shown = (rules, self.shown[1] if preserve_mode else mode)


@pytest.fixture
def screen() -> Iterator[Screen]:
    screen = Screen()
    registry.register_confirm_queue(screen.set_queue)
    registry.register_permission_context(screen.set_context)
    yield screen
    registry.unregister_confirm_queue(screen.set_queue)
    registry.unregister_permission_context(screen.set_context)


def test_nothing_is_found_while_no_front_end_is_up() -> None:
    assert registry.get_confirm_queue() is None
    assert registry.get_permission_context() is None


def test_the_registered_setters_are_found_and_work(screen: Screen) -> None:
    seen: list[registry.Queue] = []

    def look(queue: registry.Queue) -> registry.Queue:
        seen.append(queue)
        return queue

    setter, context = registry.get_confirm_queue(), registry.get_permission_context()
    assert setter is not None
    assert context is not None
    setter(look)
    context((), Mode.PLAN)
    context((), Mode.BYPASS, preserve_mode=True)
    assert seen == [()]
    assert screen.shown == ((), Mode.PLAN)


def test_a_screen_that_comes_down_late_does_not_remove_its_successor(screen: Screen) -> None:
    successor = Screen()
    registry.register_confirm_queue(successor.set_queue)
    registry.register_permission_context(successor.set_context)
    registry.unregister_confirm_queue(screen.set_queue)
    registry.unregister_permission_context(screen.set_context)
    assert registry.get_confirm_queue() == successor.set_queue
    assert registry.get_permission_context() == successor.set_context
    registry.unregister_confirm_queue(successor.set_queue)
    registry.unregister_permission_context(successor.set_context)
    assert registry.get_confirm_queue() is None
    assert registry.get_permission_context() is None
