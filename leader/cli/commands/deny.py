"""`swarm deny`: refuses a request of a running session."""

from swarm.leader.cli import output
from swarm.leader.cli.options import DigestOption, MessageOption, RequestArgument, SessionOption


def command(
    request: RequestArgument,
    session: SessionOption = None,
    digest: DigestOption = "",
    message: MessageOption = "",
) -> None:
    """Deny a waiting request."""
    from swarm.leader.cli.answering import answer_request, spoken
    from swarm.leader.cli.reaching import ask_leader

    decided, _ = ask_leader(
        session,
        lambda remote: answer_request(remote, request, "deny", digest=digest, message=message),
    )
    output.message(f"Denied {spoken(decided, request)}.")
