"""Measures of meaning, fitted on stored texts; they need the extra `zhiwen[semantic]`."""
