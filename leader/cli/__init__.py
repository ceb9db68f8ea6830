"""The command line: one module per command."""


def main() -> None:
    """Run the program with the arguments of the process, and end it with the command's exit code."""
    from swarm.leader.cli.app import run_program

    run_program()
