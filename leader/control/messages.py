"""What travels over a session's control socket, one JSON object a line. Holds no behaviour.

The asking side sends one `Ask` and gets the `Reply` with the same `id`. `Watch` gets a `TeamIs` each
time the team changes, and if it wants that a `TranscriptsChanged`, until the connection closes.
"""

from typing import Any, Literal

import msgspec

from swarm.ipc.messages import snake_case
from swarm.leader.core.views import (
    AnswerToRequest,
    Entry,
    GrantView,
    NoticeEntry,
    OfferPreview,
    TeamView,
    TextEntry,
    ToolEntry,
    Transcript,
)

ASK_CAP = 17 * 1024 * 1024
"""The longest line that the leader reads, in bytes: a message's cap with room for its envelope."""
REPLY_CAP = 256 * 1024 * 1024
"""The longest line that the asking side reads, in bytes: a queue of large requests."""


class Ask(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """What the leader is asked for; `id` is chosen by who asks."""

    v: Literal[1] = 1
    id: int = 0


class AskTeam(Ask, frozen=True, kw_only=True):
    """Give the present picture of the team."""


class AskTranscript(Ask, frozen=True, kw_only=True):
    """Give the last entries of one worker."""

    worker: str


class Watch(Ask, frozen=True, kw_only=True):
    """Give the team now and whenever it changes; with `transcripts`, also whose transcript changes."""

    transcripts: bool = False


class GiveAnswer(Ask, frozen=True, kw_only=True):
    """Decide about a request."""

    answer: AnswerToRequest


class StopWorker(Ask, frozen=True, kw_only=True):
    """Stop one worker in good order, or the whole team if none is named."""

    worker: str | None = None


class PauseWorker(Ask, frozen=True, kw_only=True):
    """Let one worker, or the whole team if none is named, stand still, or go on."""

    worker: str | None = None
    paused: bool = True


class StopNow(Ask, frozen=True, kw_only=True):
    """End every process of the team at once."""


class SendText(Ask, frozen=True, kw_only=True):
    """Send a message to one worker."""

    worker: str
    text: str


class AskPreview(Ask, frozen=True, kw_only=True):
    """Say what one of a request's offers would have let through."""

    request_id: str
    offer: str


class AskGrants(Ask, frozen=True, kw_only=True):
    """Give the granted rules that are in force."""


class RevokeGrant(Ask, frozen=True, kw_only=True):
    """Take a granted rule back."""

    number: int


class AskHeldRules(Ask, frozen=True, kw_only=True):
    """Give what changed settings files would allow but is held back."""


class AcceptRules(Ask, frozen=True, kw_only=True):
    """Put in force what is held back, if it is what the person saw."""

    held: tuple[str, ...]


AnyAsk = (
    AskTeam
    | AskTranscript
    | Watch
    | GiveAnswer
    | StopWorker
    | PauseWorker
    | StopNow
    | SendText
    | AskPreview
    | AskGrants
    | RevokeGrant
    | AskHeldRules
    | AcceptRules
)


class Reply(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """What the leader says to the ask with this `id`."""

    v: Literal[1] = 1
    id: int = 0


class Done(Reply, frozen=True, kw_only=True):
    """It was done."""


class TeamIs(Reply, frozen=True, kw_only=True):
    """The team as it is."""

    team: TeamView


class TranscriptsChanged(Reply, frozen=True, kw_only=True):
    """The transcripts of these workers are others than before."""

    workers: tuple[str, ...]


class PreviewIs(Reply, frozen=True, kw_only=True):
    """What the offer would have let through."""

    preview: OfferPreview


class GrantsAre(Reply, frozen=True, kw_only=True):
    """The granted rules that are in force, or the one that was taken back."""

    grants: tuple[GrantView, ...]


class HeldRulesAre(Reply, frozen=True, kw_only=True):
    """What changed settings files would allow but is held back, in words."""

    held: tuple[str, ...]


class KindOfEntry(msgspec.Struct, frozen=True):
    """A transcript's entry with its kind, which the entries themselves do not carry."""

    kind: Literal["text", "tool", "notice"]
    entry: msgspec.Raw


class TranscriptIs(Reply, frozen=True, kw_only=True):
    """The transcript of one worker as it is."""

    entries: tuple[KindOfEntry, ...]
    first: int
    revision: int


class Failed(Reply, frozen=True, kw_only=True):
    """It was not done: the error's class, its fields, and the text that people read."""

    error: str
    text: str
    fields: dict[str, Any] = {}


AnyReply = Done | TeamIs | TranscriptsChanged | TranscriptIs | PreviewIs | GrantsAre | HeldRulesAre | Failed

_KINDS: dict[Literal["text", "tool", "notice"], type[Entry]] = {
    "text": TextEntry,
    "tool": ToolEntry,
    "notice": NoticeEntry,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def pack_transcript(ask_id: int, transcript: Transcript) -> TranscriptIs:
    """Give the reply that carries `transcript`."""
    entries = tuple(
        KindOfEntry(_NAMES[type(entry)], msgspec.Raw(msgspec.json.encode(entry)))
        for entry in transcript.entries
    )
    return TranscriptIs(id=ask_id, entries=entries, first=transcript.first, revision=transcript.revision)


def unpack_transcript(reply: TranscriptIs) -> Transcript:
    """Give the transcript that a reply carries. Raises msgspec.MsgspecError."""
    entries = tuple(msgspec.json.decode(packed.entry, type=_KINDS[packed.kind]) for packed in reply.entries)
    return Transcript(entries=entries, first=reply.first, revision=reply.revision)
