"""Reading words of shell text: quotes, expansions, substitutions. Evaluates nothing."""

import re
from collections.abc import Callable

from swarm.permissions.shell.ansi import unescaped
from swarm.permissions.shell.names import NAME, SPECIAL
from swarm.permissions.shell.parameters import read_braced
from swarm.permissions.shell.syntax import (
    Arithmetic,
    BrokenShell,
    Literal,
    Part,
    Redirect,
    Script,
    Substitution,
    TooMuchShell,
    Variable,
    Word,
)

DEEPEST = 30
# How much is read of one text; a command and a substitution cost more than a word or a part of one.
MOST_WORK, STEP = 3_000, 12
BEHIND_BACKSLASH = {False: frozenset("`\\$"), True: frozenset('`\\$"')}
PLAIN = re.compile(r"[^ \t\n'\"\\$`|&;()<>]+")
WHOLE = re.compile(r"[^ \t\n'\"\\$`|&;()<>]+(?=[ \t\n;)]|$)")
IN_DOUBLE = re.compile(r"[^\"\\$`]+")
IN_BODY = re.compile(r"[^\\$`]+")
BLANKS = re.compile(r"(?:[ \t]|\\\n)+")
BLANKS_AND_LINES = re.compile(r"(?:[ \t\n]|\\\n)+")


