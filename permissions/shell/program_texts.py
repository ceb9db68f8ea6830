"""Whether a program text of awk or sed may run commands or open files of its own. Pure."""

import re

# Signs after which a slash begins a pattern in awk, not a division.
AWK_PIECE = re.compile(
    r"#[^\n]*"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?P<divided>\b(?!(?:printf?|return|in|case|do|else|getline)\b)\w+[ \t]*|\])/"
    r"|(?P<regex>(?:(?<=[({},;!~&|=\n])|^)[ \t]*/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/)",
    re.DOTALL,
)
AWK_ACTS = re.compile(r"\b(?:system|getline|ARGV|ARGC|ARGIND|PROCINFO)|@|(?<!\|)\|(?!\|)|\\\n")
AWK_PRINT = re.compile(r"\bprint")
AWK_STEP = re.compile(r"[;}]")
SED_ADDRESS = re.compile(
    r"\s*(?:\d+(?:~\d+)?|\$|[+~]\d+|/(?:\\.|\[[^\]\n]*\]|[^/\\\n\[])*/[IM]*"
    r"|\\(.)(?:\\.|(?!\1)[^\\\n])*\1[IM]*)\s*",
    re.DOTALL,
)
SED_PLAIN = re.compile(r"[pdDPnNhHgGxzF=]|[lqQL]\s*\d*")
SED_LABEL = re.compile(r"[:btT]\s*[^;}\n]*")
SED_TEXT = re.compile(r"[aic](?:\\.|[^\\\n])*(?:\n|$)", re.DOTALL)
SED_FLAGS = re.compile(r"[gpiIm0-9]*")
SED_END = re.compile(r"\s*(?:[;}\n]|#[^\n]*|$)\s*")


def awk_acts(program: str) -> bool:
    """Whether a program of awk runs a command, reads or writes a file, or may do so."""
    if not _awk_shows(program):
        return False
    bare = AWK_PIECE.sub(_blanked, program)
    # What is left of a quote or a slash may begin a string or a pattern that was read otherwise.
    unsure = "/" in bare or '"' in bare.replace('""', "")
    return unsure or _awk_shows(bare)


def _awk_shows(program: str) -> bool:
    return AWK_ACTS.search(program) is not None or any(map(_prints_to, AWK_STEP.split(program)))


def _prints_to(step: str) -> bool:
    begun = AWK_PRINT.search(step)
    return begun is not None and ">" in step[begun.end() :]


def _blanked(piece: re.Match[str]) -> str:
    if piece["divided"] is not None:
        return piece["divided"]
    return " " if piece["regex"] is not None or piece[0][0] == "#" else '""'


def sed_acts(program: str) -> bool:
    """Whether a program of sed runs a command, reads or writes a file, or cannot be followed."""
    at = 0
    while at < len(program):
        end = _sed_step(program, at)
        if end <= at:
            return True
        at = end
    return False


def _sed_step(program: str, at: int) -> int:
    """Where the step that begins here ends; -1 if it acts or cannot be followed."""
    if program[at] in " \t\n;{}":
        return at + 1
    if program[at] == "#":
        end = program.find("\n", at)
        return len(program) if end < 0 else end
    at = _past_addresses(program, at)
    if at >= len(program):
        return -1
    sign = program[at]
    if sign == "{":
        return at + 1
    if sign in "sy":
        return _ended(program, _past_exchange(program, at))
    if sign in "aic":
        found = SED_TEXT.match(program, at)
        return found.end() if found else -1
    found = SED_LABEL.match(program, at) or SED_PLAIN.match(program, at)
    return _ended(program, found.end()) if found else -1


def _ended(program: str, at: int) -> int:
    found = SED_END.match(program, at) if at >= 0 else None
    return found.end() if found else -1


def _past_addresses(program: str, at: int) -> int:
    first = SED_ADDRESS.match(program, at)
    if first:
        at = first.end()
        if program[at : at + 1] == ",":
            second = SED_ADDRESS.match(program, at + 1)
            at = second.end() if second else len(program)
    while program[at : at + 1] in ("!", " ", "\t"):
        at += 1
    return at


def _past_exchange(program: str, at: int) -> int:
    """Where `s/…/…/flags` or `y/…/…/` ends; -1 if a flag runs or writes, or it is not closed."""
    sign = program[at + 1 : at + 2]
    if not sign or sign in "\\\n":
        return -1
    place, left = at + 2, 2
    while place < len(program) and left:
        if program[place] == "\\":
            place += 1
        elif program[place] == sign:
            left -= 1
        place += 1
    if left:
        return -1
    if program[at] == "y":
        return place
    flags = SED_FLAGS.match(program, place)
    return flags.end() if flags else place
