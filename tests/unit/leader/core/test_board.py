"""What front ends are told, and how often."""

from support.waiting import until
from swarm.ipc.messages import Phase, Text, ToolEnded, ToolStarted, Usage
from swarm.leader.core.board import Board
from swarm.leader.core.views import TextEntry


async def test_what_happens_within_a_batch_is_told_once_with_the_names_of_all_that_changed() -> None:
    board, told = Board(("a", "b", "c")), list[frozenset[str]]()
    with board.subscribe(told.append):
        for _ in range(100):
            board.happened("a", Text(text="x"))
        board.happened("b", Text(text="y"))
        assert told == []
        await until(lambda: told)
    assert told == [frozenset({"a", "b"})]
    assert board.transcript("a").entries == (TextEntry("x" * 100),)


async def test_who_has_unsubscribed_is_told_nothing() -> None:
    board, told = Board(("a",)), list[frozenset[str]]()
    with board.subscribe(told.append):
        board.touch()
    board.flush()
    assert told == []


async def test_the_team_has_changed_when_a_worker_does_something_else() -> None:
    board = Board(("a",))
    before = board.revision
    board.happened("a", Text(text="x"))
    assert board.revision == before
    board.happened("a", ToolStarted(call_id="1", tool="Bash", title="ls"))
    assert (board.records["a"].activity, board.revision) == ("Bash: ls", before + 1)
    board.happened("a", ToolEnded(call_id="1", outcome="succeeded"))
    board.happened("a", Phase(phase="using_tool"))
    assert (board.records["a"].activity, board.revision) == ("using tool", before + 3)


async def test_tokens_and_cost_add_up() -> None:
    board = Board(("a",))
    board.used("a", Usage(input_tokens=2, output_tokens=3, cost=0.5))
    board.used("a", Usage(input_tokens=1, cost=0.25))
    assert (board.records["a"].tokens, board.records["a"].cost) == (6, 0.75)
