"""Whether the machine has room for one more worker."""

from swarm.leader.core.admission import SPARE_MEMORY, USUAL_MEMORY, Readings, why_held

GIB = 1024**3


def readings(free: float = 8, load: float = 0.0, cpus: int = 2) -> Readings:
    return Readings(int(free * GIB), 16 * GIB, load, cpus)


def test_there_is_room_where_enough_is_free() -> None:
    assert why_held(readings(), None, ()) == ""
    assert why_held(readings(free=2 + SPARE_MEMORY / GIB), 2 * GIB, ()) == ""


def test_it_says_how_much_memory_is_missing() -> None:
    free = 0.4 + SPARE_MEMORY / GIB
    assert why_held(readings(free=free), 2 * GIB, ()) == "waits for memory: 409.6 MiB of 2 GiB free"


def test_what_was_just_started_counts_as_if_it_had_all_its_memory() -> None:
    free = (USUAL_MEMORY * 2 + SPARE_MEMORY) / GIB
    assert why_held(readings(free=free), None, (None,)) == ""
    assert why_held(readings(free=free), None, (None, None)).startswith("waits for memory")


def test_a_busy_machine_lets_workers_wait_for_cpu() -> None:
    assert why_held(readings(load=3.9), None, ()) == ""
    assert why_held(readings(load=3.9), None, (None,)) == "waits for CPU: 4.9 processes want 2 CPUs"


def test_a_limit_larger_than_the_machine_does_not_wait_for_ever() -> None:
    assert why_held(Readings(16 * GIB, 16 * GIB, 0.0, 2), 64 * GIB, ()) == ""


def test_nothing_is_known_before_the_first_look() -> None:
    assert why_held(None, None, ()) == "waits for a look at the machine"
