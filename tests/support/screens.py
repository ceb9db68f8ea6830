"""The program in a real terminal: how tests start it, wait for its cards and find its processes."""

from dataclasses import dataclass

import psutil

from support.tmux import PROGRAM, PROMPT, Terminal
from swarm.leader.tui.deck import GRACE

ENDED = "the program ended with"
READ = GRACE + 0.1
"""How long a card must stand before a key acts on it, in seconds; a person takes longer."""


@dataclass
class Screen:
    """The program on a terminal."""

    terminal: Terminal

    def start(
        self, *arguments: str, program: str = " ".join(PROGRAM), command: str = "run plan.yaml"
    ) -> None:
        """Start a run of `plan.yaml`; its end is told with its exit code."""
        options = "".join(f" {argument}" for argument in arguments)
        self.terminal.type(f"clear; {program} {command}{options}; echo {ENDED[:4]}''{ENDED[4:]} $?.")
        self.terminal.press("Enter")

    def card(self, *texts: str) -> str:
        """Wait until the card asks about what holds all of `texts`, long enough for keys to act."""

        def asks(screen: str) -> bool:
            return "wants your approval" in screen and all(text in card_of(screen) for text in texts)

        return card_of(self.terminal.until(asks, for_seconds=READ))

    def answer(self, key: str, *texts: str) -> None:
        """Press `key` once the card asks about `texts`, and wait until it asks that no more."""
        card = self.card(*texts)
        self.terminal.press(key)
        self.terminal.until(lambda screen: request_of(card_of(screen)) != request_of(card))

    def end(self) -> str:
        """Wait until the program has ended, and give what is on the screen then."""
        return self.terminal.until(
            lambda screen: ENDED in screen and screen.rstrip().endswith(PROMPT.strip())
        )

    def exit_code(self) -> int:
        """Wait for the end and give the exit code."""
        return int(self.end().rsplit(ENDED, 1)[1].split(".")[0])

    def leave(self) -> int:
        """Leave a run that is over, and give its exit code."""
        self.terminal.until(lambda screen: "ended, exit" in screen and "wants your approval" not in screen)
        self.terminal.press("q")
        return self.exit_code()

    def leader(self) -> psutil.Process:
        """Give the program's process."""
        shell = psutil.Process(int(self.terminal.tmux("display-message", "-p", "#{pane_pid}")))
        (leader,) = shell.children()
        return leader

    def worker(self, screen: str) -> psutil.Process:
        """Give the process of the chosen worker, whose id is above its transcript on `screen`."""
        return psutil.Process(int(screen.split("  pid ")[1].split()[0]))


def card_of(screen: str) -> str:
    """Give the part of the screen that is the card: it alone has a thick edge on its left."""
    return "\n".join(line.split("█", 1)[1] for line in screen.split("\n") if "█" in line)


def request_of(card: str) -> str:
    """Give the id of the request on a card, or nothing."""
    words = card.split("\n")[0].split("·")
    return words[-2].strip() if len(words) >= 3 else ""


def is_alive(process: psutil.Process) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
