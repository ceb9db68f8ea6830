"""The steps of a `script` worker as a plan writes them, and as the worker's agent is given them."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from swarm.leader.plan.durations import parse_duration

ACTIONS = ("bash", "read", "write", "edit", "glob", "grep", "say", "message", "tool")
"""What a step may do."""

Duration = Annotated[float, BeforeValidator(parse_duration, json_schema_input_type=str | float)]


class StepModel(BaseModel):
    """What all parts of a step share: unknown keys are errors, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class Bash(StepModel):
    """Runs a command in Bash."""

    command: Annotated[str, Field(min_length=1)]
    timeout: Duration | None = None


class Read(StepModel):
    """Reads a file."""

    file_path: Annotated[str, Field(min_length=1)]
    offset: Annotated[int, Field(ge=1)] | None = None
    """The first line, counted from 1."""
    limit: Annotated[int, Field(ge=1)] | None = None
    """How many lines."""


class Write(StepModel):
    """Writes a whole file."""

    path: Annotated[str, Field(min_length=1)]
    content: str


class Edit(StepModel):
    """Replaces text in a file."""

    path: Annotated[str, Field(min_length=1)]
    old: Annotated[str, Field(min_length=1)]
    new: str
    replace_all: bool = False


class Glob(StepModel):
    """Finds files by their names."""

    pattern: Annotated[str, Field(min_length=1)]
    path: str | None = None


class Grep(StepModel):
    """Finds lines by a regular expression."""

    pattern: Annotated[str, Field(min_length=1)]
    path: str | None = None
    glob: str | None = None
    """Search only files whose names match."""
    output_mode: Literal["files_with_matches", "content", "count"] | None = None
    """Whether the output is the files, the lines, or how many there are in each file."""
    head_limit: Annotated[int, Field(ge=1)] | None = None
    """How many lines of output at most."""


class Message(StepModel):
    """Sends a message to another worker, to all (`*`), or to the person (`leader`)."""

    to: Annotated[str, AfterValidator(lambda name: "" if name == "leader" else name)]
    text: str


class Tool(StepModel):
    """Calls any tool by its name."""

    name: Annotated[str, Field(min_length=1)]
    input: dict[str, Any] = {}


def _long_form(key: str) -> BeforeValidator:
    """Accept plain text where a step may be written in its short form."""

    def expand(value: object) -> object:
        if not isinstance(value, str | dict):
            raise ValueError(f"Expected text, or a mapping with `{key}:`. Put text in quotes.")
        return {key: value} if isinstance(value, str) else value

    return BeforeValidator(expand, json_schema_input_type=str | dict[str, Any])


class Step(StepModel):
    """One step: exactly one of the actions, and options."""

    bash: Annotated[Bash, _long_form("command")] | None = None
    read: Annotated[Read, _long_form("file_path")] | None = None
    write: Write | None = None
    edit: Edit | None = None
    glob: Annotated[Glob, _long_form("pattern")] | None = None
    grep: Annotated[Grep, _long_form("pattern")] | None = None
    say: str | None = None
    """Shows a text to the person."""
    message: Message | None = None
    tool: Tool | None = None
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")] | None = None
    """A name for later steps: `${steps.ID.output}`."""
    name: str | None = None
    """What the person sees instead of the call itself."""
    if_failed: bool = False
    """Run this step only where an earlier one has failed."""
    continue_on_error: bool = False
    """Go on with the next step if this one fails."""
    timeout: Duration | None = None
    """How long its run may take; waiting for an answer does not count."""

    @model_validator(mode="after")
    def _has_one_action(self) -> Self:
        found = [action for action in ACTIONS if getattr(self, action) is not None]
        if len(found) != 1:
            what = f"does several things ({', '.join(found)})" if found else "does nothing"
            raise ValueError(f"This step {what}. A step has exactly one of {', '.join(ACTIONS)}.")
        return self