class WordReader:
    """A place in a text, and how words are read from there. `read_script` is what parentheses hold."""

    def __init__(self, text: str, base: int = 0) -> None:
        self.text = text
        self.base = base
        self.at = 0
        self.depth = 0
        self.budget = [MOST_WORK]
        self.pending: list[Redirect] = []
        self.delimiters: list[tuple[str, bool]] = []

    def read_script(self, closing: str) -> Script:
        """Read commands up to a closing sign; the grammar does that."""
        raise BrokenShell(self.at, f"no {closing!r} can stand here")

    def sub_reader(self, text: str, start: int) -> "WordReader":
        """A reader of a text that stands at `start` in this one."""
        self.spend(STEP)
        other = type(self)(text, self.base + start)
        other.depth = self.depth
        other.budget = self.budget
        return other

    def deeper(self) -> None:
        """Go one level down."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooMuchShell(self.at, "the command is nested too deeply")

    def spend(self, steps: int) -> None:
        """Count what is read. Raises TooMuchShell where it is more than is looked through."""
        self.budget[0] -= steps
        if self.budget[0] < 0:
            raise TooMuchShell(self.at, "it has too many parts")

    def peek(self, length: int = 1) -> str:
        """The next characters."""
        return self.text[self.at : self.at + length]

    def skip_blanks(self) -> None:
        """Pass blanks, continued lines and a comment."""
        text = self.text
        found = BLANKS.match(text, self.at)
        if found:
            self.at = found.end()
        if text.startswith("#", self.at):
            end = text.find("\n", self.at)
            self.at = len(text) if end < 0 else end

    def read_word(self) -> Word | None:
        """The next word; None if none begins here."""
        self.spend(1)
        start = self.at
        text = self.text
        whole = WHOLE.match(text, start)
        if whole:
            raw = whole.group()
            self.at = whole.end()
            return Word(self.base + start, self.base + self.at, [Literal(raw, False)], raw)
        parts: list[Part] = []
        while self.at < len(text):
            found = PLAIN.match(text, self.at)
            if found:
                self.at = found.end()
                parts.append(Literal(found.group(), False))
                continue
            sign = text[self.at]
            if sign not in PART_READERS:
                if sign in "<>" and self.peek(2) in ("<(", ">(") and (not parts or self.at > start):
                    parts.append(self.read_process_substitution())
                    continue
                break
            parts.extend(self.read_part())
        if self.at == start:
            return None
        return Word(self.base + start, self.base + self.at, parts, text[start : self.at])

    def read_part(self) -> list[Part]:
        """What begins here with a quote, a backslash, a dollar sign or a back-tick."""
        self.spend(1)
        return PART_READERS[self.text[self.at]](self)

    def read_process_substitution(self) -> Substitution:
        """What `<(` or `>(` holds."""
        start = self.at
        kind = self.peek(2)
        self.at += 2
        return self._substitution(kind, start, False)

    def _substitution(self, kind: str, start: int, quoted: bool) -> Substitution:
        self.spend(STEP)
        self.deeper()
        outer, self.pending = self.pending, []
        outer_delimiters, self.delimiters = self.delimiters, []
        lines = self.text.count("\n", start, self.at)
        script = self.read_script(")")
        if self.pending:
            raise BrokenShell(self.at, "a here-document has no body")
        if outer and self.text.count("\n", start, self.at) > lines:
            raise BrokenShell(start, "a here-document begins before a substitution of several lines")
        self.pending, self.delimiters = outer, outer_delimiters
        self.depth -= 1
        return Substitution(script, kind, quoted, self.base + start, self.base + self.at)

    def read_single(self) -> list[Part]:
        """Text in single quotes."""
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise BrokenShell(self.at, "a single quote is not closed")
        text = self.text[self.at + 1 : end]
        self.at = end + 1
        return [Literal(text, True)]

    def read_escape(self) -> list[Part]:
        """A backslash outside quotes."""
        following = self.text[self.at + 1 : self.at + 2]
        self.at += 2 if following else 1
        if following == "\n":
            return []
        return [Literal(following or "\\", True)]

    def read_double(self) -> list[Part]:
        """Text in double quotes."""
        start = self.at
        self.at += 1
        parts = self.read_expanding(IN_DOUBLE, '"', '"\\$`\n')
        if self.peek() != '"':
            raise BrokenShell(start, "a double quote is not closed")
        self.at += 1
        return parts or [Literal("", True)]

    def read_expanding(self, plain: re.Pattern[str], end: str, escaped: str) -> list[Part]:
        """Text in which only `$`, back-ticks and some backslashes mean something, up to `end`."""
        parts: list[Part] = []
        text = self.text
        while self.at < len(text):
            found = plain.match(text, self.at)
            if found:
                self.at = found.end()
                parts.append(Literal(found.group(), True))
                continue
            sign = text[self.at]
            if sign == end:
                break
            if sign == "\\":
                following = text[self.at + 1 : self.at + 2]
                self.at += 1 + len(following)
                if following != "\n":
                    parts.append(
                        Literal(following if following and following in escaped else "\\" + following, True)
                    )
            elif sign == "`":
                parts.extend(self.read_back_ticks(True))
            else:
                parts.extend(self.read_dollar(True))
        return parts

    def read_back_ticks(self, quoted: bool = False) -> list[Part]:
        """A substitution in back-ticks: its text loses one level of backslashes, then is read."""
        start = self.at
        self.at += 1
        inner: list[str] = []
        text = self.text
        while self.at < len(text) and text[self.at] != "`":
            if text[self.at] == "\\" and text[self.at + 1 : self.at + 2] in BEHIND_BACKSLASH[quoted]:
                self.at += 1
            inner.append(text[self.at])
            self.at += 1
        if self.at >= len(text):
            raise BrokenShell(start, "a back-tick is not closed")
        self.at += 1
        self.deeper()
        script = self.sub_reader("".join(inner), start + 1).read_script("")
        self.depth -= 1
        return [Substitution(script, "`", quoted, self.base + start, self.base + self.at)]

    def read_dollar(self, quoted: bool = False) -> list[Part]:
        """Whatever begins with a dollar sign."""
        start = self.at
        following = self.text[start + 1 : start + 2]
        if self.text.startswith("\\\n", start + 1):
            raise BrokenShell(start, "a line is continued within an expansion")
        if following == "(":
            return [self._dollar_parenthesis(quoted)]
        if following == "{":
            return [read_braced(self, quoted)]
        if following == "[":
            return [self.arithmetic(start + 2, self.matching(start + 2, "[", "]"), 1, quoted)]
        if not quoted and following == "'":
            return [self._ansi()]
        if not quoted and following == '"':
            self.at += 1
            return self.read_double()
        name = NAME.match(self.text, start + 1)
        if name:
            self.at = name.end()
            return [Variable(name.group(), quoted)]
        if following and following in SPECIAL:
            self.at += 2
            return [Variable(following, quoted)]
        self.at += 1
        return [Literal("$", quoted)]

    def _ansi(self) -> Literal:
        start = self.at
        end = start + 2
        while end < len(self.text) and self.text[end] != "'":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise BrokenShell(start, "a quote is not closed")
        body = self.text[start + 2 : end]
        self.at = end + 1
        return Literal(unescaped(body), True)

    def _dollar_parenthesis(self, quoted: bool) -> Part:
        start = self.at
        if self.peek(3) == "$((":
            end = self.matching(start + 3, "(", ")")
            if end >= 0 and self.text[end : end + 2] == "))":
                return self.arithmetic(start + 3, end, 2, quoted)
        self.at += 2
        return self._substitution("$(", start, quoted)

    def matching(self, at: int, opening: str, closing: str) -> int:
        """Where the sign stands that closes what was opened just before `at`; -1 if nowhere."""
        depth = 0
        text = self.text
        while at < len(text):
            sign = text[at]
            if sign == "\\":
                at += 1
            elif sign in "'\"":
                raise BrokenShell(at, "quotes in arithmetic cannot be read")
            elif sign == opening:
                depth += 1
            elif sign == closing:
                if depth == 0:
                    return at
                depth -= 1
            at += 1
        return -1

    def arithmetic(self, start: int, end: int, closers: int, quoted: bool) -> Arithmetic:
        if end < 0:
            raise BrokenShell(start, "an arithmetic expansion is not closed")
        self.deeper()
        text = self.text[start:end]
        inner = self.sub_reader(text, start)
        parts = inner.read_expanding(IN_BODY, "\0", "\\$`")
        self.depth -= 1
        self.at = end + closers
        return Arithmetic(text, [part for part in parts if not isinstance(part, Literal)], quoted)

    def read_body(self, text: str, start: int) -> Word:
        """The body of a here-document whose delimiter was not quoted."""
        parts = self.sub_reader(text, start).read_expanding(IN_BODY, "\0", "\\$`\n")
        return Word(self.base + start, self.base + start + len(text), parts, text)


PART_READERS: dict[str, Callable[[WordReader], list[Part]]] = {
    "'": WordReader.read_single,
    '"': WordReader.read_double,
    "\\": WordReader.read_escape,
    "$": WordReader.read_dollar,
    "`": WordReader.read_back_ticks,
}
