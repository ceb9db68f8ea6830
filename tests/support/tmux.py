"""A real terminal for tests: tmux with a server of its own, and a plain shell in it."""

import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

DEADLINE = 20.0  # seconds; generous, since it is only reached when a test fails
PROMPT = "ready$ "
SHELL = ("bash", "--norc", "--noprofile", "--noediting", "-i")
"""Without line editing, which would turn bracketed paste on by itself."""

PROGRAM = (sys.executable, "-E", "-P", "-m", "swarm")
MODES = {
    "alternate_on": "the alternate screen",
    "mouse_any_flag": "mouse reports",
    "mouse_sgr_flag": "mouse reports in decimals",
    "keypad_flag": "the keypad's own codes",
    "insert_flag": "insert mode",
}
"""The modes of a pane that tmux tells of, and what they are."""

TMUX = shutil.which("tmux")


@dataclass
class Terminal:
    """One pane with a shell. Text is what is on the screen, without blanks at line ends."""

    server: str
    folder: Path

    def tmux(self, *arguments: str) -> str:
        """Run one command of tmux and give what it prints."""
        command = [TMUX or "tmux", "-L", self.server, "-f", os.devnull, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=DEADLINE, check=False)
        assert done.returncode == 0, f"{arguments}: {done.stderr.decode()}"
        return done.stdout.decode("utf-8", errors="backslashreplace")

    def screen(self) -> str:
        """Give the screen as plain text."""
        return self.tmux("capture-pane", "-p")

    def painted(self) -> str:
        """Give the screen with the escape sequences that tmux would paint it with."""
        return self.tmux("capture-pane", "-p", "-e")

    def type(self, text: str) -> None:
        """Type text as it is."""
        self.tmux("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names of them."""
        self.tmux("send-keys", *keys)

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def until(self, holds: Callable[[str], object], *, for_seconds: float = 0.0) -> str:
        """Wait until the screen satisfies `holds` without a break of `for_seconds`, and give it."""
        deadline, since = time.monotonic() + DEADLINE, None
        while True:
            now, screen = time.monotonic(), self.screen()
            since = (since or now) if holds(screen) else None
            if since is not None and now - since >= for_seconds:
                return screen
            assert now < deadline, f"the screen never came to it; it is:\n{screen}"
            time.sleep(0.02)

    def shows(self, *texts: str) -> str:
        """Wait until all of `texts` are on the screen, and give it."""
        return self.until(lambda screen: all(text in screen for text in texts))

    def hides(self, *texts: str) -> str:
        """Wait until none of `texts` is on the screen, and give it."""
        return self.until(lambda screen: not any(text in screen for text in texts))

    def run(self, line: str) -> str:
        """Run a line in the shell, wait for its end, and give what it printed."""
        mark = uuid.uuid4().hex[:8]
        self.type(f"clear; {line}; echo {mark[:4]}''{mark[4:]}")
        self.press("Enter")
        return self.shows(mark).split(mark)[0].rstrip()

    def modes_on(self) -> set[str]:
        """Give what of the terminal is not as a shell wants it."""
        told = self.tmux("display-message", "-p", " ".join(f"#{{{flag}}}" for flag in MODES))
        found = {what for what, on in zip(MODES.values(), told.split(), strict=True) if on == "1"}
        if self.tmux("display-message", "-p", "#{cursor_flag}").strip() != "1":
            found.add("a hidden cursor")
        return found

    def pastes_in_brackets(self) -> bool:
        """Whether the terminal sends marks around what is pasted. The shell must be at its prompt."""
        self.type("clear; echo be''gun; cat -v")
        self.press("Enter")
        self.shows("begun")
        self.tmux("set-buffer", "pasted\n")
        self.tmux("paste-buffer", "-p")
        screen = self.until(lambda shown: shown.count("pasted") >= 2)
        self.press("C-c")
        self.until(lambda shown: shown.rstrip().endswith(PROMPT.rstrip()))
        return "[200~" in screen


@contextmanager
def open_terminal(folder: Path, width: int = 100, height: int = 30) -> Iterator[Terminal]:
    """Open a terminal with a shell in `folder`; whatever runs in it is ended with it."""
    terminal = Terminal(f"swarm-test-{uuid.uuid4().hex}", folder)
    environment = {"PS1": PROMPT, "COLORTERM": "", "LC_ALL": "C.UTF-8", "HISTFILE": "/dev/null"}
    environment |= {
        "COLUMNS": str(width),
        "LINES": str(height),
    }  # some shells export them: none must trust them
    settings = [part for name, value in environment.items() for part in ("-e", f"{name}={value}")]
    size = ("-x", str(width), "-y", str(height))
    try:
        terminal.tmux("new-session", "-d", *size, *settings, "--", *SHELL)
        terminal.tmux("set-option", "-g", "window-size", "manual")
        terminal.until(lambda screen: PROMPT.strip() in screen)
        yield terminal
    finally:
        subprocess.run(
            [TMUX or "tmux", "-L", terminal.server, "kill-server"], capture_output=True, check=False
        )
        socket_of(terminal.server).unlink(missing_ok=True)


def socket_of(server: str) -> Path:
    """Give where tmux keeps the socket of a server."""
    return Path(os.environ.get("TMUX_TMPDIR") or "/tmp") / f"tmux-{os.getuid()}" / server
