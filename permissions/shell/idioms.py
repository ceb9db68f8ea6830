"""The idiom `"$(cat <<'EOF' … EOF)"`: a fixed text in the form of a substitution. Pure."""

import re

from swarm.permissions.shell.syntax import Redirect, Simple, Substitution


def plain_text(part: Substitution) -> str | None:
    """The text of `"$(cat <<'EOF' … EOF)"`, which runs nothing but cat on a fixed text; else None."""
    if part.kind != "$(" or not part.quoted or len(part.script.items) != 1:
        return None
    command, sign = part.script.items[0]
    if not isinstance(command, Simple) or sign not in ("", "\n", ";"):
        return None
    if len(command.words) != 1 or command.words[0].plain != "cat" or command.assignments:
        return None
    only: list[Redirect] = command.redirects
    if len(only) != 1 or not only[0].literal or only[0].body is None:
        return None
    text = only[0].body.raw
    if only[0].operator == "<<-":
        text = re.sub(r"(?m)^\t+", "", text)
    return text.rstrip("\n")
