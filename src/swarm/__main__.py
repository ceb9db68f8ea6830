"""`python -m swarm`: the command line, under any Python that has it installed."""

from swarm.leader.cli import main

if __name__ == "__main__":
    main()
