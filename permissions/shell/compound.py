"""Reading the compound commands, each by its first word: a table. Evaluates nothing."""

from swarm.permissions.shell.grammar import COMPOUND, ShellReader
from swarm.permissions.shell.names import NAME
from swarm.permissions.shell.syntax import (
    Branches,
    BrokenShell,
    Command,
    Coprocess,
    Expression,
    Group,
    Loop,
    Script,
    Word,
)
from swarm.permissions.shell.words import BLANKS_AND_LINES


def expect(reader: ShellReader, word: str) -> None:
    """Pass a reserved word; raises BrokenShell if another stands here."""
    reader.skip_lines()
    if reader.reserved() != word:
        raise BrokenShell(reader.at, f"{word!r} is missing")
    reader.at += len(word)


def read_braces(reader: ShellReader) -> Command:
    """`{ list; }`"""
    expect(reader, "{")
    body = reader.read_list(frozenset({"}"}))
    expect(reader, "}")
    return reader.with_redirects(Group(body, subshell=False))


def read_if(reader: ShellReader) -> Command:
    """`if list; then list; elif …; else …; fi`"""
    conditions: list[Script] = []
    bodies: list[Script] = []
    word = "if"
    while word in ("if", "elif"):
        expect(reader, word)
        conditions.append(reader.read_list(frozenset({"then"})))
        expect(reader, "then")
        bodies.append(reader.read_list(frozenset({"elif", "else", "fi"})))
        word = reader.reserved()
    if word == "else":
        expect(reader, "else")
        bodies.append(reader.read_list(frozenset({"fi"})))
    expect(reader, "fi")
    return reader.with_redirects(Branches([], conditions, bodies))


def read_while(reader: ShellReader) -> Command:
    """`while list; do list; done`, `until` too"""
    expect(reader, reader.reserved())
    condition = reader.read_list(frozenset({"do"}))
    body = read_do(reader)
    return reader.with_redirects(Branches([], [condition], [body]))


def read_do(reader: ShellReader) -> Script:
    """`do list; done`, or a list in braces"""
    reader.skip_lines()
    opening, closing = ("{", "}") if reader.reserved() == "{" else ("do", "done")
    expect(reader, opening)
    body = reader.read_list(frozenset({closing}))
    expect(reader, closing)
    return body


def read_for(reader: ShellReader) -> Command:
    """`for NAME in words; do list; done`, `select` too, and `for ((…))`"""
    start = reader.base + reader.at
    expect(reader, reader.reserved())
    reader.skip_blanks()
    if reader.peek(2) == "((":
        return read_counting(reader)
    name = NAME.match(reader.text, reader.at)
    if name is None:
        raise BrokenShell(reader.at, "the name of the loop's variable is missing")
    reader.at = name.end()
    reader.skip_lines()
    words: list[Word] | None = None
    if reader.reserved() == "in":
        expect(reader, "in")
        words = read_words(reader)
    reader.skip_blanks()
    if reader.peek() == ";":
        reader.at += 1
    body = read_do(reader)
    return reader.with_redirects(Loop(start, name.group(), words, body))


def read_words(reader: ShellReader) -> list[Word]:
    """Words up to the end of the line or a semicolon."""
    words: list[Word] = []
    while True:
        reader.skip_blanks()
        word = reader.read_word()
        if word is None:
            return words
        words.append(word)


def read_counting(reader: ShellReader) -> Command:
    """`((a; b; c)); do list; done`"""
    end = reader.matching(reader.at + 2, "(", ")")
    if end < 0 or reader.text[end : end + 2] != "))":
        raise BrokenShell(reader.at, "'))' is missing")
    head = reader.arithmetic_word(end)
    reader.skip_blanks()
    if reader.peek() == ";":
        reader.at += 1
    body = read_do(reader)
    return reader.with_redirects(Branches([head], [], [body]))


def read_case(reader: ShellReader) -> Command:
    """`case word in pattern) list;; esac`"""
    expect(reader, "case")
    reader.skip_blanks()
    subject = reader.read_word()
    if subject is None:
        raise BrokenShell(reader.at, "case needs a word")
    words = [subject]
    bodies: list[Script] = []
    expect(reader, "in")
    while True:
        reader.skip_lines()
        if reader.reserved() == "esac":
            break
        words.extend(read_patterns(reader))
        bodies.append(reader.read_list(frozenset({"esac"})))
        reader.skip_lines()
        if reader.peek(2) in (";;", ";&"):
            reader.at += 3 if reader.peek(3) == ";;&" else 2
        elif reader.reserved() != "esac":
            raise BrokenShell(reader.at, "'esac' is missing")
    expect(reader, "esac")
    return reader.with_redirects(Branches(words, [], bodies))


def read_patterns(reader: ShellReader) -> list[Word]:
    """`(a | b)`, the first parenthesis may lack"""
    if reader.peek() == "(":
        reader.at += 1
    words: list[Word] = []
    while True:
        reader.skip_blanks()
        word = reader.read_word()
        if word is None:
            raise BrokenShell(reader.at, "a pattern of case is missing")
        words.append(word)
        reader.skip_blanks()
        if reader.peek() == ")":
            reader.at += 1
            return words
        if reader.peek() != "|":
            raise BrokenShell(reader.at, "a pattern of case cannot be read")
        reader.at += 1


def read_function(reader: ShellReader) -> Command:
    """`function NAME { list; }`"""
    start = reader.base + reader.at
    expect(reader, "function")
    reader.skip_blanks()
    name = reader.read_word()
    if name is None:
        raise BrokenShell(reader.at, "the name of a function is missing")
    return reader.read_definition(name.raw, start)


def read_coprocess(reader: ShellReader) -> Command:
    """`coproc [NAME] command`"""
    start = reader.base + reader.at
    expect(reader, "coproc")
    reader.skip_blanks()
    word = reader.reserved()
    if word not in COMPOUND and NAME.fullmatch(word):
        after = reader.at + len(word)
        blanks = BLANKS_AND_LINES.match(reader.text, after)
        following = reader.text[blanks.end() : blanks.end() + 2] if blanks else ""
        if following[:1] == "(" or following in ("{ ", "{\t", "{\n"):
            reader.at = after
            reader.skip_blanks()
    body = reader.read_command()
    return Coprocess(start, reader.base + reader.at, body)


def read_test(reader: ShellReader) -> Command:
    """`[[ … ]]`: the words in it"""
    expect(reader, "[[")
    words: list[Word] = []
    while True:
        found = BLANKS_AND_LINES.match(reader.text, reader.at)
        if found:
            reader.at = found.end()
        if reader.reserved() == "]]":
            reader.at += 2
            return reader.with_redirects(Expression(words))
        word = reader.read_word()
        if word is not None:
            words.append(word)
        elif reader.peek() and reader.peek() in "()<>|&":
            reader.at += 1
        else:
            raise BrokenShell(reader.at, "']]' is missing")


COMPOUND.update(
    {
        "{": read_braces,
        "if": read_if,
        "while": read_while,
        "until": read_while,
        "for": read_for,
        "select": read_for,
        "case": read_case,
        "function": read_function,
        "coproc": read_coprocess,
        "[[": read_test,
    }
)


__all__ = ["COMPOUND"]
