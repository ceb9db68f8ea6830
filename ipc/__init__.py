"""How messages travel between the leader and its workers. Decides nothing about permissions."""
