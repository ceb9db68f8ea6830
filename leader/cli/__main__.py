"""Runs the program as `python -m swarm.leader.cli`."""

from swarm.leader.cli import main

if __name__ == "__main__":
    main()
