"""The transcript of the chosen worker: one widget that paints only the rows in sight."""

from textual import events
from textual.message import Message

from swarm.leader.core.views import Transcript
from swarm.leader.tui import look
from swarm.leader.tui.transcript_buffer import KEPT_CHARACTERS, TranscriptBuffer
from swarm.leader.tui.widgets.line_view import LineView
from swarm.leader.tui.wrapping import Line

FIRST_CHARACTERS = 20_000
"""Text that is wrapped when a worker is chosen; more only when the person scrolls up to it."""


class TranscriptView(LineView):
    """Sticks to the end until the person scrolls up; then it stands still and counts what comes.

    `following` tells which; `new` is the number of lines that came below since.
    """

    class Moved(Message):
        """`following` or `new` has changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._buffer = TranscriptBuffer()
        self._transcript = Transcript()
        self._seen_end = 0
        self._room = FIRST_CHARACTERS
        self.whole = False
        self.following = True

    @property
    def new(self) -> int:
        """Lines below that came since the person scrolled up."""
        return 0 if self.following else max(self._buffer.end - self._seen_end, 0)

    def row_count(self) -> int:
        """Give the number of lines kept."""
        return self._buffer.end - self._buffer.start + self._lead

    def row(self, at: int) -> Line:
        """Give one line."""
        if at < self._lead:
            return ((f"┆ {self._buffer.earlier:,} earlier entries are not shown", look.FAINT),)
        return self._buffer.line(self._buffer.start + at - self._lead)

    @property
    def _lead(self) -> int:
        """Lines before the first that is kept: one, if something was there."""
        return int(self._buffer.earlier > 0)

    def show(self, transcript: Transcript) -> None:
        """Show another worker's transcript, from its end."""
        self._buffer.clear()
        self._room = FIRST_CHARACTERS
        self.following = True
        self.update(transcript)

    def update(self, transcript: Transcript) -> None:
        """Show what changed in the transcript; a reader who has scrolled up stays at the same line."""
        self._transcript = transcript
        if self.size.width == 0:
            return
        before = self._buffer.start + self.top - self._lead
        self._buffer.update(transcript, self.text_width, whole=self.whole, room=self._room)
        last = max(self.row_count() - self.size.height, 0)
        self.top = last if self.following else min(max(before - self._buffer.start + self._lead, 0), last)
        self._note()
        self.refresh()

    def scroll_to_row(self, at: int) -> None:
        """Scroll; what was held back comes in sight above."""
        held_back = self._room < KEPT_CHARACTERS and self._buffer.earlier > self._transcript.first
        if held_back and at < self.size.height:
            rows, new, self._room = self.row_count(), self.new, KEPT_CHARACTERS
            self._buffer.update(self._transcript, self.text_width, whole=self.whole, room=self._room)
            more = self.row_count() - rows
            self.top, at = self.top + more, at + more
            self._seen_end = self._buffer.end - new
        super().scroll_to_row(at)

    def toggle_whole(self) -> None:
        """Show all output of the tools that is kept, or its tails again."""
        self.whole = not self.whole
        self._rewrap()

    def _rewrap(self) -> None:
        """Wrap anew; a reader who has scrolled up stays at about the same part."""
        share = self.top / max(self.row_count(), 1)
        self.update(self._transcript)
        if not self.following:
            self._seen_end = self._buffer.end
            self.scroll_to_row(int(share * self.row_count()))

    def on_resize(self, event: events.Resize) -> None:
        """Wrap to the new width."""
        self._rewrap()

    def scrolled(self) -> None:
        """Follow again once the end is in sight."""
        following = self.below == 0
        if self.following and not following:
            self._seen_end = self._buffer.end
        self.following = following
        self._note()

    def _note(self) -> None:
        self.post_message(self.Moved())

    def go_to_end(self) -> None:
        """Show the last lines and follow."""
        self.scroll_to_row(self.row_count())
        self.following = True
        self._note()
