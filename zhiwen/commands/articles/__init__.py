"""Commands: import, suspect, evidence."""
