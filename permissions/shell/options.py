"""Telling options from operands, by the options that take a value. Pure."""

from dataclasses import dataclass, replace

from swarm.permissions.shell.expand import Arg


@dataclass(frozen=True, slots=True)
class Option:
    """One option; `value` is its argument, if it took one."""

    name: str
    value: Arg | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """The options and operands of a command, in their order. `ended` counts the operands before `--`."""

    options: tuple[Option, ...]
    operands: tuple[Arg, ...]
    ended: int = -1

    def has(self, names: frozenset[str]) -> bool:
        """Whether any of these options is given; a long one may be shortened."""
        return any(same_option(option.name, name) for option in self.options for name in names)


def same_option(given: str, name: str) -> bool:
    """Whether an option as given means this one: long options may be cut short."""
    return given == name or (given.startswith("--") and len(given) > 2 and name.startswith(given))


def takes(given: str, names: frozenset[str]) -> bool:
    """Whether an option is among those named, cut short or not."""
    return given in names or (given.startswith("--") and any(same_option(given, name) for name in names))


def split_options(args: tuple[Arg, ...], values: frozenset[str], single_dash: bool = False) -> Split:
    """Tell options from operands. `single_dash`: long options begin with one dash, as with find."""
    options: list[Option] = []
    operands: list[Arg] = []
    ended = -1
    at = 0
    while at < len(args):
        arg = args[at]
        text = arg.value if arg.value is not None else arg.prefix
        at += 1
        if ended >= 0 or not text.startswith("-") or text == "-":
            operands.append(arg)
        elif arg.value == "--":
            ended = len(operands)
        elif text.startswith("--"):
            at += _long(arg, text, args, at, values, options)
        elif single_dash:
            at += _whole(text, args, at, values, options)
        else:
            at += _cluster(arg, text, args, at, values, options)
    return Split(tuple(options), tuple(operands), ended)


def _long(
    arg: Arg, text: str, args: tuple[Arg, ...], at: int, values: frozenset[str], options: list[Option]
) -> int:
    name, equals, inline = text.partition("=")
    if equals:
        known = arg.value is not None
        options.append(
            Option(name, replace(arg, value=inline if known else None, prefix=inline, pattern=""))
        )
        return 0
    if takes(name, values) and at < len(args):
        options.append(Option(name, args[at]))
        return 1
    options.append(Option(name))
    return 0


def _whole(text: str, args: tuple[Arg, ...], at: int, values: frozenset[str], options: list[Option]) -> int:
    if text in values and at < len(args):
        options.append(Option(text, args[at]))
        return 1
    options.append(Option(text))
    return 0


def _cluster(
    arg: Arg, text: str, args: tuple[Arg, ...], at: int, values: frozenset[str], options: list[Option]
) -> int:
    flags: set[str] = set()
    for place in range(1, len(text)):
        name = "-" + text[place]
        if name not in values:
            if name not in flags:
                options.append(Option(name))
            flags.add(name)
            continue
        rest = text[place + 1 :]
        if rest or (arg.value is None and place + 1 == len(text)):
            known = arg.value is not None
            options.append(
                Option(name, replace(arg, value=rest if known else None, prefix=rest, pattern=""))
            )
            return 0
        if at < len(args):
            options.append(Option(name, args[at]))
            return 1
        options.append(Option(name))
    return 0
