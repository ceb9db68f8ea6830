"""What words become: braces, variables, splitting, quotes. Globs stay as patterns. Reads no files."""

import re
from dataclasses import dataclass
from itertools import product

from swarm.permissions.shell.idioms import plain_text
from swarm.permissions.shell.scope import ELSEWHERE, Scope
from swarm.permissions.shell.shapes import TAME, UNKNOWN, of_pattern, of_substitution, of_variable
from swarm.permissions.shell.syntax import (
    Arithmetic,
    Literal,
    Part,
    Substitution,
    Variable,
    Word,
)

MOST_ALTERNATIVES = 16
MOST_FIELDS = 256
# Longer words count as several where braces multiply them.
FREE_SIGNS = 64
GLOB = re.compile(r"[*?]|\[[^]]")
GLOB_OR_ESCAPE = re.compile(r"([*?\[\]\\])")
NUMBERS = re.compile(r"[\d\s+\-*/%()<>=!&|^~?:,]*")
RANGE = re.compile(r"(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?\d+)?")
LONGEST_RANGE = 100
MOST_BRACES = 30
ASSIGNED_TILDE = re.compile(r"([A-Za-z_]\w*=)(~.*)", re.DOTALL)


class TooManyBraces(Exception):
    """A word that stands for more words than are looked at."""


@dataclass(slots=True, unsafe_hash=True)  # never changed; frozen would make each cost three times as much
class Arg:
    """One word as a command gets it.

    `value` is its text, None if that cannot be known; then `prefix` is how it surely begins, and
    `known` says whether it is known well enough for an allow rule. `pattern` is the glob, quoted signs
    escaped, where the word is one. `number` counts the words as written. `below`: something below the path.
    `shape` tells what is fixed of a text that cannot be known.
    """

    value: str | None
    raw: str
    start: int
    end: int
    number: int
    known: bool = True
    prefix: str = ""
    pattern: str = ""
    single: bool = True
    unsplit: bool = True
    below: bool = False
    shape: str = ""


@dataclass(slots=True)
class Piece:
    """A stretch of a field: text or, where None, something that cannot be known."""

    text: str | None
    quoted: bool
    known: bool = True
    splits: bool = False
    single: bool = True
    shape: str = UNKNOWN


def expand(word: Word, scope: Scope, number: int = 0) -> list[tuple[Arg, ...]]:
    """All that a word may become, each a run of arguments."""
    if len(word.parts) == 1:
        only = word.parts[0]
        if isinstance(only, Literal) and (only.quoted or not _special(only.text)):
            return [(Arg(only.text, word.raw, word.start, word.end, number),)]
    if not scope.work.spend(8 + 3 * len(word.parts)):
        return [(_unknown(word, number, False),)]
    found: list[tuple[Arg, ...]] = [()]
    try:
        variants = braces(word.parts)
    except TooManyBraces:
        return [(_unknown(word, number, False),)]
    for parts in variants:
        evaluated = _evaluated(parts, scope)
        scope.work.spend(5 + 5 * len(parts) * len(evaluated))
        options = [_fields(pieces, word, number) for pieces in evaluated]
        found = [before + after for before in found for after in options]
        if len(found) > MOST_ALTERNATIVES or len(found[0]) > MOST_FIELDS or scope.work.left < 0:
            return [(_unknown(word, number, scope.work.left >= 0),)]
    return found


def _unknown(word: Word, number: int, known: bool) -> Arg:
    return Arg(None, word.raw, word.start, word.end, number, known, single=False, unsplit=False)


def _special(text: str) -> bool:
    return "{" in text or text[:1] == "~" or GLOB.search(text) is not None or "=~" in text or ":~" in text


def _evaluated(parts: list[Part], scope: Scope) -> list[list[Piece]]:
    """The pieces of a word, once for each combination of what its variables may hold."""
    choices: list[list[Piece]] = []
    count = 1
    for at, part in enumerate(parts):
        pieces = _pieces(part, scope, at == 0)
        count *= len(pieces)
        if count > MOST_ALTERNATIVES:
            pieces = [
                Piece(None, pieces[0].quoted, all(piece.known for piece in pieces), single=pieces[0].quoted)
            ]
            count = MOST_ALTERNATIVES
        choices.append(pieces)
    return [list(choice) for choice in product(*choices)]


def _pieces(part: Part, scope: Scope, first: bool) -> list[Piece]:
    match part:
        case Literal():
            return [
                Piece(_tilde(part.text, scope) if first and not part.quoted else part.text, part.quoted)
            ]
        case Variable():
            return _variable(part, scope)
        case Arithmetic():
            plain = NUMBERS.fullmatch(part.text) is not None
            return [Piece(None, part.quoted, plain, single=True, shape=TAME)]
        case Substitution():
            text = plain_text(part)
            if text is not None:
                return [Piece(text, True)]
            alone = part.quoted or part.kind in ("<(", ">(")
            return [Piece(None, part.quoted, False, single=alone, shape=of_substitution(part))]


def _tilde(text: str, scope: Scope) -> str | None:
    assigned = ASSIGNED_TILDE.fullmatch(text)
    if assigned:
        rest = _tilde(assigned.group(2), scope)
        return None if rest is None else assigned.group(1) + rest
    if not text.startswith("~"):
        return text
    name, slash, rest = text.partition("/")
    if name == "~":
        homes = scope.look_up("HOME")[0]
        return f"{homes[0]}{slash}{rest}" if homes else None
    if name == "~+" and len(scope.folders) == 1 and scope.folders[0] != ELSEWHERE:
        return f"{scope.folders[0]}{slash}{rest}"
    return None


