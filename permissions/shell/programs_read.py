"""Whether a program text of sed, awk or jq only reads and prints: by what may stand in it. Pure."""

import re

from swarm.permissions.shell.program_texts import awk_acts, sed_acts

ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?)"
SED_STEP = re.compile(
    rf"\s*(?:{ADDRESS}(?:\s*,\s*(?:\+\d+|~\d+|{ADDRESS}))?\s*!?\s*)?"
    r"(?:[pdqDPnN=lhHgGx]|q\d+|s([/|#,:@])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI0-9]*"
    r"|y/[^/\\\n]*/[^/\\\n]*/)?\s*"
)
AWK_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
AWK_RISKS = re.compile(r"system|getline|ENVIRON|@|close|fflush|PROCINFO|\bARGV\b|(?<!\|)\|(?!\|)|&\s*\|")
AWK_STATEMENT = re.compile(r"[;{}\n]")
JQ_RISKS = re.compile(
    r"\benv\b|\$ENV|\binput|\bimport\b|\binclude\b|\$__prog|\bdebug\b|\bhalt|@sh\b|\bgetpath\b.*env"
)


def sed_reads(program: str) -> bool:
    """Whether a program of sed writes nothing and runs nothing."""
    steps = re.split(r"[;\n]", program)
    return all(SED_STEP.fullmatch(step) is not None for step in steps) and not sed_acts(program)


def awk_reads(program: str) -> bool:
    """Whether a program of awk writes nothing and runs nothing."""
    bare = AWK_STRING.sub('""', program)
    if AWK_RISKS.search(bare) or awk_acts(program):
        return False
    return not any("print" in step and ">" in step for step in AWK_STATEMENT.split(bare))


def jq_reads(program: str) -> bool:
    """Whether a program of jq reads only its input."""
    return JQ_RISKS.search(program) is None


PROGRAMS = {
    "sed": sed_reads,
    "awk": awk_reads,
    "gawk": awk_reads,
    "mawk": awk_reads,
    "nawk": awk_reads,
    "jq": jq_reads,
}
