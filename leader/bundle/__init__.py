"""What goes with a bug report: gathered, without what looks secret, and packed. Sends nothing anywhere."""