def _variable(part: Variable, scope: Scope) -> list[Piece]:
    if part.operator == "#":
        return [Piece(None, part.quoted, shape=TAME)]
    values, known = scope.look_up(part.name)
    alone = part.name not in ("@", "*") and (part.quoted or part.name in ("?", "$", "#", "!", "UID"))
    plain = part.operator == "" or (
        part.operator in (":-", "-", ":=", "=", ":?", "?") and values and all(values)
    )
    if values is None or not plain:
        shape = scope.shapes.get(part.name) or of_variable(part.name, part.operator)
        shape = shape if part.operator == "" else UNKNOWN
        return [Piece(None, part.quoted, known and part.operator == "", single=alone, shape=shape)]
    if not part.quoted and scope.splits_oddly:
        return [Piece(None, False, False, single=False)]
    pieces = [Piece(value, part.quoted, known, splits=not part.quoted) for value in values]
    return pieces if known else [*pieces, Piece(None, part.quoted, False, single=alone)]


def _fields(pieces: list[Piece], word: Word, number: int) -> tuple[Arg, ...]:
    """Split what variables brought in at blanks; join the rest."""
    fields: list[list[Piece]] = [[]]
    for piece in pieces:
        if not piece.splits or piece.text is None:
            fields[-1].append(piece)
            continue
        split = piece.text.split()
        if not split:
            continue
        if piece.text[0].isspace() and fields[-1]:
            fields.append([])
        for at, text in enumerate(split):
            if at:
                fields.append([])
            fields[-1].append(Piece(text, False, piece.known))
        if piece.text[-1].isspace():
            fields.append([])
    return tuple(_arg(field, word, number, len(fields) == 1) for field in fields if field)


def _arg(field: list[Piece], word: Word, number: int, unsplit: bool) -> Arg:
    texts = [piece.text for piece in field]
    known = all(piece.known for piece in field)
    single = all(piece.single for piece in field)
    if None in texts:
        prefix = "".join(text for text in texts[: texts.index(None)] if text is not None)
        found = Arg(None, word.raw, word.start, word.end, number, known, prefix, "", single, unsplit)
        found.shape = "".join(piece.shape if piece.text is None else _seen(piece) for piece in field)
        return found
    value = "".join(text for text in texts if text is not None)
    pattern = ""
    if any(not piece.quoted and GLOB.search(piece.text or "") for piece in field):
        pattern = "".join(
            GLOB_OR_ESCAPE.sub(r"\\\1", piece.text or "") if piece.quoted else piece.text or ""
            for piece in field
        )
    return Arg(value, word.raw, word.start, word.end, number, known, pattern=pattern, unsplit=unsplit)


def _seen(piece: Piece) -> str:
    globs = not piece.quoted and GLOB.search(piece.text or "")
    return of_pattern(piece.text or "") if globs else piece.text or ""


def braces(parts: list[Part]) -> list[list[Part]]:
    """Brace expansion: the words that a word stands for. Raises TooManyBraces."""
    if not any(isinstance(part, Literal) and not part.quoted and "{" in part.text for part in parts):
        return [parts]
    signs: list[Part | str] = []
    for part in parts:
        if isinstance(part, Literal) and not part.quoted:
            signs.extend(part.text)
        else:
            signs.append(part)
    if signs.count("{") > MOST_BRACES:
        raise TooManyBraces
    return [_regrouped(one) for one in _expanded(signs, [MOST_FIELDS])]


def _expanded(signs: list[Part | str], budget: list[int]) -> list[list[Part | str]]:
    for start, sign in enumerate(signs):
        if sign != "{":
            continue
        choices, end = _choices(signs, start)
        if not choices:
            continue
        tails = _expanded(signs[end + 1 :], budget)
        found: list[list[Part | str]] = []
        for choice in choices:
            for middle in _expanded(choice, budget):
                for tail in tails:
                    budget[0] -= 1 + (start + len(middle) + len(tail)) // FREE_SIGNS
                    if budget[0] < 0:
                        raise TooManyBraces
                    found.append([*signs[:start], *middle, *tail])
        return found
    return [signs]


def _choices(signs: list[Part | str], start: int) -> tuple[list[list[Part | str]], int]:
    """What stands between a brace and its partner, split at commas; nothing if it is no list."""
    depth = 0
    choices: list[list[Part | str]] = [[]]
    for at in range(start + 1, len(signs)):
        sign = signs[at]
        if sign == "}" and depth == 0:
            if len(choices) > 1:
                return choices, at
            return _range(choices[0]), at
        if sign == "," and depth == 0:
            choices.append([])
            continue
        depth += 1 if sign == "{" else -1 if sign == "}" else 0
        choices[-1].append(sign)
    return [], start


def _range(signs: list[Part | str]) -> list[list[Part | str]]:
    text = "".join(sign if isinstance(sign, str) else "\0" for sign in signs)
    found = RANGE.fullmatch(text)
    if found is None:
        return []
    first, last = found.group(1), found.group(2)
    if first.lstrip("-").isdigit() and last.lstrip("-").isdigit():
        low, high = sorted((int(first), int(last)))
        if high - low > LONGEST_RANGE:
            raise TooManyBraces
        return [list(str(number)) for number in range(low, high + 1)]
    if first.isalpha() and last.isalpha():
        low, high = sorted((ord(first), ord(last)))
        return [[chr(code)] for code in range(low, high + 1)]
    return []


def _regrouped(signs: list[Part | str]) -> list[Part]:
    parts: list[Part] = []
    for sign in signs:
        if isinstance(sign, str):
            last = parts[-1] if parts else None
            if isinstance(last, Literal) and not last.quoted:
                last.text += sign
            else:
                parts.append(Literal(sign, False))
        else:
            parts.append(sign)
    return parts
