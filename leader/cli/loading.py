"""Makes the loading of modules quicker. Loads nothing itself."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Look for no garbage meanwhile, and never again among what was made: modules stay to the end.

    Loading makes hundreds of thousands of objects and leaves next to none, so the collector, which looks
    through all of them again and again, would take a tenth of the time to the first picture.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
