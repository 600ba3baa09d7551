"""Matches and hits: saving, listing, filters, text families, stories, backlog, rematch."""
