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
    """The answer, in time; asked once more where it took long, as others use this machine too."""
    for _ in range(2):
        begun = time.process_time()
        found = answer()
        took = time.process_time() - begun
        if took <= LONGEST_ANSWER:
            return found
    raise AssertionError(f"An answer took {took * 1000:.0f} ms.")
