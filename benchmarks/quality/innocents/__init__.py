"""Innocent pages: they share wording with others and are not copies of ours."""
