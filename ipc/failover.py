"""One worker's conversation with its leaders, over one way after another, so that nothing of it is lost.

It owns which way is used, what waits while there is none, and for how long. It decides about no call.
"""

import asyncio
import logging
from collections.abc import Callable

import msgspec

from swarm.ipc.backlog import Backlog
from swarm.ipc.channel import Receiver, Unreadable
from swarm.ipc.errors import ChannelClosed, IpcError
from swarm.ipc.leader_presence import LeaderMark, present_leader
from swarm.ipc.leader_watch import Finding, LeaderWatch
from swarm.ipc.messages import Adopt, AnyMessage, Hello, Start
from swarm.ipc.stream_channel import StreamChannel
from swarm.ipc.ways import Ways

LOOK = 1.0
"""Between two looks at who leads, in seconds, while the first way is gone."""
_logger = logging.getLogger(__name__)


class FailoverChannel:
    """The worker's end. Satisfies `channel.Channel`; owns the first way and those that follow.

    It is *held* from the end of a way until a leader adopts the worker over the next. What is sent then
    is kept and goes out after the `adopt`, before the receiver gets that. A permission request gets its
    id but is not kept: whoever asked sends it again, if it still waits. `on_hold` hears why it is held
    and tells whether to wait at all; `greeting` makes the hello.
    """

    def __init__(
        self,
        first: StreamChannel,
        ways: Ways,
        greeting: Callable[[], Hello],
        *,
        look: float = LOOK,
        presence: Callable[[str], LeaderMark | None] = present_leader,
    ) -> None:
        self.on_hold: Callable[[str], bool] = lambda why: True
        self.is_held = False
        self._way = first
        self._has_way = True
        self._ways = ways
        self._greeting = greeting
        self._look_every = look
        self._presence = presence
        self._watch = LeaderWatch()
        self._backlog = Backlog()
        self._kept = 0
        self._receiver: Receiver | None = None
        self._start: Start | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._grace: asyncio.TimerHandle | None = None
        self._turn = asyncio.Event()
        self._is_closing = False
        self._why: str | None = None

    def __repr__(self) -> str:
        state = self._why or ("held" if self.is_held else "going on")
        return f"<FailoverChannel {state}, {self._backlog!r}, {self._way!r}>"

    def open(self, receiver: Receiver) -> None:
        """Begin to deliver to `receiver`. Call once."""
        self._receiver = receiver
        self._way.open(self)

    def send(self, message: AnyMessage) -> str:
        """Send `message` or keep it, and return its id. Raises what a way raises, if none can follow."""
        if self._why is not None:
            raise ChannelClosed(self._why)
        if self.is_held or (not self._way.is_open and self._may_hold()):
            return self._keep(message)
        try:
            return self._way.send(message)
        except ChannelClosed:
            if not self._may_hold():
                raise
            return self._way.connection.last_id  # it is among what the way has unacknowledged

    def wait_briefly(self) -> None:
        """Deliver what comes within a millisecond."""
        if not self.is_held:
            self._way.wait_briefly()

    async def drain(self) -> None:
        """Wait until little is queued; while it is held, for no more than a turn. Raises ChannelClosed."""
        if not self.is_held:
            try:
                await self._way.drain()
            except ChannelClosed:
                if not self._may_hold():
                    raise
            else:
                return
        await asyncio.sleep(0)

    async def flush(self) -> None:
        """Wait until all has gone out over some way. Raises ChannelClosed."""
        while True:
            turn = self._turn
            if self._why is not None:
                raise ChannelClosed(self._why)
            if not self.is_held:
                try:
                    await self._way.flush()
                except ChannelClosed:
                    if not self._may_hold():
                        raise
                else:
                    return
            await turn.wait()

    def pause_reading(self) -> None:
        """Stop delivering what comes over this way."""
        self._way.pause_reading()

    def resume_reading(self) -> None:
        """Deliver again."""
        self._way.resume_reading()

    async def aclose(self) -> None:
        """Send what is queued if it is taken soon, then close for good. Idempotent."""
        self._is_closing = True
        if not self.is_held:
            await self._way.aclose()
        self._end("this end closed it")

    def message(self, message: AnyMessage) -> None:
        """Take one message of a leader, as the receiver of each way."""
        assert self._receiver is not None
        if type(message) is Start:
            self._start = message
        elif type(message) is Adopt and self.is_held and not self._go_on(message):
            return
        self._receiver.message(message)

    def unreadable(self, report: Unreadable) -> None:
        """Pass on what was skipped."""
        assert self._receiver is not None
        self._receiver.unreadable(report)

    def acknowledged(self, message: AnyMessage) -> None:
        """Pass on what was handled."""
        assert self._receiver is not None
        self._receiver.acknowledged(message)

    def closed(self, why: str) -> None:
        """Take note that the way has ended: hold, or end with it."""
        if self._why is not None or not self._has_way:
            return
        self._has_way = False
        if not self._may_hold():
            self._end(why)
        elif not self.is_held:
            self._hold(why)

    def _may_hold(self) -> bool:
        return self._start is not None and bool(self._start.session) and not self._is_closing

    def _keep(self, message: AnyMessage) -> str:
        self._kept += 1
        message_id = message.id or f"{self._way.connection.id_prefix}-kept-{self._kept}"
        self._backlog.add(msgspec.structs.replace(message, id=message_id))
        return message_id

    def _hold(self, why: str) -> None:
        """Keep everything from now on, and look for another way."""
        self.is_held = True
        later = self._backlog.take()
        for message in (*self._way.connection.unacknowledged(), *later):
            self._backlog.add(message)
        self._change_turn()
        if not self.on_hold(why):
            self._end(why)
            return
        self._limit_hold()
        self._greet()
        self._look_later()

    def _limit_hold(self) -> None:
        assert self._start is not None
        if self._grace is not None:
            self._grace.cancel()
        hold = max(self._start.hold, 0.0)
        why = f"the leader is gone, and no other came within {hold:g} s"
        self._grace = asyncio.get_running_loop().call_later(hold, self._end, why)

    def _greet(self) -> None:
        """Say hello over a new way, if there is one."""
        assert self._start is not None
        self._leave_way()
        self._watch.greeted(self._presence(self._start.session))
        try:
            self._way = self._ways.open(self._start)
            self._has_way = True
            self._way.open(self)
            self._way.send(self._hello(self._start))
        except (IpcError, OSError) as error:
            _logger.debug("there is no way for now: %s", error)
            self._leave_way()

    def _greet_again(self) -> None:
        """Say the same hello once more over this way: a leader that has it drops it."""
        assert self._start is not None
        self._watch.greeted(self._presence(self._start.session))
        try:
            self._way.greet_again()
        except IpcError as error:
            _logger.debug("hello could not be said: %s", error)
            self._leave_way()

    def _hello(self, start: Start) -> Hello:
        return msgspec.structs.replace(self._greeting(), worker=start.worker, attempt=start.attempt)

    def _leave_way(self) -> None:
        if self._has_way:
            self._has_way = False
            self._way.abandon("another way is taken")

    def _go_on(self, adopt: Adopt) -> bool:
        """Send what was kept over the way on which a leader has come; False if that leader is gone."""
        assert self._start is not None
        leader = self._presence(self._start.session)
        if adopt.pid and (leader is None or leader.pid != adopt.pid):
            self._greet()
            return False
        self._watch.adopted(leader)
        self.is_held = False
        if self._grace is not None:
            self._grace.cancel()
        for message in self._backlog.take():
            try:
                self.send(message)
            except IpcError as error:
                _logger.warning("a message that was kept is dropped: %s", error)
        self._change_turn()
        return True

    def _look_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._why is None:
            self._timer = asyncio.get_running_loop().call_later(self._look_every, self._look)

    def _look(self) -> None:
        """See who leads, and whether the session is still there."""
        assert self._start is not None
        found = self._watch.look(self._presence(self._start.session))
        if self.is_held and self._ways.is_lost(self._start):
            self._end("the session's folder is gone")
        elif found is Finding.LOST:
            self._leave_way()
            self._hold("the leader that went on with it is gone")
        elif self.is_held and not self._has_way:
            self._greet()
        elif found is Finding.GREET:
            self._greet_again()
        elif found is Finding.WENT:
            self._limit_hold()
        self._look_later()

    def _change_turn(self) -> None:
        """Let those look again who wait for what comes next."""
        turn, self._turn = self._turn, asyncio.Event()
        turn.set()

    def _end(self, why: str) -> None:
        if self._why is not None:
            return
        self._why = why
        self.is_held = False
        for timer in (self._timer, self._grace):
            if timer is not None:
                timer.cancel()
        self._leave_way()
        self._ways.close()
        self._change_turn()
        if self._receiver is not None:
            self._receiver.closed(why)
