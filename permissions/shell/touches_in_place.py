"""What files a language's interpreter edits in place: the operands, where an option says so. Pure."""

import re
from collections.abc import Iterator

from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.touch import Touch
from swarm.permissions.shell.wrappers import names

IN_PLACE = {
    **dict.fromkeys(names("perl ruby"), re.compile(r"-[A-HJ-Za-hj-z0-9]*i")),
    **dict.fromkeys(names("awk gawk"), re.compile(r"(-i|--include[= ]|-i )inplace")),
}
"""By program, the option that has it write its operands. `-I` and what follows it names a folder."""
_PROGRAM = re.compile(r"-[A-Za-z0-9]*[eE]|-f|--(file|source)")
"""The option whose value is the program, or a file with it."""


def edited_in_place(call: Call) -> Iterator[Touch]:
    """The operands that the call writes. Rather one that is the program's text than one too few."""
    option = IN_PLACE.get(call.name or "")
    args = call.args[1:]
    if option is None or not any(option.match(text) for text in _options(args)):
        return
    is_program = False
    for arg in args:
        text = arg.value if arg.value is not None else arg.prefix
        if not is_program and not text.startswith("-"):
            yield Touch(arg, writes=True)
        is_program = not is_program and _PROGRAM.fullmatch(text) is not None


def _options(args: tuple[Arg, ...]) -> Iterator[str]:
    """The options, each also with the word behind it."""
    texts = [arg.value if arg.value is not None else arg.prefix for arg in args]
    for text, after in zip(texts, [*texts[1:], ""], strict=True):
        if text.startswith("-"):
            yield text
            yield f"{text} {after}"
