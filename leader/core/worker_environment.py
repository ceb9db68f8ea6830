"""What a worker gets of the leader's environment. Reads none itself."""

from collections.abc import Mapping

TERMINAL_VARIABLES = frozenset(
    {"TMUX", "TMUX_PANE", "STY", "WINDOW", "WINDOWID", "ZELLIJ", "KITTY_LISTEN_ON", "WEZTERM_UNIX_SOCKET"}
)
"""What names the person's own terminal, through which a process could type answers in their place."""


def worker_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Give the environment of a worker: all but what leads to the person's terminal."""
    return {name: value for name, value in environment.items() if name not in TERMINAL_VARIABLES}
