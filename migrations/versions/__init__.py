"""One revision a file; a revision imports nothing of ours."""
