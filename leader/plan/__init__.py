"""The plan file: read, checked, all errors at once, and resolved into what the core runs."""
