"""What the fuzzing tests share: pieces of shell text, and answers that must come in time."""

import time
from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

Answer = TypeVar("Answer")
# Seconds of this process's own time; more would hold up all that the leader does.
LONGEST_ANSWER = 0.05

PIECES = st.sampled_from(
    [
        *"'\"`$(){}[]<>|&;!#~*?\\\n\t =,-/",
        *(
            "$(",
            "${",
            "$((",
            "))",
            "<<EOF\n",
            "EOF\n",
            "<(",
            "&&",
            "||",
            ";;",
            "if ",
            "then ",
            "fi",
            "do ",
            "done",
        ),
        *(
            "for x in ",
            "case ",
            "esac",
            "function ",
            "[[ ",
            " ]]",
            "eval ",
            "bash -c ",
            "xargs ",
            "find . -exec ",
        ),
        *(
            "badcmd",
            "mytool",
            "cat ",
            "secret.txt",
            "x=1",
            "cd ",
            "/",
            "..",
            "2>&1",
            ">f",
            "{a,b}",
            "\u200b",
            "\u00e9",
        ),
    ]
)


def timely(answer: Callable[[], Answer]) -> Answer:
    """The answer, in time; asked once more where it took long, as others use this machine too.

    Where the machine itself is slower than usual, as the reference tells, the limit is as much longer.
    """
    for _ in range(2):
        begun = time.process_time()
        found = answer()
        took = time.process_time() - begun
        if took <= LONGEST_ANSWER or took <= LONGEST_ANSWER * reference() / USUAL_REFERENCE:
            return found
    raise AssertionError(f"An answer took {took * 1000:.0f} ms.")


USUAL_REFERENCE = 0.001
"""What the reference takes on a machine of two quiet cores, in seconds."""


def reference() -> float:
    """How long a piece of work of a known size takes now, in seconds."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        sum(number * number for number in range(20_000))
        times.append(time.process_time() - begun)
    return min(times)
