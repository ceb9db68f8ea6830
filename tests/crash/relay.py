"""Carries bytes between a worker and its leader, so that killing it cuts the channel and nothing else.

Runs as `relay.py FROM TO FROM TO` with inherited descriptors; ends when both ways have ended.
"""

import os
import sys
from threading import Thread


def carry(source: int, target: int) -> None:
    """Copy until the source ends or the target is gone, then close both."""
    try:
        while data := os.read(source, 65536):
            while data:
                data = data[os.write(target, data) :]
    except OSError:
        pass
    os.close(source)
    os.close(target)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    ways = [Thread(target=carry, args=pair) for pair in (numbers[:2], numbers[2:])]
    for way in ways:
        way.start()
    for way in ways:
        way.join()
