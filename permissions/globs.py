"""What a glob of the shell can stand for, as the file view shows it. Bounded; never raises."""

import re
from functools import lru_cache

from swarm.permissions.files import FileView, Kind
from swarm.permissions.walks import Budget

MOST_FOLDERS = 60
MOST_MATCHES = 300
WILD = re.compile(r"(?<!\\)[*?\[]")
ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@lru_cache(maxsize=512)
def name_pattern(text: str) -> re.Pattern[str]:
    """The regular expression of one name of a glob; backslashes quote."""
    out: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        at += 1
        if sign == "*":
            if out[-1:] != [".*"]:
                out.append(".*")
        elif sign == "?":
            out.append(".")
        elif sign == "\\" and at < len(text):
            out.append(re.escape(text[at]))
            at += 1
        elif sign == "[":
            end = text.find("]", at + 2 if text[at : at + 1] in ("!", "^") else at + 1)
            if end < 0:
                out.append(r"\[")
            else:
                out.append(_class(text[at:end]))
                at = end + 1
        else:
            out.append(re.escape(sign))
    return re.compile("".join(out), re.DOTALL)


def _class(body: str) -> str:
    if "[:" in body or "[." in body or "[=" in body:
        return "."
    turned = body[0] in "!^"
    signs = body[1:] if turned else body
    text = ("^" if turned else "") + signs.replace("\\", r"\\").replace("[", r"\[").replace("^", r"\^")
    try:
        re.compile(f"[{text}]")
    except re.error:
        return "."
    return f"[{text}]"


def fits(name: str, pattern: str) -> bool:
    """Whether a name fits one name of a glob; a leading dot must be written."""
    if name.startswith(".") and not pattern.startswith((".", "\\.")):
        return False
    return name_pattern(pattern).fullmatch(name) is not None


def matches(pattern: str, files: FileView, budget: Budget) -> list[str] | None:
    """The paths that an absolute glob stands for; None if there are too many to look through."""
    here = [""]
    for name in pattern.split("/"):
        if not name or name == ".":
            continue
        if name == "..":
            here = [f"{folder}/.." for folder in here]
            continue
        if not WILD.search(name):
            plain = ESCAPED.sub(r"\1", name)
            here = [f"{folder}/{plain}" for folder in here]
            continue
        if len(here) > MOST_FOLDERS:
            return None
        found: list[str] = []
        for folder in here:
            entries = files.names(folder or "/")
            enough = budget.spend(len(entries) // 2 + 1)
            found.extend(f"{folder}/{entry}" for entry in entries if enough and fits(entry, name))
            if not enough or len(found) > MOST_MATCHES:
                return None
        here = found
    return [path for path in here if ".." in path or files.kind(path) is not Kind.MISSING]
