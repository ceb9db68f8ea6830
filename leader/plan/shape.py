"""Checks values against the models; says what does not fit in the words of plans, with its place."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from swarm.leader.errors import nearest
from swarm.leader.plan.document import Document, Location
from swarm.leader.plan.errors import Problem

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

M = TypeVar("M", bound=BaseModel)

KINDS = {
    "string_type": ("text", "Put it in quotes."),
    "list_type": ("a list", "Write [one, two], or a line with a - for each."),
    "dict_type": ("a mapping", "Write key: value."),
    "model_type": ("a mapping", "Write key: value."),
    "model_attributes_type": ("a mapping", "Write key: value."),
    "int_type": ("a whole number", "Write it without quotes."),
    "bool_type": ("true or false", "Write it without quotes."),
}
"""The models' type errors: what is expected, and how to write it."""


def validate(
    model: type[M], value: Any, document: Document, location: Location, problems: list[Problem]
) -> tuple[M | None, list[Location]]:
    """Give the model of the value, or None and where it is at fault; the problems are added."""
    try:
        return model.model_validate(value), []
    except ValidationError as error:
        details = error.errors(include_url=False)
    problems += [_translate(model, detail, document, location) for detail in details]
    return None, [detail["loc"] for detail in details]


def _translate(
    model: type[BaseModel], detail: "ErrorDetails", document: Document, location: Location
) -> Problem:
    inner = detail["loc"]
    place = document.place((*location, *inner))
    match detail["type"]:
        case "extra_forbidden":
            place = document.place((*location, *inner), key=True)
            return document.problem(place, *_unknown_key(model, inner))
        case "missing":
            place = document.place((*location, *inner[:-1]), key=True)
            return document.problem(place, f"The key {inner[-1]!r} is missing here.", _hint(inner[-1]))
        case "literal_error":
            return document.problem(place, *_unknown_word(detail))
        case "value_error":
            return document.problem(place, str(detail["ctx"]["error"]))
        case kind if kind in KINDS:
            expected, advice = KINDS[kind]
            return document.problem(place, f"Expected {expected}, found {show(detail['input'])}.", advice)
        case _:
            return document.problem(place, f"{show(detail['input'])} does not fit: {detail['msg']}.")


def _hint(key: str | int) -> str:
    return "Write `version: 1`." if key == "version" else ""


def _unknown_word(detail: "ErrorDetails") -> tuple[str, str]:
    words = [word.strip("' ") for word in detail["ctx"]["expected"].replace(" or ", ",").split(",")]
    near = nearest(str(detail["input"]), words)
    return f"{show(detail['input'])} is not possible here.{near}", f"Expected: {', '.join(words)}."


def _unknown_key(model: type[BaseModel], inner: tuple[str | int, ...]) -> tuple[str, str]:
    key = str(inner[-1])
    keys = sorted({name for found in _models_at(model, inner[:-1]) for name in found.model_fields})
    near = nearest(key, keys)
    return f"The key {key!r} is unknown here.{near}", "" if near else f"Expected: {', '.join(keys)}."


def _models_at(model: type[BaseModel], inner: tuple[str | int, ...]) -> list[type[BaseModel]]:
    """Give the models that the location leads to."""
    found: list[type[BaseModel]] = [model]
    for part in inner:
        if isinstance(part, str) and any(part in one.model_fields for one in found):
            fields = [one.model_fields[part].annotation for one in found if part in one.model_fields]
            found = [inside for annotation in fields for inside in _models_in(annotation)]
    return found


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def show(value: Any) -> str:
    """Give a value as a plan writes it, cut to what fits in a sentence."""
    match value:
        case bool():
            return str(value).lower()
        case None:
            return "nothing"
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str():
            return repr(value[:60] + "…" if len(value) > 60 else value)
        case _:
            return str(value)
