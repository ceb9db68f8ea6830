"""Reading shell text: what it says, what it could run and touch. Runs nothing and decides nothing."""
