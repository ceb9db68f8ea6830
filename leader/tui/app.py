"""The Textual application: joins one client and the main screen. Decides nothing, starts nothing."""

import asyncio
from contextlib import ExitStack, suppress
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.message import Message

from swarm.leader import registry
from swarm.leader.core.client import Client
from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.errors import LeaderError
from swarm.leader.registry import QueueUpdater
from swarm.leader.tui.filters import AsciiOnly, WithoutColor
from swarm.leader.tui.screens.main import MainScreen
from swarm.leader.tui.screens.stop import StopScreen, about_team
from swarm.leader.tui.settings import TerminalSettings
from swarm.leader.tui.unhurried_app import UnhurriedApp
from swarm.permissions.model import Mode, RuleText

FRAME_SECONDS = 1 / 30
"""The shortest time between two pictures of a session that changes all the time."""

STOP_HINT = "stopping: Ctrl-C again to end at once "


class SwarmApp(UnhurriedApp):
    """Ends when the person leaves. Its queue is what the registered setter makes of it."""

    TITLE = "swarm"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "stop_or_leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    class SessionChanged(Message):
        """Something of the session has changed; what, is gathered until it is shown."""

    def __init__(self, client: Client, settings: TerminalSettings) -> None:
        super().__init__()
        self.animation_level = "none"
        self._client, self._settings = client, settings
        self._main = MainScreen(client, settings, seen=lambda: not self.behind)
        self._queue = self._known_queue = client.team().queue
        self._mode = ""
        self._changed: frozenset[str] = frozenset()
        self._posted = False
        self._shown_at = 0.0
        self._stops = 0
        self._lifetime = ExitStack()

    def _handle_exception(self, error: Exception) -> None:
        """End with `error`, without Textual's traceback, which prints the values of local variables."""
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    def get_line_filters(self) -> list[LineFilter]:
        """Give the filters for this terminal; Textual's own convert colours that are not used here."""
        filters: list[LineFilter] = []
        if self._settings.no_color:
            filters.append(WithoutColor())
        if self._settings.ascii_only:
            filters.append(AsciiOnly())
        return filters

    async def on_mount(self) -> None:
        """Show the session and take part in it."""
        await self.push_screen(self._main)
        self._lifetime.enter_context(self._client.subscribe(self._gather))
        self.app_resume_signal.subscribe(self, lambda _: self.caught_up())
        registry.register_confirm_queue(self._set_queue)
        registry.register_permission_context(self._set_context)
        self._show()

    def on_unmount(self) -> None:
        """Leave the session to whoever comes next."""
        registry.unregister_confirm_queue(self._set_queue)
        registry.unregister_permission_context(self._set_context)
        self._lifetime.close()

    def _set_queue(self, updater: QueueUpdater) -> None:
        self._queue = updater(self._queue)
        self._gather(frozenset())

    def _set_context(self, rules: tuple[RuleText, ...], mode: Mode, *, preserve_mode: bool = False) -> None:
        if not preserve_mode:
            self._mode = str(mode)
            self._gather(frozenset())

    def caught_up(self) -> None:
        """Give the person the time to read what the terminal shows only now."""
        self._main.approval.start_grace()

    def _gather(self, changed: frozenset[str]) -> None:
        """Note a change from wherever it comes; it is shown in the app's own time."""
        self._changed |= changed
        if not self._posted:
            self._posted = True
            loop = asyncio.get_running_loop()
            loop.call_at(self._shown_at + FRAME_SECONDS, self.post_message, self.SessionChanged())

    def on_swarm_app_session_changed(self) -> None:
        """Show what was gathered."""
        self._show()

    def _show(self) -> None:
        self._shown_at = asyncio.get_running_loop().time()
        team = self._client.team()
        if team.queue is not self._known_queue:
            self._queue = self._known_queue = team.queue
        changed, self._changed, self._posted = self._changed, frozenset(), False
        self._main.update(team, self._queue, self._mode or team.mode, changed)
        if self._stops and team.exit_code is not None:
            self.exit()

    # What the person asks for

    def on_main_screen_answered(self, event: MainScreen.Answered) -> None:
        """Send an answer."""
        self.run_worker(self._answer(event.answer), group="answers")

    async def _answer(self, answer: AnswerToRequest) -> None:
        try:
            await self._client.answer(answer)
        except LeaderError as error:
            self._main.approval.failed(error)
        else:
            self._main.approval.settled()
        self._main.show_state()

    def on_main_screen_grant_begun(self, event: MainScreen.GrantBegun) -> None:
        """Find out what the offers would let through; what was asked for another request is given up."""
        self.run_worker(self._preview(event.request), group="previews", exclusive=True)

    async def _preview(self, request: RequestView) -> None:
        for number, offer in enumerate(request.offers):
            try:
                sentence = (await self._client.preview(request.id, offer.text)).sentence
            except LeaderError:
                sentence = ""  # the card itself says how a request ended
            self._main.approval.tell(request, number, sentence)
            self._main.show_state()

    def on_main_screen_stop_asked(self, event: MainScreen.StopAsked) -> None:
        """Stop one worker."""
        self.run_worker(self._stop(event.worker), group="stops")

    async def _stop(self, worker: str | None) -> None:
        try:
            await self._client.stop(worker)
        except LeaderError as error:
            self.notify(str(error), severity="error", markup=False)

    def action_stop_or_leave(self) -> None:
        """Ask whether to stop the team in good order; leave a run that has ended or is led elsewhere."""
        team = self._client.team()
        if self._settings.visiting or team.exit_code is not None:
            self.exit()
        elif not self._stops and not isinstance(self.screen, StopScreen):
            question = StopScreen(about_team(team), self._settings.monotonic, again=True)
            self.push_screen(question, self._stop_all_if)

    def _stop_all_if(self, wanted: bool | None) -> None:
        if wanted and self._client.team().exit_code is not None:
            self.exit()
        elif wanted and not self._stops:
            self._stop_all()

    def _stop_all(self) -> None:
        self._stops = 1
        self._main.header.stop_hint = STOP_HINT
        self._main.header.refresh()
        self.run_worker(self._stop(None), group="stops")
        self._show()

    def action_interrupt(self) -> None:
        """Stop in good order, then at once, then leave anyhow. What is led elsewhere is only left."""
        if isinstance(self.screen, StopScreen):
            self.screen.dismiss(False)
        if self._settings.visiting or self._client.team().exit_code is not None or self._stops > 1:
            self.exit()
        elif self._stops == 1:
            self._stops = 2
            self.run_worker(self._stop_now(), group="stops")
        else:
            self._stop_all()

    async def _stop_now(self) -> None:
        with suppress(LeaderError):  # a leader that is gone has ended already
            await self._client.stop_now()
        self.exit()
