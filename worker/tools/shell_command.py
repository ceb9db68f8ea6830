"""Gives the argument list that runs a shell command. Runs nothing but a probe of `setpriv`."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache

from swarm.worker.errors import ToolError


def shell_command(command: str, env: Mapping[str, str]) -> list[str]:
    """Give the list for bash, or sh if there is no bash. Raises ToolError if there is neither.

    The shell dies with the worker where util-linux's `setpriv` can say so: it replaces itself by the
    shell, whereas Python's own `preexec_fn` is unsafe beside threads. Elsewhere the leader's end of the
    whole session is what remains.
    """
    path = env.get("PATH", os.defpath)
    shell = shutil.which("bash", path=path) or shutil.which("sh", path=path)
    if shell is None:
        raise ToolError("Neither bash nor sh is on the PATH of this worker, so no command can be run.")
    return [*_tied_to_parent(), shell, "-c", command]


@cache
def _tied_to_parent() -> tuple[str, ...]:
    """Give the words that tie what follows to the life of its parent; none where that cannot be had."""
    program = shutil.which("setpriv", path=os.defpath)
    if program is None:
        return ()
    words = (program, "--pdeathsig", "KILL")
    try:
        probe = subprocess.run([*words, "true"], capture_output=True, timeout=2, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return words if probe.returncode == 0 else ()
