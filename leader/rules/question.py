"""Makes the words of a command line into the call that is asked about. Decides nothing."""

import json

from swarm.leader.rules.errors import BadQuestion
from swarm.permissions.model import Request

EXAMPLE = """Write --command 'git push', or --tool Read --input '{"file_path": "x"}'."""


def read_question(tool: str, call_input: str | None, command: str | None, cwd: str) -> Request:
    """Give the call. Raises BadQuestion if it is none, or more than one."""
    if command is not None and call_input is not None:
        raise BadQuestion("--command and --input both say what is called.", "Give one of them.")
    if command is not None:
        if tool != "Bash":
            raise BadQuestion(f"--command is a call of Bash, and --tool says {tool!r}.", EXAMPLE)
        return Request("Bash", {"command": command}, cwd)
    if call_input is None:
        raise BadQuestion("Nothing says which call is meant.", EXAMPLE)
    try:
        value = json.loads(call_input)
    except json.JSONDecodeError as error:
        raise BadQuestion(
            f"--input is not JSON: {error.msg} at character {error.colno}.", EXAMPLE
        ) from None
    except (ValueError, RecursionError):
        raise BadQuestion("--input is nested too deeply.", EXAMPLE) from None
    if not isinstance(value, dict):
        raise BadQuestion("--input is no object.", EXAMPLE)
    return Request(tool, value, cwd)
