"""The settings of Codex: config.toml, and rule files in Starlark. Reads texts; runs and writes nothing.

The keys are those of https://developers.openai.com/codex/config-reference and the `prefix_rule` form that
of https://developers.openai.com/codex/rules.
"""

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

from swarm.leader.rules.imported import Entry
from swarm.permissions.model import Behavior, Mode

DECISIONS = {"allow": Behavior.ALLOW, "prompt": Behavior.ASK, "forbidden": Behavior.DENY}
MOST_RULES = 200
NO_SANDBOX = "There is no sandbox here: rules and the mode decide which calls run."
NOT_HERE: Mapping[str, str] = {
    "profiles": "Profiles are not read: name one's keys at the top of the file to carry them over.",
    "profile": "Profiles are not read.",
    "default_permissions": "Permission profiles limit what a sandbox reaches; write deny rules instead.",
    "permissions": "Permission profiles limit what a sandbox reaches; write deny rules instead.",
    "projects": "Whether a project is trusted is not asked here: its settings can only narrow or allow, and"
    " cannot switch asking off.",
    "shell_environment_policy": "Environments stand in the plan here, under env.",
}


def read_config(text: str) -> Iterator[Entry]:
    """Give what config.toml says of permissions. Raises TOMLDecodeError."""
    value = tomllib.loads(text)
    approval, sandbox = value.get("approval_policy"), value.get("sandbox_mode")
    if approval is not None or sandbox is not None:
        yield _mode(approval, sandbox, _line(text, "approval_policy") or _line(text, "sandbox_mode"))
    workspace = value.get("sandbox_workspace_write")
    if isinstance(workspace, dict):
        yield from _workspace(workspace, text)
    servers = value.get("mcp_servers")
    for name, server in servers.items() if isinstance(servers, dict) else ():
        if isinstance(server, dict):
            yield from _server(name, server, text)
    for key, why in NOT_HERE.items():
        if key in value:
            yield Entry(_line(text, key), key, note=why)


def _mode(approval: object, sandbox: object, line: int) -> Entry:
    said = f"approval_policy {approval or '-'}, sandbox_mode {sandbox or '-'}"
    if sandbox == "read-only":
        return Entry(line, said, mode=Mode.PLAN, note=f"Only reads run, in the mode plan. {NO_SANDBOX}")
    if approval == "never":
        if sandbox == "danger-full-access":
            note = "Never carried over by itself: it is --mode bypassPermissions, where you want it."
            return Entry(line, said, note=note)
        note = f"Nobody is asked: what would ask is denied, in the mode dontAsk. {NO_SANDBOX}"
        return Entry(line, said, mode=Mode.DONT_ASK, note=note)
    if sandbox == "workspace-write" and approval != "untrusted":
        note = (
            f"Edits inside the working directory run, in the mode acceptEdits; commands ask. {NO_SANDBOX}"
        )
        return Entry(line, said, mode=Mode.ACCEPT_EDITS, note=note)
    return Entry(line, said, mode=Mode.DEFAULT, note=f"What no rule decides is asked. {NO_SANDBOX}")


def _workspace(found: Mapping[str, Any], text: str) -> Iterator[Entry]:
    for root in found.get("writable_roots", ()):
        said, line = f"writable_roots {root}", _line(text, "writable_roots")
        if isinstance(root, str) and root.startswith(("/", "~/")) and root.strip("/"):
            pattern = root if root.startswith("~") else f"/{root}"
            yield Entry(line, said, ((Behavior.ALLOW, f"Edit({pattern.rstrip('/')}/**)"),))
        else:
            yield Entry(line, said, note="Only an absolute folder can be carried over.")
    for key in found:
        if key != "writable_roots":
            yield Entry(_line(text, key), f"sandbox_workspace_write.{key}", note=NO_SANDBOX)


def _server(name: str, server: Mapping[str, Any], text: str) -> Iterator[Entry]:
    line = _line(text, f"mcp_servers.{name}")
    if server.get("enabled") is False:
        yield Entry(line, f"mcp_servers.{name} disabled", ((Behavior.DENY, f"mcp__{name}"),))
    for tool in server.get("disabled_tools", ()):
        yield Entry(
            line, f"mcp_servers.{name} disabled_tools {tool}", ((Behavior.DENY, f"mcp__{name}__{tool}"),)
        )
    if "enabled_tools" in server:
        note = "That only these tools exist cannot be said by rules: deny the others by name."
        yield Entry(line, f"mcp_servers.{name} enabled_tools", note=note)


def _line(text: str, key: str) -> int:
    found = re.search(rf"^[ \t]*\[?\[?{re.escape(key)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def read_rules(text: str) -> Iterator[Entry]:
    """Give what a rules file says: its calls of prefix_rule with literal arguments. Raises SyntaxError."""
    for statement in ast.parse(text).body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Constant):
            continue
        said = " ".join((ast.get_source_segment(text, statement) or "").split())[:120]
        named = (
            isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "prefix_rule"
        )
        if not named or not isinstance(call, ast.Call):
            yield Entry(statement.lineno, said, note="Only prefix_rule can be carried over.")
            continue
        yield _prefix_rule(call, said)


def _prefix_rule(call: ast.Call, said: str) -> Entry:
    try:
        given = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
        pattern = given["pattern"]
        choices = [[token] if isinstance(token, str) else list(token) for token in pattern]
    except (ValueError, KeyError, TypeError, RecursionError):
        return Entry(call.lineno, said, note="Its pattern is no list of texts.")
    behavior = DECISIONS.get(given.get("decision", "allow"))
    texts = all(isinstance(word, str) and word for words in choices for word in words)
    if behavior is None or not choices or not texts:
        return Entry(call.lineno, said, note="Its pattern or its decision is not one that is known.")
    prefixes = list(islice(product(*choices), MOST_RULES + 1))
    if len(prefixes) > MOST_RULES:
        return Entry(call.lineno, said, note=f"It stands for more than {MOST_RULES} rules.")
    rules = tuple((behavior, f"Bash({' '.join(map(_word, prefix))}:*)") for prefix in prefixes)
    return Entry(call.lineno, said, rules, note="")


def _word(token: str) -> str:
    return shlex.quote(token).replace("*", "\\*")
