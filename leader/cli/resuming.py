"""Goes on with a session whose leader died: takes it, reads what was left, and leads it to the end."""

from typing import Literal

from swarm.leader.cli import output
from swarm.leader.cli.errors import SessionOver
from swarm.leader.cli.fronts import FrontChoice
from swarm.leader.cli.leading import program, put_before
from swarm.leader.core.leader import Leader, RunOptions
from swarm.leader.core.left import Left
from swarm.leader.core.recollection import Recollection
from swarm.leader.session.entries import Noticed
from swarm.leader.session.errors import NothingKept
from swarm.leader.session.reopening import reopen_session, stored_plan
from swarm.leader.session.stored import StoredSession
from swarm.permissions.model import Mode


def lead_on(
    stored: StoredSession,
    front: FrontChoice,
    *,
    on_ask: Literal["wait", "deny", "fail"] | None,
    mode: Mode | None,
) -> int:
    """Lead a session that was interrupted to its end and give the exit code. Raises what hinders it."""
    plan, recollection = stored_plan(stored), Recollection()
    session, recovered = reopen_session(stored, plan, program(), recollection.add)
    with session:
        left = recollection.left
        if left is None:
            raise NothingKept(str(stored.journal), "it does not tell that a run began")
        if recollection.ended is not None:
            raise SessionOver(stored.id, recollection.ended.exit_code)
        if recovered.notice:
            session.journal.append(Noticed(level="warning", text=recovered.notice))
            output.message(f"swarm: {recovered.notice}")
        options = options_of(left, front, on_ask, mode)
        leader = Leader(plan, session, options, left)
        output.message(f"swarm: {spoken(left, leader)}")
        again = (1, *(request.entry for request in left.requests if request.decided is None))
        return put_before(front, leader, session, plan, again)


def options_of(
    left: Left, front: FrontChoice, on_ask: Literal["wait", "deny", "fail"] | None, mode: Mode | None
) -> RunOptions:
    """Give how to go on: as before, but for what was said now. On a terminal a person can be asked."""
    started = left.started
    chosen = on_ask or ("wait" if front.somebody_is_there else started.on_ask)
    before = started.mode if started.mode_given else None
    return RunOptions(on_ask=chosen, person=front.with_terminal or chosen == "wait", mode=mode or before)


def spoken(left: Left, leader: Leader) -> str:
    """Give one line that says what becomes of the workers and how much waits."""
    adopted, restarted = leader.taken_over
    waiting = sum(request.decided is None for request in left.requests)
    parts = [f"going on with {leader.team().session_id}"]
    parts += [f"alive: {', '.join(adopted)}"] if adopted else []
    parts += [f"starting again: {', '.join(restarted)}"] if restarted else []
    parts += [f"{waiting} {'request waits' if waiting == 1 else 'requests wait'}"] if waiting else []
    return "; ".join(parts) + "."
