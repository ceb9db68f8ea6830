"""The main screen: table, transcript, card. Turns keys into what they mean; the app sends what they ask."""

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static

from swarm.leader.core.client import Client
from swarm.leader.core.views import AnswerToRequest, RequestView, TeamView
from swarm.leader.tui.approval import Approval
from swarm.leader.tui.deck import Queue
from swarm.leader.tui.keys import Situation, hints
from swarm.leader.tui.screens import layout
from swarm.leader.tui.screens.bindings import BINDINGS
from swarm.leader.tui.screens.help import HelpScreen
from swarm.leader.tui.screens.presses import PRESSES
from swarm.leader.tui.screens.stop import StopScreen, about_worker
from swarm.leader.tui.settings import TerminalSettings
from swarm.leader.tui.widgets.card import ApprovalCard
from swarm.leader.tui.widgets.footer import Footer
from swarm.leader.tui.widgets.header import Header, header_height
from swarm.leader.tui.widgets.line_view import LineView
from swarm.leader.tui.widgets.title import TranscriptTitle
from swarm.leader.tui.widgets.transcript import TranscriptView
from swarm.leader.tui.widgets.worker_table import WorkerTable

FAR = 1_000_000_000
"""More rows than there are."""


class MainScreen(Screen[None]):
    """Everything that is seen of a session, read from `client` whenever `update` is called.

    While `seen` says that the terminal doesn't show what is shown, no key decides anything.
    """

    CSS_PATH = "main.tcss"
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS
    AUTO_FOCUS = ""

    class Answered(Message):
        """The person answered a request."""

        def __init__(self, answer: AnswerToRequest) -> None:
            super().__init__()
            self.answer = answer

    class GrantBegun(Message):
        """The person looks at what "always" would write for a request."""

        def __init__(self, request: RequestView) -> None:
            super().__init__()
            self.request = request

    class StopAsked(Message):
        """The person wants one worker stopped."""

        def __init__(self, worker: str) -> None:
            super().__init__()
            self.worker = worker

    def __init__(self, client: Client, settings: TerminalSettings, seen: Callable[[], bool]) -> None:
        super().__init__()
        self._client, self._settings, self._seen = client, settings, seen
        self.approval = Approval(settings.monotonic)
        self._team: TeamView = client.team()
        self._arranged: tuple[object, ...] = ()
        self._make_widgets()

    def _make_widgets(self) -> None:
        clock, plain = self._settings.clock, self._settings.no_color
        self.header = Header(clock, visiting=self._settings.visiting, id="header")
        self.table = WorkerTable(clock, plain=plain, still=self._settings.still, id="table")
        self.transcript_title = TranscriptTitle(plain=plain, id="title")
        self.transcript = TranscriptView(id="transcript")
        self.card = ApprovalCard(self.approval, clock, plain=plain, id="card")
        self.footer = Footer(id="footer")
        self.too_small = Static("", id="too-small", markup=False)

    def compose(self) -> ComposeResult:
        """Give the widgets from top to bottom."""
        yield self.header
        with Container(id="body"):
            yield self.table
            with Vertical(id="side"):
                yield self.transcript_title
                yield self.transcript
                yield self.card
        yield self.footer
        yield self.too_small

    def on_mount(self) -> None:
        """Show ages as they grow."""
        self.set_interval(1.0, self._tick)

    def _tick(self) -> None:
        self.header.refresh()
        self.table.refresh()
        self.card.tick()

    # What is shown

    def update(self, team: TeamView, queue: Queue, mode: str, changed: frozenset[str]) -> None:
        """Show the team as it is now; `changed` names the workers whose transcript has changed."""
        grown = len(team.workers) != len(self._team.workers)
        if team is not self._team or not self.table.rows:
            self.table.update(team.workers)
        self._team = team
        self.header.update(team, mode, queue)
        self.approval.receive(queue, team.ended)
        if self.table.chosen in changed:
            self.transcript.update(self._client.transcript(self.table.chosen))
        self.show_state(force=grown)

    def show_state(self, *, force: bool = False) -> None:
        """Share out the room and bring card, title and footer in step with what they show."""
        self._refresh_title()
        aside, visiting = len(self.approval.deck.aside), self._settings.visiting
        self.footer.update(hints(self.situation, put_aside=aside, visiting=visiting))
        state = (
            self.size,
            self.approval.deck,
            self.approval.grant,
            self.approval.writing,
            self.approval.note,
        )
        if force or state != self._arranged:
            self._arranged = state
            self._share_out()

    def _share_out(self) -> None:
        width, height = self.size
        wide, asked = layout.is_wide(width), self.approval.shown is not None
        small = not layout.fits(width, height)
        self.set_class(wide, "-wide")
        self.set_class(small, "-too-small")
        if small:
            needed = "{}×{}".format(*layout.MINIMUM)
            self.too_small.update(f"needs {needed}, has {width}×{height}")
            return
        rows = layout.table_height(len(self._team.workers), height, asked=asked)
        beside = layout.table_width(width) if wide else 0
        self.table.styles.width = beside or "1fr"
        self.table.styles.height = "1fr" if wide else rows
        self.set_class(layout.is_tight(height, asked=asked), "-tight")
        room = layout.card_room(height, header_height(self._team), wide=wide, table=rows)
        self.card.fit(width - beside - int(wide), room)

    def _refresh_title(self) -> None:
        transcript, chosen = self.transcript, self.table.chosen
        worker = next((worker for worker in self._team.workers if worker.name == chosen), None)
        self.transcript_title.update(worker, following=transcript.following, new=transcript.new)

    @property
    def situation(self) -> Situation:
        """What the keys act on."""
        situation = self.approval.situation
        ended = situation is Situation.WATCHING and self._team.exit_code is not None
        return Situation.ENDED if ended else situation

    @on(events.Resize)
    def _on_resized(self) -> None:
        self.show_state(force=True)

    @on(events.ScreenResume)
    def _on_resumed(self) -> None:
        self.approval.start_grace()

    @on(WorkerTable.Chosen)
    def _on_chosen(self, event: WorkerTable.Chosen) -> None:
        self.transcript.show(self._client.transcript(event.worker))
        self._refresh_title()

    @on(TranscriptView.Moved)
    def _on_moved(self) -> None:
        self._refresh_title()

    # What keys do

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take no key but those that leave while the screen is too small to read, or not seen."""
        readable = layout.fits(*self.size) and self._seen()
        return readable or action not in ("card", "confirm", "number", "stop_worker")

    def action_card(self, press: str) -> None:
        """Act on the request that is shown."""
        approval = self.approval
        granting = approval.grant is not None
        answer = PRESSES[press](approval)
        if answer is not None:
            self.post_message(self.Answered(answer))
        if approval.grant is not None and not granting and approval.shown is not None:
            self.post_message(self.GrantBegun(approval.shown))
        self.show_state()

    def action_confirm(self) -> None:
        """Confirm the grant, close a card that takes no answer; after the run has ended, leave."""
        if self.situation is Situation.ENDED:
            self.app.exit()
        else:
            self.action_card("back" if self.situation is Situation.GONE else "confirm_grant")

    @on(Input.Submitted)
    def _on_message_written(self, event: Input.Submitted) -> None:
        answer = self.approval.deny(event.value) if self._seen() else None
        if answer is not None:
            self.post_message(self.Answered(answer))
        self.show_state()

    def action_number(self, number: int) -> None:
        """Take a rule in or out while a grant is shown; else choose the worker of this row."""
        if self.approval.grant is not None:
            self.approval.change_grant(toggled=number - 1)
            self.show_state()
        else:
            self.table.choose_row(number - 1)

    def action_choose(self, steps: int) -> None:
        """Choose another worker."""
        self.table.choose_next(steps)

    def action_choose_asking(self) -> None:
        """Choose the worker whose request is shown."""
        if self.approval.shown is not None:
            self.table.choose(self.approval.shown.worker)

    def _scrolled_view(self) -> LineView:
        body = self.card.body
        card_first = self.approval.shown is not None and body.overflows
        return body if card_first else self.transcript

    def action_page(self, pages: int) -> None:
        """Scroll the card where it doesn't fit, else the transcript."""
        view = self._scrolled_view()
        view.scroll_rows(pages * max(view.size.height - 1, 1))

    def action_edge(self, side: int) -> None:
        """Scroll to the first line or the last."""
        view = self._scrolled_view()
        view.scroll_to_row(FAR * side)

    def action_page_transcript(self, pages: int) -> None:
        """Scroll the transcript."""
        view = self.transcript
        view.scroll_rows(pages * max(view.size.height - 1, 1))

    def action_toggle_output(self) -> None:
        """Show all output of tools, or its last lines."""
        self.transcript.toggle_whole()

    def action_help(self) -> None:
        """Show every key."""
        self.app.push_screen(HelpScreen(visiting=self._settings.visiting))

    def action_stop_worker(self) -> None:
        """Ask whether the chosen worker is to be stopped."""
        chosen = self.table.chosen
        for worker in self._team.workers:
            if worker.name == chosen and not worker.phase.ended:
                text = about_worker(worker, plain=self._settings.no_color)
                question = StopScreen(text, self._settings.monotonic)
                self.app.push_screen(question, self._stop_if(chosen))

    def _stop_if(self, worker: str) -> Callable[[bool | None], None]:
        def act(wanted: bool | None) -> None:
            if wanted:
                self.post_message(self.StopAsked(worker))

        return act
