"""Folders in which processes leave each other letters: signed, ordered, acknowledged. Starts nothing."""
