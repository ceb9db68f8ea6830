"""A worker that is killed takes its request with it, and the card says so."""

from pathlib import Path

from support.plans import bash, write_plan
from support.screens import READ, Screen, card_of, is_alive
from support.waiting import wait_until


def test_the_card_of_a_killed_worker_takes_no_answer_and_the_queue_moves_on(
    screen: Screen, project: Path
) -> None:
    write_plan(project, {"alpha": [bash("touch one")], "beta": [bash("touch two")]})
    screen.start()
    screen.terminal.shows("2 waiting")
    mine = "one" if "$ touch one" in screen.card("$ touch ") else "two"
    screen.terminal.press("w")
    whose = "alpha   script" if mine == "one" else "beta   script"
    chosen = screen.terminal.shows(whose)
    worker = screen.worker(chosen)
    worker.kill()
    screen.terminal.until(
        lambda text: "worker is gone" in card_of(text) and "1 waiting" in text,
        for_seconds=READ,
    )
    wait_until(lambda: not is_alive(worker))
    screen.terminal.press("y", "n", "a")
    other = "two" if mine == "one" else "one"
    screen.terminal.press("Tab")
    screen.answer("y", f"$ touch {other}")
    screen.terminal.shows("ended, exit 1", "SIGKILL")
    assert screen.leave() == 1
    assert (project / other).exists()
    assert not (project / mine).exists()
