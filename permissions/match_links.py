"""Links, mounts and moves that a command itself makes: later paths of it are read through them. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from swarm.permissions.files import FileView, Kind
from swarm.permissions.match_path import Ground
from swarm.permissions.match_touches import absolute_texts, spots
from swarm.permissions.paths import normal
from swarm.permissions.shell.calls import Call, Findings, Hindrance
from swarm.permissions.shell.options import split_options
from swarm.permissions.shell.wrappers import names

MAKERS = names("ln link mv cp mount bindfs rsync install")
COPIED_AS_LINKS = names("-s -l --symbolic-link --link")
MOST_LINKS_MADE = 40
LOST = "it makes a link, a mount or a move whose place or target cannot be known"


@dataclass(frozen=True, slots=True)
class LinkedFiles:
    """The files as they will be once the links are made."""

    files: FileView
    links: dict[str, str]

    @property
    def folds_case(self) -> bool:
        """Whether names that differ in case only are the same name here."""
        return self.files.folds_case

    def kind(self, path: str) -> Kind:
        """What stands at the path."""
        return Kind.LINK if path in self.links else self.files.kind(path)

    def target(self, path: str) -> str:
        """Where a link leads."""
        return self.links.get(path) or self.files.target(path)

    def names(self, folder: str) -> tuple[str, ...]:
        """The names in a folder."""
        return self.files.names(folder)


def makes_links(call: Call) -> bool:
    """Whether a call may make a path lead elsewhere."""
    return call.name in MAKERS


def linked(calls: list[Call], findings: Findings, ground: Ground) -> tuple[FileView, ...]:
    """The files as later parts of the command may find them; none if no link is made."""
    direct: dict[str, str] = {}
    nested: dict[str, str] = {}
    clashing: list[dict[str, str]] = []
    for call in calls:
        for path, target, within in _made(call, ground, direct | nested, findings):
            if len(direct) + len(nested) + len(clashing) > MOST_LINKS_MADE:
                findings.hindrances.append(Hindrance(0, 0, LOST, unknown=True, blocks=False, unread=True))
                return ()
            holder = nested if within else direct
            if holder.setdefault(path, target) != target:
                clashing.append({path: target})
    if not direct and not nested:
        return ()
    both = {**nested, **direct}
    views = [both, nested] if nested else [both]
    views += [{**both, **other} for other in clashing[:4]]
    return tuple(LinkedFiles(ground.files, links) for links in views)


def _made(
    call: Call, ground: Ground, known: dict[str, str], findings: Findings
) -> Iterator[tuple[str, str, bool]]:
    """Each link that a call makes: its path, its target, and whether it stands in the folder named."""
    split = split_options(call.args[1:], names("-t --target-directory -S --suffix -o -T_"))
    operands = list(split.operands)
    places = [option.value for option in split.options if option.name in ("-t", "--target-directory")]
    if call.name == "mount" and not any("bind" in (arg.value or "") for arg in call.args):
        return
    symbolic = (
        call.name == "ln" and split.has(names("-s --symbolic")) and not split.has(names("-r --relative"))
    )
    place = places[0] if places else operands.pop() if len(operands) > 1 else None
    followed = call.name in names("mv cp rsync install") and not split.has(COPIED_AS_LINKS)
    for source in operands:
        text = source.value
        if text is None or (place is not None and place.value is None):
            if not followed:
                findings.hindrances.append(
                    Hindrance(call.start, call.end, LOST, unknown=True, blocks=False)
                )
            continue
        targets = [normal(path) for path in absolute_texts(source, call.folders, text)]
        if source.pattern:
            targets = [target.place.given for spot in spots(call, ground, 50) for target in spot.targets]
        elif symbolic:
            targets = [text]
        for target in targets:
            if followed and not _leads_on(target, call, ground, known):
                continue
            name = target.rstrip("/").rpartition("/")[2]
            if place is None:
                yield from ((normal(f"{folder}/{name}"), target, False) for folder in call.folders)
                continue
            for path in absolute_texts(place, call.folders, place.value or ""):
                if ground.files.kind(normal(path)) is not Kind.FOLDER and normal(path) != target:
                    yield normal(path), target, False
                yield normal(f"{path}/{name}"), target, True


def _leads_on(path: str, call: Call, ground: Ground, known: dict[str, str]) -> bool:
    """Whether what stands at a path leads elsewhere; a folder that is moved takes all in it along.

    What is below a folder that is copied was read then: its copy is of no more interest.
    """
    kind = ground.files.kind(path)
    return path in known or kind is Kind.LINK or (kind is Kind.FOLDER and call.name == "mv")
