"""What `swarm doctor` looks at: one function a subject, each of which says how to mend what is wrong."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec

from swarm.leader.cli import output
from swarm.leader.cli.findings import Finding
from swarm.leader.cli.system_checks import check_mailbox, check_pidfd, check_subreaper


def check_python() -> Finding:
    """The interpreter."""
    version = sys.version.split()[0]
    usable = sys.version_info >= (3, 11)
    return Finding("python", usable, f"{version}, {sys.executable}", "Install Python 3.11 or newer.", True)


def check_program() -> Finding:
    """Swarm itself and what it stands on."""
    from importlib.metadata import PackageNotFoundError, version

    from swarm import program_version

    parts = []
    for name in ("anyio", "msgspec", "textual", "typer"):
        try:
            parts.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            return Finding("swarm", False, f"{name} is missing", "Install swarm-leader again.", True)
    return Finding("swarm", True, f"{program_version()} ({', '.join(parts)})", needed=True)


def check_git() -> Finding:
    """Git, for workers that work on repositories."""
    return _check_tool("git", "Install git: workers that use it will fail.")


def check_bash() -> Finding:
    """The shell that runs the commands of the Bash tool."""
    return _check_tool("bash", "Install bash: the Bash tool runs its commands with it.", needed=True)


def check_ripgrep() -> Finding:
    """Ripgrep, which makes Grep fast."""
    return _check_tool("rg", "Install ripgrep to make Grep faster; without it, Python searches.")


def _check_tool(name: str, advice: str, *, needed: bool = False) -> Finding:
    path = shutil.which(name)
    if path is None:
        return Finding(name, False, "not found", advice, needed)
    try:
        ran = subprocess.run(
            [path, "--version"], capture_output=True, text=True, errors="replace", timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Finding(name, False, f"{path} does not run ({type(error).__name__})", advice, needed)
    first = ran.stdout.splitlines()[0] if ran.stdout else ""
    return Finding(name, True, f"{first}, {path}", needed=needed)


def check_terminal() -> Finding:
    """The terminal that `swarm run` draws on."""
    advice = (
        "Without a terminal `swarm run` goes headless: rules decide, or --on-ask wait and `swarm approve`."
    )
    if not output.is_terminal(sys.stdin, sys.stdout):
        return Finding("terminal", False, "stdin and stdout are no terminal", advice)
    name = os.environ.get("TERM", "")
    if name in ("", "dumb"):
        return Finding("terminal", False, f"TERM is {name or 'not set'}", "Set TERM, as to xterm-256color.")
    size = shutil.get_terminal_size()
    encoding = (sys.stdout.encoding or "").lower()
    found = (
        f"{name}, {size.columns}×{size.lines}, {encoding}, {os.environ.get('COLORTERM') or '256 colours'}"
    )
    if "utf" not in encoding:
        return Finding("terminal", True, found, "Set LANG to a UTF-8 locale to see all characters.")
    return Finding("terminal", True, found)


def check_state_folder() -> Finding:
    """The folder where sessions are kept."""
    import tempfile

    from swarm.leader.errors import LeaderError
    from swarm.leader.session.places import make_own_folders

    try:
        folder = make_own_folders(os.environ)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except LeaderError as error:
        return Finding("state folder", False, "cannot be used", str(error), True)
    except OSError as error:
        return Finding(
            "state folder", False, f"cannot be written: {error.strerror}", "Make room there.", True
        )
    free = shutil.disk_usage(folder).free // 1024**2
    return Finding("state folder", True, f"{folder}, {free:,} MiB free", needed=True)


def check_uvloop() -> Finding:
    """The faster event loop."""
    if find_spec("uvloop") is None:
        return Finding("uvloop", False, "not installed", "Install swarm-leader[fast] for a faster leader.")
    return Finding("uvloop", True, "makes the leader faster")


CHECKS: tuple[Callable[[], Finding], ...] = (
    check_python,
    check_program,
    check_git,
    check_bash,
    check_ripgrep,
    check_terminal,
    check_state_folder,
    check_mailbox,
    check_pidfd,
    check_subreaper,
    check_uvloop,
)
