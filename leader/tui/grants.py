"""What "always" would write: which of the offered rules, and to which layer. Pure."""

from dataclasses import dataclass, replace

from swarm.leader.core.views import RequestView
from swarm.permissions.model import Layer, Offer

PLACES = {
    Layer.SESSION: ("this session", "kept in no file, ends with the run"),
    Layer.LOCAL: (".swarm/settings.local.json", "you, in this project"),
    Layer.PROJECT: (".swarm/settings.json", "everyone in this project"),
    Layer.USER: ("~/.config/swarm/settings.json", "you, in every project"),
    Layer.PLAN: ("the plan", "whoever runs it"),
    Layer.WORKER: ("this worker only", "kept in no file, ends with the run"),
    Layer.MANAGED: ("/etc/swarm/settings.json", "everyone on this machine"),
}
"""Where a rule of each layer is written, and for whom it then holds."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A choice in the making. `chosen` tells for each offer whether it is to be written.

    `told` says for each what it would let through: None until that is known, empty if it can't be.
    """

    offers: tuple[Offer, ...]
    layers: tuple[Layer, ...]
    chosen: tuple[bool, ...]
    told: tuple[str | None, ...]
    at: int = 0

    @property
    def layer(self) -> Layer:
        """The layer that the rules go to."""
        return self.layers[self.at]

    @property
    def picked(self) -> tuple[Offer, ...]:
        """The offers that are to be written."""
        return tuple(offer for offer, chosen in zip(self.offers, self.chosen, strict=True) if chosen)


def begin(request: RequestView) -> Grant | str:
    """Give the grant to start from, or the sentence that says why there can be none."""
    if not request.offers:
        return "No rule can cover this safely, so it can only be allowed once."
    layers = tuple(
        layer
        for layer in request.offers[0].layers
        if all(layer in offer.layers for offer in request.offers)
    )
    if not layers:
        return "The rules that this needs can't be written to one place, so it can only be allowed once."
    at = layers.index(Layer.LOCAL) if Layer.LOCAL in layers else 0
    many = len(request.offers)
    return Grant(request.offers, layers, (True,) * many, (None,) * many, at)


def next_layer(grant: Grant, steps: int) -> Grant:
    """Choose the layer `steps` further, round and round."""
    return replace(grant, at=(grant.at + steps) % len(grant.layers))


def toggle(grant: Grant, number: int) -> Grant:
    """Take the offer with this number, counted from 0, in or out; unknown numbers change nothing."""
    chosen = tuple(was != (at == number) for at, was in enumerate(grant.chosen))
    return replace(grant, chosen=chosen)


def tell(grant: Grant, number: int, sentence: str) -> Grant:
    """Say what the offer with this number, counted from 0, would let through; the choice stays."""
    told = tuple(sentence if at == number else was for at, was in enumerate(grant.told))
    return replace(grant, told=told)
