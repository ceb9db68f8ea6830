"""What people and CI do with rules: try, explain, check, list and carry them over. Decides nothing."""
