"""Tells an exception in a few lines, for agents and people who did not write this program. Pure."""

import traceback

FRAMES = 5
"""How many frames of a stack trace are kept: the innermost ones."""


def leaf(error: BaseException) -> BaseException:
    """Give the first real error inside exception groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def short_trace(error: BaseException, frames: int = FRAMES) -> str:
    """Give `error` as one line, and below it its innermost `frames` frames, outermost first."""
    cause = leaf(error)
    stack = traceback.extract_tb(cause.__traceback__)
    lines = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in stack[-frames:]]
    left_out = len(stack) - len(lines)
    if left_out:
        lines.insert(0, f"  … {left_out} outer frames left out")
    return "\n".join([f"{type(cause).__name__}: {cause}", *lines])
