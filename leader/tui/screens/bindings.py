"""Which key does what on the main screen. The words for people are in `keys`."""

from textual.binding import Binding, BindingType

_KEYS = (
    ("y", "card('allow_once')"),
    ("a", "card('begin_grant')"),
    ("n", "card('deny')"),
    ("m,N", "card('begin_message')"),
    ("tab", "card('next')"),
    ("shift+tab", "card('previous')"),
    ("escape", "card('back')"),
    ("left", "card('layer_before')"),
    ("right", "card('layer_after')"),
    ("enter", "confirm"),
    ("up,k", "choose(-1)"),
    ("down,j", "choose(1)"),
    ("pageup", "page(-1)"),
    ("pagedown", "page(1)"),
    ("ctrl+u", "page_transcript(-1)"),
    ("ctrl+d", "page_transcript(1)"),
    ("home", "edge(-1)"),
    ("end", "edge(1)"),
    ("o", "toggle_output"),
    ("s", "stop_worker"),
    ("w", "choose_asking"),
    ("question_mark", "help"),
    ("q", "app.stop_or_leave"),
    *((str(number), f"number({number})") for number in range(1, 10)),
)

BINDINGS: list[BindingType] = [Binding(keys, action, show=False) for keys, action in _KEYS]
